"""The manual opens in the window's language, and both languages have the same pages."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from nbmail.errors import ErrorCode
from nbmail.paths import resources
from nbmail.ui.dialogs.manual_window import ManualWindow, add_manual_button, manual_pages
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import set_language
from nbmail.worker.protocol.events import EngineFailed
from nbmail.worker.protocol.ticket import Failed


def test_both_languages_have_the_same_pages():
    pages = {
        name: sorted(path.name for path in (resources() / "manual" / name).glob("*.md"))
        for name in ("en", "de")
    }
    assert pages["en"] == pages["de"]
    assert len(pages["en"]) >= 10
    for name in pages["en"]:
        texts = [
            (resources() / "manual" / language / name).read_text(encoding="utf-8")
            for language in ("en", "de")
        ]
        headings, rows = (
            [len(re.findall(sign, text, re.MULTILINE)) for text in texts] for sign in ("^#", r"^\|")
        )
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


@pytest.mark.parametrize("code", [None, *ErrorCode])
def test_each_error_has_a_page_about_it(code):
    assert error_notice(code).page in [page.name for page in manual_pages()]


def test_errors_in_the_window_link_to_their_page(window):
    window.receive(EngineFailed(Failed(ErrorCode.BAD_MODEL_FILE, "")))
    window.banner.manual.click()
    manual = window.findChild(ManualWindow)
    assert manual.isVisible()
    assert manual.text.toPlainText().startswith("Model files")


def test_a_dialog_about_an_error_stays_open_beside_the_manual(qtbot):
    box = QMessageBox()
    qtbot.addWidget(box)
    button = add_manual_button(box, "trouble")
    box.show()
    button.click()
    manual = box.findChild(ManualWindow)
    assert box.isVisible()
    assert manual.list.currentItem().text() == "If something is wrong"
