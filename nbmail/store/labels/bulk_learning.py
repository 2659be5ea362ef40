"""Bulk import of labelled messages from files, as one undo step."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nbmail.store.labels.journal import FILES, By
from nbmail.store.labels.marks import Marks
from nbmail.store.mail.messages import Content
from nbmail.store.model.current_model import CurrentModel

# Samples kept in memory for the following rebuild: about 60 MB. Others are read again.
_SAMPLES = 20_000


class TrainingExample(NamedTuple):
    """Message with its label."""

    content: Content
    label: str


@dataclass(slots=True)
class BulkLearning:
    """Stores and labels messages, in their order or `shuffled` with those imported before."""

    marks: Marks
    model: CurrentModel
    tokenizer: int
    moment: float
    shuffled: bool = False
    step: int = 0

    def learn(self, chunks: Iterable[Sequence[TrainingExample]]) -> int:
        """Store and label messages in one transaction. Return the number of changed labels."""
        before, connection = self.step, self.marks.tables.connection
        self.model.defer()
        self.marks.tables.messages.most_recent = _SAMPLES
        with connection.transaction():
            connection.when_rolled_back(lambda: setattr(self, "step", before))
            changed = sum(self._learn_chunk(lessons) for lessons in chunks)
        connection.relieve()
        return changed

    def _learn_chunk(self, lessons: Sequence[TrainingExample]) -> int:
        numbers, _ = self.marks.tables.messages.add([one.content for one in lessons], self.tokenizer)
        changed, labels = 0, dict[int, str | None]()
        for number, lesson in zip(numbers, lessons, strict=True):
            # A message that comes twice gets both labels, one after the other.
            if number in labels:
                changed, labels = changed + self._label(labels), {}
            labels[number] = lesson.label
        return changed + self._label(labels)

    def _label(self, labels: dict[int, str | None]) -> int:
        marked = self.marks.mark(
            labels, by=By.FOLDER, moment=self.moment, step=self.step, shuffled=self.shuffled, folder=FILES
        )
        self.step = marked.step or self.step
        return len(marked.changes)
