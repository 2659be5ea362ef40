"""Commands and answers: tags, literals, and what NO, BAD and BYE mean. One path for everything that is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

from nbmail.errors import KnownError, Trouble
from nbmail.sync.connection.imap_socket import Wire

# A reply of the server: text, literal, text, …: literals stand at the odd places.
Reply = list[bytes]

# Beyond this a literal is a lie or an attack; below it, what is more than was asked for is let pass unread.
LARGEST_LITERAL = 256_000_000
WINDOW = 2
# No honest answer that is kept whole has more lines: QRESYNC names each message that changed.
MOST_REPLIES = 1_000_000

_NEWS = (b"EXISTS", b"EXPUNGE", b"FETCH")
_CODE = re.compile(rb"\[([A-Z0-9.-]+)")


class Refusal(KnownError):
    """The server said NO. `code` is its reason in one word ("OVERQUOTA"), where it gave one."""

    def __init__(self, answer: bytes) -> None:
        found = _CODE.match(answer)
        self.code = found.group(1).decode() if found else ""
        trouble = Trouble.MAILBOX_FULL if self.code == "OVERQUOTA" else Trouble.SERVER_REFUSED
        super().__init__(trouble, answer.decode("utf-8", "replace")[:300])


class Talk:
    """The conversation with one server over one wire.

    `news` collects what the server told of the open folder without being asked: "EXISTS", "EXPUNGE", "FETCH".
    `touched` are the numbers, as they are now, of the messages whose flags it told of.
    """

    def __init__(self, wire: Wire, largest_literal: int = LARGEST_LITERAL) -> None:
        self.wire = wire
        self.news: set[str] = set()
        self.touched: set[int] = set()
        self._largest = largest_literal
        self._number = 0

    def ask(self, *parts: bytes) -> list[Reply]:
        """Say it and collect the untagged answers; the tagged line comes last, without its tag and OK.

        The parts are text, literal, text, …: a literal is sent once the server is ready for it.
        """
        return self.rest(self.begin(*parts))

    def rest(self, tag: bytes) -> list[Reply]:
        """All the answers up to the one with this tag."""
        replies: list[Reply] = []
        while not (reply := self.receive())[0].startswith(tag + b" "):
            self.notice(reply[0])
            replies.append(reply)
            if len(replies) > MOST_REPLIES:
                raise KnownError(Trouble.SERVER_BROKEN, "an answer without end")
        return [*replies, [self.judge(reply[0])]]

    def flow(self, commands: Iterable[bytes]) -> Iterator[Reply]:
        """Say them two at a time, so that the server works while we do, and yield the untagged answers.

        An answer tells by its UID what it belongs to: a server may mix those of two commands. A NO is no end: one
        message that the server can't read must not hide all the others.
        """
        waiting = iter(commands)
        pending = {self.begin(command) for command in islice(waiting, WINDOW)}
        while pending:
            reply = self.receive()
            tag = reply[0].partition(b" ")[0]
            if tag not in pending:
                self.notice(reply[0], asked="FETCH")
                yield reply
                continue
            pending.discard(tag)
            with suppress(Refusal):
                self.judge(reply[0])
            pending |= {self.begin(command) for command in islice(waiting, 1)}

    def begin(self, *parts: bytes) -> bytes:
        """Send a command and return its tag."""
        self._number += 1
        tag = b"N%d" % self._number
        text = tag + b" " + parts[0]
        for literal, tail in zip(parts[1::2], (*parts[2::2], b""), strict=False):
            self.wire.send(text + b"{%d}\r\n" % len(literal))
            self.expect_go_ahead(tag)
            text = literal + tail
        self.wire.send(text + b"\r\n")
        return tag

    def expect_go_ahead(self, tag: bytes) -> bytes:
        """Wait for the server's `+`; what it says with it."""
        while True:
            line = self.receive()[0]
            if line.startswith(b"+"):
                return line[1:].strip()
            if line.startswith(tag + b" "):
                self.judge(line)
                raise KnownError(Trouble.SERVER_BROKEN, "it answered before it was asked")
            self.notice(line)

    def receive(self) -> Reply:
        """The next reply, tagged or not, with its literals."""
        line = self.wire.readline()
        if line[:5].upper() == b"* BYE":
            raise KnownError(Trouble.SERVER_GONE, line[6:].decode("utf-8", "replace")[:300])
        reply = [line]
        while line.endswith(b"}") and (size := _literal_size(line)) is not None:
            reply.append(self._literal(size))
            line = self.wire.readline()
            reply.append(line)
        return reply

    def judge(self, line: bytes) -> bytes:
        """What a tagged line says behind its OK. NO raises `Refusal`, anything else `KnownError`."""
        _, _, answer = line.partition(b" ")
        word, _, text = answer.partition(b" ")
        if word.upper() == b"OK":
            return text
        if word.upper() == b"NO":
            raise Refusal(text)
        raise KnownError(Trouble.SERVER_BROKEN, answer.decode("utf-8", "replace")[:300])

    def _literal(self, size: int) -> bytes:
        if size > LARGEST_LITERAL:
            raise KnownError(Trouble.SERVER_BROKEN, f"it announces {size} bytes")
        literal = self.wire.read(min(size, self._largest))
        self.wire.skip(size - len(literal))
        return literal

    def notice(self, line: bytes, asked: str = "") -> None:
        """Remember what an untagged line says of the open folder, unless it was asked for."""
        words = line[:80].upper().split(b" ", 3)
        if len(words) > 2 and words[1].isdigit() and words[2] in _NEWS:
            self.news |= {words[2].decode()} - {asked}
            self._number_anew(int(words[1]), words[2], asked)
        elif len(words) > 1 and words[1] == b"VANISHED":
            self.news.add("EXPUNGE")

    def forget_news(self) -> None:
        """The folder is opened, or left: nothing that was told before counts any more."""
        self.news.clear()
        self.touched.clear()

    def _number_anew(self, number: int, what: bytes, asked: str) -> None:
        if what == b"FETCH" and asked != "FETCH":
            self.touched.add(number)
        elif what == b"EXPUNGE" and self.touched:
            self.touched = {each - (each > number) for each in self.touched if each != number}


def quote(text: bytes) -> bytes:
    """A quoted string. What no quoted string can hold is an error, never an injection."""
    if any(byte in text for byte in (b"\r", b"\n", b"\0")):
        raise KnownError(Trouble.BAD_INPUT, "a line break in a name")
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def _literal_size(line: bytes) -> int | None:
    digits = line[line.rfind(b"{") + 1 : -1].removesuffix(b"+")
    return int(digits) if digits.isdigit() and len(digits) < 20 else None
