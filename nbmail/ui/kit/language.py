"""Every text of the window passes through here on its way to the screen, so that it can be translated."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QKeySequence

CONTEXT = "nbmail"
FOLDER = Path(__file__).parents[3] / "resources" / "translations"
LANGUAGES = {"en": "English", "de": "Deutsch"}
"""The languages the window speaks, as each calls itself."""


def set_language(application: QCoreApplication, wanted: str) -> str:
    """Let every text from now on be in this language, or in the first of the system's that we know. Which it is."""
    for before in application.findChildren(QTranslator):
        application.removeTranslator(before)
        before.deleteLater()
    language = pick_language(wanted, QLocale.system().uiLanguages())
    if language == wanted:
        QLocale.setDefault(QLocale(language))
    # Qt's own words, on the buttons of its dialogs, are in files of Qt.
    qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for folder, name in ((str(FOLDER), "nbmail"), (qt_folder, "qtbase")):
        translator = QTranslator(application)
        if language != "en" and translator.load(f"{name}_{language}", folder):
            application.installTranslator(translator)
    return language


def pick_language(wanted: str, of_system: Sequence[str]) -> str:
    """The language that is wanted if we speak it, else the first of the system's that we do, else English."""
    tags = [wanted, *(tag.partition("-")[0] for tag in of_system)]
    return next((tag for tag in tags if tag in LANGUAGES), "en")


def tr(text: str) -> str:
    """The text in the user's language."""
    return QCoreApplication.translate(CONTEXT, text)


def tr_count(one: str, many: str, count: int) -> str:
    """The text for this number of things, with `%n` replaced by it, written as the user's country writes it.

    A translation gives its own forms for `many`; without one, English has two.
    """
    text = QCoreApplication.translate(CONTEXT, one if count == 1 else many, None, -1)
    return text.replace("%n", format_count(count))


def key_text(keys: str) -> str:
    """Keys as they are written on the user's keyboard."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def locale() -> QLocale:
    """How numbers and names of days are written; a system that doesn't say gets English."""
    own = QLocale()
    return own if own.language() != QLocale.Language.C else QLocale(QLocale.Language.English)


def format_count(count: int) -> str:
    """A whole number with its thousands set apart."""
    return locale().toString(count) if count >= 0 else "−" + locale().toString(-count)
