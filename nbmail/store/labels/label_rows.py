"""Labels and the journal row by row, by what messages are rather than by their numbers: to be read by anybody."""

from collections.abc import Iterable, Iterator

from nbmail.store.files.connection import Connection, listed

LabelRow = tuple[bytes, str, float, str, str, str]
"""Identity, label (empty where it was taken away), moment, by whom, and the account and folder it was learned from."""

_AT_ONCE = 500
_WHO = "coalesce(journal.by, ''), coalesce(steps.account, ''), coalesce(steps.folder, '')"
# Who gave a label is told by the line that put it to this very place, not by one that only brought it back.
_LABELS = f"""
SELECT position, identity, name, coalesce(journal.moment, labels.moment), {_WHO}
FROM labels JOIN messages ON messages.number = labels.message JOIN classes ON classes.number = class
LEFT JOIN journal ON journal.number = (
  SELECT max(number) FROM journal AS gave WHERE gave.message = labels.message AND gave.after = class
  AND gave.position_after = position AND gave.by NOT IN ('undo', 'redo', 'travel'))
LEFT JOIN steps ON steps.number = journal.step WHERE position > ? ORDER BY position LIMIT ?
"""
_JOURNAL = f"""
SELECT journal.number, identity, coalesce(name, ''), journal.moment, {_WHO}
FROM journal JOIN messages ON messages.number = journal.message LEFT JOIN classes ON classes.number = after
LEFT JOIN steps ON steps.number = journal.step WHERE journal.number > ? ORDER BY journal.number LIMIT ?
"""


def label_rows(connection: Connection) -> Iterator[LabelRow]:
    """Every label, in the order in which they are learned."""
    return _rows(connection, _LABELS)


def journal_rows(connection: Connection) -> Iterator[LabelRow]:
    """Every change of a label, in the order in which they were made."""
    return _rows(connection, _JOURNAL)


def moments_of(connection: Connection, messages: Iterable[int]) -> dict[int, float]:
    """When those of the messages that have a label got it."""
    query = "SELECT message, moment FROM labels WHERE message IN (SELECT value FROM json_each(?))"
    return dict(connection.rows(query, (listed(messages),)))


def _rows(connection: Connection, query: str) -> Iterator[LabelRow]:
    last = -1
    while rows := connection.rows(query, (last, _AT_ONCE)):
        last = rows[-1][0]
        yield from (row[1:] for row in rows)
