"""What the servers are still to be told. Kept until confirmed; an undo takes it back or has its inverse told.

A row says what to do and which way: `wanted` is 1 for doing it and 0 for taking it back, `applied` is the way the
server was told last. Where they differ there is something to tell. So an undo only turns `wanted`, whether the
server knows of the mark already, not yet, or is being told at this moment.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nbmail.store.files.connection import Connection, Row, listed
from nbmail.store.files.row_values import joined, parted
from nbmail.store.mail.folders import Location
from nbmail.store.mail.whereabouts import ServerPlace, Whereabouts
from nbmail.values import Errand, ErrandKind, FolderName, Outcome

_OPEN = "closed = '' AND wanted <> applied"
# What was read is told, too (`read_marks`), and forgotten once it is told.
_OF_MARKS = "kind <> 'seen'"
_OVER = "(wanted = applied OR closed = 'moot')"
# What was read is told, too (`read_marks`), and forgotten once it is told.
_OF_MARKS = "kind <> 'seen'"
_OVER = "(wanted = applied OR closed = 'moot')"
# What is taken back goes first, the latest before the earlier; then what is new, in its order.
_ORDER = "ORDER BY wanted, CASE WHEN wanted THEN number ELSE -number END"
# What has been begun goes to its end before it is taken back: till then it counts as done the other way.
_BEGUN_COUNTS = "applied = CASE WHEN detail <> '' AND closed = '' THEN 1 - ?1 ELSE applied END"
_COLUMNS = "number, kind, message, account, folder, validity, uid, added, removed, target, wanted, detail"


@dataclass(frozen=True, slots=True)
class ServerAction:
    """Something a mark wants done on the server: KEYWORDS (add and remove) or MOVE (to `target`)."""

    kind: ErrandKind
    location: Location
    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()
    target: str = ""


class Outbox:
    """Errands to the servers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._whereabouts = Whereabouts(connection)

    def errands(self, account: str) -> tuple[Errand, ...]:
        """What this account's server is still to be told, in the order in which to tell it."""
        rows = self._connection.rows(
            f"SELECT {_COLUMNS} FROM outbox WHERE account = ? AND {_OPEN} {_ORDER}", (account,)
        )
        found = (self._errand(row) for row in rows)
        return tuple(errand for errand in found if errand is not None)

    def waiting(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that something is still to be told of: their flags on the server aren't ours yet."""
        return self._those(messages, f"{_OPEN} AND {_OF_MARKS}")

    def moved(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that a server has moved for us and not back: elsewhere now, someone else put them."""
        return self._those(messages, "kind = 'move' AND applied = 1")

    def ever_moved(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that a move was ever wanted for, to and fro: their coming and going may be ours."""
        return self._those(messages, "kind = 'move'")

    def spoken_of(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that a server was ever told anything of, or is still to be told."""
        return self._those(messages, _OF_MARKS)

    def accounts(self) -> tuple[str, ...]:
        """The accounts that have something to tell."""
        return tuple(row[0] for row in self._connection.rows(f"SELECT DISTINCT account FROM outbox WHERE {_OPEN}"))

    def note(self, steps: Mapping[int, str]) -> None:
        """Keep with open errands how far they have come, until they are over or wanted the other way."""
        with self._connection.transaction():
            for number, text in steps.items():
                row, way = divmod(number, 2)
                self._connection.execute(
                    "UPDATE outbox SET detail = ? WHERE number = ? AND closed = ''", (f"{way}{text}", row)
                )

    def settle(self, number: int, outcome: Outcome, detail: str = "") -> frozenset[int]:
        """An errand is over: done, or moot or refused and not to be tried again.

        Returns the message if it was moved and lies nowhere until its new folder is looked at.
        """
        row, way = divmod(number, 2)
        with self._connection.transaction():
            away = frozenset[int]()
            if outcome is Outcome.DONE:
                away = self._note_done(row, way)
            else:
                self._connection.execute(
                    "UPDATE outbox SET closed = ?, detail = ? WHERE number = ?", (outcome, detail, row)
                )
            self._connection.execute(f"DELETE FROM outbox WHERE number = ? AND NOT {_OF_MARKS} AND {_OVER}", (row,))
            return away

    def add(self, messages: Sequence[int], step: int | None, actions: Iterable[ServerAction]) -> None:
        """Keep what a mark of these messages wants done; only keywords that the server won't have anyway are told.

        Moves that earlier marks of these messages wanted are taken back: the new label speaks for them now.
        """
        turned, coming = self._overtake(messages, step), self._keywords_to_come(messages)
        rows = []
        for action in actions:
            place = action.location
            flags = self._flags_to_come(place, coming.get((place.message, place.account), ()))
            added, removed = action.add - flags, action.remove & flags
            if added or removed if action.kind is ErrandKind.KEYWORDS else place.message not in turned:
                where = (place.message, action.kind, place.account, place.folder, place.validity, place.uid)
                rows.append((step or None, *where, joined(added), joined(removed), action.target))
        self._connection.execute_many(
            "INSERT INTO outbox (step, message, kind, account, folder, validity, uid, added, removed, target)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )

    def want(self, step: int, wanted: bool) -> None:
        """Do a step's errands, or take them back; those it had overtaken the other way round."""
        turn = f"UPDATE outbox SET wanted = ?1, {_BEGUN_COUNTS} WHERE wanted <> ?1"
        self._connection.execute(f"{turn} AND step = ?2", (int(wanted), step))
        self._connection.execute(f"{turn} AND overtaken_by = ?2", (int(not wanted), step))

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

    def _those(self, messages: Iterable[int], condition: str) -> frozenset[int]:
        rows = self._connection.rows(
            f"SELECT DISTINCT message FROM outbox WHERE {condition} AND message IN (SELECT value FROM json_each(?))",
            (listed(messages),),
        )
        return frozenset(row[0] for row in rows)

    def _overtake(self, messages: Iterable[int], step: int | None) -> frozenset[int]:
        """Turn earlier moves of these messages round; those of which any had been told already."""
        rows = self._connection.rows(
            f"UPDATE outbox SET wanted = ?1, overtaken_by = ?2, {_BEGUN_COUNTS}"
            " WHERE message IN (SELECT value FROM json_each(?3)) AND kind = 'move' AND wanted = 1 AND closed = ''"
            " RETURNING message, applied",
            (0, step or None, listed(messages)),
        )
        return frozenset(message for message, applied in rows if applied)

    def _keywords_to_come(self, messages: Iterable[int]) -> dict[tuple[int, str], list[Row]]:
        """By message and account, what waits to be told of keywords, in its order."""
        found: dict[tuple[int, str], list[Row]] = {}
        for row in self._connection.rows(
            f"SELECT message, account, folder, validity, uid, added, removed, wanted FROM outbox WHERE {_OPEN}"
            f" AND kind = 'keywords' AND message IN (SELECT value FROM json_each(?)) {_ORDER}",
            (listed(messages),),
        ):
            found.setdefault(row[:2], []).append(row[2:])
        return found

    def _flags_to_come(self, location: Location, coming: Iterable[Row]) -> frozenset[str]:
        """The flags once everything that waits has been told."""
        now, whose, flags = self._whereabouts.now, (location.message, location.account), location.flags
        own = ServerPlace(location.folder, location.validity, location.uid)
        for *place, added, removed, wanted in coming:
            if now(*whose, ServerPlace(*place)) == now(*whose, own):
                set_, cleared = _either_way(added, removed, wanted)
                flags = flags - cleared | set_
        return flags

    def _errand(self, row: Row) -> Errand | None:
        number, kind, message, account, folder, validity, uid, added, removed, target, wanted, noted = row
        wanted, begun = (int(noted[0]), noted[1:]) if noted else (wanted, "")
        own = ServerPlace(folder, validity, uid)
        if kind == ErrandKind.MOVE and not wanted:
            place = self._place_to_move_back_from(number, message, account, folder, target=target, begun=begun)
            added, removed, target = "", "", folder
        else:
            # What was begun goes on where it began, although its copy may have been seen elsewhere already.
            place = own if begun else self._whereabouts.now(message, account, own)
        if place is None:
            return None
        return Errand(
            number * 2 + wanted,
            ErrandKind(kind),
            FolderName(account, place.folder),
            place.validity,
            place.uid,
            *_either_way(added, removed, wanted),
            target,
            begun,
        )

    def _place_to_move_back_from(
        self, number: int, message: int, account: str, origin: str, *, target: str, begun: str
    ) -> ServerPlace | None:
        """Moving back needs the message's new place. Where it lies in its old folder again, someone else was first,
        unless we had begun to move it there.
        """
        if not begun and self._whereabouts.lies_in(message, account, origin):
            self.settle(number * 2, Outcome.MOOT, "moved back by someone else")
            return None
        return self._whereabouts.back_from(message, account, target)

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
        place = self._whereabouts.now(message, account, ServerPlace(folder, validity, uid))
        if kind == "move":
            place = place if way else self._whereabouts.back_from(message, account, target)
            return self._whereabouts.leave(message, account, place) if place else frozenset()
        if place:
            self._set_flags(message, account, place, *_either_way(added, removed, way))
        return frozenset()

    def _set_flags(
        self, message: int, account: str, place: ServerPlace, set_: frozenset[str], cleared: frozenset[str]
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
