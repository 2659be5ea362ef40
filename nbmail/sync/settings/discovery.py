"""From an address to the settings of its server: a table first, then the usual guesses, all tried at once.

Nobody else is asked: no look-up service learns whose mail this is. To a guessed server nothing is said before TLS
stands, and never a name or a password.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Security
from nbmail.sync.connection.connecting import connect
from nbmail.sync.connection.wake_signal import Stopped, WakeSignal
from nbmail.sync.settings.providers import provider_of
from nbmail.values import MailServer, ServerFound, ServerTried

PATIENCE = 8.0


Tell = Callable[[ServerTried], None]
Guess = Callable[[str], list[MailServer]]


def usual_guesses(domain: str) -> list[MailServer]:
    """Where the server of a domain usually is, the best first."""
    wrapped = [MailServer(host, 993) for host in (f"imap.{domain}", f"mail.{domain}", domain)]
    upgraded = [MailServer(host, 143, Security.STARTTLS) for host in (f"imap.{domain}", f"mail.{domain}", domain)]
    return wrapped + upgraded


def discover(address: str, tell: Tell, guess: Guess = usual_guesses, patience: float = PATIENCE) -> ServerFound | None:
    """Find the settings for a mail address; None if they have to be given by hand. Waits: not for the GUI thread."""
    local, _, domain = address.strip().rpartition("@")
    if not local or not domain:
        raise KnownError(ErrorCode.BAD_INPUT, address)
    provider = provider_of(domain)
    if provider is not None:
        where = MailServer(provider.host, provider.port, provider.security)
        tell(ServerTried(where, worked=True))
        user = local if provider.short_user else address.strip()
        return ServerFound(where, user, provider.name, provider.password_page, provider.bridge, provider.closed)
    best = try_all(guess(domain.lower()), tell, patience)
    return ServerFound(best, address.strip()) if best is not None else None


def try_all(addresses: list[MailServer], tell: Tell, patience: float = PATIENCE) -> MailServer | None:
    """Try all at once; the first of the list that works."""
    tries: list[tuple[Future[ServerTried], WakeSignal]] = []
    try:
        for each in addresses:
            tell(ServerTried(each))
            # Made after the telling, which may end the search: each waker is closed by its own thread.
            tries.append((Future(), WakeSignal()))
            arguments = (each, tries[-1][1], patience, tries[-1][0])
            threading.Thread(target=_try, args=arguments, name=f"guess-{each.host}", daemon=True).start()
        for answer, _ in tries:
            tell(answer.result())
            if answer.result().worked:
                return answer.result().server
        return None
    finally:
        for _, wake_signal in tries:
            wake_signal.stop()


def _try(address: MailServer, wake_signal: WakeSignal, patience: float, answer: Future[ServerTried]) -> None:
    try:
        connect(address, wake_signal, patience=patience, to_connect=patience).logout()
    except KnownError as error:
        answer.set_result(ServerTried(address, worked=False, error_code=error.error_code))
    except Stopped:
        answer.set_result(ServerTried(address, worked=False))
    else:
        answer.set_result(ServerTried(address, worked=True))
    finally:
        wake_signal.close()
