"""Engine thread: runs jobs in time slices and emits events. Calls of other threads are jobs that
return tickets.
"""

import logging
import threading
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError
from typing import Concatenate, ParamSpec, TypeVar, overload

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.store.files.connection import unreadable_values
from nbmail.store.mail.derived_mail import pack
from nbmail.store.store import open_home
from nbmail.sync.account_backend import AccountBackend, BackendClosed
from nbmail.values import AccountState, Delivery, FolderName, StoredFolder
from nbmail.worker.engine.job_queue import (
    Emit,
    Job,
    JobQueue,
    JobSteps,
    Priority,
    Surroundings,
    steps_of,
)
from nbmail.worker.engine.opening import Parts, load_model, show_first_rows
from nbmail.worker.protocol.events import EngineFailed, HomeRefused, TicketChanged
from nbmail.worker.protocol.ticket import Failed, Ticket, failure_of

_log = logging.getLogger(__name__)
P = ParamSpec("P")
Result = TypeVar("Result")
WORK = Priority.WORK
MAIL = Priority.MAIL

# Idle seconds before idle tasks run; then the interval of the checks that the files with the labels
# still exist.
REST = 1.5
LOOK = 5.0

Request = Callable[Concatenate["Engine", P], Ticket[Result]]


@overload
def _request(
    find: Callable[[Parts], Callable[P, JobSteps[Result]]],
    priority: Priority = ...,
    *,
    needs_model: bool = ...,
) -> Request[P, Result]: ...


@overload
def _request(
    find: Callable[[Parts], Callable[P, Result]],
    priority: Priority = ...,
    *,
    needs_model: bool = ...,
) -> Request[P, Result]: ...


def _request(
    find: Callable[[Parts], Callable[P, JobSteps[Result] | Result]],
    priority: Priority = Priority.USER,
    *,
    needs_model: bool = True,
) -> Request[P, Result]:
    """Make a method that queues a call of the method that `find` returns, with the same
    arguments.
    """

    def call(self: "Engine", /, *arguments: P.args, **named: P.kwargs) -> Ticket[Result]:
        return self.start_job(
            lambda parts, show: find(parts)(*arguments, **named), priority, needs_model=needs_model
        )

    return call


def _growing_request(
    find: Callable[[Parts], Callable[Concatenate[Callable[[Result], object], P], JobSteps[Result]]],
    priority: Priority = Priority.USER,
    *,
    needs_model: bool = True,
) -> Request[P, Result]:
    """Make a method like `_request` from one whose first argument is called with partial
    results.
    """

    def call(self: "Engine", /, *arguments: P.args, **named: P.kwargs) -> Ticket[Result]:
        return self.start_job(
            lambda parts, show: find(parts)(show, *arguments, **named),
            priority,
            needs_model=needs_model,
        )

    return call


def _wait(request: Request[P, Result]) -> Callable[Concatenate["BackendProxy", P], Result]:
    """Make a method that waits for the result of a request."""

    def call(self: "BackendProxy", /, *arguments: P.args, **named: P.kwargs) -> Result:
        return _result_of(request(self.engine, *arguments, **named))

    return call


def _result_of(ticket: Ticket[Result]) -> Result:
    try:
        return ticket.result()
    except CancelledError:
        raise BackendClosed from None


class BackendProxy:
    """`AccountBackend` for account threads. All methods but `report` wait for the engine, or raise
    `BackendClosed`.
    """

    def __init__(self, engine: "Engine", emit: Emit) -> None:
        self.engine = engine
        self._emit = emit
        # The latest delivery of each account; used by its own thread alone.
        self._submitted: dict[str, Ticket[None]] = {}

    pending_actions = _wait(_request(lambda parts: parts.intake.pending_actions, MAIL))
    store_progress = _wait(_request(lambda parts: parts.intake.store_progress, MAIL))
    complete = _wait(_request(lambda parts: parts.intake.complete, MAIL))
    complete_fetch = _wait(_request(lambda parts: parts.rereading.fetches.store, MAIL))
    trust = _wait(_request(lambda parts: parts.intake.trust, MAIL))
    known_folders = _wait(_request(lambda parts: parts.store.server_folders.known, MAIL))
    list_folders = _wait(_request(lambda parts: parts.intake.list_folders, MAIL))
    sent_upto = _wait(_request(lambda parts: parts.store.people.sent_upto, MAIL))
    take_sent = _wait(_request(lambda parts: parts.intake.take_sent, MAIL))
    _retain = _wait(_request(lambda parts: parts.intake.retain, MAIL))
    _stored_folder = _wait(_request(lambda parts: parts.store.folders.memory, MAIL))

    def retain(self, account: str, folders: Collection[str], *, spam: bool) -> None:
        self._finish_delivery(account)
        self._retain(account, folders, spam=spam)

    def stored_folder(self, folder: FolderName) -> StoredFolder:
        self._finish_delivery(folder.account)
        return self._stored_folder(folder)

    def deliver(self, delivery: Delivery) -> None:
        self.submit(delivery)
        self._finish_delivery(delivery.folder.account)

    def submit(self, delivery: Delivery) -> None:
        # Compressed on the account's thread: on the engine's it would take a fifth of its time.
        packed = [pack(arrival.raw) for arrival in delivery.arrivals]
        self._finish_delivery(delivery.folder.account)
        self._submitted[delivery.folder.account] = self.engine.start_job(
            lambda parts, show: parts.intake.deliver(delivery, packed), MAIL
        )

    def report(self, state: AccountState) -> None:
        self._emit(state)

    def _finish_delivery(self, account: str) -> None:
        """Wait until the account's latest delivery is stored. Raises its error."""
        if (submitted := self._submitted.pop(account, None)) is not None:
            _result_of(submitted)


class Engine:
    """Owner of the store and the model, on one thread. Implements `protocol.client.Engine`.

    `emit` is called on the engine's thread and on the threads that make requests and report. `wake`
    is called on the engine's thread with each account that has new server actions. Neither may
    wait. `clock` returns the time stored with marks.
    """

    mark = _request(lambda parts: parts.marking.mark)
    label_folder = _request(lambda parts: parts.marking.label_folder)
    undo = _request(lambda parts: parts.marking.undo)
    redo = _request(lambda parts: parts.marking.redo)
    restore = _request(lambda parts: parts.marking.restore)
    reset = _request(lambda parts: parts.marking.reset, WORK)
    take_back_labels = _request(lambda parts: parts.marking.take_back_labels)
    leave_labels = _request(lambda parts: parts.marking.leave_labels)
    list_journal = _request(lambda parts: parts.store.journal.latest, needs_model=False)
    find_label_source = _request(lambda parts: parts.marking.find_label_source, needs_model=False)
    list_changed_verdicts = _request(lambda parts: parts.marking.list_changed_verdicts)
    decline_moves = _request(lambda parts: parts.store.offered_moves.drop)
    set_moving = _request(lambda parts: parts.marking.set_moving)
    preview_moves = _request(lambda parts: parts.marking.preview_moves, WORK, needs_model=False)
    ignore_word = _request(lambda parts: parts.marking.ignore_word)
    set_phrase = _request(lambda parts: parts.marking.set_phrase, WORK)

    list_mail = _request(lambda parts: parts.list.list_mail, WORK, needs_model=False)
    show_rows = _request(lambda parts: parts.list.show_rows)
    find_text = _growing_request(lambda parts: parts.list.find_text, needs_model=False)
    read_message = _request(lambda parts: parts.reader.read_message, needs_model=False)
    fetch_whole = _request(lambda parts: parts.reader.fetch_whole, needs_model=False)
    mark_read = _request(lambda parts: parts.filing.mark_read, needs_model=False)
    read_source = _request(lambda parts: parts.reader.read_source, needs_model=False)
    read_pictures = _request(lambda parts: parts.reader.read_pictures, needs_model=False)
    save_attachment = _request(lambda parts: parts.reader.save_attachment, needs_model=False)
    score_mail = _request(lambda parts: parts.reader.score_mail)
    explain = _request(lambda parts: parts.reader.explain)
    list_folders = _request(lambda parts: parts.store.server_folders.all, needs_model=False)
    move = _request(lambda parts: parts.filing.move)
    delete = _request(lambda parts: parts.filing.delete)
    preview_spam = _request(lambda parts: parts.filing.preview_spam)
    write_message = _request(lambda parts: parts.reader.write_message, needs_model=False)
    read_unsubscribe = _request(lambda parts: parts.reader.read_unsubscribe, needs_model=False)
    note_unsubscribed = _request(lambda parts: parts.reader.note_unsubscribed, needs_model=False)
    list_rules = _request(lambda parts: parts.store.sender_rules.now, needs_model=False)
    set_rule = _request(lambda parts: parts.marking.set_rule)
    list_conversation = _request(lambda parts: parts.store.threads.messages, needs_model=False)
    flag = _request(lambda parts: parts.filing.flag)
    read_folder = _request(lambda parts: parts.filing.read_folder)
    forget_account = _request(lambda parts: parts.intake.retain, WORK)
    list_trusted_servers = _request(
        lambda parts: parts.trust.list_trusted_servers, needs_model=False
    )

    explain_at = _request(lambda parts: parts.past.explain_at, WORK)
    trace_sender = _growing_request(lambda parts: parts.past.trace_sender, WORK)

    set_cost = _request(lambda parts: parts.model.set_cost)
    rebuild = _request(lambda parts: parts.model.rebuild, WORK)
    use_method = _request(lambda parts: parts.model.use_method, WORK)
    select_queries = _request(lambda parts: parts.model.select_queries)
    preview_export = _request(lambda parts: parts.model.preview_export, WORK)
    export_model = _request(lambda parts: parts.model.export_model, WORK)
    preview_import = _request(lambda parts: parts.model.preview_import, WORK)
    import_model = _request(lambda parts: parts.model.import_model, WORK)
    drop_imports = _request(lambda parts: parts.model.drop_imports, WORK)

    measure_accuracy = _request(lambda parts: parts.quality.measure_accuracy, WORK)
    draw_learning_curve = _growing_request(lambda parts: parts.quality.draw_learning_curve, WORK)
    compare_methods = _request(lambda parts: parts.quality.compare_methods, WORK)
    weigh_word = _request(lambda parts: parts.quality.weigh_word, WORK)
    report_training = _request(lambda parts: parts.quality.report_training)
    find_suspicious_labels = _request(lambda parts: parts.quality.find_suspicious_labels, WORK)

    list_words = _request(lambda parts: parts.words.list_words, WORK)
    describe_word = _request(lambda parts: parts.words.describe_word)
    simulate_without = _request(lambda parts: parts.words.simulate_without, WORK)
    simulate_mark = _request(lambda parts: parts.words.simulate_mark, WORK)

    choose_folders = _request(lambda parts: parts.folders.choose_folders)
    suggest_folders = _request(lambda parts: parts.folders.suggest_folders)
    explain_folder = _request(lambda parts: parts.folders.explain_folder)
    report_folders = _request(lambda parts: parts.folders.report_folders)
    compare_folder_methods = _request(lambda parts: parts.folders.compare_folder_methods, WORK)
    list_folder_words = _request(lambda parts: parts.folders.list_folder_words)
    file_messages = _request(lambda parts: parts.filing.file_messages)
    preview_filing = _request(lambda parts: parts.folders.preview_filing, WORK)

    set_sorting = _request(lambda parts: parts.sorting.set_sorting)
    sorting_status = _request(lambda parts: parts.sorter.status)
    rehearse_sorting = _request(lambda parts: parts.sorting.rehearse_sorting, WORK)
    preview_sort_now = _request(lambda parts: parts.sorting.preview_sort_now, WORK)
    sort_now = _request(lambda parts: parts.sorting.sort_now)
    filing_status = _request(lambda parts: parts.sorting.filing_status)
    rehearse_filing = _request(lambda parts: parts.sorting.rehearse_filing, WORK)
    confirm_filing = _request(lambda parts: parts.sorting.confirm_filing)
    list_sorted = _request(lambda parts: parts.sorting.list_sorted, needs_model=False)
    find_sorted = _request(lambda parts: parts.sorting.find_sorted, needs_model=False)
    undo_sorting = _request(lambda parts: parts.sorting.undo_sorting)

    def __init__(
        self,
        paths: Paths,
        clock: Callable[[], float],
        emit: Emit,
        *,
        settings: Settings | None = None,
        wake: Callable[[str], None] | None = None,
    ) -> None:
        self._jobs = JobQueue()
        self._paths = paths
        self._settings = settings or Settings()
        self._emit = emit
        self._around = Surroundings(clock, emit, wake or (lambda account: None), self._add_job)
        self._opened: Parts | None = None
        self._failure: Exception | None = None

        self._thread = threading.Thread(target=self._run, name="engine")
        self.backend: AccountBackend = BackendProxy(self, emit)
        """Interface for the account threads."""

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Cancel all jobs and close the store. Returns when the thread has ended."""
        self._jobs.close()
        if self._thread.ident is not None:
            self._thread.join()
        for job in self._jobs.empty():
            job.drop()

    def is_idle(self) -> Ticket[bool]:
        """Return whether the engine has nothing else to do and has emitted all changes."""
        return self.start_job(
            lambda parts, show: (
                not (len(self._jobs) > 1 or parts.changes.pending or parts.updates.trainings)
            ),
            Priority.IDLE,
        )

    def start_job(
        self,
        work: Callable[[Parts, Callable[[Result], None]], JobSteps[Result] | Result],
        priority: Priority,
        *,
        needs_model: bool = True,
    ) -> Ticket[Result]:
        """Queue a job. `work` runs on the engine's thread and returns the result, or a generator
        that does.

        Its second argument takes partial results: the next progress report delivers them,
        immediately.
        """

        def changed(ticket: Ticket[Result]) -> None:
            # Account threads wait for the result, not for an event.
            if priority is not MAIL:
                self._emit(TicketChanged(ticket))

        def fail(error: Exception) -> None:
            self._log_bug(error)
            ticket.fail(error)

        ticket: Ticket[Result] = Ticket(changed, lambda: self._cancel(job))
        job = Job(
            steps_of(lambda show: work(self.parts, show), ticket),
            priority,
            fail,
            ticket.end_cancelled,
            needs_model,
        )
        if not self._jobs.add(job):
            ticket.end_cancelled()
        return ticket

    def _cancel(self, job: Job) -> None:
        """Queue the cancellation: only the engine's thread may drop a job."""

        def drop() -> JobSteps[None]:
            if self._jobs.remove(job):
                job.drop()
            yield from ()

        self._jobs.add(Job(drop(), Priority.URGENT, self._log_bug, needs_model=False))

    @property
    def parts(self) -> Parts:
        """The parts of the engine, for its own thread. Raises the error that kept the data folder
        from opening.
        """
        if self._failure is not None:
            raise self._failure
        assert self._opened is not None
        return self._opened

    def _add_job(self, steps: JobSteps[None], priority: Priority) -> None:
        self._jobs.add(Job(steps, priority, self._report))

    def _run(self) -> None:
        try:
            store = open_home(self._paths, self._around.clock(), self._report_deletion)
            self._opened = Parts(store, self._settings, self._around)
            with unreadable_values(self._paths.database):
                show_first_rows(self._opened)
                for _ in load_model(self._opened, self._settings.method):
                    if self._jobs.closed:
                        break
                    if job := self._jobs.first_without_model():
                        self._run_slice(job)
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._log_bug(error)
            self._failure = error
            self._emit(HomeRefused(failure_of(error)))
        while not self._jobs.closed:
            self._guard(self._turn)
        for left in self._jobs.empty():
            self._guard(left.drop)
        if self._opened is not None:
            self._guard(self._opened.close)

    def _turn(self) -> None:
        parts = self._opened
        job = self._jobs.first(None if parts is None else REST if parts.changes.untidy else LOOK)
        if job is not None:
            self._run_slice(job)
        elif parts is not None and not self._jobs.closed:
            parts.rest()
        if parts is not None:
            # A training pauses between two deliveries: the engine is not idle then.
            parts.changes.flush_if_due(not (len(self._jobs) or parts.updates.trainings))

    def _run_slice(self, job: Job) -> None:
        try:
            pause = job.run_slice()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._jobs.remove(job)
            job.failed(error)
            return
        if pause is None:
            self._jobs.remove(job)
        elif pause.priority is not None and pause.priority != job.priority:
            self._jobs.move(job, pause.priority)

    def _guard(self, work: Callable[[], object]) -> None:
        """Survive an error outside any request."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - the top of the thread
            self._report(error)

    def _report(self, error: Exception) -> None:
        self._log_bug(error)
        self._emit(EngineFailed(failure_of(error)))

    def _report_deletion(self) -> None:
        """Report that the database was deleted and written again, with `labels.log` if needed."""
        if self._opened is not None:
            self._opened.changes.untidy = True
        self._emit(EngineFailed(Failed(ErrorCode.HOME_DELETED, str(self._paths.database))))

    def _log_bug(self, error: Exception) -> None:
        if not isinstance(error, KnownError):
            _log.error("internal error", exc_info=error)
