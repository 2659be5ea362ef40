"""Import of the counts of another filter: its words become words of a model."""

from collections.abc import Generator, Iterable, Sequence
from operator import add

import numpy as np

from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.exchange import COUNTED_MARK, PREFIX_MARK
from nbmail.exchange.filters.filter_format import FilterFormat
from nbmail.exchange.filters.token_counts import CHUNK, TokenCounts
from nbmail.exchange.model_file import ModelFile
from nbmail.exchange.model_tables import ModelTables
from nbmail.method_spec import DEFAULT


def import_counts(
    layout: FilterFormat, counts: TokenCounts, own: Iterable[str]
) -> Generator[None, None, ModelFile]:
    """Convert the words of another filter to a model.

    Shared words get nbmail's names, others a prefix.
    Counts of a word in another spelling are also added to nbmail's word, unless its total would be
    too large. `own`: all known words.
    """
    words = yield from layout.words_of(counts.tokens, own)
    rows = [row for row, messages in enumerate(counts.messages) if messages]
    messages = [counts.messages[row] for row in rows]
    documents = counts.documents[rows]
    sums = _SpellingSums(words, documents.T.tolist(), messages)

    names = []
    added = 0
    for number, (token, word) in enumerate(zip(counts.tokens, words, strict=True)):
        if word is not None:
            names.append(word)
        elif sums.add_spelling(layout.folded_word_of(token), number):
            names.append(layout.name + COUNTED_MARK + token)
            added += 1
        else:
            names.append(layout.name + PREFIX_MARK + token)
        if number % CHUNK == 0:
            yield

    for place, sum_of_spellings in sums.of_words():
        documents[:, place] = sum_of_spellings
    new = sums.new_words()
    numbers = np.array(list(new.values()), np.int64)
    columns = numbers.reshape(len(new), len(rows))
    documents = np.concatenate([documents, columns.T], axis=1)
    tables = ModelTables(
        tokenizer=TOKENIZER_VERSION,
        method=DEFAULT,
        classes=tuple(counts.classes[row] for row in rows),
        messages=tuple(messages),
        words=(*names, *new),
        documents=documents,
        occurrences=documents,
        corrections=np.zeros_like(documents),
    )

    total = len(words) - _count_notes(layout, counts.tokens)
    ours = len(words) - words.count(None) + added
    kept = total - ours
    if not layout.two_way:
        is_ours = [word is not None for word in words] + [True] * len(new)
        tables = tables.only(np.array(is_ours, np.bool_))
        kept = 0
    return ModelFile(
        layout.name,
        tables,
        total,
        ours,
        kept,
        parts=counts.parts,
        is_estimated=counts.is_estimated,
    )


def _count_notes(layout: FilterFormat, tokens: Sequence[str]) -> int:
    if layout.note is None:
        return 0
    return sum(token.startswith(layout.note) for token in tokens)


class _SpellingSums:
    """Counts of nbmail's words together with those of other spellings.

    `words`: nbmail's word of each token, if it has one. `columns`: counts of each token by class.
    `messages`: total of each class.
    """

    def __init__(
        self, words: Sequence[str | None], columns: list[list[int]], messages: list[int]
    ) -> None:
        self._columns = columns
        self._messages = messages
        self._places = {word: place for place, word in enumerate(words) if word is not None}
        self._sums: dict[str, list[int]] = {}

    def add_spelling(self, word: str | None, place: int) -> bool:
        """Add the counts of the token at `place` to a word of nbmail.

        False without a word, or if the total would exceed the messages.
        """
        if word is None:
            return False
        before = self._sums.get(word)
        if before is None:
            before = self._counts_of(word)
        total = list(map(add, before, self._columns[place]))
        for number, most in zip(total, self._messages, strict=True):
            if number > most:
                return False
        self._sums[word] = total
        return True

    def _counts_of(self, word: str) -> list[int]:
        place = self._places.get(word)
        if place is None:
            return [0] * len(self._messages)
        return self._columns[place]

    def of_words(self) -> list[tuple[int, list[int]]]:
        """Return the changed counts of words in the file, with their places."""
        both = self._sums.keys() & self._places.keys()
        return [(self._places[word], self._sums[word]) for word in both]

    def new_words(self) -> dict[str, list[int]]:
        """Return the counts of words that the file contains in other spellings only."""
        return {word: total for word, total in self._sums.items() if word not in self._places}
