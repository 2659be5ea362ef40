"""Colours: two sets of shades, a palette made from either, and the few rules that shape the controls.

Qt's own dark scheme does nothing on many platforms (offscreen and bare X11 among them), so both palettes are ours;
the system's colour scheme only says which of them to take.
"""

from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from types import SimpleNamespace

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget

Colors = SimpleNamespace
"""The colours of one theme by their names, and `dark`. Junk and good are orange and teal: nobody has to tell red from
green.

`text` on `base`, `window`, `raised` or `chosen`, and `muted`, `junk`, `good`, `unsure`, `link` on `base`, all keep a
contrast of at least 4.5 to 1; `edge`, the line around what can be filled in or dragged, one of 3 to 1 on `base` and
`window`. Rows chosen in a list that doesn't have the keyboard lie on `idle`.
"""

# Light, dark; for desktops that ask for more contrast light and dark again, where they differ: at least 7 to 1 between
# words and what they lie on.
_COLOURS = {
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
    "junk": ("#a93a0b", "#f2a074", "#872e09", "#f7c4a9"),
    "junk_soft": ("#fbe3d6", "#4d3021"),
    "good": ("#0b6f66", "#62c9b8", "#08534c", "#99dcd1"),
    "good_soft": ("#d5efea", "#1d423d"),
    "unsure": ("#5b5f86", "#b3b6dc", "#464967", "#cccee8"),
    "unsure_soft": ("#e5e6f3", "#343650"),
    "warning_soft": ("#fff3d6", "#43381b"),
    "link": ("#1f4fc4", "#9dbbff", "#1a43a7", "#bcd0ff"),
}
LIGHT, DARK, LIGHT_STRONG, DARK_STRONG = (
    Colors(dark=bool(column % 2), **{name: (colors + colors[:2])[column] for name, colors in _COLOURS.items()})
    for column in range(4)
)
_ROLES = {
    "window": "Window",
    "base": "Base",
    "raised": "AlternateBase Button ToolTipBase Light",
    "line": "Midlight Mid",
    "text": "WindowText Text ButtonText ToolTipText",
    "muted": "PlaceholderText Dark",
    "accent": "Highlight Accent",
    "on_accent": "HighlightedText",
    "junk": "BrightText",
    "link": "Link LinkVisited",
}
DARK_BELOW = 128
"""A desktop whose windows are darker than this, of 255, is dark."""


@dataclass(slots=True)
class _Worn:
    colors: Colors = field(default_factory=lambda: LIGHT)
    made: dict[str, QColor] = field(default_factory=dict)


_WORN = _Worn()


def colors() -> Colors:
    """The colours that the program wears."""
    return _WORN.colors


def color(name: str) -> QColor:
    """One of them, to paint with; made once, so whoever changes it copies it first."""
    found = _WORN.made.get(name)
    if found is None:
        found = _WORN.made[name] = QColor(getattr(_WORN.colors, name))
    return found


def _put_on(worn: Colors) -> None:
    if worn is not _WORN.colors:
        _WORN.colors = worn
        _WORN.made.clear()


def theme_colors(theme: str, app: QApplication) -> Colors:
    """The shades of a theme; "system" follows the desktop, and is light where the desktop doesn't say.

    A desktop that asks for more contrast gets it in every theme.
    """
    dark = theme == "dark"
    if theme == "system":
        from PySide6.QtCore import Qt

        dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    if wants_contrast(app):
        return DARK_STRONG if dark else LIGHT_STRONG
    return DARK if dark else LIGHT


def wants_contrast(app: QApplication) -> bool:
    """Whether the desktop asks for more contrast than usual; Qt tells so from 6.10 on."""
    asked = getattr(app.styleHints(), "accessibility", None)
    if asked is None:
        return False
    return str(asked().contrastPreference().name) == "HighContrast"


def apply_first_colors(theme: str, app: QApplication) -> None:
    """Take on the shades for the first paint: those of `theme_colors`, told from the desktop's own palette.

    Asking Qt for the colour scheme loads all the names of its namespace: 10 ms, which can wait until after it.
    """
    if theme == "system":
        theme = "dark" if app.palette().window().color().lightness() < DARK_BELOW else "light"
    _put_on(DARK if theme == "dark" else LIGHT)


def apply_palette(theme: str, app: QApplication) -> None:
    """Paint in this theme from now on; the style sheet of `apply_theme` is a separate and longer work."""
    _put_on(theme_colors(theme, app))
    app.setPalette(make_palette(colors()))


def make_palette(colors: Colors) -> QPalette:
    """All the roles Qt asks for."""
    palette = QPalette()
    for name, roles in _ROLES.items():
        for role in roles.split():
            palette.setColor(getattr(QPalette.ColorRole, role), QColor(getattr(colors, name)))
    palette.setColor(QPalette.ColorRole.Shadow, QColor("#000000"))
    faded = QColor(colors.muted)
    faded.setAlphaF(0.6)
    for role in ("WindowText", "Text", "ButtonText"):
        palette.setColor(QPalette.ColorGroup.Disabled, getattr(QPalette.ColorRole, role), faded)
    return palette


def style_rules(colors: Colors) -> str:
    """The style sheet in these shades."""
    resources = Path(__file__).parents[3] / "resources"
    check = "check-dark" if colors.dark else "check-light"
    names = {**vars(colors), "icons": (resources / "icons").as_posix(), "check": check}
    text = (resources / "styles" / "window.qss").read_text(encoding="utf-8")
    return Template(text).substitute(names)


def apply_theme(app: QApplication, theme: str) -> None:
    """Give the whole program this theme. Widgets hear of it by a change of style, and paint themselves anew."""
    from PySide6.QtWidgets import QStyleFactory

    if app.style().name() != "fusion":
        app.setStyle(QStyleFactory.create("Fusion"))
    apply_palette(theme, app)
    app.setStyleSheet(style_rules(colors()))


def set_style(widget: QWidget, name: str, value: str) -> None:
    """Set what the style sheet knows the widget by, and let it look there anew if that is another one."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
