"""Dialog that says why the data folder cannot be opened."""

from PySide6.QtWidgets import QMessageBox, QWidget

from nbmail.ui.dialogs.manual_window import add_manual_button
from nbmail.ui.dialogs.questions import question_box
from nbmail.ui.texts.error_texts import Notice

INVISIBLE = ("offscreen", "minimal")
"""Platforms without a user who could close a dialog."""


def refusal_box(notice: Notice, parent: QWidget | None) -> QMessageBox:
    """Return a dialog with a notice as plain text: a path or an answer may look like HTML."""
    more = f"{notice.advice}\n\n{notice.detail}".strip()
    box = question_box(parent, "nbmail", notice.sentence, more, icon="warning")
    box.addButton(QMessageBox.StandardButton.Ok)
    add_manual_button(box, notice.page)
    return box
