"""Marks, undo, redo and journeys through time: each one transaction over labels, journal and outbox.

Nothing that can be derived is written. Once the transaction is on the disk, `changed` is told which labels moved, so
that the model in memory can follow.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from nbmail.core.scoring.model import ModelContent
from nbmail.store.files.connection import Connection, SettingsTable
from nbmail.store.labels.journal import By, Journal, LabelMove, UndoStep, UndoSteps
from nbmail.store.labels.labels import AskedMessages, LabelPosition, Labels, shuffled_places
from nbmail.store.mail.messages import Messages
from nbmail.store.mail.outbox import Outbox, WantedMove
from nbmail.store.model.imported_counts import ImportedCounts
from nbmail.values import FolderName

REVISION = "samples_revision"
"""The setting that counts how often samples of messages were replaced: what was learned from the old ones is void."""


@dataclass(frozen=True, slots=True)
class Change:
    """One label that changed; None is no label."""

    message: int
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class LabelChanges:
    """What a mark, undo, redo or journey did. `step` is 0 where nothing changed or nothing can be undone.

    `base` says that what counts beside the labels changed, the imported model or the ignored words: every score has.
    """

    changes: tuple[Change, ...] = ()
    step: int = 0
    base: bool = False


ActionsOf = Callable[[Sequence[Change]], Iterable[WantedMove]]
"""What changes of labels want done on the servers."""


@dataclass(frozen=True, slots=True)
class LabelTables:
    """What a mark touches, and what a model is a function of."""

    connection: Connection
    messages: Messages
    labels: Labels
    journal: Journal
    steps: UndoSteps
    asked: AskedMessages
    imported: ImportedCounts
    outbox: Outbox
    settings: SettingsTable

    @property
    def ground(self) -> tuple[int, int]:
        """What changes the model behind the labels' back: the base in use, and the revision of the samples."""
        return self.imported.current, int(self.settings.get(REVISION, 0))


class Marks:
    """Everything that changes labels."""

    def __init__(
        self, tables: LabelTables, changed: Callable[[Sequence[LabelMove]], None], new_base: Callable[[], None]
    ) -> None:
        self.tables, self._connection = tables, tables.connection
        self._changed, self._new_base = changed, new_base

    def mark(
        self,
        labels: Mapping[int, str | None],
        *,
        by: By,
        moment: float,
        step: int = 0,
        actions: ActionsOf | None = None,
        shuffled: bool = False,
        folder: FolderName | None = None,
        asked: Collection[int] = (),
        positions: Mapping[int, int] | None = None,
    ) -> LabelChanges:
        """Give messages these labels, in this order; None takes one away. Labels that are there already stay.

        A long job marks piece by piece and gives the first piece's `step` with the others: all of it is one step.
        `actions` names, for each change, what the server is to be told. `shuffled` gives places as
        `shuffled_places` does rather than at the end. `folder` is what a step of a folder was learned from.
        `asked` are messages that the program had asked about. `positions` are places in the learning order to be used
        where they are free, by message; 0 is none.
        """
        tables = self.tables
        with self._connection.transaction():
            numbers = {label: tables.labels.number(label) for label in dict.fromkeys(labels.values()) if label}
            before = tables.labels.places(labels)
            changing = {
                message: numbers.get(label or "")
                for message, label in labels.items()
                if _class_of(before.get(message)) != numbers.get(label or "")
            }
            labelled = {message: klass for message, klass in changing.items() if klass}
            after = self._new_places(labelled, shuffled, positions or {})
            moves = [LabelMove(message, before.get(message), after.get(message)) for message in changing]
            if moves and not step and by not in (By.SERVER, By.REPAIR):
                step = tables.steps.begin(by, moment, folder=folder)
            tables.asked.note(message for message in after if message in asked)
            changes = self._carry_out(moves, by, moment, step)
            if actions is not None and changes:
                tables.outbox.add([change.message for change in changes], actions(changes))
        return LabelChanges(changes, step)

    def undo(self, *, moment: float) -> LabelChanges:
        """Take the latest step back, with its labels' old places in the order. Nothing to undo: no changes."""
        return self._undo_or_redo(self.tables.steps.to_undo, moment, forward=False)

    def redo(self, *, moment: float) -> LabelChanges:
        return self._undo_or_redo(self.tables.steps.to_redo, moment, forward=True)

    def restore(self, line: int, *, moment: float) -> LabelChanges:
        """Set all labels, and their places in the order, to what they were at that line of the journal: a step.

        A line, not a moment: where the clock was ever set back, a moment names several places in the journal. Where no
        label is another nothing is done: a step that changes only places would be undone unseen. Servers hear of what
        they were told of, or are still to be told of.
        """
        tables = self.tables
        with self._connection.transaction():
            then, now = tables.labels.positions_at(line), tables.labels.all_positions()
            differing = sorted(one for one in then.keys() | now.keys() if then.get(one) != now.get(one))
            moves = [LabelMove(message, now.get(message), then.get(message)) for message in differing]
            if not any(move.is_new_label for move in moves):
                return LabelChanges()
            step = tables.steps.begin(By.RESTORE, moment)
            changes = self._carry_out(moves, By.RESTORE, moment, step)
            self._take_back_what_was_told(changes)
        return LabelChanges(changes, step)

    def reset(self, *, moment: float) -> LabelChanges:
        """Take all labels away, and what was imported, as a journey to the beginning would. An undoable step."""
        tables = self.tables
        with self._connection.transaction():
            moves = [
                LabelMove(message, place, None) for message, place in sorted(tables.labels.all_positions().items())
            ]
            step = tables.steps.begin(By.START, moment, imported=(tables.imported.current, 0))
            changes = self._carry_out(moves, By.START, moment, step)
            self._take_back_what_was_told(changes)
            self._use_base(0)
        return LabelChanges(changes, step, base=True)

    def import_counts(self, content: ModelContent, *, moment: float, sources: Sequence[str] = ()) -> LabelChanges:
        """Make this the imported model from which labels go on, in place of the one before: an undoable step.

        To add to the one before, hand in the two merged, with the `sources` of both.
        """
        with self._connection.transaction():
            return self._change_base(self.tables.imported.add(content, moment, sources), moment)

    def drop_imported(self, *, moment: float) -> LabelChanges:
        """Learn from the labels alone: an undoable step, none where nothing was imported."""
        if not self.tables.imported.current:
            return LabelChanges()
        with self._connection.transaction():
            return self._change_base(0, moment)

    def _change_base(self, number: int, moment: float) -> LabelChanges:
        step = self.tables.steps.begin(By.IMPORT, moment, imported=(self.tables.imported.current, number))
        self._use_base(number)
        return LabelChanges((), step, base=True)

    def _undo_or_redo(self, find: Callable[[], UndoStep | None], moment: float, *, forward: bool) -> LabelChanges:
        with self._connection.transaction():
            # A step all of whose messages were labelled otherwise since has nothing left to take back.
            while (step := find()) is not None:
                done = self._undo_or_redo_step(step, moment, forward)
                if done.changes or done.base:
                    return done
        return LabelChanges()

    def _undo_or_redo_step(self, step: UndoStep, moment: float, forward: bool) -> LabelChanges:
        tables = self.tables
        moves = tables.steps.moves(step.number)
        if not forward:
            moves = [LabelMove(one.message, one.after, one.before) for one in reversed(moves)]
        moves = _moves_from_now(moves, tables.labels.places({one.message for one in moves}))
        moves = moves if forward else moves[::-1]
        changes = self._carry_out(moves, By.REDO if forward else By.UNDO, moment, step.number)
        tables.steps.set_state(step.number, "done" if forward else "undone")
        tables.outbox.turned([change.message for change in changes])
        base = step.base_after if forward else step.base_before
        if base is not None:
            self._use_base(base)
        return LabelChanges(changes, step.number, base is not None or step.by == By.WORDS)

    def _use_base(self, number: int) -> None:
        self.tables.imported.use(number)
        self._connection.when_committed(self._new_base)

    def _carry_out(self, moves: Sequence[LabelMove], by: By, moment: float, step: int) -> tuple[Change, ...]:
        """Write labels and journal; what truly changed."""
        if not moves:
            return ()
        labels = self.tables.labels
        # All go before any comes: no place may be taken twice.
        labels.take(move.message for move in moves if move.before)
        labels.put(((move.message, move.after) for move in moves if move.after), moment)
        self.tables.journal.write(moves, by, moment, step)
        self._connection.when_committed(lambda: self._changed(moves))
        return tuple(self._named(move) for move in moves if move.is_new_label)

    def _take_back_what_was_told(self, changes: Sequence[Change]) -> None:
        outbox = self.tables.outbox
        outbox.add(sorted(outbox.with_known_label(change.message for change in changes)), ())

    def _new_places(
        self, classes: Mapping[int, int], shuffled: bool, wanted: Mapping[int, int]
    ) -> dict[int, LabelPosition]:
        if shuffled:
            positions = shuffled_places(self.tables.messages.identities(classes))
        else:
            first = max([self.tables.journal.next_position(), *(place + 1 for place in wanted.values())])
            positions = dict(zip(classes, count(first), strict=False))
            if wanted:
                rows = self._connection.among("SELECT position FROM labels WHERE position", wanted.values())
                taken = {0, *(place for (place,) in rows)}
                free = {place: message for message, place in wanted.items() if place not in taken}
                positions |= {message: place for place, message in free.items() if message in classes}
        return {message: LabelPosition(klass, positions[message]) for message, klass in classes.items()}

    def _named(self, move: LabelMove) -> Change:
        names = (self.tables.labels.name(place.klass) if place else None for place in (move.before, move.after))
        return Change(move.message, *names)


def _moves_from_now(moves: Iterable[LabelMove], now: Mapping[int, LabelPosition]) -> list[LabelMove]:
    """One move a message, of those moves, one after the other, that lead on from what the message has now."""
    joined: dict[int, LabelMove] = {}
    for move in moves:
        known = joined.get(move.message)
        if (known.after if known else now.get(move.message)) == move.before:
            joined[move.message] = LabelMove(move.message, known.before if known else move.before, move.after)
    return [move for move in joined.values() if move.before != move.after]


def _class_of(place: LabelPosition | None) -> int | None:
    return place.klass if place else None
