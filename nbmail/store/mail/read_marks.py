"""Whether messages have been read: it shows at once, and the servers are told.

A row of the outbox with the kind SEEN says so of one place, and goes once the server has it. Until then, and where a
server won't keep it, the row counts and not what the server says: local mailboxes, for one, are never written.
"""

from collections.abc import Iterable

from nbmail.store.files.connection import Connection, listed
from nbmail.store.files.row_values import joined, parted
from nbmail.store.mail.folders import Folders, Location
from nbmail.values import ErrandKind

SEEN = "\\Seen"
_PLACE = "message = ? AND account = ? AND folder = ? AND validity = ? AND uid = ?"


class ReadMarks:
    """The flag of reading. It needs no undo: its opposite is one key away."""

    def __init__(self, connection: Connection, folders: Folders) -> None:
        self._connection = connection
        self._folders = folders

    def mark(self, messages: Iterable[int], *, read: bool) -> tuple[Location, ...]:
        """Mark them wherever they lie; the places where that was news, as they were."""
        with self._connection.transaction():
            places = [each for each in self._folders.locations(messages) if (SEEN in each.flags) is not read]
            for place in places:
                self._want(place, read)
                self._connection.execute(
                    "UPDATE locations SET flags = ? WHERE message = ? AND uid = ? AND folder ="
                    " (SELECT number FROM folders WHERE account = ? AND folder = ?)",
                    (_with_seen(place.flags, read), place.message, place.uid, place.account, place.folder),
                )
        return tuple(places)

    def keep(self, messages: Iterable[int]) -> None:
        """What is wanted of these counts, whatever the server has just said."""
        rows = self._connection.rows(
            "SELECT locations.folder, locations.uid, flags, wanted FROM outbox"
            " JOIN folders ON folders.account = outbox.account AND folders.folder = outbox.folder"
            " JOIN locations ON locations.folder = folders.number AND locations.uid = outbox.uid"
            " WHERE kind = ? AND wanted <> applied AND outbox.message = locations.message"
            " AND outbox.message IN (SELECT value FROM json_each(?))",
            (ErrandKind.SEEN, listed(messages)),
        )
        self._connection.execute_many(
            "UPDATE locations SET flags = ? WHERE folder = ? AND uid = ?",
            ((_with_seen(parted(flags), bool(wanted)), folder, uid) for folder, uid, flags, wanted in rows),
        )

    def _want(self, place: Location, read: bool) -> None:
        """Turn the row of this place, or make one that differs from what the server has."""
        key = (place.message, place.account, place.folder, place.validity, place.uid)
        turned = self._connection.execute(
            f"UPDATE outbox SET wanted = ?, closed = '', detail = '' WHERE kind = ? AND {_PLACE}",
            (int(read), ErrandKind.SEEN, *key),
        )
        if not turned:
            self._connection.execute(
                "INSERT INTO outbox (message, account, folder, validity, uid, kind, added, removed, target,"
                " wanted, applied) VALUES (?, ?, ?, ?, ?, ?, ?, '', '', ?, ?)",
                (*key, ErrandKind.SEEN, SEEN, int(read), int(not read)),
            )


def _with_seen(flags: frozenset[str], read: bool) -> str:
    return joined(flags | {SEEN} if read else flags - {SEEN})
