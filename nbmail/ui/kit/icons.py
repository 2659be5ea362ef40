"""Icons: line drawings from `resources/icons`, drawn in the colours of the theme; pills, bars and dots."""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPen, QPixmap

from nbmail.ui.kit.theme import color, colors

FOLDER = Path(__file__).parents[3] / "resources" / "icons"
SIZE = 18
WINDOW_SIZES = (16, 24, 32, 48, 64, 128)


@lru_cache(maxsize=256)
def draw_icon(name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
    """One icon in one colour, `size` pixels of the screen's own measure wide."""
    from PySide6.QtSvg import QSvgRenderer

    text = (FOLDER / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", QColor(colour).name())
    pixmap = _clear_pixmap(size, size, ratio)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


@lru_cache(maxsize=64)
def draw_pill(width: int, height: int, line: float, colour: str, ratio: float = 1.0) -> QPixmap:
    """The outline of a pill in a colour written `#aarrggbb`. Drawn once: a row's own took as long as all its words."""
    pixmap = _clear_pixmap(width, height, ratio)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colour), line))
    half = line / 2
    painter.drawRoundedRect(QRectF(half, half, width - line, height - line), height / 2, height / 2)
    painter.end()
    return pixmap


def fill_round(painter: QPainter, shape: QRectF, colour: QColor, radius: float) -> None:
    """A bar or a dot with smooth ends."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(shape, radius, radius)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _clear_pixmap(width: int, height: int, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(width * ratio), round(height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def make_icon(name: str, look: str = "text") -> QIcon:
    """The icon for a button or a list in this colour of the theme, pale where the button can't be pressed."""
    icon = QIcon()
    pale = color("muted").darker(190) if colors().dark else color("muted").lighter(150)
    ratio = QGuiApplication.primaryScreen().devicePixelRatio()
    icon.addPixmap(draw_icon(name, color(look).name(), SIZE, ratio), QIcon.Mode.Normal)
    icon.addPixmap(draw_icon(name, pale.name(), SIZE, ratio), QIcon.Mode.Disabled)
    return icon


def window_icon() -> QIcon:
    """The program's own icon, in the sizes that desktops ask for."""
    icon = QIcon()
    for size in WINDOW_SIZES:
        icon.addPixmap(draw_icon("nbmail", "#2d5be3", size))
    return icon
