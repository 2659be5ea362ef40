"""Cell with the verdict or label: an icon, and a pill around labels."""

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter

from nbmail.ui.kit.drawing import draw_icon, draw_pill, fill_round
from nbmail.ui.kit.theme import color
from nbmail.ui.list.table.cell_writer import CellWriter

ICON = 16
OUTLINE = 1.5
PADDING = 8
"""Pixels between the ends of the pill and its contents."""


class VerdictCell:
    """Paints verdicts. A label by the user has a filled pill, other labels have an outline."""

    def __init__(self, writer: CellWriter) -> None:
        self._writer = writer

    def paint(
        self, painter: QPainter, rect: QRect, text: str, verdict: str, label_source: int
    ) -> None:
        """Paint a verdict. `label_source`: -1 for none, 0 for the user."""
        by_user = label_source == 0
        pill = self._pill(rect, text, bold=by_user)
        if by_user:
            fill_round(painter, pill, color(f"{verdict}_soft"), pill.height() / 2)
        elif label_source > 0:
            _paint_outline(painter, pill, verdict)

        ratio = painter.device().devicePixelRatioF()
        icon = draw_icon(verdict, color(verdict).name(), ICON, ratio)
        top = int(pill.center().y() - ICON / 2)
        painter.drawPixmap(rect.left(), top, icon)
        room = rect.adjusted(ICON + 5, 0, 0, 0)
        self._writer.write(painter, room, text, verdict, bold=by_user)

    def _pill(self, rect: QRect, text: str, *, bold: bool) -> QRectF:
        metrics = self._writer.metrics(bold=bold)
        contents = ICON + 6 + metrics.horizontalAdvance(text)
        width = min(contents + 2 * PADDING, rect.width() + PADDING)
        height = metrics.height() + 7
        top = rect.center().y() - height // 2
        return QRectF(rect.left() - PADDING, top, width, height)


def _paint_outline(painter: QPainter, pill: QRectF, verdict: str) -> None:
    half_transparent = f"#80{color(verdict).name()[1:]}"
    ratio = painter.device().devicePixelRatioF()
    width = round(pill.width())
    outline = draw_pill(width, round(pill.height()), OUTLINE, half_transparent, ratio)
    painter.drawPixmap(pill.topLeft(), outline)
