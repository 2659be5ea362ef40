"""From an address to the settings of its server: a table first, then the usual guesses, all tried at once.

Nobody else is asked: no look-up service learns whose mail this is. To a guessed server nothing is said before TLS
stands, and never a name or a password.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass

from nbmail.errors import KnownError, Trouble
from nbmail.settings import Account, Security
from nbmail.sync.connection.connecting import Address, connect
from nbmail.sync.connection.waker import Bell, Stopped
from nbmail.sync.settings.providers import Provider, provider_of

PATIENCE = 8.0


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the search, to be shown: an address is being tried (`worked` None), works, or why it doesn't."""

    address: Address
    worked: bool | None = None
    trouble: Trouble | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """Settings that a server answered to. `provider` is set where it was in the table."""

    address: Address
    user: str
    provider: Provider | None = None

    def account(self, name: str) -> Account:
        """An account with these settings."""
        where = self.address
        return Account(name, host=where.host, port=where.port, security=where.security, user=self.user)


Tell = Callable[[Step], None]
Guess = Callable[[str], list[Address]]


def usual_guesses(domain: str) -> list[Address]:
    """Where the server of a domain usually is, the best first."""
    wrapped = [Address(host, 993) for host in (f"imap.{domain}", f"mail.{domain}", domain)]
    upgraded = [Address(host, 143, Security.STARTTLS) for host in (f"imap.{domain}", f"mail.{domain}", domain)]
    return wrapped + upgraded


def discover(address: str, tell: Tell, guess: Guess = usual_guesses, patience: float = PATIENCE) -> Found | None:
    """Find the settings for a mail address; None if they have to be given by hand. Waits: not for the GUI thread."""
    local, _, domain = address.strip().rpartition("@")
    if not local or not domain:
        raise KnownError(Trouble.BAD_INPUT, address)
    provider = provider_of(domain)
    if provider is not None:
        where = Address(provider.host, provider.port, provider.security)
        tell(Step(where, worked=True))
        return Found(where, local if provider.short_user else address.strip(), provider)
    best = try_all(guess(domain.lower()), tell, patience)
    return Found(best, address.strip()) if best is not None else None


def try_all(addresses: list[Address], tell: Tell, patience: float = PATIENCE) -> Address | None:
    """Try all at once; the first of the list that works, as soon as none before it can work any more."""
    bells: list[Bell] = []
    answers: queue.Queue[Step] = queue.Queue()
    try:
        for each in addresses:
            tell(Step(each))
            # Made after the telling, which may end the search: each bell is closed by its own thread.
            bells.append(Bell())
            arguments = (each, bells[-1], patience, answers)
            threading.Thread(target=_try, args=arguments, name=f"guess-{each.host}", daemon=True).start()
        return _best(addresses, answers, tell)
    finally:
        for bell in bells:
            bell.stop()


def _best(addresses: list[Address], answers: queue.Queue[Step], tell: Tell) -> Address | None:
    known: dict[Address, bool] = {}
    while len(known) < len(addresses):
        step = answers.get()
        tell(step)
        known[step.address] = bool(step.worked)
        for each in addresses:
            if each not in known:
                break
            if known[each]:
                return each
    return next((each for each in addresses if known[each]), None)


def _try(address: Address, bell: Bell, patience: float, answers: queue.Queue[Step]) -> None:
    try:
        connect(address, bell, patience=patience, to_connect=patience).wire.close(b"N1 LOGOUT\r\n")
    except KnownError as error:
        answers.put(Step(address, worked=False, trouble=error.trouble, detail=error.detail))
    except Stopped:
        answers.put(Step(address, worked=False))
    else:
        answers.put(Step(address, worked=True))
    finally:
        bell.close()
