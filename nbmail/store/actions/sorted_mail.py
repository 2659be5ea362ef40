"""Journal of automatic sorting: a row for each arrived message classified as spam, or filed.

`target`: folder that nbmail files the message into, empty for the spam folder, `UNDECIDED` before
it was suggested. `progress` is empty before the claim of a move and after its end. In between it is
`CLAIMING`, then the progress of the move (`sync.imap.moving`). Messages go back by moves of the
user (`store.actions.filed_moves`). `requested`: undo step of the request if the user requested the
move, otherwise 0. `unseen`: the moved message was not listed in the spam folder yet, so that its
keywords there may have been set by the server. Rows are stored in the transaction of the delivery,
so that an interrupted program judges each message later.
"""

from collections.abc import Collection, Iterable
from enum import StrEnum

from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.store.files.columns import listed
from nbmail.store.files.connection import Connection, Table
from nbmail.store.mail.folders import Location
from nbmail.values import ARCHIVE, AUTOMATIC_CLAIM, INBOX, FolderName

UNDECIDED = "*"
"""Target of a newly arrived message until a folder is suggested for it."""
_MOVED = f"state = '{SortedState.MOVED}'"
_DONE = (SortedState.MOVED.value, SortedState.PUT_BACK.value, SortedState.CONFIRMED.value)


class Past(StrEnum):
    """Past of a sorted message, as a condition on its rows."""

    UNSEEN = "unseen"
    IN_SPAM = f"{_MOVED} AND target = ''"
    TO_SPAM = f"({_MOVED} OR progress <> '') AND target = ''"
    MOVED = _MOVED
    EVER_MOVED = f"{_MOVED} OR progress <> ''"
    """This program moved the message automatically, or is about to."""
    PUT_BACK = f"state = '{SortedState.PUT_BACK}'"
    """Any person put the message back."""
    FILED = f"target <> '' AND state IN {_DONE}"
    """The message was ever filed automatically."""


# A `SortedMessage` that is not near the spam threshold.
_MESSAGE = """
SELECT
  message, account, folder, moment, sender, subject, probability, state, 0, reason, detail, date,
  target, sorted.number, validity, uid, progress
FROM sorted JOIN messages ON messages.number = message WHERE
"""
_AMONG = "IN (SELECT value FROM json_each(?))"


def has_mark(flags: Iterable[str]) -> bool:
    """True if another computer, or this one, has claimed the message for sorting."""
    return any(flag.lower().startswith(AUTOMATIC_CLAIM) for flag in flags)


class SortedMail(Table):
    """The journal: arrived messages, decisions, and what came of them."""

    def resume(
        self, account: str, targets: Collection[str], moving: Collection[str], *, filing: bool
    ) -> None:
        """Sort arriving mail to these targets alone, "" for spam; move it only to those `moving`.

        An inbox without stored mail begins with its first sync. Messages for other targets that are
        not classified yet are forgotten; without `filing` also those without a target. Moves that
        have begun, or that the user requested, are made.
        """
        wanted = listed(targets)
        self._connection.execute(
            f"DELETE FROM sorting_start WHERE account = ? AND target NOT {_AMONG}",
            (account, wanted),
        )
        self._connection.execute(
            """
            INSERT OR IGNORE INTO sorting_start
            SELECT account, folder, value, validity,
              (SELECT coalesce(max(uid), 0) FROM locations WHERE folder = number)
            FROM folders, json_each(?) WHERE account = ? AND special = ? AND validity > 0
            """,
            (wanted, account, INBOX),
        )
        undecided = [UNDECIDED] if filing else []
        self._connection.execute(
            f"DELETE FROM sorted WHERE account = ? AND state = 'new' AND target NOT {_AMONG}",
            (account, listed([*targets, *undecided])),
        )
        self._connection.execute(
            "UPDATE sorted SET state = ? WHERE account = ? AND state = ? AND NOT requested "
            f"AND target NOT {_AMONG}",
            (SortedState.REHEARSED, account, SortedState.MOVING, listed(moving)),
        )

    def begin_folder(self, name: FolderName, validity: int, targets: Collection[str]) -> None:
        """Sort what arrives in an inbox after its first sync, or after a change of UIDVALIDITY."""
        self._connection.execute(
            """
            INSERT INTO sorting_start
            SELECT account, folder, value, ?3,
              (SELECT coalesce(max(uid), 0) FROM locations WHERE folder = number)
            FROM folders, json_each(?4) WHERE account = ?1 AND folder = ?2
            ON CONFLICT (account, folder, target)
            DO UPDATE SET validity = excluded.validity, uid = excluded.uid
            WHERE validity <> excluded.validity
            """,
            (*name, validity, listed(targets)),
        )

    def first_uids(self, name: FolderName, validity: int) -> dict[str, int]:
        """Return the UID from which on mail of a folder is sorted, by target."""
        rows = self._connection.rows(
            "SELECT target, uid + 1 FROM sorting_start "
            "WHERE account = ? AND folder = ? AND validity = ?",
            (*name, validity),
        )
        return dict(rows)

    def add(
        self,
        locations: Iterable[Location],
        moment: float,
        *,
        incomplete: Collection[int] = (),
        target: str = "",
    ) -> None:
        """Store newly arrived messages.

        `incomplete`: messages of which only the first part was fetched.
        """
        rows = []
        for location in locations:
            reason = Stay.INCOMPLETE if location.message in incomplete else ""
            rows.append((location.message, *location.key, moment, reason, target))
        self._connection.execute_many(
            """
            INSERT INTO sorted
              (message, account, folder, validity, uid, moment, state, reason, target)
            VALUES (?, ?, ?, ?, ?, ?, 'new', ?, ?)
            """,
            rows,
        )

    def new(self, target: str = "") -> list[SortedMessage]:
        """Return the messages that are not classified yet."""
        which = "state = 'new' AND target = ? ORDER BY sorted.number"
        return select_rows(self._connection, which, (target,))

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
        """Return those of the messages with this past."""
        query = f"SELECT message FROM sorted WHERE ({past}) AND message"
        return self._connection.column_among(query, messages)

    def put_back(self, messages: Collection[int]) -> None:
        """Note that any person put messages back, or keeps them: they are never sorted again."""
        self._connection.execute(
            f"UPDATE sorted SET state = ? WHERE message {_AMONG} "
            f"AND ({Past.EVER_MOVED} OR state IN (?, ?))",
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
        """Return the latest row of a message, None if it has none."""
        which = "message = ? ORDER BY sorted.number DESC LIMIT 1"
        return next(iter(select_rows(self._connection, which, (message,))), None)

    def confirm(self, messages: Collection[int]) -> dict[int, str]:
        """Note that filed messages are where they belong.

        Return the accounts of those that were not confirmed yet.
        """
        rows = self._connection.among(
            f"UPDATE sorted SET state = '{SortedState.CONFIRMED}' "
            f"WHERE target <> '' AND {_MOVED} AND message",
            messages,
            "RETURNING message, account",
        )
        return dict(rows)

    def corrected(self, name: FolderName, messages: Collection[int]) -> list[int]:
        """Return the messages that any person moved away from where they were filed automatically.

        `name`: folder of the delivery that changed the locations of `messages`. A move to the trash
        corrects nothing.
        """
        here = """
        SELECT 1 FROM locations JOIN folders ON folders.number = locations.folder
        WHERE locations.message = sorted.message AND account = ?1
        """
        return self._connection.column(
            f"""
            SELECT DISTINCT message FROM sorted
            WHERE account = ?1 AND target <> '' AND {_MOVED}
              AND message IN (SELECT value FROM json_each(?2))
              AND NOT EXISTS ({here} AND folders.folder = target)
              AND EXISTS ({here} AND special IN ('', ?3, ?4))
            """,
            (name.account, listed(messages), INBOX, ARCHIVE),
        )

    def put_back_from(self, account: str) -> dict[str, int]:
        """Return how many automatically filed messages were moved away from each folder."""
        rows = self._connection.rows(
            "SELECT target, count(*) FROM sorted "
            "WHERE account = ? AND target <> '' AND state = ? GROUP BY target",
            (account, SortedState.PUT_BACK),
        )
        return dict(rows)


def select_rows(
    connection: Connection, which: str, values: tuple[object, ...] = ()
) -> list[SortedMessage]:
    """Return rows of the journal; `which`: the condition, and what follows it."""
    found = []
    for row in connection.rows(_MESSAGE + which, values):
        message = SortedMessage._make(row)
        reason = Stay(message.reason) if message.reason else None
        found.append(message._replace(state=SortedState(message.state), reason=reason))
    return found
