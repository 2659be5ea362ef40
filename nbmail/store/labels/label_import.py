"""Import of labels from `labels.log`, tables and other homes, and of labelled messages from files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import NamedTuple

from nbmail.core.counting.sample import Sample
from nbmail.store.labels.journal import FILES, By
from nbmail.store.labels.label_records import LabelState, WaitingLabels, label_states, last_records, with_source
from nbmail.store.labels.marks import Change, LabelChanges, LabelTables, Marks
from nbmail.store.mail.messages import Content
from nbmail.store.model.current_model import CurrentModel
from nbmail.values import FolderName, LabelRecord

ReadRecords = Callable[[], Iterable[LabelRecord]]
"""Reads the records from the beginning each time it is called."""
# Records whose messages are looked up at once.
_BATCH = 500


class LabelsImported(NamedTuple):
    """Messages that got another label, labels that wait for their messages, records older than the home's labels."""

    given: int = 0
    waiting: int = 0
    older: int = 0
    changes: LabelChanges = LabelChanges()


class _Plan(NamedTuple):
    """Known messages to label, by identity; records to store until their messages arrive; number of older records."""

    messages: dict[bytes, int]
    waiting: dict[bytes, LabelRecord]
    older: int


class LabelImport:
    """Assigns labels as records describe them: same source, time and folder, one record at a time."""

    def __init__(self, tables: LabelTables, marks: Marks, waiting: WaitingLabels) -> None:
        self._tables, self._marks, self._waiting = tables, marks, waiting

    def lacking(self, read: ReadRecords) -> list[LabelRecord]:
        """Return the last record of each message whose label an import from this home's log would change."""
        last = last_records(read())
        plan = self._plan(last.values(), own=True)
        return [last[identity] for identity in chain(plan.messages, plan.waiting)]

    def labels(self, identities: Iterable[bytes]) -> dict[bytes, str]:
        """Return the labels of messages, known or not; "" for none."""
        wanted = list(identities)
        numbers, waiting = self._tables.messages.find(wanted), self._waiting.get(wanted)
        states = label_states(self._tables.connection, numbers.values())
        found = {identity: states[number].label for identity, number in numbers.items()}
        return dict.fromkeys(wanted, "") | found | {identity: record.label for identity, record in waiting.items()}

    def run(self, read: ReadRecords, moment: float, *, undoable: bool = True, own: bool = False) -> LabelsImported:
        """Assign the labels in one transaction. A label that this home assigned after the last record stays.

        Labels of unknown messages are stored until the messages arrive. The labels of each folder are one undo step if
        `undoable`. `own`: the records come from this home's log. Then positions in the learning order are used, and a
        label that this home removed after the last record stays removed.
        """
        tables = self._tables
        with tables.connection.transaction():
            plan = self._plan(last_records(read()).values(), own)
            assigner = _Assigner(tables, self._marks, moment, undoable, own)
            for batch in _batches(read()):
                tables.messages.note_ids({record.identity: record.message_id for record in batch})
                for record in batch:
                    if record.identity in plan.messages:
                        assigner.add(plan.messages[record.identity], record)
            assigner.flush()
            self._waiting.put(
                (record if own else record._replace(position=0) for record in plan.waiting.values()), logged=own
            )
        return LabelsImported(len(plan.messages), len(self._waiting), plan.older, assigner.changes())

    def assign_waiting(self, messages: dict[bytes, int]) -> LabelChanges:
        """Assign the stored labels of messages that have just arrived, except where a server set a label."""
        records = self._waiting.take(messages)
        labelled = self._tables.labels.of(messages[identity] for identity in records)
        assigner = _Assigner(self._tables, self._marks, 0.0, undoable=False, own=True)
        # Of the labels under two identities of one message the later one counts.
        latest = {messages[each.identity]: each for each in sorted(records.values(), key=lambda one: one.moment)}
        for message, record in latest.items():
            if message not in labelled:
                assigner.add(message, record)
        assigner.flush()
        return assigner.changes()

    def _plan(self, last: Iterable[LabelRecord], own: bool) -> _Plan:
        messages, waiting, older = dict[bytes, int](), dict[bytes, LabelRecord](), 0
        for batch in _batches(last):
            numbers = self._tables.messages.find(record.identity for record in batch)
            states = label_states(self._tables.connection, numbers.values())
            stored = self._waiting.get(record.identity for record in batch if record.identity not in numbers)
            for record in batch:
                number, here = numbers.get(record.identity), stored.get(record.identity)
                state = (
                    states[number]
                    if number
                    else LabelState(here.label, here.moment, here.moment)
                    if here
                    else LabelState()
                )
                if (state.changed if own else state.moment) > record.moment:
                    older += state.label != record.label
                elif state.label == record.label and state.is_logged:
                    continue
                elif number:
                    messages[record.identity] = number
                else:
                    waiting[record.identity] = record
        return _Plan(messages, waiting, older)


@dataclass(slots=True)
class _Assigner:
    """Assigns labels in the order of their records, those together that differ only in their messages."""

    tables: LabelTables
    marks: Marks
    moment: float
    undoable: bool
    own: bool
    done: list[Change] = field(default_factory=list)
    _steps: dict[FolderName, int] = field(default_factory=dict)
    _sources: dict[tuple[bytes, str], LabelRecord] = field(default_factory=dict)
    _pending: dict[int, LabelRecord] = field(default_factory=dict)

    def add(self, number: int, record: LabelRecord) -> None:
        """Assign the label after all labels added before."""
        record = with_source(record, self._sources)
        first = next(iter(self._pending.values()), record)
        if number in self._pending or first[2:6] != record[2:6]:
            self.flush()
        self._pending[number] = record

    def flush(self) -> None:
        records, self._pending = self._pending, {}
        for first in islice(records.values(), 1):
            by = By(first.by or By.FOLDER)
            folder = FolderName(first.account, first.folder) if by is By.FOLDER else FILES
            if self.undoable and folder not in self._steps:
                self._steps[folder] = self.tables.steps.begin(By.FOLDER, self.moment, folder=folder)
            done = self.marks.mark(
                {number: record.label or None for number, record in records.items()},
                by=by,
                moment=first.moment,
                step=self._steps.get(folder) or self.tables.steps.past(by, first.moment, folder=folder),
                positions={number: record.position for number, record in records.items()} if self.own else {},
            )
            self.done += done.changes

    def changes(self) -> LabelChanges:
        return LabelChanges(tuple(self.done), max(self._steps.values(), default=0) if self.undoable else 0)


def _batches(records: Iterable[LabelRecord]) -> Iterator[list[LabelRecord]]:
    remaining = iter(records)
    while batch := list(islice(remaining, _BATCH)):
        yield batch


# Samples kept in memory for the following rebuild: about 60 MB. Others are read again.
_SAMPLES = 20_000


class TrainingExample(NamedTuple):
    """Message with its label."""

    content: Content
    label: str


@dataclass(slots=True)
class BulkLearning:
    """Stores and labels messages in their order, or `shuffled`. `replace_samples`: called for outdated samples."""

    marks: Marks
    replace_samples: Callable[[dict[int, Sample], int], None]
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
        tables = self.marks.tables
        numbers, added = tables.messages.add([one.content for one in lessons], self.tokenizer)
        if known := [number for number in numbers if number not in added]:
            samples = dict(zip(numbers, (one.content.sample for one in lessons), strict=True))
            rows = tables.connection.among(
                f"SELECT message FROM samples WHERE tokenizer <> {self.tokenizer:d} AND message", known
            )
            if rows:
                self.replace_samples({number: samples[number] for (number,) in rows}, self.tokenizer)
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
