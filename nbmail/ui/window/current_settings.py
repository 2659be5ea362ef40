"""Settings in force, applied to the window when they change."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from nbmail.errors import ErrorCode
from nbmail.settings import Account, LearnMoves, Settings
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.events import Learned


class CurrentSettings(QObject):
    """Settings in force. A change is passed to the engine and to `save`.

    Signals: `changed()`, after more specific ones.
    """

    changed = Signal()
    theme_changed = Signal()
    accounts_changed = Signal()
    keys_changed = Signal()
    tray_changed = Signal()

    def __init__(
        self, settings: Settings, engine: Engine, save: Callable[[Settings], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.value = settings
        self._engine = engine
        self._save = save

    def account(self, name: str) -> Account | None:
        return next((each for each in self.value.accounts if each.name == name), None)

    def change(self, settings: Settings) -> None:
        before = self.value
        self.value = settings
        if settings.costs != before.costs:
            self._engine.set_cost(*settings.costs)
        if settings.move_mail != before.move_mail:
            self._engine.set_moving(settings.move_mail)
        self._apply_accounts(before, settings)
        self._save(settings)

        if settings.theme != before.theme:
            self.theme_changed.emit()
        if settings.keys != before.keys:
            self.keys_changed.emit()
        if settings.tray != before.tray:
            self.tray_changed.emit()
        if settings.accounts != before.accounts:
            self.accounts_changed.emit()
        self.changed.emit()

    def _apply_accounts(self, before: Settings, after: Settings) -> None:
        """Pass changed choices of accounts to the engine."""
        known = {account.name: account for account in before.accounts}
        now = {account.name: account for account in after.accounts}
        for name in now | known:
            # An account that is new or removed is compared with one without choices.
            account = now.get(name, Account(name))
            other = known.get(name, Account(name))
            if name in now and account.sorting_choice != other.sorting_choice:
                self._engine.set_sorting(account)
            if account.suggested_folders != other.suggested_folders:
                self._engine.choose_folders(name, account.suggested_folders)

    def is_news(self, error_code: str | None) -> bool:
        """Return False for a missing keyring that was reported before, in any run."""
        if error_code != ErrorCode.NO_KEYRING:
            return True
        noted = self.value.keyring_noted
        if not noted:
            self.change(replace(self.value, keyring_noted=True))
        return not noted

    def follow(self, learned: Learned) -> None:
        """Save the method and the costs that the engine uses, also after an undo."""
        followed = replace(self.value, method=learned.method or self.value.method)
        followed = followed.with_costs(learned.costs or followed.costs)
        if followed != self.value:
            self.value = followed
            self._save(followed)

    def change_accounts(self, accounts: tuple[Account, ...]) -> None:
        self.change(replace(self.value, accounts=accounts))

    def learn_moves(self, name: str, choice: LearnMoves) -> None:
        account = self.account(name)
        if account is not None:
            self.change_account(replace(account, learn_moves=choice))

    def change_account(self, account: Account) -> None:
        accounts = (account if each.name == account.name else each for each in self.value.accounts)
        self.change_accounts(tuple(accounts))
