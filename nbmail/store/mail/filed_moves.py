"""Moves of single messages that the user requested: filing, archiving, and deletion. One row for one location.

`folder`, `validity` and `uid` are the current location. Every completed move of a message updates all of its rows
(`Folders.leave`). `wanted` is 1 while the message belongs in `target`, 0 after an undo; `applied` is 1 while the server
has it there. A row is open while they differ, or while a move has started (`detail` is its progress). A row can run
only when the message is in the folder that it leaves. So several moves of one message run in their order.

A row without a target deletes the message permanently. It belongs to no undo step.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from nbmail.store.files.connection import Connection, joined, listed, parted
from nbmail.store.mail.folders import Folders, Location
from nbmail.values import JUNK_FOLDER, ActionKind, FolderName, Outcome, ServerAction, ServerLocation

_OPEN = "filed.closed = '' AND (filed.wanted <> filed.applied OR filed.detail <> '')"
# Moves of marks and of automatic sorting that have started are completed first.
_BUSY = """
SELECT 1 FROM outbox WHERE kind = 'move' AND outbox.closed = '' AND outbox.detail <> '' AND outbox.applied = 0
AND outbox.message = filed.message AND outbox.folder = filed.folder AND outbox.uid = filed.uid
UNION ALL SELECT 1 FROM sorted
WHERE progress <> '' AND sorted.message = filed.message AND sorted.folder = filed.folder AND sorted.uid = filed.uid
"""
# Actions returned at once: ten thousand moves must not block the engine.
_MOST = 500


class ShownMove(NamedTuple):
    """Message that is being moved. `folder`: number of the folder that shows it; None if that is not stored."""

    message: int
    folder: int | None
    seen: bool


class FiledMoves:
    """Table of the moves. `step`: undo step; NULL for a permanent deletion."""

    def __init__(self, connection: Connection, folders: Folders) -> None:
        self._connection, self._folders = connection, folders

    def add(self, moves: Iterable[tuple[Location, str]]) -> dict[int, int]:
        """Queue moves: location and folder, empty for a permanent deletion. Return the numbers of the rows by message.

        Messages that are in that folder, or on their way there, are left out.
        """
        # A message that is on its way leaves the folder that it reaches.
        origin = (
            "SELECT coalesce((SELECT target FROM filed WHERE account = ?2 AND folder = ?3 AND validity = ?4"
            " AND uid = ?5 AND closed = '' AND wanted = 1 AND applied = 0 ORDER BY number DESC LIMIT 1), ?3) AS origin"
        )
        added = dict[int, int]()
        for each, target in moves:
            rows = self._connection.rows(
                "INSERT INTO filed (message, account, folder, validity, uid, flags, target, origin) SELECT ?1, ?2, ?3,"
                f" ?4, ?5, ?6, ?7, origin FROM ({origin}) WHERE origin <> ?7 RETURNING message, number",
                (each.message, *each.name, each.validity, each.uid, joined(each.flags), target),
            )
            added |= dict(rows)
        return added

    def join(self, step: int, rows: Iterable[int]) -> None:
        """Add rows to an undo step."""
        self._connection.among(f"UPDATE filed SET step = {step} WHERE number", rows)

    def turn(self, step: int, *, wanted: bool) -> tuple[int, ...]:
        """Want the moves of a step again, or want them reverted. Return the messages."""
        rows = self._connection.rows(
            "UPDATE filed SET wanted = ?1 WHERE step = ?2 AND closed = '' AND wanted <> ?1 RETURNING message",
            (int(wanted), step),
        )
        return tuple(dict.fromkeys(message for (message,) in rows))

    def rescued(self, step: int) -> frozenset[int]:
        """Return the messages that an undo step moved out of a junk folder."""
        rows = self._connection.rows(
            "SELECT message FROM filed JOIN folders ON folders.account = filed.account AND folders.folder = origin"
            " WHERE step = ? AND special = ?",
            (step, JUNK_FOLDER),
        )
        return frozenset(message for (message,) in rows)

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return the next actions of an account."""
        rows = self._connection.rows(
            "SELECT number, folder, validity, uid, applied, origin, target, detail FROM filed"
            f" WHERE account = ? AND {_OPEN} AND uid > 0 AND folder = iif(applied, target, origin)"
            f" AND NOT EXISTS ({_BUSY}) ORDER BY number LIMIT ?",
            (account, _MOST),
        )
        found = []
        for number, folder, validity, uid, applied, origin, target, detail in rows:
            kind = ActionKind.FILE if target else ActionKind.EXPUNGE
            action = ServerAction(2 * number + 1 - applied, kind, FolderName(account, folder), validity, uid)
            found.append(action._replace(target=origin if applied else target, progress=detail))
        return tuple(found)

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        with self._connection.transaction():
            self._connection.execute_many(
                "UPDATE filed SET detail = ? WHERE number = ?", ((each.progress, each.number // 2) for each in actions)
            )

    def complete(
        self, action: ServerAction, outcome: Outcome, detail: str, new_location: ServerLocation | None
    ) -> frozenset[int]:
        """Store how a move ended. Return its message."""
        number, applied = divmod(action.number, 2)
        with self._connection.transaction():
            row = self._connection.row("SELECT message, flags FROM filed WHERE number = ?", (number,))
            if row is None:
                return frozenset()
            message, flags = row
            if outcome is not Outcome.DONE:
                self._connection.execute(
                    "UPDATE filed SET closed = ?, detail = ? WHERE number = ?", (outcome, detail, number)
                )
                return frozenset({message})
            for each in self._folders.located(action.folder, [action.uid]):
                # It has them again when it comes back from a folder that is not stored.
                flags = joined(each.flags)
            self._connection.execute(
                # A target that was created may have got another name.
                "UPDATE filed SET applied = ?1, detail = '', folder = ?2, validity = ?3, uid = ?4, flags = ?5,"
                " target = iif(?1, ?2, target) WHERE number = ?6",
                (applied, *(new_location or ServerLocation(action.target, 0, 0)), flags, number),
            )
            unstored = message, parted(flags)
            self._folders.leave(action.folder, action.validity, action.uid, new_location, unstored)
        return frozenset({message})

    def shown(self, messages: Collection[int] | None = None) -> dict[tuple[int, int], ShownMove]:
        """Return where the list shows messages that are being moved, by number of the current folder and UID."""
        some = "" if messages is None else "AND message IN (SELECT value FROM json_each(?))"
        rows = self._connection.rows(
            "SELECT message, here.number, uid, instr(flags, '\\Seen'), wanted, there.number, back.number FROM filed"
            " LEFT JOIN folders AS here ON here.account = filed.account AND here.folder = filed.folder"
            " LEFT JOIN folders AS there ON there.account = filed.account AND there.folder = target"
            " LEFT JOIN folders AS back ON back.account = filed.account AND back.folder = origin"
            f" WHERE {_OPEN} {some} ORDER BY filed.number",
            () if messages is None else (listed(messages),),
        )
        found: dict[tuple[int, int], ShownMove] = {}
        for message, folder, uid, seen, wanted, target, origin in rows:
            # A folder without stored messages has no number. Its messages are distinguished by their own.
            key = (folder or -message, uid)
            found.setdefault(key, ShownMove(message, origin, bool(seen)))
            if wanted:
                found[key] = ShownMove(message, target, bool(seen))
        return found

    def ever_moved(self, messages: Iterable[int]) -> frozenset[int]:
        """Return the messages that the user ever moved here."""
        rows = self._connection.among("SELECT DISTINCT message FROM filed WHERE message", messages)
        return frozenset(message for (message,) in rows)

    def close_all(self, account: str) -> None:
        """Close all moves of a removed account."""
        self._connection.execute("UPDATE filed SET closed = 'moot' WHERE account = ? AND closed = ''", (account,))

    def accounts(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self._connection.rows(f"SELECT DISTINCT account FROM filed WHERE {_OPEN}"))


Filed = dict[int, tuple[str, ...]]
"""Folders of each message, in the order of their dates."""


class Filings:
    """Queries of the folders that messages lie in."""

    def __init__(self, connection: Connection, moves: FiledMoves) -> None:
        self._connection, self._moves = connection, moves

    def of(self, account: str, folders: Collection[str], messages: Collection[int] | None = None) -> Filed:
        """Return the messages in these folders. A message that is being moved lies in its target."""
        rows = self._connection.rows(
            "SELECT number, folder FROM folders WHERE account = ? AND folder IN (SELECT value FROM json_each(?))",
            (account, listed(folders)),
        )
        names: dict[int | None, str] = dict(rows)
        some = "" if messages is None else "AND message IN (SELECT value FROM json_each(?2))"
        places = self._connection.rows(
            f"SELECT message, folder, uid FROM locations WHERE folder IN (SELECT value FROM json_each(?1)) {some}",
            (listed(each for each in names if each), *(() if messages is None else (listed(messages),))),
        )
        moving = self._moves.shown(messages)
        found: dict[int, dict[str, None]] = {}
        for message, folder, uid in places:
            if (folder, uid) not in moving:
                found.setdefault(message, {})[names[folder]] = None
        for each in moving.values():
            if each.folder in names:
                found.setdefault(each.message, {})[names[each.folder]] = None
        dated = self._connection.among("SELECT date, number FROM messages WHERE number", found)
        return {number: tuple(sorted(found[number])) for _, number in sorted(dated)}
