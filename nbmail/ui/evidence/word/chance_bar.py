"""Bar with a chance of spam and the simulated one."""

from math import isnan

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from nbmail.ui.kit.drawing import fill_round
from nbmail.ui.kit.theme import color
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import verdict_text
from nbmail.ui.texts.number_texts import percent
from nbmail.worker.protocol.verdicts import VerdictChange


class ChanceBar(QWidget):
    """Bar with a chance of spam, the simulated chance, and the spam threshold."""

    def __init__(self, spam_from: float) -> None:
        super().__init__()
        self._spam_from = spam_from
        self._before = 0.0
        self._after = 0.0
        self.setMinimumHeight(22)
        self.hide()

    def show_chances(self, own: VerdictChange | None) -> None:
        """Show a change of chances. None or a change without chances hides the bar."""
        self.setAccessibleName(open_message_text(own))
        if own is None or own.before is None or own.after is None:
            self.hide()
            return
        self._before = own.before
        self._after = own.after
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        bar = QRectF(2, self.height() / 2 - 4, self.width() - 4, 8)
        fill_round(painter, bar, color("track"), 4)
        if not isnan(self._spam_from):
            place = bar.left() + bar.width() * self._spam_from
            painter.fillRect(QRectF(place - 0.5, 0, 1, self.height()), color("spam"))

        before = bar.left() + bar.width() * self._before
        after = bar.left() + bar.width() * self._after
        width = abs(after - before)
        change = QRectF(min(before, after), bar.top(), width, bar.height())
        painter.fillRect(change, color("spam_soft" if after > before else "ham_soft"))
        _paint_mark(painter, bar, before, "muted")
        _paint_mark(painter, bar, after, "accent")
        painter.end()


def _paint_mark(painter: QPainter, bar: QRectF, place: float, color_name: str) -> None:
    mark = QRectF(place - 1.5, bar.top() - 5, 3, bar.height() + 10)
    fill_round(painter, mark, color(color_name), 1.5)


def open_message_text(own: VerdictChange | None) -> str:
    """Return how the chance of the open message changes, "" without chances."""
    if own is None or own.before is None or own.after is None:
        return ""
    text = tr("The open message would change from {before} to {after} ({verdict}).")
    return text.format(
        before=percent(own.before),
        after=percent(own.after),
        verdict=verdict_text(own.verdict_after),
    )
