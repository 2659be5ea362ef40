"""Actions of the window: texts, keys and icons; dialogs that don't need its contents."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from nbmail.ui.accounts.sidebar import kind_name
from nbmail.ui.dialogs.manual_window import ManualWindow
from nbmail.ui.dialogs.preferences import PreferencesDialog
from nbmail.ui.dialogs.questions import KeyMapDialog, show_about
from nbmail.ui.kit.phrases import key_text, tr
from nbmail.ui.kit.plain_text import plain_name
from nbmail.ui.kit.theme import make_icon
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.window.context import WindowContext
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import BETWEEN_KEYS

DRAWN = (
    *("spam", "ham", "clear", "archive", "delete", "move", "flag", "undo", "redo"),
    *("explain", "search", "triage", "export", "import", "account"),
)
ICONS = {**{name: name for name in DRAWN}, "sort": "refresh", "preferences": "settings"}
"""Names of icons by names of actions."""
ON_MESSAGES = (
    *("spam", "ham", "clear", "archive", "delete", "delete-permanently", "move", "flag"),
    *("open", "reply", "rule", "unsubscribe"),
)
"""Actions on messages. Their keys act only in the list and in the message."""
SUGGESTED = ("suggested-1", "suggested-2", "suggested-3")
"""Moves to the suggested folders of the open message."""
COLORED = ("spam", "ham")
"""Actions with an icon in the theme's color of the same name."""


class WindowAction(NamedTuple):
    """Texts and keys of an action. `thunderbird`: keys of the second key map, None if they are the
    same.
    """

    name: str
    text: str
    keys: tuple[str, ...] = ()
    hint: str = ""
    thunderbird: tuple[str, ...] | None = None


def _actions_on_messages() -> tuple[WindowAction, ...]:
    return (
        WindowAction("spam", tr("Spam"), ("!",), tr("Mark as spam"), ("J", "!")),
        WindowAction("ham", tr("Not spam"), ("N",), tr("Mark as not spam"), ("Shift+J",)),
        WindowAction("clear", tr("Clear mark"), ("U",), tr("Remove the spam or not-spam mark")),
        WindowAction("undo", tr("Undo"), ("Ctrl+Z",), tr("Undo the last change")),
        WindowAction(
            "redo", tr("Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), tr("Redo the last undone change")
        ),
        WindowAction("archive", tr("Archive"), ("A",), tr("Move to the archive")),
        WindowAction("delete", tr("Delete"), ("Del",), tr("Move to the trash")),
        WindowAction("delete-permanently", tr("Delete permanently…"), ("Shift+Del",)),
        WindowAction("move", tr("Move to…"), ("V", "0"), tr("Move to a folder")),
        WindowAction("suggested-1", tr("Move to first suggestion"), ("1",)),
        WindowAction("suggested-2", tr("Move to second suggestion"), ("2",)),
        WindowAction("suggested-3", tr("Move to third suggestion"), ("3",)),
        WindowAction(
            "file-sure",
            tr("File all above 95 %…"),
            (),
            tr("List the messages whose folder is nearly sure"),
        ),
        WindowAction("open", tr("Open in mail program"), ("O",)),
        WindowAction("reply", tr("Reply in mail program"), ("R",)),
        WindowAction("rule", tr("Rule for this sender…"), ("Shift+R",)),
        WindowAction("rules", tr("Rules for senders…")),
        WindowAction("unsubscribe", tr("Unsubscribe…"), ("Shift+U",)),
        WindowAction("flag", tr("Flag"), ("S",), tr("Flag, or remove the flag")),
    )


def _other_actions() -> tuple[WindowAction, ...]:
    return (
        WindowAction("next", tr("Next message"), ("J",), thunderbird=("F",)),
        WindowAction("previous", tr("Previous message"), ("K",), thunderbird=("B",)),
        WindowAction("all", tr("Select all"), ("Ctrl+A",)),
        WindowAction(
            "explain",
            tr("Show all reasons"),
            ("E",),
            tr("Show all reasons, or go back to the list"),
        ),
        WindowAction("search", tr("Search"), ("/", "Ctrl+F")),
        WindowAction("sort", tr("Sort again"), ("F5",)),
        *(WindowAction(list_action(kind), kind_name(kind), (f"Ctrl+{kind + 1}",)) for kind in Kind),
        WindowAction(
            "triage", tr("Review unsure messages"), ("T",), tr("Mark unsure messages one at a time")
        ),
        WindowAction("read", tr("Mark as read or unread"), ("M",), tr("Mark as read or unread")),
        WindowAction("source", tr("View headers and source"), ("Ctrl+U",)),
        WindowAction(
            "plain",
            tr("Plain text"),
            ("Ctrl+Shift+P",),
            tr("Show the message as plain text, or formatted"),
        ),
        WindowAction("print", tr("Print…"), ("Ctrl+P",)),
        WindowAction(
            "in-folder",
            tr("Show in folder"),
            (),
            tr("Show the message among the others of its folder"),
        ),
        WindowAction(
            "tints",
            tr("Switch word highlighting"),
            (),
            tr("Highlight the words that decided, or stop it"),
        ),
        WindowAction("beside", tr("Switch message pane layout"), ("F8",)),
        WindowAction("export", tr("Export model…"), ("Ctrl+E",), tr("Save the model to a file")),
        WindowAction("export-redacted", tr("Export redacted model…")),
        WindowAction(
            "import",
            tr("Import model…"),
            ("Ctrl+I",),
            tr("Import training from nbmail or another filter"),
        ),
        WindowAction("drop-imports", tr("Remove all imports")),
        WindowAction("relearn", tr("Rebuild model…")),
        WindowAction("history", tr("Training and accuracy"), ("Ctrl+H",)),
        WindowAction(
            "sorting", tr("Sorting…"), ("Ctrl+T",), tr("Let nbmail move spam out of the inbox")
        ),
        WindowAction("account", tr("Add account…")),
        WindowAction("check", tr("Check for mail"), ("F9",)),
        WindowAction("preferences", tr("Preferences…"), ("Ctrl+,",)),
        WindowAction("keys", tr("Keyboard shortcuts"), ("?", "F1")),
        WindowAction("manual", tr("Manual")),
        WindowAction("about", tr("About nbmail")),
        WindowAction("quit", tr("Quit"), ("Ctrl+Q",)),
    )


def list_action(kind: Kind) -> str:
    return f"list-{kind.name.lower()}"


class ActionTable:
    """Qt's actions by name. `show_hint` is called with the most useful keys whenever the key map
    changes.
    """

    def __init__(
        self, settings: CurrentSettings, parent: QWidget, show_hint: Callable[[str], None]
    ) -> None:
        self._entries = (*_actions_on_messages(), *_other_actions())
        self._settings = settings
        self._show_hint = show_hint
        self.by_name = {entry.name: QAction(entry.text, parent) for entry in self._entries}
        for name, action in self.by_name.items():
            action.setObjectName(name)
            # The name of undo and redo in the list of keys: their texts change.
            action.setIconText(action.text())
            parent.addAction(action)
        settings.keys_changed.connect(self._set_keys)
        self._set_keys()

    def connect(self, handlers: Mapping[str, Callable[[], object]]) -> None:
        """Call a handler when its action is triggered. `handlers`: one for each action, by name."""
        assert handlers.keys() == self.by_name.keys(), handlers.keys() ^ self.by_name.keys()
        for name, handler in handlers.items():
            # Qt passes the state of checkable actions.
            self.by_name[name].triggered.connect(lambda _=False, handler=handler: handler())

    def _set_keys(self) -> None:
        for entry in self._entries:
            action = self.by_name[entry.name]
            keys = entry.keys
            if self._settings.value.keys == "thunderbird" and entry.thunderbird is not None:
                keys = entry.thunderbird
            text = entry.hint or entry.text.rstrip("…")
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.setToolTip(f"{text} ({key_text(keys[0])})" if keys else text)
        hints = {
            "next": tr("next"),
            "previous": tr("previous"),
            "spam": tr("spam"),
            "ham": tr("not spam"),
        }
        hints |= {
            "undo": tr("undo"),
            "explain": tr("reasons"),
            "search": tr("search"),
            "keys": tr("all shortcuts"),
        }
        native = QKeySequence.SequenceFormat.NativeText
        shown = (
            f"{self.by_name[name].shortcut().toString(native)} {text}"
            for name, text in hints.items()
        )
        self._show_hint(BETWEEN_KEYS.join(shown))

    def draw_icons(self) -> None:
        for name, icon in ICONS.items():
            self.by_name[name].setIcon(make_icon(icon, name if name in COLORED else "text"))

    def offer_marks(self, offered: bool) -> None:
        for name in ON_MESSAGES:
            self.by_name[name].setEnabled(offered)

    def limit_keys(self, *places: QWidget) -> None:
        """Let the keys of actions on messages act only in these places."""
        for name in (*ON_MESSAGES, *SUGGESTED):
            action = self.by_name[name]
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            for place in places:
                place.window().removeAction(action)
                place.addAction(action)

    def offer_steps(
        self, *, undo: bool, redo: bool = False, undo_text: str = "", redo_text: str = ""
    ) -> None:
        """Enable undo and redo. `undo_text`, `redo_text`: texts in the menus, empty for the general
        ones.
        """
        for name, offered, text in (("undo", undo, undo_text), ("redo", redo, redo_text)):
            self.by_name[name].setEnabled(offered)
            self.by_name[name].setText(plain_name(text) or self.by_name[name].iconText())


class DialogActions:
    """Opens preferences, key map, manual and version over the window."""

    def __init__(self, context: WindowContext) -> None:
        self._parent = context.window
        self.show_preferences = lambda: PreferencesDialog(context).open()

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "preferences": self.show_preferences,
            "keys": self._show_keys,
            "manual": lambda: ManualWindow(self._parent).show(),
            "about": lambda: show_about(self._parent),
        }

    def _show_keys(self) -> None:
        actions = self._parent.findChildren(
            QAction, options=Qt.FindChildOption.FindDirectChildrenOnly
        )
        KeyMapDialog(self._parent, [each for each in actions if each.objectName()]).open()
