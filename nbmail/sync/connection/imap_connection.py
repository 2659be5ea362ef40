"""One connection to a server: imapclient speaks and reads, over a socket of ours. What is our own stands here.

imapclient logs in, lists, opens, searches, stores, copies, moves and expunges. Below it lies imaplib's reader, which is
given our socket by the methods that imaplib lets a subclass replace. Own code is left where one was measured to be
needed, or found to be:

- The socket (`imap_socket`): every wait ends when the account is stopped, and no line or literal is endless.
- FETCH (`flow`): imapclient's parser takes apart 20,000 messages a second, regular expressions (`fetch_answers`)
  70,000, and nine tenths of a first sync are answers to FETCH. Two commands are on their way at any time. imapclient
  also throws away answers for messages that weren't named, so it can't ask for `1:*`.
- SELECT with CONDSTORE or QRESYNC (`session`): imapclient has neither.
- IDLE: imapclient loses notifications that come in two segments (its issues 449 and 519) and spins on a closed socket
  (565). Here it waits together with whoever wakes the account.
- LIST: imapclient can't ask for special uses, and a name that a server forgot to quote shifts all that follow it.
- LOGOUT is said and not waited for: a program that ends must not hang on a server that is gone.

Errors come as `KnownError`: NO as `Refusal`, anything that makes no sense as SERVER_BROKEN.
"""

from __future__ import annotations

import imaplib
import re
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from imapclient import IMAPClient, SocketTimeout

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.connection.imap_socket import ImapSocket, dial
from nbmail.sync.connection.wake_signal import WakeSignal

# One reply of the server: text, literal, text, …: literals stand at the odd places.
Reply = list[bytes]

# Beyond this a literal is a lie or an attack; below it, what is more than was asked for is let pass unread.
LARGEST_LITERAL = 256_000_000
# No honest answer that is kept whole has more lines: QRESYNC names each message that changed.
MOST_REPLIES = 1_000_000
# So many FETCH commands are on their way, so that the server works while we do.
WINDOW = 2

# With these a server says that it, and not what was asked, is what is wrong (RFC 5530): trying later makes sense.
_PASSING = {"UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "CONTACTADMIN", "OVERQUOTA"}
_NEWS = (b"EXISTS", b"EXPUNGE", b"FETCH")
_CODE = re.compile(rb"\[([A-Z0-9.-]+)")

# The type stubs know nothing of the methods that imapclient itself is built on.
_Imaplib: Any = imaplib.IMAP4


class Refusal(KnownError):
    """The server said NO. `code` is its reason in one word ("OVERQUOTA"), if any; `passing` ones are tried later."""

    def __init__(self, answer: bytes) -> None:
        found = _CODE.match(answer)
        self.code = found.group(1).decode() if found else ""
        self.passing = self.code in _PASSING
        error_code = ErrorCode.MAILBOX_FULL if self.code == "OVERQUOTA" else ErrorCode.SERVER_REFUSED
        super().__init__(error_code, answer.decode("utf-8", "replace")[:300])


class TurnedAway(KnownError):
    """The server said goodbye or hung up instead of greeting: so do those that count connections by address."""


@contextmanager
def understood() -> Iterator[None]:
    """Whatever imapclient can't make sense of is the server's fault."""
    try:
        yield
    except (imaplib.IMAP4.error, ValueError, LookupError, TypeError) as error:
        raise KnownError(ErrorCode.SERVER_BROKEN, str(error)[:300]) from error


class ImapConnection(_Imaplib):  # type: ignore[misc]
    """imaplib over our socket. `news`: what was told of the open folder unasked ("EXISTS", "EXPUNGE", "FETCH")."""

    sock: ImapSocket
    welcome = b""

    def __init__(self, client: ImapClient, to_connect: float) -> None:
        self.largest_literal = LARGEST_LITERAL
        self.news: set[str] = set()
        self._client = client
        self._kept = 0
        self._unsent = b""
        try:
            super().__init__(client.host, client.port, to_connect)
        except KnownError as error:
            sock = getattr(self, "sock", None)
            if sock is not None and sock.hung_up and not self.welcome:
                raise TurnedAway(error.error_code, error.detail) from error
            raise
        # Bytes as they are: not every server has the names of its folders in modified UTF-7.
        self._encoding = "latin-1"
        # imaplib would raise an error at each command in a folder that can't be written to.
        self.is_readonly = True

    def open(self, host: str = "", port: int = 993, timeout: float | None = None) -> None:
        """Connect, and encrypt at once where that is how the server is reached."""
        self.host, self.port = host, port
        self.sock = dial(host, port, self._client.wake_signal, timeout or 0.0)
        if self._client.ssl:
            self._encrypt(self._client.ssl_context)

    def read(self, size: int) -> bytes:
        """A literal, as far as it is wanted."""
        if size > LARGEST_LITERAL:
            raise KnownError(ErrorCode.SERVER_BROKEN, f"it announces {size} bytes")
        if size <= self.largest_literal:
            return self.sock.read(size)
        literal = self.sock.read(self.largest_literal)
        self.sock.skip(size - self.largest_literal)
        return literal

    def send(self, data: bytes) -> None:
        """All of it, a command as a whole: imapclient says its end by itself."""
        self._unsent += data
        if data.endswith(b"\n"):
            whole, self._unsent = self._unsent, b""
            self.sock.send(whole)

    def shutdown(self) -> None:
        self.sock.close()

    def logout(self) -> Any:
        """Say goodbye and hang up, without waiting for an answer."""
        self.sock.close(b"Z LOGOUT\r\n")
        return "BYE", [b""]

    def starttls(self, ssl_context: ssl.SSLContext | None = None) -> Any:
        """Encrypt from here on. Nothing that was said before it counts."""
        answer = self._simple_command("STARTTLS")
        self.untagged_responses.clear()
        self._encrypt(ssl_context)
        self._client.awaits_tls = False
        self._get_capabilities()
        return answer

    def flow(self, commands: Iterable[bytes]) -> Iterator[Reply]:
        """Say these FETCH commands and yield the untagged answers to all of them.

        An answer tells by its UID what it belongs to: a server may mix those of two commands. A NO is no end: one
        message that the server can't read must not hide all the others.
        """
        waiting = iter(commands)
        pending = {self._begin(command) for command in islice(waiting, WINDOW)}
        while pending:
            reply = self.receive()
            tag, _, answer = reply[0].partition(b" ")
            if tag not in pending:
                self._notice(reply[0], asked="FETCH")
                yield reply
                continue
            if answer[:2].upper() not in (b"OK", b"NO"):
                raise KnownError(ErrorCode.SERVER_BROKEN, answer.decode("utf-8", "replace")[:300])
            pending.discard(tag)
            del self.tagged_commands[tag]
            pending |= {self._begin(command) for command in islice(waiting, 1)}

    def begin_idle(self) -> bytes:
        """Have the server tell what happens in the open folder, and return the tag of that."""
        tag: bytes = self._command("IDLE")
        while self._get_response() is not None:  # It is None for the "+" that is waited for.
            if self.tagged_commands[tag]:
                raise Refusal(self.tagged_commands.pop(tag)[1][0])
        return tag

    def hear(self, tag: bytes = b"") -> bool:
        """Take in what came meanwhile; False if the server ended the IDLE with this tag."""
        while self.sock.holds_line():
            line = self.receive()[0]
            if tag and line.startswith(tag + b" "):
                del self.tagged_commands[tag]
                return False
            self._notice(line)
        return True

    def end_idle(self, tag: bytes) -> None:
        self.send(b"DONE\r\n")
        self._command_complete("IDLE", tag)

    def receive(self) -> Reply:
        """The next reply, tagged or not, with its literals."""
        line = self._read_line()
        reply = [line]
        while line.endswith(b"}") and (size := _literal_size(line)) is not None:
            reply.append(self.read(size))
            line = self.sock.readline()
            reply.append(line)
        return reply

    def _connect(self) -> None:
        with understood():
            super()._connect()

    def _get_capabilities(self) -> None:
        """Before STARTTLS nothing is asked nor believed: what is said unprotected proves nothing."""
        if self._client.awaits_tls:
            self.untagged_responses.clear()
            self.capabilities = ("IMAP4REV1", "STARTTLS")
        else:
            super()._get_capabilities()

    def _encrypt(self, context: Any) -> None:
        try:
            self.sock.encrypt(context, self.host)
        except BaseException:
            self.sock.close()
            raise

    def _begin(self, command: bytes) -> bytes:
        tag: bytes = self._new_tag()
        self.send(tag + b" " + command + b"\r\n")
        return tag

    def _new_tag(self) -> Any:
        """A command begins with nothing told: what is left of the last one would be taken for its answer."""
        self.untagged_responses.clear()
        self._kept = 0
        return super()._new_tag()

    def _get_response(self) -> Any:
        with understood():
            return super()._get_response()

    def _command_complete(self, name: str, tag: bytes) -> Any:
        with understood():
            kind, data = super()._command_complete(name, tag)
        if kind == "NO":
            raise Refusal(data[0])
        return kind, data

    def _get_line(self) -> bytes:
        line = self._read_line()
        self._notice(line)
        # imaplib wants a text behind OK; not every server sends one.
        return line + b" " if line.count(b" ") == 1 else line

    def _read_line(self) -> bytes:
        line: bytes = self.sock.readline()
        if line[:5].upper() == b"* BYE":
            text = line[6:].decode("utf-8", "replace")[:300]
            raise (
                KnownError(ErrorCode.SERVER_GONE, text) if self.welcome else TurnedAway(ErrorCode.SERVER_REFUSED, text)
            )
        return line

    def _append_untagged(self, kind: str, data: Any) -> None:
        self._kept += 1
        if self._kept > MOST_REPLIES:
            raise KnownError(ErrorCode.SERVER_BROKEN, "an answer without end")
        if kind == "CLOSED":
            # All that came before was said of the folder that was open until now.
            self.untagged_responses.clear()
        elif kind == "SEARCH" and kind in self.untagged_responses:
            # imapclient wants one answer; some servers cut it.
            data = (self.untagged_responses.pop(kind)[0] + b" " + data).strip()
        super()._append_untagged(kind, data)

    def _log(self, line: str) -> None:
        """imaplib would keep the last ten lines in memory, with the password among them."""

    def _notice(self, line: bytes, asked: str = "") -> None:
        """Remember what an untagged line says of the open folder, unless it was asked for."""
        words = line[:80].upper().split(b" ", 3)
        if len(words) > 2 and words[1].isdigit() and words[2] in _NEWS:
            self.news |= {words[2].decode()} - {asked}
        elif len(words) > 1 and words[1] == b"VANISHED":
            self.news.add("EXPUNGE")


class ImapClient(IMAPClient):  # type: ignore[misc]
    """imapclient over such a connection. Folders are named by the server's bytes, written as latin-1."""

    def __init__(
        self,
        host: str,
        port: int,
        wake_signal: WakeSignal,
        timeout: SocketTimeout,
        *,
        tls: ssl.SSLContext | None,
        at_once: bool,
    ) -> None:
        self.wake_signal = wake_signal
        self.awaits_tls = tls is not None and not at_once
        super().__init__(host, port, ssl=tls is not None and at_once, ssl_context=tls, timeout=timeout)
        self.folder_encode = False
        # imapclient has it write down every line.
        self._imap.debug = 0

    @property
    def connection(self) -> ImapConnection:
        imap: ImapConnection = self._imap
        return imap

    def _create_IMAP4(self) -> ImapConnection:
        return ImapConnection(self, self._timeout.connect)

    def _do_list(self, command: str, directory: str, pattern: str) -> list[Any]:
        """The answers as they are, each with its literal, for `folder_names` to read."""
        uses = {"SPECIAL-USE", "LIST-EXTENDED"} <= {each.decode() for each in self.capabilities()}
        arguments = [f'"{directory}"', f'"{pattern}"', *(["RETURN (SPECIAL-USE)"] if uses else [])]
        kind, data = self._imap._simple_command(command, *arguments)
        return list(self._imap._untagged_response(kind, data, command)[1])


def wire_text(raw: bytes) -> str:
    """Bytes as imapclient sends them. What no command can hold is an error, never another command."""
    if any(byte in raw for byte in (b"\r", b"\n", b"\0")):
        raise KnownError(ErrorCode.BAD_INPUT, "a line break in a name")
    return raw.decode("latin-1")


def astring(raw: bytes) -> bytes:
    """A word of a command that is put together by hand: quoted, or bare where imapclient makes a literal of it."""
    text = wire_text(raw).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'.encode() if raw.isascii() else raw


def _literal_size(line: bytes) -> int | None:
    digits = line[line.rfind(b"{") + 1 : -1].removesuffix(b"+")
    return int(digits) if digits.isdigit() and len(digits) < 20 else None
