"""Words of the model, and simulations: the mailbox scored as if a word were ignored, or a message
had a label.
"""

from collections.abc import Callable
from heapq import merge
from itertools import chain, islice
from typing import Any

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray, LongArray
from nbmail.core.explaining.explaining import word_parts
from nbmail.core.scoring.model import Model, simulating
from nbmail.core.words.phrases import PHRASE
from nbmail.core.words.places import place_of
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import FOREIGN_PREFIXES
from nbmail.method_spec import MethodSpec
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM, VERDICTS
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.model.scores import CHUNK, needs_occurrences, places_of, sample_of
from nbmail.worker.protocol.verdicts import MAX_CHANGES, Simulation, VerdictChange
from nbmail.worker.protocol.words import (
    WordCounts,
    WordDescription,
    WordFigures,
    WordOrder,
    WordPage,
)

# Words compared with a search, or sorted, in one time slice: about 3 ms.
WORDS = 10_000
# Messages scored twice in one time slice: about 5 ms.
SIMULATED = 2000
# Points of a word's history, and messages listed that contain it.
MOST_POINTS = 200
MOST_MESSAGES = 1000
BothScores = Callable[[LongArray], tuple[FloatArray, FloatArray]]
"""Returns the log-odds of messages, by their indexes in the word ids: now, and in the
simulation.
"""


class WordStatistics:
    """Requests about single words, and simulations."""

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
        if ignored or phrases:
            own = [PHRASE + phrase for phrase in self._store.phrases.now()]
            listed = own if phrases else self._store.ignored_words.now()
            numbers = np.array(self._model.vocabulary.numbers_of(listed), np.int32)
        else:
            numbers = yield from self._in_order(search, order)
        return WordPage(
            len(numbers), tuple(self._figures_of(int(number)) for number in numbers[:limit])
        )

    def describe_word(self, word: str) -> JobSteps[WordDescription]:
        """Describe one word: its figures, its history and the messages that contain it."""
        number = self._number_of(word)
        places = yield from places_of(self._store.word_ids, number)
        messages = self._store.word_ids.messages[places]
        located = list[int]()
        given = list[tuple[float, str]]()
        figures = self._figures_of(number)
        for first in range(0, len(messages), CHUNK):
            chunk = messages[first : first + CHUNK].tolist()
            given += self._store.labels.moments(chunk)
            yield Pause(first, len(messages))
            # Messages of a removed mailbox have no location.
            unlocated = self._store.folders.unlocated(set(chunk))
            located += [message for message in chunk if message not in unlocated]
            yield Pause(first, len(messages))
        counts = {SPAM: 0, HAM: 0}
        history = list[WordCounts]()
        for moment, label in sorted(given):
            if label in counts:
                counts[label] += 1
                history.append(WordCounts(moment, counts[SPAM], counts[HAM]))
        points = np.unique(
            np.linspace(0, len(history) - 1, min(len(history), MOST_POINTS)).astype(int)
        ).tolist()
        return WordDescription(
            figures=figures,
            spam_messages=self._model.counts.messages_of(SPAM),
            ham_messages=self._model.counts.messages_of(HAM),
            history=tuple(history[place] for place in points),
            messages=tuple(located[: -MOST_MESSAGES - 1 : -1]),
            message_count=len(located),
            prior=MethodSpec.parse(self._model.method).beta,
        )

    def simulate_without(self, word: str, message: int = -1) -> JobSteps[Simulation]:
        """Simulate that a word is ignored.

        `message`: reported in any case, as `Simulation.own`.
        """
        number = self._number_of(word)
        places = yield from places_of(self._store.word_ids, number)
        whole = needs_occurrences(self._model)

        def scores(chunk: LongArray) -> tuple[FloatArray, FloatArray]:
            rows = self._store.word_ids.pick(chunk, whole=whole)
            return self._model.log_odds(rows), self._model.log_odds(
                rows.without(np.array([number], np.int32))
            )

        found = yield from self._compare(places, scores)
        own = self._store.word_ids.places([message])
        return (
            found._replace(own=self._changes(own, scores, unchanged_too=True)[0])
            if own[0] in places
            else found
        )

    def simulate_mark(self, message: int, label: str) -> JobSteps[Simulation]:
        """Simulate that a message has this label.

        All messages are scored with and without the mark, which is learned and unlearned within
        each time slice.
        """
        sample = sample_of(self._store, message)
        whole = needs_occurrences(self._model)

        def scores(chunk: LongArray) -> tuple[FloatArray, FloatArray]:
            rows = self._store.word_ids.pick(chunk, whole=whole)
            model = self._model
            before = model.log_odds(rows)
            with simulating(model, sample, label):
                return before, model.log_odds(rows)

        own = self._store.word_ids.places([message])
        others = np.delete(np.arange(len(self._store.word_ids)), own[own >= 0])
        return (yield from self._compare(others, scores))

    def _compare(self, places: LongArray, scores: BothScores) -> JobSteps[Simulation]:
        """Return the messages that would show another verdict: those with a location and without a
        label.
        """
        found = list[VerdictChange]()
        count = 0
        for first in range(0, len(places), SIMULATED):
            chunk = places[first : first + SIMULATED]
            changed = self._changes(chunk, scores)
            messages = {one.message for one in changed}
            hidden = set(self._store.labels.of(messages)) | self._store.folders.unlocated(messages)
            found += [one for one in changed if one.message not in hidden]
            count += len(messages - hidden)
            del found[MAX_CHANGES:]
            yield Pause(first + len(chunk), len(places))
        return Simulation(tuple(found), count)

    def _changes(
        self, places: LongArray, scores: BothScores, *, unchanged_too: bool = False
    ) -> list[VerdictChange]:
        model = self._model
        odds = scores(places)
        verdicts = [model.verdicts(each) for each in odds]
        chances = [model.probabilities(each) for each in odds]
        chosen = np.flatnonzero((verdicts[0] != verdicts[1]) | unchanged_too)
        names = [[VERDICTS[verdict] for verdict in each[chosen].tolist()] for each in verdicts]
        known = [
            [None if np.isnan(chance) else chance for chance in each[chosen].tolist()]
            for each in chances
        ]
        return list(
            map(
                VerdictChange,
                self._store.word_ids.messages[places[chosen]].tolist(),
                *names,
                *known,
            )
        )

    def _number_of(self, word: str) -> int:
        (number,) = self._model.vocabulary.known_numbers_of([word])
        if number < 0:
            raise KnownError(ErrorCode.NOT_FOUND, word)
        return number

    def _figures_of(self, number: int) -> WordFigures:
        model = self._model
        word = model.vocabulary.word(number)
        kinds = _documents(model)
        ratio, correction = (
            float(part[0]) for part in word_parts(model, np.array([number], np.int32))
        )
        spam, ham = (int(kind[number]) if number < len(kind) else 0 for kind in kinds)
        return WordFigures(
            word, place_of(word), spam, ham, ratio, correction, bool(number in model.ignored)
        )

    def _in_order(self, search: str, order: WordOrder) -> JobSteps[IntArray]:
        model = self._model
        spam, ham = _documents(model)
        numbers = np.flatnonzero(spam + ham).astype(np.int32)
        yield Pause()
        if search or order is WordOrder.NAME or self._store.imported.current:
            numbers = yield from self._named(
                numbers, search.lower(), in_order=order is WordOrder.NAME
            )
        if order is WordOrder.NAME:
            return numbers
        weights = np.where(
            np.isin(numbers, list(model.ignored)), 0.0, sum(word_parts(model, numbers))
        )
        by: dict[WordOrder, Callable[[], Any]] = {
            WordOrder.SPAMMIEST: lambda: -weights,
            WordOrder.HAMMIEST: lambda: weights,
            WordOrder.STRONGEST: lambda: -np.abs(weights),
            WordOrder.COMMON: lambda: -(spam + ham)[numbers],
            WordOrder.SPAM: lambda: -spam[numbers],
            WordOrder.HAM: lambda: -ham[numbers],
        }
        yield Pause()
        return numbers[np.argsort(by[order](), kind="stable")]

    def _named(self, numbers: IntArray, search: str, *, in_order: bool) -> JobSteps[IntArray]:
        """Return the words that contain `search`, sorted by name if `in_order`.

        Imported entries that only another filter uses are left out: no message contains them.
        """
        words = self._model.vocabulary.words_from(0)
        found = list[list[tuple[str, int]]]()
        for first in range(0, len(numbers), WORDS):
            some = ((words[number], number) for number in numbers[first : first + WORDS].tolist())
            chunk = [
                one
                for one in some
                if search in one[0].lower() and not one[0].startswith(FOREIGN_PREFIXES)
            ]
            found.append(sorted(chunk) if in_order else chunk)
            yield Pause(first, len(numbers))
        ordered = merge(*found) if in_order else chain.from_iterable(found)
        matching = np.empty(sum(map(len, found)), np.int32)
        for first in range(0, len(matching), WORDS):
            chunk = list(islice(ordered, WORDS))
            matching[first : first + len(chunk)] = [number for _, number in chunk]
            yield Pause(first, len(matching))
        return matching


def _documents(model: Model) -> tuple[IntArray, IntArray]:
    rows = [model.counts.row(label) for label in (SPAM, HAM)]
    none = np.zeros(model.counts.width, np.int32)
    spam, ham = (none if row is None else model.counts.documents[row] for row in rows)
    return spam, ham
