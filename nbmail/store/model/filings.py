"""Folders that messages lie in, as classes: derived from locations and from moves that are still to be made."""

from collections.abc import Collection

from nbmail.store.files.connection import Connection, listed
from nbmail.store.mail.filed_moves import FiledMoves

Filed = dict[int, tuple[str, ...]]
"""Folders of each message, in the order of their dates."""


class Filings:
    """Queries of the folders that messages lie in."""

    def __init__(self, connection: Connection, moves: FiledMoves) -> None:
        self._connection, self._moves = connection, moves

    def of(self, account: str, folders: Collection[str], messages: Collection[int] | None = None) -> Filed:
        """Return the messages in these folders. A message that is being moved lies in its target."""
        rows = self._connection.rows(
            "SELECT number, folder FROM folders WHERE account = ? AND folder IN (SELECT value FROM json_each(?))",
            (account, listed(folders)),
        )
        names: dict[int | None, str] = dict(rows)
        some = "" if messages is None else "AND message IN (SELECT value FROM json_each(?2))"
        places = self._connection.rows(
            f"SELECT message, folder, uid FROM locations WHERE folder IN (SELECT value FROM json_each(?1)) {some}",
            (listed(each for each in names if each), *(() if messages is None else (listed(messages),))),
        )
        moving = self._moves.shown(messages)
        found: dict[int, dict[str, None]] = {}
        for message, folder, uid in places:
            if (folder, uid) not in moving:
                found.setdefault(message, {})[names[folder]] = None
        for each in moving.values():
            if each.folder in names:
                found.setdefault(each.message, {})[names[each.folder]] = None
        dated = self._connection.among("SELECT date, number FROM messages WHERE number", found)
        return {number: tuple(sorted(found[number])) for _, number in sorted(dated)}
