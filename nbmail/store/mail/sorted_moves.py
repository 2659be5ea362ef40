"""Moves of automatic sorting, stored in the journal so that an interrupted program continues them."""

from collections.abc import Callable, Collection, Iterable

from nbmail.core.scoring.sorting import SortedState, Stay
from nbmail.store.files.connection import Connection, SettingsTable, listed
from nbmail.store.mail.folders import Folders, Location
from nbmail.store.mail.sorted_mail import SortedRow, location_key, select_rows
from nbmail.values import AUTOMATIC_CLAIM, JUNK_FOLDER, FolderName, ServerAction, ServerLocation

_HOME_ID = "home_id"


class SortedMoves:
    """Rows of the journal that need the server."""

    def __init__(self, connection: Connection, settings: SettingsTable, folders: Folders) -> None:
        self._connection, self._settings, self._folders = connection, settings, folders

    def mark(self, new_id: Callable[[], str]) -> str:
        """Return the keyword of this data folder. `new_id` makes its six hexadecimal digits once."""
        found = self._settings.get(_HOME_ID)
        if found is None:
            found = new_id()
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
        """Have messages moved back that the user marked as good. `planned`: messages whose move the outbox plans."""
        self._connection.execute(
            f"UPDATE sorted SET going_back = message NOT IN (SELECT value FROM json_each(?)),"
            f" state = iif(state = '{SortedState.MOVED}', ?, state)"
            f" WHERE message IN (SELECT value FROM json_each(?)) AND (state = '{SortedState.MOVED}' OR progress <> '')",
            (listed(planned), SortedState.PUT_BACK, listed(messages)),
        )

    def move_again(self, messages: Collection[int], *, planned: Collection[int]) -> None:
        """Cancel that messages are put back, unless that has begun. `planned`: messages whose move the outbox plans."""
        self._connection.execute(
            "UPDATE sorted SET state = ?, going_back = 0 WHERE state = ? AND progress = ''"
            " AND (going_back OR message IN (SELECT value FROM json_each(?)))"
            " AND message IN (SELECT value FROM json_each(?))",
            (SortedState.MOVED, SortedState.PUT_BACK, listed(planned), listed(messages)),
        )

    def requested(self, step: int) -> tuple[int, ...]:
        """Return the messages whose moves the user requested in this step."""
        rows = self._connection.rows("SELECT message FROM sorted WHERE requested = ?", (step,))
        return tuple(message for (message,) in rows)

    def left(self, action: ServerAction, location: ServerLocation | None) -> frozenset[int]:
        """Store that a message was moved from the location of `action`. Return the message."""
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

    def junk_location(self, row: SortedRow) -> Location | None:
        """Return the location of a message in the junk folder of its account."""
        found = (one for one in self._folders.locations([row.message]) if one.account == row.account)
        return next((one for one in found if one.special == JUNK_FOLDER), None)
