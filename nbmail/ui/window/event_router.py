"""What the window does when it hears of something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbmail.ui.accounts.account_news import show_account
from nbmail.ui.kit.advice import Advice, advise
from nbmail.worker.protocol import (
    AccountChanged,
    BodyCame,
    Broken,
    Changed,
    Event,
    Learned,
    MovedByOthers,
    Opened,
)

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow


def hear(window: MainWindow, event: Event) -> None:
    """One event of the engine."""
    if window.talk.hear(event):
        return
    if isinstance(event, Changed):
        window.model.take(event)
        window.keeper.settle_down()
        window.reader.look_again(*window.model.score_of(window.table.current_message()))
        window.reader.look_at_giver(*window.model.giver_of(window.table.current_message()))
    elif isinstance(event, Learned):
        window.strip.show_learned(event)
        window.keeper.learn(event)
    elif isinstance(event, AccountChanged):
        show_account(window, event.state)
        window.reader.look_at_accounts()
    elif isinstance(event, BodyCame):
        window.reader.take_body(event)
    elif isinstance(event, MovedByOthers):
        window.offers.take(event)
    elif isinstance(event, Broken):
        window.banner.show_advice(advise(None, event.detail))
    elif isinstance(event, Opened) and event.notes:
        window.banner.show_advice(Advice(event.notes[0], " ".join(event.notes[1:])))
