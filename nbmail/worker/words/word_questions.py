"""What the model knows of words: a list of them, and the story of one."""

from collections.abc import Callable, Generator
from heapq import merge
from itertools import islice
from typing import Any

import numpy as np

from nbmail.core.counting.sample import IntArray, LongArray
from nbmail.core.reading.word_splitting import place_of
from nbmail.core.scoring.model import GOOD, JUNK, Model
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import FOREIGN_PREFIXES
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.protocol.words import (
    DescribeWord,
    ListWords,
    WordFigures,
    WordLine,
    WordOrder,
    WordPage,
    WordStory,
)
from nbmail.worker.scores.scores import CHUNK

# Words compared with a search, or sorted, between two looks at the queue: about 3 ms.
PIECE = 10_000
# A history is thinned out to so many points, and so many holders are named.
MOST_POINTS, MOST_HOLDERS = 200, 1000


def number_of(state: EngineState, word: str) -> int:
    """The number of a word that is known."""
    (number,) = state.model.vocabulary.known_numbers_of([word])
    if number < 0:
        raise KnownError(ErrorCode.NOT_FOUND, word)
    return number


def list_words(state: EngineState, command: ListWords) -> JobSteps:
    """A page of the words that junk or good mail holds."""
    if command.ignored:
        numbers = np.array([number_of(state, word) for word in state.store.ignored_words.now()], np.int32)
    else:
        numbers = yield from _in_order(state, command)
    return WordPage(len(numbers), tuple(figures_of(state, int(number)) for number in numbers[: command.most]))


def _in_order(state: EngineState, command: ListWords) -> Generator[Pause, None, IntArray]:
    model = state.model
    junk, good = _documents(model)
    numbers = np.flatnonzero(junk + good).astype(np.int32)
    yield Pause()
    if state.store.bases.current:
        numbers = yield from _of_mail(model, numbers)
    if command.search or command.order is WordOrder.NAME:
        numbers = yield from _by_name(model, numbers, command)
    if command.order is WordOrder.NAME:
        return numbers
    weights = np.where(np.isin(numbers, list(model.ignored)), 0.0, sum(model.word_parts(numbers)))
    by: dict[WordOrder, Callable[[], Any]] = {
        WordOrder.JUNKIEST: lambda: -weights,
        WordOrder.GOODEST: lambda: weights,
        WordOrder.STRONGEST: lambda: -np.abs(weights),
        WordOrder.COMMON: lambda: -(junk + good)[numbers],
        WordOrder.JUNK: lambda: -junk[numbers],
        WordOrder.GOOD: lambda: -good[numbers],
    }
    yield Pause()
    return numbers[np.argsort(by[command.order](), kind="stable")]


def _of_mail(model: Model, numbers: IntArray) -> Generator[Pause, None, IntArray]:
    """Those that a message may hold: not what was imported to be given back to another filter."""
    words, found = model.vocabulary.words_from(0), np.ones(len(numbers), np.bool_)
    for first in range(0, len(numbers), PIECE):
        chunk = numbers[first : first + PIECE].tolist()
        found[first : first + PIECE] = [not words[number].startswith(FOREIGN_PREFIXES) for number in chunk]
        yield Pause(first, len(numbers))
    return numbers[found]


def _by_name(model: Model, numbers: IntArray, command: ListWords) -> Generator[Pause, None, IntArray]:
    """Those of the words that hold what is searched for, in the order of their names where that is asked for."""
    words, wanted, found = model.vocabulary.words_from(0), command.search.lower(), list[list[tuple[str, int]]]()
    for first in range(0, len(numbers), PIECE):
        some = ((words[number], number) for number in numbers[first : first + PIECE].tolist())
        chunk = [one for one in some if wanted in one[0].lower()]
        found.append(sorted(chunk) if command.order is WordOrder.NAME else chunk)
        yield Pause(first, len(numbers))
    ordered = merge(*found) if command.order is WordOrder.NAME else (one for chunk in found for one in chunk)
    matching = np.empty(sum(map(len, found)), np.int32)
    for first in range(0, len(matching), PIECE):
        chunk = list(islice(ordered, PIECE))
        matching[first : first + len(chunk)] = [number for _, number in chunk]
        yield Pause(first, len(matching))
    return matching


def describe_word(state: EngineState, command: DescribeWord) -> JobSteps:
    """Its figures, how it came to them, and the messages that hold it."""
    number = number_of(state, command.word)
    places = yield from holders(state, number)
    messages = state.store.word_ids.messages[places]
    figures = figures_of(state, number)
    history = yield from _history(state, messages)
    here = yield from _still_here(state, messages)
    rows = (state.model.counts.row(label) for label in (JUNK, GOOD))
    learned = [0 if row is None else state.model.counts.messages[row] for row in rows]
    return WordStory(
        figures=figures,
        junk_messages=learned[0],
        good_messages=learned[1],
        history=_thinned(history),
        holders=tuple(here[: -MOST_HOLDERS - 1 : -1]),
        held=len(here),
    )


def figures_of(state: EngineState, number: int) -> WordFigures:
    """What the counts say of one word."""
    model = state.model
    word, kinds = model.vocabulary.word(number), _documents(model)
    ratio, correction = (float(part[0]) for part in model.word_parts(np.array([number], np.int32)))
    junk, good = (int(kind[number]) if number < len(kind) else 0 for kind in kinds)
    return WordFigures(word, place_of(word), junk, good, ratio, correction, bool(number in model.ignored))


def holders(state: EngineState, number: int) -> Generator[Pause, None, LongArray]:
    """The places, in the array of word ids, of all messages that hold a word: one pass over it."""
    word_ids, found = state.store.word_ids, [np.zeros(0, np.int64)]
    for first in range(0, len(word_ids), CHUNK):
        rows = word_ids.rows(first, min(first + CHUNK, len(word_ids)))
        found.append(first + np.searchsorted(rows.starts, np.flatnonzero(rows.words == number), side="right") - 1)
        yield Pause(first, len(word_ids))
    return np.concatenate(found)


def _still_here(state: EngineState, messages: LongArray) -> Generator[Pause, None, list[int]]:
    """Those that lie in a folder: of a mailbox that was removed only what was learned is left."""
    here = list[int]()
    for first in range(0, len(messages), CHUNK):
        some = messages[first : first + CHUNK].tolist()
        homeless = state.store.folders.homeless(set(some))
        here += [message for message in some if message not in homeless]
        yield Pause(first, len(messages))
    return here


def _history(state: EngineState, messages: LongArray) -> Generator[Pause, None, list[WordLine]]:
    """How often the word had been learned after each label of a message that holds it."""
    given = list[tuple[float, str]]()
    for first in range(0, len(messages), CHUNK):
        given += state.store.labels.moments(messages[first : first + CHUNK].tolist())
        yield Pause(first, len(messages))
    counts, lines = {JUNK: 0, GOOD: 0}, list[WordLine]()
    for moment, label in sorted(given):
        if label in counts:
            counts[label] += 1
            lines.append(WordLine(moment, counts[JUNK], counts[GOOD]))
    return lines


def _thinned(lines: list[WordLine]) -> tuple[WordLine, ...]:
    places = np.unique(np.linspace(0, len(lines) - 1, min(len(lines), MOST_POINTS)).astype(int))
    return tuple(lines[place] for place in places.tolist())


def _documents(model: Model) -> tuple[IntArray, IntArray]:
    """In how many messages of junk and of good mail each word was."""
    rows, none = [model.counts.row(label) for label in (JUNK, GOOD)], np.zeros(model.counts.width, np.int32)
    junk, good = (none if row is None else model.counts.documents[row] for row in rows)
    return junk, good
