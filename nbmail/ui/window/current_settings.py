"""Settings in force, and the effects of a change."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from nbmail.errors import ErrorCode
from nbmail.settings import Account, LearnMoves, Settings
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.events import Learned


class CurrentSettings(QObject):
    """Settings in force. A change is passed to engine and `save`. Signals: `changed()`, after more
    specific ones.
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
        now, known = (
            {account.name: account for account in each.accounts} for each in (settings, before)
        )
        for name in [*now, *(known.keys() - now.keys())]:
            # An account that is new or removed is compared with one without choices.
            account = now.get(name, Account(name))
            other = known.get(name, Account(name))
            if name in now and account.sorting_choice != other.sorting_choice:
                self._engine.set_sorting(account)
            if account.suggested_folders != other.suggested_folders:
                self._engine.choose_folders(name, account.suggested_folders)
        self._save(settings)
        for name in ("theme", "keys", "tray", "accounts"):
            if getattr(settings, name) != getattr(before, name):
                getattr(self, f"{name}_changed").emit()
        self.changed.emit()

    def is_news(self, error_code: str | None) -> bool:
        """Return False for a missing keyring that was reported before, in this run or an earlier
        one.
        """
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
        self.change_accounts(
            tuple(account if each.name == account.name else each for each in self.value.accounts)
        )
