"""Whether the home is ours to open, asked before anything is shown: a second program says so and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox

from nbmail.app.exit_signals import heed_signals
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.ui.kit.error_texts import Notice, error_notice
from nbmail.ui.kit.icons import draw_icon
from nbmail.ui.kit.language import set_language

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from nbmail.paths import Paths

ICON_SIZE = 40
UNSEEN = ("offscreen", "minimal")
"""Platforms on which nobody could close a dialog."""


def claim(paths: Paths) -> None:
    """Make the home's folders, and raise `KnownError` where that can't be or another program has the home open.

    The lock is let go again: the engine takes it for good. Of two that start in the same moment, the later one hears
    of it from the engine, and no account begins before that.
    """
    try:
        paths.make()
    except OSError as error:
        raise KnownError(ErrorCode.READ_ONLY, f"{error.filename}: {error.strerror}") from error
    HomeLock(paths.data / LOCK).close()


def refuse(application: QApplication, error: KnownError, language: str, told: Callable[[Notice], None]) -> None:
    """Say why nothing is opened: to `told`, and in a dialog of its own where there is somebody to see it."""
    set_language(application, language)
    advice = error_notice(error.error_code, error.detail)
    told(advice)
    if application.platformName() not in UNSEEN:
        box = refusal(advice, None)
        with heed_signals(lambda: QTimer.singleShot(0, box, box.reject)):
            box.exec()


def refusal(advice: Notice, parent: QWidget | None) -> QMessageBox:
    """The dialog that says so, letter by letter: a path or a server's word may look like HTML."""
    box = QMessageBox(parent)
    box.setWindowTitle("nbmail")
    box.setIconPixmap(draw_icon("warning", box.palette().windowText().color().name(), ICON_SIZE))
    box.setText(advice.sentence)
    box.setInformativeText(f"{advice.advice}\n\n{advice.detail}".strip())
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
    box.addButton(QMessageBox.StandardButton.Ok)
    return box
