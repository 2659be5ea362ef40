"""Parts of automatic sorting, by subject."""

from nbmail.store.store import Store
from nbmail.worker.engine.jobs import Surroundings
from nbmail.worker.folders.folder_models import FolderModels
from nbmail.worker.scores.changes import Changes
from nbmail.worker.scores.scores import Scoring
from nbmail.worker.sorting.arrived_mail import ArrivedMail
from nbmail.worker.sorting.put_back import PutBack
from nbmail.worker.sorting.sorting_accounts import SortingAccounts
from nbmail.worker.sorting.sorting_actions import SortingActions
from nbmail.worker.sorting.sorting_decisions import SortingDecisions
from nbmail.worker.sorting.spam_in_inbox import SpamInInbox
from nbmail.worker.sorting.stay_reasons import StayReasons


class AutomaticSorting:
    """What deliveries, marks and requests need of sorting."""

    def __init__(
        self,
        store: Store,
        scoring: Scoring,
        changes: Changes,
        around: Surroundings,
        models: FolderModels,
    ) -> None:
        reasons = StayReasons(store)
        self.accounts = SortingAccounts(store, scoring, around)
        self.arrived = ArrivedMail(store, self.accounts, around.clock)
        self.decisions = SortingDecisions(store, scoring, self.accounts, reasons, models)
        self.actions = SortingActions(store, changes, around.emit, self.decisions, reasons)
        self.put_back = PutBack(store, self.accounts)
        self.inbox = SpamInInbox(store, scoring, reasons)
