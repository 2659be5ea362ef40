"""Discovery of mail servers and of the folders of a mailbox, for the dialog that adds an account.

Settings of a mail address come from a table of large providers, then from the usual host names, all tried
concurrently. No look-up service is queried. A guessed server gets no user name and no password, and nothing before TLS.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account, Security
from nbmail.sync.imap.folder_names import INBOX, ServerFolder, ServerFolders
from nbmail.sync.imap.imap_connection import Refusal
from nbmail.sync.imap.login import connect
from nbmail.sync.imap.session import Session
from nbmail.sync.local.boxes import Box, MaildirBox, boxes_at
from nbmail.sync.wake_signal import Stopped, WakeSignal
from nbmail.values import FolderCount, FolderLine, MailServer, ServerFound, ServerTried, TryStep

DISCOVERY_TIMEOUT = 8.0
LISTING_TIMEOUT = 20.0
# Time budget for the counts of messages: a server with a thousand folders is not waited for.
COUNTING_BUDGET = 5.0

OnTried = Callable[[ServerTried], None]
Guess = Callable[[str], list[MailServer]]


class Provider(NamedTuple):
    """A large mail provider.

    - `password_page`: page that creates passwords for programs, if the normal password is refused.
    - `short_user`: the user name is the part of the address before the @.
    - `bridge`: reached through the provider's own program on this computer.
    - `closed`: accepts no passwords from programs, only its own sign-in page (OAuth2).
    """

    name: str
    host: str
    domains: str
    password_page: str = ""
    port: int = 993
    security: Security = Security.TLS
    short_user: bool = False
    bridge: bool = False
    closed: bool = False


PROVIDERS = (
    Provider("Gmail", "imap.gmail.com", "gmail.com googlemail.com", "https://myaccount.google.com/apppasswords"),
    Provider(
        "Outlook",
        "outlook.office365.com",
        "outlook.com hotmail.com live.com msn.com outlook.de outlook.fr hotmail.co.uk hotmail.fr",
        closed=True,
    ),
    Provider(
        "Yahoo",
        "imap.mail.yahoo.com",
        "yahoo.com yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.co.uk ymail.com rocketmail.com",
        "https://login.yahoo.com/account/security",
    ),
    Provider("AOL", "imap.aol.com", "aol.com aim.com", "https://login.aol.com/account/security"),
    Provider(
        "iCloud",
        "imap.mail.me.com",
        "icloud.com me.com mac.com",
        "https://account.apple.com/account/manage",
        short_user=True,
    ),
    Provider("GMX", "imap.gmx.net", "gmx.de gmx.net gmx.at gmx.ch", "https://www.gmx.net"),
    Provider("GMX", "imap.gmx.com", "gmx.com gmx.co.uk", "https://www.gmx.com"),
    Provider("WEB.DE", "imap.web.de", "web.de", "https://web.de"),
    Provider("mail.com", "imap.mail.com", "mail.com email.com usa.com", "https://www.mail.com"),
    Provider("T-Online", "secureimap.t-online.de", "t-online.de magenta.de", "https://www.telekom.de/kundencenter"),
    Provider("freenet", "mx.freenet.de", "freenet.de"),
    Provider("Posteo", "posteo.de", "posteo.de posteo.net posteo.org"),
    Provider("mailbox.org", "imap.mailbox.org", "mailbox.org"),
    Provider("Fastmail", "imap.fastmail.com", "fastmail.com fastmail.fm", "https://app.fastmail.com/settings"),
    Provider("Zoho", "imap.zoho.com", "zoho.com zohomail.com", "https://accounts.zoho.com/home#security"),
    Provider("Zoho", "imap.zoho.eu", "zoho.eu zohomail.eu", "https://accounts.zoho.eu/home#security"),
    Provider("Yandex", "imap.yandex.com", "yandex.com yandex.ru ya.ru", "https://id.yandex.com/security"),
    Provider("Mail.ru", "imap.mail.ru", "mail.ru bk.ru inbox.ru list.ru", "https://id.mail.ru/security"),
    Provider("QQ", "imap.qq.com", "qq.com foxmail.com", "https://mail.qq.com"),
    Provider("NetEase", "imap.163.com", "163.com", "https://mail.163.com"),
    Provider("NetEase", "imap.126.com", "126.com", "https://mail.126.com"),
    Provider("Naver", "imap.naver.com", "naver.com", "https://nid.naver.com"),
    Provider("Orange", "imap.orange.fr", "orange.fr wanadoo.fr", short_user=True),
    Provider("Free", "imap.free.fr", "free.fr", short_user=True),
    Provider("La Poste", "imap.laposte.net", "laposte.net"),
    Provider("SFR", "imap.sfr.fr", "sfr.fr neuf.fr"),
    Provider("Libero", "imapmail.libero.it", "libero.it"),
    Provider("Seznam", "imap.seznam.cz", "seznam.cz email.cz"),
    Provider("WP", "imap.wp.pl", "wp.pl"),
    Provider("Bluewin", "imaps.bluewin.ch", "bluewin.ch"),
    Provider("Comcast", "imap.comcast.net", "comcast.net xfinity.com"),
    Provider("AT&T", "imap.mail.att.net", "att.net sbcglobal.net", "https://www.att.com/my/#/profile"),
    Provider("IONOS", "imap.ionos.de", "online.de onlinehome.de"),
    Provider("Runbox", "mail.runbox.com", "runbox.com"),
    Provider("Disroot", "disroot.org", "disroot.org"),
    Provider("Riseup", "mail.riseup.net", "riseup.net", short_user=True),
    Provider(
        "Proton",
        "127.0.0.1",
        "proton.me protonmail.com pm.me",
        "https://proton.me/mail/bridge",
        port=1143,
        security=Security.STARTTLS,
        bridge=True,
    ),
)


def provider_of(domain: str) -> Provider | None:
    """Return the large provider of `domain`, if there is one."""
    wanted = domain.lower().rstrip(".")
    return next((each for each in PROVIDERS if wanted in each.domains.split()), None)


def password_page(host: str) -> str:
    """Return the page of app passwords of the provider with this server; empty if unknown."""
    return next((each.password_page for each in PROVIDERS if each.host == host.lower() and not each.bridge), "")


def usual_guesses(domain: str) -> list[MailServer]:
    """Return the usual servers of a domain, most likely first."""
    wrapped = [MailServer(host, 993) for host in (f"imap.{domain}", f"mail.{domain}", domain)]
    upgraded = [MailServer(host, 143, Security.STARTTLS) for host in (f"imap.{domain}", f"mail.{domain}", domain)]
    return wrapped + upgraded


def discover(
    address: str, on_tried: OnTried, guess: Guess = usual_guesses, timeout: float = DISCOVERY_TIMEOUT
) -> ServerFound | None:
    """Find the settings of a mail address; None if the user must enter them. Blocks.

    `on_tried` is called in the calling thread when a server is tried and when its result is known.
    """
    local, _, domain = address.strip().rpartition("@")
    if not local or not domain:
        raise KnownError(ErrorCode.BAD_INPUT, address)
    provider = provider_of(domain)
    if provider is not None:
        server = MailServer(provider.host, provider.port, provider.security)
        on_tried(ServerTried(server, tested=False))
        user = local if provider.short_user else address.strip()
        return ServerFound(server, user, provider.name, provider.password_page, provider.bridge, provider.closed)
    best = try_all(guess(domain.lower()), on_tried, timeout)
    return ServerFound(best, address.strip()) if best is not None else None


def try_all(servers: list[MailServer], on_tried: OnTried, timeout: float = DISCOVERY_TIMEOUT) -> MailServer | None:
    """Try all servers concurrently; return the first in the list that works."""
    tries: list[tuple[Future[ServerTried], WakeSignal]] = []
    try:
        for each in servers:
            on_tried(ServerTried(each))
            # Created after `on_tried`, which may raise: each thread closes its own signal.
            tries.append((Future(), WakeSignal()))
            arguments = (each, tries[-1][1], timeout, tries[-1][0])
            threading.Thread(target=_try, args=arguments, name=f"guess-{each.host}", daemon=True).start()
        for future, _ in tries:
            on_tried(future.result())
            if future.result().worked:
                return future.result().server
        return None
    finally:
        for _, wake_signal in tries:
            wake_signal.stop()


def _try(server: MailServer, wake_signal: WakeSignal, timeout: float, future: Future[ServerTried]) -> None:
    try:
        connect(server, wake_signal, timeout=timeout, connect_timeout=timeout).logout()
    except KnownError as error:
        future.set_result(ServerTried(server, worked=False, error_code=error.error_code))
    except Stopped:
        future.set_result(ServerTried(server, worked=False))
    else:
        future.set_result(ServerTried(server, worked=True))
    finally:
        wake_signal.close()


def list_mailbox(
    account: Account,
    password: str,
    wake_signal: WakeSignal,
    on_step: Callable[[TryStep | FolderCount], None] = lambda step: None,
) -> tuple[FolderLine, ...]:
    """Return the folders of a mailbox on a server or on the disk, the inbox first. Blocks.

    `on_step` is called after each step of connecting to a server, and with the number of listed folders.
    """
    found = _local_folders(account) if account.path else _server_folders(account, password, wake_signal, on_step)
    return tuple(sorted(found, key=lambda each: (each.special != INBOX, each.name.casefold())))


def _server_folders(
    account: Account, password: str, wake_signal: WakeSignal, on_step: Callable[[TryStep | FolderCount], None]
) -> list[FolderLine]:
    session = Session.open(account, password, wake_signal, LISTING_TIMEOUT, on_step=on_step)
    deadline = time.monotonic() + COUNTING_BUDGET
    try:
        return [
            FolderLine(each.name, session.folders.special(each.name), _count(session, each.name, deadline))
            for each in session.folders.all
            if each.selectable
        ]
    finally:
        session.close()


def _count(session: Session, name: str, deadline: float) -> int | None:
    try:
        return session.counts(name, "MESSAGES").get(b"MESSAGES") if time.monotonic() < deadline else None
    except Refusal:
        return None


def _local_folders(account: Account) -> list[FolderLine]:
    boxes = boxes_at(Path(account.path), account.largest_message)
    folders = ServerFolders([ServerFolder(name, name.encode(), "/") for name in boxes])
    return [FolderLine(name, folders.special(name), _count_files(box)) for name, box in boxes.items()]


def _count_files(box: Box) -> int | None:
    """Return the number of files of a Maildir. None for others: an mbox file would have to be read entirely."""
    return len(box.entries()) if isinstance(box, MaildirBox) else None
