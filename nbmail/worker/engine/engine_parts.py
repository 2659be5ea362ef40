"""Parts of the engine, by subject."""

from collections.abc import Collection, Mapping

from nbmail.chunks import drain
from nbmail.core.scoring.verdict import Costs
from nbmail.settings import Settings
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import Surroundings
from nbmail.worker.folders.folder_methods import FolderMethods
from nbmail.worker.folders.folder_models import FolderModels
from nbmail.worker.folders.folder_reports import FolderReports
from nbmail.worker.folders.folder_suggestions import FolderSuggestions
from nbmail.worker.folders.folder_updates import FolderUpdates
from nbmail.worker.folders.folder_words import FolderWords
from nbmail.worker.intake.account_requests import AccountRequests
from nbmail.worker.intake.intake import Intake
from nbmail.worker.intake.server_actions import ServerActions
from nbmail.worker.mailbox.deletion import MailDeletion
from nbmail.worker.mailbox.filing import Filing
from nbmail.worker.mailbox.flags import FlagRequests
from nbmail.worker.mailbox.full_text_search import FullTextSearch
from nbmail.worker.mailbox.mail_rows import MailRows
from nbmail.worker.marking.changed_verdicts import ChangedVerdicts
from nbmail.worker.marking.foreign_moves import ForeignMoves
from nbmail.worker.marking.label_jobs import LabelJobs
from nbmail.worker.marking.marking import Marking
from nbmail.worker.marking.moves_of_marks import MovesOfMarks
from nbmail.worker.marking.undoable_changes import UndoableChanges
from nbmail.worker.marking.undoing import Undoing
from nbmail.worker.marking.user_lists import UserLists
from nbmail.worker.model.model_control import ModelControl
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.folders import FolderChance
from nbmail.worker.quality.accuracy import AccuracyReports
from nbmail.worker.quality.method_comparison import MethodComparison
from nbmail.worker.quality.query_selection import QuerySelection
from nbmail.worker.quality.suspicious_labels import SuspiciousLabels
from nbmail.worker.reading.explanations import Explanations
from nbmail.worker.reading.message_files import MessageFiles
from nbmail.worker.reading.message_reader import MessageReader
from nbmail.worker.rereading.rereading import Rereading
from nbmail.worker.scores.changes import Changes
from nbmail.worker.scores.scores import Scoring
from nbmail.worker.senders.list_senders import ListSenders
from nbmail.worker.senders.trusted_servers import TrustedServers
from nbmail.worker.sorting.automatic_sorting import AutomaticSorting
from nbmail.worker.sorting.sorted_list import SortedList
from nbmail.worker.sorting.sorting_previews import SortingPreviews
from nbmail.worker.words.simulations import Simulations
from nbmail.worker.words.word_descriptions import WordDescriptions
from nbmail.worker.words.word_list import WordListing

MEGABYTE = 1_000_000


class Parts:
    """Handlers of the requests, and what they share. All belong to the engine's thread.

    `cache_bytes`: size of the cache of raw mail from which on the oldest is deleted.
    """

    def __init__(self, store: Store, settings: Settings, around: Surroundings) -> None:
        self.store = store
        self.clock = around.clock
        self.emit = around.emit
        self.add_job = around.add_job
        self.cache_bytes = settings.cache_megabytes * MEGABYTE

        self.scoring = Scoring(store, Costs(*settings.costs))
        self.folder_models = FolderModels(store)
        self.folder_suggestions = FolderSuggestions(store, self.scoring, self.folder_models)
        self.folder_updates = FolderUpdates(
            self.folder_models,
            self.folder_suggestions,
            around.emit,
            around.add_job,
            self._sort_suggested,
        )
        # The suggested folders follow all other events.
        around = around._replace(emit=self.folder_updates.forward)
        self.changes = Changes(around.emit, self.scoring, store)
        self.updates = Updates(store, self.scoring, self.changes, around, self.folder_models.filed)

        self._make_mail(around)
        self._make_marking(settings, around)
        self._make_model()
        self._make_folders()
        self.intake = Intake(self.updates, self.rereading, self.offers, self.sorting)
        self.server_actions = ServerActions(
            self.updates, self.rereading.fetches, self.sorting.actions
        )
        self.account_requests = AccountRequests(self.updates, self.rereading)
        self._name_accounts(settings)

    def _make_mail(self, around: Surroundings) -> None:
        self.trust = TrustedServers(self.store)
        self.rereading = Rereading(self.updates, self.trust, self.folder_updates)
        self.list = MailRows(self.store, self.scoring, self.changes)
        self.search = FullTextSearch(self.store, self.changes)
        self.filing = Filing(self.updates)
        self.deletion = MailDeletion(self.updates)
        self.flags = FlagRequests(self.updates)
        self.reader = MessageReader(self.store, self.scoring, self.trust, self.rereading.fetches)
        self.files = MessageFiles(self.store)
        self.explanations = Explanations(self.store, self.scoring)
        self.list_senders = ListSenders(self.store, around.clock, self.trust)

    def _make_marking(self, settings: Settings, around: Surroundings) -> None:
        self.sorting = AutomaticSorting(
            self.store, self.scoring, self.changes, around, self.folder_models
        )
        self.sorting_previews = SortingPreviews(
            self.updates, self.folder_suggestions, self.sorting.inbox
        )
        self.sorted_list = SortedList(
            self.updates, self.sorting.accounts, self.sorting.inbox, self.sorting.put_back
        )
        jobs = LabelJobs()
        put_back = self.sorting.put_back
        self.verdicts = ChangedVerdicts(self.store, self.scoring)
        changes = UndoableChanges(self.updates, self.rereading, self.verdicts)
        self.moves_of_marks = MovesOfMarks(self.store, is_on=settings.move_mail)
        self.marking = Marking(self.updates, jobs, self.moves_of_marks, put_back, self.verdicts)
        self.undoing = Undoing(self.updates, jobs, put_back, changes)
        self.user_lists = UserLists(self.updates, changes)
        self.offers = ForeignMoves(self.updates, self.sorting.accounts.of)
        self.sorting.accounts.when_chosen = self.offers.resume

    def _make_folders(self) -> None:
        self.folder_reports = FolderReports(self.folder_models)
        self.folder_words = FolderWords(self.folder_models)
        self.folder_methods = FolderMethods(self.store, self.folder_models)

    def _make_model(self) -> None:
        self.model = ModelControl(self.updates, self.rereading)
        self.accuracy = AccuracyReports(self.updates)
        self.suspicious_labels = SuspiciousLabels(self.store)
        self.comparison = MethodComparison(self.store, self.scoring)
        self.queries = QuerySelection(self.store, self.scoring, self.marking.queried)
        self.words = WordListing(self.store)
        self.word_descriptions = WordDescriptions(self.store)
        self.simulations = Simulations(self.store)

    def _name_accounts(self, settings: Settings) -> None:
        for account in settings.accounts:
            self.trust.name(account.name, account.named_servers)
            self.sorting.accounts.resume(account)
            if not account.path:
                self.folder_updates.choose_folders(account.name, account.suggested_folders)

    def _sort_suggested(
        self, messages: Collection[int], suggested: Mapping[int, FolderChance]
    ) -> None:
        """Decide whether messages are filed into the folders that were suggested for them."""
        self.sorting.decisions.file_suggested(messages, suggested)

    def close(self) -> None:
        try:
            drain(self.store.model.write_snapshot())
            drain(self.folder_models.writing())
        finally:
            self.store.close()
