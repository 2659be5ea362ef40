"""Which command is done by whom, and how urgently."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nbmail.worker import protocol
from nbmail.worker.engine import questions
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Priority
from nbmail.worker.figures import accuracy, comparing
from nbmail.worker.intake.body_requests import WHOLE
from nbmail.worker.marking import marking
from nbmail.worker.model import model_commands
from nbmail.worker.model.import_report import reporting
from nbmail.worker.model.model_files import exporting
from nbmail.worker.past import past_scores
from nbmail.worker.protocol import model_files, own_model, reading, words
from nbmail.worker.reading import reading_commands
from nbmail.worker.scores import questions_to_user, suspicious_labels
from nbmail.worker.words import suppositions, word_questions


@dataclass(frozen=True, slots=True)
class CommandPlan:
    """How a command is done. `early` ones look at the store only, and are done while the model is still loading."""

    begin: Callable[[EngineState, Any], Any]
    lane: Priority = Priority.USER
    early: bool = False


PLANS: dict[type[protocol.Command], CommandPlan] = {
    protocol.ListMail: CommandPlan(questions.list_mail, Priority.WORK, early=True),
    protocol.ShowRows: CommandPlan(questions.show_rows),
    protocol.Mark: CommandPlan(marking.mark),
    protocol.Undo: CommandPlan(marking.undo),
    protocol.Redo: CommandPlan(marking.redo),
    protocol.GoBack: CommandPlan(marking.go_back),
    protocol.LabelFolder: CommandPlan(marking.label_folder),
    protocol.ForgetAccount: CommandPlan(lambda state, one: marking.forget_places(state, one.account), Priority.WORK),
    protocol.Explain: CommandPlan(questions.explain),
    protocol.FindLabelSource: CommandPlan(lambda state, one: state.store.label_sources.given(one.message), early=True),
    protocol.ReadMessage: CommandPlan(questions.read_message, early=True),
    protocol.FetchWhole: CommandPlan(lambda state, one: state.body_requests.ask(one.message, WHOLE), early=True),
    reading.FindText: CommandPlan(questions.find_text, early=True),
    reading.MarkRead: CommandPlan(reading_commands.mark_read, early=True),
    reading.SaveAttachment: CommandPlan(reading_commands.save_attachment, early=True),
    reading.JudgeMail: CommandPlan(reading_commands.judge_mail),
    reading.ReadSource: CommandPlan(reading_commands.read_source, early=True),
    protocol.ShowJournal: CommandPlan(lambda state, one: state.store.journal.latest(one.most), early=True),
    protocol.ExportModel: CommandPlan(lambda state, one: exporting(state.store, one, state.clock()), Priority.WORK),
    protocol.ImportModel: CommandPlan(model_commands.import_model, Priority.WORK),
    model_files.PreviewImport: CommandPlan(
        lambda state, one: reporting(state.store, one.path, one.format), Priority.WORK
    ),
    model_files.DropImports: CommandPlan(model_commands.drop_imports, Priority.WORK),
    protocol.SetCost: CommandPlan(model_commands.set_cost),
    protocol.SetMoving: CommandPlan(model_commands.set_moving),
    protocol.PreviewMoves: CommandPlan(questions.preview_moves, Priority.WORK, early=True),
    protocol.Relearn: CommandPlan(model_commands.relearn, Priority.WORK),
    protocol.FindSuspicious: CommandPlan(suspicious_labels.find_suspicious, Priority.WORK),
    protocol.LookBack: CommandPlan(past_scores.look_back, Priority.WORK),
    protocol.TraceSender: CommandPlan(past_scores.trace_sender, Priority.WORK),
    words.ListWords: CommandPlan(word_questions.list_words, Priority.WORK),
    words.DescribeWord: CommandPlan(word_questions.describe_word),
    words.SupposeWithout: CommandPlan(suppositions.suppose_without, Priority.WORK),
    words.SupposeMark: CommandPlan(suppositions.suppose_mark, Priority.WORK),
    words.IgnoreWord: CommandPlan(marking.ignore_word),
    words.ListMoved: CommandPlan(suppositions.list_moved),
    words.ExplainThen: CommandPlan(past_scores.explain_then, Priority.WORK),
    own_model.Ask: CommandPlan(questions_to_user.ask),
    own_model.ReportTraining: CommandPlan(accuracy.report_training),
    own_model.JudgeModel: CommandPlan(accuracy.judge_model, Priority.WORK),
    own_model.DrawLearningCurve: CommandPlan(comparing.draw_learning_curve, Priority.WORK),
    own_model.CompareMethods: CommandPlan(comparing.compare_methods, Priority.WORK),
    own_model.UseMethod: CommandPlan(model_commands.use_method, Priority.WORK),
    own_model.StartOver: CommandPlan(model_commands.start_over, Priority.WORK),
}
