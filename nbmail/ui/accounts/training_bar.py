"""The first training in the window: which folder is being learned, how far it is, and how to pause or stop it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QWidget

from nbmail.settings import Account
from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import grouped, tr
from nbmail.ui.kit.short_label import ShortLabel
from nbmail.ui.kit.theme import Shades
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import quiet_button
from nbmail.values import AccountState, Phase


class TrainingBar(QWidget):
    """One line while a folder teaches, or while that is paused. Has no signals of its own."""

    def __init__(self, settings: CurrentSettings, actions: AccountActions, shades: Shades) -> None:
        super().__init__()
        self.setObjectName("training")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._settings, self._actions = settings, actions
        self._account = ""
        self._teaching: dict[str, AccountState] = {}
        self.words = ShortLabel()
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(160)
        self.progress.setAccessibleName(tr("How much of the folder has been learned"))
        self.pause, self.stop = quiet_button(tr("Pause")), quiet_button(tr("Stop learning"))
        self.pause.clicked.connect(self._turn)
        self.stop.clicked.connect(self._stop)
        parts = ((self.words, 1), self.progress, self.pause, self.stop)
        self.setLayout(layouts.row(*parts, spacing=12, margins=(14, 6, 10, 6)))
        self.wear(shades)
        self.look()

    def wear(self, shades: Shades) -> None:
        """Take on a theme."""
        self.setStyleSheet(f"#training {{ background: {shades.good_soft}; border-bottom: 1px solid {shades.line}; }}")

    def show_state(self, state: AccountState) -> None:
        """An account is at something else, or further with the same."""
        if state.phase == Phase.WORKING and state.teaches and state.done < state.total:
            self._teaching[state.account] = state
        elif state.phase in (Phase.IN_STEP, Phase.STOPPED) or state.teaches:
            self._teaching.pop(state.account, None)
        self.look()

    def look(self) -> None:
        """Show what teaches, else what is paused, else nothing."""
        accounts = {account.name: account for account in self._settings.value.accounts if teachers(account)}
        paused = [name for name, account in accounts.items() if account.training_paused]
        teaching = [name for name in self._teaching if name in accounts and name not in paused]
        self._account = next(iter([*teaching, *paused]), "")
        self.setVisible(bool(self._account))
        if not self._account:
            return
        going = bool(teaching)
        self.words.setText(self._going_words() if going else self._paused_words(accounts[self._account]))
        self.pause.setText(tr("Pause") if going else tr("Go on"))
        self.progress.setVisible(going)

    def _going_words(self) -> str:
        state = self._teaching[self._account]
        self.progress.setRange(0, state.total)
        self.progress.setValue(state.done)
        text = tr("Learning {folder} as junk: {done} of {total}")
        if state.teaches != "junk":
            text = tr("Learning {folder} as good mail: {done} of {total}")
        return text.format(folder=state.folder, done=grouped(state.done), total=grouped(state.total))

    def _paused_words(self, account: Account) -> str:
        folders = ", ".join(teachers(account))
        return tr("Learning from folders of {account} is paused: {folders}").format(
            account=account.name, folders=folders
        )

    def _turn(self) -> None:
        account = self._settings.account(self._account)
        if account is not None:
            self._actions.pause_training(account, paused=not account.training_paused)

    def _stop(self) -> None:
        account = self._settings.account(self._account)
        if account is not None:
            self._actions.stop_training(account)


def teachers(account: Account) -> tuple[str, ...]:
    """The folders that an account learns from."""
    return tuple(dict.fromkeys((*account.junk_folders, *account.good_folders)))
