"""Window for mail in files: each message with its score, text and reasons. Nothing is stored."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSplitter, QWidget

from nbmail.ui.evidence.reasons_panel import ReasonsPanel
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.drawing import make_icon
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.ui.message.printing import print_message
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import sender_name
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.services import FoundMail
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.messages import ScoredMail
from nbmail.worker.protocol.ticket import Failed

ICON = 20
LONGEST = 90
"""Maximum number of characters of a subject or a name in the list."""


class FileWindow(SideWindow):
    """List of messages, if there are several, and the selected message."""

    def __init__(
        self, parent: QWidget, engine: Engine, follow: Callable[[str], None], found: FoundMail
    ) -> None:
        super().__init__(parent, tr("Mail from files"), 1040, 640)
        self._engine = engine
        self._judged: dict[int, ScoredMail] = {}
        self.note = wrapping_label(_note_text(found), "muted")
        self.note.setContentsMargins(16, 8, 16, 8)
        self.list = self._make_list()
        self.list.setVisible(len(found.mails) > 1)
        self.message = MessagePane(follow)
        self.evidence = ReasonsPanel(outside=True)

        panes = QSplitter(Qt.Orientation.Horizontal)
        panes.setChildrenCollapsible(False)
        panes.addWidget(self.list)
        panes.addWidget(self.message)
        panes.addWidget(self.evidence)
        panes.setSizes([scaled(self, 250), 500, 400])
        self.setLayout(layouts.column(self.note, (panes, 1)))

        plain = QShortcut(QKeySequence("Ctrl+Shift+P"), self)
        plain.activated.connect(self.message.toggle_plain)
        printing = QShortcut(QKeySequence("Ctrl+P"), self)
        printing.activated.connect(partial(print_message, self.message))

        for number, (name, raw) in enumerate(found.mails):
            self._score(number, name, raw)

    def _make_list(self) -> QListWidget:
        mails = QListWidget()
        mails.setAccessibleName(tr("Messages"))
        mails.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        mails.setIconSize(QSize(ICON, ICON))
        mails.setProperty("mails", True)
        mails.currentRowChanged.connect(self._show)
        return mails

    def _score(self, number: int, name: str, raw: bytes) -> None:
        """Add a message to the list, and show its score when it comes."""
        item = QListWidgetItem(name)
        self.list.addItem(item)

        def show(judged: ScoredMail) -> None:
            self._judged[number] = judged
            item.setText(_lines(judged, name))
            item.setIcon(make_icon(judged.why.verdict, judged.why.verdict))
            if self.list.currentRow() < 0:
                self.list.setCurrentRow(0)
            elif self.list.currentRow() == number:
                self._show(number)

        def fail(failure: Failed) -> None:
            item.setText("\n".join((name, tr("This message can't be read."))))

        ticket = self._engine.score_mail(raw).then(show, failed=fail)
        # The window may be closed before its answers come.
        self.finished.connect(ticket.drop)

    def _show(self, number: int) -> None:
        judged = self._judged.get(number)
        if judged is None:
            self.message.clear()
            self.evidence.clear()
            return
        self.message.show_message(judged.text)
        self.evidence.show_evidence(judged.why)
        self.message.tint_words(judged.why)


def _note_text(found: FoundMail) -> str:
    if found.mails:
        about = tr("nbmail doesn't store or learn from these messages.")
    else:
        about = tr("No mail found in these files.")
    more = ""
    if found.more:
        more = tr("Showing the first {count} messages.").format(count=len(found.mails))
    return join_sentences(found.problem, about, more)


def _lines(judged: ScoredMail, name: str) -> str:
    """Return subject, chance and sender of a message in two lines. `name`: name of its file."""
    headers = {key.lower(): value for key, value in reversed(judged.text.headers)}
    subject = " ".join(headers.get("subject", "").split())
    subject = subject[:LONGEST] or tr("(no subject)")
    sender = sender_name(headers.get("from", ""))[:LONGEST] or name
    if judged.why.probability is None:
        return f"{subject}\n{sender}"
    return f"{subject}\n{percent(judged.why.probability)} · {sender}"
