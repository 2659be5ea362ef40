"""Actions for accounts: add, change, remove, password, training folders."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from nbmail.settings import Account
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.accounts.sign_in.sign_in_dialog import SignInDialog
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.password_dialog import PasswordDialog
from nbmail.ui.texts.language import tr
from nbmail.ui.window.services import open_address
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import AccountState, FolderName, Phase
from nbmail.worker.protocol.events import FolderRenamed


class AccountActions:
    """Dialogs for accounts, whose results go to settings and connections.

    `states`: latest state by account name.
    """

    def __init__(
        self, context: WindowContext, marking: MarkingActions, states: Mapping[str, AccountState]
    ) -> None:
        self._parent = context.window
        self._engine = context.engine
        self._settings = context.settings
        self._accounts = context.accounts
        self._searches = context.searches
        self._desktop = context.desktop
        self._banner = context.banner
        self._status = context.status
        self.marking = marking
        self._states = states
        self._checked: set[str] = set()
        """Accounts that look for new mail because the user asked for it."""

    def ask_new(self, *, local: bool = False) -> None:
        taken = {account.name for account in self._settings.value.accounts}
        AccountDialog(self._parent, self._searches, self.add, taken=taken, local=local).open()

    def open_program(self, demo: bool) -> None:
        """Open the demo account, or the user's own mail, in a second process."""
        if self._desktop.open_program(demo=demo):
            text = tr("nbmail is opening in a new window.")
        else:
            text = tr("The demo isn't installed. Install it with: pip install 'nbmail[demo]'")
        self._status.report(text)

    def ask_change(self, name: str) -> None:
        account = self._settings.account(name)
        if account is not None:
            dialog = AccountDialog(self._parent, self._searches, self.change, before=account)
            self._engine.list_trusted_servers(name).then(dialog.show_learned)
            dialog.open()

    def ask_password(self, name: str) -> None:
        state = self._states.get(name)
        page = state.page if state is not None else ""
        show_page = (lambda: open_address(page)) if page else None
        use = self._accounts.set_password
        PasswordDialog(self._parent, name, lambda password: use(name, password), show_page).open()

    def sign_in(self, name: str) -> None:
        account = self._settings.account(name)
        if account is None:
            return
        text = tr("Signed in again. nbmail is connecting to {account}.")
        SignInDialog(
            self._parent,
            self._searches,
            account,
            done=partial(self._status.report, text.format(account=name)),
            change=partial(self.ask_change, name),
        ).open()

    def add(self, account: Account, password: str) -> None:
        self._settings.change_accounts((*self._settings.value.accounts, account))
        self._accounts.add(account, password)

    def change(self, account: Account, password: str = "") -> None:
        """Change an account's settings, and learn new training folders.

        An empty `password` keeps the stored one.
        """
        before = self._settings.account(account.name) or account
        if before == account and not password:
            return
        self._settings.change_account(account)
        self._banner.dismiss(account.name)
        self._accounts.change(account, password)
        for folder in account.spam_folders:
            if folder not in before.spam_folders:
                self._learn_folder(account, folder, "spam")
        for folder in account.ham_folders:
            if folder not in before.ham_folders:
                self._learn_folder(account, folder, "ham")

    def _learn_folder(self, account: Account, folder: str, label: str) -> None:
        name = FolderName(account.name, folder)
        self.marking.learn_folder(name, label, only_unlabelled=True)

    def rename_folder(self, event: FolderRenamed) -> None:
        """Follow the new name of a folder in the settings of its account."""
        account = self._settings.account(event.account)
        if account is not None:
            self.change(account.with_renamed_folder(event.old, event.new))

    def create_spam_folder(self, name: str) -> None:
        """Have the folder “Junk” created on the server of an account, and use it for spam."""
        account = self._settings.account(name)
        if account is not None:
            self.change(replace(account, spam_folder="Junk"))

    def remove(self, name: str) -> None:
        accounts = self._settings.value.accounts
        self._settings.change_accounts(tuple(each for each in accounts if each.name != name))
        self._accounts.remove(name)
        self._banner.dismiss(name)

    def pause_training(self, account: Account, *, paused: bool) -> None:
        """Pause or resume learning from the folders of an account. The state survives a restart."""
        self._settings.change_account(replace(account, training_paused=paused))
        self._accounts.pause_training(account.name, paused)

    def stop_training(self, account: Account) -> None:
        """Remove all training folders of an account. Their messages keep their labels."""
        self.change(replace(account, spam_folders=(), ham_folders=(), training_paused=False))
        text = tr("{account}: learning from folders has stopped.")
        self._status.report(text.format(account=account.name))

    def check_mail(self) -> None:
        names = {account.name for account in self._settings.value.accounts}
        self._checked = names & self._states.keys()
        self._status.report(tr("Checking for new mail…"), lasting=bool(self._checked))
        self._accounts.check_mail()

    def note_checked(self, state: AccountState) -> None:
        """Report the end of a check when all accounts have ended theirs."""
        if state.account not in self._checked or state.phase in (Phase.CONNECTING, Phase.WORKING):
            return
        self._checked.remove(state.account)
        if not self._checked:
            self._report_checked()

    def _report_checked(self) -> None:
        lost = []
        for account in self._settings.value.accounts:
            state = self._states.get(account.name)
            if state is not None and state.phase != Phase.SYNCED:
                lost.append(account.name)
        text = tr("Checked for new mail.")
        if lost:
            text = tr("Checked for new mail. Not reached: {accounts}")
            text = text.format(accounts=", ".join(lost))
        self._status.report(text)


def training_folders(account: Account) -> tuple[str, ...]:
    """Return the folders that an account learns as spam or as good mail, each once."""
    return tuple(dict.fromkeys((*account.spam_folders, *account.ham_folders)))
