"""Marks, undo, imported counts, choices of method and costs, each in one transaction; then
`changed` is called.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from nbmail.core.scoring.model_content import ModelContent
from nbmail.store.files.connection import Json, storable
from nbmail.store.labels.journal import By, Change, UndoStep
from nbmail.store.labels.labels import LabelPosition, shuffled_positions
from nbmail.store.mail.filed_moves import WantedMove
from nbmail.store.tables import Tables
from nbmail.values import FolderName

_CHOICES = "choices"
"""Setting with the methods, or costs of mistakes, before and after each step that changed them."""


class LabelChanges(NamedTuple):
    """Result of a mark, undo, redo or restore. `step`: 0 if nothing changed or the change can't be
    undone.

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
            names = {label: storable(label) if label else None for label in set(labels.values())}
            before = tables.labels.places(labels)
            given = {message: names[label] for message, label in labels.items()}
            changing = {
                message: label
                for message, label in given.items()
                if _label(before.get(message)) != label
            }
            after = self._new_positions(changing, shuffled, positions or {})
            changes = [
                Change(message, before.get(message), after.get(message)) for message in changing
            ]
            if changes and not step and by not in (By.SERVER, By.REPAIR):
                step = tables.steps.begin(by, moment, folder=folder)
            tables.asked.note(message for message in after if message in asked)
            done = self._apply(changes, by, moment, step)
            if actions is not None and done:
                tables.outbox.tell([change.message for change in done])
                tables.filed.follow_labels(_labels(done), actions(done), step)
        return LabelChanges(done, step)

    def undo(self, *, moment: float) -> LabelChanges:
        """Undo the latest step. Labels get their old positions. No changes if there is nothing to
        undo.
        """
        return self._undo_or_redo(moment, forward=False)

    def redo(self, *, moment: float) -> LabelChanges:
        return self._undo_or_redo(moment, forward=True)

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
        """Replace the imported counts, or remove them with None, as an undo step if that changes
        anything.

        To add some, the caller merges counts and `sources` before.
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
            settings.set(
                _CHOICES, {**settings.get(_CHOICES, dict[str, Json]()), str(step): [before, after]}
            )

    def _undo_or_redo(self, moment: float, *, forward: bool) -> LabelChanges:
        with self._connection.transaction():
            # Steps are skipped whose messages all have other labels since, or were moved by other
            # clients.
            while (step := self.tables.steps.next(redo=forward)) is not None:
                done = self._undo_or_redo_step(step, moment, forward)
                if (
                    done.changes
                    or done.base
                    or done.moved
                    or done.method
                    or done.costs
                    or step.by == By.SORTING
                ):
                    return done
        return LabelChanges()

    def _undo_or_redo_step(self, step: UndoStep, moment: float, forward: bool) -> LabelChanges:
        tables = self.tables
        changes = tables.steps.changes(step.number)
        if not forward:
            changes = [Change(one.message, one.new, one.old) for one in reversed(changes)]
        # One change for each message, of the successive changes that start with its current label.
        now = tables.labels.places({one.message for one in changes})
        joined = dict[int, Change]()
        for change in changes:
            known = joined.get(change.message)
            if (known.new if known else now.get(change.message)) == change.old:
                joined[change.message] = Change(
                    change.message, known.old if known else change.old, change.new
                )
        changes = [change for change in joined.values() if change.old != change.new][
            :: 1 if forward else -1
        ]
        moved = tables.filed.turn(step.number, forward=forward) + tables.flags.turn(
            step.number, forward=forward
        )
        done = self._apply(changes, By.REDO if forward else By.UNDO, moment, step.number)
        # Moves that were undone are final.
        undone = "closed" if step.by == By.SORTING else "undone"
        tables.steps.set_state(step.number, "done" if forward else undone)
        tables.outbox.tell(tables.outbox.with_known_label(change.message for change in done))
        base = step.base_after if forward else step.base_before
        if base is not None:
            self._use_imported(base)
        choice = tables.settings.get(_CHOICES, dict[str, Any]()).get(str(step.number), ["", ""])[
            forward
        ]
        method, costs = (choice, ()) if step.by == By.METHOD else ("", tuple(choice))
        scores = base is not None or step.by in (By.WORDS, By.PHRASES, By.RULE)
        return LabelChanges(done, step.number, scores, moved, method, costs)

    def _use_imported(self, number: int) -> None:
        self.tables.imported.use(number)
        self._connection.when_committed.append(self._imported_changed)

    def _apply(
        self, changes: Sequence[Change], by: By, moment: float, step: int
    ) -> tuple[Change, ...]:
        """Write labels and journal. Return the changes of labels, without those of positions
        alone.
        """
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

    def _new_positions(
        self, labels: Mapping[int, str | None], shuffled: bool, wanted: Mapping[int, int]
    ) -> dict[int, LabelPosition]:
        given = {message: label for message, label in labels.items() if label}
        if shuffled:
            positions = shuffled_positions(self.tables.messages.identities(given))
        else:
            first = max(
                [self.tables.journal.next_position(), *(place + 1 for place in wanted.values())]
            )
            positions = dict(zip(given, count(first), strict=False))
            if wanted:
                query = "SELECT position FROM labels WHERE position"
                taken = {0, *self._connection.column_among(query, wanted.values())}
                free = {place: message for message, place in wanted.items() if place not in taken}
                positions |= {message: place for place, message in free.items() if message in given}
        return {
            message: LabelPosition(label, positions[message]) for message, label in given.items()
        }


def _label(place: LabelPosition | None) -> str | None:
    return place.label if place else None


def _labels(changes: Iterable[Change]) -> dict[int, str | None]:
    return {change.message: change.after for change in changes}
