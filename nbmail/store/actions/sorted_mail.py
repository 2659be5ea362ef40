"""Journal of automatic sorting: one row for each arrived message that was classified as spam, or
filed.

`target`: folder that nbmail files the message into, empty for the spam folder, `UNDECIDED` before
it was suggested. `progress` is empty before the claim of a move and after its end. In between it is
`CLAIMING`, then the progress of the move (`sync.imap.moving`). Messages go back by moves of the
user (`store.mail.filed_moves`). `requested`: undo step of the request if the user requested the
move, otherwise 0. `unseen`: the moved message was not listed in the spam folder yet, so that its
keywords there may have been set by the server. Rows are stored in the transaction of the delivery,
so that an interrupted program judges each message later.
"""

import secrets
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState, Stay
from nbmail.store.actions.filed_moves import WantedMove
from nbmail.store.files.columns import listed
from nbmail.store.files.connection import Connection, Table
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.mail.folders import Folders, Location
from nbmail.values import (
    ARCHIVE,
    AUTOMATIC_CLAIM,
    INBOX,
    JUNK_FOLDER,
    FolderName,
    ServerAction,
    ServerLocation,
)

_HOME_ID = "home_id"
UNDECIDED = "*"
"""Target of a newly arrived message until a folder is suggested for it."""
_MOVED = f"state = '{SortedState.MOVED}'"
_DONE = SortedState.MOVED.value, SortedState.PUT_BACK.value, SortedState.CONFIRMED.value


class Past(StrEnum):
    """Past of a sorted message, as a condition on its rows."""

    UNSEEN = "unseen"
    IN_JUNK = f"{_MOVED} AND target = ''"
    TO_JUNK = f"({_MOVED} OR progress <> '') AND target = ''"
    MOVED = _MOVED
    EVER_MOVED = f"{_MOVED} OR progress <> ''"
    """This program moved the message automatically, or is about to."""
    PUT_BACK = f"state = '{SortedState.PUT_BACK}'"
    """Any person put the message back."""
    FILED = f"target <> '' AND state IN {_DONE}"
    """The message was ever filed automatically."""


# A `SortedMessage` that is not near the spam threshold.
_MESSAGE = """
SELECT message, account, folder, moment, sender, subject, probability, state, 0, reason, detail, date, target,
sorted.number, validity, uid, progress FROM sorted JOIN messages ON messages.number = message WHERE
"""


def has_mark(flags: Iterable[str]) -> bool:
    """True if another computer, or this one, has claimed the message for sorting."""
    return any(flag.lower().startswith(AUTOMATIC_CLAIM) for flag in flags)


class SortedMail(Table):
    """The journal: arrived messages, decisions, and what came of them."""

    def resume(
        self, account: str, targets: Collection[str], moving: Collection[str], *, filing: bool
    ) -> None:
        """Sort arriving mail to these targets alone, "" for spam, and move it only to the targets
        `moving`.

        An inbox without stored mail begins with its first sync. Messages for other targets that are
        not classified yet are forgotten; without `filing` also those without a target. Moves that
        have begun, or that the user requested, are made.
        """
        wanted = listed(targets)
        self._connection.execute(
            (
                "DELETE FROM sorting_start WHERE account = ? AND target NOT IN (SELECT value "
                "FROM json_each(?))"
            ),
            (account, wanted),
        )
        self._connection.execute(
            "INSERT OR IGNORE INTO sorting_start SELECT account, folder, value, validity,"
            " (SELECT coalesce(max(uid), 0) FROM locations WHERE folder = number)"
            " FROM folders, json_each(?) WHERE account = ? AND special = ? AND validity > 0",
            (wanted, account, INBOX),
        )
        self._connection.execute(
            (
                "DELETE FROM sorted WHERE account = ? AND state = 'new' AND target NOT IN "
                "(SELECT value FROM json_each(?))"
            ),
            (account, listed([*targets, *([UNDECIDED] if filing else [])])),
        )
        self._connection.execute(
            "UPDATE sorted SET state = ? WHERE account = ? AND state = ? AND NOT requested"
            " AND target NOT IN (SELECT value FROM json_each(?))",
            (SortedState.REHEARSED, account, SortedState.MOVING, listed(moving)),
        )

    def begin_folder(self, name: FolderName, validity: int, targets: Collection[str]) -> None:
        """Sort what arrives in this inbox after its first synchronization, or after its UIDVALIDITY
        changed.
        """
        self._connection.execute(
            "INSERT INTO sorting_start SELECT account, folder, value, ?3,"
            " (SELECT coalesce(max(uid), 0) FROM locations WHERE folder = number)"
            " FROM folders, json_each(?4) WHERE account = ?1 AND folder = ?2"
            " ON CONFLICT (account, folder, target) DO UPDATE SET validity = "
            "excluded.validity, uid = excluded.uid"
            " WHERE validity <> excluded.validity",
            (*name, validity, listed(targets)),
        )

    def first_uids(self, name: FolderName, validity: int) -> dict[str, int]:
        query = (
            "SELECT target, uid + 1 FROM sorting_start WHERE account = ? AND folder = ? AND "
            "validity = ?"
        )
        return dict(self._connection.rows(query, (*name, validity)))

    def add(
        self,
        locations: Iterable[Location],
        moment: float,
        *,
        incomplete: Collection[int] = (),
        target: str = "",
    ) -> None:
        """Store newly arrived messages. `incomplete`: messages of which only the first part was
        fetched.
        """
        self._connection.execute_many(
            "INSERT INTO sorted (message, account, folder, validity, uid, moment, state, "
            "reason, target)"
            " VALUES (?, ?, ?, ?, ?, ?, 'new', ?, ?)",
            (
                (
                    one.message,
                    *one.key,
                    moment,
                    Stay.INCOMPLETE if one.message in incomplete else "",
                    target,
                )
                for one in locations
            ),
        )

    def new(self, target: str = "") -> list[SortedMessage]:
        """Return the messages that are not classified yet."""
        return select_rows(
            self._connection, "state = 'new' AND target = ? ORDER BY sorted.number", (target,)
        )

    def drop(self, numbers: Collection[int]) -> None:
        """Forget rows: these messages are not spam."""
        self._connection.among("DELETE FROM sorted WHERE number", numbers)

    def decide(
        self,
        number: int,
        state: SortedState,
        probability: float,
        reason: Stay | None = None,
        target: str = "",
    ) -> None:
        self._connection.execute(
            "UPDATE sorted SET state = ?, probability = ?, reason = ?, target = ? WHERE number = ?",
            (state, probability, reason or "", target, number),
        )

    def among(self, past: Past, messages: Collection[int]) -> frozenset[int]:
        return self._connection.column_among(
            f"SELECT message FROM sorted WHERE ({past}) AND message", messages
        )

    def put_back(self, messages: Collection[int]) -> None:
        """Note that any person put these messages back, or keeps them: they are never sorted
        again.
        """
        self._connection.execute(
            f"UPDATE sorted SET state = ? WHERE message IN (SELECT value FROM json_each(?))"
            f" AND ({Past.EVER_MOVED} OR state IN (?, ?))",
            (SortedState.PUT_BACK, listed(messages), SortedState.MOVING, SortedState.REHEARSED),
        )

    def accounts(self, messages: Collection[int]) -> list[str]:
        query = "SELECT DISTINCT account FROM sorted WHERE message"
        return [account for (account,) in self._connection.among(query, messages)]

    def since(self, moment: float, limit: int) -> list[SortedMessage]:
        """Return classified messages since `moment`, latest first."""
        which = "moment >= ? AND state <> 'new' ORDER BY moment DESC, sorted.number DESC LIMIT ?"
        return select_rows(self._connection, which, (moment, limit))

    def of(self, message: int) -> SortedMessage | None:
        which = "message = ? ORDER BY sorted.number DESC LIMIT 1"
        return next(iter(select_rows(self._connection, which, (message,))), None)

    def confirm(self, messages: Collection[int]) -> dict[int, str]:
        """Note that filed messages are where they belong. Return the accounts of those that were
        not confirmed yet.
        """
        rows = self._connection.among(
            (
                f"UPDATE sorted SET state = '{SortedState.CONFIRMED}' WHERE target <> '' AND "
                f"{_MOVED} AND message"
            ),
            messages,
            "RETURNING message, account",
        )
        return dict(rows)

    def corrected(self, name: FolderName, messages: Collection[int]) -> list[int]:
        """Return those of the messages that any person moved away from where they were filed
        automatically.

        `name`: folder of the delivery that changed the locations of `messages`. A move to the trash
        corrects nothing.
        """
        here = (
            "SELECT 1 FROM locations JOIN folders ON folders.number = locations.folder"
            " WHERE locations.message = sorted.message AND account = ?1"
        )
        return self._connection.column(
            f"SELECT DISTINCT message FROM sorted WHERE account = ?1 AND target <> '' AND {_MOVED}"
            " AND message IN (SELECT value FROM json_each(?2))"
            f" AND NOT EXISTS ({here} AND folders.folder = target) AND EXISTS ({here} AND "
            f"special IN ('', ?3, ?4))",
            (name.account, listed(messages), INBOX, ARCHIVE),
        )

    def put_back_from(self, account: str) -> dict[str, int]:
        """Return how many messages were moved away from each folder that they were filed into
        automatically.
        """
        query = (
            "SELECT target, count(*) FROM sorted WHERE account = ? AND target <> '' AND state = "
            "? GROUP BY target"
        )
        return dict(self._connection.rows(query, (account, SortedState.PUT_BACK)))


def select_rows(
    connection: Connection, which: str, values: tuple[object, ...] = ()
) -> list[SortedMessage]:
    """Return rows of the journal; `which`: the condition, and what follows it."""
    found = map(SortedMessage._make, connection.rows(_MESSAGE + which, values))
    return [
        each._replace(
            state=SortedState(each.state), reason=Stay(each.reason) if each.reason else None
        )
        for each in found
    ]


class SortedMoves:
    """Rows of the journal that need the server, so that an interrupted program continues its
    moves.
    """

    def __init__(self, connection: Connection, settings: SettingsTable, folders: Folders) -> None:
        self._connection = connection
        self._settings = settings
        self._folders = folders

    def mark(self) -> str:
        """Return the keyword of this data folder. Its six hexadecimal digits are drawn once."""
        found = self._settings.get(_HOME_ID, "")
        if not found:
            found = secrets.token_hex(3)
            self._settings.set(_HOME_ID, found)
        return f"{AUTOMATIC_CLAIM}{found}"

    def request(
        self, locations: Iterable[tuple[Location, float]], moment: float, step: int
    ) -> None:
        """Move messages on request of the user, as an undo step. `locations`: each with the
        probability of spam.
        """
        self._connection.execute_many(
            "INSERT INTO sorted (message, account, folder, validity, uid, moment, state, "
            "probability, requested)"
            f" VALUES (?, ?, ?, ?, ?, ?, '{SortedState.MOVING}', ?, ?)",
            ((one.message, *one.key, moment, probability, step) for one, probability in locations),
        )

    def open(self, account: str, most: int) -> list[SortedMessage]:
        """Return the next rows that need the server: to move, to withdraw a claim, or to complete a
        move.
        """
        # With the condition of the index `sorted_open`.
        is_open = f"(state IN ('new', '{SortedState.MOVING}') OR progress <> '') AND state <> 'new'"
        which = f"account = ? AND {is_open} ORDER BY sorted.number LIMIT ?"
        return select_rows(self._connection, which, (account, most))

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        with self._connection.transaction():
            texts = ((each.progress, each.number) for each in actions)
            self._connection.execute_many("UPDATE sorted SET progress = ? WHERE number = ?", texts)

    def stay(self, number: int, reason: Stay, detail: str = "") -> None:
        """Keep a message whose move has not begun. A claim that was sent stays in `progress`."""
        self._connection.execute(
            "UPDATE sorted SET state = ?, reason = ?, detail = ? WHERE number = ? AND state = ?",
            (SortedState.STAYED, reason, detail, number, SortedState.MOVING),
        )

    def ended(self, number: int, state: SortedState | None = None) -> None:
        """Note that nothing is under way any more. `state`: the new one of a message that was to be
        moved.

        Only after a move a message may have to go back, and its keywords don't count until its
        folder is listed.
        """
        if state is not None:
            self._connection.execute(
                "UPDATE sorted SET state = ?, reason = '' WHERE number = ? AND state IN (?, ?, ?)",
                (state, number, SortedState.MOVING, SortedState.STAYED, SortedState.REHEARSED),
            )
        moved = state is SortedState.MOVED
        self._connection.execute(
            "UPDATE sorted SET progress = '', unseen = unseen OR ?2 WHERE number = ?1",
            (number, moved),
        )
        if not moved:
            self._connection.execute(
                "UPDATE filed SET closed = 'moot' FROM sorted WHERE sorted.number = ? AND "
                "closed = ''"
                " AND filed.account = sorted.account AND filed.folder = sorted.folder AND "
                "filed.uid = sorted.uid"
                " AND filed.validity = sorted.validity AND origin = iif(sorted.target = '', "
                "?, sorted.target)",
                (number, JUNK_FOLDER),
            )

    def move_again(self, messages: Collection[int], *, filed: bool = False) -> None:
        """Note that an undo moves messages again. `filed`: also those in folders."""
        self._connection.execute(
            "UPDATE sorted SET state = ? WHERE state = ? AND progress = '' AND (target = '' OR ?)"
            " AND message IN (SELECT value FROM json_each(?))",
            (SortedState.MOVED, SortedState.PUT_BACK, filed, listed(messages)),
        )

    def requested(self, step: int) -> tuple[int, ...]:
        return tuple(
            self._connection.column("SELECT message FROM sorted WHERE requested = ?", (step,))
        )

    def left(self, action: ServerAction, location: ServerLocation) -> frozenset[int]:
        """Store that a message was moved from the location of `action`. Return the message."""
        # What the user requested meanwhile begins where the message is now.
        self._connection.execute(
            "UPDATE filed SET origin = ? WHERE account = ? AND folder = ? AND validity = ? "
            "AND uid = ?"
            " AND origin IN (folder, ?) AND applied = 0 AND closed = ''",
            (location.folder, *action.folder, action.validity, action.uid, action.target),
        )
        changed, _ = self._folders.leave(action.folder, action.validity, action.uid, location)
        return changed

    def modseq(self, name: FolderName) -> int:
        """Return the mod-sequence of the stored flags; 0 if unknown."""
        query = "SELECT modseq FROM folders WHERE account = ? AND folder = ?"
        return self._connection.number(query, name)

    def seen(self, account: str) -> None:
        """Note that the spam folder was listed: its keywords count from now on."""
        self._connection.execute(
            "UPDATE sorted SET unseen = 0 WHERE account = ? AND unseen", (account,)
        )

    def returns(self, messages: Collection[int]) -> list[WantedMove]:
        """Plan moves of sorted messages back to where they arrived. They begin when automatic moves
        have ended.
        """
        which = (
            f"({Past.EVER_MOVED}) AND message IN (SELECT value FROM json_each(?)) ORDER BY "
            f"sorted.number"
        )
        rows = select_rows(self._connection, which, (listed(messages),))
        places = self._folders.locations(messages)
        found = list[WantedMove]()
        for row in {row.message: row for row in rows}.values():
            unknown = Location(row.message, row.account, row.to, JUNK_FOLDER, 0, 0, frozenset())
            if row.progress:
                here = unknown._replace(
                    folder=row.folder, special=INBOX, validity=row.validity, uid=row.uid
                )
                place = next((one for one in places if one.key == row.key), here)
                found.append(WantedMove(place, row.folder, row.to))
            else:
                there = (
                    one
                    for one in places
                    if (one.message, one.account) == (row.message, row.account)
                )
                known = (
                    one for one in there if (one.folder if row.target else one.special) == row.to
                )
                found.append(WantedMove(next(known, unknown), row.folder))
        return found
