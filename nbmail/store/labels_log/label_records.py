"""Records of labels, which name messages by their identities."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from nbmail.store.files.connection import Connection
from nbmail.store.labels.journal import RESTORING, By
from nbmail.store.labels_log.waiting_labels import WaitingLabels
from nbmail.values import LabelRecord

# Records read at once.
_BATCH = 500
# The source of a label is the entry that first assigned it at this position, not one that only
# restored it.
_LABELS = """
SELECT
  messages.identity, name, coalesce(journal.moment, labels.moment), coalesce(journal.by, ''),
  coalesce(steps.account, ''), coalesce(steps.folder, ''), coalesce(message_id, ''), '', 0, 0,
  position
FROM labels
JOIN messages ON messages.number = labels.message
JOIN classes ON classes.number = class
LEFT JOIN message_ids USING (identity)
LEFT JOIN journal ON journal.number = (
  SELECT max(number) FROM journal AS gave
  WHERE gave.message = labels.message AND gave.after = class AND gave.position_after = position
    AND gave.by NOT IN ('undo', 'redo', 'restore')
)
LEFT JOIN steps ON steps.number = journal.step
WHERE position > ? ORDER BY position LIMIT ?
"""
_ENTRIES = """
SELECT
  messages.identity, coalesce(now.name, ''), journal.moment, journal.by,
  coalesce(steps.account, ''), coalesce(steps.folder, ''), coalesce(message_id, ''),
  coalesce(earlier.name, ''), journal.number, coalesce(step, 0), coalesce(position_after, 0)
FROM journal
JOIN messages ON messages.number = journal.message
LEFT JOIN message_ids USING (identity)
LEFT JOIN classes AS now ON now.number = after
LEFT JOIN classes AS earlier ON earlier.number = before
LEFT JOIN steps ON steps.number = step
WHERE journal.number > ? ORDER BY journal.number LIMIT ?
"""
_STATES = """
SELECT
  messages.number, coalesce(name, ''), coalesce(labels.moment, 0),
  coalesce(
    (SELECT moment FROM journal WHERE message = messages.number ORDER BY number DESC LIMIT 1), 0),
  EXISTS (SELECT 1 FROM journal WHERE message = messages.number)
FROM messages
LEFT JOIN labels ON labels.message = messages.number
LEFT JOIN classes ON classes.number = class
WHERE messages.number
"""


class LabelState(NamedTuple):
    """Label of a message ("" if none), when it was assigned, and when it changed last.

    `has_history`: False if the journal has no entry of the message.
    """

    label: str = ""
    moment: float = 0.0
    changed: float = 0.0
    has_history: bool = True


def label_records(connection: Connection) -> Iterator[LabelRecord]:
    """Yield all labels in learning order, then the labels of unknown messages."""
    last = -1
    while records := _records(connection, _LABELS, last):
        last = records[-1].position
        yield from records
    yield from WaitingLabels(connection).records()


def journal_records(connection: Connection, after: int = 0) -> Iterator[LabelRecord]:
    """Yield all journal entries behind the entry number `after`, in order."""
    while records := _records(connection, _ENTRIES, after):
        after = records[-1].entry
        yield from records


def label_states(connection: Connection, messages: Iterable[int]) -> dict[int, LabelState]:
    return {number: LabelState(*state) for number, *state in connection.among(_STATES, messages)}


def _records(connection: Connection, query: str, last: int) -> list[LabelRecord]:
    return [LabelRecord._make(row) for row in connection.rows(query, (last, _BATCH))]


def last_records(records: Iterable[LabelRecord]) -> Mapping[bytes, LabelRecord]:
    """Return the last record of each message, with the source of its label.

    Undo, redo and restore only bring a label back: `by`, `account` and `folder` are those of the
    record that assigned the label first.
    """
    last = dict[bytes, LabelRecord]()
    sources = dict[tuple[bytes, str], LabelRecord]()
    for record in records:
        last[record.identity] = with_source(record, sources)
    return last


def with_source(record: LabelRecord, sources: dict[tuple[bytes, str], LabelRecord]) -> LabelRecord:
    """Return the record with the source of its label.

    `sources` collects the records that assigned a label.
    """
    if record.by not in RESTORING:
        sources[record.identity, record.label] = record
        return record
    source = sources.get((record.identity, record.label))
    if source is None:
        return record._replace(by=By.RESTORE.value, account="", folder="")
    return record._replace(by=source.by, account=source.account, folder=source.folder)
