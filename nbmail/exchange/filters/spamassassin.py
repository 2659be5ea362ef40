"""Backups of SpamAssassin's database of words."""

import hashlib
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import BinaryIO

from nbmail.exchange.files import Unreadable
from nbmail.exchange.filters.filter_format import FilterFormat, TokenReading
from nbmail.exchange.filters.token_counts import (
    CHUNK,
    MOST_TOKENS,
    TokenCounts,
    TokenTable,
    encoded,
    parse_count,
)
from nbmail.exchange.text_lines import as_bytes, lines_of, reader_of, refuse_long

# Prefixes that no token has: of a hash, and of the Message-ID of a learned message.
_HASH = "#"
_SEEN = "="
_HASHED = re.compile(r"[0-9a-f]{10}")
_DIGITS = 10
_KINDS = {"s": (1, 0), "h": (0, 1)}
_SPAM_MESSAGES = "num_spam"
_HAM_MESSAGES = "num_nonspam"


class SpamAssassin(FilterFormat):
    """Backups, written by `sa-learn --backup` and read by `sa-learn --restore`.

    The lines are tab-separated: `v NUMBER NAME`, `t SPAM HAM TIME TOKEN`, and `s s|h MESSAGE-ID`
    for learned messages. Since version 3 a token is the last ten digits of its SHA-1. All known
    words are hashed to find the matching ones; the other tokens are stored as hashes. `--restore`
    hashes the plain words of version 2, so version 2 is written unless hashes have to be exported.
    Times of tokens, which control their expiry, are not imported.

    SpamAssassin treats the subject as part of the body, so nbmail's subject words have no tokens.
    """

    name = "spamassassin"
    start = re.compile(rb"v\t[23]\tdb_version")
    lengths = (3, 15)
    folds = True
    note = _SEEN

    def read(self, file: BinaryIO) -> TokenReading:
        refuse_long(file, MOST_TOKENS)
        with reader_of(file, "\n") as text:
            lines = lines_of(text)
            is_hashed = next(lines, "").startswith("v\t3")
            backup = _Backup(is_hashed=is_hashed)
            for number, line in enumerate(lines):
                if not backup.take(line):
                    raise Unreadable(f"line {number + 2} is not a line of a backup")
                if number % CHUNK == 0:
                    yield
        return backup.counts()

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield a backup of version 3 if it contains hashes, otherwise of version 2."""
        is_hashed = any(token.startswith(_HASH) for token in counts.tokens)
        yield _head(counts.messages, version=3 if is_hashed else 2)

        learned = []
        tokens = dict[str, tuple[int, int]]()
        for number, (token, (spam, ham)) in enumerate(counts.rows()):
            if token.startswith(_SEEN):
                kind = "s" if spam else "h"
                learned.append(f"s\t{kind}\t{token.removeprefix(_SEEN)}\n")
            else:
                # A word that was learned after its hash was imported has the same entry.
                written = _written(token, is_hashed=is_hashed)
                spam_before, ham_before = tokens.get(written, (0, 0))
                tokens[written] = (spam + spam_before, ham + ham_before)
            if number % CHUNK == 0:
                yield b""

        moment = int(now)
        yield from encoded(
            f"t\t{spam}\t{ham}\t{moment}\t{token}\n" for token, (spam, ham) in tokens.items()
        )
        yield from encoded(learned)

    def words_of(
        self, tokens: Sequence[str], own: Iterable[str]
    ) -> Generator[None, None, list[str | None]]:
        """Return nbmail's words for tokens. Hashes are compared with those of all known words."""
        found = yield from super().words_of(tokens, ())
        places = {token: place for place, token in enumerate(tokens) if token.startswith(_HASH)}
        if not places:
            return found

        for number, word in enumerate(own):
            token = self.token_of(word)
            if token is not None and not _is_marked(token):
                place = places.get(_HASH + _hash(token))
                if place is not None:
                    found[place] = word
            if number % CHUNK == 0:
                yield
        return found

    def word_of(self, token: str) -> str | None:
        return None if _is_marked(token) else super().word_of(token)


class _Backup:
    """Collects the lines of a backup."""

    def __init__(self, *, is_hashed: bool) -> None:
        self._is_hashed = is_hashed
        self._table = TokenTable()
        self._messages = dict[str, int]()

    def take(self, line: str) -> bool:
        """Add a line. False if it is none of a backup."""
        # Tokens may contain tabs.
        kind, *values = line.split("\t", 4 if line.startswith("t") else 2)
        if kind == "t" and len(values) == 4:
            self._add_token(*values)
            return True
        if kind == "s" and len(values) == 2 and values[0] in _KINDS:
            self._table.add(_SEEN + values[1], _KINDS[values[0]])
            return True
        if kind == "v" and len(values) == 2 and values[1] in (_SPAM_MESSAGES, _HAM_MESSAGES):
            self._set_messages(values[1], parse_count(values[0]))
        return kind == "v"

    def _add_token(self, spam: str, ham: str, _: str, token: str) -> None:
        stored = _stored(token, is_hashed=self._is_hashed)
        self._table.add(stored, (parse_count(spam), parse_count(ham)))

    def _set_messages(self, name: str, count: int) -> None:
        if self._messages.setdefault(name, count) != count:
            raise Unreadable("it has the number of messages twice")

    def counts(self) -> TokenCounts:
        if len(self._messages) != 2:
            raise Unreadable("it doesn't have the numbers of messages")
        return self._table.finish((self._messages[_SPAM_MESSAGES], self._messages[_HAM_MESSAGES]))


def _head(messages: Sequence[int], version: int) -> bytes:
    spam, ham = messages
    first = f"v\t{version}\tdb_version # this must be the first line!!!\n"
    return f"{first}v\t{spam}\t{_SPAM_MESSAGES}\nv\t{ham}\t{_HAM_MESSAGES}\n".encode()


def _stored(token: str, *, is_hashed: bool) -> str:
    """Return a token as it is stored: hashes with a prefix."""
    if is_hashed:
        if _HASHED.fullmatch(token) is None:
            raise Unreadable("a token is not a hash")
        return _HASH + token
    if not token or _is_marked(token):
        raise Unreadable("a token is not one of SpamAssassin")
    return token


def _written(token: str, *, is_hashed: bool) -> str:
    """Return a stored token as the file contains it."""
    if token.startswith(_HASH):
        return token.removeprefix(_HASH)
    return _hash(token) if is_hashed else token


def _is_marked(token: str) -> bool:
    """True for a hash and for a learned message."""
    return token.startswith((_HASH, _SEEN))


def _hash(token: str) -> str:
    return hashlib.sha1(as_bytes(token), usedforsecurity=False).hexdigest()[-_DIGITS:]
