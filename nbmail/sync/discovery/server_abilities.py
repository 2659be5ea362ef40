"""Abilities of a mail server, found by a test of the connection."""

from contextlib import closing

from nbmail.settings import Account
from nbmail.sync.discovery.mailbox_listing import LISTING_TIMEOUT, OnStep
from nbmail.sync.imap.session import Session
from nbmail.sync.mailbox_values import ConnectionReport
from nbmail.sync.wake_signal import WakeSignal

INBOX_NAME = "INBOX"
USED = ("IDLE", "MOVE", "UIDPLUS", "CONDSTORE", "QRESYNC", "SPECIAL-USE", "NAMESPACE")
NEEDED = ("MOVE", "CONDSTORE", "KEYWORDS", "SPECIAL-USE")


def examine_server(
    account: Account,
    password: str,
    wake_signal: WakeSignal,
    on_step: OnStep = lambda step: None,
) -> ConnectionReport:
    """Log in and return the server's abilities that nbmail uses or misses. Blocks."""
    with closing(
        Session.open(account, password, wake_signal, LISTING_TIMEOUT, on_step=on_step)
    ) as session:
        has = {name: session.can(name) for name in USED}
        has["KEYWORDS"] = session.select(INBOX_NAME).allows("$Junk")
        # Some servers mark folders without announcing it.
        has["SPECIAL-USE"] |= any(each.uses for each in session.folders.all)
        return ConnectionReport(
            tls=session.connection.sock.tls_version,
            mechanism=session.mechanism,
            used=tuple(name for name in USED if has[name]),
            missing=tuple(name for name in NEEDED if not has[name]),
        )
