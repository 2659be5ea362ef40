"""The place of the reasons: it opens beside the message, and asks the engine what its buttons and words ask for."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from nbmail.ui.evidence.messages_window import moved_window
from nbmail.ui.evidence.reason_texts import then_words
from nbmail.ui.evidence.reasons_panel import ReasonsPanel
from nbmail.ui.evidence.word_window import WordWindow
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.notices import StatusLine
from nbmail.ui.window.window_layout import Panes
from nbmail.worker.protocol import Explanation
from nbmail.worker.protocol.words import ExplainThen, ListMoved, Moved, Supposed, SupposeMark

ALL = 2_000


class ReasonsView(QObject):
    """Asks about the current message, one thing at a time. Has no signals of its own."""

    def __init__(
        self,
        requests: EngineRequests,
        panel: ReasonsPanel,
        message: MessagePane,
        reader: OpenMessage,
        table: MailTable,
        *,
        status: StatusLine,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._requests, self._panel, self._table, self._window = requests, panel, table, parent
        self._body, self._reader, self._status = message.body, reader, status
        self._ticket, self._listed = 0, table.mails.arrangement
        self._found: tuple[Sequence[Moved], int] = ((), 0)
        panel.then.clicked.connect(self.look_back)
        panel.if_junk.clicked.connect(lambda: self.suppose("junk"))
        panel.if_good.clicked.connect(lambda: self.suppose("good"))
        panel.see.clicked.connect(lambda: self.show_moved(tr("What the mark would move"), *self._found))
        panel.word_opened.connect(lambda line: self.open_words([each.word for each in line.features]))
        panel.table.pointed.connect(message.point_at)
        message.body.word_asked.connect(lambda word: self.open_words([word]))
        status.moved_asked.connect(self.show_latest)

    def open_in(self, panes: Panes) -> None:
        """Open and close in the place of the list, by button, key and verdict of the list; another list closes it."""
        self._panes = panes
        self._table.verdict_clicked.connect(self.turn)
        self._panel.whole.clicked.connect(self.turn)
        self._table.mails.arranged.connect(self._look_at_list)

    def _look_at_list(self) -> None:
        if self._panes.why_is_whole and self._table.mails.arrangement != self._listed:
            self.turn()

    def leave(self, otherwise: Callable[[], None]) -> None:
        """Give the list its place back; do something else where it has it."""
        (self.turn if self._panes.why_is_whole else otherwise)()

    def turn(self) -> None:
        """Show all reasons in the place of the list, or the list again."""
        whole, self._listed = not self._panes.why_is_whole, self._table.mails.arrangement
        if whole and self._reader.message < 0:
            return
        self._panes.open_why(whole)
        self._panel.set_expanded(whole)
        reading = self._table if self._table.isVisible() else self._body
        (self._panel.table if whole else reading).setFocus()

    def show_junk_line(self, junk_from: float, junk_per_lost: float) -> bool:
        """Where junk begins is shown in the list and beside the reasons; whether these speak of another place."""
        self._panel.junk_per_lost = junk_per_lost
        self._table.row_painter.junk_from = junk_from
        why = self._panel.why
        return why is not None and why.junk_from not in (None, junk_from)

    def look_back(self) -> None:
        """What was its score when it came?"""
        message = self._reader.message
        moment = self._table.mails.mail.heading_of(message)[2]
        self._panel.tell(tr("Looking back…"))
        self._ask(ExplainThen(message, moment, ALL), lambda then: self._tell_then(message, then))

    def suppose(self, label: str) -> None:
        self._panel.tell(tr("Counting…"))
        message = self._reader.message
        self._ask(SupposeMark(message, label), lambda found: self._tell_supposed(message, label, found))

    def _ask(self, command: ExplainThen | SupposeMark, answered: Callable[..., None]) -> None:
        self._requests.drop(self._ticket)
        self._ticket = self._requests.ask(command, answered)

    def _tell_then(self, message: int, then: Explanation) -> None:
        if message == self._reader.message and self._panel.why is not None:
            self._panel.tell(then_words(then, self._panel.why))

    def _tell_supposed(self, message: int, label: str, found: Supposed) -> None:
        if message == self._reader.message:
            self._found = found.moved, found.count
            self._panel.tell(simulation_text(label, found.count), see=found.count > 0)

    def open_words(self, words: Sequence[str]) -> None:
        """Show all that is known of a word; of one fact that is several words, of each."""
        adds = self._panel.breakdown.added() if self._panel.breakdown is not None else {}
        given = self._requests, self._table, words, adds
        WordWindow(self._window, *given, reader=self._reader, told=self._tell_done).show()

    def _tell_done(self, words: str) -> None:
        self._status.say(words, undo=True)

    def show_latest(self) -> None:
        self._requests.ask(ListMoved(), lambda moved: self.show_moved(tr("What the mark moved"), moved, len(moved)))

    def show_moved(self, title: str, moved: Sequence[Moved], count: int) -> None:
        moved_window(self._window, title, moved, count, self._table).show()


def simulation_text(label: str, count: int) -> str:
    """What a mark would do to others."""
    if not count:
        return tr("That mark alone would change no other verdict.")
    if label == "junk":
        return tr_count("Marked junk it would move %n other.", "Marked junk it would move %n others.", count)
    return tr_count("Marked good it would move %n other.", "Marked good it would move %n others.", count)
