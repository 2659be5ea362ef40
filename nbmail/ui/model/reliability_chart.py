"""Chart of predicted chances and actual shares of spam."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from nbmail.ui.kit.chart import SCALE, Chart
from nbmail.ui.kit.theme import color
from nbmail.ui.model.accuracy_texts import reliability_text
from nbmail.ui.texts.language import tr
from nbmail.worker.protocol.quality import ReliabilityBin


class ReliabilityChart(Chart):
    """Predicted chance of spam on the x axis, actual share on the y axis, and the diagonal."""

    def __init__(self) -> None:
        name = tr("Predicted chance of spam and actual share")
        super().__init__(190, name, tr("actual share of spam"), tr("predicted"))
        self.bins: tuple[ReliabilityBin, ...] = ()

    def show_bins(self, bins: tuple[ReliabilityBin, ...]) -> None:
        self.bins = bins
        self._describe([reliability_text(each) for each in bins])

    def ends(self) -> tuple[str, str]:
        return SCALE[0][1], SCALE[-1][1]

    def draw(self, painter: QPainter) -> None:
        painter.setPen(QPen(color("edge"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(self.point(0, 0), self.point(1, 1))
        for each in self.bins:
            self._draw_interval(painter, each.predicted, each.spam, "accent")
