"""Folders of a mailbox, before its account exists."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from nbmail.settings import Account
from nbmail.sync.imap.folders.server_folders import ServerFolder, ServerFolders
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.sync.imap.session import Session
from nbmail.sync.local.mailbox_places import boxes_at
from nbmail.sync.local.maildir_box import MaildirBox
from nbmail.sync.mailbox_values import FolderCount, FolderLine, TryStep
from nbmail.sync.wake_signal import WakeSignal
from nbmail.values import INBOX

OnStep = Callable[[TryStep | FolderCount], None]
LISTING_TIMEOUT = 20.0
# Time budget for the counts of messages: a server with a thousand folders is not waited for.
COUNTING_BUDGET = 5.0


def list_mailbox(
    account: Account,
    password: str,
    wake_signal: WakeSignal,
    on_step: OnStep = lambda step: None,
) -> tuple[FolderLine, ...]:
    """Return the folders of a mailbox, the inbox first. Blocks.

    `on_step` is called after each step, and with the number of folders.
    """
    if account.path:
        found = _local_folders(account)
    else:
        found = _server_folders(account, password, wake_signal, on_step)
    return tuple(sorted(found, key=lambda each: (each.special != INBOX, each.name.casefold())))


def _local_folders(account: Account) -> list[FolderLine]:
    boxes = boxes_at(Path(account.path), account.largest_message)
    folders = ServerFolders([ServerFolder(name, name.encode(), "/") for name in boxes])
    found: list[FolderLine] = []
    for name, box in boxes.items():
        # Others than Maildirs would have to be read entirely to be counted.
        count = len(box.entries()) if isinstance(box, MaildirBox) else None
        found.append(FolderLine(name, folders.special(name), count))
    return found


def _server_folders(
    account: Account, password: str, wake_signal: WakeSignal, on_step: OnStep
) -> list[FolderLine]:
    with closing(
        Session.open(account, password, wake_signal, LISTING_TIMEOUT, on_step=on_step)
    ) as session:
        deadline = time.monotonic() + COUNTING_BUDGET
        names = [each.name for each in session.folders.all if each.selectable]
        return [
            FolderLine(name, session.folders.special(name), _count(session, name, deadline))
            for name in names
        ]


def _count(session: Session, name: str, deadline: float) -> int | None:
    """Return the number of messages; None if it is refused or the time is over."""
    if time.monotonic() >= deadline:
        return None
    try:
        return session.counts(name, "MESSAGES").get(b"MESSAGES")
    except Refusal:
        return None
