"""Account states in the window: the reason for a required action, and a button; bars of learning
from folders.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar

from nbmail.core.evaluation.proportion import Proportion
from nbmail.errors import ErrorCode
from nbmail.ui.accounts.account_actions import AccountActions, training_folders
from nbmail.ui.accounts.sidebar import JUNK_FOLDER, Sidebar, state_text
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.labels import ElidedLabel, wrapping_label
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.model.accuracy_page import show_mistakes
from nbmail.ui.model.model_texts import headline_text
from nbmail.ui.notices.banner import Remedy
from nbmail.ui.notices.bars import Bar
from nbmail.ui.texts.error_texts import Notice, error_notice
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.window.context import WindowContext
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.values import AccountState, Phase
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.quality import TrainingReport

MIN_REPORTED = 20
"""Number of messages from which on a training is reported."""
ENOUGH = 50
"""Number of marks of each kind from which on reviewing unsure messages helps most."""
RELOAD_MILLISECONDS = 1000
"""Pause after a change of the list before the shown accuracy is requested again."""


class TrainingBar(Bar):
    """Bar that is visible while the engine learns a folder, or while that is paused."""

    def __init__(
        self, settings: CurrentSettings, actions: AccountActions, ended: Callable[[], None]
    ) -> None:
        """Create the bar, hidden. `ended`: called after a training from new folders, or of many
        messages.
        """
        super().__init__("ham")
        self._settings = settings
        self._actions = actions
        self._ended = ended
        self._shown = ""
        self._accounts = {account.name: account for account in settings.value.accounts}
        self._learning: dict[str, AccountState] = {}
        self._unreported = set[str]()
        self.text = ElidedLabel()
        self.progress = QProgressBar(textVisible=False)
        self.progress.setFixedWidth(160)
        self.progress.setAccessibleName(tr("Training progress"))
        self.pause = quiet_button(tr("Pause"), self._toggle_pause)
        self.stop = quiet_button(tr("Stop learning"), self._stop)
        self.set_contents(self.text, self.progress, self.pause, self.stop)
        self.update_bar()

    def show_state(self, state: AccountState) -> None:
        if state.phase == Phase.WORKING and state.teaches and state.done < state.total:
            self._learning[state.account] = state
        elif state.phase in (Phase.SYNCED, Phase.STOPPED) or state.teaches:
            self._learning.pop(state.account, None)
        if state.teaches in ("spam", "ham") and state.total >= MIN_REPORTED:
            self._unreported.add(state.account)
        elif state.phase == Phase.SYNCED and state.account in self._unreported:
            self._unreported.remove(state.account)
            self._ended()
        self.update_bar()

    def update_bar(self) -> None:
        """Show the account that is learning, otherwise one that is paused, otherwise nothing."""
        before = self._accounts
        accounts = self._settings.value.accounts
        self._accounts = {
            each.name: each for each in accounts if training_folders(each) or each.suggested_folders
        }
        for name, account in self._accounts.items():
            if set(training_folders(account)) - set(
                training_folders(before[name]) if name in before else ()
            ):
                self._unreported.add(name)
        paused = [name for name, account in self._accounts.items() if account.training_paused]
        learning = [
            name for name in self._learning if name in self._accounts and name not in paused
        ]
        self._shown = next(iter([*learning, *paused]), "")
        self.setVisible(bool(self._shown))
        self.progress.setVisible(bool(learning))
        self.pause.setText(tr("Pause") if learning else tr("Resume"))
        if learning:
            state = self._learning[self._shown]
            self.progress.setRange(0, state.total)
            self.progress.setValue(state.done)
            text = {
                "folder": tr("Learning what belongs in {folder}: {done} of {total}"),
                "spam": tr("Learning {folder} as spam: {done} of {total}"),
            }.get(state.teaches, tr("Learning {folder} as not spam: {done} of {total}"))
            counts = {"done": format_count(state.done), "total": format_count(state.total)}
            self.text.setText(text.format(folder=state.folder, **counts))
        elif paused:
            folders = ", ".join(training_folders(self._accounts[self._shown])) or tr(
                "suggested folders"
            )
            text = tr("Learning from folders in {account} is paused: {folders}")
            self.text.setText(text.format(account=self._shown, folders=folders))

    def _toggle_pause(self) -> None:
        account = self._accounts[self._shown]
        self._actions.pause_training(account, paused=not account.training_paused)

    def _stop(self) -> None:
        account = self._accounts[self._shown]
        state = self._learning.get(self._shown)
        if training_folders(account) and (state is None or state.teaches != "folder"):
            self._actions.stop_training(account)
        else:
            self._actions.change(replace(account, suggested_folders=(), training_paused=False))


class TrainingResult(Bar):
    """Bar with the accuracy after a training. `review` starts the review of unsure messages.

    Signals: `trained()` after a training of both spam and good mail.
    """

    trained = Signal()

    def __init__(self, engine: Engine, table: MailTable) -> None:
        super().__init__("ham")
        self._engine = engine
        self._report = TrainingReport(0, 0)
        self.result = wrapping_label(kind="title")
        self.next = wrapping_label()
        self.see = quiet_button("", lambda: show_mistakes(self, self._report, table))
        self.review = quiet_button(tr("Suggest messages to mark"), self.hide)
        self.dismiss = quiet_button(tr("Dismiss"), self.hide)
        texts = layouts.column(self.result, self.next, spacing=2)
        self.set_contents(texts, self.see, self.review, self.dismiss)
        # New mail and its share of spam change the verdicts.
        table.mails.counted.connect(
            single_shot_timer(self, RELOAD_MILLISECONDS, self._reload).start
        )

    def load(self) -> None:
        self._engine.report_training().then(self.show_report)

    def _reload(self) -> None:
        def show(report: TrainingReport) -> None:
            if self.isVisible() and _report_text(report) != self.result.text():
                self.show_report(report)

        if self.isVisible():
            self._engine.report_training().then(show)

    def show_report(self, report: TrainingReport) -> None:
        self._report = report
        fewest = min(report.spam, report.ham)
        self.result.setText(_report_text(report))
        text = tr("{what} for the biggest improvement.")
        missing = ENOUGH - fewest
        if fewest >= ENOUGH:
            text = tr("Next, review unsure messages. nbmail shows the most useful ones first.")
        what = tr_count("Mark %n more spam message", "Mark %n more spam messages", missing)
        if report.ham <= report.spam:
            what = tr_count("Mark %n more good message", "Mark %n more good messages", missing)
        self.next.setText(text.format(what=what))
        self.see.setText(
            tr_count("Show %n false alarm", "Show %n false alarms", len(report.false_positives))
        )
        self.see.setVisible(bool(report.false_positives))
        announce(self, f"{self.result.text()} {self.next.text()}")
        self.show()
        if report.spam and report.ham:
            self.trained.emit()


def _report_text(report: TrainingReport) -> str:
    if not (report.spam and report.ham):
        return tr(
            "Training finished. Mark both spam and good messages to see how accurate nbmail is."
        )
    return headline_text(report.recall, Proportion(len(report.false_positives), report.ham))


OUTAGE = 10_000
"""Milliseconds that a connection must be broken before the banner says so."""
LIMITATIONS = (ErrorCode.FOLDER_MISSING, ErrorCode.SERVER_REFUSED, ErrorCode.NO_KEYWORDS)
"""Errors of a synchronized account that the user must know about."""
SIGN_IN = (
    ErrorCode.SIGN_IN_AGAIN,
    ErrorCode.SIGN_IN_FAILED,
    ErrorCode.WRONG_SCOPE,
    ErrorCode.NO_CLIENT_ID,
)
"""Errors that a new sign-in at the provider can end."""


class AccountStatus:
    """Shows new account states in the sidebar, the training bar, the status line and the banner."""

    def __init__(
        self,
        context: WindowContext,
        sidebar: Sidebar,
        training: TrainingBar,
        actions: AccountActions,
    ) -> None:
        self._sidebar = sidebar
        self._lines = sidebar.lines
        self._training = training
        self._actions = actions
        self._banner = context.banner
        self._status = context.status
        self._clock = context.clock
        self._reported: set[tuple[str, str, str]] = set()
        self._outages: dict[str, tuple[float, AccountState]] = {}
        """Beginning and latest state of each broken connection, by account."""

    def update_times(self) -> None:
        self._sidebar.viewport().update()
        for state in list(self._lines.states.values())[-1:]:
            self._status.account.setText(state_text(state, self._clock()))

    def show(self, state: AccountState) -> None:
        """Show a new state. The banner waits for `OUTAGE` milliseconds before it reports a broken
        connection.
        """
        if state.account in self._lines.forgotten:
            return
        self._lines.show_state(state)
        self._training.show_state(state)
        self.update_times()
        if state.phase not in (Phase.OFFLINE, Phase.CONNECTING):
            self._outages.pop(state.account, None)
        if state.phase == Phase.NEEDS_YOU:
            self._show_notice(state)
        elif state.phase == Phase.OFFLINE:
            began, _ = self._outages.get(state.account, (state.at, state))
            report = partial(self._report_outage, state.account, began)
            if state.account not in self._outages:
                single_shot_timer(self._sidebar, OUTAGE, report).start()
            self._outages[state.account] = began, state
            if self._clock() - began >= OUTAGE / 1000:
                report()
        elif state.phase == Phase.SYNCED and state.error_code in LIMITATIONS:
            if any(each[:2] == (state.account, Phase.OFFLINE) for each in self._reported):
                self._forget(state.account)
            self._report_once(state)
        elif state.phase != Phase.CONNECTING:
            self._forget(state.account)
        self._actions.note_checked(state)

    def _report_outage(self, account: str, began: float) -> None:
        first, state = self._outages.get(account, (0.0, None))
        if state is not None and first == began:
            self._report_once(state)

    def _report_once(self, state: AccountState) -> None:
        """Show a problem in the banner, again only if it was solved in between. The sidebar always
        shows it.
        """
        # Servers describe the same failure differently each time. Only the name of a folder
        # matters.
        problem = (
            state.account,
            state.phase,
            state.detail if state.error_code == ErrorCode.FOLDER_MISSING else "",
        )
        if problem not in self._reported:
            self._reported.add(problem)
            self._show_notice(state)

    def _show_notice(self, state: AccountState) -> None:
        """Show a problem with its remedy. Of several accounts, the sentence names the one that has
        it.
        """
        notice = limitation_notice(state)
        if len(self._lines.accounts) > 1 and state.account not in notice.sentence:
            notice = replace(notice, sentence=f"{state.account}: {notice.sentence}")
        text = tr("Account settings…")
        act = partial(self._actions.ask_change, state.account)
        if state.phase == Phase.OFFLINE:
            text = tr("Retry now")
            act = partial(self._actions.check_mail)
        elif state.error_code in (ErrorCode.WRONG_PASSWORD, ErrorCode.NO_PASSWORD):
            text = tr("Enter &password…")
            act = partial(self._actions.ask_password, state.account)
        elif state.error_code in SIGN_IN:
            text = tr("Sign in again")
            act = partial(self._actions.sign_in, state.account)
        elif state.error_code == ErrorCode.FOLDER_MISSING and state.detail == JUNK_FOLDER:
            text = tr("Create “Junk”")
            act = partial(self._actions.create_spam_folder, state.account)
        # A refused move is a single event. A folder stays missing until it exists.
        refused = state.phase == Phase.SYNCED and state.error_code == ErrorCode.SERVER_REFUSED
        self._banner.show_notice(
            notice, f"{state.account} moves" if refused else state.account, Remedy(text, act)
        )

    def _forget(self, account: str) -> None:
        self._reported = {each for each in self._reported if each[0] != account}
        shown = self._banner.about == account and self._banner.isVisible()
        self._banner.dismiss(account)
        waiting = (each for each in self._lines.states.values() if each.phase == Phase.NEEDS_YOU)
        if shown and (other := next(waiting, None)) is not None:
            self._show_notice(other)


def limitation_notice(state: AccountState) -> Notice:
    if (
        state.phase != Phase.SYNCED
        or state.error_code not in LIMITATIONS
        or state.error_code == ErrorCode.NO_KEYWORDS
    ):
        return error_notice(state.error_code, state.detail)
    detail = ""
    if state.error_code == ErrorCode.SERVER_REFUSED:
        text = tr("The mail server of {account} refused to move a message.")
        detail = state.detail
        what_now = tr("The message stays where it is. Your marks are saved and learned.")
    elif state.detail == JUNK_FOLDER:
        text = tr("nbmail can't move spam in {account}: no spam folder was found.")
        what_now = tr(
            "nbmail can create one. You can also choose another folder in the account settings."
        )
    else:
        text = tr("The folder “{folder}” was not found in {account}.")
        what_now = tr(
            "Choose another folder in the account settings. All other folders are up to date."
        )
    return Notice(
        text.format(account=state.account, folder=state.detail), what_now, detail, "folders"
    )
