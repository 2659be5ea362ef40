"""A folder on a server with the verbs of `mailbox.Mailbox`: what reads a mailbox reads an IMAP folder too."""

from __future__ import annotations

import mailbox
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from nbmail.sync.connection.responses import fetched
from nbmail.sync.connection.session import Session
from nbmail.sync.imap.folder_names import quoted


class ImapBox(mailbox.Mailbox[mailbox.Message]):
    """One folder of a session. Keys are UIDs. Reading leaves no trace; what is written is written at once."""

    def __init__(self, session: Session, name: str) -> None:
        super().__init__(name, create=False)
        self._session = session
        self._name = name

    def iterkeys(self) -> Iterator[Any]:
        """UIDs, oldest first."""
        self._open()
        return iter(sorted(self._session.search(b"ALL")))

    def __contains__(self, key: object) -> bool:
        """Whether there is a message with this UID."""
        self._open()
        return isinstance(key, int) and key in self._session.search(b"UID %d" % key)

    def __len__(self) -> int:
        """How many messages."""
        return len(list(self.iterkeys()))

    def get_bytes(self, key: Any) -> bytes:
        """The message whole."""
        self._open()
        for reply in self._session.talk.flow([b"UID FETCH %d (UID BODY.PEEK[])" % key]):
            found = fetched(reply)
            if found is not None and found.uid == key and found.body is not None:
                return found.body
        raise KeyError(key)

    def get_message(self, key: Any) -> mailbox.Message:
        """The message, taken apart by the standard library."""
        return mailbox.Message(self.get_bytes(key))

    def get_file(self, key: Any) -> BytesIO:
        """The message as a file."""
        return BytesIO(self.get_bytes(key))

    def add(self, message: Any) -> str:
        """Put a message into the folder; its UID where the server tells it, as text like every new key."""
        raw = message if isinstance(message, bytes) else mailbox.Message(message).as_bytes()
        folder = quoted(self._session.folders.raw(self._name))
        replies = self._session.talk.ask(b"APPEND " + folder + b" ", raw)
        code = replies[-1][0].partition(b"]")[0].split(b" ")
        return code[2].decode() if code[0] == b"[APPENDUID" and len(code) > 2 else ""

    def remove(self, key: Any) -> None:
        """Delete this one message."""
        if key not in self:
            raise KeyError(key)
        self._session.store(b"%d" % key, b"+", ("\\Deleted",))
        self._session.talk.ask(b"UID EXPUNGE %d" % key)

    def __setitem__(self, key: Any, message: Any) -> None:
        """Refused: a message on a server never changes."""
        raise PermissionError("a message on a server never changes")

    def flush(self) -> None:
        """Everything is written at once."""

    def lock(self) -> None:
        """Servers see to that."""

    def unlock(self) -> None:
        """Servers see to that."""

    def close(self) -> None:
        """The session goes on."""

    def _open(self) -> None:
        selected = self._session.selected
        if selected is None or selected.name != self._name or self._session.talk.news:
            self._session.select(self._name)
