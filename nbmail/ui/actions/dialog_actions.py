"""Dialogs that need nothing of the window's contents."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from nbmail.ui.dialogs.key_map import KeyMapDialog
from nbmail.ui.dialogs.manual_window import ManualWindow
from nbmail.ui.dialogs.preferences import PreferencesDialog
from nbmail.ui.dialogs.questions import show_about
from nbmail.ui.window.window_context import WindowContext


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
