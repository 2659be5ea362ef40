"""Settings with a few values to choose from."""

from typing import NamedTuple

from nbmail.ui.texts.language import LANGUAGES, format_count, tr

HIGHLIGHTED = (5, 10, 20, 50, 400)
"""Numbers of highlighted words to choose from."""


class SettingChoice(NamedTuple):
    """Setting with its name, and its values with their texts. `field`: name in `Settings`."""

    field: str
    name: str
    entries: tuple[tuple[object, str], ...]


def setting_choices() -> tuple[SettingChoice, ...]:
    """Return the settings in the order in which the preferences show them."""
    return (*_reading_choices(), *_window_choices())


def _reading_choices() -> tuple[SettingChoice, ...]:
    after_mark = (("next", tr("Go to next message")), ("stay", tr("Stay on this message")))
    reading = (
        ("moment", tr("After two seconds")),
        ("at-once", tr("Immediately")),
        ("never", tr("Never")),
    )
    words = tuple((number, format_count(number)) for number in HIGHLIGHTED)
    return (
        SettingChoice("after_mark", tr("After marking"), after_mark),
        SettingChoice("opened_is_read", tr("Mark opened messages as read"), reading),
        SettingChoice("tinted_words", tr("Highlighted words in a message"), words),
    )


def _window_choices() -> tuple[SettingChoice, ...]:
    system = ("system", tr("System default"))
    themes = (system, ("light", tr("Light")), ("dark", tr("Dark")))
    languages = (system, *LANGUAGES.items())
    keys = (("usual", tr("nbmail (J and K, ! for spam)")), ("thunderbird", tr("Thunderbird")))
    tray = (
        ("none", tr("Off")),
        ("icon", tr("Icon")),
        ("news", tr("Icon and notifications, except for spam")),
    )
    return (
        SettingChoice("theme", tr("Theme"), themes),
        SettingChoice("language", tr("Language"), languages),
        SettingChoice("keys", tr("Keyboard shortcuts"), keys),
        SettingChoice("tray", tr("System tray"), tray),
    )
