"""What the buttons of the evidence ask the engine, and how the answers are told."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from nbmail.ui.evidence.evidence_ledger import LedgerLine
from nbmail.ui.evidence.evidence_panel import EvidencePanel
from nbmail.ui.evidence.evidence_sentences import then_words
from nbmail.ui.evidence.moved_window import MovedWindow
from nbmail.ui.evidence.word_window import WordWindow
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.theme import Shades
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.worker.protocol import Explanation
from nbmail.worker.protocol.words import ExplainThen, ListMoved, Moved, Supposed, SupposeMark

ALL = 1_000_000


class WhyQuestions(QObject):
    """Asks about the current message, one thing at a time. Has no signals of its own.

    `told` hears what is to be said in the status line.
    """

    def __init__(
        self,
        requests: EngineRequests,
        panel: EvidencePanel,
        table: MailTable,
        *,
        shades: Callable[[], Shades],
        told: Callable[[str], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._requests, self._panel, self._table, self._window = requests, panel, table, parent
        self._shades, self._told = shades, told
        self._ticket = 0
        self._found: tuple[Sequence[Moved], int] = ((), 0)
        panel.then.clicked.connect(self.look_back)
        panel.if_junk.clicked.connect(lambda: self.suppose("junk"))
        panel.if_good.clicked.connect(lambda: self.suppose("good"))
        panel.see.clicked.connect(lambda: self.show_moved(tr("What the mark would move"), *self._found))
        panel.word_opened.connect(self.open_line)

    def look_back(self) -> None:
        """What was its score when it came?"""
        message = self._table.current_message()
        moment = self._table.mails.heading_of(message)[2]
        self._panel.tell(tr("Looking back…"))
        self._ask(ExplainThen(message, moment, ALL), lambda then: self._tell_then(message, then))

    def suppose(self, label: str) -> None:
        """What would a mark move?"""
        self._panel.tell(tr("Counting…"))
        message = self._table.current_message()
        self._ask(SupposeMark(message, label), lambda found: self._tell_supposed(message, label, found))

    def _ask(self, command: ExplainThen | SupposeMark, answered: Callable[..., None]) -> None:
        self._requests.drop(self._ticket)
        self._ticket = self._requests.ask(command, answered)

    def _tell_then(self, message: int, then: Explanation) -> None:
        if message == self._table.current_message() and self._panel.why is not None:
            self._panel.tell(then_words(then, self._panel.why))

    def _tell_supposed(self, message: int, label: str, found: Supposed) -> None:
        if message == self._table.current_message():
            self._found = found.moved, found.count
            self._panel.tell(supposed_words(label, found.count), see=found.count > 0)

    def open_line(self, line: LedgerLine) -> None:
        """Show the words of a line, each in a window of its own only where it is one."""
        self.open_words([each.word for each in line.clues])

    def open_words(self, words: Sequence[str]) -> None:
        """Show all that is known of a word; of one fact that is several words, of each."""
        window = WordWindow(self._window, self._requests, self._table, words, shades=self._shades(), told=self._told)
        window.show()

    def show_latest(self) -> None:
        """Show which messages the latest step moved."""
        self._requests.ask(ListMoved(), lambda moved: self.show_moved(tr("What the mark moved"), moved, len(moved)))

    def show_moved(self, title: str, moved: Sequence[Moved], count: int) -> None:
        """Show these messages."""
        MovedWindow(self._window, title, moved, count, self._table).show()


def supposed_words(label: str, count: int) -> str:
    """What a mark would do to others."""
    if not count:
        return tr("That mark alone would change no other verdict.")
    if label == "junk":
        return tr_count("Marked junk it would move %n other.", "Marked junk it would move %n others.", count)
    return tr_count("Marked good it would move %n other.", "Marked good it would move %n others.", count)
