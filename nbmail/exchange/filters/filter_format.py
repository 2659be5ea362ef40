"""Base class of the formats of other filters.

Each filter splits mail in its own way. A word of a file is shared with nbmail if both programs
extract it from the same text. Shared are plain words of the body and, by their prefix, of some
headers. Any other word is stored with the name of its format as prefix ("bogofilter:head:plain").
No message contains such a word, so it affects no score. Its counts are added and undone like all
others, and it is exported to that format unchanged.

A word may differ from nbmail's ("hello") only in capitals or surrounding punctuation ("Hello"). It
is also stored ("bogofilter+:Hello"), and its counts are added to nbmail's word. An export subtracts
them again. A message with both is counted twice. With a bogofilter list learned from 2,000
messages, this reduced 1-AUC on SpamAssassin's corpus from 0.83 % to 0.26 %.
"""

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, ClassVar

from nbmail.chunks import batches
from nbmail.core.words.splitting import split_words
from nbmail.core.words.word_table import LONGEST_WORD
from nbmail.exchange import COUNTED_MARK, PREFIX_MARK
from nbmail.exchange.filters.token_counts import CHUNK, TokenCounts
from nbmail.exchange.text_lines import has_odd_bytes
from nbmail.values import HAM, SPAM

_IN_CAPITALS = re.compile(r"[A-Z]{3,24}")
_SUBJECT = "subject:"

TokenReading = Generator[None, None, TokenCounts]


class FilterFormat:
    """A format of model files of another filter: its name, its words and its file layout."""

    name: ClassVar[str]
    start: ClassVar[re.Pattern[bytes]]
    """Pattern of the beginning of a file."""
    places: ClassVar[Mapping[str, str]] = {"": ""}
    """Prefixes of its words that nbmail shares, with nbmail's prefixes."""
    lengths: ClassVar[tuple[int, int]] = (1, LONGEST_WORD)
    """Shortest and longest shared words, without the prefix."""
    two_way: ClassVar[bool] = True
    """True if files of this format can be written, so that its other words are stored for it."""
    folds: ClassVar[bool] = False
    """True if the filter ignores capitals and punctuation, like nbmail."""
    classes: ClassVar[tuple[str, ...] | None] = (SPAM, HAM)
    """Classes in its files; None for any."""
    note: ClassVar[str | None] = None
    """Prefix of entries that aren't words, but are stored and exported like words."""

    def read(self, file: BinaryIO) -> TokenReading:
        """Read a file in chunks. An invalid one raises `Unreadable` or an error of `INVALID`."""
        raise NotImplementedError

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        """Yield the bytes of a file with these words, in chunks. `now`: time of the export."""
        raise NotImplementedError

    def word_of(self, token: str) -> str | None:
        """Return nbmail's word for a word of the filter; None without one."""
        place, colon, rest = token.rpartition(":")
        ours = self.places.get(place + colon)
        if ours is None or not self._is_shared(ours, rest):
            return None
        return ours + rest

    def token_of(self, word: str) -> str | None:
        """Return the filter's word for a word of nbmail, or for one stored for the filter.

        None without one.
        """
        for prefix in (self.name + PREFIX_MARK, self.name + COUNTED_MARK):
            if word.startswith(prefix):
                return word.removeprefix(prefix)

        place, colon, rest = word.partition(":")
        if not colon:
            place = ""
            rest = word
        for theirs, ours in self.places.items():
            if ours == place + colon:
                return theirs + rest if self._is_shared(ours, rest) else None
        return None

    def folded_word_of(self, token: str) -> str | None:
        """Return nbmail's word that differs only in capitals or surrounding punctuation.

        None without one. A word of another encoding has none: the characters that stand for its
        bytes would split it.
        """
        if self.folds or has_odd_bytes(token):
            return None
        place, colon, rest = token.rpartition(":")
        if len(rest) > LONGEST_WORD:
            return None
        words = split_words(rest)
        if len(words) != 1:
            return None
        return self.word_of(place + colon + words[0])

    def words_of(
        self, tokens: Sequence[str], own: Iterable[str]
    ) -> Generator[None, None, list[str | None]]:
        """Return nbmail's words for words of the filter. `own`: all known words."""
        found: list[str | None] = []
        for some in batches(tokens, CHUNK):
            found += map(self.word_of, some)
            yield
        return found

    def _is_shared(self, place: str, rest: str) -> bool:
        """True if both programs extract this word from the same text. `place`: nbmail's prefix."""
        shortest, longest = self.lengths
        if not shortest <= len(rest) <= longest:
            return False
        if split_words(rest) == [rest]:
            return True
        return place == _SUBJECT and _IN_CAPITALS.fullmatch(rest) is not None
