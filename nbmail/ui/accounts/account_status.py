"""States of the accounts, as the window shows them."""

from dataclasses import dataclass, replace
from functools import partial

from nbmail.errors import ErrorCode
from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.accounts.account_notices import (
    account_notice,
    account_remedy,
    is_limited,
    is_refusal,
)
from nbmail.ui.accounts.state_texts import state_text
from nbmail.ui.accounts.training_bar import TrainingBar
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.sidebar.sidebar import Sidebar
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import AccountState, Phase

OUTAGE = 10_000
"""Milliseconds that a connection must be broken before the banner says so."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Problem that the banner has shown, without the server's varying description of it.

    `folder`: the missing folder, otherwise empty.
    """

    account: str
    phase: Phase
    folder: str


@dataclass(slots=True)
class Outage:
    """Broken connection: the time of its beginning, and the latest state."""

    began: float
    state: AccountState


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
        self._reported: set[Problem] = set()
        self._outages: dict[str, Outage] = {}
        """Broken connections, by account."""

    def update_times(self) -> None:
        self._sidebar.viewport().update()
        states = list(self._lines.states.values())
        if states:
            self._status.account.setText(state_text(states[-1], self._clock()))

    def show(self, state: AccountState) -> None:
        """Show a new state. The banner reports a broken connection after `OUTAGE` milliseconds."""
        if state.account in self._lines.forgotten:
            return
        self._lines.show_state(state)
        self._training.show_state(state)
        self.update_times()
        self._show_problem(state)
        self._actions.note_checked(state)

    def _show_problem(self, state: AccountState) -> None:
        """Show the problem of an account in the banner, or dismiss one that was solved."""
        if state.phase not in (Phase.OFFLINE, Phase.CONNECTING):
            self._outages.pop(state.account, None)

        if state.phase == Phase.NEEDS_YOU:
            self._show_notice(state)
        elif state.phase == Phase.OFFLINE:
            self._note_outage(state)
        elif is_limited(state):
            if self._has_reported_outage(state.account):
                self._forget(state.account)
            self._report_once(state)
        elif state.phase != Phase.CONNECTING:
            self._forget(state.account)

    def _note_outage(self, state: AccountState) -> None:
        """Report a broken connection as soon as it has been broken for `OUTAGE` milliseconds."""
        outage = self._outages.get(state.account)
        if outage is None:
            outage = Outage(state.at, state)
            self._outages[state.account] = outage
            report = partial(self._report_outage, state.account, outage)
            single_shot_timer(self._sidebar, OUTAGE, report).start()
        outage.state = state
        if self._clock() - outage.began >= OUTAGE / 1000:
            self._report_once(state)

    def _report_outage(self, account: str, outage: Outage) -> None:
        """Report a broken connection, unless it works again."""
        if self._outages.get(account) is outage:
            self._report_once(outage.state)

    def _has_reported_outage(self, account: str) -> bool:
        return any(
            each.account == account and each.phase == Phase.OFFLINE for each in self._reported
        )

    def _report_once(self, state: AccountState) -> None:
        """Show a problem in the banner, again only if it was solved in between.

        The sidebar always shows it.
        """
        folder = state.detail if state.error_code == ErrorCode.FOLDER_MISSING else ""
        problem = Problem(state.account, state.phase, folder)
        if problem not in self._reported:
            self._reported.add(problem)
            self._show_notice(state)

    def _show_notice(self, state: AccountState) -> None:
        """Show a problem with its remedy. The sentence names one of several accounts."""
        notice = account_notice(state)
        if len(self._lines.accounts) > 1 and state.account not in notice.sentence:
            notice = replace(notice, sentence=f"{state.account}: {notice.sentence}")
        # A refused move is a single event. A folder stays missing until it exists.
        about = f"{state.account} moves" if is_refusal(state) else state.account
        self._banner.show_notice(notice, about, account_remedy(state, self._actions))

    def _forget(self, account: str) -> None:
        """Dismiss the problem of an account. Show that of another one which waits for the user."""
        self._reported = {each for each in self._reported if each.account != account}
        was_shown = self._banner.about == account and self._banner.isVisible()
        self._banner.dismiss(account)
        waiting = [each for each in self._lines.states.values() if each.phase == Phase.NEEDS_YOU]
        if was_shown and waiting:
            self._show_notice(waiting[0])
