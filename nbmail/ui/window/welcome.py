"""What a newcomer sees: what this is, and the one thing to do first."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.letter_sizes import grown
from nbmail.ui.kit.plain_text import wrapping_label

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
        self.button = QPushButton(tr("Add your mailbox…"))
        self.button.setDefault(True)
        words = (_title(tr("Sort your mail, and see why")), *map(wrapping_label, _steps()))
        button = (self.button, Qt.AlignmentFlag.AlignLeft)
        card.setLayout(layouts.column(*words, 8, button, spacing=12, margins=(36, 32, 36, 32)))
        self.setLayout(layouts.column(None, layouts.row(None, (card, 1000), None), None, margins=(20, 20, 20, 20)))


def _title(text: str) -> QLabel:
    label = wrapping_label(text)
    font = QFont(label.font())
    font.setPointSizeF(font.pointSizeF() * 1.7)
    font.setWeight(QFont.Weight.DemiBold)
    label.setFont(font)
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
