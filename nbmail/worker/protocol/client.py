"""Interface of the engine: typed methods that return tickets.

No method waits, and all are safe from any thread. `engine.mark(messages, "spam").then(done,
failed=…)` calls `done` with a `Marked` on the window's thread; a command-line tool or a test calls
`.result()` instead. Requests that take long report progress, and all can be cancelled. Requests of
users run before newly arrived mail and background work.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from nbmail.core.evaluation.comparison import LearningPoint, MethodChoice
from nbmail.core.folders.suggestions import FilingRecord
from nbmail.core.scoring.explanation import Explanation, Proportion
from nbmail.core.scoring.sorting import SortedMessage
from nbmail.settings import Account
from nbmail.values import (
    ConversationLine,
    FolderName,
    JournalLine,
    Rows,
    SenderRule,
    ServerFolderUse,
    SourcedLabel,
)
from nbmail.worker.protocol import filing, folders, quality, results, sorting
from nbmail.worker.protocol.results import Marked
from nbmail.worker.protocol.ticket import Ticket


class MarkRequests(Protocol):
    """Labels, their journal, and undo."""

    def mark(self, messages: Sequence[int], label: str | None) -> Ticket[Marked]:
        """Label messages; None removes labels. One undo step. Mail sorted as spam moves back if
        marked as ham.
        """

    def label_folder(
        self, folder: FolderName, label: str, *, only_unlabelled: bool = False
    ) -> Ticket[Marked]:
        """Label all messages of a folder, or only those without a label. One undo step."""

    def undo(self, limit: int | None = None) -> Ticket[Marked]:
        """Undo the latest step. The result has no messages if there was nothing to undo.

        A step of more than `limit` labels is not undone, only described: `Marked.too_large` is True
        then.
        """

    def redo(self) -> Ticket[Marked]:
        """Redo the latest undone step."""

    def restore(self, before: int) -> Ticket[Marked]:
        """Restore all labels to their state before the step of the journal entry with number
        `before`.
        """

    def reset(self) -> Ticket[results.ModelReset]:
        """Forget all labels and everything imported, after a backup of the model. One undo step."""

    def take_back_labels(self) -> Ticket[Marked]:
        """Assign the labels that only `labels.log` has, as `Opened.notes` reports them. One undo
        step.
        """

    def leave_labels(self) -> Ticket[None]:
        """Leave out the labels that only `labels.log` has: they are not offered again."""

    def list_journal(self, limit: int = 1000) -> Ticket[tuple[JournalLine, ...]]:
        """List the latest changes of labels, newest first."""

    def find_label_source(self, message: int) -> Ticket[SourcedLabel | None]:
        """Return the source of a message's label, or the rule that decides its verdict; None
        without both.
        """

    def list_changed_verdicts(self) -> Ticket[tuple[results.VerdictChange, ...]]:
        """List the other messages whose verdict the latest mark, undo or redo changed."""

    def find_suspicious_labels(self) -> Ticket[tuple[results.SuspiciousLabel, ...]]:
        """Find labels that contradict all other labels, strongest first."""

    def decline_moves(self, messages: Collection[int]) -> Ticket[None]:
        """Forget the labels that `MovedByOthers` offered for these messages."""

    def set_moving(self, on: bool) -> Ticket[None]:
        """Set whether marks also move messages on the server. Off until the user turns it on."""

    def preview_moves(self) -> Ticket[tuple[results.PlannedMove, ...]]:
        """List the moves that the user's own marks up to now would have caused, newest first."""


class MailRequests(Protocol):
    """Messages: the list, their texts, search, read flags and files."""

    def list_mail(self) -> Ticket[Rows]:
        """List all messages that have a location, newest first."""

    def show_rows(self, messages: Sequence[int]) -> Ticket[None]:
        """Set the messages that are visible. The engine scores them first from now on."""

    def read_message(self, message: int) -> Ticket[results.MessageText]:
        """Return the text of a message. A text that is not cached is fetched: `BodyFetched`
        follows.
        """

    def fetch_whole(self, message: int) -> Ticket[tuple[str, ...]]:
        """Fetch a large message beyond its first part: `BodyFetched` follows. Return its
        accounts.
        """

    def find_text(self, words: str) -> Ticket[tuple[int, ...]]:
        """Find the messages that contain all words, in no particular order.

        Words in quotes must be adjacent; the last word may be the beginning of one. The search
        covers texts, subjects, names of people and of attachments, and ignores case and accents.
        Texts that are not indexed yet are indexed meanwhile: `Progress.so_far` are the messages
        found up to then.
        """

    def mark_read(self, messages: Sequence[int], *, read: bool = True) -> Ticket[tuple[int, ...]]:
        """Mark messages as read or unread, on their servers too. Return the messages that
        changed.
        """

    def read_source(self, message: int) -> Ticket[results.MessageSource]:
        """Return all headers of a message and its raw text."""

    def read_pictures(self, message: int) -> Ticket[dict[str, bytes]]:
        """Return the pictures inside a message that its page can refer to."""

    def save_attachment(
        self, message: int, number: int, path: Path | None = None
    ) -> Ticket[results.SavedAttachment]:
        """Write an attachment to `path`, or to a file that the next start deletes. `number`: index
        in `attachments`.
        """

    def score_mail(self, raw: bytes) -> Ticket[results.ScoredMail]:
        """Score a raw message that is in no mailbox. Nothing is stored."""

    def list_trusted_servers(self, account: str) -> Ticket[tuple[str, ...]]:
        """List the servers whose checks of senders count, named or learned."""

    def forget_account(self, account: str) -> Ticket[None]:
        """Remove the account's mail from the list and close its pending server actions. Labels
        stay.
        """


class FilingRequests(Protocol):
    """Moves, deletions and flags. The server is notified now, or once it is reachable."""

    def list_folders(self) -> Ticket[tuple[ServerFolderUse, ...]]:
        """List the folders of all accounts that can move mail, in no particular order."""

    def move(
        self, messages: Sequence[int], folder: FolderName, origin: FolderName | None = None
    ) -> Ticket[filing.Moved]:
        """Move messages on their server, now or once it is reachable. One undo step.

        `folder`: a folder of one account, or ("", special use) for that folder of each message's
        own account. `origin`: the folder that a message in several folders leaves; by default its
        inbox, otherwise the first. A move to a folder of the user's own marks a message as ham,
        one to the spam folder as spam.
        """

    def file_messages(
        self, groups: Sequence[tuple[FolderName, Sequence[int]]]
    ) -> Ticket[filing.Moved]:
        """Move messages to several folders. One undo step."""

    def delete(self, messages: Sequence[int]) -> Ticket[filing.Moved]:
        """Delete messages permanently, if they are in the trash or in the spam folder. No undo
        step.
        """

    def preview_spam(self, folder: FolderName) -> Ticket[filing.SpamPreview]:
        """List what `delete` would remove from a spam folder, and the messages nearest to good
        mail.
        """

    def write_message(self, message: int) -> Ticket[filing.MessageFile]:
        """Write a message to a temporary `.eml` file, which the next start deletes."""

    def read_unsubscribe(self, message: int) -> Ticket[filing.UnsubscribeOffer]:
        """Return the verified ways to unsubscribe from the list of a message."""

    def note_unsubscribed(self, message: int, answer: str) -> Ticket[None]:
        """Remember the answer to a request to unsubscribe from the list of a message."""

    def list_rules(self) -> Ticket[tuple[SenderRule, ...]]:
        """List the user's rules about senders, by sender."""

    def set_rule(self, rule: SenderRule) -> Ticket[Marked]:
        """Let a rule decide the verdicts on a sender, or remove it. The model learns nothing from
        it. One undo step.
        """

    def list_conversation(self, message: int) -> Ticket[tuple[ConversationLine, ...]]:
        """List the messages of the thread of a message, oldest first."""

    def flag(self, messages: Sequence[int], *, on: bool = True) -> Ticket[tuple[int, ...]]:
        """Flag messages, or remove their flags, on their servers too. One undo step. Return those
        that changed.
        """

    def read_folder(self, folder: FolderName) -> Ticket[tuple[int, ...]]:
        """Mark all messages of a folder as read. One undo step. Return those that changed."""


class ModelRequests(Protocol):
    """The model: its scores, its quality, its method and its files."""

    def explain(self, message: int, strongest: int = 12) -> Ticket[Explanation]:
        """Explain the score of a message by its `strongest` words and the sum of all others."""

    def explain_at(self, message: int, moment: float, strongest: int = 12) -> Ticket[Explanation]:
        """Explain the score that a message had at `moment`, by the model of that time."""

    def trace_sender(self, message: int) -> Ticket[tuple[tuple[float, float], ...]]:
        """Return the mean probability of the sender of `message` over time, as pairs of moment and
        probability.
        """

    def set_cost(
        self, spam_seen: float, missed: float = 9.0, ask: float = 1.0, unsure_spam: float = 1.0
    ) -> Ticket[None]:
        """Set the costs of a lost ham message, missed spam, an unsure message, and unsure spam, in
        addition.
        """

    def rebuild(self) -> Ticket[Path]:
        """Rebuild counts, corrections and calibration from the labels. Return the path of a
        backup.
        """

    def use_method(self, method: str) -> Ticket[None]:
        """Learn with this method from now on, as an undo step. The model in use stays until all
        labels are learned.
        """

    def measure_accuracy(self) -> Ticket[quality.Accuracy]:
        """Measure the accuracy of the model in use."""

    def draw_learning_curve(self, own_classes: bool = False) -> Ticket[tuple[LearningPoint, ...]]:
        """Measure the accuracy with fewer labels, on the newest messages. `Progress.so_far`: the
        points up to then.
        """

    def compare_methods(
        self, methods: Sequence[str] = ..., split: quality.Split | None = None
    ) -> Ticket[MethodChoice]:
        """Train methods on the first part of the labels, select the best on the second, and test it
        on the last.
        """

    def report_training(
        self, limit: int = results.ALL_LABELS, among: Collection[int] = ()
    ) -> Ticket[results.TrainingReport]:
        """Report how well models that had not learned the latest `limit` labelled messages classify
        them.

        `among`: consider only these messages. The difference of two reports on the same messages is
        the effect of the marks between them. With `limit` 1000 the report is quick enough to follow
        each mark.
        """

    def select_queries(
        self, limit: int = 2, exclude: Collection[int] = ()
    ) -> Ticket[tuple[int, ...]]:
        """Select unlabelled messages whose labels would improve the model most. Select again after
        each mark.
        """


class WordRequests(Protocol):
    """Single words, and simulations of changes. Words have their place in front: "subject:free",
    plain for the text.
    """

    def list_words(
        self,
        search: str = "",
        order: results.WordOrder = results.WordOrder.STRONGEST,
        *,
        limit: int = 200,
        ignored: bool = False,
        phrases: bool = False,
    ) -> Ticket[results.WordPage]:
        """List words of the model that contain `search`. `ignored`, `phrases`: only these, in the
        order of addition.
        """

    def describe_word(self, word: str) -> Ticket[results.WordDescription]:
        """Describe one word: its figures, its history and the messages that contain it."""

    def weigh_word(self, word: str) -> Ticket[quality.WordWeights]:
        """Train Naive Bayes and logistic regression on the same marked messages, and return the
        word's weights.
        """

    def ignore_word(self, word: str, *, ignored: bool = True) -> Ticket[Marked]:
        """Exclude a word from all scores, or include it again. One undo step."""

    def set_phrase(self, phrase: str, *, used: bool = True) -> Ticket[Marked]:
        """Count a phrase of two words or more like a word, in all stored mail, or no longer. One
        undo step.
        """

    def simulate_without(self, word: str, message: int = -1) -> Ticket[results.Simulation]:
        """Simulate that a word is ignored. `message`: reported in any case, as `Simulation.own`."""

    def simulate_mark(self, message: int, label: str) -> Ticket[results.Simulation]:
        """Simulate that a message has this label."""


class FolderRequests(Protocol):
    """Suggested folders, learned from the folders of filed mail."""

    def choose_folders(self, account: str, chosen: Collection[str]) -> Ticket[None]:
        """Suggest these folders of an account, "*" for all of the user's own. Callers save the
        settings.
        """

    def suggest_folders(self, message: int) -> Ticket[tuple[folders.FolderChance, ...]]:
        """Return the folders to suggest for a message, likeliest first; none if they are too
        improbable.
        """

    def explain_folder(
        self, message: int, folder: FolderName, strongest: int = 12
    ) -> Ticket[folders.FolderReasons]:
        """Explain why a suggested folder of a message is likelier than the next likeliest one."""

    def preview_filing(self) -> Ticket[folders.FilingPreview]:
        """List the messages of the inboxes whose likeliest folder is at least `NEARLY_SURE`."""

    def report_folders(self) -> Ticket[tuple[folders.FolderReport, ...]]:
        """Report how well folders were suggested, for each account."""

    def compare_folder_methods(self, name: str) -> Ticket[dict[str, Proportion]]:
        """Test all methods, and "" for the suggestions themselves, on the newest filed messages of
        an account.
        """

    def list_folder_words(
        self, folder: FolderName, limit: int = 200
    ) -> Ticket[tuple[folders.FolderWord, ...]]:
        """List the words of a folder, those that separate it best first."""


class SortingRequests(Protocol):
    """Automatic sorting: arriving spam, and mail for chosen folders, leaves the inbox. No decision
    is a label.
    """

    def set_sorting(self, account: Account) -> Ticket[sorting.SortingStatus]:
        """Apply the choices in the settings of an account. Only mail that arrives later is sorted.
        Callers save.
        """

    def sorting_status(self, account: str) -> Ticket[sorting.SortingStatus]:
        """Return the state of sorting, with the held-out figures of the model."""

    def rehearse_sorting(self, account: str) -> Ticket[sorting.SortingPreview]:
        """List the mail of the last 30 days that sorting would have moved."""

    def preview_sort_now(self, account: str) -> Ticket[sorting.SortingPreview]:
        """List the unlabelled mail in the inbox that `sort_now` would move."""

    def sort_now(self, account: str, messages: Sequence[int]) -> Ticket[tuple[int, ...]]:
        """Move messages of a preview. Return those that are moved. One undo step."""

    def list_sorted(
        self, since: float = 0.0, limit: int = 1000
    ) -> Ticket[tuple[SortedMessage, ...]]:
        """List sorted messages since a moment, nearest to the spam threshold first."""

    def find_sorted(self, message: int) -> Ticket[SortedMessage | None]:
        """Return what sorting did with a message; None if it was neither spam nor filed on
        arrival.
        """

    def filing_status(self, account: str) -> Ticket[FilingRecord]:
        """Return the record of folders that may be filled automatically, and of those chosen for
        it.
        """

    def rehearse_filing(self, name: FolderName) -> Ticket[sorting.SortingPreview]:
        """List the mail of the last 30 days in the inbox that would be filed into a folder."""

    def confirm_filing(self, messages: Sequence[int]) -> Ticket[tuple[int, ...]]:
        """Learn that automatically filed messages are where they belong. Return the newly confirmed
        ones.
        """

    def undo_sorting(self, messages: Sequence[int]) -> Ticket[tuple[int, ...]]:
        """Move sorted messages back without a label, permanently, as one undo step. Return those
        that go back.
        """


class FileRequests(Protocol):
    """Model files."""

    def export_model(
        self, path: Path, format: str = "", redact: int = 0
    ) -> Ticket[results.Exported]:
        """Write the model to a file; without `format` to an nbmail model file.

        `redact`: leave out names, and words that fewer messages or senders contain. 0 leaves out
        nothing.
        """

    def preview_export(self, redact: int) -> Ticket[results.Exported]:
        """Report what an export with `redact` would leave out."""

    def preview_import(self, path: Path, format: str = "") -> Ticket[results.ImportReport]:
        """Report the effect of importing a file. Without `format` the engine detects it by
        content.
        """

    def import_model(
        self,
        path: Path,
        *,
        again: bool = False,
        replace: bool = False,
        leave_out: bool = False,
        format: str = "",
    ) -> Ticket[results.Imported]:
        """Add the counts of a model file to the model. One undo step.

        `again`: accept a file that was imported before or exported from this data folder.
        `replace`: replace all earlier imports, after a backup. `leave_out`: omit the doubtful words
        of the preview. Without `format` the engine detects it by content.
        """

    def drop_imports(self) -> Ticket[bool]:
        """Remove all imported counts. One undo step. The result is False if there were none."""


class Engine(
    MarkRequests,
    MailRequests,
    FilingRequests,
    ModelRequests,
    WordRequests,
    FolderRequests,
    SortingRequests,
    FileRequests,
    Protocol,
):
    """The engine as the window and the command line see it."""
