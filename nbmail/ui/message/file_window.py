"""A window for mail in files: each message with its score, its text and the reasons. Nothing of it is kept."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSplitter, QWidget

from nbmail.ui.evidence.reasons_panel import ReasonsPanel
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.icons import make_icon
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.people import sender_name
from nbmail.ui.kit.plain_text import join_sentences, wrapping_label
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.window.app_services import FoundMail
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.worker.protocol import Failed
from nbmail.worker.protocol.reading import JudgedMail, JudgeMail

ICON = 20
LONGEST = 90
"""Characters of a subject or a name in the list."""


class FileWindow(SideWindow):
    """The messages at the left where there are several, the chosen one beside them. Signals: those of every dialog."""

    def __init__(
        self, parent: QWidget, requests: EngineRequests, follow: Callable[[str], None], found: FoundMail
    ) -> None:
        super().__init__(parent, tr("Mail from files"), 1040, 640)
        self._requests = requests
        self._judged: dict[int, JudgedMail] = {}
        self.note = wrapping_label(_note(found), "muted")
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Messages"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setIconSize(QSize(ICON, ICON))
        self.list.setProperty("mails", True)
        self.list.currentRowChanged.connect(self._show)
        self.message, self.evidence = MessagePane(follow), ReasonsPanel(outside=True)
        panes = QSplitter(Qt.Orientation.Horizontal)
        panes.setChildrenCollapsible(False)
        for part in (self.list, self.message, self.evidence):
            panes.addWidget(part)
        panes.setSizes([scaled(self, 250), 500, 400])
        self.list.setVisible(len(found.mails) > 1)
        self.note.setVisible(bool(self.note.text()))
        self.note.setContentsMargins(16, 8, 16, 8)
        self.setLayout(layouts.column(self.note, (panes, 1)))
        tickets = [self._ask(number, name, raw) for number, (name, raw) in enumerate(found.mails)]
        self.finished.connect(lambda: self._hear_no_more(tickets))

    def _ask(self, number: int, name: str, raw: bytes) -> Any:
        item = QListWidgetItem(name)
        self.list.addItem(item)

        def answer(judged: JudgedMail) -> None:
            self._judged[number] = judged
            item.setText(_lines(judged, name))
            item.setIcon(make_icon(judged.why.verdict, judged.why.verdict))
            if self.list.currentRow() < 0:
                self.list.setCurrentRow(0)
            elif self.list.currentRow() == number:
                self._show(number)

        def fail(failure: Failed) -> None:
            item.setText("\n".join((name, tr("This message can't be read."))))

        return self._requests.ask(JudgeMail(raw), answer, failed=fail)

    def _hear_no_more(self, tickets: list[Any]) -> None:
        """Answers may come when the window is gone."""
        for ticket in tickets:
            self._requests.drop(ticket)

    def _show(self, number: int) -> None:
        judged = self._judged.get(number)
        if judged is None:
            self.message.clear()
            self.evidence.clear()
            return
        self.message.show_message(judged.text)
        self.evidence.show_evidence(judged.why)
        self.message.tint_words(judged.why)


def _note(found: FoundMail) -> str:
    """What is to be said of all of them."""
    kept = tr("Nothing of this is kept or learned.") if found.mails else tr("There is no mail in what was named.")
    more = tr("Only the first {count} are shown.").format(count=len(found.mails)) if found.more else ""
    return join_sentences(found.problem, kept, more)


def _lines(judged: JudgedMail, name: str) -> str:
    headers = {key.lower(): value for key, value in reversed(judged.text.headers)}
    subject = " ".join(headers.get("subject", "").split())[:LONGEST] or tr("(no subject)")
    sender = sender_name(headers.get("from", ""))[:LONGEST] or name
    chance = "" if judged.why.probability is None else f"{phrases.percent(judged.why.probability)} · "
    return f"{subject}\n{chance}{sender}"
