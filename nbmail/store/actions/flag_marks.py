"""Flags of read mail and flagged mail, shown at once and then set on the servers.

An outbox entry of kind SEEN stands for one flag of one location until the server has confirmed it.
Until then the entry counts and not the flag on the server. The same is true where nothing can be
written, as in local mailboxes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from nbmail.store.files.connection import Connection
from nbmail.store.mail.folders import Folders, Location
from nbmail.values import ActionKind

_LOCATION = "message = ? AND account = ? AND folder = ? AND validity = ? AND uid = ?"


class FlagMarks:
    """Changes of flags. Only those that were added to an undo step can be undone."""

    def __init__(self, connection: Connection, folders: Folders) -> None:
        self._connection = connection
        self._folders = folders

    def mark(self, messages: Iterable[int], flag: str, *, on: bool) -> tuple[Location, ...]:
        """Set or clear a flag in all locations of messages.

        Return the locations that changed, as they were.
        """
        with self._connection.transaction():
            changed = []
            for place in self._folders.locations(messages):
                if (flag in place.flags) is not on:
                    changed.append(place)
            for place in changed:
                self._queue(place, flag, on)
                self._set(place, flag, on)
        return tuple(changed)

    def _queue(self, place: Location, flag: str, on: bool) -> None:
        """Change the entry of a location, or add one that differs from the server's flag."""
        key = (place.message, *place.key)
        is_queued = self._connection.execute(
            "UPDATE outbox SET wanted = ?, closed = '', detail = '' "
            f"WHERE kind = ? AND added = ? AND {_LOCATION}",
            (int(on), ActionKind.SEEN, flag, *key),
        )
        if not is_queued:
            self._connection.execute(
                """
                INSERT INTO outbox (message, account, folder, validity, uid, kind, added,
                  removed, target, wanted, applied)
                VALUES (?, ?, ?, ?, ?, ?, ?, '', '', ?, ?)
                """,
                (*key, ActionKind.SEEN, flag, int(on), int(not on)),
            )

    def join(self, step: int, messages: Collection[int], flag: str, *, on: bool) -> None:
        """Add changes of a flag to an undo step."""
        self._connection.execute_many(
            "INSERT OR IGNORE INTO flag_changes VALUES (?, ?, ?, ?)",
            ((step, message, flag, on) for message in messages),
        )

    def turn(self, step: int, *, forward: bool) -> tuple[int, ...]:
        """Revert the changes of a step, or make them again. Return the messages that changed."""
        messages = defaultdict[tuple[str, bool], list[int]](list)
        for flag, added, message in self._connection.rows(
            "SELECT flag, added, message FROM flag_changes WHERE step = ?", (step,)
        ):
            messages[flag, bool(added)].append(message)
        changed = dict[int, None]()
        for (flag, added), some in messages.items():
            for place in self.mark(some, flag, on=added is forward):
                changed[place.message] = None
        return tuple(changed)

    def keep(self, messages: Iterable[int]) -> None:
        """Restore the wanted flags after the server has sent others."""
        waiting = self._connection.among(
            "SELECT message, account, folder, uid, added, wanted FROM outbox "
            "WHERE kind = 'seen' AND wanted <> applied AND message",
            messages,
        )
        for message, account, folder, uid, flag, wanted in waiting:
            for place in self._folders.locations([message]):
                if (place.account, place.folder, place.uid) == (account, folder, uid):
                    self._set(place, flag, bool(wanted))

    def _set(self, place: Location, flag: str, on: bool) -> None:
        # Several flags of one location may change in a row.
        for each in self._folders.located(place.name, [place.uid]):
            flags = each.flags | {flag} if on else each.flags - {flag}
            self._folders.flag(place.name, {place.uid: flags})
