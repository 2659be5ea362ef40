"""Qt's actions of the window, by name."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from nbmail.ui.actions.window_actions import window_actions
from nbmail.ui.kit.drawing import make_icon
from nbmail.ui.notices.status_line import BETWEEN_KEYS
from nbmail.ui.texts.language import key_text, tr
from nbmail.ui.texts.plain_text import plain_name
from nbmail.ui.window.current_settings import CurrentSettings

DRAWN = (
    *("spam", "ham", "clear", "archive", "delete", "move", "flag", "undo", "redo"),
    *("explain", "search", "triage", "export", "import", "account"),
)
ICONS = {name: name for name in DRAWN} | {"sort": "refresh", "preferences": "settings"}
"""Names of icons by names of actions."""
ON_MESSAGES = (
    "spam",
    "ham",
    "clear",
    "archive",
    "delete",
    "delete-permanently",
    "move",
    "flag",
    "open",
    "reply",
    "rule",
    "unsubscribe",
)
"""Actions on messages. Their keys act only in the list and in the message."""
SUGGESTED = ("suggested-1", "suggested-2", "suggested-3")
"""Moves to the suggested folders of the open message."""
COLORED = ("spam", "ham")
"""Actions with an icon in the theme's color of the same name."""


class ActionTable:
    """Qt's actions by name.

    `show_hint`: called with the most useful keys whenever the key map changes.
    """

    def __init__(
        self, settings: CurrentSettings, parent: QWidget, show_hint: Callable[[str], None]
    ) -> None:
        self._entries = window_actions()
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
        """Use the keys of the key map in the settings."""
        as_thunderbird = self._settings.value.keys == "thunderbird"
        for entry in self._entries:
            action = self.by_name[entry.name]
            keys = entry.keys
            if as_thunderbird and entry.thunderbird is not None:
                keys = entry.thunderbird
            tip = entry.hint or entry.text.rstrip("…")
            if keys:
                tip = f"{tip} ({key_text(keys[0])})"
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.setToolTip(tip)
        self._show_hint(self._hint())

    def _hint(self) -> str:
        """Return the most useful keys."""
        names = {
            "next": tr("next"),
            "previous": tr("previous"),
            "spam": tr("spam"),
            "ham": tr("not spam"),
            "undo": tr("undo"),
            "explain": tr("reasons"),
            "search": tr("search"),
            "keys": tr("all shortcuts"),
        }
        native = QKeySequence.SequenceFormat.NativeText
        hints = []
        for action, name in names.items():
            key = self.by_name[action].shortcut().toString(native)
            hints.append(f"{key} {name}")
        return BETWEEN_KEYS.join(hints)

    def draw_icons(self) -> None:
        for name, icon in ICONS.items():
            color = name if name in COLORED else "text"
            self.by_name[name].setIcon(make_icon(icon, color))

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

    def offer_undo(self, offered: bool, text: str = "") -> None:
        """Enable undo. `text`: in the menu, empty for the general one."""
        self._offer_step(self.by_name["undo"], offered, text)

    def offer_redo(self, offered: bool, text: str = "") -> None:
        """Enable redo. `text`: in the menu, empty for the general one."""
        self._offer_step(self.by_name["redo"], offered, text)

    def offer_only_undo(self) -> None:
        """Enable undo after a new change, which can't be redone."""
        self.offer_undo(True)
        self.offer_redo(False)

    def _offer_step(self, action: QAction, offered: bool, text: str) -> None:
        action.setEnabled(offered)
        action.setText(plain_name(text) or action.iconText())
