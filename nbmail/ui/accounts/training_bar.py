"""The first training in the window: which folder is being learned, how far it is, and how to pause or stop it."""

from collections.abc import Callable

from PySide6.QtWidgets import QProgressBar

from nbmail.settings import Account
from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.plain_text import ElidedLabel
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import Bar, quiet_button
from nbmail.values import AccountState, Phase

TELLING = 20
"""Messages from which on a training is worth a report."""


class TrainingBar(Bar):
    """One line while a folder teaches, or while that is paused. Has no signals of its own."""

    def __init__(self, settings: CurrentSettings, actions: AccountActions, over: Callable[[], None]) -> None:
        """`over` is called at the end of each training: of folders that were named, or of many messages."""
        super().__init__("good")
        self._settings, self._actions = settings, actions
        self._shown = ""
        self._accounts = {account.name: account for account in settings.value.accounts}
        self._teaching: dict[str, AccountState] = {}
        self._taught = set[str]()
        self._over = over
        self.words = ElidedLabel()
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(160)
        self.progress.setAccessibleName(tr("How much of the folder has been learned"))
        self.pause, self.stop = quiet_button(tr("Pause")), quiet_button(tr("Stop learning"))
        self.pause.clicked.connect(self._turn)
        self.stop.clicked.connect(self._stop)
        self.hold(self.words, self.progress, self.pause, self.stop)
        self.look()

    def show_state(self, state: AccountState) -> None:
        """An account is at something else, or further with the same."""
        if state.phase == Phase.WORKING and state.teaches and state.done < state.total:
            self._teaching[state.account] = state
        elif state.phase in (Phase.SYNCED, Phase.STOPPED) or state.teaches:
            self._teaching.pop(state.account, None)
        if state.teaches and state.total >= TELLING:
            self._taught.add(state.account)
        elif state.phase == Phase.SYNCED and state.account in self._taught:
            self._taught.remove(state.account)
            self._over()
        self.look()

    def look(self) -> None:
        """Show what teaches, else what is paused, else nothing."""
        before = self._accounts
        self._accounts = {account.name: account for account in self._settings.value.accounts if teachers(account)}
        for name, account in self._accounts.items():
            if set(teachers(account)) - set(teachers(before[name]) if name in before else ()):
                self._taught.add(name)
        paused = [name for name, account in self._accounts.items() if account.training_paused]
        teaching = [name for name in self._teaching if name in self._accounts and name not in paused]
        self._shown = next(iter([*teaching, *paused]), "")
        self.setVisible(bool(self._shown))
        self.progress.setVisible(bool(teaching))
        self.pause.setText(tr("Pause") if teaching else tr("Go on"))
        if teaching:
            state = self._teaching[self._shown]
            self.progress.setRange(0, state.total)
            self.progress.setValue(state.done)
            self.words.setText(_teaching_words(state))
        elif paused:
            text, folders = (
                tr("Learning from folders of {account} is paused: {folders}"),
                teachers(self._accounts[self._shown]),
            )
            self.words.setText(text.format(account=self._shown, folders=", ".join(folders)))

    def _turn(self) -> None:
        account = self._accounts[self._shown]
        self._actions.pause_training(account, paused=not account.training_paused)

    def _stop(self) -> None:
        self._actions.stop_training(self._accounts[self._shown])


def _teaching_words(state: AccountState) -> str:
    text = tr("Learning {folder} as junk: {done} of {total}")
    if state.teaches != "junk":
        text = tr("Learning {folder} as good mail: {done} of {total}")
    return text.format(folder=state.folder, done=format_count(state.done), total=format_count(state.total))


def teachers(account: Account) -> tuple[str, ...]:
    """The folders that an account learns from."""
    return tuple(dict.fromkeys((*account.junk_folders, *account.good_folders)))
