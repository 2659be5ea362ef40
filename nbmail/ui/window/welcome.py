"""Welcome page of a window without accounts."""

from collections.abc import Callable

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from nbmail.ui.kit.layouts import action_row, card
from nbmail.ui.kit.plain_labels import enlarge, wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr


class Welcome(QWidget):
    """Description of the program, and a button for each callback.

    `open_program`: called with True for the demo.
    """

    def __init__(
        self,
        add_mailbox: Callable[[], None],
        open_local: Callable[[], None],
        open_program: Callable[[bool], None],
    ) -> None:
        super().__init__()
        self.button = QPushButton(tr("Add account…"))
        self.local = QPushButton(tr("Open local mail…"))
        self.demo = QPushButton(tr("Try the demo"))
        self.button.setDefault(True)
        self.button.clicked.connect(add_mailbox)
        self.local.clicked.connect(open_local)
        self.demo.clicked.connect(lambda: open_program(True))
        choices = (
            action_row(
                tr("Mail account"),
                tr("nbmail reads your mail over IMAP. It moves messages only if you turn that on."),
                self.button,
            ),
            action_row(
                tr("Mail on this computer"),
                tr("From Thunderbird, a Maildir, an mbox file or a folder of .eml files."),
                self.local,
            ),
            action_row(
                tr("Demo account"), tr("Try nbmail with sample mail. Nothing is saved."), self.demo
            ),
        )
        what = tr(
            "Mark a few messages. nbmail learns from each mark immediately and shows the "
            "reasons for every verdict."
        )
        kept = tr(
            "What nbmail learns stays on this computer, and your password in the system "
            "keyring. Marks are "
            "also saved as flags on your mail server."
        )
        rows = [part for choice in choices for part in (14, choice)]
        parts = (
            enlarge(wrapping_label(tr("Sort your mail and see why")), 1.7),
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
