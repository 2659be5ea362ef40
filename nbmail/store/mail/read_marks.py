"""Flags of read mail, shown at once and then set on the servers.

An outbox entry of kind SEEN stands for one location until the server has confirmed it. Until then the entry counts and
not the flag on the server. The same is true where nothing can be written, as in local mailboxes.
"""

from collections.abc import Iterable

from nbmail.store.files.connection import Connection
from nbmail.store.mail.folders import Folders, Location
from nbmail.values import ActionKind

SEEN = "\\Seen"
_PLACE = "message = ? AND account = ? AND folder = ? AND validity = ? AND uid = ?"


class ReadMarks:
    """Flags of read mail. No undo is needed, since the opposite is one key."""

    def __init__(self, connection: Connection, folders: Folders) -> None:
        self._connection = connection
        self._folders = folders

    def mark(self, messages: Iterable[int], *, read: bool) -> tuple[Location, ...]:
        """Mark all locations of messages. Return the locations that changed, as they were."""
        with self._connection.transaction():
            places = [each for each in self._folders.locations(messages) if (SEEN in each.flags) is not read]
            for place in places:
                self._want(place, read)
                self._flag(place, read)
        return tuple(places)

    def keep(self, messages: Iterable[int]) -> None:
        """Restore the wanted flags after the server has sent others."""
        waiting = "message, account, folder, uid, wanted FROM outbox WHERE kind = 'seen' AND wanted <> applied"
        for *place, wanted in self._connection.among(f"SELECT {waiting} AND message", messages):
            for each in self._folders.locations(place[:1]):
                if [each.message, each.account, each.folder, each.uid] == place:
                    self._flag(each, bool(wanted))

    def _want(self, place: Location, read: bool) -> None:
        """Change the entry of a location, or add one that differs from the server's flag."""
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
