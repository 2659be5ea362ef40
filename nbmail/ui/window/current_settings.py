"""Settings in force, and the effects of a change; timers of the window, which end when it closes."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QAbstractAnimation, QObject, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QMainWindow

from nbmail.errors import ErrorCode
from nbmail.settings import Account, LearnMoves, Settings
from nbmail.ui.kit import layouts
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.events import Learned


class CurrentSettings(QObject):
    """Settings in force. A change is passed to engine and `save`. Signals: `changed()`, after more specific ones."""

    changed = Signal()
    theme_changed = Signal()
    accounts_changed = Signal()
    keys_changed = Signal()
    tray_changed = Signal()

    def __init__(self, settings: Settings, engine: Engine, save: Callable[[Settings], None], parent: QObject) -> None:
        super().__init__(parent)
        self.value = settings
        self._engine, self._save = engine, save

    def account(self, name: str) -> Account | None:
        return next((each for each in self.value.accounts if each.name == name), None)

    def change(self, settings: Settings) -> None:
        before, self.value = self.value, settings
        if settings.costs != before.costs:
            self._engine.set_cost(*settings.costs)
        if settings.move_mail != before.move_mail:
            self._engine.set_moving(settings.move_mail)
        now, known = ({account.name: account for account in each.accounts} for each in (settings, before))
        for name in [*now, *(known.keys() - now.keys())]:
            # An account that is new or removed is compared with one without choices.
            account, other = now.get(name, Account(name)), known.get(name, Account(name))
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
        """Return False for a missing keyring that was reported before, in this run or an earlier one."""
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
        self.change_accounts(tuple(account if each.name == account.name else each for each in self.value.accounts))


class WindowTimers(QObject):
    """Calls functions after signals, or periodically, until the window closes."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window, self._closed = window, False

    def call_after_pause(self, milliseconds: int, act: Callable[[], None], signal: SignalInstance) -> None:
        """Call `act` when the signal was silent for this time."""
        timer = layouts.single_shot_timer(self, milliseconds, act)
        # A closing window still emits signals of scrolling and layout.
        signal.connect(lambda *_: None if self._closed else timer.start())

    def call_at_most(self, milliseconds: int, act: Callable[[], None], *signals: SignalInstance) -> None:
        """Call `act` after a signal, at most once in this time."""
        timer = layouts.single_shot_timer(self, milliseconds, act)
        for signal in signals:
            signal.connect(lambda *_: None if self._closed or timer.isActive() else timer.start())

    def call_every(self, milliseconds: int, act: Callable[[], None]) -> None:
        timer = layouts.single_shot_timer(self, milliseconds, act)
        timer.setSingleShot(False)
        timer.start()

    def close(self) -> None:
        self._closed = True
        for timer in self._window.findChildren(QTimer):
            timer.stop()
        for animation in self._window.findChildren(QAbstractAnimation):
            animation.stop()
