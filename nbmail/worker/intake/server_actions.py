"""Actions that the accounts run on their servers."""

from collections.abc import Sequence
from itertools import groupby

from nbmail.values import (
    ActionKind,
    FolderName,
    Outcome,
    ServerAction,
    ServerLocation,
)
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.events import MoveRefused
from nbmail.worker.reading.fetches import Fetches
from nbmail.worker.sorting.sorting_actions import SortingActions, with_claims

FILING = {ActionKind.MOVE, ActionKind.EXPUNGE}


class ServerActions:
    """Fetches, keywords, moves of the user, and automatic moves."""

    def __init__(self, updates: Updates, fetches: Fetches, sorting: SortingActions) -> None:
        self._store = updates.store
        self._changes = updates.changes
        self._emit = updates.around.emit
        self._fetches = fetches
        self._sorting = sorting

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return what an account must do next.

        Messages to fetch for the user come first, then queued actions, automatic moves, and
        messages to fetch in the background.
        """
        keywords = self._store.outbox.pending_actions(account)
        moves = self._store.filed.pending_actions(account)
        queued = with_claims(self._store, keywords + moves)
        sorting = self._sorting.pending_actions(account)
        background = self._fetches.background.pending_actions(account)
        return self._fetches.pending_actions(account) + queued + sorting + background

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        """Store how far actions have come."""
        for kind, group in groupby(actions, lambda action: action.kind):
            if kind is ActionKind.SORT:
                self._store.sorted_moves.store_progress(list(group))
            elif kind in FILING:
                self._store.filed.store_progress(list(group))
            else:
                self._store.outbox.store_progress(list(group))

    def complete(
        self,
        action: ServerAction,
        outcome: Outcome,
        detail: str = "",
        new_location: ServerLocation | None = None,
    ) -> None:
        """Store what became of an action."""
        if action.kind is ActionKind.FETCH:
            self._fetches.complete_without(action)
        elif action.kind is ActionKind.SORT:
            self._sorting.complete(action, outcome, detail, new_location)
        elif action.kind in FILING:
            moved = self._store.filed.complete(action, outcome, detail, new_location)
            self._changes.rows_changed(moved)
            if outcome is Outcome.REFUSED:
                self._report_refusal(action, len(moved), detail)
        else:
            changed, away = self._store.outbox.complete(action, outcome, detail)
            self._changes.rows_changed(changed - away)
            self._changes.gone(away)

    def _report_refusal(self, action: ServerAction, messages: int, detail: str) -> None:
        account = action.folder.account
        folder = self._store.server_folders.special(account, action.target)
        target = FolderName(account, folder or action.target)
        self._emit(MoveRefused(messages, target, detail))
