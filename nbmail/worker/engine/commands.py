"""Which command is done by whom, and how urgently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nbmail.worker import protocol
from nbmail.worker.engine import questions
from nbmail.worker.engine.engine_state import Office
from nbmail.worker.engine.job_queue import Lane
from nbmail.worker.marking import label_givers, marking, undo_redo
from nbmail.worker.model import model_commands
from nbmail.worker.past import past_scores
from nbmail.worker.scores import suspicious_labels


@dataclass(frozen=True, slots=True)
class Plan:
    """How a command is done: `begin` gives its result, or the slices that lead to it.

    `early` ones look at the store only, and are done while the model is still loading.
    """

    begin: Callable[[Office, Any], Any]
    lane: Lane = Lane.USER
    early: bool = False


_PLANS: dict[type[protocol.Command], Plan] = {
    protocol.ListMail: Plan(questions.list_mail, Lane.WORK, early=True),
    protocol.ShowRows: Plan(questions.show_rows),
    protocol.Mark: Plan(marking.mark),
    protocol.Undo: Plan(undo_redo.undo),
    protocol.Redo: Plan(undo_redo.redo),
    protocol.GoBack: Plan(undo_redo.go_back),
    protocol.LabelFolder: Plan(marking.label_folder),
    protocol.ForgetAccount: Plan(marking.forget_account, Lane.WORK),
    protocol.Explain: Plan(questions.explain),
    protocol.FindGiver: Plan(label_givers.find_giver, early=True),
    protocol.ReadMessage: Plan(questions.read_message, early=True),
    protocol.FetchWhole: Plan(questions.fetch_whole, early=True),
    protocol.ShowJournal: Plan(questions.show_journal, early=True),
    protocol.CheckUp: Plan(questions.check_up, Lane.WORK),
    protocol.ExportModel: Plan(model_commands.export_model, Lane.WORK),
    protocol.ImportModel: Plan(model_commands.import_model, Lane.WORK),
    protocol.SetCost: Plan(model_commands.set_cost),
    protocol.SetMoving: Plan(model_commands.set_moving),
    protocol.PreviewMoves: Plan(questions.preview_moves, Lane.WORK, early=True),
    protocol.Relearn: Plan(model_commands.relearn, Lane.WORK),
    protocol.FindSuspicious: Plan(suspicious_labels.find_suspicious, Lane.WORK),
    protocol.LookBack: Plan(past_scores.look_back, Lane.WORK),
    protocol.TraceSender: Plan(past_scores.trace_sender, Lane.WORK),
}


def plan_of(command: protocol.Command) -> Plan:
    """How this command is done."""
    return _PLANS[type(command)]
