"""Persistent queue of server actions. Entries stay until the server confirms them.

*Keywords*: one entry stands for all locations of a message in an account. The server gets the keywords of the label
at the time of sending, so that of several marks and undos only the last is sent.

*Moves*: one entry stands for one location. A completed move stays stored with its label. If the message loses this
label, it is moved back once it is seen in its new folder. A message that another client moved back stays there.

An entry is open while `wanted` and `applied` differ. For moves, `added` is the label of the move, `removed` the number
of the move that it reverts and `detail` its progress. For keywords, `detail` lists the locations with a STORE that the
server hasn't answered. Their flags are uncertain, so that the entry stays open until a STORE is answered.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.store.files.connection import Connection, Row, listed, parted
from nbmail.store.mail.folders import ALL, Folders, Location, agree, keywords_of
from nbmail.values import ActionKind, FolderName, Outcome, ServerAction, ServerLocation

# Actions returned at once: ten thousand marks must not block the engine.
MOST = 500
_OPEN = "closed = '' AND wanted <> applied"
_DONE_MOVE = "kind = 'move' AND closed = '' AND applied = 1 AND wanted = 1"
# Labels of moves that were stored without a label.
_MEANT = {"\\Junk": JUNK, "\\Inbox": GOOD}
_AMONG = "message IN (SELECT value FROM json_each(?))"
# Locations of messages whose keywords are to be set, with their labels.
_TO_TELL = f"""
SELECT outbox.number, outbox.message, folders.folder, folders.validity, locations.uid, flags, classes.name, detail
FROM outbox JOIN locations ON locations.message = outbox.message
JOIN folders ON folders.number = locations.folder AND folders.account = outbox.account
LEFT JOIN labels ON labels.message = outbox.message LEFT JOIN classes ON classes.number = labels.class
WHERE kind = 'keywords' AND {_OPEN}"""


class _Untold(NamedTuple):
    """A location of a message with an open row of keywords."""

    number: int
    message: int
    folder: str
    validity: int
    uid: int
    flags: str
    label: str | None
    detail: str

    @property
    def agrees(self) -> bool:
        """True if the server is known to have the keywords of the label."""
        uncertain = _place_text(self.folder, self.validity, self.uid) in self.detail.splitlines()
        return not uncertain and agree(self.label, parted(self.flags))


class WantedMove(NamedTuple):
    """Move on the server that a mark causes."""

    location: Location
    target: str


class CompletedAction(NamedTuple):
    """Consequences of a completed action: messages whose rows changed, and those of them without a location."""

    changed: frozenset[int] = frozenset()
    away: frozenset[int] = frozenset()


class _DoneMove(NamedTuple):
    """Completed move that wasn't reverted."""

    number: int
    origin: str
    target: str
    label: str


class Outbox:
    """Table of pending server actions."""

    def __init__(self, connection: Connection, folders: Folders) -> None:
        self._connection = connection
        self._folders = folders

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return the next actions of an account. Keywords come first, while the locations are known."""
        told, found = set[int](), list[ServerAction]()
        rows = self._connection.rows(
            f"{_TO_TELL} AND outbox.account = ? ORDER BY outbox.number LIMIT ?", (account, MOST)
        )
        for one in map(_Untold._make, rows):
            told.add(one.number)
            if not one.agrees:
                name, words, number = FolderName(account, one.folder), keywords_of(one.label), 2 * one.number + 1
                action = ServerAction(number, ActionKind.KEYWORDS, name, one.validity, one.uid, words, ALL - words)
                found.append(action)
        # More locations of the last message may be missing.
        self._note_told(told - {action.number // 2 for action in found} - {row[0] for row in rows[MOST - 1 :]})
        if len(rows) == MOST:
            return tuple(found)
        rows = self._connection.rows(
            "SELECT number, kind, folder, validity, uid, added, target, wanted, detail FROM outbox"
            f" WHERE account = ? AND (kind = 'seen' OR kind = 'move' AND wanted = 1) AND {_OPEN}"
            " ORDER BY number LIMIT ?",
            (account, MOST),
        )
        return (*found, *(_action(account, row) for row in rows))

    def waiting(self, messages: Iterable[int]) -> frozenset[int]:
        """Return the messages whose keywords are still to be set on a server."""
        those = self._those(messages, f"kind = 'keywords' AND {_OPEN}")
        seen, differing = set[int](), set[int]()
        for one in map(_Untold._make, self._connection.among(f"{_TO_TELL} AND outbox.message", those)):
            seen.add(one.message)
            if not one.agrees:
                differing.add(one.message)
        return those - seen | differing

    def moved(self, messages: Iterable[int]) -> frozenset[int]:
        """Return the messages that were moved by this program and not moved back by it."""
        return self._those(messages, _DONE_MOVE)

    def ever_moved(self, messages: Iterable[int]) -> frozenset[int]:
        """Return the messages that this program ever wanted to move. It may have caused their other moves."""
        return self._those(messages, "kind = 'move'")

    def with_known_label(self, messages: Iterable[int]) -> frozenset[int]:
        """Return the messages whose label a server knows, or that is queued for a server."""
        wanted = list(messages)
        spoken = self._connection.among("SELECT message FROM locations WHERE flags LIKE '%junk%' AND message", wanted)
        return self._those(wanted, "kind <> 'seen'").union(message for (message,) in spoken)

    def accounts(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self._connection.rows(f"SELECT DISTINCT account FROM outbox WHERE {_OPEN}"))

    def newest(self) -> int:
        """Return the number of the latest entry. A larger one means new actions."""
        return int(self._connection.value("SELECT max(number) FROM outbox") or 0)

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        """Store the progress of moves, and the locations of keywords that are about to be sent.

        A move that has started is completed, even if it is no longer wanted.
        """
        moves = [(each.progress, each.number // 2) for each in actions if each.kind is ActionKind.MOVE]
        sent: dict[tuple[FolderName, int], set[int]] = defaultdict(set)
        for each in actions:
            if each.kind is ActionKind.KEYWORDS:
                sent[each.folder, each.validity].add(each.uid)
        with self._connection.transaction():
            self._connection.execute_many(
                "UPDATE outbox SET detail = ?, wanted = 1 WHERE number = ? AND kind = 'move' AND closed = ''", moves
            )
            for (folder, validity), uids in sent.items():
                for place in self._folders.located(folder, uids):
                    if place.validity == validity:
                        self._change_uncertain(place, "", _place_text(place.folder, validity, place.uid))

    def complete(
        self, action: ServerAction, outcome: Outcome, detail: str = "", new_location: ServerLocation | None = None
    ) -> CompletedAction:
        """Complete an action. `new_location`: location of the moved message, if known."""
        with self._connection.transaction():
            if action.kind is ActionKind.KEYWORDS:
                return self._settle_keywords(action, outcome, detail)
            if action.kind is ActionKind.MOVE and outcome is Outcome.DONE:
                return self._settle_move(action, new_location)
            number, way = divmod(action.number, 2)
            ended = ("", way) if outcome is Outcome.DONE else (outcome, 1 - way)
            self._connection.execute(
                "UPDATE outbox SET closed = ?, applied = ?, detail = ? WHERE number = ?", (*ended, detail, number)
            )
            over = "kind = 'seen' AND (wanted = applied OR closed = 'moot')"
            self._connection.execute(f"DELETE FROM outbox WHERE number = ? AND {over}", (number,))
            return CompletedAction()

    def add(self, messages: Sequence[int], moves: Iterable[WantedMove]) -> None:
        """Queue keywords of changed labels and moves. They replace earlier moves of these messages."""
        self.tell(messages)
        busy = self._withdraw(messages) | self.take_back(messages)
        labels = self._labels(messages)
        wanted = [one for one in moves if _place(one.location) not in busy]
        self._want((one.location, one.target, labels.get(one.location.message, ""), 0) for one in wanted)

    def turned(self, messages: Sequence[int]) -> None:
        """Queue keywords after an undo or redo, and the moves that were once wanted for the restored labels."""
        self.tell(self.with_known_label(messages))
        busy = self._withdraw(messages) | self.take_back(messages)
        rows = self._connection.among(
            "SELECT DISTINCT message, account, folder, added, target FROM outbox WHERE kind = 'move'"
            " AND removed = '' AND closed IN ('', 'back') AND message",
            set(messages) - self.moved(messages),
        )
        labels, wanted = self._labels(messages), {tuple(row[:4]): row[4] for row in rows}
        for place in self._folders.locations({row[0] for row in rows}):
            label = labels.get(place.message, "")
            target = wanted.get((place.message, place.account, place.folder, label))
            if target is not None and _place(place) not in busy:
                self._want([(place, target, label, 0)])

    def tell(self, messages: Collection[int]) -> None:
        """Queue the keywords of messages for all their accounts, also if they have no location now."""
        wanted = listed(messages)
        uncertain = f"SELECT detail, message, account FROM outbox WHERE kind = 'keywords' AND closed = '' AND {_AMONG}"
        rows = [row for row in self._connection.rows(uncertain, (wanted,)) if row[0]]
        self._connection.execute(f"DELETE FROM outbox WHERE kind = 'keywords' AND {_AMONG}", (wanted,))
        self._connection.execute(
            "INSERT INTO outbox (message, kind, account, folder, validity, uid, added, removed, target)"
            " SELECT DISTINCT message, 'keywords', account, '', 0, 0, '', '', '' FROM ("
            f" SELECT message, account FROM locations JOIN folders ON folders.number = locations.folder WHERE {_AMONG}"
            f" UNION SELECT message, account FROM departed WHERE {_AMONG})",
            (wanted, wanted),
        )
        self._connection.execute_many(
            "UPDATE outbox SET detail = ? WHERE kind = 'keywords' AND message = ? AND account = ?", rows
        )

    def take_back(self, messages: Iterable[int]) -> set[tuple[object, ...]]:
        """Queue moves back for messages that lost the label they were moved for. Return the locations they leave."""
        moves = self._done_moves(messages)
        if not moves:
            return set()
        concerned = {message for message, _ in moves}
        labels, busy = self._labels(concerned), self._places_with_moves(concerned)
        for place in self._folders.locations(concerned):
            theirs = moves[place.message, place.account]
            now = labels.get(place.message, "")
            found = next((one for one in theirs if one.target in (place.special, place.folder)), None)
            if found is not None and found.label != now and _place(place) not in busy:
                theirs.remove(found)
                self._want([(place, found.origin, now, found.number)])
                busy.add(_place(place))
        return busy

    def close_all(self, account: str, detail: str) -> None:
        """Close all actions of a removed account."""
        self._connection.execute(
            "UPDATE outbox SET closed = 'moot', detail = ? WHERE account = ? AND closed = ''", (detail, account)
        )

    def refused(self) -> tuple[tuple[str, str, str], ...]:
        return tuple(
            self._connection.rows("SELECT account, folder, detail FROM outbox WHERE closed = 'refused' ORDER BY number")
        )

    def _those(self, messages: Iterable[int], which: str) -> frozenset[int]:
        rows = self._connection.among(f"SELECT DISTINCT message FROM outbox WHERE {which} AND message", messages)
        return frozenset(row[0] for row in rows)

    def _labels(self, messages: Iterable[int]) -> dict[int, str]:
        labels = "SELECT message, name FROM labels JOIN classes ON classes.number = class WHERE message"
        return dict(self._connection.among(labels, messages))

    def _done_moves(self, messages: Iterable[int]) -> dict[tuple[int, str], list[_DoneMove]]:
        found: dict[tuple[int, str], list[_DoneMove]] = defaultdict(list)
        moves = f"SELECT message, account, number, folder, target, added FROM outbox WHERE {_DONE_MOVE} AND message"
        for message, account, number, origin, target, label in self._connection.among(moves, messages):
            found[message, account].append(_DoneMove(number, origin, target, label or _MEANT.get(target, "")))
        return found

    def _places_with_moves(self, messages: Iterable[int]) -> set[tuple[object, ...]]:
        """Return the locations that open moves leave, also those that the user requested."""
        wanted, place = listed(messages), "SELECT message, account, folder, validity, uid FROM"
        moves = f"{place} outbox WHERE kind = 'move' AND {_OPEN} AND {_AMONG}"
        filed = f"{place} filed WHERE {_OPEN} AND {_AMONG}"
        return set(self._connection.rows(f"{moves} UNION {filed}", (wanted, wanted)))

    def _withdraw(self, messages: Iterable[int]) -> set[tuple[object, ...]]:
        """Withdraw moves that haven't started. Return the locations of those that have."""
        wanted = list(messages)
        waiting = f"kind = 'move' AND {_OPEN} AND detail = ''"
        self._connection.among(f"UPDATE outbox SET wanted = 0 WHERE {waiting} AND message", wanted)
        return self._places_with_moves(wanted)

    def _want(self, moves: Iterable[tuple[Location, str, str, int]]) -> None:
        """Queue moves: location, target, label, and number of the move that each reverts."""
        self._connection.execute_many(
            "INSERT INTO outbox (message, kind, account, folder, validity, uid, added, target, removed)"
            " VALUES (?, 'move', ?, ?, ?, ?, ?, ?, ?)",
            ((*_place(place), label, target, str(earlier or "")) for place, target, label, earlier in moves),
        )

    def _settle_keywords(self, action: ServerAction, outcome: Outcome, detail: str) -> CompletedAction:
        number, changed, away = action.number // 2, frozenset[int](), frozenset[int]()
        if outcome is Outcome.REFUSED:
            self._connection.execute(
                "UPDATE outbox SET closed = ?, detail = ?, folder = ? WHERE number = ?",
                (outcome, detail, action.folder.folder, number),
            )
        elif outcome is Outcome.OBSOLETE:
            # The keywords are set where the message is found again.
            changed, away = self._folders.leave(action.folder, action.validity, action.uid)
        else:
            changed = self._note_keywords(action)
            rows = self._connection.rows(f"{_TO_TELL} AND outbox.number = ?", (number,))
            if all(one.agrees for one in map(_Untold._make, rows)):
                self._note_told({number})
        return CompletedAction(changed, away)

    def _note_keywords(self, action: ServerAction) -> frozenset[int]:
        """Store the keywords that were set, so that they aren't taken for a change by another client."""
        for place in self._folders.located(action.folder, [action.uid]):
            if place.validity == action.validity:
                self._folders.flag(action.folder, {place.uid: place.flags - action.remove | action.add})
                self._change_uncertain(place, _place_text(place.folder, place.validity, place.uid), "")
                return frozenset({place.message})
        return frozenset()

    def _settle_move(self, action: ServerAction, new_location: ServerLocation | None) -> CompletedAction:
        """Store a completed move, also if it is no longer wanted."""
        if new_location is not None:
            before = _place_text(action.folder.folder, action.validity, action.uid)
            after = _place_text(new_location.folder, new_location.validity, new_location.uid)
            for place in self._folders.located(action.folder, [action.uid]):
                self._change_uncertain(place, before, after)
        changed, away = self._folders.leave(action.folder, action.validity, action.uid, new_location)
        row = self._connection.row(
            "UPDATE outbox SET applied = 1, wanted = 1, detail = '' WHERE number = ? RETURNING removed",
            (action.number // 2,),
        )
        if row is not None and row[0]:
            self._connection.execute(
                "UPDATE outbox SET closed = 'back' WHERE number IN (?, ?)", (action.number // 2, int(row[0]))
            )
        self.take_back(changed)
        return CompletedAction(changed, away)

    def _change_uncertain(self, location: Location, before: str, after: str) -> None:
        """Replace an uncertain location of a message; an empty `before` adds one, an empty `after` removes it."""
        which = "kind = 'keywords' AND closed = '' AND message = ? AND account = ?"
        key = (location.message, location.account)
        for (detail,) in self._connection.rows(f"SELECT detail FROM outbox WHERE {which}", key):
            places = {"", *detail.splitlines()}
            if before in places:
                text = "\n".join(sorted((places | {after}) - {before, ""}))
                # A row with an uncertain location is open, also if the label changed back in between.
                values = (text, text == "", *key)
                self._connection.execute(f"UPDATE outbox SET detail = ?, applied = applied AND ? WHERE {which}", values)

    def _note_told(self, numbers: Collection[int]) -> None:
        if numbers:
            self._connection.among("UPDATE outbox SET applied = wanted WHERE number", numbers)


def _action(account: str, row: Row) -> ServerAction:
    """Return the action of an entry for a move or the flag of read mail."""
    number, kind, folder, validity, uid, added, target, wanted, detail = row
    action = ServerAction(2 * number + wanted, ActionKind(kind), FolderName(account, folder), validity, uid)
    if kind == ActionKind.MOVE:
        return action._replace(target=target, progress=detail)
    return action._replace(add=parted(added)) if wanted else action._replace(remove=parted(added))


def _place_text(folder: str, validity: int, uid: int) -> str:
    return f"{validity} {uid} {folder}"


def _place(location: Location) -> tuple[object, ...]:
    return location.message, location.account, location.folder, location.validity, location.uid
