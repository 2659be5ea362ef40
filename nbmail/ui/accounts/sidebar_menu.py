"""What the right mouse button offers on an account or a folder."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from nbmail.ui.accounts.training_bar import pause_training, stop_training, teachers
from nbmail.ui.actions import user_actions
from nbmail.ui.actions.questions import ask_removal
from nbmail.ui.kit.language import tr

if TYPE_CHECKING:
    from nbmail.ui.accounts.sidebar import Entry
    from nbmail.ui.window.main_window import MainWindow


def open_sidebar_menu(window: MainWindow, place: QPoint) -> None:
    """Open the menu for the line under the mouse, if it has one."""
    index = window.sidebar.indexAt(place)
    if index.isValid():
        menu = sidebar_menu(window, window.sidebar_model.entries[index.row()])
        if not menu.isEmpty():
            menu.popup(window.sidebar.viewport().mapToGlobal(place))


def sidebar_menu(window: MainWindow, entry: Entry) -> QMenu:
    """The menu of one line: empty for the smart lists."""
    menu = QMenu(window)
    if entry.choice is None:
        known = entry.account in {account.name for account in window.settings.accounts}
        menu.addAction(tr("Check for mail"), partial(user_actions.check_mail, window))
        menu.addAction(tr("Type password…"), partial(window.ask_password, entry.account)).setEnabled(known)
        menu.addAction(
            tr("Change this mailbox…"), partial(user_actions.change_account, window, entry.account)
        ).setEnabled(known)
        _add_training(menu, window, entry.account)
        menu.addSeparator()
        menu.addAction(tr("Remove this mailbox…"), partial(ask_removal, window, entry.account)).setEnabled(known)
    elif entry.choice.folder is not None:
        folder = entry.choice.folder
        menu.addAction(tr("Learn this folder as junk"), partial(user_actions.learn_folder, window, folder, "junk"))
        menu.addAction(tr("Learn this folder as good mail"), partial(user_actions.learn_folder, window, folder, "good"))
    return menu


def _add_training(menu: QMenu, window: MainWindow, name: str) -> None:
    account = next((each for each in window.settings.accounts if each.name == name), None)
    if account is None or not teachers(account):
        return
    paused = account.training_paused
    words = tr("Go on learning from folders") if paused else tr("Pause learning from folders")
    menu.addAction(words, partial(pause_training, window, account, paused=not paused))
    menu.addAction(tr("Stop learning from folders"), partial(stop_training, window, account))
