"""Undo, redo and journeys to a moment: in pieces where the step is a long one, with its progress and a way out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

from nbmail.store.values import Change, Way
from nbmail.store.values import Marked as Stored
from nbmail.sync.desk import FolderName
from nbmail.worker.engine.engine_state import Office
from nbmail.worker.engine.job_queue import Lane, Pause, Slices
from nbmail.worker.marking.marking import count_turned, follow
from nbmail.worker.marking.server_actions import wishes_of
from nbmail.worker.protocol import GoBack, Marked, Redo, StepTaken, Undo

# Labels that are turned in one piece, at most; of messages with 200 words 45, in 6 to 8 ms.
PIECE = 128
# Pieces in one transaction as long as nobody waits. The words of a piece lie all over the table of counts: 6,800 labels
# write 200 MB in transactions of one piece each, 60 in those of a dozen.
TOGETHER = 12
# After so many transactions the log is written into the file: 5 ms, not 30 in the middle of one.
RELIEF = 2


def undo(office: Office, command: Undo) -> Slices | Marked:
    """Take the latest step back, if it isn't too large; a job that is still at it ends first."""
    latest = office.store.journal.to_undo()
    taken = _step_taken(office, latest.number) if latest and command.most is not None else None
    if taken is not None and command.most is not None and taken.messages > command.most:
        return Marked((), None, step=taken, held=True)
    for bulk in office.bulks:
        if latest is not None and bulk.step == latest.number:
            bulk.end()
    office.trained.clear()
    return _travel(office, office.store.marks.undo)


def redo(office: Office, command: Redo) -> Slices:
    """Do the latest undone step again."""
    return _travel(office, office.store.marks.redo)


def go_back(office: Office, command: GoBack) -> Slices:
    """Set all labels to what they were. Moves are only taken back: going back in time moves nothing anew."""
    for bulk in office.bulks:
        bulk.end()
    wishes = wishes_of(office.store, moving=False)
    return _travel(office, partial(office.store.marks.go_back, to=command.moment, wishes=wishes))


def _travel(office: Office, turn: Callable[..., Stored]) -> Slices:
    """Turn a step, one after the other. Stopped in between, what has been turned stays so."""
    while office.travelling:
        yield Pause(lane=Lane.WORK)
    before, journey = office.board.verdicts(), Journey(office, turn)
    try:
        while way := journey.go():
            yield Pause(way.done, way.total, Lane.WORK)
            if journey.relieve():
                yield Pause(lane=Lane.WORK)
    finally:
        journey.end()
    if journey.total:
        # Stopped from here on, nothing is left undone.
        yield Pause(journey.total, journey.total, Lane.WORK)
    for pause in follow(office):
        yield Pause(lane=pause.lane)
    messages, labels = journey.messages, {change.after for change in journey.changes}
    label, step = labels.pop() if len(labels) == 1 else None, _step_taken(office, journey.step)
    turned = yield from count_turned(office, before, messages)
    return Marked(messages, label, turned, journey.base, step)


class Journey:
    """A step being turned. Its first piece is confirmed by the disk as any mark is, the others only at its `end`."""

    def __init__(self, office: Office, turn: Callable[..., Stored]) -> None:
        self._office, self._connection = office, office.store.connection
        self._turn = partial(turn, moment=office.clock(), most=PIECE)
        self._latest: Stored | None = None
        self._unconfirmed = False
        self._since_relief = 0
        self.total = 0
        self.changes: list[Change] = []
        self.base = False
        office.travelling = True

    @property
    def messages(self) -> tuple[int, ...]:
        """Those whose label has changed."""
        return tuple({change.message: None for change in self.changes})

    @property
    def step(self) -> int:
        """Its number, 0 without one."""
        return self._latest.step if self._latest else 0

    def go(self) -> Way | None:
        """Turn the first piece, or then as many as nobody has to wait for; how it goes on."""
        later = self._latest is not None
        with self._connection.relaxed() if later else nullcontext(), self._connection.transaction():
            pieces = self._pieces(TOGETHER if later else 1)
        self._latest, self._unconfirmed = pieces[-1], later
        for piece in pieces:
            self._office.took_part(piece)
            self.changes += piece.changes
            self.base = self.base or piece.base
        if self._latest.way:
            self.total = self._latest.way.total
        return self._latest.way

    def relieve(self) -> bool:
        """Write the log into the file, where it is time for that."""
        self._since_relief += 1
        due = self._since_relief > RELIEF
        if due:
            self._since_relief = 0
            self._connection.relieve()
        return due

    def _pieces(self, most: int) -> list[Stored]:
        pieces = [self._turn(self._office.model, after=self._latest)]
        while pieces[-1].way and len(pieces) < most and not self._office.agenda.is_urged():
            pieces.append(self._turn(self._office.model, after=pieces[-1]))
        return pieces

    def end(self) -> None:
        """Nothing more is turned: what depends on it follows, and the disk is asked to confirm it."""
        self._office.end_journey()
        if self._unconfirmed:
            self._connection.confirm()


def _step_taken(office: Office, number: int) -> StepTaken | None:
    found = office.store.steps.figures(number)
    if found is None:
        return None
    folder = office.store.steps.folder(number)
    return StepTaken(found.by, found.label, found.messages, FolderName(*folder) if folder else None)
