"""Notices of `nbmail watch` on standard error: what waits for the user, and errors of accounts."""

import shlex
import sys
from collections.abc import Iterable

from nbmail.cli.output import say
from nbmail.settings import Account, LearnMoves
from nbmail.text.terminal_text import printable
from nbmail.values import AccountState, Phase
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.sorting import SortingPhase, SortingStatus

WAIT = 60.0
"""Seconds to wait for the engine."""


def warn(text: str) -> None:
    """Print a line on standard error at once."""
    say(printable(f"nbmail: {text}"), sys.stderr)
    sys.stderr.flush()


class Notices:
    """Prints each notice once for each account."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._offered: dict[str, set[int]] = {}
        self._reported: set[str] = set()
        self._checked: set[str] = set()

    def offer(self, account: str, messages: Iterable[int]) -> None:
        """Note moves by other programs that wait for an answer."""
        self._offered.setdefault(account, set()).update(messages)

    def report_offers(self, accounts: Iterable[Account]) -> None:
        """Report how many moves by other programs wait for an answer, and how to answer."""
        asking = {one.name for one in accounts if one.learn_moves is LearnMoves.ASK}
        for account in self._offered.keys() - self._reported:
            self._reported.add(account)
            warn(_offer_text(account, len(self._offered[account]), asks=account in asking))

    def report_waiting(self, states: Iterable[AccountState]) -> None:
        """Report that sorting waits until the model is tested, and how to begin at once."""
        synced = {state.account for state in states if state.phase is Phase.SYNCED}
        for account in synced - self._checked:
            status = self._engine.sorting_status(account).result(WAIT)
            if not status.is_exact:
                # A rebuild tests what was just learned.
                continue
            self._checked.add(account)
            if status.phase is SortingPhase.WAITING:
                warn(_waiting_text(account, status))

    def check_again(self) -> None:
        """Report again which accounts wait: their settings have changed."""
        self._checked.clear()


def _offer_text(account: str, count: int, *, asks: bool) -> str:
    messages = f"{count} messages" if count > 1 else "1 message"
    text = (
        f"{account}: another mail program moved {messages} into the spam folder or out of it."
        f" nbmail learns from that once you agree: open the window"
    )
    if asks:
        name = shlex.quote(account)
        text += f", or use: nbmail account set {name} --learn-moves always (or never)"
    return text


def _waiting_text(account: str, status: SortingStatus) -> str:
    ready = status.readiness
    return (
        f"{account}: sorting begins after about {ready.marks_missing} more marks. Tested on "
        f"{ready.tested} good messages: {ready.lost} classified as spam (95 % interval: "
        f"{ready.low:.1%} to {ready.high:.1%}). To begin now: nbmail account set "
        f"{shlex.quote(account)} --begin-now"
    )
