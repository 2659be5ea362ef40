"""Methods of `protocol.client.Engine`: each queues one job and returns its ticket."""

import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from nbmail.core.scoring.explanation import Explanation
from nbmail.values import FolderName, JournalLine, Rows, Scores, SourcedLabel
from nbmail.worker.engine.announcer import SHORTEST, Emit
from nbmail.worker.engine.job_queue import Job, JobCallbacks, JobQueue, JobSteps, Pause, Priority, steps_of
from nbmail.worker.engine.opening import Parts
from nbmail.worker.mailbox.text_search import find_text
from nbmail.worker.marking.marking import preview_moves
from nbmail.worker.model.import_export import preview_import
from nbmail.worker.model.quality import find_suspicious_labels
from nbmail.worker.protocol.events import TicketChanged
from nbmail.worker.protocol.results import (
    ALL_LABELS,
    Accuracy,
    CurvePoint,
    Exported,
    Imported,
    ImportReport,
    Marked,
    MessageSource,
    MessageText,
    MethodComparison,
    ModelReset,
    PlannedMove,
    SavedAttachment,
    ScoredMail,
    Simulation,
    SuspiciousLabel,
    TrainingReport,
    VerdictChange,
    WordDescription,
    WordOrder,
    WordPage,
)
from nbmail.worker.protocol.ticket import Ticket

Result = TypeVar("Result")


class TicketCallbacks(JobCallbacks, Generic[Result]):
    """Reports progress and failure of a job through its ticket. Reports are at least `SHORTEST` seconds apart."""

    def __init__(self, ticket: Ticket[Result], report_error: Callable[[Exception], None]) -> None:
        super().__init__(report_error)
        self._ticket = ticket
        self._reported = -SHORTEST
        self._unreported = Pause()
        self._part: Result | None = None

    def show(self, part: Result) -> None:
        """Deliver a partial result with the next progress, immediately."""
        self._part = part

    def progress(self, pause: Pause) -> None:
        part, self._part = self._part, None
        if pause.total:
            self._unreported = pause
        if part is not None or (pause.total and time.monotonic() - self._reported >= SHORTEST):
            self._reported, self._unreported = time.monotonic(), Pause()
            self._ticket.report(pause.done, pause.total, part)

    def failed(self, error: Exception) -> None:
        super().failed(error)
        self._ticket.fail(error)

    def cancelled(self) -> None:
        """End as cancelled, after the latest progress."""
        if self._unreported.total:
            self._ticket.report(self._unreported.done, self._unreported.total)
        self._ticket.end_cancelled()


class JobStarter:
    """Base of the classes below: queues jobs with tickets, from any thread.

    `parts` is called on the engine's thread, and raises if the data folder is not open.
    """

    def __init__(
        self, jobs: JobQueue, parts: Callable[[], Parts], emit: Emit, report_error: Callable[[Exception], None]
    ) -> None:
        self._jobs, self._parts, self._emit, self._report_error = jobs, parts, emit, report_error

    def _start(
        self,
        work: Callable[[Parts], JobSteps[Result] | Result],
        priority: Priority = Priority.USER,
        *,
        needs_model: bool = True,
    ) -> Ticket[Result]:
        """Queue a job. `work` runs on the engine's thread and returns the result, or a generator that does."""
        return self._start_growing(lambda parts, show: work(parts), priority, needs_model=needs_model)

    def _start_growing(
        self,
        work: Callable[[Parts, Callable[[Result], None]], JobSteps[Result] | Result],
        priority: Priority = Priority.USER,
        *,
        needs_model: bool = True,
    ) -> Ticket[Result]:
        """Queue a job that passes partial results to its second argument."""
        ticket: Ticket[Result] = Ticket(lambda each: self._emit(TicketChanged(each)), lambda: self._cancel(job))
        callbacks = TicketCallbacks(ticket, self._report_error)
        steps = steps_of(lambda: work(self._parts(), callbacks.show), ticket.finish)
        job = Job(steps, priority, callbacks, needs_model=needs_model)
        if not self._jobs.add(job):
            callbacks.cancelled()
        return ticket

    def _cancel(self, job: Job) -> None:
        """Queue the cancellation: only the engine's thread may drop a job."""

        def drop() -> JobSteps[None]:
            if self._jobs.remove(job):
                job.drop()
            yield from ()

        self._jobs.add(Job(drop(), Priority.URGENT, JobCallbacks(self._report_error), needs_model=False))


class MarkJobs(JobStarter):
    """Labels, their journal, and undo."""

    def mark(self, messages: Sequence[int], label: str | None) -> Ticket[Marked]:
        return self._start(lambda parts: parts.marking.mark(messages, label))

    def label_folder(self, folder: FolderName, label: str, *, only_unlabelled: bool = False) -> Ticket[Marked]:
        return self._start(lambda parts: parts.marking.label_folder(folder, label, only_unlabelled=only_unlabelled))

    def undo(self, limit: int | None = None) -> Ticket[Marked]:
        return self._start(lambda parts: parts.marking.undo(limit))

    def redo(self) -> Ticket[Marked]:
        return self._start(lambda parts: parts.marking.redo())

    def restore(self, before: int) -> Ticket[Marked]:
        return self._start(lambda parts: parts.marking.restore(before))

    def reset(self) -> Ticket[ModelReset]:
        return self._start(lambda parts: parts.marking.reset(parts.model.back_up), Priority.WORK)

    def take_back_labels(self) -> Ticket[Marked]:
        return self._start(lambda parts: parts.marking.take_back_labels())

    def leave_labels(self) -> Ticket[None]:
        return self._start(lambda parts: parts.marking.leave_labels())

    def list_journal(self, limit: int = 1000) -> Ticket[tuple[JournalLine, ...]]:
        return self._start(lambda parts: parts.store.journal.latest(limit), needs_model=False)

    def find_label_source(self, message: int) -> Ticket[SourcedLabel | None]:
        return self._start(lambda parts: parts.store.label_sources.given(message), needs_model=False)

    def list_changed_verdicts(self) -> Ticket[tuple[VerdictChange, ...]]:
        return self._start(lambda parts: parts.marking.list_changed_verdicts())

    def find_suspicious_labels(self) -> Ticket[tuple[SuspiciousLabel, ...]]:
        return self._start(lambda parts: find_suspicious_labels(parts.store), Priority.WORK)

    def set_moving(self, on: bool) -> Ticket[None]:
        return self._start(lambda parts: parts.marking.set_moving(on))

    def preview_moves(self) -> Ticket[tuple[PlannedMove, ...]]:
        return self._start(lambda parts: preview_moves(parts.store), Priority.WORK, needs_model=False)


class MailJobs(JobStarter):
    """Messages: the list, their texts, search, read flags and files."""

    def list_mail(self) -> Ticket[Rows]:
        return self._start(lambda parts: parts.list.list_mail(), Priority.WORK, needs_model=False)

    def show_rows(self, messages: Sequence[int]) -> Ticket[None]:
        return self._start(lambda parts: parts.list.show_rows(messages))

    def read_message(self, message: int) -> Ticket[MessageText]:
        return self._start(lambda parts: parts.reader.read_message(message), needs_model=False)

    def fetch_whole(self, message: int) -> Ticket[tuple[str, ...]]:
        return self._start(lambda parts: parts.reader.fetch_whole(message), needs_model=False)

    def find_text(self, words: str) -> Ticket[tuple[int, ...]]:
        return self._start_growing(
            lambda parts, show: find_text(parts.store, parts.changes, words, show), needs_model=False
        )

    def mark_read(self, messages: Sequence[int], *, read: bool = True) -> Ticket[tuple[int, ...]]:
        return self._start(lambda parts: parts.reader.mark_read(messages, read=read), needs_model=False)

    def read_source(self, message: int) -> Ticket[MessageSource]:
        return self._start(lambda parts: parts.reader.read_source(message), needs_model=False)

    def save_attachment(self, message: int, number: int, path: Path | None = None) -> Ticket[SavedAttachment]:
        return self._start(lambda parts: parts.reader.save_attachment(message, number, path), needs_model=False)

    def score_mail(self, raw: bytes) -> Ticket[ScoredMail]:
        return self._start(lambda parts: parts.reader.score_mail(raw))

    def list_trusted_servers(self, account: str) -> Ticket[tuple[str, ...]]:
        return self._start(lambda parts: tuple(sorted(parts.trust.of(account).servers)), needs_model=False)

    def forget_account(self, account: str) -> Ticket[None]:
        return self._start(lambda parts: parts.intake.retain(account, (), junk=False), Priority.WORK)


class ModelJobs(JobStarter):
    """The model: its scores, its quality and its method."""

    def explain(self, message: int, strongest: int = 12) -> Ticket[Explanation]:
        return self._start(lambda parts: parts.reader.explain(message, strongest))

    def explain_at(self, message: int, moment: float, strongest: int = 12) -> Ticket[Explanation]:
        return self._start(lambda parts: parts.past.explain_at(message, moment, strongest), Priority.WORK)

    def score_at(self, moment: float, messages: Sequence[int]) -> Ticket[Scores]:
        return self._start(lambda parts: parts.past.score_at(moment, messages), Priority.WORK)

    def trace_sender(self, message: int) -> Ticket[tuple[tuple[float, float], ...]]:
        return self._start_growing(lambda parts, show: parts.past.trace_sender(message, show), Priority.WORK)

    def set_cost(self, junk_seen: float) -> Ticket[None]:
        return self._start(lambda parts: parts.model.set_cost(junk_seen))

    def rebuild(self) -> Ticket[Path]:
        return self._start(lambda parts: parts.model.rebuild(), Priority.WORK)

    def use_method(self, method: str) -> Ticket[None]:
        return self._start(lambda parts: parts.model.use_method(method), Priority.WORK)

    def measure_accuracy(self) -> Ticket[Accuracy]:
        return self._start(lambda parts: parts.quality.measure_accuracy(), Priority.WORK)

    def draw_learning_curve(self) -> Ticket[tuple[CurvePoint, ...]]:
        return self._start_growing(lambda parts, show: parts.quality.draw_learning_curve(show), Priority.WORK)

    def compare_methods(self) -> Ticket[MethodComparison]:
        return self._start(lambda parts: parts.quality.compare_methods(), Priority.WORK)

    def report_training(self, limit: int = ALL_LABELS, among: Collection[int] = ()) -> Ticket[TrainingReport]:
        return self._start(lambda parts: parts.quality.report_training(limit, among))

    def select_queries(self, limit: int = 2, exclude: Collection[int] = ()) -> Ticket[tuple[int, ...]]:
        return self._start(lambda parts: parts.model.select_queries(limit, exclude))


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
        return self._start(lambda parts: parts.words.list_words(search, order, limit, ignored=ignored), Priority.WORK)

    def describe_word(self, word: str) -> Ticket[WordDescription]:
        return self._start(lambda parts: parts.words.describe_word(word))

    def ignore_word(self, word: str, *, ignored: bool = True) -> Ticket[Marked]:
        return self._start(lambda parts: parts.marking.ignore_word(word, ignored=ignored))

    def simulate_without(self, word: str, message: int = -1) -> Ticket[Simulation]:
        return self._start(lambda parts: parts.words.simulate_without(word, message), Priority.WORK)

    def simulate_mark(self, message: int, label: str) -> Ticket[Simulation]:
        return self._start(lambda parts: parts.words.simulate_mark(message, label), Priority.WORK)


class FileJobs(JobStarter):
    """Model files."""

    def export_model(self, path: Path, format: str = "", redact: int = 0) -> Ticket[Exported]:
        return self._start(lambda parts: parts.model.export_model(path, format, redact), Priority.WORK)

    def preview_import(self, path: Path, format: str = "") -> Ticket[ImportReport]:
        return self._start(lambda parts: preview_import(parts.store, path, format), Priority.WORK)

    def import_model(
        self, path: Path, *, again: bool = False, replace: bool = False, leave_out: bool = False, format: str = ""
    ) -> Ticket[Imported]:
        options = {"again": again, "replace": replace, "leave_out": leave_out}
        return self._start(lambda parts: parts.model.import_model(path, **options, format=format), Priority.WORK)

    def drop_imports(self) -> Ticket[bool]:
        return self._start(lambda parts: parts.model.drop_imports(), Priority.WORK)


class EngineJobs(MarkJobs, MailJobs, ModelJobs, WordJobs, FileJobs):
    """All requests of `protocol.client.Engine`."""
