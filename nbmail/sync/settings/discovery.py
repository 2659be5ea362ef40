"""From an address to the settings of its server: a table first, then the usual guesses, all tried at once.

Nobody else is asked: no look-up service learns whose mail this is. To a guessed server nothing is said before TLS
stands, and never a name or a password.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from nbmail.errors import KnownError, Trouble
from nbmail.settings import Security
from nbmail.sync.connection.connecting import ServerAddress, connect
from nbmail.sync.connection.waker import Stopped, Waker
from nbmail.sync.settings.providers import Provider, provider_of

PATIENCE = 8.0


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One step of the search, to be shown: an address is being tried (`worked` None), works, or why it doesn't."""

    address: ServerAddress
    worked: bool | None = None
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class FoundSettings:
    """Settings that a server answered to. `provider` is set where it was in the table."""

    address: ServerAddress
    user: str
    provider: Provider | None = None


Tell = Callable[[SearchStep], None]
Guess = Callable[[str], list[ServerAddress]]


def usual_guesses(domain: str) -> list[ServerAddress]:
    """Where the server of a domain usually is, the best first."""
    wrapped = [ServerAddress(host, 993) for host in (f"imap.{domain}", f"mail.{domain}", domain)]
    upgraded = [ServerAddress(host, 143, Security.STARTTLS) for host in (f"imap.{domain}", f"mail.{domain}", domain)]
    return wrapped + upgraded


def discover(
    address: str, tell: Tell, guess: Guess = usual_guesses, patience: float = PATIENCE
) -> FoundSettings | None:
    """Find the settings for a mail address; None if they have to be given by hand. Waits: not for the GUI thread."""
    local, _, domain = address.strip().rpartition("@")
    if not local or not domain:
        raise KnownError(Trouble.BAD_INPUT, address)
    provider = provider_of(domain)
    if provider is not None:
        where = ServerAddress(provider.host, provider.port, provider.security)
        tell(SearchStep(where, worked=True))
        return FoundSettings(where, local if provider.short_user else address.strip(), provider)
    best = try_all(guess(domain.lower()), tell, patience)
    return FoundSettings(best, address.strip()) if best is not None else None


def try_all(addresses: list[ServerAddress], tell: Tell, patience: float = PATIENCE) -> ServerAddress | None:
    """Try all at once; the first of the list that works."""
    tries: list[tuple[Future[SearchStep], Waker]] = []
    try:
        for each in addresses:
            tell(SearchStep(each))
            # Made after the telling, which may end the search: each waker is closed by its own thread.
            tries.append((Future(), Waker()))
            arguments = (each, tries[-1][1], patience, tries[-1][0])
            threading.Thread(target=_try, args=arguments, name=f"guess-{each.host}", daemon=True).start()
        for answer, _ in tries:
            tell(answer.result())
            if answer.result().worked:
                return answer.result().address
        return None
    finally:
        for _, waker in tries:
            waker.stop()


def _try(address: ServerAddress, waker: Waker, patience: float, answer: Future[SearchStep]) -> None:
    try:
        connect(address, waker, patience=patience, to_connect=patience).logout()
    except KnownError as error:
        answer.set_result(SearchStep(address, worked=False, trouble=error.trouble))
    except Stopped:
        answer.set_result(SearchStep(address, worked=False))
    else:
        answer.set_result(SearchStep(address, worked=True))
    finally:
        waker.close()
