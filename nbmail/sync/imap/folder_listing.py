"""Which folders a mailbox has, asked before it is kept in step: for the user to pick from."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbmail.settings import Account
from nbmail.sync.connection.responses import count_in
from nbmail.sync.connection.session import Session
from nbmail.sync.connection.waker import Bell
from nbmail.sync.imap.folder_names import INBOX, Folder, Folders, quoted
from nbmail.sync.local.boxes import Box, MaildirBox
from nbmail.sync.local.places import boxes_at

PATIENCE = 20.0
# Counting is a kindness: a server with a thousand folders is not waited for.
SECONDS_TO_COUNT = 5.0


@dataclass(frozen=True, slots=True)
class Listed:
    """A folder to pick: what it is for ("\\\\Junk"), and how many messages it holds where that was cheap to know."""

    name: str
    special: str = ""
    messages: int | None = None


def list_mailbox(account: Account, password: str, bell: Bell) -> tuple[Listed, ...]:
    """The folders of a mailbox, on a server or on the disk, the inbox first. Waits: not for the GUI thread."""
    found = _local(account) if account.path else _remote(account, password, bell)
    return tuple(sorted(found, key=lambda each: (each.special != INBOX, each.name.casefold())))


def _remote(account: Account, password: str, bell: Bell) -> list[Listed]:
    session = Session.open(account, password, bell, PATIENCE)
    try:
        folders = [folder for folder in session.folders.all if folder.selectable]
        counts = _count(session, folders)
        return [Listed(each.name, session.folders.special(each.name), counts.get(each.raw)) for each in folders]
    finally:
        session.close()


def _count(session: Session, folders: list[Folder]) -> dict[bytes, int]:
    deadline = time.monotonic() + SECONDS_TO_COUNT

    def commands() -> Iterator[bytes]:
        for folder in folders:
            if time.monotonic() < deadline:
                yield b"STATUS " + quoted(folder.raw) + b" (MESSAGES)"

    counts = (count_in(reply) for reply in session.talk.flow(commands()))
    return dict(each for each in counts if each is not None)


def _local(account: Account) -> list[Listed]:
    boxes = boxes_at(Path(account.path), account.largest_message)
    folders = Folders([Folder(name, name.encode(), "/") for name in boxes])
    return [Listed(name, folders.special(name), _count_local(box)) for name, box in boxes.items()]


def _count_local(box: Box) -> int | None:
    """How many files; an mbox file would have to be read whole."""
    return len(box) if isinstance(box, MaildirBox) else None
