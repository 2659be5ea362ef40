"""Opens the window about what was learned; its parts are imported only then."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow


def show_history(window: MainWindow) -> None:
    """Show the marks, the doubtful ones, and how one sender fared. There is one such window; it comes to the front."""
    from nbmail.ui.past.past_window import HistoryDialog

    dialog = window.findChild(HistoryDialog) or HistoryDialog(window)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
