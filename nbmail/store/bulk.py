"""Many labelled messages at once: the rows that taking and marking them one by one would make, written together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from nbmail.core.model import Model, Step
from nbmail.store.counts_table import Difference
from nbmail.store.labels import Place
from nbmail.store.store import Store
from nbmail.store.text import packed, storable
from nbmail.store.values import By, Content

# Below the number of parameters that every SQLite takes.
_ASKED_AT_ONCE = 500


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
        # What the transaction under way has learned and not yet counted on the disk.
        self._uncounted: list[Difference] = []

    def learn(self, lessons: Sequence[Lesson]) -> int:
        """Keep and learn these in one transaction; how many labels changed. What was learned before is passed over."""
        return self.learn_stream([lessons])

    def learn_stream(self, pieces: Iterable[Sequence[Lesson]]) -> int:
        """The same for lessons that come piece by piece: the counts of a word are written once for all of them."""
        store, step = self._store, self._step
        with store.transaction():
            store.connection.when_rolled_back(lambda: self._go_back(step))
            self._uncounted = []
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
        if self._uncounted:
            self._store.counts.apply(self._uncounted)
            self._store.learned.write_touched(self._model, [one.sample for one in self._uncounted])
            self._uncounted = []

    def _add(self, contents: Sequence[Content], last: int) -> list[int]:
        """Keep the messages that are new, numbered behind the last; the numbers of all."""
        known = self._known([content.identity for content in contents]) if last else {}
        numbering = count(last + 1)
        fresh: list[tuple[int, Content]] = []
        for content in contents:
            if content.identity not in known:
                known[content.identity] = next(numbering)
                fresh.append((known[content.identity], content))
        run = self._store.connection.execute_many
        run("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)", map(_message_row, fresh))
        run("INSERT INTO samples VALUES (?, ?, ?, ?, ?)", (self._sample_row(*one) for one in fresh))
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
        learned = [lessons[number] for number, _ in placed]
        steps = model.learn_many([one.content.sample for one in learned], [one.label for one in learned])
        store.connection.execute_many("INSERT INTO labels VALUES (?, ?, ?, ?, ?, ?)", self._label_rows(placed, steps))
        store.connection.execute_many(
            "INSERT INTO journal (step, moment, message, after, position_after, by) VALUES (?, ?, ?, ?, ?, ?)",
            ((step, self._moment, number, place.klass, place.position, By.FOLDER) for number, place in placed),
        )
        self._uncounted += [Difference(classes[one.label], one.content.sample, 1) for one in lessons.values()]

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
        return len(marked.changes)

    def _open_step(self) -> int:
        self._step = self._step or self._store.journal.begin(By.FOLDER, self._moment)
        return self._step

    def _label_rows(
        self, placed: Sequence[tuple[int, Place]], steps: Sequence[Step]
    ) -> Iterator[tuple[int, int, int, float, float, str]]:
        for (number, place), step in zip(placed, steps, strict=True):
            yield number, place.klass, place.position, self._moment, step.log_odds, _listed(step.details)

    def _sample_row(self, number: int, content: Content) -> tuple[int, int, bytes, bytes, str]:
        sample = content.sample
        return number, self._tokenizer, packed(sample.words), packed(sample.occurrences), _listed(sample.measures)


def _listed(numbers: Sequence[int]) -> str:
    """As `json.dumps` writes them, in a fifth of its time."""
    return repr(list(map(int, numbers)))


def _message_row(one: tuple[int, Content]) -> tuple[int, bytes, str, str, float, int, int]:
    number, content = one
    head = content.head
    sender, subject = storable(head.sender), storable(head.subject)
    return number, content.identity, sender, subject, head.date, head.size, int(head.attachments)
