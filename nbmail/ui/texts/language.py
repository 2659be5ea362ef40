"""Language of the window: translated texts, and the locale of numbers."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QKeySequence

from nbmail.paths import resources

CONTEXT = "nbmail"
FOLDER = resources() / "translations"
LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Languages of the window, each with its own name."""
LANGUAGE = "language"
"""Property of the application with the language of its texts."""
T = TypeVar("T")


def set_language(application: QCoreApplication, wanted: str) -> str:
    """Translate all texts from now on, and return the language.

    `wanted`: the language; if it is unknown, the first known one of the system is used.
    """
    for before in application.findChildren(QTranslator):
        application.removeTranslator(before)
        before.deleteLater()
    language = pick_language(wanted, QLocale.system().uiLanguages())
    if language == wanted:
        QLocale.setDefault(QLocale(language))
    if language != "en":
        _install_translation(application, f"nbmail_{language}", str(FOLDER))
        # The texts of Qt's own buttons and dialogs are in translation files of Qt.
        qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        _install_translation(application, f"qtbase_{language}", qt_folder)
    application.setProperty(LANGUAGE, language)
    return language


def _install_translation(application: QCoreApplication, name: str, folder: str) -> None:
    translator = QTranslator(application)
    if translator.load(name, folder):
        application.installTranslator(translator)


def pick_language(wanted: str, of_system: Sequence[str]) -> str:
    """Return the first known language of `wanted` and the system's language tags.

    English if none is known.
    """
    if wanted in LANGUAGES:
        return wanted
    for tag in of_system:
        language = tag.partition("-")[0]
        if language in LANGUAGES:
            return language
    return "en"


def once_per_language(make: Callable[[], T]) -> Callable[[], T]:
    """Return a function that makes a table of texts only once for each language."""
    tables: dict[object, T] = {}

    @wraps(make)
    def table() -> T:
        application = QCoreApplication.instance()
        language = application.property(LANGUAGE) if application is not None else None
        if language not in tables:
            tables[language] = make()
        return tables[language]

    return table


def tr(text: str) -> str:
    """Translate a text of the window."""
    return QCoreApplication.translate(CONTEXT, text)


def tr_count(one: str, many: str, count: int) -> str:
    """Translate a text for a number of things and replace `%n` by the formatted number.

    A translation contains its plural forms under `many`. Without a translation, English uses both
    texts.
    """
    english = one if count == 1 else many
    text = QCoreApplication.translate(CONTEXT, english, None, -1)
    return text.replace("%n", format_count(count))


def key_text(keys: str) -> str:
    """Return the name of a key as the system writes it."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def locale() -> QLocale:
    """Return the locale for numbers and weekdays; English if the system has none."""
    own = QLocale()
    if own.language() == QLocale.Language.C:
        return QLocale(QLocale.Language.English)
    return own


def format_count(count: int) -> str:
    """Format a whole number."""
    if count < 0:
        return "−" + locale().toString(-count)
    return locale().toString(count)
