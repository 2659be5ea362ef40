"""Connection to an IMAP server: imapclient on top of imaplib's parser and an own socket.

imapclient implements login, LIST, SELECT, SEARCH, STORE, COPY, MOVE and EXPUNGE. Own code has
measured reasons.

- Socket (`imap_socket`): stopping the account ends every wait, and no line or literal is endless.
- FETCH (`pipeline`): imapclient parses 20,000 messages a second, `fetch_responses` 70,000. Nine
  tenths of a first sync are answers to FETCH, and two commands are in flight at any time.
  imapclient also drops answers for messages that weren't named, so that it can't request `1:*`.
- SELECT with CONDSTORE or QRESYNC (`session`): imapclient has neither.
- IDLE: imapclient loses notifications that arrive in two segments (its issues 449 and 519) and
  spins on a closed socket (565). Here the wait also ends on a wake-up.
- LIST: imapclient can't request special uses, and a name without the required quotes shifts all
  names after it. imaplib takes 12 s for 300,000 folders.
- LOGOUT is sent without waiting for the answer: a program that ends must not hang on an
  unreachable server.

Errors are `KnownError`: `Refusal` for NO, SERVER_BROKEN for everything that violates the protocol.
"""

from __future__ import annotations

import imaplib
import re
import ssl
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from imapclient import IMAPClient, SocketTimeout

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.protocol.imap_socket import ImapSocket, connect_socket
from nbmail.sync.imap.protocol.names import astring
from nbmail.sync.imap.protocol.refusals import ConnectionRejected, Refusal, translating_errors
from nbmail.sync.wake_signal import WakeSignal

# One response of the server: text, literal, text, …: literals have odd indexes.
Reply = list[bytes]

# A larger literal is an error or an attack. Of a smaller one the part beyond the requested size is
# skipped.
MAX_LITERAL = 256_000_000
# A valid answer that is kept in memory has fewer lines: QRESYNC lists each message that changed.
MAX_REPLIES = 1_000_000
# Folders to keep: 300,000 of them take 160 MB and, in a list with choices, minutes.
MAX_FOLDERS = 2000
FOLDERS_PER_REPORT = 5000
# FETCH commands in flight, so that the server works while the client does.
WINDOW = 2
_SPECIAL_USE = re.compile(
    rb"\* LIST \([^)]*\\(?:junk|trash|sent|drafts|archive|all)\b", re.IGNORECASE
)
_CHANGES = (b"EXISTS", b"EXPUNGE", b"FETCH")
_LITERAL = re.compile(rb"\{(\d{1,19})\+?\}\Z")

# The type stubs lack the methods that imaplib lets a subclass replace.
_Imaplib: Any = imaplib.IMAP4


class ImapConnection(_Imaplib):  # type: ignore[misc]
    """imaplib with own socket, IDLE and FETCH.

    `unsolicited`: kinds of responses that no command requested.
    """

    sock: ImapSocket
    welcome = b""

    def __init__(self, client: ImapClient, connect_timeout: float) -> None:
        self.max_literal = MAX_LITERAL
        self.unsolicited: set[str] = set()
        self._client = client
        self._reply_count = 0
        self._unsent = b""
        try:
            super().__init__(client.host, client.port, connect_timeout)
        except KnownError as error:
            sock = getattr(self, "sock", None)
            if sock is not None and sock.hung_up and not self.welcome:
                raise ConnectionRejected(error.error_code, error.detail) from error
            raise
        # Raw bytes: some servers don't encode folder names as modified UTF-7.
        self._encoding = "latin-1"
        # Otherwise imaplib raises an error at each command in a read-only folder.
        self.is_readonly = True

    def open(self, host: str = "", port: int = 993, timeout: float | None = None) -> None:
        self.host = host
        self.port = port
        self.sock = connect_socket(host, port, self._client.wake_signal, timeout or 0.0)
        if self._client.ssl:
            self._encrypt(self._client.ssl_context)

    def read(self, size: int) -> bytes:
        """Return the first `max_literal` bytes of a literal and skip the others."""
        if size > MAX_LITERAL:
            raise KnownError(ErrorCode.SERVER_BROKEN, f"it announces {size} bytes")
        literal = self.sock.read(min(size, self.max_literal))
        self.sock.skip(size - len(literal))
        return literal

    def send(self, data: bytes) -> None:
        """Send a command when its line end arrives: imapclient sends that separately."""
        self._unsent += data
        if data.endswith(b"\n"):
            command = self._unsent
            self._unsent = b""
            self.sock.send(command)

    def shutdown(self) -> None:
        self.sock.close()

    def logout(self) -> Any:
        """Send LOGOUT and close the connection without waiting for the answer."""
        self.sock.close(b"Z LOGOUT\r\n")
        return "BYE", [b""]

    def starttls(self, ssl_context: ssl.SSLContext | None = None) -> Any:
        """Start TLS and drop everything received before."""
        answer = self._simple_command("STARTTLS")
        self.untagged_responses.clear()
        self._encrypt(ssl_context)
        self._client.awaits_tls = False
        self._get_capabilities()
        return answer

    def pipeline(self, commands: Iterable[bytes]) -> Iterator[Reply]:
        """Send FETCH commands, `WINDOW` at a time, and yield all untagged responses.

        The UID in a response identifies its message: a server may interleave the responses of two
        commands. NO doesn't end the loop, because one message that the server can't read must not
        hide the others.
        """
        waiting = iter(commands)
        pending = {self._send_command(command) for command in islice(waiting, WINDOW)}
        while pending:
            reply = self.receive()
            tag = reply[0].partition(b" ")[0]
            if tag not in pending:
                self._note_unsolicited(reply[0], expected="FETCH")
                yield reply
                continue

            with suppress(Refusal):
                self._check(tag, reply)
            pending.discard(tag)
            for command in islice(waiting, 1):
                pending.add(self._send_command(command))

    def _check(self, tag: bytes, reply: Reply) -> None:
        """Raise an error unless the answer to a command is OK."""
        del self.tagged_commands[tag]
        answer = reply[0].partition(b" ")[2]
        if answer[:2].upper() == b"NO":
            raise Refusal(answer[3:])
        if answer[:2].upper() != b"OK":
            raise KnownError(ErrorCode.SERVER_BROKEN, answer.decode("utf-8", "replace")[:300])

    def list_folders(
        self,
        *,
        options: Collection[bytes],
        wanted: Collection[bytes],
        on_count: Callable[[int], None],
    ) -> list[Reply]:
        """Return the responses to LIST.

        Beyond the first `MAX_FOLDERS`, only special uses and `wanted` names are returned.
        `options`: what to return besides; STATUS responses of the first `MAX_FOLDERS` follow the
        others. `on_count` is called with the number of folders after every `FOLDERS_PER_REPORT`,
        and at the end if some were left out.
        """
        command = b'LIST "" "*"'
        if options:
            command += b" RETURN (%s)" % b" ".join(options)
        tag = self._send_command(command)

        folders = list[Reply]()
        states = list[Reply]()
        count = 0
        other_count = 0
        while True:
            reply = self.receive()
            line = reply[0]
            if line.startswith(tag + b" "):
                break
            if line[:9].upper() == b"* STATUS " and len(states) < MAX_FOLDERS:
                states.append(reply)
            elif line[:7].upper() != b"* LIST ":
                other_count += 1
                self._note_unsolicited(line)
            else:
                count += 1
                if count <= MAX_FOLDERS or _is_wanted(reply, wanted):
                    folders.append(reply)
                if count % FOLDERS_PER_REPORT == 0:
                    on_count(count)
            if count + other_count > MAX_REPLIES:
                raise KnownError(ErrorCode.SERVER_BROKEN, "an answer without end")

        self._check(tag, reply)
        if count > len(folders):
            on_count(count)
        return folders + states

    def begin_status(self, name: bytes) -> bytes:
        """Request UIDVALIDITY and UIDNEXT of a folder without waiting. Return the command's tag.

        Another command can follow at once. Both responses are in `untagged_responses` then.
        """
        return self._send_command(b"STATUS " + astring(name) + b" (UIDVALIDITY UIDNEXT)")

    def end_status(self, tag: bytes) -> None:
        """Wait for the end of STATUS. Raise `Refusal` if the server refused it."""
        self._command_complete("STATUS", tag)

    def begin_idle(self) -> bytes:
        tag: bytes = self._command("IDLE")
        while self._get_response() is not None:  # None stands for the expected "+".
            if self.tagged_commands[tag]:
                raise Refusal(self.tagged_commands.pop(tag)[1][0])
        return tag

    def process_received(self, tag: bytes = b"") -> None:
        """Process received lines without waiting. Raise `Refusal` if the server ended this IDLE."""
        while self.sock.holds_line():
            line = self.receive()[0]
            if tag and line.startswith(tag + b" "):
                del self.tagged_commands[tag]
                raise Refusal(b"the server ended IDLE")
            self._note_unsolicited(line)

    def end_idle(self, tag: bytes) -> None:
        self.send(b"DONE\r\n")
        self._command_complete("IDLE", tag)

    def receive(self) -> Reply:
        """Return the next response, tagged or not, with its literals."""
        line = self._read_line()
        reply = [line]
        while line.endswith(b"}"):
            found = _LITERAL.search(line)
            if found is None:
                break
            reply.append(self.read(int(found[1])))
            line = self.sock.readline()
            reply.append(line)
        return reply

    def _connect(self) -> None:
        with translating_errors():
            super()._connect()

    def _get_capabilities(self) -> None:
        """Request capabilities, but never before STARTTLS: unprotected answers can be forged."""
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

    def _send_command(self, command: bytes) -> bytes:
        tag: bytes = self._new_tag()
        self.send(tag + b" " + command + b"\r\n")
        return tag

    def _new_tag(self) -> Any:
        """Drop responses of earlier commands, which would be taken for those of the new one."""
        self.untagged_responses.clear()
        self._reply_count = 0
        return super()._new_tag()

    def _get_response(self) -> Any:
        with translating_errors():
            return super()._get_response()

    def _command_complete(self, name: str, tag: bytes) -> Any:
        with translating_errors():
            kind, data = super()._command_complete(name, tag)
        if kind == "NO":
            raise Refusal(data[0])
        return kind, data

    def _get_line(self) -> bytes:
        line = self._read_line()
        self._note_unsolicited(line)
        # imaplib requires a text after OK, which some servers omit.
        return line + b" " if line.count(b" ") == 1 else line

    def _read_line(self) -> bytes:
        line: bytes = self.sock.readline()
        if line[:5].upper() == b"* BYE":
            text = line[6:].decode("utf-8", "replace")[:300]
            if self.welcome:
                raise KnownError(ErrorCode.SERVER_GONE, text)
            raise ConnectionRejected(ErrorCode.SERVER_REFUSED, text)
        return line

    def _append_untagged(self, kind: str, data: Any) -> None:
        self._reply_count += 1
        if self._reply_count > MAX_REPLIES:
            raise KnownError(ErrorCode.SERVER_BROKEN, "an answer without end")
        if kind == "CLOSED":
            # Earlier responses belong to the folder that was open before, except a state that was
            # requested together with this folder.
            status = self.untagged_responses.pop("STATUS", None)
            self.untagged_responses.clear()
            if status is not None:
                self.untagged_responses["STATUS"] = status
        elif kind == "SEARCH" and kind in self.untagged_responses:
            # imapclient expects one response; some servers split it.
            data = (self.untagged_responses.pop(kind)[0] + b" " + data).strip()
        super()._append_untagged(kind, data)

    def _log(self, line: str) -> None:
        """Do nothing: imaplib keeps the last ten lines in memory, including the password."""

    def _note_unsolicited(self, line: bytes, expected: str = "") -> None:
        """Note changes of the open folder, except responses of the `expected` kind."""
        words = line[:80].upper().split(b" ", 3)
        if len(words) > 2 and words[1].isdigit() and words[2] in _CHANGES:
            kind = words[2].decode()
            if kind != expected:
                self.unsolicited.add(kind)
        elif len(words) > 1 and words[1] == b"VANISHED":
            self.unsolicited.add("EXPUNGE")


def _is_wanted(reply: Reply, names: Collection[bytes]) -> bool:
    """True for a folder with a special use or one of these names."""
    if _SPECIAL_USE.match(reply[0]):
        return True
    text = b" ".join(reply)
    return any(name in text for name in names)


class ImapClient(IMAPClient):  # type: ignore[misc]
    """imapclient on an `ImapConnection`. Folder names are raw bytes decoded as latin-1."""

    def __init__(
        self,
        host: str,
        port: int,
        wake_signal: WakeSignal,
        timeout: SocketTimeout,
        *,
        tls: ssl.SSLContext | None,
        upgrade: bool,
    ) -> None:
        self.wake_signal = wake_signal
        self.awaits_tls = upgrade
        super().__init__(
            host, port, ssl=tls is not None and not upgrade, ssl_context=tls, timeout=timeout
        )
        self.folder_encode = False
        # Otherwise imapclient logs every line.
        self._imap.debug = 0

    @property
    def connection(self) -> ImapConnection:
        imap: ImapConnection = self._imap
        return imap

    def _create_IMAP4(self) -> ImapConnection:
        return ImapConnection(self, self._timeout.connect)
