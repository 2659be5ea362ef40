"""The manual opens in the window's language, and both languages have the same pages."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from nbmail.paths import resources
from nbmail.ui.dialogs.manual_window import ManualWindow
from nbmail.ui.kit.language import set_language


def test_both_languages_have_the_same_pages():
    pages = {name: sorted(path.name for path in (resources() / "manual" / name).glob("*.md")) for name in ("en", "de")}
    assert pages["en"] == pages["de"]
    assert len(pages["en"]) >= 8
    for name in pages["en"]:
        texts = [(resources() / "manual" / language / name).read_text(encoding="utf-8") for language in ("en", "de")]
        headings, rows = ([len(re.findall(sign, text, re.MULTILINE)) for text in texts] for sign in ("^#", r"^\|"))
        assert headings[0] == headings[1], name
        assert rows[0] == rows[1], name


@pytest.mark.parametrize(("language", "first"), [("en", "First steps"), ("de", "Erste Schritte")])
def test_a_page_is_chosen_and_read(qtbot, language, first):
    set_language(QApplication.instance(), language)
    try:
        parent = QWidget()
        qtbot.addWidget(parent)
        window = ManualWindow(parent)
        window.show()
        assert window.list.item(0).text() == first
        assert first in window.text.toPlainText()
        last = window.list.count() - 1
        window.list.setCurrentRow(last)
        assert window.text.toPlainText().startswith(window.list.item(last).text())
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        assert not window.isVisible()
    finally:
        set_language(QApplication.instance(), "en")
