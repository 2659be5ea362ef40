"""Moves of automatic sorting, in its journal, so that an interrupted program continues them."""

import secrets
from collections.abc import Collection, Iterable, Sequence

from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.store.actions.filed_moves import WantedMove
from nbmail.store.actions.sorted_mail import Past, select_rows
from nbmail.store.files.columns import listed
from nbmail.store.files.connection import Connection
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.mail.folders import Folders, Location
from nbmail.values import (
    AUTOMATIC_CLAIM,
    INBOX,
    JUNK_FOLDER,
    FolderName,
    ServerAction,
    ServerLocation,
)

_HOME_ID = "home_id"


class SortedMoves:
    """Rows of the journal that need the server."""

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
        """Move messages on request of the user, as an undo step.

        `locations`: each with the probability of spam.
        """
        self._connection.execute_many(
            f"""
            INSERT INTO sorted
              (message, account, folder, validity, uid, moment, state, probability, requested)
            VALUES (?, ?, ?, ?, ?, ?, '{SortedState.MOVING}', ?, ?)
            """,
            (
                (location.message, *location.key, moment, probability, step)
                for location, probability in locations
            ),
        )

    def open(self, account: str, most: int) -> list[SortedMessage]:
        """Return the next rows that need the server.

        To move, to withdraw a claim, or to complete a move.
        """
        # With the condition of the index `sorted_open`.
        is_open = f"(state IN ('new', '{SortedState.MOVING}') OR progress <> '') AND state <> 'new'"
        which = f"account = ? AND {is_open} ORDER BY sorted.number LIMIT ?"
        return select_rows(self._connection, which, (account, most))

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        with self._connection.transaction():
            self._connection.execute_many(
                "UPDATE sorted SET progress = ? WHERE number = ?",
                ((each.progress, each.number) for each in actions),
            )

    def stay(self, number: int, reason: Stay, detail: str = "") -> None:
        """Keep a message whose move has not begun. A claim that was sent stays in `progress`."""
        self._connection.execute(
            "UPDATE sorted SET state = ?, reason = ?, detail = ? WHERE number = ? AND state = ?",
            (SortedState.STAYED, reason, detail, number, SortedState.MOVING),
        )

    def ended(self, number: int, state: SortedState | None = None) -> None:
        """Note that nothing is under way any more.

        `state`: the new one of a message that was to be moved. Only after a move a message may have
        to go back, and its keywords don't count until its folder is listed.
        """
        if state is not None:
            self._connection.execute(
                "UPDATE sorted SET state = ?, reason = '' WHERE number = ? AND state IN (?, ?, ?)",
                (state, number, SortedState.MOVING, SortedState.STAYED, SortedState.REHEARSED),
            )
        is_moved = state is SortedState.MOVED
        self._connection.execute(
            "UPDATE sorted SET progress = '', unseen = unseen OR ? WHERE number = ?",
            (is_moved, number),
        )
        if not is_moved:
            self._cancel_return(number)

    def _cancel_return(self, number: int) -> None:
        """Close the move back of a message that was not moved."""
        self._connection.execute(
            """
            UPDATE filed SET closed = 'moot' FROM sorted
            WHERE sorted.number = ? AND closed = '' AND filed.account = sorted.account
              AND filed.folder = sorted.folder AND filed.uid = sorted.uid
              AND filed.validity = sorted.validity
              AND origin = iif(sorted.target = '', ?, sorted.target)
            """,
            (number, JUNK_FOLDER),
        )

    def move_again(self, messages: Collection[int], *, filed: bool = False) -> None:
        """Note that an undo moves messages again. `filed`: also those in folders."""
        self._connection.execute(
            "UPDATE sorted SET state = ? WHERE state = ? AND progress = '' "
            "AND (target = '' OR ?) AND message IN (SELECT value FROM json_each(?))",
            (SortedState.MOVED, SortedState.PUT_BACK, filed, listed(messages)),
        )

    def requested(self, step: int) -> tuple[int, ...]:
        query = "SELECT message FROM sorted WHERE requested = ?"
        return tuple(self._connection.column(query, (step,)))

    def left(self, action: ServerAction, location: ServerLocation) -> frozenset[int]:
        """Store that a message was moved from the location of `action`. Return the message."""
        # What the user requested meanwhile begins where the message is now.
        self._connection.execute(
            """
            UPDATE filed SET origin = ?
            WHERE account = ? AND folder = ? AND validity = ? AND uid = ?
              AND origin IN (folder, ?) AND applied = 0 AND closed = ''
            """,
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
        """Plan moves of sorted messages back to where they arrived.

        They begin when automatic moves have ended.
        """
        which = (
            f"({Past.EVER_MOVED}) AND message IN (SELECT value FROM json_each(?)) "
            "ORDER BY sorted.number"
        )
        rows = select_rows(self._connection, which, (listed(messages),))
        latest = {row.message: row for row in rows}
        places = self._folders.locations(messages)
        moves = []
        for row in latest.values():
            if row.progress:
                moves.append(_return_of_moving(row, places))
            else:
                moves.append(_return_of_moved(row, places))
        return moves


def _return_of_moving(row: SortedMessage, places: Sequence[Location]) -> WantedMove:
    """Plan the return of a message whose automatic move has not ended."""
    for place in places:
        if place.key == row.key:
            break
    else:
        place = Location(
            row.message, row.account, row.folder, INBOX, row.validity, row.uid, frozenset()
        )
    return WantedMove(place, row.folder, row.to)


def _return_of_moved(row: SortedMessage, places: Sequence[Location]) -> WantedMove:
    """Plan the return of a message from the folder that it was moved to."""
    for place in places:
        if (place.message, place.account) == (row.message, row.account):
            folder = place.folder if row.target else place.special
            if folder == row.to:
                return WantedMove(place, row.folder)
    unknown = Location(row.message, row.account, row.to, JUNK_FOLDER, 0, 0, frozenset())
    return WantedMove(unknown, row.folder)
