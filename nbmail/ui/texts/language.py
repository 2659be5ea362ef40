"""Language of the window: translated texts, and the locale of numbers."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QKeySequence

from nbmail.paths import resources

CONTEXT = "nbmail"
FOLDER = resources() / "translations"
LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Languages of the window, each with its own name."""


def set_language(application: QCoreApplication, wanted: str) -> str:
    """Translate all texts from now on. Return the language: `wanted`, or the first known one of the
    system.
    """
    for before in application.findChildren(QTranslator):
        application.removeTranslator(before)
        before.deleteLater()
    language = pick_language(wanted, QLocale.system().uiLanguages())
    if language == wanted:
        QLocale.setDefault(QLocale(language))
    # The texts of Qt's own buttons and dialogs are in translation files of Qt.
    qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for folder, name in ((str(FOLDER), "nbmail"), (qt_folder, "qtbase")):
        translator = QTranslator(application)
        if language != "en" and translator.load(f"{name}_{language}", folder):
            application.installTranslator(translator)
    return language


def pick_language(wanted: str, of_system: Sequence[str]) -> str:
    """Return the first known language of `wanted` and the system's language tags, English if none
    is known.
    """
    tags = [wanted, *(tag.partition("-")[0] for tag in of_system)]
    return next((tag for tag in tags if tag in LANGUAGES), "en")


def tr(text: str) -> str:
    return QCoreApplication.translate(CONTEXT, text)


def tr_count(one: str, many: str, count: int) -> str:
    """Translate a text for a number of things and replace `%n` by the formatted number.

    A translation contains its plural forms under `many`. Without a translation, English uses both
    texts.
    """
    text = QCoreApplication.translate(CONTEXT, one if count == 1 else many, None, -1)
    return text.replace("%n", format_count(count))


def key_text(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def locale() -> QLocale:
    """Return the locale for numbers and weekdays; English if the system has none."""
    own = QLocale()
    return own if own.language() != QLocale.Language.C else QLocale(QLocale.Language.English)


def format_count(count: int) -> str:
    return locale().toString(count) if count >= 0 else "−" + locale().toString(-count)
