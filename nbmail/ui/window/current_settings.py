"""The settings in force, and what follows from a change of them."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from nbmail.settings import Account, Settings
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.worker.protocol import SetCost, SetMoving


class CurrentSettings(QObject):
    """Holds the settings; a change is told to the engine and handed to `keep` for the next start.

    Signals: `theme_changed()`, `accounts_changed()`, `keys_changed()` and `tray_changed()`, once the new settings are
    in force.
    """

    theme_changed = Signal()
    accounts_changed = Signal()
    keys_changed = Signal()
    tray_changed = Signal()

    def __init__(
        self, settings: Settings, requests: EngineRequests, keep: Callable[[Settings], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.value = settings
        self._requests, self._keep = requests, keep

    def account(self, name: str) -> Account | None:
        return next((each for each in self.value.accounts if each.name == name), None)

    def change(self, settings: Settings) -> None:
        """Take these over, now and for the next start."""
        before, self.value = self.value, settings
        if settings.junk_seen_per_lost != before.junk_seen_per_lost:
            self._requests.ask(SetCost(settings.junk_seen_per_lost))
        if settings.move_mail != before.move_mail:
            self._requests.ask(SetMoving(settings.move_mail))
        self._keep(settings)
        for name in ("theme", "keys", "tray", "accounts"):
            if getattr(settings, name) != getattr(before, name):
                getattr(self, f"{name}_changed").emit()

    def change_accounts(self, accounts: tuple[Account, ...]) -> None:
        self.change(replace(self.value, accounts=accounts))

    def change_account(self, account: Account) -> None:
        """Put this account in the place of the one of the same name."""
        self.change_accounts(tuple(account if each.name == account.name else each for each in self.value.accounts))
