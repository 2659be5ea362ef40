"""Learning of labelled messages from files, in bulk."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nbmail.core.counting.sample import Sample
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
    """Stores and labels messages in their order, or `shuffled`, as one undo step.

    `replace_samples`: called for outdated samples.
    """

    marks: Marks
    replace_samples: Callable[[dict[int, Sample], int], None]
    model: CurrentModel
    tokenizer: int
    moment: float
    shuffled: bool = False
    step: int = 0

    def learn(self, chunks: Iterable[Sequence[TrainingExample]]) -> int:
        """Store and label messages in one transaction. Return the number of changed labels."""
        connection = self.marks.tables.connection
        self.model.defer()
        self.marks.tables.samples.most_recent = _SAMPLES
        before = self.step

        def forget_step() -> None:
            self.step = before

        with connection.transaction():
            connection.when_rolled_back.append(forget_step)
            changed = sum(self._learn_chunk(examples) for examples in chunks)
        connection.relieve()
        return changed

    def _learn_chunk(self, examples: Sequence[TrainingExample]) -> int:
        contents = [one.content for one in examples]
        numbers, added = self.marks.tables.messages.add(contents, self.tokenizer)
        samples = dict(zip(numbers, (one.sample for one in contents), strict=True))
        self._replace_outdated(samples, added)

        changed = 0
        labels = dict[int, str | None]()
        for number, example in zip(numbers, examples, strict=True):
            # A message that comes twice gets both labels, one after the other.
            if number in labels:
                changed += self._label(labels)
                labels = {}
            labels[number] = example.label
        return changed + self._label(labels)

    def _replace_outdated(self, samples: dict[int, Sample], added: frozenset[int]) -> None:
        """Replace the stored samples of known messages that another tokenizer made."""
        known = [number for number in samples if number not in added]
        if known:
            outdated = self.marks.tables.samples.outdated_among(known, self.tokenizer)
            if outdated:
                replaced = {number: samples[number] for number in sorted(outdated)}
                self.replace_samples(replaced, self.tokenizer)

    def _label(self, labels: dict[int, str | None]) -> int:
        marked = self.marks.mark(
            labels,
            by=By.FOLDER,
            moment=self.moment,
            step=self.step,
            shuffled=self.shuffled,
            folder=FILES,
        )
        self.step = marked.step or self.step
        return len(marked.changes)
