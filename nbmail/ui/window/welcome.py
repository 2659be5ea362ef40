"""What a newcomer sees: what this is, and three doors."""

from collections.abc import Callable

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import action_row, card, scaled
from nbmail.ui.kit.plain_text import enlarge, wrapping_label


class Welcome(QWidget):
    """The empty state: `button` adds a mailbox on a server, `local` one that is here, `demo` shows a made-up one."""

    def __init__(self) -> None:
        super().__init__()
        self.button, self.local = QPushButton(tr("Add your mailbox…")), QPushButton(tr("Open mail here…"))
        self.demo = QPushButton(tr("Try the demo"))
        self.button.setDefault(True)
        doors = (
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
        rows = [part for door in doors for part in (14, door)]
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
        # Not before: how wide a button is depends on the style sheet.
        doors = (self.button, self.local, self.demo)
        for door in doors:
            door.setMinimumWidth(max(each.sizeHint().width() for each in doors))

    def connect_doors(self, *acts: Callable[[], None]) -> None:
        """What is behind the doors: a mailbox on a server, one on this computer, the made-up one."""
        for button, act in zip((self.button, self.local, self.demo), acts, strict=True):
            button.clicked.connect(act)
