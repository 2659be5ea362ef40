"""Moves of messages that the user requested: filing, archiving, deletion, returns, and moves that
marks cause.

One row stands for one location. `folder`, `validity` and `uid` are the current location. Every
completed move of a message updates all of its rows (`Folders.leave`). `wanted` is 1 while the
message belongs in `target`, 0 after an undo; `applied` is 1 while the server has it there. A row is
open while they differ, or while a move has started (`detail` is its progress). A row can run only
when the message is in the folder that it leaves. So several moves of one message run in their
order. `filed_steps` lists what an undo step changed: the rows that it wanted, and those that it
reverted.

A move that a mark caused has the `label` of the mark, and is reverted when the user changes this
label. A message that another client moved away stays there. A row without a target deletes the
message permanently.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from nbmail.core.sorting.sorted_message import SortedState
from nbmail.store.actions.outbox import Outbox
from nbmail.store.files.columns import joined, listed, parted
from nbmail.store.files.connection import Connection
from nbmail.store.mail.folders import Folders, Location
from nbmail.values import (
    AUTOMATIC_CLAIM,
    JUNK_FOLDER,
    ActionKind,
    FolderName,
    Outcome,
    ServerAction,
    ServerLocation,
)

OPEN = "filed.closed = '' AND (filed.wanted <> filed.applied OR filed.detail <> '')"
# Moves of automatic sorting that have started are completed first.
_BUSY = """
SELECT 1 FROM sorted
WHERE progress <> '' AND sorted.message = filed.message AND sorted.folder = filed.folder AND sorted.uid = filed.uid
"""
# Moves of marks, if they are the latest of their locations and were not reverted. Ends with the
# location.
_OF_MARKS = """
SELECT number, wanted, applied, detail, label, message, account, folder, validity, uid FROM filed
WHERE label <> '' AND closed = '' AND (wanted OR applied OR detail <> '') AND NOT EXISTS (
 SELECT 1 FROM filed AS later WHERE later.message = filed.message AND later.account = filed.account
 AND later.folder = filed.folder AND later.validity = filed.validity AND later.uid = filed.uid AND later.closed = ''
 AND later.number > filed.number AND (later.wanted OR later.applied OR later.detail <> '')) AND message
"""
# Mail that nbmail filed, here or on another computer, counts once a person has confirmed or
# corrected that.
_BY_PEOPLE = f"""
NOT (flags LIKE '%{AUTOMATIC_CLAIM}%' OR EXISTS (SELECT 1 FROM sorted JOIN folders ON folders.number = locations.folder
  WHERE sorted.message = locations.message AND sorted.account = folders.account AND target = folders.folder
  AND state IN ('{SortedState.MOVED}', '{SortedState.MOVING}')))
OR EXISTS (SELECT 1 FROM sorted WHERE sorted.message = locations.message
  AND state IN ('{SortedState.PUT_BACK}', '{SortedState.CONFIRMED}'))
OR EXISTS (SELECT 1 FROM filed WHERE filed.message = locations.message)
"""
# Actions returned at once: ten thousand moves must not block the engine.
_MOST = 500


class WantedMove(NamedTuple):
    """Move to a folder, which is given by its name or its special use; empty for a permanent
    deletion.

    `origin`: the folder that the message is moved to before, automatically; empty if it is there.
    """

    location: Location
    target: str
    origin: str = ""


class ShownMove(NamedTuple):
    """Message that is being moved. `folder`: number of the folder that shows it; None if that is
    not stored.
    """

    message: int
    folder: int | None
    seen: bool


class QueuedMoves(NamedTuple):
    """Messages that will be moved, and rows of an undo step: True if it wants them, False if it
    reverts them.
    """

    messages: tuple[int, ...]
    rows: dict[int, bool]


Filed = dict[int, tuple[str, ...]]
"""Folders of each message, in the order of their dates."""


class FiledMoves:
    """Table of the moves."""

    def __init__(self, connection: Connection, folders: Folders, outbox: Outbox) -> None:
        self._connection = connection
        self._folders = folders
        self._outbox = outbox

    def add(self, moves: Sequence[WantedMove]) -> QueuedMoves:
        """Queue moves, replacing unstarted ones of marks. Messages in the folder, or on their way,
        are left out.
        """
        places = {(each.location.message, *each.location.key) for each in moves}
        rows = dict[int, bool]()
        messages = [each.location.message for each in moves]
        moved = dict[int, None]()
        for number, wanted, applied, detail, _, *place in self._connection.among(
            _OF_MARKS, messages
        ):
            if wanted and not applied and not detail and tuple(place) in places:
                rows[number] = False
                moved[place[0]] = None
        self._set_wanted(rows)
        waiting = self._open_moves(messages)
        for location, target, first in moves:
            # The folder in which the message will be after the open moves.
            origin = first or location.folder
            open_moves = [*waiting[location.message, *location.key]]
            while now := next((each for each in open_moves if each[0] == origin), None):
                open_moves.remove(now)
                origin = now[1]
            if origin != target:
                rows[self._insert(location, origin, target)] = True
                moved[location.message] = None
        return QueuedMoves(tuple(moved), rows)

    def follow_labels(
        self, labels: Mapping[int, str | None], moves: Iterable[WantedMove], step: int
    ) -> None:
        """Queue moves of messages whose labels the user changed, and revert moves for other
        labels.
        """
        rows = dict[int, bool]()
        for number, wanted, _, _, label, message, *_ in self._connection.among(_OF_MARKS, labels):
            if bool(wanted) is not (label == labels[message]):
                rows[number] = not wanted
        self._set_wanted(rows)
        waiting = self._open_moves(labels)
        for location, target, origin in moves:
            if (location.message, *location.key) not in waiting:
                label = labels[location.message] or ""
                rows[self._insert(location, origin or location.folder, target, label)] = True
        self.join(step, rows)

    def join(self, step: int, rows: Mapping[int, bool]) -> None:
        """Add changes of rows to an undo step."""
        self._connection.execute_many(
            "INSERT OR IGNORE INTO filed_steps VALUES (?, ?, ?)",
            ((step, row, wanted) for row, wanted in rows.items()),
        )

    def turn(self, step: int, *, forward: bool) -> tuple[int, ...]:
        """Revert what a step changed, or change it again. Return the messages."""
        messages = self._connection.column(
            "UPDATE filed SET wanted = (change.wanted = ?1) FROM filed_steps AS change WHERE "
            "change.step = ?2"
            " AND change.move = number AND closed = '' AND filed.wanted <> (change.wanted = "
            "?1) RETURNING message",
            (int(forward), step),
        )
        return tuple(dict.fromkeys(messages))

    def rescued(self, step: int) -> frozenset[int]:
        """Return the messages that an undo step moved out of a spam folder, or from where they were
        filed.
        """
        messages = self._connection.column(
            "SELECT filed.message FROM filed JOIN filed_steps ON move = filed.number AND "
            "filed_steps.wanted"
            " LEFT JOIN folders ON folders.account = filed.account AND folders.folder = origin"
            " LEFT JOIN sorted ON sorted.message = filed.message AND sorted.account = "
            "filed.account"
            " AND sorted.target = origin WHERE step = ?1 AND (?2 IN (origin, special) OR "
            "sorted.number IS NOT NULL)",
            (step, JUNK_FOLDER),
        )
        return frozenset(messages)

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        rows = self._connection.rows(
            "SELECT number, folder, validity, uid, applied, origin, target, detail FROM filed"
            f" WHERE account = ? AND {OPEN} AND uid > 0 AND folder = iif(applied, target, origin)"
            f" AND NOT EXISTS ({_BUSY}) ORDER BY number LIMIT ?",
            (account, _MOST),
        )
        found = []
        for number, folder, validity, uid, applied, origin, target, detail in rows:
            kind = ActionKind.MOVE if target else ActionKind.EXPUNGE
            action = ServerAction(
                2 * number + 1 - applied, kind, FolderName(account, folder), validity, uid
            )
            found.append(action._replace(target=origin if applied else target, progress=detail))
        return tuple(found)

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        with self._connection.transaction():
            self._connection.execute_many(
                "UPDATE filed SET detail = ? WHERE number = ?",
                ((each.progress, each.number // 2) for each in actions),
            )

    def complete(
        self,
        action: ServerAction,
        outcome: Outcome,
        detail: str,
        new_location: ServerLocation | None,
    ) -> frozenset[int]:
        """Store how a move ended. Return its message."""
        number, applied = divmod(action.number, 2)
        with self._connection.transaction():
            row = self._connection.row(
                "SELECT message, flags FROM filed WHERE number = ?", (number,)
            )
            if row is None:
                return frozenset()
            message, flags = row
            if outcome is not Outcome.DONE:
                self._connection.execute(
                    "UPDATE filed SET closed = ?, detail = ? WHERE number = ?",
                    (outcome, detail, number),
                )
                return frozenset({message})
            # In a stored folder the location may be gone already: a delivery brings the new one
            # with its flags.
            is_stored = self._folders.validity(action.folder) == action.validity
            for each in self._folders.located(action.folder, [action.uid]):
                # It has them again when it comes back from a folder that is not stored.
                flags = joined(each.flags)
            here = (*action.folder, action.validity, action.uid)
            which = "account = ? AND folder = ? AND validity = ? AND uid = ? AND closed = ''"
            if not action.target:
                self._connection.execute(f"UPDATE filed SET closed = 'moot' WHERE {which}", here)
            there = new_location or ServerLocation(action.target, 0, 0)
            self._connection.execute(
                "UPDATE filed SET applied = ?, detail = '', flags = ? WHERE number = ?",
                (applied, flags, number),
            )
            # The server's name of a special use, or of a target that was created.
            self._connection.execute(
                "UPDATE filed SET origin = iif(origin = ?1, ?2, origin), target = iif(target "
                "= ?1, ?2, target)"
                f" WHERE {which}",
                (action.target, there.folder, *here),
            )
            self._outbox.follow(message, action, there)
            unstored = None if is_stored else (message, parted(flags))
            self._folders.leave(action.folder, action.validity, action.uid, there, unstored)
        return frozenset({message})

    def locate(self, name: FolderName, number: int, messages: Collection[int]) -> None:
        """Set locations in a folder that were unknown or are no longer valid. `messages`: those
        that it got now.
        """
        self._connection.execute(
            "UPDATE filed SET validity = found.validity, uid = found.uid, folder = ?1,"
            " origin = iif(origin = filed.folder, ?1, origin), target = iif(target = "
            "filed.folder, ?1, target)"
            " FROM (SELECT message, validity, max(uid) AS uid, special"
            " FROM locations JOIN folders ON number = locations.folder"
            " WHERE number = ?2 AND message IN (SELECT value FROM json_each(?3)) GROUP BY "
            "message) AS found"
            " WHERE filed.message = found.message AND filed.folder IN (?1, special) AND "
            "closed = ''"
            # With the plus SQLite reads the moves of these messages instead of all of the account.
            " AND +account = ?4"
            " AND (filed.validity <> found.validity"
            " OR NOT EXISTS (SELECT 1 FROM locations WHERE folder = ?2 AND uid = filed.uid))",
            (name.folder, number, listed(messages), name.account),
        )

    def shown(self, messages: Collection[int] | None = None) -> dict[tuple[int, int], ShownMove]:
        """Return where the list shows messages that are being filed, by number of the current
        folder and UID.
        """
        some = "" if messages is None else "AND message IN (SELECT value FROM json_each(?))"
        rows = self._connection.rows(
            "SELECT message, here.number, uid, instr(flags, '\\Seen'), wanted, there.number, "
            "back.number FROM filed"
            " LEFT JOIN folders AS here ON here.account = filed.account AND here.folder = "
            "filed.folder"
            " LEFT JOIN folders AS there ON there.account = filed.account AND there.folder = "
            "target"
            " LEFT JOIN folders AS back ON back.account = filed.account AND back.folder = origin"
            f" WHERE {OPEN} AND label = '' AND (uid > 0 OR applied) {some} ORDER BY filed.number",
            () if messages is None else (listed(messages),),
        )
        found: dict[tuple[int, int], ShownMove] = {}
        for message, folder, uid, seen, wanted, target, origin in rows:
            # A folder without stored messages has no number. Its messages are distinguished by
            # their own.
            key = (folder or -message, uid)
            found.setdefault(key, ShownMove(message, origin, bool(seen)))
            if wanted:
                found[key] = ShownMove(message, target, bool(seen))
        return found

    def folders_of(
        self, account: str, folders: Collection[str], messages: Collection[int] | None = None
    ) -> Filed:
        """Return the messages in these folders. A message that is being moved counts in its
        target.
        """
        rows = self._connection.rows(
            (
                "SELECT number, folder FROM folders WHERE account = ? AND folder IN (SELECT "
                "value FROM json_each(?))"
            ),
            (account, listed(folders)),
        )
        names: dict[int | None, str] = dict(rows)
        some = "" if messages is None else "AND message IN (SELECT value FROM json_each(?2))"
        places = self._connection.rows(
            "SELECT message, folder, uid FROM locations WHERE folder IN (SELECT value FROM "
            "json_each(?1))"
            f" {some} AND ({_BY_PEOPLE})",
            (
                listed(each for each in names if each),
                *(() if messages is None else (listed(messages),)),
            ),
        )
        moving = self.shown(messages)
        found: dict[int, dict[str, None]] = {}
        for message, folder, uid in places:
            if (folder, uid) not in moving:
                found.setdefault(message, {})[names[folder]] = None
        for each in moving.values():
            if each.folder in names:
                found.setdefault(each.message, {})[names[each.folder]] = None
        dated = self._connection.among("SELECT date, number FROM messages WHERE number", found)
        return {number: tuple(sorted(found[number])) for _, number in sorted(dated)}

    def ever_moved(self, messages: Iterable[int]) -> frozenset[int]:
        return self._connection.column_among("SELECT message FROM filed WHERE message", messages)

    def waiting(self, messages: Iterable[int]) -> bool:
        return bool(self._open_moves(messages))

    def _set_wanted(self, rows: Mapping[int, bool]) -> None:
        values = ((wanted, number) for number, wanted in rows.items())
        self._connection.execute_many("UPDATE filed SET wanted = ? WHERE number = ?", values)

    def _insert(self, location: Location, origin: str, target: str, label: str = "") -> int:
        return self._connection.number(
            "INSERT INTO filed (message, account, folder, validity, uid, flags, origin, "
            "target, label)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
            (location.message, *location.key, joined(location.flags), origin, target, label),
        )

    def _open_moves(
        self, messages: Iterable[int]
    ) -> dict[tuple[object, ...], list[tuple[str, str]]]:
        """Return the open rows of messages by location, in their order: source and target
        folder.
        """
        found: dict[tuple[object, ...], list[tuple[str, str]]] = defaultdict(list)
        columns = (
            "wanted <> applied, applied, origin, target, message, account, folder, validity, uid "
            "FROM filed"
        )
        for differs, applied, origin, target, *place in self._connection.among(
            f"SELECT {columns} WHERE {OPEN} AND message", messages, "ORDER BY number"
        ):
            # A move that only has to end leads nowhere else.
            found[tuple(place)] += (
                [(target, origin) if applied else (origin, target)] if differs else []
            )
        return found
