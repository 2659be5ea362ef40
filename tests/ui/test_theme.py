"""Both themes can be read."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QLineEdit

from nbmail.ui.kit.theme import DARK, DARK_STRONG, LIGHT, LIGHT_STRONG, dress, make_palette, shades_for, style_rules


def luminance(name):
    colour = QColor(name)
    parts = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in (colour.redF(), colour.greenF(), colour.blueF())
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


TEXT_ON = [
    *[("text", ground) for ground in ("window", "base", "raised", "chosen", "hover", "warning_soft")],
    *[("text", ground) for ground in ("junk_soft", "good_soft", "track")],
    *[("text", "idle"), ("muted", "good_soft"), ("muted", "warning_soft")],
    *[("muted", ground) for ground in ("window", "base", "raised", "chosen", "idle", "hover")],
    *[
        (name, ground)
        for name in ("junk", "good", "unsure")
        for ground in ("base", "hover", "chosen", "idle", "window")
    ],
    *[(name, name + "_soft") for name in ("junk", "good", "unsure")],
    *[("link", ground) for ground in ("base", "window", "hover", "good_soft", "warning_soft")],
    ("on_accent", "accent"),
]


@pytest.mark.parametrize("shades", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_stands_out(shades, text, ground):
    assert contrast(getattr(shades, text), getattr(shades, ground)) >= 4.5


@pytest.mark.parametrize("shades", [LIGHT_STRONG, DARK_STRONG], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_stands_out_more_where_that_is_asked_for(shades, text, ground):
    assert contrast(getattr(shades, text), getattr(shades, ground)) >= 7


class Asking:
    """A desktop that asks for a contrast."""

    def __init__(self, contrast):
        self.contrastPreference = lambda: contrast
        self.accessibility = lambda: self
        self.styleHints = lambda: self


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_desktop_that_asks_for_contrast_gets_it(theme):
    strong, usual = (LIGHT_STRONG, LIGHT) if theme == "light" else (DARK_STRONG, DARK)
    assert shades_for(theme, Asking(Qt.ContrastPreference.HighContrast)) is strong
    assert shades_for(theme, Asking(Qt.ContrastPreference.NoPreference)) is usual


@pytest.mark.parametrize("shades", [LIGHT, DARK, LIGHT_STRONG, DARK_STRONG])
@pytest.mark.parametrize("line", ["edge", "accent"])
def test_where_one_can_type_and_where_the_keyboard_is_stands_out(shades, line):
    for ground in ("base", "window", "raised"):
        assert contrast(getattr(shades, line), getattr(shades, ground)) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_an_empty_field_suggests_can_be_read(theme, qtbot, qapp):
    """A style sheet that names a field's colour makes what it suggests half as strong."""
    dress(qapp, theme)
    field = QLineEdit()
    field.setPlaceholderText("leave empty to keep it")
    qtbot.addWidget(field)
    field.ensurePolished()
    shown, shades = field.palette().color(QPalette.ColorRole.PlaceholderText), LIGHT if theme == "light" else DARK
    assert shown.alpha() == 255
    assert contrast(shown, shades.base) >= 4.5
    qapp.setStyleSheet("")


@pytest.mark.parametrize("shades", [LIGHT, DARK], ids=["light", "dark"])
def test_the_palette_can_be_read_too(shades):
    palette = make_palette(shades)
    role = QPalette.ColorRole
    pairs = [
        (role.WindowText, role.Window),
        (role.Text, role.Base),
        (role.Text, role.AlternateBase),
        (role.ButtonText, role.Button),
        (role.ToolTipText, role.ToolTipBase),
        (role.HighlightedText, role.Highlight),
        (role.PlaceholderText, role.Base),
        (role.Link, role.Base),
    ]
    for text, ground in pairs:
        assert contrast(palette.color(text), palette.color(ground)) >= 4.5, (text, ground)


def test_junk_and_good_differ_for_those_who_see_no_red():
    """Their lightness or their blue differs clearly, and each verdict has its own icon and word besides."""
    for shades in (LIGHT, DARK):
        assert abs(QColor(shades.junk).blueF() - QColor(shades.good).blueF()) > 0.2


def test_the_style_sheet_has_no_hole_left():
    for shades in (LIGHT, DARK):
        assert "$" not in style_rules(shades).partition("*/")[2]


def test_themes_by_name(qapp):
    assert shades_for("dark", qapp) is DARK
    assert shades_for("light", qapp) is LIGHT
    assert shades_for("system", qapp) in (LIGHT, DARK)


def test_dressing_changes_the_program(qapp):
    dress(qapp, "dark")
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == DARK.window
    dress(qapp, "light")
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == LIGHT.window
    qapp.setStyleSheet("")
