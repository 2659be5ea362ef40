"""Contrast and consistency of both themes."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QComboBox, QLineEdit

from nbmail.settings import Account
from nbmail.ui.kit.theme import DARK, DARK_STRONG, LIGHT, LIGHT_STRONG, apply_theme, theme_colors
from nbmail.ui.kit.theme import colors as worn
from nbmail.ui.texts.error_texts import Notice
from nbmail.ui.window.panes import WindowPage
from tests.ui.helpers import is_idle


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
    *[
        ("text", ground)
        for ground in ("window", "base", "raised", "chosen", "hover", "warning_soft")
    ],
    *[("text", ground) for ground in ("spam_soft", "ham_soft", "track")],
    *[("text", "idle"), ("muted", "ham_soft"), ("muted", "warning_soft")],
    *[("muted", ground) for ground in ("window", "base", "raised", "chosen", "idle", "hover")],
    *[
        (name, ground)
        for name in ("spam", "ham", "unsure")
        for ground in ("base", "hover", "chosen", "idle", "window")
    ],
    *[(name, name + "_soft") for name in ("spam", "ham", "unsure")],
    *[("link", ground) for ground in ("base", "window", "hover", "ham_soft", "warning_soft")],
    ("on_accent", "accent"),
]


@pytest.mark.parametrize("ground", sorted({ground for _, ground in TEXT_ON}))
def test_text_has_enough_contrast_and_more_in_high_contrast(ground):
    for text in (text for text, its in TEXT_ON if its == ground):
        for colors, least in ((LIGHT, 4.5), (DARK, 4.5), (LIGHT_STRONG, 7), (DARK_STRONG, 7)):
            assert contrast(getattr(colors, text), getattr(colors, ground)) >= least, (text, colors)


class Asking:
    """A desktop that requests a contrast."""

    def __init__(self, contrast):
        self.contrastPreference = lambda: contrast
        self.accessibility = lambda: self
        self.styleHints = lambda: self


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_high_contrast_of_the_desktop_is_respected(theme):
    strong, usual = (LIGHT_STRONG, LIGHT) if theme == "light" else (DARK_STRONG, DARK)
    assert theme_colors(theme, Asking(Qt.ContrastPreference.HighContrast)) is strong
    assert theme_colors(theme, Asking(Qt.ContrastPreference.NoPreference)) is usual


def test_fields_and_focus_have_enough_contrast():
    for colors in (LIGHT, DARK, LIGHT_STRONG, DARK_STRONG):
        for line in (colors.edge, colors.accent):
            assert (
                min(
                    contrast(line, ground) for ground in (colors.base, colors.window, colors.raised)
                )
                >= 3
            )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_an_empty_field_suggests_can_be_read(theme, qtbot, qapp):
    """A style sheet that sets the text color of a field halves the opacity of its placeholder."""
    apply_theme(qapp, theme)
    field = QLineEdit()
    field.setPlaceholderText("Leave empty to keep the current one")
    qtbot.addWidget(field)
    field.ensurePolished()
    shown = field.palette().color(QPalette.ColorRole.PlaceholderText)
    colors = LIGHT if theme == "light" else DARK
    assert shown.alpha() == 255
    assert contrast(shown, colors.base) >= 4.5
    qapp.setStyleSheet("")


def test_spam_and_ham_differ_for_those_who_see_no_red():
    """Their blue differs clearly. In addition, each verdict has an icon and a text."""
    for colors in (LIGHT, DARK):
        assert abs(QColor(colors.spam).blueF() - QColor(colors.ham).blueF()) > 0.2


def test_the_program_applies_the_theme_of_the_settings(qapp):
    assert theme_colors("system", qapp) in (LIGHT, DARK)
    for theme, colors in (("dark", DARK), ("light", LIGHT)):
        apply_theme(qapp, theme)
        assert worn() is theme_colors(theme, qapp) is colors
        assert qapp.palette().color(QPalette.ColorRole.Window).name() == colors.window
    qapp.setStyleSheet("")


def is_whole(widget):
    """True if no part of a widget is hidden, as it is before a layout has made room for it."""
    return (
        not widget.visibleRegion().isEmpty()
        and widget.visibleRegion().boundingRect() == widget.rect()
    )


def steady_picture(window, qtbot):
    """Return the picture of a window once five equal ones in a row were taken."""
    seen = [window.grab().toImage()]

    def is_steady():
        seen.append(window.grab().toImage())
        return len(seen) >= 5 and all(each == seen[-1] for each in seen[-5:-1])

    qtbot.waitUntil(is_steady)
    return seen[-1]


@pytest.mark.parametrize("messages", [20, 0])
def test_a_window_that_changes_its_theme_looks_like_one_that_began_with_it(
    messages, open_window, qtbot
):
    """With mail, and with the welcome page, where the other parts were never shown."""
    pictures = []
    for theme in ("light", "dark"):
        window = open_window(messages, accounts=(Account("home"),) * bool(messages), theme=theme)
        qtbot.waitUntil(lambda: is_idle(window))  # noqa: B023
        assert (window.evidence.why is not None) if messages else window.welcome.isVisible()
        window.banner.show_notice(Notice("Something is wrong.", "Mend it."))
        window.parts.settings.change(replace(window.settings, theme="dark"))
        window.panes.pages.setCurrentIndex(WindowPage.MAIL)
        window.table.clearFocus()
        qtbot.waitUntil(lambda: is_idle(window) and is_whole(window.banner))  # noqa: B023
        qtbot.waitUntil(lambda: not window.learning_bar.is_glowing)  # noqa: B023
        pictures.append(steady_picture(window, qtbot))
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("count", [2, 3, 10])
def test_a_list_of_choices_is_as_tall_as_its_choices(qtbot, qapp, count):
    apply_theme(qapp, "light")
    combo = QComboBox()
    combo.addItems([f"Choice number {number}" for number in range(count)])
    qtbot.addWidget(combo)
    combo.show()
    combo.showPopup()
    view = combo.view()
    qtbot.waitExposed(view.window())
    assert view.visualRect(combo.model().index(count - 1, 0)).bottom() < view.viewport().height()
    combo.hidePopup()
    qapp.setStyleSheet("")
