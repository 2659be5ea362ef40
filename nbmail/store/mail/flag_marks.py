"""Flags of read mail and flagged mail, shown at once and then set on the servers.

An outbox entry of kind SEEN stands for one flag of one location until the server has confirmed it. Until then the entry
counts and not the flag on the server. The same is true where nothing can be written, as in local mailboxes.
"""

from collections.abc import Collection, Iterable

from nbmail.store.files.connection import Connection
from nbmail.store.mail.folders import Folders, Location
from nbmail.values import ActionKind

SEEN, FLAGGED = "\\Seen", "\\Flagged"
_PLACE = "message = ? AND account = ? AND folder = ? AND validity = ? AND uid = ?"


class FlagMarks:
    """Flags of messages. Only changes that were added to an undo step can be undone."""

    def __init__(self, connection: Connection, folders: Folders) -> None:
        self._connection = connection
        self._folders = folders

    def mark(self, messages: Iterable[int], flag: str, *, on: bool) -> tuple[Location, ...]:
        """Set or clear a flag in all locations of messages. Return the locations that changed, as they were."""
        with self._connection.transaction():
            places = [each for each in self._folders.locations(messages) if (flag in each.flags) is not on]
            for place in places:
                self._want(place, flag, on)
                self._flag(place, flag, on)
        return tuple(places)

    def join(self, step: int, messages: Collection[int], flag: str, *, on: bool) -> None:
        """Add changes of a flag to an undo step."""
        self._connection.execute_many(
            "INSERT OR IGNORE INTO flag_changes VALUES (?, ?, ?, ?)", ((step, each, flag, on) for each in messages)
        )

    def turn(self, step: int, *, forward: bool) -> tuple[int, ...]:
        """Revert the changes of a step, or make them again. Return the messages that changed."""
        rows = self._connection.rows("SELECT flag, added, message FROM flag_changes WHERE step = ?", (step,))
        changed = dict[int, None]()
        for flag, added in {row[:2] for row in rows}:
            messages = [message for *kind, message in rows if kind == [flag, added]]
            changed |= dict.fromkeys(each.message for each in self.mark(messages, flag, on=bool(added) is forward))
        return tuple(changed)

    def keep(self, messages: Iterable[int]) -> None:
        """Restore the wanted flags after the server has sent others."""
        waiting = "message, account, folder, uid, added, wanted FROM outbox WHERE kind = 'seen' AND wanted <> applied"
        for *place, flag, wanted in self._connection.among(f"SELECT {waiting} AND message", messages):
            for each in self._folders.locations(place[:1]):
                if [each.message, each.account, each.folder, each.uid] == place:
                    self._flag(each, flag, bool(wanted))

    def _want(self, place: Location, flag: str, on: bool) -> None:
        """Change the entry of a location, or add one that differs from the server's flag."""
        key = (place.message, place.account, place.folder, place.validity, place.uid)
        turned = self._connection.execute(
            f"UPDATE outbox SET wanted = ?, closed = '', detail = '' WHERE kind = ? AND added = ? AND {_PLACE}",
            (int(on), ActionKind.SEEN, flag, *key),
        )
        if not turned:
            self._connection.execute(
                "INSERT INTO outbox (message, account, folder, validity, uid, kind, added, removed, target,"
                " wanted, applied) VALUES (?, ?, ?, ?, ?, ?, ?, '', '', ?, ?)",
                (*key, ActionKind.SEEN, flag, int(on), int(not on)),
            )

    def _flag(self, place: Location, flag: str, on: bool) -> None:
        # Several flags of one location may change in a row.
        for each in self._folders.located(place.name, [place.uid]):
            self._folders.flag(place.name, {place.uid: each.flags | {flag} if on else each.flags - {flag}})
