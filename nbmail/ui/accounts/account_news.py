"""What the window says of an account's state: why it needs the user, and what can be done at one press."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nbmail.errors import Trouble
from nbmail.ui.accounts.account_texts import JUNK_FOLDER
from nbmail.ui.actions import user_actions
from nbmail.ui.kit.advice import Advice, advise
from nbmail.ui.kit.language import tr
from nbmail.ui.window.notices import Remedy
from nbmail.worker.protocol import AccountState, Phase

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow

LACKS = (Trouble.FOLDER_MISSING, Trouble.SERVER_REFUSED)
"""What leaves an account in step and has to be said all the same."""


def show_account(window: MainWindow, state: AccountState) -> None:
    """An account's state has changed."""
    if state.account in window.sidebar_model.forgotten:
        return
    window.sidebar_model.show_state(state)
    window.training.show_state(state)
    window.keeper.count()
    window.keeper.tell_time()
    if state.phase == Phase.NEEDS_YOU:
        advice = _named(window, state, advise(state.trouble, state.detail))
        window.banner.show_advice(advice, state.account, _remedy(window, state))
    elif state.phase == Phase.OFFLINE:
        _say_once(window, state, state.account, Remedy(tr("Try now"), window.outside.check_mail))
    elif state.phase == Phase.IN_STEP and state.trouble in LACKS:
        _show_lack(window, state)
    elif state.phase != Phase.CONNECTING:
        _forget(window, state.account)
        window.banner.dismiss(state.account)


def _named(window: MainWindow, state: AccountState, advice: Advice) -> Advice:
    """Of several mailboxes say which one it is about, where the sentence doesn't."""
    if len(window.sidebar_model.accounts) < 2 or state.account in advice.sentence:
        return advice
    return replace(advice, sentence=f"{state.account}: {advice.sentence}")


def _remedy(window: MainWindow, state: AccountState) -> Remedy:
    if state.trouble in (Trouble.WRONG_PASSWORD, Trouble.NO_PASSWORD):
        return Remedy(tr("Type password…"), lambda: window.ask_password(state.account))
    return _change(window, state.account)


def _change(window: MainWindow, account: str) -> Remedy:
    return Remedy(tr("Change settings…"), lambda: user_actions.change_account(window, account))


def _show_lack(window: MainWindow, state: AccountState) -> None:
    """In step, but for something that only the user can mend."""
    if any(each.split("\n")[:2] == [state.account, Phase.OFFLINE] for each in window.told_offline):
        _forget(window, state.account)
        window.banner.dismiss(state.account)
    # What the server refuses to move is said and over; a folder that is missing is missing until it is there.
    about = f"{state.account} moves" if state.trouble == Trouble.SERVER_REFUSED else state.account
    _say_once(window, state, about, _change(window, state.account))


def _say_once(window: MainWindow, state: AccountState, about: str, remedy: Remedy) -> None:
    """Said again only when it was well in between; till then it shows in the account's own line."""
    # A server words the same failure differently each time, a folder's name is what matters.
    fact = state.detail if state.trouble == Trouble.FOLDER_MISSING else ""
    told = "\n".join((state.account, state.phase, fact))
    if told not in window.told_offline:
        window.told_offline.add(told)
        window.banner.show_advice(_named(window, state, lack_words(state)), about, remedy)


def _forget(window: MainWindow, account: str) -> None:
    window.told_offline = {each for each in window.told_offline if each.partition("\n")[0] != account}


def lack_words(state: AccountState) -> Advice:
    """What an account lacks, in words."""
    if state.trouble == Trouble.FOLDER_MISSING and state.detail == JUNK_FOLDER:
        return Advice(
            tr("There is junk to move in {account}, but no folder for junk was found.").format(account=state.account),
            tr("Name one in the mailbox's settings. If it isn't on the server yet, nbmail makes it."),
        )
    if state.trouble == Trouble.FOLDER_MISSING:
        text = tr("{account} has no folder “{folder}”.")
        return Advice(
            text.format(account=state.account, folder=state.detail),
            tr("Nothing is fetched or learned from it. Choose another one in the settings; all others are in step."),
        )
    if state.trouble == Trouble.SERVER_REFUSED and state.phase == Phase.IN_STEP:
        return Advice(
            tr("The server of {account} doesn't let nbmail move that message.").format(account=state.account),
            tr("It stays where it is; your mark is kept and learned."),
            state.detail,
        )
    return advise(state.trouble, state.detail)
