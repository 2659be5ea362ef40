"""Many labelled messages at once: the rows that taking and marking them one by one would make, written together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

import numpy as np

from nbmail.core.counting.sample import IntArray
from nbmail.core.judging.model import Model, Step
from nbmail.store.files.many_rows import write_many
from nbmail.store.files.row_values import storable
from nbmail.store.labels.labels import Place
from nbmail.store.model.gains import Moment
from nbmail.store.store import Store
from nbmail.store.values import By, Content

# Below the number of parameters that every SQLite takes.
_ASKED_AT_ONCE = 500
_JOURNAL = "journal (step, moment, message, after, position_after, by)"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A message and its label."""

    content: Content
    label: str


class BulkLearning:
    """Learns lessons, all of them one step of the journal.

    In their order, or `mixed` among each other and those learned so before. The model is then left unsettled where
    it knew something already, to be folded anew once all lessons are in.
    Twice as fast as taking messages and marking them class by class, since statements run for many rows and no sample
    is read back.
    """

    def __init__(self, store: Store, model: Model, *, tokenizer: int, moment: float, mixed: bool = False) -> None:
        self._store = store
        self._model = model
        self._tokenizer = tokenizer
        self._moment = moment
        self._mixed = mixed
        self._step = 0
        # What the disk's counts are, while the model has learned more in the transaction under way.
        self._counted: Moment | None = None

    def learn(self, lessons: Sequence[Lesson]) -> int:
        """Keep and learn these in one transaction; how many labels changed. What was learned before is passed over."""
        return self.learn_stream([lessons])

    def learn_stream(self, pieces: Iterable[Sequence[Lesson]]) -> int:
        """The same for lessons that come piece by piece: the counts of a word are written once for all of them."""
        store, step = self._store, self._step
        with store.transaction():
            store.connection.when_rolled_back(lambda: self._go_back(step))
            self._counted = None
            changed = sum(self._learn_piece(lessons) for lessons in pieces)
            self._count()
            return changed

    def _go_back(self, step: int) -> None:
        self._step = step
        self._store.load_model(self._model)

    def _learn_piece(self, lessons: Sequence[Lesson]) -> int:
        last = self._store.messages.last()
        numbers = self._add([lesson.content for lesson in lessons], last)
        first: dict[int, Lesson] = {}
        again: list[tuple[int, str]] = []
        for number, lesson in zip(numbers, lessons, strict=True):
            # A message known before is learned with the sample that is stored, whatever made this one.
            if number <= last or number in first:
                again.append((number, lesson.label))
            else:
                first[number] = lesson
        self._label(first)
        if again:
            self._count()
        return len(first) + sum(self._relabel(number, label) for number, label in again)

    def _count(self) -> None:
        """Bring the disk to what the model has learned."""
        if self._counted is None:
            return
        store, touched = self._store, np.zeros(self._model.counts.width, np.bool_)
        for gain in self._counted.gains(self._model.counts):
            klass = store.labels.number(gain.label)
            store.counts.change_class(klass, gain.messages, gain.measures)
            store.counts.change_words(klass, gain.words, gain.documents, gain.occurrences)
            touched[gain.words] = True
        store.learned.write_words(self._model, np.flatnonzero(touched).astype(np.int32))
        self._counted = None

    def _add(self, contents: Sequence[Content], last: int) -> list[int]:
        """Keep the messages that are new, numbered behind the last; the numbers of all."""
        known = self._known([content.identity for content in contents]) if last else {}
        numbering = count(last + 1)
        fresh: list[tuple[int, Content]] = []
        for content in contents:
            if content.identity not in known:
                known[content.identity] = next(numbering)
                fresh.append((known[content.identity], content))
        heads, samples = (chain.from_iterable(map(row, fresh)) for row in (_message_row, self._sample_row))
        self._insert("messages", "(?, ?, ?, ?, ?, ?, ?)", heads)
        self._insert("samples", "(?, ?, ?, ?, ?)", samples)
        self._store.words.write()
        return [known[content.identity] for content in contents]

    def _known(self, identities: Sequence[bytes]) -> dict[bytes, int]:
        """The numbers of those that are known: one query for a few hundred."""
        known: dict[bytes, int] = {}
        for first in range(0, len(identities), _ASKED_AT_ONCE):
            asked = identities[first : first + _ASKED_AT_ONCE]
            marks = ", ".join("?" * len(asked))
            known.update(
                self._store.connection.rows(f"SELECT identity, number FROM messages WHERE identity IN ({marks})", asked)
            )
        return known

    def _label(self, lessons: dict[int, Lesson]) -> None:
        """Give messages their first label."""
        if not lessons:
            return
        store, model, step = self._store, self._model, self._open_step()
        classes = {label: store.labels.number(label) for label in dict.fromkeys(one.label for one in lessons.values())}
        last = store.labels.order.last()
        placed = [
            (number, Place(classes[lessons[number].label], position)) for number, position in self._positions(lessons)
        ]
        model.settled = model.settled and placed[0][1].position > last
        self._counted = self._counted or Moment(model.counts)
        learned = [lessons[number] for number, _ in placed]
        steps = model.learn_many([one.content.sample for one in learned], [one.label for one in learned])
        lines = ((step, self._moment, number, place.klass, place.position, By.FOLDER.value) for number, place in placed)
        self._insert("labels", "(?, ?, ?, ?, ?, ?)", chain.from_iterable(self._label_rows(placed, steps)))
        self._insert(_JOURNAL, "(?, ?, ?, ?, ?, ?)", chain.from_iterable(lines))

    def _positions(self, lessons: dict[int, Lesson]) -> list[tuple[int, int]]:
        """The messages with their places in the order, first to last."""
        order = self._store.labels.order
        if self._mixed:
            places = [(number, order.mixed(number, lesson.content.identity)) for number, lesson in lessons.items()]
            return sorted(places, key=lambda one: one[1])
        begin = order.next()
        self._store.settings.set("next_position", begin + len(lessons))
        return list(zip(lessons, count(begin), strict=False))

    def _relabel(self, number: int, label: str) -> int:
        marked = self._store.marks.mark(
            self._model,
            [number],
            label,
            by=By.FOLDER,
            moment=self._moment,
            step=self._step,
            mixed=self._mixed,
        )
        self._step = self._step or marked.step
        self._store.steps.note_folder(self._step)
        return len(marked.changes)

    def _open_step(self) -> int:
        self._step = self._step or self._store.journal.begin(By.FOLDER, self._moment)
        self._store.steps.note_folder(self._step)
        return self._step

    def _label_rows(
        self, placed: Sequence[tuple[int, Place]], steps: Sequence[Step]
    ) -> Iterator[tuple[int, int, int, float, float, str]]:
        for (number, place), step in zip(placed, steps, strict=True):
            yield number, place.klass, place.position, self._moment, step.log_odds, _listed(step.details)

    def _sample_row(self, one: tuple[int, Content]) -> tuple[int, int, IntArray, IntArray, str]:
        number, sample = one[0], one[1].sample
        return number, self._tokenizer, _stored(sample.words), _stored(sample.occurrences), _listed(sample.measures)

    def _insert(self, table: str, row: str, values: Iterable[Any]) -> None:
        write_many(self._store.connection, f"INSERT INTO {table}", row, values)


def _stored(numbers: IntArray) -> IntArray:
    """As `packed`, but SQLite copies it from where it lies."""
    return np.ascontiguousarray(numbers, "<i4")


def _listed(numbers: Sequence[int]) -> str:
    """As `json.dumps` writes them, in a fifth of its time."""
    return repr(list(map(int, numbers)))


def _message_row(one: tuple[int, Content]) -> tuple[int, bytes, str, str, float, int, int]:
    number, content = one
    head = content.head
    sender, subject = storable(head.sender), storable(head.subject)
    return number, content.identity, sender, subject, head.date, head.size, int(head.attachments)
