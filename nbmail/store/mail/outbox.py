"""What the servers are still to be told. Kept until confirmed, over restarts too.

*Keywords* are told of a message, wherever in an account it lies: one row says that the server is to know its label,
whatever that is by the time it is told. So marks and undos may come in any order, and nothing but the last is told.

*Moves* are told of one place, and each that was done stays known with the label for which it was done: a message that
loses this label goes back, once it is seen where it was moved to. One that someone else moved back stays there.

A row is open while `wanted` and `applied` differ. Of a move `added` is the label it was wanted for, `removed` the
number of the move that it takes back, and `detail` how far it has come. Of keywords `detail` lists the locations with a
STORE that the server has not answered: their flags are uncertain, and the row stays open until one is answered.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.store.files.connection import Connection, Row, listed
from nbmail.store.files.row_values import parted
from nbmail.store.mail.folders import Folders, Location
from nbmail.store.mail.keywords import ALL, agree, keywords_of
from nbmail.values import ActionKind, FolderName, Outcome, ServerAction, ServerLocation

# So many errands are handed out at once: ten thousand marks must not hold the engine up.
MOST = 500
_OPEN = "closed = '' AND wanted <> applied"
_DONE_MOVE = "kind = 'move' AND closed = '' AND applied = 1 AND wanted = 1"
# What a move meant that was kept without its label.
_MEANT = {"\\Junk": JUNK, "\\Inbox": GOOD}
_AMONG = "message IN (SELECT value FROM json_each(?))"
# Places of messages of which the server is to be told the label, with that label.
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
    """A move that a mark wants done on the server."""

    location: Location
    target: str


@dataclass(frozen=True, slots=True)
class CompletedAction:
    """What follows from the end of an errand: the messages to show anew, and of these those that lie nowhere now."""

    changed: frozenset[int] = frozenset()
    away: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _DoneMove:
    """A move that was done and not taken back."""

    number: int
    origin: str
    target: str
    label: str


class Outbox:
    """PendingActions to the servers."""

    def __init__(self, connection: Connection, folders: Folders) -> None:
        self._connection = connection
        self._folders = folders

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """What this account's server is to be told next: keywords first, while messages lie where they are known."""
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
        # Of the last one further places may have been cut off.
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
        """Those of the messages whose label a server is still to be told: its keywords aren't ours yet."""
        those = self._those(messages, f"kind = 'keywords' AND {_OPEN}")
        seen, differing = set[int](), set[int]()
        for one in map(_Untold._make, self._connection.among(f"{_TO_TELL} AND outbox.message", those)):
            seen.add(one.message)
            if not one.agrees:
                differing.add(one.message)
        return those - seen | differing

    def moved(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that a server has moved for us and not back: elsewhere now, someone else put them."""
        return self._those(messages, _DONE_MOVE)

    def ever_moved(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages that a move was ever wanted for, to and fro: their coming and going may be ours."""
        return self._those(messages, "kind = 'move'")

    def with_known_label(self, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages whose label a server was ever told, is still to be told, or speaks of itself."""
        wanted = list(messages)
        spoken = self._connection.among("SELECT message FROM locations WHERE flags LIKE '%junk%' AND message", wanted)
        return self._those(wanted, "kind <> 'seen'").union(message for (message,) in spoken)

    def accounts(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self._connection.rows(f"SELECT DISTINCT account FROM outbox WHERE {_OPEN}"))

    def newest(self) -> int:
        """The number of the latest row: a larger one says that there is something new to tell."""
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
        """Servers are to know these messages by their new labels, and to move some; what was wanted is overtaken."""
        self.tell(messages)
        busy = self._withdraw(messages) | self.take_back(messages)
        labels = self._labels(messages)
        wanted = [one for one in moves if _place(one.location) not in busy]
        self._want((one.location, one.target, labels.get(one.location.message, ""), 0) for one in wanted)

    def turned(self, messages: Sequence[int]) -> None:
        """An undo or redo gave these messages other labels: what was wanted for those once is wanted again."""
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
        """Every server is to know the labels of these messages, wherever they lie or are found again."""
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
        """Have messages that were moved for a label they lost moved back; the places that are about to be left."""
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
        """The account is gone: nothing of it is to be told any more."""
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
        places = (
            f"SELECT message, account, folder, validity, uid FROM outbox WHERE kind = 'move' AND {_OPEN} AND message"
        )
        return set(self._connection.among(places, messages))

    def _withdraw(self, messages: Iterable[int]) -> set[tuple[object, ...]]:
        """Moves that haven't begun are wanted no longer; the places of those that have."""
        wanted = list(messages)
        waiting = f"kind = 'move' AND {_OPEN} AND detail = ''"
        self._connection.among(f"UPDATE outbox SET wanted = 0 WHERE {waiting} AND message", wanted)
        return self._places_with_moves(wanted)

    def _want(self, moves: Iterable[tuple[Location, str, str, int]]) -> None:
        """Moves of what lies at a place to a target, for a label, and to take back an earlier move."""
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
            # It is told where it is found again, should it be.
            changed, away = self._folders.leave(action.folder, action.validity, action.uid)
        else:
            changed = self._note_keywords(action)
            rows = self._connection.rows(f"{_TO_TELL} AND outbox.number = ?", (number,))
            if all(one.agrees for one in map(_Untold._make, rows)):
                self._note_told({number})
        return CompletedAction(changed, away)

    def _note_keywords(self, action: ServerAction) -> frozenset[int]:
        """What was told shows here at once: else the next look would take it for someone else's doing."""
        for place in self._folders.located(action.folder, [action.uid]):
            if place.validity == action.validity:
                self._folders.flag(action.folder, {place.uid: place.flags - action.remove | action.add})
                self._change_uncertain(place, _place_text(place.folder, place.validity, place.uid), "")
                return frozenset({place.message})
        return frozenset()

    def _settle_move(self, action: ServerAction, new_location: ServerLocation | None) -> CompletedAction:
        """It is done, even where it was wanted no longer."""
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
    """A move, or the flag of reading."""
    number, kind, folder, validity, uid, added, target, wanted, detail = row
    action = ServerAction(2 * number + wanted, ActionKind(kind), FolderName(account, folder), validity, uid)
    if kind == ActionKind.MOVE:
        return action._replace(target=target, progress=detail)
    return action._replace(add=parted(added)) if wanted else action._replace(remove=parted(added))


def _place_text(folder: str, validity: int, uid: int) -> str:
    return f"{validity} {uid} {folder}"


def _place(location: Location) -> tuple[object, ...]:
    return location.message, location.account, location.folder, location.validity, location.uid
