"""The actions of the window: their words, keys and icons, and which method each one calls."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from nbmail.ui.accounts.sidebar import kind_name
from nbmail.ui.kit.icons import make_icon
from nbmail.ui.kit.language import key_text, tr
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import BETWEEN_KEYS

DRAWN = ("junk", "good", "clear", "undo", "redo", "explain", "search", "triage", "export", "import", "account")
ICONS = {**{name: name for name in DRAWN}, "sort": "refresh", "preferences": "settings"}
"""Which icon each of the actions that have one has."""
COLOURED = ("junk", "good")
"""Icons in the theme's colour of that name."""


@dataclass(frozen=True, slots=True)
class WindowAction:
    """An action before Qt makes it. `keys` are those of the usual key map, `thunderbird` of the other one.

    `method` names what it calls, from the window's parts on; it is looked for when the action is triggered, so a part
    may be made later, or put in the place of another.
    """

    name: str
    text: str
    method: str
    keys: tuple[str, ...] = ()
    hint: str = ""
    thunderbird: tuple[str, ...] | None = None
    given: tuple[Any, ...] = ()


def window_actions() -> tuple[WindowAction, ...]:
    """All of them, in the order of the key map."""
    return (*_marks(), *_moves(), *_model(), *_program())


def _marks() -> tuple[WindowAction, ...]:
    return (
        WindowAction("junk", tr("Junk"), "marking.mark_junk", ("!",), tr("Teach that this is junk"), ("J", "!")),
        WindowAction("good", tr("Not junk"), "marking.mark_good", ("N",), tr("Teach that this is good"), ("Shift+J",)),
        WindowAction("clear", tr("Clear mark"), "marking.clear_mark", ("U",), tr("Forget what I said about this")),
        WindowAction("undo", tr("Undo"), "undoing.undo", ("Ctrl+Z",), tr("Take the last mark back")),
        WindowAction("redo", tr("Redo"), "undoing.redo", ("Ctrl+Shift+Z", "Ctrl+Y"), tr("Mark it again")),
    )


def _moves() -> tuple[WindowAction, ...]:
    step = "marking.target.step"
    one_by_one, all_or_list = tr("One message after the other, two keys"), tr("Show all that decided, or the list")
    turned = tr("Mark as unread what is read, and as read what isn't")
    lists = (
        WindowAction(f"list-{kind.name.lower()}", kind_name(kind), "updates.show_choice", (key,), given=(Choice(kind),))
        for kind, key in zip(Kind, (f"Ctrl+{number}" for number in range(1, 10)), strict=False)
    )
    return (
        WindowAction("next", tr("Next message"), step, ("J",), thunderbird=("F",), given=(1,)),
        WindowAction("previous", tr("Previous message"), step, ("K",), thunderbird=("B",), given=(-1,)),
        WindowAction("all", tr("Select all"), "table.select_all", ("Ctrl+A",)),
        WindowAction("explain", tr("Why?"), "evidence.expand.click", ("E",), all_or_list),
        WindowAction("search", tr("Search"), "look_for_words", ("/", "Ctrl+F")),
        WindowAction("sort", tr("Sort again"), "updates.sort_again", ("F5",)),
        *lists,
        WindowAction("triage", tr("Decide one by one"), "triage.begin", ("T",), one_by_one),
        WindowAction("read", tr("Read or unread"), "reading.toggle_read", ("M",), turned),
        WindowAction("source", tr("Headers and source…"), "reading.show_source", ("Ctrl+U",)),
        WindowAction("beside", tr("Message beside the list, or below"), "panes.turn_beside", ("F8",)),
    )


def _model() -> tuple[WindowAction, ...]:
    come, save = tr("Add what was learned elsewhere"), tr("Save what was learned")
    return (
        WindowAction("export", tr("Export model…"), "model_files.export_model", ("Ctrl+E",), save),
        WindowAction("export-redacted", tr("Export a model to give away…"), "model_files.export_redacted"),
        WindowAction("import", tr("Import model…"), "model_files.import_model", ("Ctrl+I",), come),
        WindowAction("drop-imports", tr("Take out what was imported"), "model_files.drop_imports"),
        WindowAction("relearn", tr("Learn everything anew…"), "model_files.relearn"),
        WindowAction("history", tr("What nbmail has learned…"), "show_model", ("Ctrl+H",)),
    )


def _program() -> tuple[WindowAction, ...]:
    return (
        WindowAction("account", tr("Add a mailbox…"), "accounts.ask_new"),
        WindowAction("check", tr("Check for mail"), "accounts.check_mail", ("F9",)),
        WindowAction("preferences", tr("Preferences…"), "dialogs.show_preferences", ("Ctrl+,",)),
        WindowAction("keys", tr("Keys"), "dialogs.show_keys", ("?", "F1")),
        WindowAction("about", tr("About nbmail"), "dialogs.show_about"),
        WindowAction("quit", tr("Quit"), "window.close", ("Ctrl+Q",)),
    )


class ActionTable:
    """Qt's actions for these, by name. Each is one of the parent's, and calls a method of the `parts`.

    `show_hint` is told the keys worth knowing.
    """

    def __init__(
        self, parts: QObject, settings: CurrentSettings, parent: QWidget, show_hint: Callable[[str], None]
    ) -> None:
        self._entries, self._settings, self._show_hint = window_actions(), settings, show_hint
        self.by_name = {entry.name: _make(entry, parts, parent) for entry in self._entries}
        settings.keys_changed.connect(self._take_keys)
        self._take_keys()

    def _take_keys(self) -> None:
        """Give each action the keys of the map that is chosen."""
        for entry in self._entries:
            action, keys = self.by_name[entry.name], entry.keys
            if self._settings.value.keys == "thunderbird" and entry.thunderbird is not None:
                keys = entry.thunderbird
            words = entry.hint or entry.text.rstrip("…")
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.setToolTip(f"{words} ({key_text(keys[0])})" if keys else words)
        self._show_hint(self.hint())

    def draw_icons(self) -> None:
        for name, icon in ICONS.items():
            self.by_name[name].setIcon(make_icon(icon, name if name in COLOURED else "text"))

    def offer_marks(self, offered: bool) -> None:
        for name in ("junk", "good", "clear"):
            self.by_name[name].setEnabled(offered)

    def offer_undo(self) -> None:
        self.by_name["undo"].setEnabled(True)

    def offer_steps(self, *, undo: bool, redo: bool) -> None:
        self.by_name["undo"].setEnabled(undo)
        self.by_name["redo"].setEnabled(redo)

    def hint(self) -> str:
        """The keys worth knowing, in one line."""
        names = (("next", tr("next")), ("previous", tr("back")), ("junk", tr("junk")), ("good", tr("not junk")))
        more = (("undo", tr("undo")), ("explain", tr("why")), ("search", tr("search")), ("keys", tr("all keys")))
        native = QKeySequence.SequenceFormat.NativeText
        keys = {name: self.by_name[name].shortcut().toString(native) for name, _ in (*names, *more)}
        return BETWEEN_KEYS.join(f"{keys[name]} {words}" for name, words in (*names, *more))


def _make(entry: WindowAction, parts: QObject, parent: QWidget) -> QAction:
    action = QAction(entry.text, parent)
    action.setObjectName(entry.name)
    action.triggered.connect(lambda _=False: attrgetter(entry.method)(parts)(*entry.given))
    parent.addAction(action)
    return action
