"""Moves that the user requested: filing, archiving, deletion, returns, and moves that marks cause.

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
WHERE progress <> '' AND sorted.message = filed.message AND sorted.folder = filed.folder
  AND sorted.uid = filed.uid
"""
# Moves of marks, if they are the latest of their locations and were not reverted. Ends with the
# location.
_OF_MARKS = """
SELECT number, wanted, applied, detail, label, message, account, folder, validity, uid FROM filed
WHERE label <> '' AND closed = '' AND (wanted OR applied OR detail <> '') AND NOT EXISTS (
  SELECT 1 FROM filed AS later
  WHERE later.message = filed.message AND later.account = filed.account
    AND later.folder = filed.folder AND later.validity = filed.validity
    AND later.uid = filed.uid AND later.closed = '' AND later.number > filed.number
    AND (later.wanted OR later.applied OR later.detail <> '')
) AND message
"""
# Mail that nbmail filed, here or on another computer, counts once a person has confirmed or
# corrected that.
_BY_PEOPLE = f"""
NOT (
  flags LIKE '%{AUTOMATIC_CLAIM}%'
  OR EXISTS (
    SELECT 1 FROM sorted JOIN folders ON folders.number = locations.folder
    WHERE sorted.message = locations.message AND sorted.account = folders.account
      AND target = folders.folder
      AND state IN ('{SortedState.MOVED}', '{SortedState.MOVING}')
  )
)
OR EXISTS (
  SELECT 1 FROM sorted WHERE sorted.message = locations.message
    AND state IN ('{SortedState.PUT_BACK}', '{SortedState.CONFIRMED}')
)
OR EXISTS (SELECT 1 FROM filed WHERE filed.message = locations.message)
"""
_LOCATE = """
UPDATE filed SET
  validity = found.validity, uid = found.uid, folder = ?1,
  origin = iif(origin = filed.folder, ?1, origin),
  target = iif(target = filed.folder, ?1, target)
FROM (
  SELECT message, validity, max(uid) AS uid, special
  FROM locations JOIN folders ON number = locations.folder
  WHERE number = ?2 AND message IN (SELECT value FROM json_each(?3)) GROUP BY message
) AS found
WHERE filed.message = found.message AND filed.folder IN (?1, special) AND closed = ''
  -- With the plus SQLite reads the moves of these messages instead of all of the account.
  AND +account = ?4
  AND (
    filed.validity <> found.validity
    OR NOT EXISTS (SELECT 1 FROM locations WHERE folder = ?2 AND uid = filed.uid)
  )
"""
_SHOWN = f"""
SELECT message, here.number, uid, instr(flags, '\\Seen'), wanted, there.number, back.number
FROM filed
LEFT JOIN folders AS here ON here.account = filed.account AND here.folder = filed.folder
LEFT JOIN folders AS there ON there.account = filed.account AND there.folder = target
LEFT JOIN folders AS back ON back.account = filed.account AND back.folder = origin
WHERE {OPEN} AND label = '' AND (uid > 0 OR applied)
"""
_AMONG = "message IN (SELECT value FROM json_each(?))"
# Actions returned at once: ten thousand moves must not block the engine.
_MOST = 500


class WantedMove(NamedTuple):
    """Move to a folder.

    `target`: its name or its special use; empty for a permanent deletion. `origin`: the folder that
    the message is moved to before, automatically; empty if it is there.
    """

    location: Location
    target: str
    origin: str = ""


class ShownMove(NamedTuple):
    """Message that is being moved.

    `folder`: number of the folder that shows it; None if that is not stored.
    """

    message: int
    folder: int | None
    seen: bool


class QueuedMoves(NamedTuple):
    """Messages that will be moved, and rows of an undo step.

    A row is True if the step wants the move, False if it reverts the move.
    """

    messages: tuple[int, ...]
    rows: dict[int, bool]


Filed = dict[int, tuple[str, ...]]
"""Folders of each message, in the order of their dates."""

_Place = tuple[int, str, str, int, int]
"""Message, account, folder, UIDVALIDITY and UID."""


class FiledMoves:
    """Table of the moves."""

    def __init__(self, connection: Connection, folders: Folders, outbox: Outbox) -> None:
        self._connection = connection
        self._folders = folders
        self._outbox = outbox

    def add(self, moves: Sequence[WantedMove]) -> QueuedMoves:
        """Queue moves, replacing unstarted ones of marks.

        Messages in the folder, or on their way, are left out.
        """
        reverted = self._unstarted_of_marks(moves)
        self._set_wanted(dict.fromkeys(reverted, False))
        rows = dict.fromkeys(reverted, False)
        moved = dict.fromkeys(reverted.values())

        waiting = self._open_moves(move.location.message for move in moves)
        for location, target, first in moves:
            origin = _end_of(waiting[_place_of(location)], first or location.folder)
            if origin != target:
                rows[self._insert(location, origin, target)] = True
                moved[location.message] = None
        return QueuedMoves(tuple(moved), rows)

    def _unstarted_of_marks(self, moves: Sequence[WantedMove]) -> dict[int, int]:
        """Return wanted moves of marks from the same locations: messages by row."""
        places = {_place_of(move.location) for move in moves}
        messages = [move.location.message for move in moves]
        found = dict[int, int]()
        for number, wanted, applied, detail, _, *place in self._connection.among(
            _OF_MARKS, messages
        ):
            if wanted and not applied and not detail and tuple(place) in places:
                found[number] = place[0]
        return found

    def follow_labels(
        self, labels: Mapping[int, str | None], moves: Iterable[WantedMove], step: int
    ) -> None:
        """Queue moves of messages whose labels the user changed; revert moves for other labels."""
        rows = dict[int, bool]()
        for number, wanted, _, _, label, message, *_ in self._connection.among(_OF_MARKS, labels):
            if bool(wanted) is not (label == labels[message]):
                rows[number] = not wanted
        self._set_wanted(rows)

        waiting = self._open_moves(labels)
        for location, target, first in moves:
            if _place_of(location) not in waiting:
                label = labels[location.message] or ""
                number = self._insert(location, first or location.folder, target, label)
                rows[number] = True
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
            """
            UPDATE filed SET wanted = (change.wanted = ?1) FROM filed_steps AS change
            WHERE change.step = ?2 AND change.move = number AND closed = ''
              AND filed.wanted <> (change.wanted = ?1)
            RETURNING message
            """,
            (int(forward), step),
        )
        return tuple(dict.fromkeys(messages))

    def rescued(self, step: int) -> frozenset[int]:
        """Return the messages that a step moved out of a spam folder or of their filed folder."""
        messages = self._connection.column(
            """
            SELECT filed.message FROM filed
            JOIN filed_steps ON move = filed.number AND filed_steps.wanted
            LEFT JOIN folders ON folders.account = filed.account AND folders.folder = origin
            LEFT JOIN sorted ON sorted.message = filed.message
              AND sorted.account = filed.account AND sorted.target = origin
            WHERE step = ?1 AND (?2 IN (origin, special) OR sorted.number IS NOT NULL)
            """,
            (step, JUNK_FOLDER),
        )
        return frozenset(messages)

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        rows = self._connection.rows(
            f"""
            SELECT number, folder, validity, uid, applied, origin, target, detail FROM filed
            WHERE account = ? AND {OPEN} AND uid > 0
              AND folder = iif(applied, target, origin) AND NOT EXISTS ({_BUSY})
            ORDER BY number LIMIT ?
            """,
            (account, _MOST),
        )
        actions = []
        for number, folder, validity, uid, applied, origin, target, detail in rows:
            kind = ActionKind.MOVE if target else ActionKind.EXPUNGE
            action = ServerAction(
                2 * number + 1 - applied, kind, FolderName(account, folder), validity, uid
            )
            goal = origin if applied else target
            actions.append(action._replace(target=goal, progress=detail))
        return tuple(actions)

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
        number = action.number // 2
        with self._connection.transaction():
            row = self._connection.row(
                "SELECT message, flags FROM filed WHERE number = ?", (number,)
            )
            if row is None:
                return frozenset()
            message, flags = row
            if outcome is Outcome.DONE:
                there = new_location or ServerLocation(action.target, 0, 0)
                self._complete_move(action, message, parted(flags), there)
            else:
                self._connection.execute(
                    "UPDATE filed SET closed = ?, detail = ? WHERE number = ?",
                    (outcome, detail, number),
                )
        return frozenset({message})

    def _complete_move(
        self,
        action: ServerAction,
        message: int,
        flags: frozenset[str],
        new_location: ServerLocation,
    ) -> None:
        """Store the new location of a message. `flags`: those that it had when it was stored."""
        number, applied = divmod(action.number, 2)
        for place in self._folders.located(action.folder, [action.uid]):
            # It has them again when it comes back from a folder that is not stored.
            flags = place.flags
        here = (*action.folder, action.validity, action.uid)
        which = "account = ? AND folder = ? AND validity = ? AND uid = ? AND closed = ''"
        if not action.target:
            self._connection.execute(f"UPDATE filed SET closed = 'moot' WHERE {which}", here)
        self._connection.execute(
            "UPDATE filed SET applied = ?, detail = '', flags = ? WHERE number = ?",
            (applied, joined(flags), number),
        )
        # The server's name of a special use, or of a target that was created.
        self._connection.execute(
            f"""
            UPDATE filed SET
              origin = iif(origin = ?1, ?2, origin), target = iif(target = ?1, ?2, target)
            WHERE {which}
            """,
            (action.target, new_location.folder, *here),
        )
        self._outbox.follow(message, action, new_location)
        # In a stored folder the location may be gone already: a delivery brings the new one with
        # its flags.
        is_stored = self._folders.validity(action.folder) == action.validity
        unstored = None if is_stored else (message, flags)
        self._folders.leave(action.folder, action.validity, action.uid, new_location, unstored)

    def locate(self, name: FolderName, number: int, messages: Collection[int]) -> None:
        """Set locations in a folder that were unknown or are no longer valid.

        `messages`: those that the folder got now.
        """
        self._connection.execute(_LOCATE, (name.folder, number, listed(messages), name.account))

    def shown(self, messages: Collection[int] | None = None) -> dict[tuple[int, int], ShownMove]:
        """Return where the list shows messages that are being filed; None for all messages.

        By number of the current folder and UID.
        """
        if messages is None:
            rows = self._connection.rows(f"{_SHOWN} ORDER BY filed.number")
        else:
            rows = self._connection.rows(
                f"{_SHOWN} AND {_AMONG} ORDER BY filed.number", (listed(messages),)
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
        """Return the messages in these folders; None for all messages.

        A message that is being moved counts in its target.
        """
        rows = self._connection.rows(
            "SELECT number, folder FROM folders WHERE account = ? "
            "AND folder IN (SELECT value FROM json_each(?))",
            (account, listed(folders)),
        )
        names: dict[int, str] = dict(rows)
        moving = self.shown(messages)
        found: dict[int, set[str]] = defaultdict(set)
        for message, folder, uid in self._places_by_people(list(names), messages):
            if (folder, uid) not in moving:
                found[message].add(names[folder])
        for move in moving.values():
            if move.folder in names:
                found[move.message].add(names[move.folder])
        dated = self._connection.among("SELECT date, number FROM messages WHERE number", found)
        return {number: tuple(sorted(found[number])) for _, number in sorted(dated)}

    def _places_by_people(
        self, folders: Collection[int], messages: Collection[int] | None
    ) -> list[tuple[int, int, int]]:
        """Return message, folder and UID of locations that a person chose."""
        query = (
            "SELECT message, folder, uid FROM locations "
            f"WHERE folder IN (SELECT value FROM json_each(?)) AND ({_BY_PEOPLE})"
        )
        if messages is None:
            return self._connection.rows(query, (listed(folders),))
        return self._connection.rows(f"{query} AND {_AMONG}", (listed(folders), listed(messages)))

    def ever_moved(self, messages: Iterable[int]) -> frozenset[int]:
        return self._connection.column_among("SELECT message FROM filed WHERE message", messages)

    def waiting(self, messages: Iterable[int]) -> bool:
        return bool(self._open_moves(messages))

    def _set_wanted(self, rows: Mapping[int, bool]) -> None:
        values = ((wanted, number) for number, wanted in rows.items())
        self._connection.execute_many("UPDATE filed SET wanted = ? WHERE number = ?", values)

    def _insert(self, location: Location, origin: str, target: str, label: str = "") -> int:
        return self._connection.number(
            """
            INSERT INTO filed
              (message, account, folder, validity, uid, flags, origin, target, label)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
            """,
            (*_place_of(location), joined(location.flags), origin, target, label),
        )

    def _open_moves(self, messages: Iterable[int]) -> dict[_Place, list[tuple[str, str]]]:
        """Return the open moves by location, in their order: source and target folder."""
        found: dict[_Place, list[tuple[str, str]]] = defaultdict(list)
        rows = self._connection.among(
            "SELECT wanted <> applied, applied, origin, target, "
            f"message, account, folder, validity, uid FROM filed WHERE {OPEN} AND message",
            messages,
            "ORDER BY number",
        )
        for differs, applied, origin, target, message, account, folder, validity, uid in rows:
            moves = found[message, account, folder, validity, uid]
            if not differs:
                # A move that only has to end leads nowhere else.
                continue
            moves.append((target, origin) if applied else (origin, target))
        return found


def _place_of(location: Location) -> _Place:
    return (location.message, *location.key)


def _end_of(moves: Sequence[tuple[str, str]], folder: str) -> str:
    """Return the folder in which a message of `folder` will be after the moves."""
    left = list(moves)
    while move := next((each for each in left if each[0] == folder), None):
        left.remove(move)
        _, folder = move
    return folder
