"""Folders of a mailbox, for the dialog that adds an account."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from nbmail.settings import Account
from nbmail.sync.imap.folders.folder_names import INBOX
from nbmail.sync.imap.folders.server_folders import ServerFolder, ServerFolders
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.sync.imap.session import Session
from nbmail.sync.local.mailbox_places import boxes_at
from nbmail.sync.local.maildir_box import MaildirBox
from nbmail.sync.mailbox_values import ConnectionReport, FolderCount, FolderLine, TryStep
from nbmail.sync.wake_signal import WakeSignal

OnStep = Callable[[TryStep | FolderCount], None]
LISTING_TIMEOUT = 20.0
# Time budget for the counts of messages: a server with a thousand folders is not waited for.
COUNTING_BUDGET = 5.0
INBOX_NAME = "INBOX"
USED = ("IDLE", "MOVE", "UIDPLUS", "CONDSTORE", "QRESYNC", "SPECIAL-USE", "NAMESPACE")
NEEDED = ("MOVE", "CONDSTORE", "KEYWORDS", "SPECIAL-USE")


def list_mailbox(
    account: Account,
    password: str,
    wake_signal: WakeSignal,
    on_step: OnStep = lambda step: None,
) -> tuple[FolderLine, ...]:
    """Return the folders of a mailbox, the inbox first. Blocks. `on_step`: called after each step,
    and with a count.
    """
    if account.path:
        boxes = boxes_at(Path(account.path), account.largest_message)
        folders = ServerFolders([ServerFolder(name, name.encode(), "/") for name in boxes])
        # Others than Maildirs would have to be read entirely to be counted.
        counts = {
            name: len(box.entries()) if isinstance(box, MaildirBox) else None
            for name, box in boxes.items()
        }
        found = [FolderLine(name, folders.special(name), count) for name, count in counts.items()]
    else:
        found = _server_folders(account, password, wake_signal, on_step)
    return tuple(sorted(found, key=lambda each: (each.special != INBOX, each.name.casefold())))


def examine_server(
    account: Account,
    password: str,
    wake_signal: WakeSignal,
    on_step: OnStep = lambda step: None,
) -> ConnectionReport:
    """Log in, open the inbox, and return the server's abilities that nbmail uses or misses.
    Blocks.
    """
    with closing(
        Session.open(account, password, wake_signal, LISTING_TIMEOUT, on_step=on_step)
    ) as session:
        keeps = session.select(INBOX_NAME).allows("$Junk")
        marked = session.can("SPECIAL-USE") or any(each.uses for each in session.folders.all)
        has = {name: session.can(name) for name in USED} | {
            "KEYWORDS": keeps,
            "SPECIAL-USE": marked,
        }
        return ConnectionReport(
            session.connection.sock.tls_version,
            session.mechanism,
            tuple(name for name in USED if has[name]),
            tuple(name for name in NEEDED if not has[name]),
        )


def _server_folders(
    account: Account, password: str, wake_signal: WakeSignal, on_step: OnStep
) -> list[FolderLine]:
    with closing(
        Session.open(account, password, wake_signal, LISTING_TIMEOUT, on_step=on_step)
    ) as session:
        deadline = time.monotonic() + COUNTING_BUDGET
        return [
            FolderLine(
                each.name, session.folders.special(each.name), _count(session, each.name, deadline)
            )
            for each in session.folders.all
            if each.selectable
        ]


def _count(session: Session, name: str, deadline: float) -> int | None:
    try:
        return (
            session.counts(name, "MESSAGES").get(b"MESSAGES")
            if time.monotonic() < deadline
            else None
        )
    except Refusal:
        return None
