"""Actions on the mail server that automatic sorting needs."""

from collections.abc import Sequence

from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.store.store import Store
from nbmail.values import (
    AUTOMATIC_CLAIM,
    CLAIMING,
    HAND_CLAIM,
    ActionKind,
    Outcome,
    ServerAction,
    ServerLocation,
)
from nbmail.worker.engine.jobs import Emit
from nbmail.worker.protocol.sorting import SortingChanged
from nbmail.worker.scores.changes import Changes
from nbmail.worker.sorting.sorting_decisions import SortingDecisions
from nbmail.worker.sorting.stay_reasons import StayReasons

# Messages that one set of actions moves at most: the engine plans more when these are completed.
MOST = 250


class SortingActions:
    """Plans moves, and stores what became of them."""

    def __init__(
        self,
        store: Store,
        changes: Changes,
        emit: Emit,
        decisions: SortingDecisions,
        reasons: StayReasons,
    ) -> None:
        self._store = store
        self._changes = changes
        self._emit = emit
        self._decisions = decisions
        self._reasons = reasons

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return the next actions of an account.

        Messages are judged again by their current flags and labels.
        """
        self._decisions.judge()
        rows = self._store.sorted_moves.open(account, MOST)
        if not rows:
            return ()
        mark = frozenset({self._store.sorted_moves.mark()})
        locations = self._reasons.locations(rows)
        reasons = self._reasons.of(rows)
        actions = list[ServerAction]()
        for row in rows:
            is_there = row.key in locations
            action = self._action(row, mark, is_there=is_there, reason=reasons[row])
            if action is not None:
                actions.append(action)
        return tuple(actions)

    def complete(
        self,
        action: ServerAction,
        outcome: Outcome,
        detail: str = "",
        new_location: ServerLocation | None = None,
    ) -> None:
        """Store what became of an action, and announce it."""
        moved = frozenset[int]()
        with self._store.transaction():
            if outcome is Outcome.DONE:
                location = new_location or ServerLocation(action.target, 0, 0)
                moved = self._store.sorted_moves.left(action, location)
                self._store.sorted_moves.ended(action.number, SortedState.MOVED)
            else:
                self._store_failure(action.number, outcome, detail)
        self._changes.rows_changed(moved)
        self._emit(SortingChanged(action.folder.account, tuple(moved)))

    def _store_failure(self, number: int, outcome: Outcome, detail: str) -> None:
        # Without a move there is nothing to put back.
        journal = self._store.sorted_moves
        if outcome is Outcome.OBSOLETE:
            journal.ended(number, SortedState.GONE)
            return
        reason = Stay.REFUSED if outcome is Outcome.REFUSED else Stay.CLAIMED
        journal.stay(number, reason, detail)
        journal.ended(number)

    def _action(
        self, row: SortedMessage, mark: frozenset[str], *, is_there: bool, reason: Stay | None
    ) -> ServerAction | None:
        """Return the action that moves a message, continues its move or withdraws its claim."""
        journal = self._store.sorted_moves
        if not is_there and row.progress in ("", CLAIMING):
            journal.ended(row.number, SortedState.GONE)
            return None
        if reason is not None:
            journal.stay(row.number, reason)
        is_withdrawn = reason is not None or row.state is not SortedState.MOVING
        if is_withdrawn and not row.progress:
            return None
        return ServerAction(
            row.number,
            ActionKind.SORT,
            row.name,
            row.validity,
            row.uid,
            add=mark,
            remove=mark if is_withdrawn else frozenset(),
            target=row.to,
            progress=row.progress,
            modseq=journal.modseq(row.name),
        )


def with_claims(store: Store, actions: Sequence[ServerAction]) -> tuple[ServerAction, ...]:
    """Return the actions, and with each move the keyword by which this computer claims messages."""
    if not any(action.kind is ActionKind.MOVE for action in actions):
        return tuple(actions)
    mark = frozenset({store.sorted_moves.mark().replace(AUTOMATIC_CLAIM, HAND_CLAIM)})
    return tuple(
        action._replace(add=mark) if action.kind is ActionKind.MOVE and not action.add else action
        for action in actions
    )
