"""Import of labels from `labels.log`, tables and other homes, and of labelled messages from
files.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nbmail.chunks import batches
from nbmail.core.counting.sample import Sample
from nbmail.store.labels.journal import FILES, By, Change
from nbmail.store.labels.label_records import LabelState, label_states, last_records, with_source
from nbmail.store.labels.marks import LabelChanges, Marks
from nbmail.store.mail.messages import Content
from nbmail.store.model.current_model import CurrentModel
from nbmail.values import FolderName, LabelRecord

ReadRecords = Callable[[], Iterable[LabelRecord]]
"""Reads the records from the beginning each time it is called."""
# Records whose messages are looked up at once.
_BATCH = 500


class LabelsImported(NamedTuple):
    """Messages that got another label, labels that wait for their messages, records older than the
    home's labels.
    """

    given: int = 0
    waiting: int = 0
    older: int = 0
    changes: LabelChanges = LabelChanges()


class LabelImport:
    """Assigns labels as records describe them: same source, time and folder, one record at a
    time.
    """

    def __init__(self, marks: Marks) -> None:
        self._tables = marks.tables
        self._marks = marks
        self._waiting = marks.tables.waiting_labels

    def lacking(self, read: ReadRecords) -> list[tuple[LabelRecord, str]]:
        """Return the last record of each message whose label an import from this home's log would
        change, and it.
        """
        return [(record, label) for record, _, label in self._plan(read, own=True)[0]]

    def run(self, read: ReadRecords, moment: float | None, *, own: bool = False) -> LabelsImported:
        """Assign the labels in one transaction. A label that this home assigned after the last
        record stays.

        Labels of unknown messages are stored until the messages arrive. The labels of each folder
        are one undo step at `moment`; with None the import can't be undone. `own`: the records come
        from this home's log. Then positions in the learning order are used, and a label that this
        home removed after the last record stays removed.
        """
        with self._tables.connection.transaction():
            plan, older = self._plan(read, own=own)
            known = {record.identity: number for record, number, _ in plan if number}
            changes = self._assign(self._known(read, known), moment, own=own)
            waiting = (record for record, number, _ in plan if not number)
            self._waiting.put(
                (each if own else each._replace(position=0) for each in waiting), logged=own
            )
        return LabelsImported(len(known), len(self._waiting), older, changes)

    def assign_waiting(self, messages: dict[bytes, int]) -> LabelChanges:
        """Assign the stored labels of messages that have just arrived, except where a server set a
        label.
        """
        records = self._waiting.take(messages)
        labelled = self._tables.labels.of(messages[identity] for identity in records)
        # Of the labels under two identities of one message the later one counts.
        latest = {
            messages[each.identity]: each
            for each in sorted(records.values(), key=lambda one: one.moment)
        }
        return self._assign(
            (pair for pair in latest.items() if pair[0] not in labelled), None, own=True
        )

    def _known(
        self, read: ReadRecords, known: Mapping[bytes, int]
    ) -> Iterator[tuple[int, LabelRecord]]:
        """Yield the records of known messages, and store the Message-IDs of all."""
        for batch in batches(read(), _BATCH):
            self._tables.messages.note_ids({record.identity: record.message_id for record in batch})
            yield from (
                (known[record.identity], record) for record in batch if record.identity in known
            )

    def _assign(
        self, records: Iterable[tuple[int, LabelRecord]], moment: float | None, *, own: bool
    ) -> LabelChanges:
        """Assign labels in the order of their records, those together that differ only in their
        messages.

        `moment`: time of the undo steps, one for each folder; None if the import can't be undone.
        """
        steps = dict[FolderName, int]()
        done = list[Change]()
        for group in _alike(records):
            first = next(iter(group.values()))
            by = By(first.by or By.FOLDER)
            folder = FolderName(first.account, first.folder) if by is By.FOLDER else FILES
            if moment is not None and folder not in steps:
                steps[folder] = self._tables.steps.begin(By.FOLDER, moment, folder=folder)
            marked = self._marks.mark(
                {number: record.label or None for number, record in group.items()},
                by=by,
                moment=first.moment,
                step=steps.get(folder)
                or self._tables.steps.begin(by, first.moment, folder=folder, past=True),
                positions={number: record.position for number, record in group.items()}
                if own
                else {},
            )
            done += marked.changes
        return LabelChanges(tuple(done), max(steps.values(), default=0))

    def _plan(
        self, read: ReadRecords, *, own: bool
    ) -> tuple[list[tuple[LabelRecord, int, str]], int]:
        """Return the records to apply, with the number of the message (0 for an unknown one) and
        its label here.

        Also return how many records are older than another label here.
        """
        found = list[tuple[LabelRecord, int, str]]()
        older = 0
        for batch in batches(last_records(read()).values(), _BATCH):
            numbers = self._tables.messages.find(record.identity for record in batch)
            states = label_states(self._tables.connection, numbers.values())
            stored = self._waiting.get(
                record.identity for record in batch if record.identity not in numbers
            )
            for record in batch:
                number = numbers.get(record.identity, 0)
                here = stored.get(record.identity)
                state = LabelState(here.label, here.moment, here.moment) if here else LabelState()
                state = states[number] if number else state
                if (state.changed if own else state.moment) > record.moment:
                    older += state.label != record.label
                elif state.label != record.label or not state.is_logged:
                    found.append((record, number, state.label))
        return found, older


def _alike(records: Iterable[tuple[int, LabelRecord]]) -> Iterator[dict[int, LabelRecord]]:
    """Yield successive records with the same time and source, each message once."""
    group = dict[int, LabelRecord]()
    sources = dict[tuple[bytes, str], LabelRecord]()
    for number, unsourced in records:
        record = with_source(unsourced, sources)
        if group and (number in group or next(iter(group.values()))[2:6] != record[2:6]):
            yield group
            group = {}
        group[number] = record
    if group:
        yield group


# Samples kept in memory for the following rebuild: about 60 MB. Others are read again.
_SAMPLES = 20_000


class TrainingExample(NamedTuple):
    """Message with its label."""

    content: Content
    label: str


@dataclass(slots=True)
class BulkLearning:
    """Stores and labels messages in their order, or `shuffled`. `replace_samples`: called for
    outdated samples.
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
        before = self.step
        connection = self.marks.tables.connection
        self.model.defer()
        self.marks.tables.messages.most_recent = _SAMPLES
        with connection.transaction():
            connection.when_rolled_back.append(lambda: setattr(self, "step", before))
            changed = sum(self._learn_chunk(lessons) for lessons in chunks)
        connection.relieve()
        return changed

    def _learn_chunk(self, lessons: Sequence[TrainingExample]) -> int:
        tables = self.marks.tables
        numbers, added = tables.messages.add([one.content for one in lessons], self.tokenizer)
        if known := [number for number in numbers if number not in added]:
            samples = dict(zip(numbers, (one.content.sample for one in lessons), strict=True))
            query = f"SELECT message FROM samples WHERE tokenizer <> {self.tokenizer:d} AND message"
            if outdated := tables.connection.column_among(query, known):
                self.replace_samples(
                    {number: samples[number] for number in sorted(outdated)}, self.tokenizer
                )
        changed = 0
        labels = dict[int, str | None]()
        for number, lesson in zip(numbers, lessons, strict=True):
            # A message that comes twice gets both labels, one after the other.
            if number in labels:
                changed = changed + self._label(labels)
                labels = {}
            labels[number] = lesson.label
        return changed + self._label(labels)

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
