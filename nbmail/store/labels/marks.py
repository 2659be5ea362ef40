"""Marks, undo, redo and journeys through time: each one transaction over labels, counts, journal and outbox.

The model in memory goes along: it learns inside the transaction, and is brought back from the disk if that fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import LongArray, Sample
from nbmail.core.judging.model import Learned, Model, Step
from nbmail.store.files.connection import Connection
from nbmail.store.labels.journal import Journal, Line, UserStep
from nbmail.store.labels.labels import Labels, Place
from nbmail.store.labels.undo_steps import Steps
from nbmail.store.mail.messages import Messages
from nbmail.store.mail.outbox import Outbox
from nbmail.store.model.counts_table import CountsTable, Difference, Held
from nbmail.store.model.imported_bases import Bases
from nbmail.store.model.learned import LearnedTable
from nbmail.store.values import By, Change, Marked, Way, Wishes

# Words of the messages whose labels a long job turns in one piece: about 8 ms.
_WORDS = 9_000
# So often a journey looks in one piece for something to change, where what came last has changed already.
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Tables:
    """What a mark touches."""

    messages: Messages
    labels: Labels
    counts: CountsTable
    learned: LearnedTable
    bases: Bases
    journal: Journal
    outbox: Outbox
    steps: Steps


@dataclass(frozen=True, slots=True)
class _Turn:
    """How a step is undone, or done again (`forward`): noted with which moment, at most so many labels at a time."""

    forward: bool
    moment: float
    most: int | None


class Marks:
    """Everything that changes labels."""

    def __init__(self, connection: Connection, tables: Tables) -> None:
        self._connection = connection
        self._tables = tables

    def mark(
        self,
        model: Model,
        messages: Sequence[int],
        label: str | None,
        *,
        by: By,
        moment: float,
        step: int = 0,
        wishes: Wishes | None = None,
        mixed: bool = False,
        counted: bool = False,
    ) -> Marked:
        """Label these messages; None takes the label away. Messages that have the label already are passed over.

        A long job marks piece by piece and gives the first piece's `step` with the others: all of it is one step.
        `wishes` names, for each change, what the server is to be told. `mixed` gives labels shuffled places in the
        order rather than places at its end: learned a folder at a time, first all junk and then all good mail,
        corrections would teach the model little more than which came last, and no score of the first folder would
        have been given by a model that knew both. Since such places call for a fold anyway, `counted` leaves all but
        the counts to it.
        """
        with self._together(model):
            places = self._tables.labels.places(messages)
            klass = None if label is None else self._tables.labels.number(label)
            changing = [one for one in dict.fromkeys(messages) if _class_of(places.get(one)) != klass]
            arrivals = self._new_places(klass, changing, mixed)
            lines = [Line(one, places.get(one), arrivals.get(one)) for one in changing]
            if lines and not step and by is not By.SERVER:
                step = self._tables.journal.begin(by, moment)
            changes = self._change(model, lines, by, moment, step, counted=counted)
            for change in changes if wishes else ():
                self._tables.outbox.add(change.message, step, wishes(change) if wishes else ())
        return Marked(changes, step)

    def undo(self, model: Model, *, moment: float, most: int | None = None, after: Marked | None = None) -> Marked:
        """Take the latest step back, with its labels' old places in the order. Nothing to undo: no changes.

        A long job takes back at most so many labels at a time and hands in what it got, while that has a `way`.
        Stopped in between, the step stays done, and the next undo takes back the rest. Where a fold must follow
        anyway, a long job only counts.
        """
        return self._travel_steps(model, _Turn(False, moment, most), after)

    def redo(self, model: Model, *, moment: float, most: int | None = None, after: Marked | None = None) -> Marked:
        """Do the latest undone step again, piecewise as undo does.

        Stopped in between, the step counts as done: the next undo takes back what there is of it.
        """
        return self._travel_steps(model, _Turn(True, moment, most), after)

    def go_back(
        self,
        model: Model,
        to: float,
        *,
        moment: float,
        most: int | None = None,
        after: Marked | None = None,
        wishes: Wishes | None = None,
    ) -> Marked:
        """Set all labels, and their places in the order, to what they were at that moment. An undoable step.

        A long job does it piecewise as an undo. What is marked by others between two pieces stays as they marked it.
        `wishes` are asked only of messages that the server was told of, or is still to be told of.
        """
        journal, step = self._tables.journal, after.step if after else 0
        with self._together(model):
            way = after.way if after else None
            if way is None:
                line, last = self._tables.labels.line_at(to), journal.last_line()
                way = Way(line, last, line)
            lines, way = self._way_back(way, most)
            if lines and not step:
                step = journal.begin(By.TRAVEL, moment)
            changes = self._change(model, lines, By.TRAVEL, moment, step, long=bool(way or after))
            spoken = self._tables.outbox.spoken_of(change.message for change in changes)
            for change in changes if wishes else ():
                if change.message in spoken:
                    self._tables.outbox.add(change.message, step, wishes(change) if wishes else ())
            return Marked(changes, step, way=way)

    def _way_back(self, way: Way, most: int | None) -> tuple[list[Line], Way | None]:
        """The next changes that lead back to a line of the journal, and how it goes on."""
        labels, journal, rounds = self._tables.labels, self._tables.journal, 0
        while found := journal.touched(way.at, way.end, _one_more(most)):
            touched = found[: self._fitting([message for _, message in found], most)]
            messages = sorted({message for _, message in touched})
            # What has changed since the journey began was either led back before or marked by others meanwhile.
            changed = journal.changed_since(way.end, messages)
            then, now = labels.places_of(messages, way.line), labels.places(messages)
            different = (one for one in messages if one not in changed and then.get(one) != now.get(one))
            lines = [Line(one, now.get(one), then.get(one)) for one in different]
            goes_on = len(touched) < len(found)
            if goes_on:
                total = way.total or self._tables.steps.messages_since(way.line)
                # What has the same label as then may be met more than once.
                done = min(way.done + len(messages) - len(changed), total)
                way = replace(way, at=touched[-1][0], done=done, total=total)
            rounds += 1
            if lines or not goes_on or rounds == _ROUNDS:
                return lines, way if goes_on else None
        return [], None

    def _fitting(self, messages: Sequence[int], most: int | None) -> int:
        """How many of these a job may take into one piece."""
        return len(messages) if most is None else self._tables.messages.fitting(messages[:most], _WORDS)

    def take_base(
        self, model: Model, counts: Counts, learned: Learned, *, moment: float, sources: Sequence[str] = ()
    ) -> Marked:
        """Make this the imported base, in place of the one before: an undoable step.

        To add to the one before, hand in the two merged, with the `sources` of both. The model is brought up from the
        disk; where there are labels it is not settled afterwards, since they now follow another base.
        """
        bases = self._tables.bases
        with self._together(model):
            before, number = bases.current, bases.keep(counts, learned, moment, sources)
            step = self._tables.journal.begin(By.IMPORT, moment, before, number)
            self._use_base(model, number)
        return Marked((), step, base=True)

    def _travel_steps(self, model: Model, turn: _Turn, after: Marked | None) -> Marked:
        journal = self._tables.journal
        find = journal.to_redo if turn.forward else journal.to_undo
        with self._together(model):
            step, way = (journal.step(after.step), after.way) if after else (find(), None)
            # A step all of whose messages were relabelled elsewhere since has nothing left to take back.
            while step is not None:
                marked = self._turn(model, step, turn, way)
                if marked.changes or marked.base or marked.way or after:
                    return marked
                step = find()
        return Marked()

    def _turn(self, model: Model, step: UserStep, turn: _Turn, way: Way | None) -> Marked:
        lines, onward = self._still(step.number, turn, way)
        by, long = By.REDO if turn.forward else By.UNDO, bool(way or onward)
        changes = self._change(model, lines, by, turn.moment, step.number, long=long)
        if turn.forward or not onward:
            self._tables.journal.set_state(step.number, "done" if turn.forward else "undone")
        # The last piece speaks for what was passed over, too.
        told = [change.message for change in changes] if onward else None
        self._tables.outbox.want(step.number, turn.forward, told)
        if onward:
            return Marked(changes, step.number, way=onward)
        base = step.base_after if turn.forward else step.base_before
        if base is not None:
            self._use_base(model, base)
        return Marked(changes, step.number, base is not None)

    def _still(self, step: int, turn: _Turn, way: Way | None) -> tuple[list[Line], Way | None]:
        """The next lines of a step that can still be turned, and how it goes on."""
        journal, forward, most = self._tables.journal, turn.forward, turn.most
        while found := journal.step_lines(step, way.at if way else None, _one_more(most), backwards=not forward):
            numbered = found[: self._fitting([line.message for _, line in found], most)]
            lines = [one if forward else Line(one.message, one.after, one.before) for _, one in numbered]
            turned = _joined(lines, self._tables.labels.places(line.message for line in lines))
            goes_on = len(numbered) < len(found)
            if goes_on:
                done, total = (way.done, way.total) if way else (0, self._tables.steps.length(step))
                way = Way(numbered[-1][0], done=done + len(numbered), total=total)
            if turned or not goes_on:
                return turned if forward else turned[::-1], way if goes_on else None
        return [], None

    def _use_base(self, model: Model, number: int) -> None:
        tables = self._tables
        tables.bases.use(number)
        _, learned = tables.bases.start()
        model.restore(tables.counts.load(), learned)
        model.settled = model.settled and len(tables.labels) == 0
        tables.learned.write_fold(model, ())

    def _change(
        self,
        model: Model,
        lines: Sequence[Line],
        by: By,
        moment: float,
        step: int,
        *,
        counted: bool = False,
        long: bool = False,
    ) -> tuple[Change, ...]:
        """Carry out and note down these changes. Labels go out latest first and come in earliest first, as a fold.

        They are only `counted` if that is wished, or in a `long` job that a fold must follow.
        """
        if not lines:
            return ()
        samples = self._tables.messages.samples(line.message for line in lines)
        leaving = [(line.message, line.before) for line in lines if line.before]
        arriving = [(line.message, line.after) for line in lines if line.after]
        learned = self._take(model, sorted(leaving, key=_position, reverse=True), samples)
        arriving.sort(key=_position)
        if arriving and arriving[0][1].position < self._tables.labels.order.last():
            model.settled = False
        counted = counted or (long and not model.settled)
        self._put(model, arriving, samples, moment, counted=counted)
        self._tables.journal.write(lines, by, moment, step)
        self._tables.counts.apply([*_differences(lines, samples)], self._holding(model))
        if learned or (arriving and not counted):
            self._tables.learned.write_touched(model, samples.values())
        else:
            self._tables.learned.write_counted(model)
        return tuple(self._named(line) for line in lines)

    def _take(self, model: Model, leaving: Sequence[tuple[int, Place]], samples: dict[int, Sample]) -> bool:
        """Labels go, the latest first; whether more than counts went with them, as the first of them may allow."""
        labels, learned = self._tables.labels, False
        latest = labels.order.latest(len(leaving)) if model.settled else []
        for number, (message, place) in enumerate(leaving):
            step = labels.step(message) if model.settled and place.position == latest[number] else None
            learned = learned or step is not None
            model.unlearn(samples[message], labels.name(place.klass), step)
        labels.take(message for message, _ in leaving)
        return learned

    def _put(
        self,
        model: Model,
        arriving: Sequence[tuple[int, Place]],
        samples: dict[int, Sample],
        moment: float,
        *,
        counted: bool,
    ) -> None:
        """Labels come in the order of their places, so only the first can stand before what was learned already."""
        labels, steps = self._tables.labels, list[Step | None]([None] * len(arriving))
        ours, names = [samples[message] for message, _ in arriving], [labels.name(one.klass) for _, one in arriving]
        if counted:
            for sample, name in zip(ours, names, strict=True):
                model.count(sample, name)
        else:
            steps = [*model.learn_many(ours, names)]
        labels.put(((*one, step) for one, step in zip(arriving, steps, strict=True)), moment)

    def _holding(self, model: Model) -> Held:
        """Tells which words some message of a class holds now."""

        def held(klass: int, words: LongArray) -> Any:
            row = model.counts.row(self._tables.labels.name(klass))
            if row is None:
                return np.zeros(len(words), np.bool_)
            # Both, as the rows say: what was imported may hold occurrences without documents.
            tables = model.counts.documents[row], model.counts.occurrences[row]
            return np.logical_or(*(table.take(words, mode="clip") != 0 for table in tables))

        return held

    def _new_places(self, klass: int | None, messages: Sequence[int], mixed: bool) -> dict[int, Place]:
        if klass is None:
            return {}
        order = self._tables.labels.order
        if not mixed:
            first = order.next(len(messages))
            return {message: Place(klass, position) for position, message in enumerate(messages, first)}
        places = order.mixed_places(self._tables.messages.identities(messages))
        return {message: Place(klass, position) for message, position in places.items()}

    def _named(self, line: Line) -> Change:
        return Change(line.message, self._name_of(line.before), self._name_of(line.after))

    def _name_of(self, place: Place | None) -> str | None:
        return self._tables.labels.name(place.klass) if place else None

    @contextmanager
    def _together(self, model: Model) -> Iterator[None]:
        with self._connection.transaction():
            self._connection.when_rolled_back(lambda: self._tables.learned.load(model))
            yield


def _joined(lines: Iterable[Line], now: dict[int, Place]) -> list[Line]:
    """One line a message, for those lines, one after the other, that lead on from what the message has now."""
    joined: dict[int, Line] = {}
    for line in lines:
        known = joined.get(line.message)
        if (known.after if known else now.get(line.message)) == line.before:
            joined[line.message] = Line(line.message, known.before if known else line.before, line.after)
    return [line for line in joined.values() if line.before != line.after]


def _position(one: tuple[int, Place]) -> int:
    return one[1].position


def _one_more(most: int | None) -> int | None:
    """Of what a piece takes at most, with one more it is seen whether another piece follows."""
    return None if most is None else most + 1


def _class_of(place: Place | None) -> int | None:
    return place.klass if place else None


def _differences(lines: Iterable[Line], samples: dict[int, Sample]) -> Iterator[Difference]:
    for line in lines:
        if line.before:
            yield Difference(line.before.klass, samples[line.message], -1)
        if line.after:
            yield Difference(line.after.klass, samples[line.message], 1)
