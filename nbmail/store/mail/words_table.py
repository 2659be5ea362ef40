"""Table of the vocabulary."""

from collections.abc import Generator, Iterator, Sequence
from functools import cache

from nbmail.chunks import drain
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.store.files.columns import storable
from nbmail.store.files.connection import Connection
from nbmail.store.files.settings_table import SettingsTable

# Words read at once: about 4 ms.
WORDS_READ = 20_000
# Words written at once. Few sizes, since each is a statement that SQLite compiles and caches.
_WORDS_WRITTEN = (400, 20, 1)
# Setting with the phrases that are counted in all samples.
_COUNTED = "counted_phrases"
_CHUNK = "FROM (SELECT word FROM words WHERE number >= ? ORDER BY number LIMIT ?)"


class WordsTable:
    """Vocabulary, which is in memory. Transactions that use new words write them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._settings = SettingsTable(connection)
        self._written = 0
        self._vocabulary: Vocabulary | None = None

    def __len__(self) -> int:
        return self._connection.number("SELECT count(*) FROM words")

    @property
    def vocabulary(self) -> Vocabulary:
        """All words, loaded at the first call. All samples of this store use this vocabulary."""
        if self._vocabulary is None:
            drain(self.loading())
            assert self._vocabulary is not None
        return self._vocabulary

    def loading(self) -> Generator[None, None, None]:
        """Load all words in chunks, unless they are loaded."""
        if self._vocabulary is not None:
            return
        vocabulary = Vocabulary()
        for words in self.chunks():
            vocabulary.numbers_of(words)
            yield
        if self._vocabulary is None:
            vocabulary.phrases = self.counted_phrases
            self._written = len(vocabulary)
            self._vocabulary = vocabulary

    @property
    def counted_phrases(self) -> tuple[str, ...]:
        return tuple(self._settings.get(_COUNTED, []))

    def note_counted(self, phrases: Sequence[str]) -> None:
        """Store that these phrases are counted in all samples. Joins a transaction in progress."""
        self._settings.set(_COUNTED, phrases)

    def chunks(self) -> Iterator[list[str]]:
        for first in range(0, len(self), WORDS_READ):
            yield self._load(first)

    def write(self) -> None:
        """Write the words added since the last write, inside the transaction that uses them."""
        first = self._written
        new = self.vocabulary.words_from(first)
        if not new:
            return
        joined = "".join(new)
        words = new if storable(joined) == joined else list(map(storable, new))
        begin = 0
        for size in _WORDS_WRITTEN:
            while begin + size <= len(words):
                values = (first + begin, *words[begin : begin + size])
                self._connection.execute(_insertion(size), values)
                begin += size

        def forget() -> None:
            self._written = first

        self._connection.when_rolled_back.append(forget)
        self._written = first + len(new)

    def _load(self, first: int) -> list[str]:
        """Load words from this number on."""
        chunk = (first, WORDS_READ)
        # One joined text takes a third of the time of one row for each word.
        query = f"SELECT count(*), coalesce(group_concat(word, char(10)), '') {_CHUNK}"
        count, joined = self._connection.rows(query, chunk)[0]
        words: list[str] = joined.split("\n")
        if len(words) == count:
            return words
        return self._connection.column(f"SELECT word {_CHUNK}", chunk)


@cache
def _insertion(rows: int) -> str:
    """Return a statement for the number of the first word, and `rows` words."""
    # A third of the time of one row each.
    values = ", ".join(f"(?1 + {row}, ?{row + 2})" for row in range(rows))
    return f"INSERT INTO words VALUES {values}"
