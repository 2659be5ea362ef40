"""Account states in the window: the reason for a required action, and a button for it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from nbmail.errors import ErrorCode
from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.accounts.sidebar import JUNK_FOLDER, Sidebar, state_text
from nbmail.ui.accounts.training import TrainingBar
from nbmail.ui.kit import layouts
from nbmail.ui.kit.error_texts import Notice, error_notice
from nbmail.ui.kit.language import tr
from nbmail.ui.window.notices import Banner, Remedy, StatusLine
from nbmail.values import AccountState, Phase

OUTAGE = 10_000
"""Milliseconds that a connection must be broken before the banner says so."""
LIMITATIONS = (ErrorCode.FOLDER_MISSING, ErrorCode.SERVER_REFUSED, ErrorCode.NO_KEYWORDS)
"""Errors of a synchronized account that the user must know about."""
SIGN_IN = (ErrorCode.SIGN_IN_AGAIN, ErrorCode.SIGN_IN_FAILED, ErrorCode.WRONG_SCOPE, ErrorCode.NO_CLIENT_ID)
"""Errors that a new sign-in at the provider can end."""


class AccountStatus:
    """Shows new account states in the sidebar, the training bar, the status line and the banner."""

    def __init__(
        self,
        sidebar: Sidebar,
        training: TrainingBar,
        actions: AccountActions,
        clock: Callable[[], float],
        *,
        banner: Banner,
        status: StatusLine,
    ) -> None:
        self._sidebar, self._lines, self._training, self._actions = sidebar, sidebar.lines, training, actions
        self._banner, self._status, self._clock = banner, status, clock
        self._reported: set[tuple[str, str, str]] = set()
        self._outages: dict[str, tuple[float, AccountState]] = {}
        """Beginning and latest state of each broken connection, by account."""

    def update_times(self) -> None:
        """Update texts such as "4 minutes ago"."""
        self._sidebar.viewport().update()
        for state in list(self._lines.states.values())[-1:]:
            self._status.account.setText(state_text(state, self._clock()))

    def show(self, state: AccountState) -> None:
        """Show a new state. The banner waits for `OUTAGE` milliseconds before it reports a broken connection."""
        if state.account in self._lines.forgotten:
            return
        self._lines.show_state(state)
        self._training.show_state(state)
        self.update_times()
        if state.phase not in (Phase.OFFLINE, Phase.CONNECTING):
            self._outages.pop(state.account, None)
        if state.phase == Phase.NEEDS_YOU:
            self._show_need(state)
        elif state.phase == Phase.OFFLINE:
            self._note_outage(state)
        elif state.phase == Phase.SYNCED and state.error_code in LIMITATIONS:
            self._report_limitation(state)
        elif state.phase != Phase.CONNECTING:
            self._forget(state.account)
        self._actions.note_checked(state)

    def _show_need(self, state: AccountState) -> None:
        notice = self._named(state, error_notice(state.error_code, state.detail))
        self._banner.show_notice(notice, state.account, self._remedy(state))

    def _note_outage(self, state: AccountState) -> None:
        """Note a broken connection, and report it if it lasts."""
        began, _ = self._outages.get(state.account, (state.at, state))
        if state.account not in self._outages:
            layouts.single_shot_timer(self._sidebar, OUTAGE, partial(self._report_outage, state.account, began)).start()
        self._outages[state.account] = began, state
        if self._clock() - began >= OUTAGE / 1000:
            self._report_outage(state.account, began)

    def _report_outage(self, account: str, began: float) -> None:
        first, state = self._outages.get(account, (0.0, None))
        if state is not None and first == began:
            self._report_once(state, account, Remedy(tr("Retry now"), self._actions.check_mail))

    def _named(self, state: AccountState, notice: Notice) -> Notice:
        """Add the name of the account if there are several and the sentence has no name."""
        if len(self._lines.accounts) < 2 or state.account in notice.sentence:
            return notice
        return replace(notice, sentence=f"{state.account}: {notice.sentence}")

    def _remedy(self, state: AccountState) -> Remedy:
        if state.error_code in (ErrorCode.WRONG_PASSWORD, ErrorCode.NO_PASSWORD):
            return Remedy(tr("Enter &password…"), lambda: self._actions.ask_password(state.account))
        if state.error_code in SIGN_IN:
            return Remedy(tr("Sign in again"), lambda: self._actions.sign_in(state.account))
        return self._change(state.account)

    def _change(self, account: str) -> Remedy:
        return Remedy(tr("Account settings…"), lambda: self._actions.ask_change(account))

    def _report_limitation(self, state: AccountState) -> None:
        """Report a problem of a synchronized account that only the user can solve."""
        if any(each[:2] == (state.account, Phase.OFFLINE) for each in self._reported):
            self._forget(state.account)
        # A refused move is a single event. A folder stays missing until it exists.
        about = f"{state.account} moves" if state.error_code == ErrorCode.SERVER_REFUSED else state.account
        missing = state.error_code == ErrorCode.FOLDER_MISSING and state.detail == JUNK_FOLDER
        remedy = self._create_junk_folder(state.account) if missing else self._change(state.account)
        self._report_once(state, about, remedy)

    def _create_junk_folder(self, account: str) -> Remedy:
        return Remedy(tr("Create “Junk”"), lambda: self._actions.create_junk_folder(account))

    def _report_once(self, state: AccountState, about: str, remedy: Remedy) -> None:
        """Show a problem in the banner, again only if it was solved in between. The sidebar always shows it."""
        # Servers describe the same failure differently each time. Only the name of a folder matters.
        problem = (state.account, state.phase, state.detail if state.error_code == ErrorCode.FOLDER_MISSING else "")
        if problem not in self._reported:
            self._reported.add(problem)
            self._banner.show_notice(self._named(state, limitation_notice(state)), about, remedy)

    def _forget(self, account: str) -> None:
        self._reported = {each for each in self._reported if each[0] != account}
        shown = self._banner.about == account and self._banner.isVisible()
        self._banner.dismiss(account)
        waiting = (each for each in self._lines.states.values() if each.phase == Phase.NEEDS_YOU)
        if shown and (other := next(waiting, None)) is not None:
            self._show_need(other)


def limitation_notice(state: AccountState) -> Notice:
    """Return the notice about a problem of an account."""
    if state.phase != Phase.SYNCED or state.error_code not in LIMITATIONS or state.error_code == ErrorCode.NO_KEYWORDS:
        return error_notice(state.error_code, state.detail)
    detail = ""
    if state.error_code == ErrorCode.SERVER_REFUSED:
        text, detail = tr("The mail server of {account} refused to move a message."), state.detail
        what_now = tr("The message stays where it is. Your marks are saved and learned.")
    elif state.detail == JUNK_FOLDER:
        text = tr("nbmail can't move junk in {account}: no junk folder was found.")
        what_now = tr("nbmail can create one. You can also choose another folder in the account settings.")
    else:
        text = tr("The folder “{folder}” was not found in {account}.")
        what_now = tr("Choose another folder in the account settings. All other folders are up to date.")
    return Notice(text.format(account=state.account, folder=state.detail), what_now, detail, "folders")
