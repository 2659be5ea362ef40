"""Which folders a mailbox has, asked before it is kept in step: for the user to pick from."""

import time
from collections.abc import Callable
from pathlib import Path

from nbmail.settings import Account
from nbmail.sync.connection.imap_connection import Refusal
from nbmail.sync.connection.wake_signal import WakeSignal
from nbmail.sync.imap.folder_names import INBOX, ServerFolder, ServerFolders
from nbmail.sync.imap.session import Session
from nbmail.sync.local.boxes import Box, MaildirBox
from nbmail.sync.local.places import boxes_at
from nbmail.values import FolderLine, TryStep

PATIENCE = 20.0
# Counting is a kindness: a server with a thousand folders is not waited for.
SECONDS_TO_COUNT = 5.0


def list_mailbox(
    account: Account, password: str, wake_signal: WakeSignal, reached: Callable[[TryStep], None] = lambda step: None
) -> tuple[FolderLine, ...]:
    """The folders of a mailbox, on a server or on the disk, the inbox first. Waits: not for the GUI thread.

    `reached` hears of each step on the way to a server's.
    """
    found = _local(account) if account.path else _remote(account, password, wake_signal, reached)
    return tuple(sorted(found, key=lambda each: (each.special != INBOX, each.name.casefold())))


def _remote(
    account: Account, password: str, wake_signal: WakeSignal, reached: Callable[[TryStep], None]
) -> list[FolderLine]:
    session = Session.open(account, password, wake_signal, PATIENCE, reached=reached)
    deadline = time.monotonic() + SECONDS_TO_COUNT
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


def _local(account: Account) -> list[FolderLine]:
    boxes = boxes_at(Path(account.path), account.largest_message)
    folders = ServerFolders([ServerFolder(name, name.encode(), "/") for name in boxes])
    return [FolderLine(name, folders.special(name), _count_local(box)) for name, box in boxes.items()]


def _count_local(box: Box) -> int | None:
    """How many files; an mbox file would have to be read whole."""
    return len(box.entries()) if isinstance(box, MaildirBox) else None
