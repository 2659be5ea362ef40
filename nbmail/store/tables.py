"""All tables of the database."""

from nbmail.store.files.connection import Connection, SettingsTable
from nbmail.store.labels.journal import By, Journal, LabelSources, UndoSteps
from nbmail.store.labels.label_records import WaitingLabels
from nbmail.store.labels.labels import AskedMessages, Labels, OfferedMoves
from nbmail.store.labels.user_lists import SenderRules, WordList
from nbmail.store.mail import filed_moves, outbox
from nbmail.store.mail.filed_moves import FiledMoves
from nbmail.store.mail.folders import Folders, ListedFolders
from nbmail.store.mail.listing import Listing
from nbmail.store.mail.messages import Messages, WordsTable
from nbmail.store.mail.outbox import FlagMarks, Outbox
from nbmail.store.mail.people import People, Threads
from nbmail.store.mail.sorted_mail import SortedMail, SortedMoves
from nbmail.store.model.arrays import ImportedCounts

REVISION = "samples_revision"
"""Setting with the number of replacements of samples, after which snapshots are obsolete."""


class Tables:
    """Tables of an open database, by subject."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.settings = SettingsTable(connection)
        self.words = WordsTable(connection)
        self.messages = Messages(connection, self.words)
        self.people = People(connection, self.settings)
        self.threads = Threads(connection)
        self.folders = Folders(connection)
        self.server_folders = ListedFolders(connection)
        self.outbox = Outbox(connection, self.folders)
        self.flags = FlagMarks(connection, self.folders)
        self.filed = FiledMoves(connection, self.folders, self.outbox)
        self.sorted = SortedMail(connection)
        self.sorted_moves = SortedMoves(connection, self.settings, self.folders)
        self.labels = Labels(connection, self.messages)
        self.waiting_labels = WaitingLabels(connection)
        self.asked = AskedMessages(connection)
        self.offered_moves = OfferedMoves(connection)
        self.journal = Journal(connection, self.labels)
        self.steps = UndoSteps(connection, self.labels)
        self.label_sources = LabelSources(connection, self.labels, self.steps)
        self.ignored_words = WordList(connection, self.settings, self.steps, By.WORDS)
        self.phrases = WordList(connection, self.settings, self.steps, By.PHRASES)
        self.sender_rules = SenderRules(connection, self.settings, self.steps, By.RULE)
        self.listing = Listing(connection, self.folders, self.label_sources, self.filed)
        self.imported = ImportedCounts(connection, self.settings)

    @property
    def samples_revision(self) -> int:
        return int(self.settings.get(REVISION, 0))

    @property
    def baseline(self) -> tuple[int, int]:
        """Input of the model besides the labels: imported counts in use, and revision of the
        samples.
        """
        return self.imported.current, self.samples_revision

    def accounts_with_actions(self) -> list[str]:
        """Return the accounts with pending server actions."""
        return self.connection.column(
            f"SELECT account FROM outbox WHERE {outbox.OPEN} UNION SELECT account FROM filed "
            f"WHERE {filed_moves.OPEN}"
        )

    def close_actions(self, account: str, reason: str) -> None:
        for table in ("outbox", "filed"):
            query = (
                f"UPDATE {table} SET closed = 'moot', detail = ? WHERE account = ? AND closed = ''"
            )
            self.connection.execute(query, (reason, account))

    def forget_account(self, account: str) -> None:
        """Forget what only serves an account that is set up. Labels and recipients of sent mail
        stay.
        """
        for table in ("server_folders", "sent_folders", "offered_moves"):
            self.connection.execute(f"DELETE FROM {table} WHERE account = ?", (account,))
        self.close_actions(account, "the account was removed")
