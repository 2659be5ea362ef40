"""Themes: their colors, the palette and the style sheet.

Both palettes are our own. Qt's dark color scheme has no effect on many platforms, for example
offscreen and plain X11. The color scheme of the system only selects one of the two palettes.
"""

from string import Template
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory, QWidget

from nbmail.paths import resources


class Colors:
    """Color names of one theme, as `#rrggbb`.

    Spam is orange and good mail is teal, for users who see no red or green. Contrasts of at least
    4.5 to 1: `text` on `base`, `window`, `raised` and `chosen`. The same for `muted`, `spam`,
    `ham`, `unsure` and `link` on `base`. Contrasts of at least 3 to 1: `edge` (borders of input
    fields and handles) on `base` and `window`. `idle` is the background of selected rows in a list
    without focus.
    """

    def __init__(self, dark: bool, names: dict[str, str]) -> None:
        self.dark = dark
        self.names = names

    def __getattr__(self, name: str) -> str:
        try:
            return self.names[name]
        except KeyError:
            raise AttributeError(name) from None


# Light, dark, then both for desktops that request a high contrast, if they differ: at least 7 to 1
# for text.
_TABLE = {
    "window": ("#f4f5f7", "#191c20"),
    "base": ("#ffffff", "#1f2328"),
    "raised": ("#fbfbfc", "#24292f"),
    "line": ("#e1e4e9", "#333941", "#828ea3", "#626e7d"),
    "edge": ("#828b99", "#727d8b", "#454c55", "#cbcfd4"),
    "track": ("#e6e9ee", "#343b44"),
    "text": ("#1d2229", "#e4e7eb"),
    "muted": ("#5a6472", "#a3adba", "#444c57", "#c9cfd7"),
    "accent": ("#2d5bd7", "#86aaf9", "#1f43a4", "#bacffc"),
    "on_accent": ("#ffffff", "#10151d"),
    "chosen": ("#dfe8fc", "#2c3c5c"),
    "idle": ("#e9ecf1", "#30363f"),
    "hover": ("#f0f3f8", "#272c33"),
    "spam": ("#a93a0b", "#f2a074", "#872e09", "#f7c4a9"),
    "spam_soft": ("#fbe3d6", "#4d3021"),
    "ham": ("#0b6f66", "#62c9b8", "#08534c", "#99dcd1"),
    "ham_soft": ("#d5efea", "#1d423d"),
    "unsure": ("#5b5f86", "#b3b6dc", "#464967", "#cccee8"),
    "unsure_soft": ("#e5e6f3", "#343650"),
    "warning_soft": ("#fff3d6", "#43381b"),
    "link": ("#1f4fc4", "#9dbbff", "#1a43a7", "#bcd0ff"),
}


def _colors(*, dark: bool, strong: bool) -> Colors:
    names = {}
    for name, values in _TABLE.items():
        has_strong = len(values) > 2
        place = int(dark) + (2 if strong and has_strong else 0)
        names[name] = values[place]
    return Colors(dark, names)


LIGHT = _colors(dark=False, strong=False)
DARK = _colors(dark=True, strong=False)
LIGHT_STRONG = _colors(dark=False, strong=True)
DARK_STRONG = _colors(dark=True, strong=True)
_ROLES = {
    "window": "Window",
    "base": "Base",
    "raised": "AlternateBase Button ToolTipBase Light",
    "line": "Midlight Mid",
    "text": "WindowText Text ButtonText ToolTipText",
    "muted": "PlaceholderText Dark",
    "accent": "Highlight Accent",
    "on_accent": "HighlightedText",
    "spam": "BrightText",
    "link": "Link LinkVisited",
}


class _Applied:
    """Colors in use, and the `QColor` objects made from them."""

    colors = LIGHT
    made: ClassVar[dict[str, QColor]] = {}


def colors() -> Colors:
    return _Applied.colors


def color(name: str) -> QColor:
    """Return a color in use. The object is cached: copy it before changing it."""
    if name not in _Applied.made:
        _Applied.made[name] = QColor(_Applied.colors.names[name])
    return _Applied.made[name]


def theme_colors(theme: str, app: QApplication) -> Colors:
    """Return the colors of a theme; "system" follows the desktop.

    A high contrast that the desktop requests applies to each theme.
    """
    dark = theme == "dark"
    if theme == "system":
        dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    if _wants_high_contrast(app):
        return DARK_STRONG if dark else LIGHT_STRONG
    return DARK if dark else LIGHT


def _wants_high_contrast(app: QApplication) -> bool:
    # Since Qt 6.10.
    accessibility = getattr(app.styleHints(), "accessibility", None)
    if accessibility is None:
        return False
    return str(accessibility().contrastPreference().name) == "HighContrast"


def apply_palette(theme: str, app: QApplication) -> None:
    """Use the colors of this theme, without its style sheet, which takes longer to apply."""
    used = theme_colors(theme, app)
    if used is not _Applied.colors:
        _Applied.colors = used
        _Applied.made.clear()
    app.setPalette(_palette(used))


def _palette(colors: Colors) -> QPalette:
    roles = QPalette.ColorRole
    palette = QPalette()
    for name, role_names in _ROLES.items():
        for role_name in role_names.split():
            palette.setColor(getattr(roles, role_name), QColor(colors.names[name]))
    palette.setColor(roles.Shadow, QColor("#000000"))

    disabled = QColor(colors.muted)
    disabled.setAlphaF(0.6)
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, disabled)
    return palette


def style_rules(colors: Colors) -> str:
    """Return the style sheet of the window in these colors."""
    folder = resources()
    icons = (folder / "icons").as_posix()
    check = "check-dark" if colors.dark else "check-light"
    text = (folder / "styles" / "window.qss").read_text(encoding="utf-8")
    return Template(text).substitute(colors.names, icons=icons, check=check)


def apply_theme(app: QApplication, theme: str) -> None:
    if app.style().name() != "fusion":
        app.setStyle(QStyleFactory.create("Fusion"))
    apply_palette(theme, app)
    app.setStyleSheet(style_rules(colors()))


def set_style(widget: QWidget, name: str, value: str) -> None:
    """Set a property that the style sheet selects by. A new value applies the sheet again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
