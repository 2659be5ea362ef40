"""Writer of one line of text in a cell of the list."""

from functools import lru_cache

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from nbmail.ui.kit.drawing import LEFT
from nbmail.ui.kit.theme import color
from nbmail.ui.list.table.row_texts import LONGEST


class CellWriter:
    """Writes elided text in a plain and a bold font."""

    def __init__(self, font: QFont) -> None:
        self._plain = QFont(font)
        self._bold = QFont(font)
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._plain_metrics = QFontMetrics(self._plain)
        self._bold_metrics = QFontMetrics(self._bold)
        # Eliding measures every letter.
        self._elided = lru_cache(maxsize=1024)(self._elide)

    @property
    def height(self) -> int:
        return self._bold_metrics.height()

    def metrics(self, *, bold: bool = False) -> QFontMetrics:
        return self._bold_metrics if bold else self._plain_metrics

    def write(
        self, painter: QPainter, rect: QRect, text: str, color_name: str, *, bold: bool = False
    ) -> None:
        painter.setFont(self._bold if bold else self._plain)
        painter.setPen(color(color_name))
        painter.drawText(rect, LEFT, self._elided(text, rect.width(), bold))

    def _elide(self, text: str, width: int, bold: bool) -> str:
        metrics = self.metrics(bold=bold)
        return metrics.elidedText(text[:LONGEST], Qt.TextElideMode.ElideRight, width)
