"""Persistent queue of flags to set on servers. Entries stay until the server confirms them.

*Keywords*: one entry stands for all locations of a message in an account. The server gets the
keywords of the label at the time of sending, so that of several marks and undos only the last is
sent. `detail` lists the locations with a STORE that the server hasn't answered. Their flags are
uncertain, and the entry stays open until a STORE is answered.

*Seen*: see `FlagMarks`. An entry is open while `wanted` and `applied` differ.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from nbmail.store.files.connection import Connection, listed, parted
from nbmail.store.mail.folders import ALL, Folders, Location, agree, keywords_of, location_of
from nbmail.values import ActionKind, FolderName, Outcome, ServerAction, ServerLocation

# Actions returned at once: ten thousand marks must not block the engine.
MOST = 500
OPEN = "closed = '' AND wanted <> applied"
_AMONG = "message IN (SELECT value FROM json_each(?))"
# Moves out of a location that have begun: a copy has the keywords that the message had then.
_MOVING = """
SELECT 1 FROM filed WHERE filed.account = outbox.account AND filed.folder = folders.folder
 AND filed.validity = folders.validity AND filed.uid = locations.uid AND filed.closed = '' AND filed.detail LIKE '[%'
 AND filed.folder = iif(filed.applied, filed.target, filed.origin)
UNION ALL SELECT 1 FROM sorted WHERE sorted.message = outbox.message AND sorted.account = outbox.account
 AND sorted.folder = folders.folder AND sorted.uid = locations.uid AND sorted.progress LIKE '[%'
"""
# Locations of messages whose keywords are to be set, with their labels.
_TO_TELL = f"""
SELECT outbox.number, outbox.message, folders.folder, folders.validity, locations.uid, locations.flags, classes.name,
 outbox.detail, EXISTS ({_MOVING})
FROM outbox JOIN locations ON locations.message = outbox.message
JOIN folders ON folders.number = locations.folder AND folders.account = outbox.account
LEFT JOIN labels ON labels.message = outbox.message LEFT JOIN classes ON classes.number = labels.class
WHERE kind = 'keywords' AND {OPEN}"""


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
    moving: int

    @property
    def agrees(self) -> bool:
        """True if the server is known to have the keywords of the label."""
        uncertain = _place_text(self.folder, self.validity, self.uid) in self.detail.splitlines()
        return not uncertain and agree(self.label, parted(self.flags))


class Outbox:
    """Table of flags to set."""

    def __init__(self, connection: Connection, folders: Folders) -> None:
        self._connection = connection
        self._folders = folders

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return the next actions of an account. Keywords come first, while the locations are
        known.

        Where a move has begun they wait for its end.
        """
        told = set[int]()
        waiting = set[int]()
        found = list[ServerAction]()
        rows = self._connection.rows(
            f"{_TO_TELL} AND outbox.account = ? ORDER BY outbox.number LIMIT ?", (account, MOST)
        )
        for one in map(_Untold._make, rows):
            told.add(one.number)
            if not one.agrees and one.moving:
                waiting.add(one.number)
            elif not one.agrees:
                name = FolderName(account, one.folder)
                words = keywords_of(one.label)
                number = 2 * one.number + 1
                action = ServerAction(
                    number, ActionKind.KEYWORDS, name, one.validity, one.uid, words, ALL - words
                )
                found.append(action)
        # More locations of the last message may be missing.
        open_rows = waiting.union(
            {action.number // 2 for action in found}, {row[0] for row in rows[MOST - 1 :]}
        )
        self._note_told(told - open_rows)
        if len(rows) == MOST:
            return tuple(found)
        rows = self._connection.rows(
            "SELECT 2 * number + wanted, folder, validity, uid, added, wanted FROM outbox"
            f" WHERE account = ? AND kind = 'seen' AND {OPEN} ORDER BY number LIMIT ?",
            (account, MOST),
        )
        for number, folder, validity, uid, flag, wanted in rows:
            action = ServerAction(
                number, ActionKind.SEEN, FolderName(account, folder), validity, uid
            )
            found.append(
                action._replace(add=parted(flag))
                if wanted
                else action._replace(remove=parted(flag))
            )
        return tuple(found)

    def waiting(self, messages: Iterable[int]) -> frozenset[int]:
        """Return the messages whose keywords are still to be set on a server."""
        query = f"SELECT message FROM outbox WHERE kind = 'keywords' AND {OPEN} AND message"
        those = self._connection.column_among(query, messages)
        found = list(
            map(_Untold._make, self._connection.among(f"{_TO_TELL} AND outbox.message", those))
        )
        differing = {one.message for one in found if not one.agrees}
        return those - {one.message for one in found} | differing

    def with_known_label(self, messages: Iterable[int]) -> frozenset[int]:
        """Return the messages whose label a server knows, or that is queued for a server."""
        wanted = list(messages)
        marked = "SELECT message FROM locations WHERE flags LIKE '%junk%' AND message"
        queued = "SELECT message FROM outbox WHERE kind <> 'seen' AND message"
        return self._connection.column_among(marked, wanted) | self._connection.column_among(
            queued, wanted
        )

    def newest(self) -> int:
        return self._connection.number("SELECT max(number) FROM outbox")

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        """Store the locations of keywords that are about to be sent."""
        sent: dict[tuple[FolderName, int], set[int]] = defaultdict(set)
        for each in actions:
            sent[each.folder, each.validity].add(each.uid)
        with self._connection.transaction():
            for (folder, validity), uids in sent.items():
                for place in self._folders.located(folder, uids):
                    if place.validity == validity:
                        self._change_uncertain(
                            place.message,
                            folder.account,
                            "",
                            _place_text(place.folder, validity, place.uid),
                        )

    def complete(
        self, action: ServerAction, outcome: Outcome, detail: str = ""
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Complete an action. Return the messages that changed, and those of them without a
        location.
        """
        with self._connection.transaction():
            number, way = divmod(action.number, 2)
            if action.kind is not ActionKind.KEYWORDS:
                ended = ("", way) if outcome is Outcome.DONE else (outcome, 1 - way)
                self._connection.execute(
                    "UPDATE outbox SET closed = ?, applied = ?, detail = ? WHERE number = ?",
                    (*ended, detail, number),
                )
                over = "wanted = applied OR closed = 'moot'"
                self._connection.execute(
                    f"DELETE FROM outbox WHERE number = ? AND ({over})", (number,)
                )
                return frozenset(), frozenset()
            if outcome is Outcome.OBSOLETE:
                # The keywords are set where the message is found again.
                return self._folders.leave(action.folder, action.validity, action.uid)
            if outcome is Outcome.REFUSED:
                self._connection.execute(
                    "UPDATE outbox SET closed = ?, detail = ?, folder = ? WHERE number = ?",
                    (outcome, detail, action.folder.folder, number),
                )
                return frozenset(), frozenset()
            changed = set[int]()
            for place in self._folders.located(action.folder, [action.uid]):
                if place.validity == action.validity:
                    # So that the keywords aren't taken for a change by another client.
                    self._folders.flag(
                        action.folder, {place.uid: place.flags - action.remove | action.add}
                    )
                    told = _place_text(place.folder, place.validity, place.uid)
                    self._change_uncertain(place.message, place.account, told, "")
                    changed.add(place.message)
            rows = self._connection.rows(f"{_TO_TELL} AND outbox.number = ?", (number,))
            if all(one.agrees for one in map(_Untold._make, rows)):
                self._note_told({number})
            return frozenset(changed), frozenset()

    def follow(self, message: int, action: ServerAction, new_location: ServerLocation) -> None:
        """Note that a message with uncertain keywords was moved from the location of `action`."""
        before = _place_text(action.folder.folder, action.validity, action.uid)
        after = _place_text(new_location.folder, new_location.validity, new_location.uid)
        self._change_uncertain(message, action.folder.account, before, after)

    def tell(self, messages: Collection[int]) -> None:
        """Queue the keywords of messages for all their accounts, also if they have no location
        now.
        """
        wanted = listed(messages)
        uncertain = (
            f"SELECT detail, message, account FROM outbox WHERE kind = 'keywords' AND closed = "
            f"'' AND {_AMONG}"
        )
        rows = [row for row in self._connection.rows(uncertain, (wanted,)) if row[0]]
        self._connection.execute(
            f"DELETE FROM outbox WHERE kind = 'keywords' AND {_AMONG}", (wanted,)
        )
        self._connection.execute(
            "INSERT INTO outbox (message, kind, account, folder, validity, uid, added, "
            "removed, target)"
            " SELECT DISTINCT message, 'keywords', account, '', 0, 0, '', '', '' FROM ("
            f" SELECT message, account FROM locations JOIN folders ON folders.number = "
            f"locations.folder WHERE {_AMONG}"
            f" UNION SELECT message, account FROM departed WHERE {_AMONG})",
            (wanted, wanted),
        )
        self._connection.execute_many(
            "UPDATE outbox SET detail = ? WHERE kind = 'keywords' AND message = ? AND account = ?",
            rows,
        )

    def _change_uncertain(self, message: int, account: str, before: str, after: str) -> None:
        """Replace an uncertain location of a message; an empty `before` adds one, an empty `after`
        removes it.
        """
        which = "kind = 'keywords' AND closed = '' AND message = ? AND account = ?"
        for (detail,) in self._connection.rows(
            f"SELECT detail FROM outbox WHERE {which}", (message, account)
        ):
            places = {"", *detail.splitlines()}
            if before in places:
                text = "\n".join(sorted((places | {after}) - {before, ""}))
                # A row with an uncertain location is open, also if the label changed back in
                # between.
                values = (text, text == "", message, account)
                self._connection.execute(
                    f"UPDATE outbox SET detail = ?, applied = applied AND ? WHERE {which}", values
                )

    def _note_told(self, numbers: Collection[int]) -> None:
        if numbers:
            self._connection.among("UPDATE outbox SET applied = wanted WHERE number", numbers)


def _place_text(folder: str, validity: int, uid: int) -> str:
    return f"{validity} {uid} {folder}"


_PLACE = "message = ? AND account = ? AND folder = ? AND validity = ? AND uid = ?"


class FlagMarks:
    """Flags of read mail and flagged mail, shown at once and then set on the servers.

    An outbox entry of kind SEEN stands for one flag of one location until the server has confirmed
    it. Until then the entry counts and not the flag on the server. The same is true where nothing
    can be written, as in local mailboxes. Only changes that were added to an undo step can be
    undone.
    """

    def __init__(self, connection: Connection, folders: Folders) -> None:
        self._connection = connection
        self._folders = folders

    def mark(self, messages: Iterable[int], flag: str, *, on: bool) -> tuple[Location, ...]:
        """Set or clear a flag in all locations of messages. Return the locations that changed, as
        they were.
        """
        with self._connection.transaction():
            places = [
                each for each in self._folders.locations(messages) if (flag in each.flags) is not on
            ]
            for place in places:
                # Change the entry of the location, or add one that differs from the server's flag.
                key = (place.message, *place.key)
                turned = self._connection.execute(
                    (
                        f"UPDATE outbox SET wanted = ?, closed = '', detail = '' WHERE kind = ? "
                        f"AND added = ? AND {_PLACE}"
                    ),
                    (int(on), ActionKind.SEEN, flag, *key),
                )
                if not turned:
                    self._connection.execute(
                        "INSERT INTO outbox (message, account, folder, validity, uid, kind, "
                        "added, removed, target,"
                        " wanted, applied) VALUES (?, ?, ?, ?, ?, ?, ?, '', '', ?, ?)",
                        (*key, ActionKind.SEEN, flag, int(on), int(not on)),
                    )
                self._flag(place, flag, on)
        return tuple(places)

    def join(self, step: int, messages: Collection[int], flag: str, *, on: bool) -> None:
        """Add changes of a flag to an undo step."""
        self._connection.execute_many(
            "INSERT OR IGNORE INTO flag_changes VALUES (?, ?, ?, ?)",
            ((step, each, flag, on) for each in messages),
        )

    def turn(self, step: int, *, forward: bool) -> tuple[int, ...]:
        """Revert the changes of a step, or make them again. Return the messages that changed."""
        rows = self._connection.rows(
            "SELECT flag, added, message FROM flag_changes WHERE step = ?", (step,)
        )
        changed = dict[int, None]()
        for flag, added in {row[:2] for row in rows}:
            messages = [message for *kind, message in rows if kind == [flag, added]]
            changed |= dict.fromkeys(
                each.message for each in self.mark(messages, flag, on=bool(added) is forward)
            )
        return tuple(changed)

    def keep(self, messages: Iterable[int]) -> None:
        """Restore the wanted flags after the server has sent others."""
        waiting = (
            "message, account, folder, uid, added, wanted FROM outbox WHERE kind = 'seen' AND "
            "wanted <> applied"
        )
        for *place, flag, wanted in self._connection.among(
            f"SELECT {waiting} AND message", messages
        ):
            for each in self._folders.locations(place[:1]):
                if [each.message, each.account, each.folder, each.uid] == place:
                    self._flag(each, flag, bool(wanted))

    def departed(self, messages: Iterable[int], account: str) -> dict[int, Location]:
        """Return the last location of each message that has left the account, with its last
        flags.
        """
        rows = self._connection.rows(
            "SELECT message, account, folder, special, validity, uid, flags FROM departed"
            " WHERE message IN (SELECT value FROM json_each(?)) AND account = ?",
            (listed(messages), account),
        )
        return {row[0]: location_of(row) for row in rows}

    def _flag(self, place: Location, flag: str, on: bool) -> None:
        # Several flags of one location may change in a row.
        for each in self._folders.located(place.name, [place.uid]):
            self._folders.flag(
                place.name, {place.uid: each.flags | {flag} if on else each.flags - {flag}}
            )
