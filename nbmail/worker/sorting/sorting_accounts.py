"""Sorting as the user chose it for each account."""

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np

from nbmail.core.sorting.readiness import readiness
from nbmail.settings import Account, Sorting
from nbmail.store.store import Store
from nbmail.values import SPAM, VERDICTS
from nbmail.worker.engine.jobs import Surroundings
from nbmail.worker.protocol.sorting import SortingChanged, SortingPhase, SortingStatus
from nbmail.worker.scores.scores import Scoring

_SPAM = VERDICTS.index(SPAM)


class SortingAccounts:
    """Accounts that sort what arrives. `when_chosen`: called after a new choice of the user."""

    def __init__(self, store: Store, scoring: Scoring, around: Surroundings) -> None:
        self._store = store
        self._scoring = scoring
        self._around = around
        self._accounts: dict[str, Account] = {}
        self.when_chosen: Callable[[], object] = lambda: None

    def of(self, name: str) -> Account:
        return self._accounts.get(name, Account(name))

    def set_sorting(self, account: Account) -> SortingStatus:
        """Apply the choices in the settings of an account, and return the state of sorting.

        Only mail that arrives later is sorted. Callers save the settings.
        """
        self.resume(account)
        self.announce(account.name)
        status = self.status(account.name)
        self.when_chosen()
        return status

    def resume(self, account: Account) -> None:
        """Apply the choices of an account. Local mailboxes are never sorted."""
        if account.path:
            account = replace(account, sorting=Sorting.SHOW, automatic_folders=())
        self._accounts[account.name] = account
        targets = targets_of(account)
        moving = [target for target in targets if target or account.sorting is Sorting.SORT]
        with self._store.transaction():
            self._store.sorted.resume(
                account.name, targets, moving, filing=bool(account.automatic_folders)
            )

    def status(self, name: str) -> SortingStatus:
        """Return the state of sorting, with the held-out figures of the model."""
        account = self.of(name)
        held_out = self._scoring.model.held_out.all
        ham_scores = held_out.scores[~held_out.spam & ~np.isnan(held_out.scores)]
        verdicts = self._scoring.model.verdicts(ham_scores)
        lost = int(np.count_nonzero(verdicts == _SPAM))
        ready = readiness(lost, len(ham_scores), account.sorting_loss)

        phase = SortingPhase.WAITING
        if account.sorting is Sorting.SHOW:
            phase = SortingPhase.OFF
        elif account.sorting is not Sorting.SORT:
            phase = SortingPhase.REHEARSING
        elif account.begun_early or ready.is_ready:
            phase = SortingPhase.SORTING
        return SortingStatus(account, phase, ready, self._store.model.is_exact)

    def announce(self, account: str) -> None:
        """Report a changed list of sorted messages, and have the account run its actions."""
        self._around.emit(SortingChanged(account))
        self._around.wake(account)

    def announce_of(self, messages: Collection[int]) -> None:
        """Announce changes for all accounts that sorted these messages."""
        for account in self._store.sorted.accounts(messages):
            self.announce(account)


def targets_of(account: Account) -> tuple[str, ...]:
    """Return the folders that arriving mail is moved to; "" for the spam folder."""
    spam = () if account.sorting is Sorting.SHOW else ("",)
    return spam + account.automatic_folders
