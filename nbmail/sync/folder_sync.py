"""Synchronization of one folder, the same for servers and local mailboxes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from nbmail.errors import KnownError
from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.fetch_plan import ServerState, apply_delivery, make_plan
from nbmail.values import (
    ActionKind,
    Arrival,
    Delivery,
    FolderName,
    Outcome,
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
MOVING = {ActionKind.MOVE, ActionKind.EXPUNGE, ActionKind.SORT}
# Ends of actions after which the message isn't in its location any more.
LEAVING = {*((kind, Outcome.DONE) for kind in MOVING), (ActionKind.KEYWORDS, Outcome.OBSOLETE)}


class Interrupted(Exception):
    """A folder is left partly fetched on purpose; the next synchronization continues."""


class SyncedFolder(Protocol):
    """A folder that can be synchronized, on a server or on the disk."""

    def server_state(self, stored: StoredFolder) -> ServerState:
        """Return the state of the folder or its changes since `stored`."""

    def arrivals(self, uids: Iterable[int]) -> Iterator[Arrival]:
        """Yield these messages, approximately in this order. Unreadable ones are left out."""


@dataclass(slots=True)
class FolderSync:
    """Synchronization of one folder.

    - `on_progress` is called with the folder, the number of fetched messages and the total.
    - `yield_turn` is called with the folder before each slice and may raise `Interrupted`.
    - `role`, `special`: as in `Delivery`. `newest`: as in `make_plan`.
    - `fetched_count` counts all messages ever fetched.
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
        """Update the stored state as the backend does when an action ends.

        Return the flags of the message before it, if known.
        """
        if self.stored is None or self.stored.validity != action.validity:
            return None
        known = self.stored.flags
        flags = known.get(action.uid)
        if (action.kind, outcome) in LEAVING:
            known.pop(action.uid, None)
        elif outcome is Outcome.DONE and flags is not None:
            known[action.uid] = flags - action.remove | action.add
        return flags

    def add_location(self, location: ServerLocation, flags: frozenset[str] | None) -> None:
        """Add a moved message with its former flags to the stored state."""
        if flags is None:
            # The backend may know the old location, and with it the new one.
            self.stored = None
        elif self.stored is not None and self.stored.validity == location.validity:
            self.stored.flags[location.uid] = flags

    def sync(self, source: SyncedFolder) -> bool:
        """Deliver everything that changed in `source`. Return whether something changed."""
        stored = self._stored_folder()
        state = source.server_state(stored)
        plan = make_plan(stored, state, self.newest)
        blank = Delivery(
            self.name, state.validity, role=self.role, special=self.special, keywords=state.keywords
        )
        has_changed = bool(plan.expunged or plan.flags or plan.reset)
        changes = blank._replace(gone=plan.expunged, flags=plan.flags)
        if plan.fetch:
            if has_changed:
                self._deliver(changes)
            self._fetch(source, plan.fetch, blank)
            self._deliver(blank._replace(complete=True, modseq=state.modseq))
        elif has_changed or state.modseq != stored.modseq:
            self._deliver(changes._replace(complete=True, modseq=state.modseq))
        return has_changed or bool(plan.fetch)

    def _fetch(self, source: SyncedFolder, uids: tuple[int, ...], blank: Delivery) -> None:
        name = self.name.folder
        done = 0
        self.on_progress(name, done, len(uids))
        try:
            for chunk in slices(uids):
                self.yield_turn(name)
                for batch in delivery_batches(source.arrivals(chunk)):
                    self._deliver(blank._replace(arrivals=batch), waits=False)
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

    def _deliver(self, delivery: Delivery, *, waits: bool = True) -> None:
        # If the delivery fails, the stored state is unknown and must be read again.
        stored = self._stored_folder()
        self.stored = None
        if waits:
            self.backend.deliver(delivery)
        else:
            self.backend.submit(delivery)
        self.stored = apply_delivery(stored, delivery)
        self.fetched_count += len(delivery.arrivals)


def slices(uids: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Cut the UIDs to fetch into slices, the first one small."""
    starts = [0, *range(FIRST_SLICE, len(uids), SLICE), len(uids)]
    return (uids[start:end] for start, end in pairwise(starts))


def delivery_batches(arrivals: Iterable[Arrival]) -> Iterator[tuple[Arrival, ...]]:
    """Cut messages into batches by number and bytes. Before an error, yield what arrived."""
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
