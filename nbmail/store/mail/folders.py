"""Locations of stored messages in folders."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from nbmail.store.files.columns import joined, listed, parted
from nbmail.store.files.connection import Row, Table
from nbmail.values import JUNK_FOLDER, Delivery, FolderName, ServerLocation, StoredFolder

SEEN = "\\Seen"
FLAGGED = "\\Flagged"

_JOINED = "locations JOIN folders ON folders.number = locations.folder"
_LOCATION = f"""
SELECT message, account, folders.folder, special, validity, uid, flags FROM {_JOINED} WHERE
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

    @property
    def key(self) -> tuple[str, str, int, int]:
        return self.account, self.folder, self.validity, self.uid


class Folders(Table):
    """Tables of folders and locations."""

    def memory(self, name: FolderName) -> StoredFolder:
        """Return the stored state of a folder, empty for a new one."""
        query = "SELECT number, validity, modseq FROM folders WHERE account = ? AND folder = ?"
        found = self._connection.row(query, name)
        if found is None:
            return StoredFolder()
        number, validity, modseq = found
        rows = self._connection.rows("SELECT uid, flags FROM locations WHERE folder = ?", (number,))
        sets = {flags: parted(flags) for flags in {flags for _, flags in rows}}
        return StoredFolder(validity, modseq, {uid: sets[flags] for uid, flags in rows})

    def validity(self, name: FolderName) -> int:
        query = "SELECT validity FROM folders WHERE account = ? AND folder = ?"
        return self._connection.number(query, name)

    def located(self, name: FolderName, uids: Iterable[int]) -> tuple[Location, ...]:
        """Return the locations with these UIDs, unknown ones left out."""
        rows = self._connection.rows(
            f"{_LOCATION} account = ? AND folders.folder = ? "
            "AND uid IN (SELECT value FROM json_each(?))",
            (*name, listed(uids)),
        )
        return tuple(map(location_of, rows))

    def names(self, special: str = "") -> tuple[FolderName, ...]:
        """Return all folders, or those with a special use, for example "\\Sent"."""
        rows = self._connection.rows(
            "SELECT account, folder FROM folders WHERE ?1 IN ('', special) ORDER BY number",
            (special,),
        )
        return tuple(FolderName(account, folder) for account, folder in rows)

    def messages(self, name: FolderName) -> tuple[int, ...]:
        """Return the messages of a folder in the order of their UIDs."""
        messages = self._connection.column(
            f"SELECT message FROM {_JOINED} WHERE account = ? AND folders.folder = ? ORDER BY uid",
            name,
        )
        return tuple(dict.fromkeys(messages))

    def locations(self, messages: Iterable[int]) -> tuple[Location, ...]:
        """Return all locations of messages, in the order of the messages' numbers."""
        rows = self._connection.among(
            f"{_LOCATION} message", messages, "ORDER BY message, locations.folder, uid"
        )
        return tuple(map(location_of, rows))

    def leave(
        self,
        name: FolderName,
        validity: int,
        uid: int,
        new_location: ServerLocation | None = None,
        unstored: tuple[int, frozenset[str]] | None = None,
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Remove a location. Return its message, and again if no location is left.

        `new_location`: None, or its UID is 0, if unknown. `unstored`: message and flags for a
        location in a folder that is not stored. Other moves of this message
        (`store.actions.filed_moves`) continue from the new location.
        """
        here = (*name, validity, uid)
        if new_location:
            self._connection.execute(
                "UPDATE filed SET folder = ?, validity = ?, uid = ? "
                "WHERE account = ? AND folder = ? AND validity = ? AND uid = ? AND closed = ''",
                (*new_location, *here),
            )
        row = self._connection.row(
            f"SELECT locations.folder, message, flags FROM {_JOINED} "
            "WHERE account = ? AND folders.folder = ? AND validity = ? AND uid = ?",
            here,
        )
        if row:
            number, message, flags = row
            self.drop(number, [uid])
            unstored = (message, parted(flags))
        if unstored is None:
            return frozenset(), frozenset()
        message, flags = unstored
        if new_location and new_location.uid:
            self._place_at(name.account, new_location, message, flags)
        return frozenset({message}), self.unlocated({message})

    def _place_at(
        self, account: str, location: ServerLocation, message: int, flags: frozenset[str]
    ) -> None:
        """Store a new location of a message, if its folder is stored."""
        number = self._connection.value(
            "SELECT number FROM folders WHERE account = ? AND folder = ? AND validity = ?",
            (account, location.folder, location.validity),
        )
        if number is not None:
            self.place(number, [(location.uid, message, flags)])

    def forget(
        self, account: str, keep: Collection[str] = (), *, spam: bool = False
    ) -> frozenset[int]:
        """Remove folders and locations of an account, except those to `keep`.

        `spam`: keep its spam folder as well. Labels stay. Return the messages without another
        location.
        """
        with self._connection.transaction():
            rows = self._connection.rows(
                "SELECT number, folder, special FROM folders WHERE account = ?", (account,)
            )
            dropped: set[int] = set()
            for number, folder, special in rows:
                is_kept = folder in keep or (spam and special == JUNK_FOLDER)
                if not is_kept:
                    dropped |= self._forget_folder(account, number, folder)
            if not keep:
                self._connection.execute("DELETE FROM departed WHERE account = ?", (account,))
            return self.unlocated(dropped)

    def _forget_folder(self, account: str, number: int, folder: str) -> set[int]:
        dropped = self._drop("locations.folder = ?", (number,))
        self._connection.execute("DELETE FROM folders WHERE number = ?", (number,))
        self._connection.execute(
            "DELETE FROM departed WHERE account = ? AND folder = ?", (account, folder)
        )
        return dropped

    def open(self, delivery: Delivery) -> tuple[int, set[int]]:
        """Return the number of the folder, added if new.

        Also return the messages removed by a change of UIDVALIDITY.
        """
        name = delivery.folder
        self._connection.execute(
            "INSERT OR IGNORE INTO folders (account, folder) VALUES (?, ?)", name
        )
        number, validity = self._connection.rows(
            "SELECT number, validity FROM folders WHERE account = ? AND folder = ?", name
        )[0]
        if validity == delivery.validity:
            return number, set()
        dropped = self._drop("locations.folder = ?", (number,))
        self._connection.execute(
            "UPDATE folders SET validity = ?, modseq = 0 WHERE number = ?",
            (delivery.validity, number),
        )
        return number, dropped

    def close(self, number: int, delivery: Delivery) -> None:
        """Store the synchronization state of the folder."""
        if delivery.special:
            self._connection.execute(
                "UPDATE folders SET special = ? WHERE number = ?", (delivery.special, number)
            )
        if delivery.complete:
            self._connection.execute(
                "UPDATE folders SET modseq = ? WHERE number = ?", (delivery.modseq, number)
            )

    def drop(self, number: int, uids: Iterable[int]) -> set[int]:
        """Remove locations. Return their messages."""
        return self._drop(
            "locations.folder = ? AND uid IN (SELECT value FROM json_each(?))",
            (number, listed(uids)),
        )

    def _drop(self, which: str, values: tuple[object, ...]) -> set[int]:
        """Remove locations. Return their messages.

        Flags of labelled messages stay stored, to recognize changes if the messages come back. So
        do those of messages with open keywords: the server may have keywords that it has not
        confirmed.
        """
        self._connection.execute(
            f"""
            DELETE FROM departed WHERE (message, account) IN (
              SELECT message, account FROM {_JOINED} WHERE {which}
            )
            """,
            values,
        )
        self._connection.execute(
            f"""
            INSERT OR REPLACE INTO departed
            SELECT message, account, folders.folder, special, validity, uid, flags
            FROM {_JOINED}
            WHERE {which} AND (
              flags LIKE '%junk%'
              OR message IN (SELECT message FROM labels)
              OR message IN (
                SELECT message FROM outbox WHERE kind = 'keywords' AND closed = ''
              )
            )
            """,
            values,
        )
        query = f"DELETE FROM locations WHERE {which} RETURNING message"
        return set(self._connection.column(query, values))

    def flag(self, name: FolderName, flags: Mapping[int, frozenset[str]]) -> set[int]:
        """Store flags. Return the messages whose flags changed. Unknown UIDs are ignored."""
        changed: set[int] = set()
        for uid, now in flags.items():
            messages = self._connection.column(
                """
                UPDATE locations SET flags = ?1 WHERE uid = ?2 AND flags <> ?1 AND folder = (
                  SELECT number FROM folders WHERE account = ?3 AND folder = ?4
                ) RETURNING message
                """,
                (joined(now), uid, *name),
            )
            changed.update(messages)
        return changed

    def place(self, number: int, places: Sequence[tuple[int, int, frozenset[str]]]) -> None:
        """Store locations of messages: (uid, message, flags)."""
        self._connection.execute_many(
            "INSERT INTO locations VALUES (?, ?, ?, ?) ON CONFLICT (folder, uid) "
            "DO UPDATE SET message = excluded.message, flags = excluded.flags",
            ((number, uid, message, joined(flags)) for uid, message, flags in places),
        )
        self._connection.execute(
            "DELETE FROM departed WHERE message IN (SELECT value FROM json_each(?)) "
            "AND account = (SELECT account FROM folders WHERE number = ?)",
            (listed(message for _, message, _ in places), number),
        )

    def departed(self, messages: Iterable[int], account: str) -> dict[int, Location]:
        """Return the last location, with its flags, of each message that has left the account."""
        rows = self._connection.rows(
            "SELECT message, account, folder, special, validity, uid, flags FROM departed "
            "WHERE message IN (SELECT value FROM json_each(?)) AND account = ?",
            (listed(messages), account),
        )
        return {row[0]: location_of(row) for row in rows}

    def unlocated(self, messages: set[int]) -> frozenset[int]:
        """Return the messages without a location."""
        without = self._connection.column(
            "SELECT value FROM json_each(?) "
            "WHERE NOT EXISTS (SELECT 1 FROM locations WHERE message = value)",
            (listed(sorted(messages)),),
        )
        return frozenset(without)


def location_of(row: Row) -> Location:
    """Return the location of a row with its columns."""
    *columns, flags = row
    return Location._make((*columns, parted(flags)))
