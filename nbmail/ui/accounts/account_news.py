"""What the window says of an account's state: why it needs the user, and what can be done at one press."""

from collections.abc import Callable
from dataclasses import replace

from nbmail.errors import ErrorCode
from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.accounts.account_texts import JUNK_FOLDER, state_words
from nbmail.ui.accounts.sidebar import Sidebar
from nbmail.ui.accounts.training_bar import TrainingBar
from nbmail.ui.kit.error_texts import Notice, error_notice
from nbmail.ui.kit.language import tr
from nbmail.ui.window.notices import Banner, Remedy, StatusLine
from nbmail.values import AccountState, Phase

LACKS = (ErrorCode.FOLDER_MISSING, ErrorCode.SERVER_REFUSED, ErrorCode.NO_KEYWORDS)
"""What leaves an account in step and has to be said all the same."""


class AccountNews:
    """Shows each new state where it belongs: sidebar, training bar, status line and banner."""

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
        self._told: set[tuple[str, str, str]] = set()

    def tell_time(self) -> None:
        """Bring "4 minutes ago" and "tries again in 30 seconds" up to date."""
        self._sidebar.viewport().update()
        for state in list(self._lines.states.values())[-1:]:
            self._status.account.setText(state_words(state, self._clock()))

    def show(self, state: AccountState) -> None:
        """An account's state has changed."""
        if state.account in self._lines.forgotten:
            return
        self._lines.show_state(state)
        self._training.show_state(state)
        self.tell_time()
        if state.phase == Phase.NEEDS_YOU:
            advice = self._named(state, error_notice(state.error_code, state.detail))
            self._banner.show_notice(advice, state.account, self._remedy(state))
        elif state.phase == Phase.OFFLINE:
            self._say_once(state, state.account, Remedy(tr("Try now"), self._actions.check_mail))
        elif state.phase == Phase.SYNCED and state.error_code in LACKS:
            self._show_lack(state)
        elif state.phase != Phase.CONNECTING:
            self._forget(state.account)

    def _named(self, state: AccountState, advice: Notice) -> Notice:
        """Of several mailboxes say which one it is about, where the sentence doesn't."""
        if len(self._lines.accounts) < 2 or state.account in advice.sentence:
            return advice
        return replace(advice, sentence=f"{state.account}: {advice.sentence}")

    def _remedy(self, state: AccountState) -> Remedy:
        if state.error_code in (ErrorCode.WRONG_PASSWORD, ErrorCode.NO_PASSWORD):
            return Remedy(tr("Type password…"), lambda: self._actions.ask_password(state.account))
        return self._change(state.account)

    def _change(self, account: str) -> Remedy:
        return Remedy(tr("Change settings…"), lambda: self._actions.ask_change(account))

    def _show_lack(self, state: AccountState) -> None:
        """In step, but for something that only the user can mend."""
        if any(told[:2] == (state.account, Phase.OFFLINE) for told in self._told):
            self._forget(state.account)
        # What the server refuses to move is said and over; a folder that is missing is missing until it is there.
        about = f"{state.account} moves" if state.error_code == ErrorCode.SERVER_REFUSED else state.account
        self._say_once(state, about, self._change(state.account))

    def _say_once(self, state: AccountState, about: str, remedy: Remedy) -> None:
        """Said again only when it was well in between; till then it shows in the account's own line."""
        # A server words the same failure differently each time, a folder's name is what matters.
        told = (state.account, state.phase, state.detail if state.error_code == ErrorCode.FOLDER_MISSING else "")
        if told not in self._told:
            self._told.add(told)
            self._banner.show_notice(self._named(state, lack_words(state)), about, remedy)

    def _forget(self, account: str) -> None:
        self._told = {told for told in self._told if told[0] != account}
        self._banner.dismiss(account)


def lack_words(state: AccountState) -> Notice:
    """What an account lacks, in words."""
    if state.phase != Phase.SYNCED or state.error_code not in LACKS or state.error_code == ErrorCode.NO_KEYWORDS:
        return error_notice(state.error_code, state.detail)
    detail = ""
    if state.error_code == ErrorCode.SERVER_REFUSED:
        text, detail = tr("The server of {account} doesn't let nbmail move that message."), state.detail
        what_now = tr("It stays where it is; your mark is kept and learned.")
    elif state.detail == JUNK_FOLDER:
        text = tr("There is junk to move in {account}, but no folder for junk was found.")
        what_now = tr("Name one in the mailbox's settings. If it isn't on the server yet, nbmail makes it.")
    else:
        text = tr("{account} has no folder “{folder}”.")
        what_now = tr(
            "Nothing is fetched or learned from it. Choose another one in the settings; all others are in step."
        )
    return Notice(text.format(account=state.account, folder=state.detail), what_now, detail)
