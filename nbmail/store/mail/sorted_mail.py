"""Journal of automatic sorting: one row for each arrived message that was classified as junk, or filed.

`target`: folder that nbmail files the message into, empty for the junk folder, `UNDECIDED` before it was suggested.
`progress` is empty before the claim of a move and after its end. In between it is `CLAIMING`, then the progress of the
move (`sync.imap.moving`). `going_back` is 1 until a message that must go back is back.
The progress of this move begins with `BACK`. `requested`: undo step of the request, if the user requested the move,
otherwise 0. `unseen`: the moved message was not listed in
the junk folder yet, so that its keywords there may have been set by the server.
Rows are stored in the transaction of the delivery, so that an interrupted program judges each message later.
"""

import secrets
from collections.abc import Collection, Iterable
from typing import NamedTuple

from nbmail.core.scoring.sorting import SortedState, Stay
from nbmail.store.files.connection import Connection, Row, SettingsTable, listed
from nbmail.store.mail.folders import Folders, Location
from nbmail.values import ARCHIVE, AUTOMATIC_CLAIM, INBOX, JUNK_FOLDER, FolderName, ServerAction, ServerLocation

CLAIMING = "claiming"
BACK = "back "
_HOME_ID = "home_id"
UNDECIDED = "*"
"""Target of a newly arrived message until a folder is suggested for it."""
_COLUMNS = (
    "SELECT number, message, account, folder, validity, uid, moment, state, reason, detail, probability, progress,"
    " going_back, target, requested FROM sorted"
)
_MOVED = f"state = '{SortedState.MOVED}'"


class SortedRow(NamedTuple):
    """Message in the journal. `folder`, `validity` and `uid`: location in the inbox where it arrived."""

    number: int
    message: int
    account: str
    folder: str
    validity: int
    uid: int
    moment: float
    state: SortedState
    reason: Stay | None
    detail: str
    probability: float
    progress: str
    going_back: bool
    target: str
    requested: bool

    @property
    def name(self) -> FolderName:
        return FolderName(self.account, self.folder)

    @property
    def to(self) -> str:
        """The folder that the message is moved to, as in `ServerAction.target`."""
        return self.target or JUNK_FOLDER

    @property
    def key(self) -> tuple[str, str, int, int]:
        return self.account, self.folder, self.validity, self.uid


def has_mark(flags: Iterable[str]) -> bool:
    """True if another computer, or this one, has claimed the message for sorting."""
    return any(flag.lower().startswith(AUTOMATIC_CLAIM) for flag in flags)


class SortingStart:
    """The first UID of each inbox that is sorted. `target`: folder that mail is filed into, empty for junk."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def begin(self, account: str, targets: Collection[str]) -> None:
        """Sort arriving mail to these targets alone. An inbox without stored mail begins with its first sync."""
        wanted = listed(targets)
        self._connection.execute(
            "DELETE FROM sorting_start WHERE account = ? AND target NOT IN (SELECT value FROM json_each(?))",
            (account, wanted),
        )
        self._connection.execute(
            "INSERT OR IGNORE INTO sorting_start SELECT account, folder, value, validity,"
            " (SELECT coalesce(max(uid), 0) FROM locations WHERE folder = number)"
            " FROM folders, json_each(?) WHERE account = ? AND special = ? AND validity > 0",
            (wanted, account, INBOX),
        )

    def begin_folder(self, name: FolderName, validity: int, targets: Collection[str]) -> None:
        """Sort what arrives in this inbox after its first synchronization, or after its UIDVALIDITY changed."""
        self._connection.execute(
            "INSERT INTO sorting_start SELECT account, folder, value, ?3,"
            " (SELECT coalesce(max(uid), 0) FROM locations WHERE folder = number)"
            " FROM folders, json_each(?4) WHERE account = ?1 AND folder = ?2"
            " ON CONFLICT (account, folder, target) DO UPDATE SET validity = excluded.validity, uid = excluded.uid"
            " WHERE validity <> excluded.validity",
            (name.account, name.folder, validity, listed(targets)),
        )

    def first_uids(self, name: FolderName, validity: int) -> dict[str, int]:
        """Return the first UID that is sorted to each target."""
        query = "SELECT target, uid + 1 FROM sorting_start WHERE account = ? AND folder = ? AND validity = ?"
        return dict(self._connection.rows(query, (name.account, name.folder, validity)))


class SortedMail:
    """The journal: arrived messages, decisions, and what came of them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def keep_new(self, account: str, targets: Collection[str]) -> None:
        """Forget the messages that are not classified yet, except those for these targets."""
        self._connection.execute(
            "DELETE FROM sorted WHERE account = ? AND state = 'new' AND target NOT IN (SELECT value FROM json_each(?))",
            (account, listed(targets)),
        )

    def rehearse(self, account: str, targets: Collection[str]) -> None:
        """Move nothing whose move has not begun, except to these targets, or on request of the user."""
        self._connection.execute(
            "UPDATE sorted SET state = ? WHERE account = ? AND state = ? AND NOT requested"
            " AND target NOT IN (SELECT value FROM json_each(?))",
            (SortedState.REHEARSED, account, SortedState.MOVING, listed(targets)),
        )

    def add(
        self, locations: Iterable[Location], moment: float, *, incomplete: Collection[int] = (), target: str = ""
    ) -> None:
        """Store newly arrived messages. `incomplete`: messages of which only the first part was fetched."""
        self._connection.execute_many(
            "INSERT INTO sorted (message, account, folder, validity, uid, moment, state, reason, target)"
            " VALUES (?, ?, ?, ?, ?, ?, 'new', ?, ?)",
            (
                (*location_key(one), moment, Stay.INCOMPLETE if one.message in incomplete else "", target)
                for one in locations
            ),
        )

    def new(self, target: str = "") -> list[SortedRow]:
        """Return the messages that are not classified yet."""
        return self._rows("state = 'new' AND target = ? ORDER BY number", (target,))

    def drop(self, numbers: Collection[int]) -> None:
        """Forget rows: these messages are not junk."""
        self._connection.among("DELETE FROM sorted WHERE number", numbers)

    def decide(
        self, number: int, state: SortedState, probability: float, reason: Stay | None = None, target: str = ""
    ) -> None:
        self._connection.execute(
            "UPDATE sorted SET state = ?, probability = ?, reason = ?, target = ? WHERE number = ?",
            (state, probability, reason or "", target, number),
        )

    def unseen(self, messages: Collection[int]) -> frozenset[int]:
        return frozenset(message for (message,) in self._among("unseen", messages))

    def put_back(self, messages: Collection[int], *, move: bool) -> list[int]:
        """Never sort these messages again. `move`: have moved ones moved back. Return the moved ones."""
        moved = [message for (message,) in self._among(f"{_MOVED} OR progress <> ''", messages)]
        self._connection.execute(
            f"UPDATE sorted SET state = ?, going_back = going_back OR (? AND ({_MOVED} OR progress <> ''))"
            " WHERE message IN (SELECT value FROM json_each(?))"
            f" AND ({_MOVED} OR progress <> '' OR state IN (?, ?))",
            (SortedState.PUT_BACK, move, listed(messages), SortedState.MOVING, SortedState.REHEARSED),
        )
        return moved

    def moved(self, messages: Collection[int], *, filed: bool = False) -> frozenset[int]:
        """Return those of the messages that are moved to the junk folder now, with `filed` to any folder."""
        which = _MOVED if filed else f"{_MOVED} AND target = ''"
        return frozenset(message for (message,) in self._among(which, messages))

    def ever_moved(self, messages: Collection[int]) -> frozenset[int]:
        """Return those of the messages that this program moved automatically, or is about to."""
        which = f"{_MOVED} OR progress <> '' OR going_back"
        return frozenset(message for (message,) in self._among(which, messages))

    def accounts(self, messages: Collection[int]) -> list[str]:
        """Return the accounts in which these messages were sorted."""
        query = "SELECT DISTINCT account FROM sorted WHERE message"
        return [account for (account,) in self._connection.among(query, messages)]

    def was_put_back(self, messages: Collection[int]) -> frozenset[int]:
        """Return those of the messages that any person put back."""
        return frozenset(message for (message,) in self._among(f"state = '{SortedState.PUT_BACK}'", messages))

    def since(self, moment: float, limit: int) -> list[SortedRow]:
        """Return classified messages since `moment`, latest first."""
        return self._rows("moment >= ? AND state <> 'new' ORDER BY moment DESC, number DESC LIMIT ?", (moment, limit))

    def of(self, message: int) -> SortedRow | None:
        """Return the latest row of a message."""
        return next(iter(self._rows("message = ? AND state <> 'new' ORDER BY number DESC LIMIT 1", (message,))), None)

    def _among(self, which: str, messages: Collection[int]) -> list[Row]:
        return self._connection.among(f"SELECT DISTINCT message FROM sorted WHERE ({which}) AND message", messages)

    def _rows(self, which: str, values: tuple[object, ...] = ()) -> list[SortedRow]:
        return select_rows(self._connection, which, values)


class AutomaticFilings:
    """The rows of the journal about mail that was filed into folders."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def confirm(self, messages: Collection[int]) -> dict[int, str]:
        """Note that filed messages are where they belong. Return the accounts of those that were not confirmed yet."""
        rows = self._connection.among(
            f"UPDATE sorted SET state = '{SortedState.CONFIRMED}' WHERE target <> '' AND {_MOVED} AND message",
            messages,
            "RETURNING message, account",
        )
        return dict(rows)

    def corrected(self, name: FolderName, messages: Collection[int]) -> list[int]:
        """Return those of the messages that any person moved away from where they were filed automatically.

        `name`: folder of the delivery that changed the locations of `messages`. A move to the trash corrects nothing.
        """
        rows = self._connection.rows(
            f"SELECT DISTINCT message FROM sorted WHERE account = ?1 AND target <> '' AND {_MOVED}"
            " AND message IN (SELECT value FROM json_each(?2)) AND NOT EXISTS"
            " (SELECT 1 FROM locations JOIN folders ON folders.number = locations.folder"
            " WHERE locations.message = sorted.message AND account = ?1 AND folders.folder = target)"
            " AND EXISTS (SELECT 1 FROM locations JOIN folders ON folders.number = locations.folder"
            " WHERE locations.message = sorted.message AND account = ?1 AND special IN ('', ?3, ?4))",
            (name.account, listed(messages), INBOX, ARCHIVE),
        )
        return [message for (message,) in rows]

    def filed(self, messages: Collection[int]) -> frozenset[int]:
        """Return those of the messages that were ever filed automatically."""
        states = SortedState.MOVED, SortedState.PUT_BACK, SortedState.CONFIRMED
        done = f"target <> '' AND state IN {tuple(map(str, states))}"
        rows = self._connection.among(f"SELECT message FROM sorted WHERE {done} AND message", messages)
        return frozenset(message for (message,) in rows)

    def put_back_from(self, account: str) -> dict[str, int]:
        """Return how many messages were moved away from each folder that they were filed into automatically."""
        query = "SELECT target, count(*) FROM sorted WHERE account = ? AND target <> '' AND state = ? GROUP BY target"
        return dict(self._connection.rows(query, (account, SortedState.PUT_BACK)))


def select_rows(connection: Connection, which: str, values: tuple[object, ...] = ()) -> list[SortedRow]:
    """Return rows of the journal; `which`: the condition, and what follows it."""
    return [_row(row) for row in connection.rows(f"{_COLUMNS} WHERE {which}", values)]


def _row(row: Row) -> SortedRow:
    values = list(row)
    values[7:9] = SortedState(row[7]), Stay(row[8]) if row[8] else None
    values[12], values[14] = bool(row[12]), bool(row[14])
    return SortedRow(*values)


def location_key(location: Location) -> tuple[object, ...]:
    """Return the columns of a message's location."""
    return location.message, location.account, location.folder, location.validity, location.uid


class SortedMoves:
    """Rows of the journal that need the server, so that an interrupted program continues its moves."""

    def __init__(self, connection: Connection, settings: SettingsTable, folders: Folders) -> None:
        self._connection, self._settings, self._folders = connection, settings, folders

    def mark(self) -> str:
        """Return the keyword of this data folder. Its six hexadecimal digits are drawn once."""
        found = self._settings.get(_HOME_ID)
        if found is None:
            found = secrets.token_hex(3)
            self._settings.set(_HOME_ID, found)
        return f"{AUTOMATIC_CLAIM}{found}"

    def request(self, locations: Iterable[tuple[Location, float]], moment: float, step: int) -> None:
        """Move messages on request of the user, as an undo step. `locations`: each with the probability of junk."""
        self._connection.execute_many(
            "INSERT INTO sorted (message, account, folder, validity, uid, moment, state, probability, requested)"
            f" VALUES (?, ?, ?, ?, ?, ?, '{SortedState.MOVING}', ?, ?)",
            ((*location_key(one), moment, probability, step) for one, probability in locations),
        )

    def open(self, account: str) -> list[SortedRow]:
        """Return the rows that need the server: to move, to withdraw a claim, to complete a move, or to put back."""
        state = f"state IN ('new', '{SortedState.MOVING}')"
        rows = select_rows(
            self._connection, f"account = ? AND ({state} OR progress <> '' OR going_back) ORDER BY number", (account,)
        )
        return [row for row in rows if row.state is not SortedState.NEW]

    def store_progress(self, progress: Iterable[tuple[int, str]]) -> None:
        with self._connection.transaction():
            self._connection.execute_many(
                "UPDATE sorted SET progress = ?2 WHERE number = ?1", ((number, text) for number, text in progress)
            )

    def stay(self, number: int, reason: Stay, detail: str = "") -> None:
        """Keep a message whose move has not begun. A claim that was sent stays in `progress`."""
        self._connection.execute(
            "UPDATE sorted SET state = ?, reason = ?, detail = ? WHERE number = ? AND state = ?",
            (SortedState.STAYED, reason, detail, number, SortedState.MOVING),
        )

    def ended(self, number: int, state: SortedState | None = None, *, going_back: bool | None = None) -> None:
        """Note that nothing is under way any more. `state`: the new one of a message that was to be moved."""
        self._connection.execute("UPDATE sorted SET progress = '' WHERE number = ?", (number,))
        if state is not None:
            self._connection.execute(
                "UPDATE sorted SET state = ?, reason = '' WHERE number = ? AND state IN (?, ?, ?)",
                (state, number, SortedState.MOVING, SortedState.STAYED, SortedState.REHEARSED),
            )
        if going_back is not None:
            self._connection.execute("UPDATE sorted SET going_back = ? WHERE number = ?", (going_back, number))

    def put_back_marked(self, messages: Collection[int], *, planned: Collection[int]) -> None:
        """Have messages moved back that the user marked as good. `planned`: messages that marks move."""
        self._connection.execute(
            f"UPDATE sorted SET going_back = message NOT IN (SELECT value FROM json_each(?)),"
            f" state = iif(state = '{SortedState.MOVED}', ?, state)"
            " WHERE message IN (SELECT value FROM json_each(?)) AND target = ''"
            f" AND (state = '{SortedState.MOVED}' OR progress <> '')",
            (listed(planned), SortedState.PUT_BACK, listed(messages)),
        )

    def move_again(self, messages: Collection[int], *, planned: Collection[int], filed: bool = False) -> None:
        """Cancel unstarted returns of messages. `planned`: messages that marks move. `filed`: also those in folders."""
        self._connection.execute(
            "UPDATE sorted SET state = ?, going_back = 0 WHERE state = ? AND progress = '' AND (target = '' OR ?)"
            " AND (going_back OR message IN (SELECT value FROM json_each(?)))"
            " AND message IN (SELECT value FROM json_each(?))",
            (SortedState.MOVED, SortedState.PUT_BACK, filed, listed(planned), listed(messages)),
        )

    def requested(self, step: int) -> tuple[int, ...]:
        """Return the messages whose moves the user requested in this step."""
        rows = self._connection.rows("SELECT message FROM sorted WHERE requested = ?", (step,))
        return tuple(message for (message,) in rows)

    def left(self, action: ServerAction, location: ServerLocation | None) -> frozenset[int]:
        """Store that a message was moved from the location of `action`. Return the message."""
        if location is not None:
            # What the user requested meanwhile begins where the message is now.
            self._connection.execute(
                "UPDATE filed SET origin = ? WHERE account = ? AND folder = ? AND validity = ? AND uid = ?"
                " AND origin = folder AND applied = 0 AND closed = ''",
                (location.folder, *action.folder, action.validity, action.uid),
            )
        changed, _ = self._folders.leave(action.folder, action.validity, action.uid, location)
        return changed

    def modseq(self, name: FolderName) -> int:
        """Return the mod-sequence of the stored flags; 0 if unknown."""
        query = "SELECT modseq FROM folders WHERE account = ? AND folder = ?"
        return int(self._connection.value(query, (name.account, name.folder)) or 0)

    def set_unseen(self, number: int) -> None:
        self._connection.execute("UPDATE sorted SET unseen = 1 WHERE number = ?", (number,))

    def seen(self, account: str) -> None:
        """Note that the junk folder was listed: its keywords count from now on."""
        self._connection.execute("UPDATE sorted SET unseen = 0 WHERE account = ? AND unseen", (account,))

    def location(self, row: SortedRow) -> Location | None:
        """Return the location of a message in the folder that it was moved to."""
        found = (one for one in self._folders.locations([row.message]) if one.account == row.account)
        return next((one for one in found if (one.folder if row.target else one.special) == row.to), None)
