"""Context menus of accounts and folders in the sidebar."""

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from nbmail.ui.accounts.account_actions import AccountActions, training_folders
from nbmail.ui.accounts.sidebar import Sidebar, SidebarEntry
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit.language import tr
from nbmail.ui.window.current_settings import CurrentSettings


class SidebarMenu:
    """Creates and opens the context menu of an entry."""

    def __init__(
        self, sidebar: Sidebar, settings: CurrentSettings, accounts: AccountActions, marking: MarkingActions
    ) -> None:
        self._sidebar, self._settings, self._accounts, self._marking = sidebar, settings, accounts, marking

    def open(self, place: QPoint) -> None:
        """Open the menu of the entry at this position, if it has one."""
        index = self._sidebar.indexAt(place)
        if index.isValid():
            menu = self.make(self._sidebar.lines.entries[index.row()])
            if not menu.isEmpty():
                menu.popup(self._sidebar.viewport().mapToGlobal(place))

    def make(self, entry: SidebarEntry) -> QMenu:
        """Return the menu of an entry. It is empty for smart lists."""
        menu = QMenu(self._sidebar)
        if entry.choice is None:
            self._fill_for_account(menu, entry.account)
        elif entry.choice.folder is not None:
            learn, folder = self._marking.learn_folder, entry.choice.folder
            menu.addAction(tr("Learn this folder as junk"), partial(learn, folder, "junk"))
            menu.addAction(tr("Learn this folder as good mail"), partial(learn, folder, "good"))
        return menu

    def _fill_for_account(self, menu: QMenu, name: str) -> None:
        account, actions = self._settings.account(name), self._accounts
        known = account is not None
        menu.addAction(tr("Check for mail"), actions.check_mail)
        if account is None or not account.path:
            menu.addAction(tr("Type password…"), partial(actions.ask_password, name)).setEnabled(known)
        menu.addAction(tr("Change this mailbox…"), partial(actions.ask_change, name)).setEnabled(known)
        if account is not None and training_folders(account):
            paused = account.training_paused
            text = tr("Go on learning from folders") if paused else tr("Pause learning from folders")
            menu.addAction(text, partial(actions.pause_training, account, paused=not paused))
            menu.addAction(tr("Stop learning from folders"), partial(actions.stop_training, account))
        menu.addSeparator()
        menu.addAction(tr("Remove this mailbox…"), partial(actions.ask_removal, name)).setEnabled(known)
