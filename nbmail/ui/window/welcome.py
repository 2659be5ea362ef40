"""First page of a window without mailboxes."""

from collections.abc import Callable

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import action_row, card, scaled
from nbmail.ui.kit.plain_text import enlarge, wrapping_label


class Welcome(QWidget):
    """Description of the program and three buttons. Each callback is called after a click on its button.

    `add_mailbox`: for a mailbox on a server; `open_local`: for mail on this computer; `open_demo`: for the demo.
    """

    def __init__(
        self, add_mailbox: Callable[[], None], open_local: Callable[[], None], open_demo: Callable[[], None]
    ) -> None:
        super().__init__()
        self.button, self.local = QPushButton(tr("Add your mailbox…")), QPushButton(tr("Open mail here…"))
        self.demo = QPushButton(tr("Try the demo"))
        self.button.setDefault(True)
        self.button.clicked.connect(add_mailbox)
        self.local.clicked.connect(open_local)
        self.demo.clicked.connect(open_demo)
        choices = (
            action_row(
                tr("Your mailbox"),
                tr("nbmail reads it over IMAP. It moves mail only if you say so."),
                self.button,
            ),
            action_row(
                tr("Mail on this computer"), tr("Thunderbird, Maildir, mbox, or a folder of files."), self.local
            ),
            action_row(tr("A made-up mailbox"), tr("Look around first. Nothing of it is real or kept."), self.demo),
        )
        what = tr("Mark a few messages. nbmail learns from each one at once, and shows which words decide.")
        kept = tr(
            "Everything stays on this computer: your mail, what was learned, and your password in the system's keyring."
        )
        rows = [part for choice in choices for part in (14, choice)]
        parts = (
            enlarge(wrapping_label(tr("Sort your mail, and see why")), 1.7),
            wrapping_label(what),
            *rows,
            14,
            wrapping_label(kept, "muted"),
        )
        self.setLayout(card(*parts, width=scaled(self, 640), spacing=6))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # The style sheet, which determines the widths, applies when the page is shown.
        buttons = (self.button, self.local, self.demo)
        for button in buttons:
            button.setMinimumWidth(max(each.sizeHint().width() for each in buttons))
