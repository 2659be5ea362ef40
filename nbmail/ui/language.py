"""Every text of the window passes through here on its way to the screen, so that it can be translated."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

CONTEXT = "nbmail"


def tr(text: str) -> str:
    """The text in the user's language."""
    return QCoreApplication.translate(CONTEXT, text)


def tr_count(one: str, many: str, count: int) -> str:
    """The text for this number of things, with `%n` replaced by it, written as the user's country writes it.

    A translation gives its own forms for `many`; without one, English has two.
    """
    text = QCoreApplication.translate(CONTEXT, one if count == 1 else many, None, -1)
    return text.replace("%n", grouped(count))


def locale() -> QLocale:
    """How numbers and names of days are written; a system that doesn't say gets English."""
    own = QLocale()
    return own if own.language() != QLocale.Language.C else QLocale(QLocale.Language.English)


def grouped(count: int) -> str:
    """A whole number with its thousands set apart."""
    return locale().toString(count) if count >= 0 else "−" + locale().toString(-count)
