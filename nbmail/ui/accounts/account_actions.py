"""What the user can do with mailboxes: add, change, pause, remove them, and type their passwords."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from nbmail.settings import Account
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs import questions
from nbmail.ui.kit.language import tr
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import Banner, StatusLine
from nbmail.ui.window.services import Accounts, MailboxSearch, open_address
from nbmail.values import AccountState, FolderName

Take = Callable[[Account, str], None]
"""Takes an account and its password."""


class AccountActions:
    """Asks, keeps the answer in the settings and passes it on to the accounts' threads.

    `states` are those of the accounts, by name.
    """

    def __init__(
        self,
        parent: QWidget,
        settings: CurrentSettings,
        accounts: Accounts,
        searches: MailboxSearch,
        marking: MarkingActions,
        *,
        states: Mapping[str, AccountState],
        banner: Banner,
        status: StatusLine,
    ) -> None:
        self._parent, self._settings = parent, settings
        self._accounts, self._searches = accounts, searches
        self._marking, self._states, self._banner, self._status = marking, states, banner, status

    def ask_new(self) -> None:
        self._ask_new(local=False)

    def ask_local(self) -> None:
        self._ask_new(local=True)

    def _ask_new(self, *, local: bool) -> None:
        taken = {account.name for account in self._settings.value.accounts}
        self._open_dialog(self.add, taken=taken, local=local)

    def open_demo(self) -> None:
        """Show a made-up mailbox."""
        if self._searches.open_demo():
            self._status.say(tr("The demo opens in a window of its own."))
        else:
            text = tr("The demo needs a part that is not installed: pip install 'nbmail[demo]'")
            self._status.say(text)

    def ask_change(self, name: str) -> None:
        account = self._settings.account(name)
        if account is not None:
            self._open_dialog(self.change, before=account)

    def _open_dialog(
        self, take: Take, taken: Collection[str] = (), before: Account | None = None, *, local: bool = False
    ) -> None:
        AccountDialog(self._parent, self._searches, take, taken=taken, before=before, local=local).open()

    def ask_password(self, name: str) -> None:
        """Ask for an account's password."""
        state = self._states.get(name)
        page = state.page if state is not None else ""
        show_page = (lambda: open_address(page)) if page else None
        use = self._accounts.set_password
        questions.PasswordDialog(self._parent, name, lambda password: use(name, password), show_page).open()

    def ask_removal(self, name: str) -> None:
        questions.ask_removal(self._parent, name, lambda: self.remove(name))

    def add(self, account: Account, password: str) -> None:
        self._settings.change_accounts((*self._settings.value.accounts, account))
        self._accounts.add(account, password)

    def change(self, account: Account, password: str) -> None:
        """Give an account other settings; an empty password leaves the one that is known.

        What is there already of a folder named just now is learned at once; what is still to come, as it comes.
        """
        before = self._settings.account(account.name) or account
        if before == account and not password:
            return
        self._settings.change_account(account)
        self._banner.dismiss(account.name)
        self._accounts.change(account, password)
        for label, folders, known in (
            ("junk", account.junk_folders, before.junk_folders),
            ("good", account.good_folders, before.good_folders),
        ):
            for folder in folders:
                if folder not in known:
                    self._marking.learn_folder(FolderName(account.name, folder), label, only_unlabelled=True)

    def remove(self, name: str) -> None:
        self._settings.change_accounts(tuple(each for each in self._settings.value.accounts if each.name != name))
        self._accounts.remove(name)
        self._banner.dismiss(name)

    def pause_training(self, account: Account, *, paused: bool) -> None:
        """Pause an account's learning from folders, or go on, over the next start too."""
        self._settings.change_account(replace(account, training_paused=paused))
        self._accounts.pause_training(account.name, paused)

    def stop_training(self, account: Account) -> None:
        """Learn from these folders no more; what was learned stays and can be undone."""
        self.change(replace(account, junk_folders=(), good_folders=(), training_paused=False), "")
        self._status.say(tr("nbmail learns from no folder of {account} any more.").format(account=account.name))

    def check_mail(self) -> None:
        """Look for new mail in all accounts now."""
        self._accounts.check_mail()
        self._status.say(tr("Looking for new mail."))


def training_folders(account: Account) -> tuple[str, ...]:
    """Return the folders that an account learns from."""
    return tuple(dict.fromkeys((*account.junk_folders, *account.good_folders)))
