"""Whether messages have been read: it shows at once, and the servers are told.

A row of the outbox with the kind SEEN says so of one place, and goes once the server has it. Until then, and where a
server won't keep it, the row counts and not what the server says: local mailboxes, for one, are never written.
"""

from collections.abc import Iterable

from nbmail.store.files.connection import Connection
from nbmail.store.mail.folders import Folders, Location
from nbmail.values import ActionKind

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
                self._flag(place, read)
        return tuple(places)

    def keep(self, messages: Iterable[int]) -> None:
        """What is wanted of these counts, whatever the server has just said."""
        waiting = "message, account, folder, uid, wanted FROM outbox WHERE kind = 'seen' AND wanted <> applied"
        for *place, wanted in self._connection.among(f"SELECT {waiting} AND message", messages):
            for each in self._folders.locations(place[:1]):
                if [each.message, each.account, each.folder, each.uid] == place:
                    self._flag(each, bool(wanted))

    def _want(self, place: Location, read: bool) -> None:
        """Turn the row of this place, or make one that differs from what the server has."""
        key = (place.message, place.account, place.folder, place.validity, place.uid)
        turned = self._connection.execute(
            f"UPDATE outbox SET wanted = ?, closed = '', detail = '' WHERE kind = ? AND {_PLACE}",
            (int(read), ActionKind.SEEN, *key),
        )
        if not turned:
            self._connection.execute(
                "INSERT INTO outbox (message, account, folder, validity, uid, kind, added, removed, target,"
                " wanted, applied) VALUES (?, ?, ?, ?, ?, ?, ?, '', '', ?, ?)",
                (*key, ActionKind.SEEN, SEEN, int(read), int(not read)),
            )

    def _flag(self, place: Location, read: bool) -> None:
        flags = place.flags | {SEEN} if read else place.flags - {SEEN}
        self._folders.flag(place.name, {place.uid: flags})
