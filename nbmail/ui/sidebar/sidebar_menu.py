"""Context menus of the sidebar."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from nbmail.settings import Account
from nbmail.ui.accounts.account_actions import AccountActions, training_folders
from nbmail.ui.dialogs import questions
from nbmail.ui.filing.folder_menu import FolderMenu
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.sidebar.list_names import kind_name
from nbmail.ui.sidebar.sidebar import Sidebar
from nbmail.ui.sidebar.sidebar_model import SidebarEntry
from nbmail.ui.texts.language import tr
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import FolderName


class SidebarMenu:
    """Creates and opens the context menu of an entry."""

    def __init__(
        self,
        context: WindowContext,
        sidebar: Sidebar,
        accounts: AccountActions,
        folder_menu: FolderMenu,
    ) -> None:
        self._sidebar = sidebar
        self._settings = context.settings
        self._accounts = accounts
        self._folder_actions = folder_menu

    def open(self, place: QPoint) -> None:
        index = self._sidebar.indexAt(place)
        if index.isValid():
            menu = self.make(self._sidebar.lines.entries[index.row()])
            if not menu.isEmpty():
                menu.popup(self._sidebar.viewport().mapToGlobal(place))

    def make(self, entry: SidebarEntry) -> QMenu:
        """Return the menu of an entry. It is empty for headings of groups."""
        menu = QMenu(self._sidebar)
        if entry.choice is None:
            if entry.account:
                self._fill_for_account(menu, entry.account)
        elif entry.choice.folder is None:
            self._fill_for_lists(menu)
        else:
            self._fill_for_folder(menu, entry.choice.folder)
        return menu

    def _fill_for_lists(self, menu: QMenu) -> None:
        """Let the user show or hide the list of first-time senders."""
        first = menu.addAction(kind_name(Kind.FIRST))
        first.setCheckable(True)
        first.setChecked(self._settings.value.first_senders)
        first.toggled.connect(self._show_first_senders)

    def _show_first_senders(self, on: bool) -> None:
        self._settings.change(replace(self._settings.value, first_senders=on))

    def _fill_for_folder(self, menu: QMenu, folder: FolderName) -> None:
        learn = self._accounts.marking.learn_folder
        for text, act in self._folder_actions.offered(folder):
            menu.addAction(text, act)
        menu.addSeparator()
        menu.addAction(tr("Learn all messages as spam"), partial(learn, folder, "spam"))
        menu.addAction(tr("Learn all messages as not spam"), partial(learn, folder, "ham"))

    def _fill_for_account(self, menu: QMenu, name: str) -> None:
        account = self._settings.account(name)
        actions = self._accounts
        known = account is not None
        menu.addAction(tr("Check for mail"), actions.check_mail)
        if account is not None and account.sign_in:
            menu.addAction(tr("Sign in again…"), partial(actions.sign_in, name))
        elif account is None or not account.path:
            password = menu.addAction(tr("Enter password…"), partial(actions.ask_password, name))
            password.setEnabled(known)
        settings = menu.addAction(tr("Account settings…"), partial(actions.ask_change, name))
        settings.setEnabled(known)
        if account is not None and training_folders(account):
            self._add_training(menu, account)
        menu.addSeparator()
        remove = menu.addAction(tr("Remove account…"), partial(self._ask_removal, name))
        remove.setEnabled(known)

    def _add_training(self, menu: QMenu, account: Account) -> None:
        actions = self._accounts
        paused = account.training_paused
        toggle = partial(actions.pause_training, account, paused=not paused)
        if paused:
            menu.addAction(tr("Resume learning from folders"), toggle)
        else:
            menu.addAction(tr("Pause learning from folders"), toggle)
        stop = partial(actions.stop_training, account)
        menu.addAction(tr("Stop learning from folders"), stop)

    def _ask_removal(self, name: str) -> None:
        remove = partial(self._accounts.remove, name)
        questions.ask_removal(self._sidebar.window(), name, remove)
