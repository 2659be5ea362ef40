"""Labels and the journal row by row, by what messages are rather than by their numbers: to be read by anybody.

Here, too, are labels handed in for messages that are not known yet: each waits until its message comes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nbmail.store.files.connection import Connection
from nbmail.store.files.row_values import storable
from nbmail.store.labels.journal import FILES, By
from nbmail.values import FolderName

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
WHERE messages.number"""


def label_rows(connection: Connection) -> Iterator[LabelRow]:
    """Every label, in the order in which they are learned; then those that wait for their messages."""
    yield from _rows(connection, _LABELS)
    yield from _rows(connection, _WAITING, b"")


def journal_rows(connection: Connection) -> Iterator[LabelRow]:
    """Every change of a label, in the order in which they were made."""
    return _rows(connection, _JOURNAL)


def states_of(connection: Connection, messages: Iterable[int]) -> dict[int, tuple[float | None, str, bool]]:
    """Of each message when it got its label, which, empty without one, and whether the journal knows it."""
    rows = connection.among(_STATES, messages)
    return {number: (moment, label, bool(known)) for number, moment, label, known in rows}


def _rows(connection: Connection, query: str, last: int | bytes = -1) -> Iterator[LabelRow]:
    while rows := connection.rows(query, (last, _AT_ONCE)):
        last = rows[-1][0]
        yield from (row[1:] for row in rows)


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A label that was given elsewhere: by whom and when, and from which folder it was learned."""

    label: str
    moment: float
    by: By
    folder: FolderName = FILES


class WaitingLabels:
    """Labels by the identities of messages to come."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __len__(self) -> int:
        return int(self._connection.value("SELECT count(*) FROM waiting_labels"))

    def keep(self, identity: bytes, given: HandedIn) -> None:
        """Let this wait, in place of another for the same message; one that was taken away again waits no longer."""
        self._connection.execute("DELETE FROM waiting_labels WHERE identity = ?", (identity,))
        if given.label:
            row = (given.label, given.moment, given.by, given.folder.account, given.folder.folder)
            cells = (storable(cell) if isinstance(cell, str) else cell for cell in row)
            self._connection.execute("INSERT INTO waiting_labels VALUES (?, ?, ?, ?, ?, ?)", (identity, *cells))

    def take(self, identities: Iterable[bytes]) -> dict[bytes, HandedIn]:
        """The labels of these messages, which have come: they wait no longer."""
        found: dict[bytes, HandedIn] = {}
        if self._connection.value("SELECT 1 FROM waiting_labels LIMIT 1"):
            for identity in identities:
                for label, moment, by, account, folder in self._connection.rows(
                    "DELETE FROM waiting_labels WHERE identity = ? RETURNING label, moment, by, account, folder",
                    (identity,),
                ):
                    found[identity] = HandedIn(label, moment, By(by), FolderName(account, folder))
        return found
