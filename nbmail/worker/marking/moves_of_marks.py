"""Moves on servers that marks cause."""

from collections.abc import Sequence

from nbmail.store.actions.filed_moves import WantedMove
from nbmail.store.actions.sorted_mail import Past, has_mark
from nbmail.store.labels.journal import By, Change
from nbmail.store.labels.marks import ActionsOf
from nbmail.store.store import Store
from nbmail.values import HAM, INBOX, JUNK_FOLDER, SPAM
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.protocol.marks import PlannedMove

# Messages whose moves are planned in one time slice: about 3 ms.
PLANNED = 1000


class MovesOfMarks:
    """The user's choice whether marks move messages. `is_on`: off until the user turns it on."""

    def __init__(self, store: Store, *, is_on: bool) -> None:
        self._store = store
        self._is_on = is_on

    def set_moving(self, on: bool) -> None:
        """Set whether marks also move messages on the server. Off until the user turns it on."""
        self._is_on = on

    def actions(self) -> ActionsOf:
        """Return the planner of moves for changed labels."""
        return actions_of(self._store, moving=self._is_on)

    def preview_moves(self) -> JobSteps[tuple[PlannedMove, ...]]:
        """List the moves that the user's own marks up to now would have caused, newest first."""
        # Labels from folders and other programs never cause moves.
        planned = list[PlannedMove]()
        marked = self._store.journal.labelled_by(By.USER)
        for start in range(0, len(marked), PLANNED):
            chunk = marked[start : start + PLANNED]
            planned += self._planned(chunk)
            yield Pause(start + len(chunk), len(marked))
        return tuple(planned)

    def _planned(self, messages: Sequence[int]) -> list[PlannedMove]:
        moves = {move.location.message: move for move in moves_of(self._store, messages)}
        headings = self._store.messages.headings(moves)
        planned = list[PlannedMove]()
        for message in messages:
            if message in moves:
                move = moves[message]
                heading = headings[message]
                kind = "spam" if move.target == JUNK_FOLDER else "inbox"
                planned.append(
                    PlannedMove(message, heading.sender, heading.subject, move.location.name, kind)
                )
        return planned


def actions_of(store: Store, *, moving: bool) -> ActionsOf:
    """Return the planner of moves for changed labels.

    Without `moving` only sorted good mail is moved back.
    """

    def actions(changes: Sequence[Change]) -> list[WantedMove]:
        messages = [change.message for change in changes]
        moves = moves_of(store, messages)
        if not moving:
            sorted_messages = store.sorted.among(Past.IN_SPAM, messages)
            moves = [
                move
                for move in moves
                if move.target == INBOX
                and (move.location.message in sorted_messages or has_mark(move.location.flags))
            ]
        return moves + _returns(store, changes, moves)

    return actions


def moves_of(store: Store, messages: Sequence[int]) -> list[WantedMove]:
    """Plan the moves that a mark of these labelled messages would cause now."""
    labels = store.labels.of(messages)
    moves = list[WantedMove]()
    for location in store.folders.locations(messages):
        label = labels.get(location.message)
        if label == SPAM and location.special in ("", INBOX):
            moves.append(WantedMove(location, JUNK_FOLDER))
        elif label == HAM and location.special == JUNK_FOLDER:
            moves.append(WantedMove(location, INBOX))
    return moves


def _returns(
    store: Store, changes: Sequence[Change], moves: Sequence[WantedMove]
) -> list[WantedMove]:
    """Return moves of sorted good mail whose location is not known yet."""
    located = {move.location.message for move in moves}
    ham = [change.message for change in changes if change.after == HAM]
    unlocated = store.sorted.among(Past.TO_SPAM, ham) - located
    return store.sorted_moves.returns(unlocated)
