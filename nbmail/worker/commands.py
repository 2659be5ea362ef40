"""Which command is done by whom, and how urgently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nbmail.worker import answers, doubts, givers, history, marking, models, protocol, travelling
from nbmail.worker.agenda import Lane
from nbmail.worker.office import Office


@dataclass(frozen=True, slots=True)
class Plan:
    """How a command is done: `begin` gives its result, or the slices that lead to it.

    `early` ones look at the store only, and are done while the model is still loading.
    """

    begin: Callable[[Office, Any], Any]
    lane: Lane = Lane.USER
    early: bool = False


_PLANS: dict[type[protocol.Command], Plan] = {
    protocol.ListMail: Plan(answers.list_mail, Lane.WORK, early=True),
    protocol.ShowRows: Plan(answers.show_rows),
    protocol.Mark: Plan(marking.mark),
    protocol.Undo: Plan(travelling.undo),
    protocol.Redo: Plan(travelling.redo),
    protocol.GoBack: Plan(travelling.go_back),
    protocol.LabelFolder: Plan(marking.label_folder),
    protocol.ForgetAccount: Plan(marking.forget_account, Lane.WORK),
    protocol.Explain: Plan(answers.explain),
    protocol.FindGiver: Plan(givers.find_giver, early=True),
    protocol.ReadMessage: Plan(answers.read_message, early=True),
    protocol.FetchWhole: Plan(answers.fetch_whole, early=True),
    protocol.ShowJournal: Plan(answers.show_journal, early=True),
    protocol.CheckUp: Plan(answers.check_up, Lane.WORK),
    protocol.ExportModel: Plan(models.export_model, Lane.WORK),
    protocol.ImportModel: Plan(models.import_model, Lane.WORK),
    protocol.SetCost: Plan(models.set_cost),
    protocol.SetMoving: Plan(models.set_moving),
    protocol.PreviewMoves: Plan(answers.preview_moves, Lane.WORK, early=True),
    protocol.Relearn: Plan(models.relearn, Lane.WORK),
    protocol.FindSuspicious: Plan(doubts.find_suspicious, Lane.WORK),
    protocol.LookBack: Plan(history.look_back, Lane.WORK),
    protocol.TraceSender: Plan(history.trace_sender, Lane.WORK),
}


def plan_of(command: protocol.Command) -> Plan:
    """How this command is done."""
    return _PLANS[type(command)]
