"""What the window does when it hears of something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbmail.errors import Trouble
from nbmail.ui import deeds
from nbmail.ui.advice import Advice, advise
from nbmail.ui.language import tr
from nbmail.ui.notices import Remedy
from nbmail.worker.protocol import (
    AccountChanged,
    AccountState,
    Broken,
    Changed,
    Event,
    Learned,
    MovedByOthers,
    Opened,
    Phase,
)

if TYPE_CHECKING:
    from nbmail.ui.main_window import MainWindow


def hear(window: MainWindow, event: Event) -> None:
    """One event of the engine."""
    if window.talk.hear(event):
        return
    if isinstance(event, Changed):
        window.model.take(event)
        window.keeper.settle_down()
        window.reader.look_again(window.model.score_of(window.table.current_message()))
    elif isinstance(event, Learned):
        window.strip.show_learned(event)
        window.keeper.learn(event)
    elif isinstance(event, AccountChanged):
        _show_account(window, event.state)
    elif isinstance(event, MovedByOthers):
        window.offers.take(event)
    elif isinstance(event, Broken):
        window.banner.show_advice(advise(None, event.detail))
    elif isinstance(event, Opened) and event.notes:
        window.banner.show_advice(Advice(event.notes[0], " ".join(event.notes[1:])))


def _show_account(window: MainWindow, state: AccountState) -> None:
    window.sidebar_model.show_state(state)
    window.keeper.count()
    window.keeper.tell_time()
    if state.phase == Phase.NEEDS_YOU:
        window.banner.show_advice(advise(state.trouble, state.detail), state.account, _remedy(window, state))
    elif state.phase == Phase.OFFLINE:
        _show_offline(window, state)
    elif state.phase != Phase.CONNECTING:
        window.told_offline.discard(state.account)
        window.banner.dismiss(state.account)


def _remedy(window: MainWindow, state: AccountState) -> Remedy:
    if state.trouble == Trouble.WRONG_PASSWORD:
        return Remedy(tr("Type password…"), lambda: window.ask_password(state.account))
    return Remedy(tr("Change settings…"), lambda: deeds.change_account(window, state.account))


def _show_offline(window: MainWindow, state: AccountState) -> None:
    """Say once why an account is offline; later tries that fail, too, only show in the account's own line."""
    if state.account not in window.told_offline:
        window.told_offline.add(state.account)
        remedy = Remedy(tr("Try now"), window.outside.check_mail)
        window.banner.show_advice(advise(state.trouble, state.detail), state.account, remedy)
