"""Bar that shows learning from folders."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QProgressBar

from nbmail.settings import Account
from nbmail.ui.accounts.account_actions import AccountActions, training_folders
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.plain_labels import ElidedLabel
from nbmail.ui.notices.bars import Bar
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.values import AccountState, Phase

MIN_REPORTED = 20
"""Number of messages from which on a training is reported."""


class TrainingBar(Bar):
    """Bar that is visible while the engine learns a folder, or while that is paused."""

    def __init__(
        self, settings: CurrentSettings, actions: AccountActions, ended: Callable[[], None]
    ) -> None:
        """Create the bar, hidden.

        `ended`: called after a training from new folders, or of many messages.
        """
        super().__init__("ham")
        self._settings = settings
        self._actions = actions
        self._ended = ended
        self._shown = ""
        """Name of the account that the bar is about."""
        self._accounts = {account.name: account for account in settings.value.accounts}
        self._learning: dict[str, AccountState] = {}
        self._unreported = set[str]()
        """Accounts whose training is reported when it ends."""
        self.text = ElidedLabel()
        self.progress = QProgressBar(textVisible=False)
        self.progress.setFixedWidth(160)
        self.progress.setAccessibleName(tr("Training progress"))
        self.pause = quiet_button(tr("Pause"), self._toggle_pause)
        self.stop = quiet_button(tr("Stop learning"), self._stop)
        self.set_contents(self.text, self.progress, self.pause, self.stop)
        self.update_bar()

    def show_state(self, state: AccountState) -> None:
        is_learning = state.phase == Phase.WORKING and state.done < state.total
        if state.teaches and is_learning:
            self._learning[state.account] = state
        elif state.teaches or state.phase in (Phase.SYNCED, Phase.STOPPED):
            self._learning.pop(state.account, None)

        if state.teaches in ("spam", "ham") and state.total >= MIN_REPORTED:
            self._unreported.add(state.account)
        elif state.phase == Phase.SYNCED and state.account in self._unreported:
            self._unreported.remove(state.account)
            self._ended()
        self.update_bar()

    def update_bar(self) -> None:
        """Show the account that is learning, otherwise one that is paused, otherwise nothing."""
        self._update_accounts()
        paused = [name for name, account in self._accounts.items() if account.training_paused]
        learning = [
            name for name in self._learning if name in self._accounts and name not in paused
        ]
        self._shown = next(iter([*learning, *paused]), "")
        self.setVisible(bool(self._shown))
        self.progress.setVisible(bool(learning))
        self.pause.setText(tr("Pause") if learning else tr("Resume"))
        if learning:
            self._show_learning(self._learning[self._shown])
        elif paused:
            self._show_paused(self._accounts[self._shown])

    def _update_accounts(self) -> None:
        """Take the accounts that learn from folders. Report the training of new ones."""
        before = self._accounts
        self._accounts = {
            account.name: account
            for account in self._settings.value.accounts
            if training_folders(account) or account.suggested_folders
        }
        for name, account in self._accounts.items():
            known = training_folders(before[name]) if name in before else ()
            if set(training_folders(account)) - set(known):
                self._unreported.add(name)

    def _show_learning(self, state: AccountState) -> None:
        self.progress.setRange(0, state.total)
        self.progress.setValue(state.done)
        text = tr("Learning {folder} as not spam: {done} of {total}")
        if state.teaches == "folder":
            text = tr("Learning what belongs in {folder}: {done} of {total}")
        elif state.teaches == "spam":
            text = tr("Learning {folder} as spam: {done} of {total}")
        shown = text.format(
            folder=state.folder, done=format_count(state.done), total=format_count(state.total)
        )
        self.text.setText(shown)

    def _show_paused(self, account: Account) -> None:
        folders = ", ".join(training_folders(account)) or tr("suggested folders")
        text = tr("Learning from folders in {account} is paused: {folders}")
        self.text.setText(text.format(account=account.name, folders=folders))

    def _toggle_pause(self) -> None:
        account = self._accounts[self._shown]
        self._actions.pause_training(account, paused=not account.training_paused)

    def _stop(self) -> None:
        """End the training that is shown: of spam and good mail, or of the suggested folders."""
        account = self._accounts[self._shown]
        state = self._learning.get(self._shown)
        learns_suggested = state is not None and state.teaches == "folder"
        if training_folders(account) and not learns_suggested:
            self._actions.stop_training(account)
        else:
            self._actions.change(replace(account, suggested_folders=(), training_paused=False))
