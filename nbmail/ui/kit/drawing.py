"""Means of painting: icons, shapes and lines of text."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer

from nbmail.paths import resources
from nbmail.ui.kit.theme import color, colors

FOLDER = resources() / "icons"
SIZE = 18
WINDOW_SIZES = (16, 24, 32, 48, 64, 128)

# Without `AlignAbsolute`, Hebrew text would be on the opposite side.
_ALIGNMENT = Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
_LINE = int(_ALIGNMENT) | int(Qt.TextFlag.TextSingleLine)
LEFT = _LINE | int(Qt.AlignmentFlag.AlignLeft)
RIGHT = _LINE | int(Qt.AlignmentFlag.AlignRight)
"""Flags for one painted line of text."""


@lru_cache(maxsize=256)
def draw_icon(name: str, color: str, size: int, ratio: float = 1.0) -> QPixmap:
    """Draw an icon of `size` device-independent pixels in one color."""
    text = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    text = text.replace("currentColor", QColor(color).name())
    renderer = QSvgRenderer(QByteArray(text.encode()))
    pixmap = _clear_pixmap(size, size, ratio)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


@lru_cache(maxsize=64)
def draw_pill(width: int, height: int, line: float, color: str, ratio: float = 1.0) -> QPixmap:
    """Draw the outline of a pill in a color `#aarrggbb`.

    Cached: drawing it took as long as all texts of a row.
    """
    pixmap = _clear_pixmap(width, height, ratio)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(color), line))
    outline = QRectF(line / 2, line / 2, width - line, height - line)
    painter.drawRoundedRect(outline, height / 2, height / 2)
    painter.end()
    return pixmap


def fill_round(painter: QPainter, shape: QRectF, color: QColor, radius: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(shape, radius, radius)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _clear_pixmap(width: int, height: int, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(width * ratio), round(height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def make_icon(name: str, color_name: str = "text") -> QIcon:
    """Return an icon in a color of the theme, pale while its action is disabled."""
    muted = color("muted")
    pale = muted.darker(190) if colors().dark else muted.lighter(150)
    ratio = QGuiApplication.primaryScreen().devicePixelRatio()
    enabled = draw_icon(name, color(color_name).name(), SIZE, ratio)
    disabled = draw_icon(name, pale.name(), SIZE, ratio)

    icon = QIcon()
    icon.addPixmap(enabled, QIcon.Mode.Normal)
    icon.addPixmap(disabled, QIcon.Mode.Disabled)
    return icon


def window_icon() -> QIcon:
    icon = QIcon()
    for size in WINDOW_SIZES:
        icon.addPixmap(draw_icon("nbmail", "#2d5be3", size))
    return icon
