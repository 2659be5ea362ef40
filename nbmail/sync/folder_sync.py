"""Keeping one folder in step with the desk: survey, plan, fetch newest first, deliver."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from nbmail.errors import KnownError
from nbmail.sync.account_backend import AccountBackend
from nbmail.values import ActionKind, Arrival, Delivery, FolderName, Outcome, ServerAction, ServerLocation, StoredFolder

# The first rows shall be on the screen at once; after that, larger deliveries cost fewer transactions.
FIRST_SLICE = 25
# Between slices other things get their turn: the user's marks, a pause.
SLICE = 400
BATCH = 200
BATCH_BYTES = 4_000_000
# PendingActions after whose end the message is known to lie there no longer.
LEFT = {(ActionKind.MOVE, Outcome.DONE), (ActionKind.KEYWORDS, Outcome.OBSOLETE)}


class Interrupted(Exception):
    """The folder is left half fetched on purpose; the next step goes on from there."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What is there. `whole`: `flags` names every message. Else only what is new or changed, and `gone` what isn't
    there any more. `modseq` is the state that `flags` describes.
    """

    validity: int
    modseq: int = 0
    flags: dict[int, frozenset[str]] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """What to fetch, newest first, what has gone, which flags are other than known. `fresh`: nothing known counts."""

    fetch: tuple[int, ...]
    gone: frozenset[int]
    flags: dict[int, frozenset[str]]
    fresh: bool


def make_plan(memory: StoredFolder, survey: Survey) -> FetchPlan:
    """Compare what is known with what is there. Another UIDVALIDITY makes all that is known worthless."""
    fresh = memory.validity != survey.validity
    known = {} if fresh else memory.flags
    there = survey.flags
    gone = known.keys() - there.keys() if survey.whole else known.keys() & survey.gone
    fetch = sorted(there.keys() - known.keys(), reverse=True)
    changed = {uid: flags for uid, flags in there.items() if known.get(uid, flags) != flags}
    return FetchPlan(tuple(fetch), frozenset(gone), changed, fresh)


def advance(memory: StoredFolder, delivery: Delivery) -> StoredFolder:
    """What is known once the delivery is stored. Takes over the dictionary of `memory`, which is not to be used again.

    A hundred thousand known messages must not be copied for each that arrives.
    """
    flags = memory.flags if memory.validity == delivery.validity else {}
    for uid in delivery.gone:
        flags.pop(uid, None)
    flags.update((uid, each) for uid, each in delivery.flags.items() if uid in flags)
    flags.update((arrival.uid, arrival.flags) for arrival in delivery.arrivals)
    stays = memory.modseq if memory.validity == delivery.validity else 0
    return StoredFolder(delivery.validity, delivery.modseq if delivery.complete else stays, flags)


class SyncedFolder(Protocol):
    """A folder that can be kept in step, on a server or on the disk."""

    def survey(self, memory: StoredFolder, *, thorough: bool = True) -> Survey:
        """What is there."""

    def arrivals(self, uids: Iterable[int]) -> Iterator[Arrival]:
        """These messages, in about this order; what can't be read is left out."""


@dataclass(slots=True)
class FolderSync:
    """Keeps one folder in step. `progress` is told how many of how many are fetched, `brought` counts them for ever.

    `between` is called where other things may have their turn, and may raise `Interrupted`.
    """

    backend: AccountBackend
    name: FolderName
    role: str = ""
    special: str = ""
    progress: Callable[[int, int], None] = lambda done, total: None
    between: Callable[[], None] = lambda: None
    memory: StoredFolder | None = None
    brought: int = 0

    @property
    def known(self) -> int:
        return len(self.memory.flags) if self.memory is not None else 0

    def follow(self, action: ServerAction, outcome: Outcome) -> frozenset[str]:
        """What the desk knows by the end of an errand is known here too: else what others do next would be missed.

        Returns the message's flags.
        """
        known = self.memory.flags if self.memory is not None and self.memory.validity == action.validity else {}
        flags = known.get(action.uid, frozenset())
        if (action.kind, outcome) in LEFT:
            known.pop(action.uid, None)
        elif outcome is Outcome.DONE and action.uid in known:
            known[action.uid] = flags - action.remove | action.add
        return flags

    def add_place(self, place: ServerLocation, flags: frozenset[str]) -> None:
        """A message has come by our doing. The desk keeps it where it knows the folder, as is known here then."""
        if self.memory is not None and self.memory.validity == place.validity:
            self.memory.flags[place.uid] = flags

    def step(self, source: SyncedFolder, *, thorough: bool = True) -> bool:
        """Bring the desk in step with the source: whether there was anything to deliver."""
        memory = self._remember()
        survey = source.survey(memory, thorough=thorough)
        plan = make_plan(memory, survey)
        blank = Delivery(self.name, survey.validity, role=self.role, special=self.special)
        changed = bool(plan.gone or plan.flags or plan.fresh)
        changes = replace(blank, gone=plan.gone, flags=plan.flags)
        if plan.fetch:
            if changed:
                self._deliver(changes)
            self._fetch(source, plan.fetch, blank)
            self._deliver(replace(blank, complete=True, modseq=survey.modseq))
        elif changed or survey.modseq != memory.modseq:
            self._deliver(replace(changes, complete=True, modseq=survey.modseq))
        return changed or bool(plan.fetch)

    def _fetch(self, source: SyncedFolder, uids: tuple[int, ...], blank: Delivery) -> None:
        done = 0
        self.progress(done, len(uids))
        try:
            for chunk in slices(uids):
                self.between()
                for batch in batches(source.arrivals(chunk)):
                    self._deliver(replace(blank, arrivals=batch), waiting=False)
                    done += len(batch)
                    self.progress(done, len(uids))
        except BaseException:
            # What was handed in last may not be stored yet, or never.
            self.memory = None
            raise

    def _remember(self) -> StoredFolder:
        if self.memory is None:
            known = self.backend.stored_folder(self.name)
            self.memory = replace(known, flags=dict(known.flags))
        return self.memory

    def _deliver(self, delivery: Delivery, *, waiting: bool = True) -> None:
        # Until the desk has it, nothing is sure: after a failure the desk is asked again.
        memory, self.memory = self._remember(), None
        if waiting:
            self.backend.deliver(delivery)
        else:
            self.backend.submit(delivery)
        self.memory = advance(memory, delivery)
        self.brought += len(delivery.arrivals)


def slices(uids: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Cut what is to be fetched, a small slice first."""
    yield uids[:FIRST_SLICE]
    for start in range(FIRST_SLICE, len(uids), SLICE):
        yield uids[start : start + SLICE]


def batches(arrivals: Iterable[Arrival]) -> Iterator[tuple[Arrival, ...]]:
    """Cut a stream of messages into deliveries, by number and by weight. Where it breaks off, what came counts."""
    batch: list[Arrival] = []
    weight = 0
    try:
        for arrival in arrivals:
            batch.append(arrival)
            weight += len(arrival.raw)
            if len(batch) >= BATCH or weight >= BATCH_BYTES:
                yield tuple(batch)
                batch, weight = [], 0
    except KnownError:
        if batch:
            yield tuple(batch)
        raise
    if batch:
        yield tuple(batch)
