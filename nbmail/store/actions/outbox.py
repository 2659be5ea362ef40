"""Persistent queue of flags to set on servers. Entries stay until the server confirms them.

*Keywords*: one entry stands for all locations of a message in an account. The server gets the
keywords of the label at the time of sending, so that of several marks and undos only the last is
sent. `detail` lists the locations with a STORE that the server hasn't answered. Their flags are
uncertain, and the entry stays open until a STORE is answered.

*Seen*: see `FlagMarks`. An entry is open while `wanted` and `applied` differ.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from nbmail.store.files.columns import listed, parted
from nbmail.store.files.connection import Connection
from nbmail.store.mail.folders import Folders
from nbmail.store.mail.keywords import ALL, agree, keywords_of
from nbmail.values import ActionKind, FolderName, Outcome, ServerAction, ServerLocation

# Actions returned at once: ten thousand marks must not block the engine.
MOST = 500
OPEN = "closed = '' AND wanted <> applied"
_AMONG = "message IN (SELECT value FROM json_each(?))"
# Moves out of a location that have begun: a copy has the keywords that the message had then.
_MOVING = """
SELECT 1 FROM filed
WHERE filed.account = outbox.account AND filed.folder = folders.folder
  AND filed.validity = folders.validity AND filed.uid = locations.uid
  AND filed.closed = '' AND filed.detail LIKE '[%'
  AND filed.folder = iif(filed.applied, filed.target, filed.origin)
UNION ALL
SELECT 1 FROM sorted
WHERE sorted.message = outbox.message AND sorted.account = outbox.account
  AND sorted.folder = folders.folder AND sorted.uid = locations.uid
  AND sorted.progress LIKE '[%'
"""
# Locations of messages whose keywords are to be set, with their labels.
_OPEN_KEYWORDS = f"""
SELECT
  outbox.number, outbox.message, folders.folder, folders.validity, locations.uid,
  locations.flags, classes.name, outbox.detail, EXISTS ({_MOVING})
FROM outbox
JOIN locations ON locations.message = outbox.message
JOIN folders ON folders.number = locations.folder AND folders.account = outbox.account
LEFT JOIN labels ON labels.message = outbox.message
LEFT JOIN classes ON classes.number = labels.class
WHERE kind = 'keywords' AND {OPEN} AND
"""
_KEYWORDS_OF = "kind = 'keywords' AND closed = '' AND message = ? AND account = ?"


class _OpenKeywords(NamedTuple):
    """Location of a message with an open entry of keywords."""

    number: int
    message: int
    folder: str
    validity: int
    uid: int
    flags: str
    label: str | None
    detail: str
    is_moving: int

    @property
    def agrees(self) -> bool:
        """True if the server is known to have the keywords of the label."""
        place = _place_text(self.folder, self.validity, self.uid)
        is_uncertain = place in self.detail.splitlines()
        return not is_uncertain and agree(self.label, parted(self.flags))

    def action(self, account: str) -> ServerAction:
        keywords = keywords_of(self.label)
        return ServerAction(
            2 * self.number + 1,
            ActionKind.KEYWORDS,
            FolderName(account, self.folder),
            self.validity,
            self.uid,
            add=keywords,
            remove=ALL - keywords,
        )


class Outbox:
    """Table of flags to set."""

    def __init__(self, connection: Connection, folders: Folders) -> None:
        self._connection = connection
        self._folders = folders

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return the next actions of an account, keywords first, while their locations are known.

        Where a move has begun they wait for its end.
        """
        places = self._open_keywords(
            "outbox.account = ? ORDER BY outbox.number LIMIT ?", account, MOST
        )
        actions = list[ServerAction]()
        unsettled = set[int]()
        for place in places:
            if place.agrees:
                continue
            unsettled.add(place.number)
            if not place.is_moving:
                actions.append(place.action(account))

        is_full = len(places) == MOST
        if is_full:
            # More locations of the last message may be missing.
            unsettled.add(places[-1].number)
        self._note_told({place.number for place in places} - unsettled)
        if not is_full:
            actions += self._pending_flags(account)
        return tuple(actions)

    def _pending_flags(self, account: str) -> list[ServerAction]:
        rows = self._connection.rows(
            "SELECT number, folder, validity, uid, added, wanted FROM outbox "
            f"WHERE account = ? AND kind = 'seen' AND {OPEN} ORDER BY number LIMIT ?",
            (account, MOST),
        )
        actions = []
        for number, folder, validity, uid, flag, wanted in rows:
            name = FolderName(account, folder)
            action = ServerAction(2 * number + wanted, ActionKind.SEEN, name, validity, uid)
            if wanted:
                actions.append(action._replace(add=parted(flag)))
            else:
                actions.append(action._replace(remove=parted(flag)))
        return actions

    def waiting(self, messages: Iterable[int]) -> frozenset[int]:
        """Return the messages whose keywords are still to be set on a server."""
        query = f"SELECT message FROM outbox WHERE kind = 'keywords' AND {OPEN} AND message"
        queued = self._connection.column_among(query, messages)
        places = self._open_keywords(f"outbox.{_AMONG}", listed(queued))
        located = {place.message for place in places}
        differing = {place.message for place in places if not place.agrees}
        return queued - located | differing

    def with_known_label(self, messages: Iterable[int]) -> frozenset[int]:
        """Return the messages whose label a server knows, or that is queued for a server."""
        wanted = list(messages)
        marked = self._connection.column_among(
            "SELECT message FROM locations WHERE flags LIKE '%junk%' AND message", wanted
        )
        queued = self._connection.column_among(
            "SELECT message FROM outbox WHERE kind <> 'seen' AND message", wanted
        )
        return marked | queued

    def newest(self) -> int:
        return self._connection.number("SELECT max(number) FROM outbox")

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        """Store the locations of keywords that are about to be sent."""
        sent: dict[tuple[FolderName, int], set[int]] = defaultdict(set)
        for action in actions:
            sent[action.folder, action.validity].add(action.uid)
        with self._connection.transaction():
            for (folder, validity), uids in sent.items():
                for place in self._folders.located(folder, uids):
                    if place.validity == validity:
                        text = _place_text(place.folder, validity, place.uid)
                        self._change_uncertain(place.message, folder.account, "", text)

    def complete(
        self, action: ServerAction, outcome: Outcome, detail: str = ""
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Complete an action.

        Return the messages that changed, and those of them without a location.
        """
        nothing = (frozenset[int](), frozenset[int]())
        with self._connection.transaction():
            if action.kind is not ActionKind.KEYWORDS:
                self._complete_flag(action, outcome, detail)
                return nothing
            if outcome is Outcome.OBSOLETE:
                # The keywords are set where the message is found again.
                return self._folders.leave(action.folder, action.validity, action.uid)
            if outcome is Outcome.REFUSED:
                self._connection.execute(
                    "UPDATE outbox SET closed = ?, detail = ?, folder = ? WHERE number = ?",
                    (outcome, detail, action.folder.folder, action.number // 2),
                )
                return nothing
            return self._complete_keywords(action), frozenset()

    def _complete_flag(self, action: ServerAction, outcome: Outcome, detail: str) -> None:
        number, wanted = divmod(action.number, 2)
        if outcome is Outcome.DONE:
            closed = ""
            applied = wanted
        else:
            closed = str(outcome)
            applied = 1 - wanted
        self._connection.execute(
            "UPDATE outbox SET closed = ?, applied = ?, detail = ? WHERE number = ?",
            (closed, applied, detail, number),
        )
        self._connection.execute(
            "DELETE FROM outbox WHERE number = ? AND (wanted = applied OR closed = 'moot')",
            (number,),
        )

    def _complete_keywords(self, action: ServerAction) -> frozenset[int]:
        """Store the keywords that the server has now. Return the messages at the location."""
        changed = set[int]()
        for place in self._folders.located(action.folder, [action.uid]):
            if place.validity == action.validity:
                # So that the keywords aren't taken for a change by another client.
                flags = place.flags - action.remove | action.add
                self._folders.flag(action.folder, {place.uid: flags})
                text = _place_text(place.folder, place.validity, place.uid)
                self._change_uncertain(place.message, place.account, text, "")
                changed.add(place.message)
        number = action.number // 2
        if all(place.agrees for place in self._open_keywords("outbox.number = ?", number)):
            self._note_told({number})
        return frozenset(changed)

    def follow(self, message: int, action: ServerAction, new_location: ServerLocation) -> None:
        """Note that a message with uncertain keywords was moved from the location of `action`."""
        before = _place_text(action.folder.folder, action.validity, action.uid)
        after = _place_text(new_location.folder, new_location.validity, new_location.uid)
        self._change_uncertain(message, action.folder.account, before, after)

    def tell(self, messages: Collection[int]) -> None:
        """Queue the keywords of messages for all their accounts, also without a location now."""
        wanted = listed(messages)
        uncertain = self._connection.rows(
            "SELECT detail, message, account FROM outbox "
            f"WHERE kind = 'keywords' AND closed = '' AND detail <> '' AND {_AMONG}",
            (wanted,),
        )
        self._connection.execute(
            f"DELETE FROM outbox WHERE kind = 'keywords' AND {_AMONG}", (wanted,)
        )
        self._connection.execute(
            f"""
            INSERT INTO outbox
              (message, kind, account, folder, validity, uid, added, removed, target)
            SELECT DISTINCT message, 'keywords', account, '', 0, 0, '', '', '' FROM (
              SELECT message, account FROM locations
              JOIN folders ON folders.number = locations.folder WHERE {_AMONG}
              UNION SELECT message, account FROM departed WHERE {_AMONG}
            )
            """,
            (wanted, wanted),
        )
        self._connection.execute_many(
            "UPDATE outbox SET detail = ? WHERE kind = 'keywords' AND message = ? AND account = ?",
            uncertain,
        )

    def _change_uncertain(self, message: int, account: str, before: str, after: str) -> None:
        """Replace an uncertain location of a message.

        An empty `before` adds one, an empty `after` removes it.
        """
        key = (message, account)
        for detail in self._connection.column(
            f"SELECT detail FROM outbox WHERE {_KEYWORDS_OF}", key
        ):
            places = set(detail.splitlines())
            if before and before not in places:
                continue
            text = "\n".join(sorted((places | {after}) - {before, ""}))
            # An entry with an uncertain location is open, also if the label changed back in
            # between.
            self._connection.execute(
                f"UPDATE outbox SET detail = ?, applied = applied AND ? WHERE {_KEYWORDS_OF}",
                (text, text == "", *key),
            )

    def _open_keywords(self, which: str, *values: Any) -> list[_OpenKeywords]:
        rows = self._connection.rows(_OPEN_KEYWORDS + which, values)
        return [_OpenKeywords._make(row) for row in rows]

    def _note_told(self, numbers: Collection[int]) -> None:
        if numbers:
            self._connection.among("UPDATE outbox SET applied = wanted WHERE number", numbers)


def _place_text(folder: str, validity: int, uid: int) -> str:
    return f"{validity} {uid} {folder}"
