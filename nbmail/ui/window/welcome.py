"""What a newcomer sees: what this is, and the one thing to do first."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from nbmail.ui.kit.language import tr
from nbmail.ui.kit.letter_sizes import grown
from nbmail.ui.kit.plain_text import plain_label

LEAST_WIDTH = 420


class Welcome(QWidget):
    """The empty state; its `button` adds a mailbox. Has no signals of its own."""

    def __init__(self) -> None:
        super().__init__()
        card = QWidget()
        card.setProperty("card", True)
        card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        card.setMinimumWidth(LEAST_WIDTH)
        card.setMaximumWidth(grown(self, 560))
        card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(36, 32, 36, 32)
        inside.setSpacing(12)
        inside.addWidget(_title(tr("Sort your mail, and see why")))
        for text in _steps():
            label = plain_label(text)
            label.setWordWrap(True)
            inside.addWidget(label)
        self.button = QPushButton(tr("Add your mailbox…"))
        self.button.setDefault(True)
        inside.addSpacing(8)
        inside.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        page = QVBoxLayout(self)
        page.setContentsMargins(20, 20, 20, 20)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(card, 1000)
        row.addStretch()
        page.addStretch()
        page.addLayout(row)
        page.addStretch()


def _title(text: str) -> QLabel:
    label = plain_label(text)
    font = QFont(label.font())
    font.setPointSizeF(font.pointSizeF() * 1.7)
    font.setWeight(QFont.Weight.DemiBold)
    label.setFont(font)
    label.setWordWrap(True)
    return label


def _steps() -> tuple[str, ...]:
    return (
        tr("1.  Add your mailbox. nbmail reads it and changes nothing there."),
        tr("2.  Mark a few messages as junk or not junk. It learns from each one, at once."),
        tr("3.  See how likely every other message is junk, and which words say so."),
        tr(
            "Everything stays on this computer: your mail, what was learned, and your password in the system's keyring."
        ),
    )
