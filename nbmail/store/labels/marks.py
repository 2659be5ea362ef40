"""Marks, imported counts and choices: all that an undo step brings back, each in one transaction.

After the commit `changed` is called with the changes of labels.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from nbmail.core.scoring.model_content import ModelContent
from nbmail.store.actions.filed_moves import WantedMove
from nbmail.store.files.columns import storable
from nbmail.store.files.settings_table import Json
from nbmail.store.labels.journal import By, Change
from nbmail.store.labels.labels import LabelPosition, shuffled_positions
from nbmail.store.labels.undo_steps import UndoStep
from nbmail.store.tables import Tables
from nbmail.values import FolderName

_CHOICES = "choices"
"""Setting with the methods, or costs of mistakes, before and after each step that changed them."""


class LabelChanges(NamedTuple):
    """Result of a mark, undo, redo or restore. `step`: 0 if nothing changed or it can't be undone.

    `base`: True if imported counts or ignored words changed, which affects all scores. `moved`:
    messages whose folders or flags changed. `method`, `costs`: those that an undo or redo brings
    back, empty if they don't change.
    """

    changes: tuple[Change, ...] = ()
    step: int = 0
    base: bool = False
    moved: tuple[int, ...] = ()
    method: str = ""
    costs: tuple[float, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if nothing changed."""
        return not (self.changes or self.base or self.moved or self.method or self.costs)


ActionsOf = Callable[[Sequence[Change]], Iterable[WantedMove]]
"""Returns the moves on servers that changes of labels cause."""


class Marks:
    """All changes of labels."""

    def __init__(
        self,
        tables: Tables,
        changed: Callable[[Sequence[Change]], None],
        imported_changed: Callable[[], None],
    ) -> None:
        self.tables = tables
        self._connection = tables.connection
        self._changed = changed
        self._imported_changed = imported_changed

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
        """Label messages in this order; None removes a label. Equal labels stay.

        `step`: undo step to continue, for long jobs that mark in chunks. `actions` returns the
        moves on servers. `shuffled`: positions of `shuffled_positions` instead of the last ones.
        `folder`: origin of the labels. `asked`: messages whose labels the program had requested.
        `positions`: wanted positions by message, used if free; 0 for none.
        """
        tables = self.tables
        with self._connection.transaction():
            before = tables.labels.places(labels)
            changing = _differing(labels, before)
            if shuffled:
                after = self._shuffled(changing)
            else:
                after = self._in_order(changing, positions or {})
            changes = [
                Change(message, before.get(message), after.get(message)) for message in changing
            ]
            if changes and not step and by != By.SERVER:
                step = tables.steps.begin(by, moment, folder=folder)
            tables.asked.note(message for message in after if message in asked)
            done = self._apply(changes, by, moment, step)
            if actions is not None and done:
                tables.outbox.tell([change.message for change in done])
                tables.filed.follow_labels(_labels(done), actions(done), step)
        return LabelChanges(done, step)

    def undo(self, *, moment: float) -> LabelChanges:
        """Undo the latest step. Labels get their old positions.

        No changes if there is nothing to undo.
        """
        with self._connection.transaction():
            # Steps are skipped whose messages all have other labels since, or were moved by other
            # clients.
            while (step := self.tables.steps.next_undo()) is not None:
                done = self._undo_step(step, moment)
                if not done.is_empty or step.by == By.SORTING:
                    return done
        return LabelChanges()

    def redo(self, *, moment: float) -> LabelChanges:
        """Redo the latest undone step, as `undo`."""
        with self._connection.transaction():
            while (step := self.tables.steps.next_redo()) is not None:
                done = self._redo_step(step, moment)
                if not done.is_empty or step.by == By.SORTING:
                    return done
        return LabelChanges()

    def restore(self, entry: int, *, moment: float) -> LabelChanges:
        """Restore all labels and their positions to those after a journal entry, as an undo step.

        The entry is no time, since after a change of the clock several entries have the same time.
        If only positions differ nothing changes, since an undo of that would be invisible. Servers
        get the keywords of messages whose labels they know.
        """
        tables = self.tables
        with self._connection.transaction():
            then = tables.labels.positions(entry)
            now = tables.labels.positions()
            differing = sorted({message for message, _ in then.items() ^ now.items()})
            changes = [
                Change(message, now.get(message), then.get(message)) for message in differing
            ]
            if not any(change.before != change.after for change in changes):
                return LabelChanges()
            step = tables.steps.begin(By.RESTORE, moment)
            done = self._apply(changes, By.RESTORE, moment, step)
            self._queue_actions(done, step)
        return LabelChanges(done, step)

    def reset(self, *, moment: float) -> LabelChanges:
        """Remove all labels and imported counts, as an undo step."""
        tables = self.tables
        with self._connection.transaction():
            changes = [
                Change(message, place, None)
                for message, place in sorted(tables.labels.positions().items())
            ]
            step = tables.steps.begin(By.START, moment, imported=(tables.imported.current, 0))
            done = self._apply(changes, By.START, moment, step)
            self._queue_actions(done, step)
            self._use_imported(0)
        return LabelChanges(done, step, base=True)

    def import_counts(
        self, content: ModelContent | None, *, moment: float, sources: Sequence[str] = ()
    ) -> LabelChanges:
        """Replace the imported counts, or remove them with None, as an undo step.

        No step if that changes nothing. To add some, the caller merges counts and `sources` before.
        """
        imported = self.tables.imported
        if content is None and not imported.current:
            return LabelChanges()
        with self._connection.transaction():
            number = imported.add(content, moment, sources) if content else 0
            step = self.tables.steps.begin(By.IMPORT, moment, imported=(imported.current, number))
            self._use_imported(number)
        return LabelChanges((), step, base=True)

    def change_choice(
        self, by: By, before: str | Sequence[float], after: str | Sequence[float], moment: float
    ) -> None:
        """Store a change of the method or of the costs as an undo step."""
        settings = self.tables.settings
        with self._connection.transaction():
            step = self.tables.steps.begin(by, moment)
            choices = settings.get(_CHOICES, dict[str, Json]())
            settings.set(_CHOICES, {**choices, str(step): [before, after]})

    def _undo_step(self, step: UndoStep, moment: float) -> LabelChanges:
        reverted = [
            Change(change.message, change.new, change.old)
            for change in reversed(self.tables.steps.changes(step.number))
        ]
        changes = self._applicable(reverted)
        # Back in the order of the step.
        changes.reverse()
        moved = self._turn(step, forward=False)
        done = self._apply(changes, By.UNDO, moment, step.number)
        # Moves that were undone are final.
        state = "closed" if step.by == By.SORTING else "undone"
        self.tables.steps.set_state(step.number, state)
        method_before, _ = self._choice(step)
        return self._finish(step, done, moved, step.base_before, method_before)

    def _redo_step(self, step: UndoStep, moment: float) -> LabelChanges:
        changes = self._applicable(self.tables.steps.changes(step.number))
        moved = self._turn(step, forward=True)
        done = self._apply(changes, By.REDO, moment, step.number)
        self.tables.steps.set_state(step.number, "done")
        _, method_after = self._choice(step)
        return self._finish(step, done, moved, step.base_after, method_after)

    def _applicable(self, changes: Sequence[Change]) -> list[Change]:
        """Join the changes of each message, if the first of them starts with its current label."""
        now = self.tables.labels.places({change.message for change in changes})
        joined = dict[int, Change]()
        for change in changes:
            message = change.message
            known = joined.get(message)
            current = known.new if known else now.get(message)
            if current == change.old:
                first = known.old if known else change.old
                joined[message] = Change(message, first, change.new)
        return [change for change in joined.values() if change.old != change.new]

    def _turn(self, step: UndoStep, *, forward: bool) -> tuple[int, ...]:
        """Revert the moves and flags of a step, or make them again. Return the messages."""
        filed = self.tables.filed.turn(step.number, forward=forward)
        flagged = self.tables.flags.turn(step.number, forward=forward)
        return filed + flagged

    def _choice(self, step: UndoStep) -> tuple[Any, Any]:
        """Return the method or the costs before and after a step; empty if it changed none."""
        choices = self.tables.settings.get(_CHOICES, dict[str, Any]())
        before, after = choices.get(str(step.number), ("", ""))
        return before, after

    def _finish(
        self,
        step: UndoStep,
        done: tuple[Change, ...],
        moved: tuple[int, ...],
        imported: int | None,
        choice: str | Sequence[float],
    ) -> LabelChanges:
        """Bring back imported counts and choices, and queue keywords."""
        outbox = self.tables.outbox
        outbox.tell(outbox.with_known_label(change.message for change in done))
        if imported is not None:
            self._use_imported(imported)
        affects_all = imported is not None or step.by in (By.WORDS, By.PHRASES, By.RULE)
        changes = LabelChanges(done, step.number, affects_all, moved)
        if isinstance(choice, str):
            return changes._replace(method=choice)
        return changes._replace(costs=tuple(choice))

    def _use_imported(self, number: int) -> None:
        self.tables.imported.use(number)
        self._connection.when_committed.append(self._imported_changed)

    def _apply(
        self, changes: Sequence[Change], by: By, moment: float, step: int
    ) -> tuple[Change, ...]:
        """Write labels and journal. Return the changes of labels, without those of positions."""
        if not changes:
            return ()
        labels = self.tables.labels
        # All removals first, since a position may not be used twice.
        labels.take(change.message for change in changes if change.old)
        labels.put(((change.message, change.new) for change in changes if change.new), moment)
        self.tables.journal.write(changes, by, moment, step)
        self._connection.when_committed.append(lambda: self._changed(changes))
        return tuple(change for change in changes if change.before != change.after)

    def _queue_actions(self, changes: Sequence[Change], step: int) -> None:
        """Queue keywords of labels that servers know, and revert moves for other labels."""
        outbox = self.tables.outbox
        outbox.tell(sorted(outbox.with_known_label(change.message for change in changes)))
        self.tables.filed.follow_labels(_labels(changes), (), step)

    def _shuffled(self, labels: Mapping[int, str | None]) -> dict[int, LabelPosition]:
        """Return labels with the positions of `shuffled_positions`, removed ones left out."""
        messages = [message for message, label in labels.items() if label]
        positions = shuffled_positions(self.tables.messages.identities(messages))
        return _placed(labels, positions)

    def _in_order(
        self, labels: Mapping[int, str | None], wanted: Mapping[int, int]
    ) -> dict[int, LabelPosition]:
        """Return labels with wanted positions if they are free, otherwise with the last ones.

        Removed labels are left out.
        """
        first = self.tables.journal.next_position()
        if wanted:
            first = max(first, max(wanted.values()) + 1)
        messages = [message for message, label in labels.items() if label]
        positions = dict(zip(messages, count(first), strict=False))
        for message, position in self._free(wanted).items():
            if message in positions:
                positions[message] = position
        return _placed(labels, positions)

    def _free(self, wanted: Mapping[int, int]) -> dict[int, int]:
        """Return the wanted positions that are free; the last message that wants one gets it."""
        if not wanted:
            return {}
        query = "SELECT position FROM labels WHERE position"
        taken = self._connection.column_among(query, wanted.values())
        by_position = {
            position: message
            for message, position in wanted.items()
            if position and position not in taken
        }
        return {message: position for position, message in by_position.items()}


def _differing(
    labels: Mapping[int, str | None], before: Mapping[int, LabelPosition]
) -> dict[int, str | None]:
    """Return the labels, as they can be stored, of messages that have another one."""
    names = {label: storable(label) if label else None for label in set(labels.values())}
    differing = dict[int, str | None]()
    for message, label in labels.items():
        place = before.get(message)
        if names[label] != (place.label if place else None):
            differing[message] = names[label]
    return differing


def _placed(
    labels: Mapping[int, str | None], positions: Mapping[int, int]
) -> dict[int, LabelPosition]:
    return {
        message: LabelPosition(label, positions[message])
        for message, label in labels.items()
        if label
    }


def _labels(changes: Iterable[Change]) -> dict[int, str | None]:
    return {change.message: change.after for change in changes}
