"""Methods of `protocol.client.Engine`: each queues one job and returns its ticket."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from nbmail.core.scoring.explanation import Explanation
from nbmail.values import FolderName, JournalLine, Rows, Scores, SourcedLabel
from nbmail.worker import protocol
from nbmail.worker.protocol import (
    Command,
    Exported,
    Imported,
    Marked,
    MessageText,
    PlannedMove,
    Suspicion,
    model_files,
    own_model,
    reading,
    words,
)
from nbmail.worker.protocol.model_files import ImportReport
from nbmail.worker.protocol.own_model import (
    EVERY_LABEL,
    Accuracy,
    CurvePoint,
    MethodComparison,
    StartedOver,
    TrainingReport,
)
from nbmail.worker.protocol.reading import JudgedMail, MessageSource, SavedAttachment
from nbmail.worker.protocol.ticket import Ticket
from nbmail.worker.protocol.words import Moved, Supposed, WordOrder, WordPage, WordStory


class JobStarter(ABC):
    """Base of the classes below: queues a job."""

    @abstractmethod
    def run(self, command: Command) -> Ticket[Any]:
        """Queue the job of this command."""


class MarkJobs(JobStarter):
    """Labels, their journal, and undo."""

    def mark(self, messages: Sequence[int], label: str | None) -> Ticket[Marked]:
        return self.run(protocol.Mark(tuple(messages), label))

    def label_folder(self, folder: FolderName, label: str, *, only_unlabelled: bool = False) -> Ticket[Marked]:
        return self.run(protocol.LabelFolder(folder, label, only_unlabelled))

    def undo(self, limit: int | None = None) -> Ticket[Marked]:
        return self.run(protocol.Undo(limit))

    def redo(self) -> Ticket[Marked]:
        return self.run(protocol.Redo())

    def restore(self, before: int) -> Ticket[Marked]:
        return self.run(protocol.GoBack(before))

    def reset(self) -> Ticket[StartedOver]:
        return self.run(own_model.StartOver())

    def list_journal(self, limit: int = 1000) -> Ticket[tuple[JournalLine, ...]]:
        return self.run(protocol.ShowJournal(limit))

    def find_label_source(self, message: int) -> Ticket[SourcedLabel | None]:
        return self.run(protocol.FindLabelSource(message))

    def list_changed_verdicts(self) -> Ticket[tuple[Moved, ...]]:
        return self.run(words.ListMoved())

    def find_suspicious_labels(self) -> Ticket[tuple[Suspicion, ...]]:
        return self.run(protocol.FindSuspicious())

    def set_moving(self, on: bool) -> Ticket[None]:
        return self.run(protocol.SetMoving(on))

    def preview_moves(self) -> Ticket[tuple[PlannedMove, ...]]:
        return self.run(protocol.PreviewMoves())


class MailJobs(JobStarter):
    """Messages: the list, their texts, search, read flags and files."""

    def list_mail(self) -> Ticket[Rows]:
        return self.run(protocol.ListMail())

    def show_rows(self, messages: Sequence[int]) -> Ticket[None]:
        return self.run(protocol.ShowRows(tuple(messages)))

    def read_message(self, message: int) -> Ticket[MessageText]:
        return self.run(protocol.ReadMessage(message))

    def fetch_whole(self, message: int) -> Ticket[tuple[str, ...]]:
        return self.run(protocol.FetchWhole(message))

    def find_text(self, words: str) -> Ticket[tuple[int, ...]]:
        return self.run(reading.FindText(words))

    def mark_read(self, messages: Sequence[int], *, read: bool = True) -> Ticket[tuple[int, ...]]:
        return self.run(reading.MarkRead(tuple(messages), read))

    def read_source(self, message: int) -> Ticket[MessageSource]:
        return self.run(reading.ReadSource(message))

    def save_attachment(self, message: int, number: int, path: Path | None = None) -> Ticket[SavedAttachment]:
        return self.run(reading.SaveAttachment(message, number, path))

    def score_mail(self, raw: bytes) -> Ticket[JudgedMail]:
        return self.run(reading.JudgeMail(raw))

    def forget_account(self, account: str) -> Ticket[None]:
        return self.run(protocol.ForgetAccount(account))


class ModelJobs(JobStarter):
    """The model: its scores, its quality and its method."""

    def explain(self, message: int, strongest: int = 12) -> Ticket[Explanation]:
        return self.run(protocol.Explain(message, strongest))

    def explain_at(self, message: int, moment: float, strongest: int = 12) -> Ticket[Explanation]:
        return self.run(words.ExplainThen(message, moment, strongest))

    def score_at(self, moment: float, messages: Sequence[int]) -> Ticket[Scores]:
        return self.run(protocol.LookBack(moment, tuple(messages)))

    def trace_sender(self, message: int) -> Ticket[tuple[tuple[float, float], ...]]:
        return self.run(protocol.TraceSender(message))

    def set_cost(self, junk_seen: float) -> Ticket[None]:
        return self.run(protocol.SetCost(junk_seen))

    def rebuild(self) -> Ticket[Path]:
        return self.run(protocol.Relearn())

    def use_method(self, method: str) -> Ticket[None]:
        return self.run(own_model.UseMethod(method))

    def measure_accuracy(self) -> Ticket[Accuracy]:
        return self.run(own_model.JudgeModel())

    def draw_learning_curve(self) -> Ticket[tuple[CurvePoint, ...]]:
        return self.run(own_model.DrawLearningCurve())

    def compare_methods(self) -> Ticket[MethodComparison]:
        return self.run(own_model.CompareMethods())

    def report_training(self, limit: int = EVERY_LABEL, among: Collection[int] = ()) -> Ticket[TrainingReport]:
        return self.run(own_model.ReportTraining(limit, tuple(among)))

    def select_queries(self, limit: int = 2, exclude: Collection[int] = ()) -> Ticket[tuple[int, ...]]:
        return self.run(own_model.Ask(limit, tuple(exclude)))


class WordJobs(JobStarter):
    """Single words, and simulations of changes."""

    def list_words(
        self,
        search: str = "",
        order: WordOrder = WordOrder.STRONGEST,
        *,
        limit: int = 200,
        ignored: bool = False,
    ) -> Ticket[WordPage]:
        return self.run(words.ListWords(search, order, limit, ignored))

    def describe_word(self, word: str) -> Ticket[WordStory]:
        return self.run(words.DescribeWord(word))

    def ignore_word(self, word: str, *, ignored: bool = True) -> Ticket[Marked]:
        return self.run(words.IgnoreWord(word, ignored))

    def simulate_without(self, word: str, message: int = -1) -> Ticket[Supposed]:
        return self.run(words.SupposeWithout(word, message))

    def simulate_mark(self, message: int, label: str) -> Ticket[Supposed]:
        return self.run(words.SupposeMark(message, label))


class FileJobs(JobStarter):
    """Model files."""

    def export_model(self, path: Path, format: str = "", redact: int = 0) -> Ticket[Exported]:
        return self.run(protocol.ExportModel(path, format, redact))

    def preview_import(self, path: Path, format: str = "") -> Ticket[ImportReport]:
        return self.run(model_files.PreviewImport(path, format))

    def import_model(
        self, path: Path, *, again: bool = False, replace: bool = False, format: str = ""
    ) -> Ticket[Imported]:
        return self.run(protocol.ImportModel(path, again, replace, format))

    def drop_imports(self) -> Ticket[bool]:
        return self.run(model_files.DropImports())


class EngineJobs(MarkJobs, MailJobs, ModelJobs, WordJobs, FileJobs):
    """All requests of `protocol.client.Engine`."""
