"""Sorted messages that go back, by a mark, an undo or on request."""

from collections.abc import Callable, Collection, Iterable

from nbmail.store.actions.sorted_mail import Past
from nbmail.store.labels.journal import Change
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM
from nbmail.worker.sorting.sorting_accounts import SortingAccounts


class PutBack:
    """Follows labels, undo and redo in the record of sorted messages."""

    def __init__(self, store: Store, accounts: SortingAccounts) -> None:
        self._store = store
        self._accounts = accounts

    def labels_changed(self, changes: Iterable[Change]) -> None:
        """Note that marks as ham put moved messages back, and their undo moves them again.

        Spam does not belong where it was filed. Runs in the transaction of the labels.
        """
        labels = {change.message: change.after for change in changes}
        ham = {message for message, label in labels.items() if label == HAM}
        spam = [message for message, label in labels.items() if label == SPAM]
        journal = self._store.sorted
        journal.put_back(journal.among(Past.IN_SPAM, ham))
        moved = self._store.filed.ever_moved(labels.keys() - ham)
        self._store.sorted_moves.move_again(moved)
        journal.put_back(journal.among(Past.FILED, spam))
        self._accounts.announce_of(labels)

    def move_back(
        self, messages: Collection[int], begin: Callable[[], int] | None = None
    ) -> tuple[int, ...]:
        """Move messages back. Return the moved ones.

        `begin`: returns the undo step of the moves, if any is needed.
        """
        with self._store.transaction():
            moved, rows = self._store.filed.add(self._store.sorted_moves.returns(messages))
            if moved and begin is not None:
                self._store.filed.join(begin(), rows)
            self._store.sorted.put_back(messages)
        self._accounts.announce_of(messages)
        return moved

    def undone(self, messages: Collection[int]) -> None:
        """Note that an undo moves messages without a label again."""
        unmarked = self._unmarked(messages)
        self._store.sorted_moves.move_again(unmarked, filed=True)
        self._accounts.announce_of(unmarked)

    def redone(self, messages: Collection[int]) -> None:
        """Note that a redo puts messages without a label back."""
        unmarked = self._unmarked(messages)
        self._store.sorted.put_back(unmarked)
        self._accounts.announce_of(unmarked)

    def _unmarked(self, messages: Collection[int]) -> set[int]:
        return set(messages) - self._store.labels.of(messages).keys()
