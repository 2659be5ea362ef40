"""All tables of the database."""

from nbmail.store.actions import filed_moves, outbox
from nbmail.store.actions.filed_moves import FiledMoves
from nbmail.store.actions.flag_marks import FlagMarks
from nbmail.store.actions.outbox import Outbox
from nbmail.store.actions.sorted_mail import SortedMail
from nbmail.store.actions.sorted_moves import SortedMoves
from nbmail.store.files.connection import Connection
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.labels.asked_messages import AskedMessages
from nbmail.store.labels.journal import By, Journal
from nbmail.store.labels.label_sources import LabelSources
from nbmail.store.labels.labels import Labels
from nbmail.store.labels.offered_moves import OfferedMoves
from nbmail.store.labels.sender_rules import SenderRules
from nbmail.store.labels.step_changes import WordList
from nbmail.store.labels.undo_steps import UndoSteps
from nbmail.store.labels_log.waiting_labels import WaitingLabels
from nbmail.store.mail.folders import Folders
from nbmail.store.mail.listed_folders import ListedFolders
from nbmail.store.mail.listing import Listing
from nbmail.store.mail.messages import Messages
from nbmail.store.mail.people import People
from nbmail.store.mail.samples import Samples
from nbmail.store.mail.threads import Threads
from nbmail.store.mail.words_table import WordsTable
from nbmail.store.model.imported_counts import ImportedCounts

REVISION = "samples_revision"
"""Setting with the number of replacements of samples, after which snapshots are obsolete."""


class Tables:
    """Tables of an open database, by subject."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.settings = SettingsTable(connection)

        self.words = WordsTable(connection)
        self.samples = Samples(connection, self.words)
        self.messages = Messages(connection, self.samples)
        self.people = People(connection, self.settings)
        self.threads = Threads(connection)
        self.folders = Folders(connection)
        self.server_folders = ListedFolders(connection)

        self.labels = Labels(connection, self.samples)
        self.waiting_labels = WaitingLabels(connection)
        self.asked = AskedMessages(connection)
        self.offered_moves = OfferedMoves(connection)
        self.journal = Journal(connection, self.labels)
        self.steps = UndoSteps(connection, self.labels)
        self.label_sources = LabelSources(connection, self.labels, self.steps)
        self.ignored_words = WordList(connection, self.settings, self.steps, By.WORDS)
        self.phrases = WordList(connection, self.settings, self.steps, By.PHRASES)
        self.sender_rules = SenderRules(connection, self.settings, self.steps, By.RULE)
        self.imported = ImportedCounts(connection, self.settings)

        self.outbox = Outbox(connection, self.folders)
        self.flags = FlagMarks(connection, self.folders)
        self.filed = FiledMoves(connection, self.folders, self.outbox)
        self.sorted = SortedMail(connection)
        self.sorted_moves = SortedMoves(connection, self.settings, self.folders)

        self.listing = Listing(connection, self.folders, self.label_sources, self.filed)

    @property
    def samples_revision(self) -> int:
        return int(self.settings.get(REVISION, 0))

    @property
    def baseline(self) -> tuple[int, int]:
        """Input of the model besides the labels.

        That is the number of the imported counts in use, and the revision of the samples.
        """
        return self.imported.current, self.samples_revision

    def accounts_with_actions(self) -> list[str]:
        """Return the accounts with pending server actions."""
        return self.connection.column(
            f"SELECT account FROM outbox WHERE {outbox.OPEN} "
            f"UNION SELECT account FROM filed WHERE {filed_moves.OPEN}"
        )

    def forget_account(self, account: str) -> None:
        """Forget what only serves an account that is set up.

        Labels and recipients of sent mail stay.
        """
        for table in ("server_folders", "sent_folders", "offered_moves"):
            self.connection.execute(f"DELETE FROM {table} WHERE account = ?", (account,))
        for table in ("outbox", "filed"):
            self.connection.execute(
                f"UPDATE {table} SET closed = 'moot', detail = 'the account was removed' "
                "WHERE account = ? AND closed = ''",
                (account,),
            )
