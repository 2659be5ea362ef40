"""Calls of other threads, each of which runs as a job: requests of the window, and what account threads need."""

import time
from collections.abc import Callable, Collection, Generator
from concurrent.futures import CancelledError
from typing import Concatenate, ParamSpec, TypeVar, overload

from nbmail.store.mail.derived_mail import pack
from nbmail.sync.account_backend import BackendClosed
from nbmail.values import AccountState, Delivery, FolderName, StoredFolder
from nbmail.worker.engine.job_queue import SHORTEST, Emit, Job, JobQueue, JobSteps, Pause, Priority
from nbmail.worker.engine.opening import Parts
from nbmail.worker.protocol.events import AccountChanged, TicketChanged
from nbmail.worker.protocol.ticket import Ticket

P = ParamSpec("P")
Result = TypeVar("Result")
ErrorLog = Callable[[Exception], None]


class JobStarter:
    """Queues jobs with tickets, from any thread. `parts`: called on the engine's; raises if no data folder is open.

    `emit`: called with each change of a ticket, unless nobody waits for the event. `log`: called with each error.
    """

    def __init__(
        self, jobs: JobQueue, parts: Callable[[], Parts], emit: Callable[[TicketChanged], None], log: ErrorLog
    ) -> None:
        self._jobs, self._parts, self._emit_change, self._log = jobs, parts, emit, log

    def start_job(
        self,
        work: Callable[[Parts, Callable[[Result], None]], JobSteps[Result] | Result],
        priority: Priority,
        *,
        needs_model: bool = True,
    ) -> Ticket[Result]:
        """Queue a job. `work` runs on the engine's thread and returns the result, or a generator that does.

        Its second argument takes partial results: the next progress report delivers them, immediately.
        """

        def fail(error: Exception) -> None:
            self._log(error)
            ticket.fail(error)

        ticket: Ticket[Result] = Ticket(lambda each: self._emit_change(TicketChanged(each)), lambda: self._cancel(job))
        job = Job(self._steps(work, ticket), priority, fail, ticket.end_cancelled, needs_model)
        if not self._jobs.add(job):
            ticket.end_cancelled()
        return ticket

    def _steps(
        self, work: Callable[[Parts, Callable[[Result], None]], JobSteps[Result] | Result], ticket: Ticket[Result]
    ) -> JobSteps[None]:
        """Run the work and finish its ticket. Progress is reported at most every `SHORTEST` seconds."""
        partial, reported, unreported = list[Result](), -SHORTEST, Pause()
        steps = work(self._parts(), partial.append)
        if not isinstance(steps, Generator):
            ticket.finish(steps)
            return
        try:
            while True:
                pause = next(steps)
                if pause.total:
                    unreported = pause
                if partial or (pause.total and time.monotonic() - reported >= SHORTEST):
                    reported, unreported = time.monotonic(), Pause()
                    ticket.report(pause.done, pause.total, partial[-1] if partial else None)
                    partial.clear()
                yield pause
        except StopIteration as end:
            ticket.finish(end.value)
        except GeneratorExit:
            steps.close()
            if unreported.total:
                ticket.report(unreported.done, unreported.total)
            raise

    def _cancel(self, job: Job) -> None:
        """Queue the cancellation: only the engine's thread may drop a job."""

        def drop() -> JobSteps[None]:
            if self._jobs.remove(job):
                job.drop()
            yield from ()

        self._jobs.add(Job(drop(), Priority.URGENT, self._log, needs_model=False))


Request = Callable[Concatenate[JobStarter, P], Ticket[Result]]


@overload
def _request(
    find: Callable[[Parts], Callable[P, JobSteps[Result]]], priority: Priority = ..., *, needs_model: bool = ...
) -> Request[P, Result]: ...


@overload
def _request(
    find: Callable[[Parts], Callable[P, Result]], priority: Priority = ..., *, needs_model: bool = ...
) -> Request[P, Result]: ...


def _request(
    find: Callable[[Parts], Callable[P, JobSteps[Result] | Result]],
    priority: Priority = Priority.USER,
    *,
    needs_model: bool = True,
) -> Request[P, Result]:
    """Make a method that queues a call of the method that `find` returns, with the same arguments."""

    def call(self: JobStarter, /, *arguments: P.args, **named: P.kwargs) -> Ticket[Result]:
        return self.start_job(lambda parts, show: find(parts)(*arguments, **named), priority, needs_model=needs_model)

    return call


def _growing_request(
    find: Callable[[Parts], Callable[Concatenate[Callable[[Result], object], P], JobSteps[Result]]],
    priority: Priority = Priority.USER,
    *,
    needs_model: bool = True,
) -> Request[P, Result]:
    """Make a method like `_request` from one whose first argument is called with partial results."""

    def call(self: JobStarter, /, *arguments: P.args, **named: P.kwargs) -> Ticket[Result]:
        return self.start_job(
            lambda parts, show: find(parts)(show, *arguments, **named), priority, needs_model=needs_model
        )

    return call


WORK, MAIL = Priority.WORK, Priority.MAIL


class EngineRequests(JobStarter):
    """Methods of `protocol.client.Engine`: each queues one job that calls the part's method of the same name."""

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
    preview_junk = _request(lambda parts: parts.filing.preview_junk)
    write_message = _request(lambda parts: parts.reader.write_message, needs_model=False)
    read_unsubscribe = _request(lambda parts: parts.reader.read_unsubscribe, needs_model=False)
    note_unsubscribed = _request(lambda parts: parts.reader.note_unsubscribed, needs_model=False)
    list_rules = _request(lambda parts: parts.store.sender_rules.now, needs_model=False)
    set_rule = _request(lambda parts: parts.marking.set_rule)
    list_conversation = _request(lambda parts: parts.filing.list_conversation, needs_model=False)
    flag = _request(lambda parts: parts.filing.flag)
    read_folder = _request(lambda parts: parts.filing.read_folder)
    forget_account = _request(lambda parts: parts.intake.forget_account, WORK)
    list_trusted_servers = _request(lambda parts: parts.trust.list_trusted_servers, needs_model=False)

    explain_at = _request(lambda parts: parts.past.explain_at, WORK)
    score_at = _request(lambda parts: parts.past.score_at, WORK)
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


def _wait(
    request: Callable[Concatenate["BackendProxy", P], Ticket[Result]],
) -> Callable[Concatenate["BackendProxy", P], Result]:
    """Make a method that waits for the result of a request."""

    def call(self: "BackendProxy", /, *arguments: P.args, **named: P.kwargs) -> Result:
        return _result_of(request(self, *arguments, **named))

    return call


def _result_of(ticket: Ticket[Result]) -> Result:
    try:
        return ticket.result()
    except CancelledError:
        raise BackendClosed from None


class BackendProxy(JobStarter):
    """`AccountBackend` for account threads. All methods but `report` wait for the engine, or raise `BackendClosed`."""

    def __init__(self, jobs: JobQueue, parts: Callable[[], Parts], emit: Emit, log: ErrorLog) -> None:
        super().__init__(jobs, parts, lambda change: None, log)
        self._emit = emit
        # The latest delivery of each account; used by its own thread alone.
        self._submitted: dict[str, Ticket[None]] = {}

    pending_actions = _wait(_request(lambda parts: parts.intake.pending_actions, MAIL))
    store_progress = _wait(_request(lambda parts: parts.intake.store_progress, MAIL))
    complete = _wait(_request(lambda parts: parts.intake.complete, MAIL))
    complete_fetch = _wait(_request(lambda parts: parts.intake.complete_fetch, MAIL))
    trust = _wait(_request(lambda parts: parts.intake.trust, MAIL))
    known_folders = _wait(_request(lambda parts: parts.intake.known_folders, MAIL))
    list_folders = _wait(_request(lambda parts: parts.intake.list_folders, MAIL))
    sent_upto = _wait(_request(lambda parts: parts.intake.sent_upto, MAIL))
    take_sent = _wait(_request(lambda parts: parts.intake.take_sent, MAIL))
    _retain = _wait(_request(lambda parts: parts.intake.retain, MAIL))
    _stored_folder = _wait(_request(lambda parts: parts.intake.stored_folder, MAIL))
    _deliver = _request(lambda parts: parts.intake.deliver, MAIL)

    def retain(self, account: str, folders: Collection[str], *, junk: bool) -> None:
        self._finish_delivery(account)
        self._retain(account, folders, junk=junk)

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
        self._submitted[delivery.folder.account] = self._deliver(delivery, packed)

    def report(self, state: AccountState) -> None:
        self._emit(AccountChanged(state))

    def _finish_delivery(self, account: str) -> None:
        """Wait until the account's latest delivery is stored. Raises its error."""
        if (submitted := self._submitted.pop(account, None)) is not None:
            _result_of(submitted)
