"""Labels and the journal row by row, by what messages are rather than by their numbers: to be read by anybody."""

from collections.abc import Iterable, Iterator

from nbmail.store.files.connection import Connection, listed

LabelRow = tuple[bytes, str, float, str, str, str, str]
"""Identity, label (empty where it was taken away), moment, by whom, the account and folder it was learned from, and the
Message-ID."""

_AT_ONCE = 500
_WHO = """coalesce(journal.by, ''), coalesce(steps.account, ''), coalesce(steps.folder, ''),
  coalesce((SELECT message_id FROM message_ids WHERE message_ids.identity = messages.identity), '')"""
# Who gave a label is told by the line that put it to this very place, not by one that only brought it back.
_LABELS = f"""
SELECT position, messages.identity, name, coalesce(journal.moment, labels.moment), {_WHO}
FROM labels JOIN messages ON messages.number = labels.message JOIN classes ON classes.number = class
LEFT JOIN journal ON journal.number = (
  SELECT max(number) FROM journal AS gave WHERE gave.message = labels.message AND gave.after = class
  AND gave.position_after = position AND gave.by NOT IN ('undo', 'redo', 'travel'))
LEFT JOIN steps ON steps.number = journal.step WHERE position > ? ORDER BY position LIMIT ?
"""
_JOURNAL = f"""
SELECT journal.number, messages.identity, coalesce(name, ''), journal.moment, {_WHO}
FROM journal JOIN messages ON messages.number = journal.message LEFT JOIN classes ON classes.number = after
LEFT JOIN steps ON steps.number = journal.step WHERE journal.number > ? ORDER BY journal.number LIMIT ?
"""
_WAITING = """
SELECT identity, identity, label, moment, by, account, folder, coalesce(message_id, '')
FROM waiting_labels LEFT JOIN message_ids USING (identity)
WHERE identity > ? AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.identity = waiting_labels.identity)
ORDER BY identity LIMIT ?
"""
_STATES = """
SELECT messages.number, labels.moment, coalesce(name, ''),
  EXISTS (SELECT 1 FROM journal WHERE message = messages.number)
FROM messages LEFT JOIN labels ON labels.message = messages.number LEFT JOIN classes ON classes.number = class
WHERE messages.number IN (SELECT value FROM json_each(?))
"""


def label_rows(connection: Connection) -> Iterator[LabelRow]:
    """Every label, in the order in which they are learned; then those that wait for their messages."""
    yield from _rows(connection, _LABELS)
    yield from _rows(connection, _WAITING, b"")


def journal_rows(connection: Connection) -> Iterator[LabelRow]:
    """Every change of a label, in the order in which they were made."""
    return _rows(connection, _JOURNAL)


def states_of(connection: Connection, messages: Iterable[int]) -> dict[int, tuple[float | None, str, bool]]:
    """Of each message when it got its label, which, empty without one, and whether the journal knows it."""
    rows = connection.rows(_STATES, (listed(messages),))
    return {number: (moment, label, bool(known)) for number, moment, label, known in rows}


def _rows(connection: Connection, query: str, last: int | bytes = -1) -> Iterator[LabelRow]:
    while rows := connection.rows(query, (last, _AT_ONCE)):
        last = rows[-1][0]
        yield from (row[1:] for row in rows)
