"""Very many labelled messages at once, as files and indexes bring them: all of them one step of the journal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nbmail.store.files.connection import Connection
from nbmail.store.labels.journal import FILES, By
from nbmail.store.labels.marks import Marks
from nbmail.store.mail.messages import Content, Messages


@dataclass(frozen=True, slots=True)
class Lesson:
    """A message and its label."""

    content: Content
    label: str


class BulkLearning:
    """Keeps and labels lessons, in their order or `shuffled` among each other and those learned so before."""

    def __init__(
        self,
        connection: Connection,
        messages: Messages,
        marks: Marks,
        *,
        tokenizer: int,
        moment: float,
        shuffled: bool = False,
    ) -> None:
        self._connection, self._messages, self._marks = connection, messages, marks
        self._tokenizer, self._moment, self._shuffled = tokenizer, moment, shuffled
        self._step = 0

    def learn(self, pieces: Iterable[Sequence[Lesson]]) -> int:
        """Keep and label these in one transaction; how many labels changed. Labels that are there are passed over."""
        before = self._step
        with self._connection.transaction():
            self._connection.when_rolled_back(lambda: setattr(self, "_step", before))
            return sum(self._learn_piece(lessons) for lessons in pieces)

    def _learn_piece(self, lessons: Sequence[Lesson]) -> int:
        numbers, _ = self._messages.add([lesson.content for lesson in lessons], self._tokenizer)
        changed, labels = 0, dict[int, str | None]()
        for number, lesson in zip(numbers, lessons, strict=True):
            # A message that comes twice gets one label after the other.
            if number in labels:
                changed, labels = changed + self._label(labels), {}
            labels[number] = lesson.label
        return changed + self._label(labels)

    def _label(self, labels: dict[int, str | None]) -> int:
        marked = self._marks.mark(
            labels, by=By.FOLDER, moment=self._moment, step=self._step, shuffled=self._shuffled, folder=FILES
        )
        self._step = marked.step or self._step
        return len(marked.changes)
