"""Synchronization of folders and accounts, the same for servers and local mailboxes, and the thread
of each account.
"""

import logging
import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple, Protocol

from nbmail.core.reading.people import read_sent
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend, BackendClosed, SentMail
from nbmail.sync.imap.imap_socket import Stopped, WakeSignal
from nbmail.sync.providers import password_page
from nbmail.values import (
    AccountState,
    ActionKind,
    Arrival,
    Delivery,
    FolderName,
    Outcome,
    Phase,
    ServerAction,
    ServerLocation,
    StoredFolder,
)

# The first rows must appear at once. Larger deliveries after that cost fewer transactions.
FIRST_SLICE = 25
# Between slices the account runs server actions and checks whether it was paused.
SLICE = 400
BATCH = 200
BATCH_BYTES = 4_000_000
# Sent messages whose headers are read at once, and at most: more would delay all other mail by
# minutes.
SENT_BATCH = 500
MOST_SENT = 100_000
MOVING = {ActionKind.MOVE, ActionKind.EXPUNGE, ActionKind.SORT}
# Ends of actions after which the message isn't in its location any more.
LEAVING = {*((kind, Outcome.DONE) for kind in MOVING), (ActionKind.KEYWORDS, Outcome.OBSOLETE)}
# Only the user can fix these: automatic attempts would lock accounts and burden servers.
PERMANENT = {
    ErrorCode.WRONG_PASSWORD,
    ErrorCode.NO_PASSWORD,
    ErrorCode.SIGN_IN_AGAIN,
    ErrorCode.SIGN_IN_FAILED,
    ErrorCode.WRONG_SCOPE,
    ErrorCode.CERTIFICATE,
    ErrorCode.NOT_ENCRYPTED,
    ErrorCode.BAD_INPUT,
}
# A connection that lasted this long, or delivered mail, worked: the next failure starts a new
# series.
WORKING_SECONDS = 120.0
# Seconds between progress reports.
PROGRESS_EVERY = 0.1
HAM = "ham"
SPAM = "spam"
FOLDER = "folder"

log = logging.getLogger(__name__)


class Interrupted(Exception):
    """A folder is left partly fetched on purpose; the next synchronization continues."""


class ServerState(NamedTuple):
    """State of a folder on the server, or its changes.

    `complete`: `flags` contains all messages. Otherwise it contains the new and changed ones, and
    `expunged` those that were removed. `modseq`: mod-sequence described by `flags`. `keywords`: as
    in `Delivery`.
    """

    validity: int
    modseq: int
    flags: dict[int, frozenset[str]]
    expunged: frozenset[int] = frozenset()
    complete: bool = True
    keywords: bool = True


class FetchPlan(NamedTuple):
    """UIDs to fetch, newest first, expunged UIDs and changed flags. `reset`: all stored locations
    are invalid.
    """

    fetch: tuple[int, ...]
    expunged: frozenset[int]
    flags: dict[int, frozenset[str]]
    reset: bool


def make_plan(stored: StoredFolder, state: ServerState, newest: int = 0) -> FetchPlan:
    """Compare the stored state with the server's. Another UIDVALIDITY invalidates everything
    stored.

    `newest`: fetch only messages among that many newest ones, and later arrivals; 0 for all.
    """
    reset = stored.validity != state.validity
    known = {} if reset else stored.flags
    expunged = (
        known.keys() - state.flags.keys() if state.complete else known.keys() & state.expunged
    )
    fetch = sorted(state.flags.keys() - known.keys(), reverse=True)
    if newest:
        first = (
            sorted(state.flags, reverse=True)[:newest]
            if state.complete
            else [max(known, default=0) + 1]
        )
        fetch = [uid for uid in fetch if uid >= min(first, default=0)]
    changed = {uid: flags for uid, flags in state.flags.items() if known.get(uid, flags) != flags}
    return FetchPlan(tuple(fetch), frozenset(expunged), changed, reset)


def apply_delivery(stored: StoredFolder, delivery: Delivery) -> StoredFolder:
    """Return the stored state after a delivery. Takes over the dictionary of `stored`: copies would
    be slow.
    """
    flags = stored.flags if stored.validity == delivery.validity else {}
    for uid in delivery.gone:
        flags.pop(uid, None)
    flags.update((uid, each) for uid, each in delivery.flags.items() if uid in flags)
    flags.update((arrival.uid, arrival.flags) for arrival in delivery.arrivals)
    modseq = stored.modseq if stored.validity == delivery.validity else 0
    return StoredFolder(delivery.validity, delivery.modseq if delivery.complete else modseq, flags)


class SyncedFolder(Protocol):
    """A folder that can be synchronized, on a server or on the disk."""

    def server_state(self, stored: StoredFolder) -> ServerState:
        """Return the state of the folder or its changes since `stored`."""

    def arrivals(self, uids: Iterable[int]) -> Iterator[Arrival]:
        """Yield these messages, approximately in this order. Unreadable ones are left out."""


@dataclass(slots=True)
class FolderSync:
    """Synchronization of one folder.

    `on_progress` is called with the folder, the number of fetched messages and the total.
    `yield_turn` is called with the folder between slices and may raise `Interrupted`. `newest`: as
    in `make_plan`. `fetched_count` counts all messages ever fetched.
    """

    backend: AccountBackend
    name: FolderName
    on_progress: Callable[[str, int, int], None]
    yield_turn: Callable[[str], None]
    role: str = ""
    special: str = ""
    newest: int = 0
    stored: StoredFolder | None = None
    fetched_count: int = 0

    @property
    def message_count(self) -> int:
        return len(self.stored.flags) if self.stored is not None else 0

    def apply_outcome(self, action: ServerAction, outcome: Outcome) -> frozenset[str] | None:
        """Update the stored state as the backend does when an action ends. Returns the flags before
        it, if known.
        """
        known = (
            self.stored.flags
            if self.stored is not None and self.stored.validity == action.validity
            else {}
        )
        flags = known.get(action.uid)
        if (action.kind, outcome) in LEAVING:
            known.pop(action.uid, None)
        elif outcome is Outcome.DONE and flags is not None:
            known[action.uid] = flags - action.remove | action.add
        return flags

    def add_location(self, location: ServerLocation, flags: frozenset[str] | None) -> None:
        if flags is None:
            # The backend may know the old location, and with it the new one.
            self.stored = None
        elif self.stored is not None and self.stored.validity == location.validity:
            self.stored.flags[location.uid] = flags

    def sync(self, source: SyncedFolder) -> bool:
        """Deliver everything that changed in `source`. True if something changed."""
        stored = self._stored_folder()
        state = source.server_state(stored)
        plan = make_plan(stored, state, self.newest)
        blank = Delivery(
            self.name, state.validity, role=self.role, special=self.special, keywords=state.keywords
        )
        changed = bool(plan.expunged or plan.flags or plan.reset)
        changes = blank._replace(gone=plan.expunged, flags=plan.flags)
        if plan.fetch:
            if changed:
                self._deliver(changes)
            self._fetch(source, plan.fetch, blank)
            self._deliver(blank._replace(complete=True, modseq=state.modseq))
        elif changed or state.modseq != stored.modseq:
            self._deliver(changes._replace(complete=True, modseq=state.modseq))
        return changed or bool(plan.fetch)

    def _fetch(self, source: SyncedFolder, uids: tuple[int, ...], blank: Delivery) -> None:
        name = self.name.folder
        done = 0
        self.on_progress(name, done, len(uids))
        try:
            for chunk in slices(uids):
                self.yield_turn(name)
                for batch in batches(source.arrivals(chunk)):
                    self._deliver(blank._replace(arrivals=batch), waiting=False)
                    done += len(batch)
                    self.on_progress(name, done, len(uids))
        except BaseException:
            # The latest submitted delivery may not be stored yet, or ever.
            self.stored = None
            raise

    def _stored_folder(self) -> StoredFolder:
        if self.stored is None:
            known = self.backend.stored_folder(self.name)
            self.stored = replace(known, flags=dict(known.flags))
        return self.stored

    def _deliver(self, delivery: Delivery, *, waiting: bool = True) -> None:
        # If the delivery fails, the stored state is unknown and must be read again.
        stored = self._stored_folder()
        self.stored = None
        (self.backend.deliver if waiting else self.backend.submit)(delivery)
        self.stored = apply_delivery(stored, delivery)
        self.fetched_count += len(delivery.arrivals)


def slices(uids: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Cut the UIDs to fetch into slices, the first one small."""
    starts = [0, *range(FIRST_SLICE, len(uids), SLICE), len(uids)]
    return (uids[start:end] for start, end in pairwise(starts))


def batches(arrivals: Iterable[Arrival]) -> Iterator[tuple[Arrival, ...]]:
    """Cut messages into deliveries by number and bytes. After an error, yield the messages before
    it.
    """
    batch: list[Arrival] = []
    weight = 0
    try:
        for arrival in arrivals:
            batch.append(arrival)
            weight += len(arrival.raw)
            if len(batch) >= BATCH or weight >= BATCH_BYTES:
                yield tuple(batch)
                batch = []
                weight = 0
    except KnownError:
        if batch:
            yield tuple(batch)
        raise
    if batch:
        yield tuple(batch)


class FolderTraining:
    """Folders of an account that the model learns from. Any thread may set `paused`.

    Delivered messages stay. Missing ones are fetched after a pause, also after a restart: the
    backend knows which messages are stored.
    """

    def __init__(self, account: Account) -> None:
        self._labels = dict.fromkeys(account.ham_folders, HAM) | dict.fromkeys(
            account.spam_folders, SPAM
        )
        self.paused = account.training_paused

    def label(self, folder: str) -> str:
        """Return the label of all messages of this folder; empty if it isn't used for training."""
        return self._labels.get(folder, "")

    def is_paused(self, folder: str) -> bool:
        """True if this folder's training is paused. A message stored in the meantime would never be
        learned.
        """
        return self.paused and folder in self._labels

    def folders(self) -> tuple[str, ...]:
        return () if self.paused else tuple(self._labels)


class AccountThread(threading.Thread, ABC):
    """Thread that synchronizes one account until it is stopped: `open`, then `sync` and `wait` in
    turn, then `close`.

    `wake`, `retry` and `stop` are thread-safe. `waits`: seconds before the first attempt to
    reconnect, and at most. They double with each failure, with a jitter of ±50 %.
    """

    waits = 1.0, 300.0

    def __init__(self, account: Account, backend: AccountBackend) -> None:
        super().__init__(name=f"account-{account.name}", daemon=True)
        self.account = account
        self._backend = backend
        self.wake_signal = WakeSignal()
        self.training = FolderTraining(account)
        self._retry = threading.Event()
        self._failures = 0
        self._syncs: dict[str, FolderSync] = {}
        # Folders that are only suggested for moves.
        self._suggested: list[str] = []
        self._progress_at = 0.0

    @abstractmethod
    def open(self) -> None:
        """Connect."""

    @abstractmethod
    def sync(self) -> KnownError | None:
        """Run server actions and synchronize all watched folders. Returns a problem to show that
        stops nothing.
        """

    @abstractmethod
    def wait(self) -> None:
        """Wait until there is a reason for another `sync`."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections. May be called at any time, also twice."""

    @abstractmethod
    def _yield_turn(self, name: str) -> None:
        """Run server actions while a folder is fetched. Raises `Interrupted` if the fetch must
        end.
        """

    def wake(self) -> None:
        self.wake_signal.wake()

    def retry(self) -> None:
        """Reconnect now instead of waiting."""
        self._retry.set()
        self.wake_signal.wake()

    def stop(self) -> None:
        """End all waits of the thread and then the thread. Returns at once; use `join` to wait."""
        self.wake_signal.stop()

    def run(self) -> None:
        try:
            self._backend.trust(self.account.name, self.account.named_servers)
            while True:
                self._run_connection()
        except (Stopped, BackendClosed):
            self._report(Phase.STOPPED)
        finally:
            self.close()
            self.wake_signal.close()

    def _run_connection(self) -> None:
        started = time.monotonic()
        fetched_before = self._fetched_count()
        try:
            self._retry.clear()
            self._report(Phase.CONNECTING)
            self.open()
            while True:
                # A later request, until this attempt has failed, counts for the next attempt.
                self._retry.clear()
                self._report(Phase.SYNCED, self.sync())
                self.wait()
        except KnownError as known:
            error = known
        except (Stopped, BackendClosed):
            raise
        except Exception as bug:
            log.exception("account %s", self.account.name)
            error = KnownError(ErrorCode.SERVER_BROKEN, type(bug).__name__)
        self.close()
        if time.monotonic() - started >= WORKING_SECONDS or self._fetched_count() > fetched_before:
            # A connection that worked isn't a failure, even if it broke.
            self._failures = 0
        self._wait_after(error)

    def _wait_after(self, error: KnownError) -> None:
        """Wait for the next attempt, or until `retry`. Pending actions don't end the wait."""
        if error.error_code in PERMANENT:
            wait = float("inf")
            refused = error.error_code is ErrorCode.WRONG_PASSWORD
            self._report(
                Phase.NEEDS_YOU, error, page=password_page(self.account.host) if refused else ""
            )
        else:
            first, longest = self.waits
            wait = min(longest, first * 2.0 ** min(self._failures, 30)) * random.uniform(0.5, 1.5)
            self._failures += 1
            self._report(Phase.OFFLINE, error, wait=wait)
        deadline = time.monotonic() + wait
        while not self._retry.is_set() and (left := deadline - time.monotonic()) > 0:
            self.wake_signal.wait_for_wake(min(left, 3600.0))
            self.wake_signal.was_woken()
        if self._retry.is_set():
            self._failures = 0

    def _fetched_count(self) -> int:
        return sum(sync.fetched_count for sync in self._syncs.values())

    def _report(
        self, phase: Phase, error: KnownError | None = None, *, page: str = "", wait: float = 0.0
    ) -> None:
        """Report a new phase. `page`: page of app passwords; `wait`: seconds until the next
        attempt.
        """
        now = time.time()
        code = error.error_code if error else ""
        detail = error.detail if error else ""
        retry_at = now + wait if wait else 0.0
        self._backend.report(
            AccountState(
                self.account.name,
                phase,
                now,
                retry_at=retry_at,
                error_code=code,
                detail=detail,
                page=page,
            )
        )

    def _report_progress(self, name: str, done: int, total: int) -> None:
        now = time.monotonic()
        teaches = self.training.label(name) or (FOLDER if name in self._suggested else "")
        if total <= FIRST_SLICE or (0 < done < total and now - self._progress_at < PROGRESS_EVERY):
            return
        self._progress_at = now
        state = AccountState(
            self.account.name, Phase.WORKING, time.time(), name, done, total, teaches=teaches
        )
        self._backend.report(state)

    def _folder_sync(self, name: str, special: str) -> FolderSync:
        if name not in self._syncs:
            folder = FolderName(self.account.name, name)
            self._syncs[name] = FolderSync(
                self._backend, folder, self._report_progress, self._yield_turn
            )
        self._syncs[name].role = self.training.label(name)
        self._syncs[name].special = special
        return self._syncs[name]

    def _store_sent(
        self, name: str, validity: int, batches: Iterable[tuple[int, list[bytes]]], total: int
    ) -> None:
        """Deliver the recipients of a folder of sent mail. `batches`: headers, with the last UID of
        each batch.
        """
        folder = FolderName(self.account.name, name)
        done = 0
        upto = self._backend.sent_upto(folder, validity)
        own = tuple(each.lower() for each in {self.account.user, self.account.name} if "@" in each)
        for upto, heads in batches:
            self.wake_signal.check()
            self._backend.take_sent(
                SentMail(folder, validity, upto, tuple(map(read_sent, heads)), own)
            )
            done += len(heads)
            self._report_progress(name, done, total)
        self._backend.take_sent(SentMail(folder, validity, upto, (), own, complete=True))
