"""Moving a message so that it is never lost and never there twice, whatever the server can do or breaks off."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nbmail.errors import KnownError, Trouble
from nbmail.sync.answers import fetched, uid_sets
from nbmail.sync.folders import quoted
from nbmail.sync.session import Session

_ID = re.compile(rb"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_COPIED = re.compile(rb"\[COPYUID \d+ \d+ (\d+)\]", re.IGNORECASE)
ITEMS = b"(UID FLAGS RFC822.SIZE INTERNALDATE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])"


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a copy has in common with its original: size, date of arrival, Message-ID."""

    size: int
    received: float
    identity: bytes


def move_together(session: Session, uids: list[int], target: str) -> None:
    """MOVE: the server does all of it at once."""
    for each in uid_sets(uids):
        session.talk.ask(b"UID MOVE " + each + b" " + quoted(session.folders.raw(target)))


def move_one(session: Session, folder: str, uid: int, target: str, *, doubtful: bool) -> bool:
    """COPY, \\Deleted, EXPUNGE of this one UID: never a plain EXPUNGE, which would also delete what others marked.

    `doubtful` says that an earlier try may have broken off after the copy, which is then looked for in the target.
    False: someone else took the message away in between; they were first, and our copy is withdrawn.
    """
    copied = doubtful and _was_copied(session, folder, uid, target)
    session.select(folder)
    copies = b"" if copied else _copy(session, uid, target)
    session.store(b"%d" % uid, b"+", ("\\Deleted",))
    # Not by the answer to STORE: a server needn't tell a flag that was set before.
    if session.search(b"UID %d DELETED" % uid):
        session.talk.ask(b"UID EXPUNGE %d" % uid)
        return True
    if copies:
        session.select(target)
        session.store(copies, b"+", ("\\Deleted",))
        session.talk.ask(b"UID EXPUNGE " + copies)
    return False


def _copy(session: Session, uid: int, target: str) -> bytes:
    """Copy one message; the UID of the copy."""
    replies = session.talk.ask(b"UID COPY %d " % uid + quoted(session.folders.raw(target)))
    found = _COPIED.match(replies[-1][0])
    return found.group(1) if found else b""


def _was_copied(session: Session, folder: str, uid: int, target: str) -> bool:
    session.select(folder)
    original = _likenesses(session, b"%d" % uid)
    return bool(original) and _is_there(session, target, original[0])


def _is_there(session: Session, target: str, original: Likeness) -> bool:
    try:
        session.select(target)
    except KnownError as error:
        if error.trouble is Trouble.FOLDER_MISSING:
            return False
        raise
    alike = session.search(b"LARGER %d SMALLER %d" % (max(0, original.size - 1), original.size + 1))
    return any(original in _likenesses(session, each) for each in uid_sets(alike))


def _likenesses(session: Session, uids: bytes) -> list[Likeness]:
    found = []
    for reply in session.talk.flow([b"UID FETCH " + uids + b" " + ITEMS]):
        message = fetched(reply)
        if message is not None and message.body is not None:
            identity = _ID.search(message.body)
            found.append(Likeness(message.size, message.received, identity.group(1) if identity else b""))
    return found
