"""What the servers are still to be told. Kept until confirmed; an undo takes it back or has its inverse told.

A row says what to do and which way: `wanted` is 1 for doing it and 0 for taking it back, `applied` is the way the
server was told last. Where they differ there is something to tell. So an undo only turns `wanted`, whether the
server knows of the mark already, not yet, or is being told at this moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nbmail.store.files.connection import Connection, Row, listed
from nbmail.store.files.row_values import joined, parted
from nbmail.store.mail.whereabouts import Place, Whereabouts
from nbmail.store.values import Location, Task, Wish

_OPEN = "closed = '' AND wanted <> applied"
# What is taken back goes first, the latest before the earlier; then what is new, in its order.
_ORDER = "ORDER BY wanted, CASE WHEN wanted THEN number ELSE -number END"
# What has been begun goes to its end before it is taken back: till then it counts as done the other way.
_BEGUN_COUNTS = "applied = CASE WHEN detail <> '' AND closed = '' THEN 1 - ?1 ELSE applied END"
_COLUMNS = "number, kind, message, account, folder, validity, uid, added, removed, target, wanted, detail"


class Outbox:
    """Errands to the servers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._whereabouts = Whereabouts(connection)

    def tasks(self, account: str) -> tuple[Task, ...]:
        """What this account's server is still to be told, in the order in which to tell it."""
        rows = self._connection.rows(
            f"SELECT {_COLUMNS} FROM outbox WHERE account = ? AND {_OPEN} {_ORDER}", (account,)
        )
        found = (self._task(row) for row in rows)
        return tuple(task for task in found if task is not None)

    def waiting(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that something is still to be told of: their flags on the server aren't ours yet."""
        rows = self._connection.rows(
            f"SELECT DISTINCT message FROM outbox WHERE {_OPEN} AND message IN (SELECT value FROM json_each(?))",
            (listed(messages),),
        )
        return frozenset(row[0] for row in rows)

    def moved(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that a server has moved for us and not back: elsewhere now, someone else put them."""
        rows = self._connection.rows(
            "SELECT DISTINCT message FROM outbox WHERE kind = 'move' AND applied = 1"
            " AND message IN (SELECT value FROM json_each(?))",
            (listed(messages),),
        )
        return frozenset(row[0] for row in rows)

    def ever_moved(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that a move was ever wanted for, to and fro: their coming and going may be ours."""
        rows = self._connection.rows(
            "SELECT DISTINCT message FROM outbox WHERE kind = 'move' AND message IN (SELECT value FROM json_each(?))",
            (listed(messages),),
        )
        return frozenset(row[0] for row in rows)

    def spoken_of(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that a server was ever told anything of, or is still to be told."""
        rows = self._connection.rows(
            "SELECT DISTINCT message FROM outbox WHERE message IN (SELECT value FROM json_each(?))",
            (listed(messages),),
        )
        return frozenset(row[0] for row in rows)

    def accounts(self) -> tuple[str, ...]:
        """The accounts that have something to tell."""
        return tuple(row[0] for row in self._connection.rows(f"SELECT DISTINCT account FROM outbox WHERE {_OPEN}"))

    def note(self, steps: Mapping[int, str]) -> None:
        """Keep with open tasks how far they have come, until they are over or wanted the other way."""
        with self._connection.transaction():
            for number, text in steps.items():
                row, way = divmod(number, 2)
                self._connection.execute(
                    "UPDATE outbox SET detail = ? WHERE number = ? AND closed = ''", (f"{way}{text}", row)
                )

    def settle(self, number: int, outcome: str, detail: str = "") -> frozenset[int]:
        """A task is over: "done", or "moot" or "refused" and not to be tried again.

        Returns the message if it was moved and lies nowhere until its new folder is looked at.
        """
        row, way = divmod(number, 2)
        with self._connection.transaction():
            if outcome == "done":
                return self._note_done(row, way)
            self._connection.execute(
                "UPDATE outbox SET closed = ?, detail = ? WHERE number = ?", (outcome, detail, row)
            )
            return frozenset()

    def add(self, message: int, step: int | None, wishes: Iterable[Wish]) -> None:
        """Keep what a mark wants done; only keywords that the server won't have anyway are worth telling.

        Moves that earlier marks of this message wanted are taken back: the new label speaks for the message now.
        """
        turned = self._overtake(message, step)
        for wish in wishes:
            flags = self._flags_to_come(wish.location)
            added, removed = wish.add - flags, wish.remove & flags
            if (wish.kind == "keywords" and (added or removed)) or (wish.kind == "move" and not turned):
                self._insert(message, step, wish, joined(added), joined(removed))

    def want(self, step: int, wanted: bool, messages: Iterable[int] | None = None) -> None:
        """Do a step's errands, or take them back; those it had overtaken the other way round. Of these messages only,
        where they are named.
        """
        turn = f"UPDATE outbox SET wanted = ?1, {_BEGUN_COUNTS} WHERE wanted <> ?1"
        which: tuple[str, ...] = ()
        if messages is not None:
            turn, which = f"{turn} AND message IN (SELECT value FROM json_each(?3))", (listed(messages),)
        self._connection.execute(f"{turn} AND step = ?2", (int(wanted), step, *which))
        self._connection.execute(f"{turn} AND overtaken_by = ?2", (int(not wanted), step, *which))

    def close_all(self, account: str, detail: str) -> None:
        """The account is gone: nothing of it is to be told any more."""
        self._connection.execute(
            "UPDATE outbox SET closed = 'moot', detail = ? WHERE account = ? AND closed = ''", (detail, account)
        )

    def refused(self) -> tuple[tuple[str, str, str], ...]:
        """What servers refused: account, folder and their words."""
        return tuple(
            self._connection.rows("SELECT account, folder, detail FROM outbox WHERE closed = 'refused' ORDER BY number")
        )

    def _insert(self, message: int, step: int | None, wish: Wish, added: str, removed: str) -> None:
        place = wish.location
        self._connection.execute(
            "INSERT INTO outbox (step, message, kind, account, folder, validity, uid, added, removed, target)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                step or None,
                message,
                wish.kind,
                place.account,
                place.folder,
                place.validity,
                place.uid,
                added,
                removed,
                wish.target,
            ),
        )

    def _overtake(self, message: int, step: int | None) -> bool:
        """Turn earlier moves of the message round; whether any of them had been told already."""
        rows = self._connection.rows(
            f"UPDATE outbox SET wanted = ?1, overtaken_by = ?2, {_BEGUN_COUNTS}"
            " WHERE message = ?3 AND kind = 'move' AND wanted = 1 AND closed = '' RETURNING applied",
            (0, step or None, message),
        )
        return any(applied for (applied,) in rows)

    def _flags_to_come(self, location: Location) -> frozenset[str]:
        """The flags once everything that waits has been told."""
        rows = self._connection.rows(
            f"SELECT folder, validity, uid, added, removed, wanted FROM outbox WHERE {_OPEN} AND kind = 'keywords'"
            f" AND message = ? AND account = ? {_ORDER}",
            (location.message, location.account),
        )
        now, whose = self._whereabouts.now, (location.message, location.account)
        here, flags = now(*whose, Place(location.folder, location.validity, location.uid)), location.flags
        for *place, added, removed, wanted in rows:
            if now(*whose, Place(*place)) == here:
                set_, cleared = _either_way(added, removed, wanted)
                flags = flags - cleared | set_
        return flags

    def _task(self, row: Row) -> Task | None:
        number, kind, message, account, folder, validity, uid, added, removed, target, wanted, noted = row
        if noted:
            wanted, begun = int(noted[0]), noted[1:]
        else:
            begun = ""
        if kind == "move" and not wanted:
            return self._way_back(number, message, account, folder, target=target, begun=begun)
        # What was begun goes on where it began, although its copy may have been seen elsewhere already.
        own = Place(folder, validity, uid)
        place = own if begun else self._whereabouts.now(message, account, own)
        if place is None:
            return None
        set_, cleared = _either_way(added, removed, wanted)
        where = (place.folder, place.validity, place.uid)
        return Task(number * 2 + wanted, kind, message, account, *where, set_, cleared, target, begun)

    def _way_back(
        self, number: int, message: int, account: str, origin: str, *, target: str, begun: str
    ) -> Task | None:
        """Moving back needs the message's new place. Where it lies in its old folder again, someone else was first,
        unless we had begun to move it there.
        """
        if not begun and self._whereabouts.lies_in(message, account, origin):
            self.settle(number * 2, "moot", "moved back by someone else")
            return None
        place = self._whereabouts.back_from(message, account, target)
        if place is None:
            return None
        where = (place.folder, place.validity, place.uid)
        return Task(number * 2, "move", message, account, *where, target=origin, begun=begun)

    def _note_done(self, row: int, way: int) -> frozenset[int]:
        """What the server did shows here at once: else the next look would take it for someone else's doing."""
        found = self._connection.row(
            "UPDATE outbox SET applied = ?, detail = '' WHERE number = ?"
            " RETURNING kind, message, account, folder, validity, uid, added, removed, target",
            (way, row),
        )
        if found is None:
            return frozenset()
        kind, message, account, folder, validity, uid, added, removed, target = found
        place = self._whereabouts.now(message, account, Place(folder, validity, uid))
        if kind == "move":
            place = place if way else self._whereabouts.back_from(message, account, target)
            return self._whereabouts.leave(message, account, place) if place else frozenset()
        if place:
            self._set_flags(message, account, place, *_either_way(added, removed, way))
        return frozenset()

    def _set_flags(
        self, message: int, account: str, place: Place, set_: frozenset[str], cleared: frozenset[str]
    ) -> None:
        found = self._connection.row(
            "SELECT locations.folder, flags FROM locations JOIN folders ON folders.number = locations.folder"
            " WHERE message = ? AND uid = ? AND account = ? AND folders.folder = ? AND validity = ?",
            (message, place.uid, account, place.folder, place.validity),
        )
        if found:
            self._connection.execute(
                "UPDATE locations SET flags = ? WHERE folder = ? AND uid = ?",
                (joined(parted(found[1]) - cleared | set_), found[0], place.uid),
            )


def _either_way(added: str, removed: str, wanted: int) -> tuple[frozenset[str], frozenset[str]]:
    """Keywords to set and to clear: as the mark wanted, or the other way round to take it back."""
    return (parted(added), parted(removed)) if wanted else (parted(removed), parted(added))
