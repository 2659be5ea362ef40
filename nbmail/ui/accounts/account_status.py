"""New account states in the window, and the banner about problems."""

from dataclasses import replace
from functools import partial

from nbmail.errors import ErrorCode
from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.accounts.state_texts import JUNK_FOLDER, state_text
from nbmail.ui.accounts.training_bar import TrainingBar
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.notices.banner import Remedy
from nbmail.ui.sidebar.sidebar import Sidebar
from nbmail.ui.texts.error_texts import Notice, error_notice
from nbmail.ui.texts.language import tr
from nbmail.ui.window.context import WindowContext
from nbmail.values import AccountState, Phase

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
