"""Notes about delivered mail: candidates for sorting, and messages that a person put back."""

from collections.abc import Callable

from nbmail.store.actions.sorted_mail import UNDECIDED, Past
from nbmail.store.store import Store, Taken
from nbmail.values import INBOX, JUNK_FOLDER, Delivery
from nbmail.worker.sorting.sorting_accounts import SortingAccounts, targets_of

# A person moves mail out of the spam folder to one of these. "All mail" and the trash say nothing.
_RESCUED_TO = ("", INBOX, "\\Archive")


class ArrivedMail:
    """Follows the deliveries of all accounts."""

    def __init__(self, store: Store, accounts: SortingAccounts, clock: Callable[[], float]) -> None:
        self._store = store
        self._accounts = accounts
        self._clock = clock

    def mail_stored(self, delivery: Delivery, taken: Taken) -> None:
        """Note a delivery. Runs in its transaction."""
        self._note_put_back(delivery, taken)
        if delivery.special == JUNK_FOLDER and delivery.complete:
            self._store.sorted_moves.seen(delivery.folder.account)
        account = self._accounts.of(delivery.folder.account)
        targets = targets_of(account)
        if delivery.special == INBOX and targets:
            self._add_candidates(delivery, taken)
            if delivery.complete:
                self._store.sorted.begin_folder(delivery.folder, delivery.validity, targets)

    def _note_put_back(self, delivery: Delivery, taken: Taken) -> None:
        """Note messages that appeared where a person put them."""
        journal = self._store.sorted
        known = [message for message in taken.messages if message not in taken.fresh]
        if delivery.special in _RESCUED_TO:
            past = Past.MOVED if delivery.special == INBOX else Past.IN_SPAM
            journal.put_back(journal.among(past, known))
        journal.put_back(journal.corrected(delivery.folder, [*known, *taken.displaced]))

    def _add_candidates(self, delivery: Delivery, taken: Taken) -> None:
        """Add new mail to be sorted as spam, and to be filed into folders."""
        first = self._store.sorted.first_uids(delivery.folder, delivery.validity)
        if "" in first:
            self._add_new(delivery, taken, first.pop(""), "")
        if first:
            self._add_new(delivery, taken, min(first.values()), UNDECIDED)

    def _add_new(self, delivery: Delivery, taken: Taken, first: int, target: str) -> None:
        """Add the new messages from UID `first` on. `target`: as in `SortedMail.add`."""
        new = dict[int, int]()
        incomplete = set[int]()
        for arrival, message in zip(delivery.arrivals, taken.messages, strict=True):
            if message in taken.fresh and arrival.uid >= first:
                new[arrival.uid] = message
                if arrival.size > len(arrival.raw):
                    incomplete.add(message)
        located = self._store.folders.located(delivery.folder, new)
        self._store.sorted.add(located, self._clock(), incomplete=incomplete, target=target)
