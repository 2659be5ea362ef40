"""Folders, and the locations of messages in them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from nbmail.store.files.connection import Connection, Row, listed
from nbmail.store.files.row_values import joined, parted
from nbmail.values import Delivery, FolderName, ServerLocation, StoredFolder

_LIES = """
SELECT message, account, folders.folder, special, validity, uid, flags
FROM locations JOIN folders ON folders.number = locations.folder WHERE
"""


class Location(NamedTuple):
    """Location of a message."""

    message: int
    account: str
    folder: str
    special: str
    validity: int
    uid: int
    flags: frozenset[str]

    @property
    def name(self) -> FolderName:
        return FolderName(self.account, self.folder)


class Folders:
    """Tables of folders and locations."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def memory(self, name: FolderName) -> StoredFolder:
        """Return the stored state of a folder, empty for a new one."""
        found = self._connection.row(
            "SELECT number, validity, modseq FROM folders WHERE account = ? AND folder = ?", (name.account, name.folder)
        )
        if found is None:
            return StoredFolder()
        number, validity, modseq = found
        rows = self._connection.rows("SELECT uid, flags FROM locations WHERE folder = ?", (number,))
        sets = {flags: parted(flags) for flags in {flags for _, flags in rows}}
        return StoredFolder(validity, modseq, {uid: sets[flags] for uid, flags in rows})

    def validity(self, name: FolderName) -> int:
        query = "SELECT validity FROM folders WHERE account = ? AND folder = ?"
        return int(self._connection.value(query, (name.account, name.folder)) or 0)

    def located(self, name: FolderName, uids: Iterable[int]) -> tuple[Location, ...]:
        """Return the locations with these UIDs."""
        here = f"{_LIES} account = ? AND folders.folder = ? AND uid IN (SELECT value FROM json_each(?))"
        return tuple(map(_location, self._connection.rows(here, (name.account, name.folder, listed(uids)))))

    def names(self, special: str = "") -> tuple[FolderName, ...]:
        """Return all folders, or those with a special use, for example "\\Sent"."""
        rows = self._connection.rows(
            "SELECT account, folder FROM folders WHERE ?1 IN ('', special) ORDER BY number", (special,)
        )
        return tuple(FolderName(*row) for row in rows)

    def messages(self, name: FolderName) -> tuple[int, ...]:
        """Return the messages of a folder in the order of their UIDs."""
        rows = self._connection.rows(
            "SELECT message FROM locations JOIN folders ON folders.number = locations.folder"
            " WHERE account = ? AND folders.folder = ? ORDER BY uid",
            (name.account, name.folder),
        )
        return tuple(dict.fromkeys(message for (message,) in rows))

    def locations(self, messages: Iterable[int]) -> tuple[Location, ...]:
        """Return all locations of these messages."""
        rows = self._connection.among(f"{_LIES} message", messages, "ORDER BY message, locations.folder, uid")
        return tuple(map(_location, rows))

    def departed(self, messages: Iterable[int], account: str) -> dict[int, Location]:
        """Return the last location of each message that has left the account, with its last flags."""
        rows = self._connection.rows(
            "SELECT message, account, folder, special, validity, uid, flags FROM departed"
            " WHERE message IN (SELECT value FROM json_each(?)) AND account = ?",
            (listed(messages), account),
        )
        return {row[0]: _location(row) for row in rows}

    def leave(
        self,
        name: FolderName,
        validity: int,
        uid: int,
        new_location: ServerLocation | None = None,
        unstored: tuple[int, frozenset[str]] | None = None,
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Remove a location. Return its message, and again if no location is left. `new_location`: None if unknown.

        `unstored`: message and flags for a location in a folder that is not stored. Other moves of this message that
        are still to be made (`store.mail.filed_moves`) continue from the new location.
        """
        follow = "folder = ?, validity = ?, uid = ?" if new_location else "closed = 'moot'"
        self._connection.execute(
            f"UPDATE filed SET {follow} WHERE account = ? AND folder = ? AND validity = ? AND uid = ? AND closed = ''",
            (*(new_location or ()), *name, validity, uid),
        )
        place = self._at(name, validity, uid)
        if place is not None:
            self.drop(place[0], [uid])
            unstored = place[1:]
        if unstored is None:
            return frozenset(), frozenset()
        message, flags = unstored
        target = new_location and self._connection.row(
            "SELECT number FROM folders WHERE account = ? AND folder = ? AND validity = ?",
            (name.account, new_location.folder, new_location.validity),
        )
        if target and new_location:
            self.place(target[0], [(new_location.uid, message, flags)])
        return frozenset({message}), self.unlocated({message})

    def _at(self, name: FolderName, validity: int, uid: int) -> tuple[int, int, frozenset[str]] | None:
        """Return the folder number, the message and its flags; None if the location is unknown."""
        row = self._connection.row(
            "SELECT locations.folder, message, flags FROM locations JOIN folders ON folders.number = locations.folder"
            " WHERE account = ? AND folders.folder = ? AND validity = ? AND uid = ?",
            (name.account, name.folder, validity, uid),
        )
        return (row[0], row[1], parted(row[2])) if row else None

    def forget(self, account: str, keep: Collection[str] = (), *, junk: bool = False) -> frozenset[int]:
        """Remove folders and locations of an account, except those to `keep` and, with `junk`, its junk folder.

        Labels stay. Return the messages without another location.
        """
        with self._connection.transaction():
            rows = self._connection.rows("SELECT number, folder, special FROM folders WHERE account = ?", (account,))
            dropped: set[int] = set()
            for number, folder, special in rows:
                if folder not in keep and not (junk and special == "\\Junk"):
                    dropped |= self._drop("locations.folder = ?", (number,))
                    self._connection.execute("DELETE FROM folders WHERE number = ?", (number,))
                    self._connection.execute("DELETE FROM departed WHERE account = ? AND folder = ?", (account, folder))
            if not keep:
                self._connection.execute("DELETE FROM departed WHERE account = ?", (account,))
            return self.unlocated(dropped)

    def open(self, delivery: Delivery) -> tuple[int, set[int]]:
        """Return the folder number, added if new, and the messages removed by a change of UIDVALIDITY."""
        key = (delivery.folder.account, delivery.folder.folder)
        self._connection.execute("INSERT OR IGNORE INTO folders (account, folder) VALUES (?, ?)", key)
        found = self._connection.row("SELECT number, validity FROM folders WHERE account = ? AND folder = ?", key)
        number, validity = found or (0, 0)
        dropped = self._drop("locations.folder = ?", (number,)) if validity != delivery.validity else set()
        if dropped or validity != delivery.validity:
            self._connection.execute(
                "UPDATE folders SET validity = ?, modseq = 0 WHERE number = ?", (delivery.validity, number)
            )
        return number, dropped

    def close(self, number: int, delivery: Delivery) -> None:
        """Store the synchronization state of the folder."""
        if delivery.special:
            self._connection.execute("UPDATE folders SET special = ? WHERE number = ?", (delivery.special, number))
        if delivery.complete:
            self._connection.execute("UPDATE folders SET modseq = ? WHERE number = ?", (delivery.modseq, number))

    def drop(self, number: int, uids: Iterable[int]) -> set[int]:
        """Remove locations. Return their messages."""
        return self._drop("locations.folder = ? AND uid IN (SELECT value FROM json_each(?))", (number, listed(uids)))

    def _drop(self, which: str, values: tuple[object, ...]) -> set[int]:
        """Remove locations. Flags of labelled messages stay stored, to recognize changes if the messages come back."""
        self._connection.execute(
            "DELETE FROM departed WHERE (message, account) IN (SELECT message, account FROM locations"
            f" JOIN folders ON folders.number = locations.folder WHERE {which})",
            values,
        )
        self._connection.execute(
            "INSERT OR REPLACE INTO departed SELECT message, account, folders.folder, special, validity, uid, flags"
            f" FROM locations JOIN folders ON folders.number = locations.folder WHERE {which}"
            " AND (flags LIKE '%junk%' OR message IN (SELECT message FROM labels))",
            values,
        )
        rows = self._connection.rows(f"DELETE FROM locations WHERE {which} RETURNING message", values)
        return {row[0] for row in rows}

    def flag(self, name: FolderName, flags: Mapping[int, frozenset[str]]) -> set[int]:
        """Store flags. Return the messages whose flags changed. Unknown UIDs are ignored."""
        changed: set[int] = set()
        for uid, now in flags.items():
            row = self._connection.row(
                "UPDATE locations SET flags = ?1 WHERE uid = ?2 AND flags <> ?1 AND folder ="
                " (SELECT number FROM folders WHERE account = ?3 AND folder = ?4) RETURNING message",
                (joined(now), uid, name.account, name.folder),
            )
            changed.update(row or ())
        return changed

    def place(self, number: int, places: Sequence[tuple[int, int, frozenset[str]]]) -> None:
        """Store locations of messages: (uid, message, flags)."""
        self._connection.execute_many(
            "INSERT INTO locations VALUES (?, ?, ?, ?) ON CONFLICT (folder, uid)"
            " DO UPDATE SET message = excluded.message, flags = excluded.flags",
            ((number, uid, message, joined(flags)) for uid, message, flags in places),
        )
        self._connection.execute(
            "DELETE FROM departed WHERE message IN (SELECT value FROM json_each(?))"
            " AND account = (SELECT account FROM folders WHERE number = ?)",
            (listed(message for _, message, _ in places), number),
        )

    def unlocated(self, messages: set[int]) -> frozenset[int]:
        """Return the messages without a location."""
        rows = self._connection.rows(
            "SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM locations WHERE message = value)",
            (listed(sorted(messages)),),
        )
        return frozenset(row[0] for row in rows)


def _location(row: Row) -> Location:
    message, account, folder, special, validity, uid, flags = row
    return Location(message, account, folder, special, validity, uid, parted(flags))
