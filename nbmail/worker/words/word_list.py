"""List of the words of the model."""

from heapq import merge
from itertools import chain, islice

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.explaining.explaining import word_parts
from nbmail.core.scoring.model import Model
from nbmail.core.words.phrases import PHRASE
from nbmail.exchange import FOREIGN_PREFIXES
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.protocol.words import WordOrder, WordPage
from nbmail.worker.words.word_figures import figures_of, messages_with_words

# Words compared with a search, or sorted, in one time slice: about 3 ms.
WORDS = 10_000


class WordListing:
    """Lists words by strength, count or name."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def _model(self) -> Model:
        return self._store.model.model

    def list_words(
        self,
        search: str = "",
        order: WordOrder = WordOrder.STRONGEST,
        *,
        limit: int = 200,
        ignored: bool = False,
        phrases: bool = False,
    ) -> JobSteps[WordPage]:
        """List words of the model that contain `search`.

        `ignored`, `phrases`: only these, in the order of addition. A word has its place in front,
        as in "subject:free"; words of the text have none.
        """
        if phrases:
            numbers = self._numbers_of([PHRASE + phrase for phrase in self._store.phrases.now()])
        elif ignored:
            numbers = self._numbers_of(self._store.ignored_words.now())
        else:
            numbers = yield from self._in_order(search, order)
        shown = [figures_of(self._model, number) for number in numbers[:limit].tolist()]
        return WordPage(len(numbers), tuple(shown))

    def _numbers_of(self, words: list[str] | tuple[str, ...]) -> IntArray:
        return np.array(self._model.vocabulary.numbers_of(words), np.int32)

    def _in_order(self, search: str, order: WordOrder) -> JobSteps[IntArray]:
        """Return the numbers of all words that contain `search`, in this order."""
        spam = messages_with_words(self._model, SPAM)
        ham = messages_with_words(self._model, HAM)
        numbers = np.flatnonzero(spam + ham).astype(np.int32)
        yield Pause()

        by_name = order is WordOrder.NAME
        if search or by_name or self._store.imported.current:
            numbers = yield from self._named(numbers, search.lower(), in_order=by_name)
        if by_name:
            return numbers

        weights = self._weights(numbers)
        yield Pause()
        keys = _sort_keys(order, weights, spam[numbers], ham[numbers])
        return numbers[np.argsort(keys, kind="stable")]

    def _weights(self, numbers: IntArray) -> FloatArray:
        """Return the weights of words, 0 for ignored ones."""
        ratios, corrections = word_parts(self._model, numbers)
        is_ignored = np.isin(numbers, list(self._model.ignored))
        return np.where(is_ignored, 0.0, ratios + corrections)

    def _named(self, numbers: IntArray, search: str, *, in_order: bool) -> JobSteps[IntArray]:
        """Return the words that contain `search`, sorted by name if `in_order`.

        Imported entries that only another filter uses are left out: no message contains them.
        """
        words = self._model.vocabulary.words_from(0)
        chunks = list[list[tuple[str, int]]]()
        for first in range(0, len(numbers), WORDS):
            chunk = list[tuple[str, int]]()
            for number in numbers[first : first + WORDS].tolist():
                word = words[number]
                if search in word.lower() and not word.startswith(FOREIGN_PREFIXES):
                    chunk.append((word, number))
            if in_order:
                chunk.sort()
            chunks.append(chunk)
            yield Pause(first, len(numbers))

        ordered = merge(*chunks) if in_order else chain.from_iterable(chunks)
        matching = np.empty(sum(map(len, chunks)), np.int32)
        for first in range(0, len(matching), WORDS):
            some = [number for _, number in islice(ordered, WORDS)]
            matching[first : first + len(some)] = some
            yield Pause(first, len(matching))
        return matching


def _sort_keys(
    order: WordOrder, weights: FloatArray, spam: IntArray, ham: IntArray
) -> FloatArray | IntArray:
    """Return a number for each word; the smallest comes first."""
    if order is WordOrder.SPAMMIEST:
        return -weights
    if order is WordOrder.HAMMIEST:
        return weights
    if order is WordOrder.COMMON:
        return -(spam + ham)
    if order is WordOrder.SPAM:
        return -spam
    if order is WordOrder.HAM:
        return -ham
    return -np.abs(weights)
