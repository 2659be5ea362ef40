"""Engine as the account threads use it: `AccountBackend` by jobs that the threads wait for."""

from collections.abc import Callable, Collection
from concurrent.futures import CancelledError
from typing import Concatenate, ParamSpec, TypeVar

from nbmail.store.mail.raw_mail import pack
from nbmail.sync.account_backend import BackendClosed
from nbmail.values import AccountState, Delivery, FolderName, StoredFolder
from nbmail.worker.engine.engine_parts import Parts
from nbmail.worker.engine.engine_thread import EngineThread
from nbmail.worker.engine.jobs import Emit, JobSteps, Priority
from nbmail.worker.engine.requests import Request, mail_request
from nbmail.worker.protocol.ticket import Ticket

P = ParamSpec("P")
Result = TypeVar("Result")


def _wait(request: Request[P, Result]) -> Callable[Concatenate["BackendProxy", P], Result]:
    """Make a method that waits for the result of a request."""

    def call(self: "BackendProxy", /, *arguments: P.args, **named: P.kwargs) -> Result:
        ticket = request(self.engine, *arguments, **named)
        return _result_of(ticket)

    return call


def _result_of(ticket: Ticket[Result]) -> Result:
    try:
        return ticket.result()
    except CancelledError:
        raise BackendClosed from None


class BackendProxy:
    """`AccountBackend` for account threads.

    All methods but `report` wait for the engine, or raise `BackendClosed`.
    """

    def __init__(self, engine: EngineThread, emit: Emit) -> None:
        self.engine = engine
        self._emit = emit
        # The latest delivery of each account; used by its own thread alone.
        self._submitted: dict[str, Ticket[None]] = {}

    pending_actions = _wait(mail_request(lambda parts: parts.server_actions.pending_actions))
    store_progress = _wait(mail_request(lambda parts: parts.server_actions.store_progress))
    complete = _wait(mail_request(lambda parts: parts.server_actions.complete))
    complete_fetch = _wait(mail_request(lambda parts: parts.rereading.fetches.store))
    trust = _wait(mail_request(lambda parts: parts.account_requests.trust))
    known_folders = _wait(mail_request(lambda parts: parts.store.server_folders.known))
    list_folders = _wait(mail_request(lambda parts: parts.account_requests.list_folders))
    sent_upto = _wait(mail_request(lambda parts: parts.store.people.sent_upto))
    take_sent = _wait(mail_request(lambda parts: parts.account_requests.take_sent))
    _retain = _wait(mail_request(lambda parts: parts.account_requests.retain))
    _stored_folder = _wait(mail_request(lambda parts: parts.store.folders.memory))

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
        account = delivery.folder.account
        self._finish_delivery(account)

        def store(parts: Parts, show: Callable[[None], None]) -> JobSteps[None]:
            return parts.intake.deliver(delivery, packed)

        self._submitted[account] = self.engine.start_job(store, Priority.MAIL)

    def report(self, state: AccountState) -> None:
        self._emit(state)

    def _finish_delivery(self, account: str) -> None:
        """Wait until the account's latest delivery is stored. Raises its error."""
        submitted = self._submitted.pop(account, None)
        if submitted is not None:
            _result_of(submitted)
