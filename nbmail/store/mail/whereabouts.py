"""Where a message lies now that a server is to be told something of it: it may have been moved since, by us too."""

from dataclasses import dataclass

from nbmail.store.files.connection import Connection


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """A place on a server."""

    folder: str
    validity: int
    uid: int


class Whereabouts:
    """Finds messages within one account."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def now(self, message: int, account: str, place: ServerPlace) -> ServerPlace | None:
        """Where what was marked at that place is now. None while we have moved it and not seen it again.

        A message that was never ours to move and is gone keeps its old place: the account finds out.
        """
        places = [found for found, _ in self._places(message, account)]
        if place in places:
            return place
        if places:
            return places[0]
        return None if self._moved_by_us(message, account) else place

    def back_from(self, message: int, account: str, target: str) -> ServerPlace | None:
        """Where to fetch a message from that was moved to `target`; None before that folder was looked at."""
        places = self._places(message, account)
        right = [found for found, special in places if target in (special, found.folder)]
        if right:
            return right[0]
        return places[0][0] if len(places) == 1 else None

    def lies_in(self, message: int, account: str, folder: str) -> bool:
        """Whether it lies in that folder."""
        return any(found.folder == folder for found, _ in self._places(message, account))

    def leave(self, message: int, account: str, place: ServerPlace) -> frozenset[int]:
        """It was moved away from there. The message, if it lies nowhere now, until its new folder is looked at."""
        self._connection.execute(
            "INSERT OR REPLACE INTO departed SELECT message, account, folders.folder, special, validity, uid, flags"
            " FROM locations JOIN folders ON folders.number = locations.folder"
            " WHERE message = ? AND uid = ? AND account = ? AND folders.folder = ? AND validity = ?",
            (message, place.uid, account, place.folder, place.validity),
        )
        self._connection.execute(
            "DELETE FROM locations WHERE message = ? AND uid = ? AND folder ="
            " (SELECT number FROM folders WHERE account = ? AND folder = ? AND validity = ?)",
            (message, place.uid, account, place.folder, place.validity),
        )
        left = self._connection.value("SELECT 1 FROM locations WHERE message = ?", (message,))
        return frozenset() if left else frozenset({message})

    def _places(self, message: int, account: str) -> list[tuple[ServerPlace, str]]:
        rows = self._connection.rows(
            "SELECT folders.folder, validity, uid, special FROM locations"
            " JOIN folders ON folders.number = locations.folder"
            " WHERE message = ? AND account = ? ORDER BY locations.folder, uid",
            (message, account),
        )
        return [(ServerPlace(folder, validity, uid), special) for folder, validity, uid, special in rows]

    def _moved_by_us(self, message: int, account: str) -> bool:
        found = self._connection.value(
            "SELECT 1 FROM outbox WHERE message = ? AND account = ? AND kind = 'move' AND closed = ''",
            (message, account),
        )
        return found is not None
