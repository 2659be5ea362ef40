"""Import of labels from records: same source, time and folder, one record at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from nbmail.chunks import batches
from nbmail.store.labels.journal import FILES, By, Change
from nbmail.store.labels.marks import LabelChanges, Marks
from nbmail.store.labels_log.earlier_builds import earlier_identities
from nbmail.store.labels_log.label_records import (
    LabelState,
    label_states,
    last_records,
    with_source,
)
from nbmail.values import FolderName, LabelRecord

ReadRecords = Callable[[], Iterable[LabelRecord]]
"""Reads the records from the beginning each time it is called."""
# Records whose messages are looked up at once.
_BATCH = 500


class LabelsImported(NamedTuple):
    """Result of an import.

    `given`: number of messages that got another label. `waiting`: number of labels that wait for
    their messages. `older`: number of records older than the home's labels.
    """

    given: int = 0
    waiting: int = 0
    older: int = 0
    changes: LabelChanges = LabelChanges()


class _Plan(NamedTuple):
    """Records to apply: those of known messages, with their numbers, and of unknown messages."""

    known: dict[bytes, int]
    unknown: list[LabelRecord]
    older: int


class LabelImport:
    """Assigns labels as records describe them."""

    def __init__(self, marks: Marks) -> None:
        self._tables = marks.tables
        self._marks = marks
        self._waiting = marks.tables.waiting_labels

    def run(self, read: ReadRecords, moment: float, *, own: bool = False) -> LabelsImported:
        """Assign the labels in one transaction. A label that this home assigned later stays.

        Labels of unknown messages are stored until the messages arrive. The labels of each folder
        are one undo step at `moment`. `own`: the records come from this home's log. Then positions
        in the learning order are used, and a label that this home removed later stays removed.
        """
        with self._tables.connection.transaction():
            plan = self._plan(read, own=own)
            known = self._records_of(plan.known, read)
            changes = self._assign(known, moment, use_positions=own)
            unknown = plan.unknown
            if not own:
                unknown = [record._replace(position=0) for record in unknown]
            self._waiting.put(unknown, logged=own)
        waiting = sum(bool(record.label) for record in unknown)
        return LabelsImported(len(plan.known), waiting, plan.older, changes)

    def earlier_names(self, messages: Iterable[tuple[int, bytes]]) -> dict[bytes, int]:
        """Return messages by their identities in earlier builds, if a label has such a one.

        `messages`: number and raw mail.
        """
        names = dict[bytes, int]()
        if self._waiting.has_earlier:
            for message, raw in messages:
                for identity in earlier_identities(raw):
                    names.setdefault(identity, message)
        return names

    def assign_waiting(self, messages: Mapping[bytes, int]) -> LabelChanges:
        """Assign the stored labels of messages that have just arrived, except labelled ones."""
        records = self._waiting.take(messages)
        labelled = self._tables.labels.of(messages[identity] for identity in records)
        # Of the labels under several identities of one message the latest counts.
        latest = dict[int, LabelRecord]()
        for record in sorted(records.values(), key=lambda each: each.moment):
            message = messages[record.identity]
            if message not in labelled:
                latest[message] = record
        return self._assign(latest.items(), None, use_positions=True)

    def _plan(self, read: ReadRecords, *, own: bool) -> _Plan:
        known = dict[bytes, int]()
        unknown = list[LabelRecord]()
        older = 0
        for batch in batches(last_records(read()).values(), _BATCH):
            numbers = self._tables.messages.find(record.identity for record in batch)
            states = label_states(self._tables.connection, numbers.values())
            stored = self._waiting.get(
                record.identity for record in batch if record.identity not in numbers
            )
            for record in batch:
                number = numbers.get(record.identity)
                if number is not None:
                    state = states[number]
                else:
                    state = _state_of(stored.get(record.identity))
                is_same = state.label == record.label
                if is_same and state.has_history:
                    continue
                if (state.changed if own else state.moment) > record.moment:
                    older += not is_same
                elif number is not None:
                    known[record.identity] = number
                else:
                    unknown.append(record)
        return _Plan(known, unknown, older)

    def _records_of(
        self, known: Mapping[bytes, int], read: ReadRecords
    ) -> Iterator[tuple[int, LabelRecord]]:
        """Yield the records of known messages, and store the Message-IDs of all."""
        for batch in batches(read(), _BATCH):
            self._tables.messages.note_ids({record.identity: record.message_id for record in batch})
            for record in batch:
                if record.identity in known:
                    yield known[record.identity], record

    def _assign(
        self,
        records: Iterable[tuple[int, LabelRecord]],
        moment: float | None,
        *,
        use_positions: bool,
    ) -> LabelChanges:
        """Assign labels in the order of their records, equal ones together.

        `moment`: time of the undo steps, one for each folder; None if it can't be undone.
        """
        steps = dict[FolderName, int]()
        done = list[Change]()
        for group in _alike(records):
            first = next(iter(group.values()))
            by = By(first.by or By.FOLDER)
            folder = FolderName(first.account, first.folder) if by is By.FOLDER else FILES
            if moment is None:
                step = self._tables.steps.begin(by, first.moment, folder=folder, past=True)
            elif folder in steps:
                step = steps[folder]
            else:
                step = self._tables.steps.begin(By.FOLDER, moment, folder=folder)
                steps[folder] = step
            marked = self._marks.mark(
                {number: record.label or None for number, record in group.items()},
                by=by,
                moment=first.moment,
                step=step,
                positions={number: record.position for number, record in group.items()}
                if use_positions
                else {},
            )
            done += marked.changes
        return LabelChanges(tuple(done), max(steps.values(), default=0))


def _state_of(stored: LabelRecord | None) -> LabelState:
    """Return the state of an unknown message, for which a label may wait."""
    if stored is None:
        return LabelState()
    return LabelState(stored.label, stored.moment, stored.moment)


def _alike(records: Iterable[tuple[int, LabelRecord]]) -> Iterator[dict[int, LabelRecord]]:
    """Yield successive records with the same time and source, each message once."""
    group = dict[int, LabelRecord]()
    kind: tuple[float, str, str, str] | None = None
    sources = dict[tuple[bytes, str], LabelRecord]()
    for number, unsourced in records:
        record = with_source(unsourced, sources)
        next_kind = (record.moment, record.by, record.account, record.folder)
        if group and (number in group or next_kind != kind):
            yield group
            group = {}
        kind = next_kind
        group[number] = record
    if group:
        yield group
