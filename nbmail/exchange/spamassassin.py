"""Backups of SpamAssassin, written by `sa-learn --backup` and read by `sa-learn --restore`.

The lines are tab-separated: `v NUMBER NAME`, `t JUNK GOOD TIME TOKEN`, and `s s|h MESSAGE-ID` for learned messages.
Since version 3 a token is the last ten digits of its SHA-1. All known words are hashed to find the matching ones; the
other tokens are stored as hashes. `--restore` hashes the plain words of version 2, so version 2 is written unless
hashes have to be exported. Times of tokens, which control their expiry, are not imported.

SpamAssassin treats the subject as part of the body, so nbmail's subject words have no tokens.
"""

import hashlib
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import BinaryIO

from nbmail.exchange.files import Unreadable, as_bytes, lines_of, reader_of, refuse_long
from nbmail.exchange.tables import CHUNK, FileFormat, TokenCounts, TokenReading, TokenTable, encoded, parse_count

# Prefixes that no token has: of a hash, and of the Message-ID of a learned message.
_HASH, _SEEN = "#", "="
_FIRST_LINE = re.compile(rb"v\t[23]\tdb_version")
_HASHED = re.compile(r"[0-9a-f]{10}")
_KINDS = {"s": (1, 0), "h": (0, 1)}
_DIGITS = 10


class SpamAssassin(FileFormat):
    """The text of `sa-learn --backup`."""

    name = "spamassassin"
    lengths = (3, 15)
    folds = True
    note = _SEEN

    def recognises(self, start: bytes) -> bool:
        return _FIRST_LINE.match(start) is not None

    def reading(self, file: BinaryIO) -> TokenReading:
        """Read a backup of version 2 or 3."""
        table, messages = TokenTable(), dict[str, int]()
        refuse_long(file)
        with reader_of(file, "\n") as text:
            lines = lines_of(text)
            hashed = next(lines, "").startswith("v\t3")
            for number, line in enumerate(lines):
                kind, *values = line.split("\t", 4 if line.startswith("t") else 2)
                if kind == "v" and len(values) == 2 and values[1] in ("num_spam", "num_nonspam"):
                    if messages.setdefault(values[1], parse_count(values[0])) != parse_count(values[0]):
                        raise Unreadable("it has the number of messages twice")
                elif kind == "t" and len(values) == 4:
                    table.add(_stored(values[3], hashed), (parse_count(values[0]), parse_count(values[1])))
                    table.drop("dates")
                elif kind == "s" and len(values) == 2 and values[0] in _KINDS:
                    table.add(_SEEN + values[1], _KINDS[values[0]])
                elif kind != "v":
                    raise Unreadable(f"line {number + 2} is not a line of a backup")
                if number % CHUNK == 0:
                    yield
        if len(messages) != 2:
            raise Unreadable("it doesn't have the numbers of messages")
        return table.finish((messages["num_spam"], messages["num_nonspam"]))

    def words_of(self, tokens: Sequence[str], own: Iterable[str]) -> Generator[None, None, list[str | None]]:
        """Return nbmail's words for tokens. Hashes are compared with those of all known words."""
        found = yield from super().words_of(tokens, ())
        wanted = {token: place for place, token in enumerate(tokens) if token.startswith(_HASH)}
        for number, word in enumerate(own if wanted else ()):
            token = self.token_of(word)
            place = None if token is None or token[0] in _HASH + _SEEN else wanted.get(_HASH + _hash(token))
            if place is not None:
                found[place] = word
            if number % CHUNK == 0:
                yield
        return found

    def word_of(self, token: str) -> str | None:
        return None if token[0] in _HASH + _SEEN else super().word_of(token)

    def writing(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield a backup of version 3 if it contains hashes, otherwise of version 2."""
        hashed = any(token.startswith(_HASH) for token in counts.tokens)
        junk, good = counts.messages
        head = f"v\t{3 if hashed else 2}\tdb_version # this must be the first line!!!\n"
        yield f"{head}v\t{junk}\tnum_spam\nv\t{good}\tnum_nonspam\n".encode()
        seen, both = list[str](), dict[str, tuple[int, int]]()
        for number, (token, (junk, good)) in enumerate(zip(counts.tokens, counts.documents.T.tolist(), strict=True)):
            if token.startswith(_SEEN):
                seen.append(f"s\t{'s' if junk else 'h'}\t{token[1:]}\n")
                continue
            # A word that was learned after its hash was imported has the same entry.
            written = token.removeprefix(_HASH) if token.startswith(_HASH) or not hashed else _hash(token)
            before = both.get(written, (0, 0))
            both[written] = (junk + before[0], good + before[1])
            if number % CHUNK == 0:
                yield b""
        yield from encoded(f"t\t{junk}\t{good}\t{int(now)}\t{token}\n" for token, (junk, good) in both.items())
        yield from encoded(iter(seen))


def _stored(token: str, hashed: bool) -> str:
    """Return a token as it is stored: hashes with a prefix."""
    if hashed:
        if _HASHED.fullmatch(token) is None:
            raise Unreadable("a token is not a hash")
        return _HASH + token
    if token[:1] in (_HASH, _SEEN, ""):
        raise Unreadable("a token is not one of SpamAssassin")
    return token


def _hash(token: str) -> str:
    """Return the last five bytes of the SHA-1 in hexadecimal digits."""
    return hashlib.sha1(as_bytes(token), usedforsecurity=False).hexdigest()[-_DIGITS:]
