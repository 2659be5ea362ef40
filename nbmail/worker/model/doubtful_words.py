"""Words of a model file that would affect scores without support by the user's own labels."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, LongArray, Vocabulary
from nbmail.core.methods.registry import reads_words
from nbmail.core.reading.words import place_of
from nbmail.core.scoring.model import GOOD, JUNK, LearnedTables, Model, ModelContent
from nbmail.exchange import FOREIGN_PREFIXES
from nbmail.exchange.conversion import content_of, merge
from nbmail.exchange.tables import ModelTables
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.protocol.results import DoubtfulWord

# Words looked up or weighed in one time slice: about 3 ms.
_CHUNK = 10_000
# Words with a lower weight, in log-odds of a message that has no other word, change no verdict.
_LOWEST = 1.0
# Contradictions need this many messages with the word, both labelled and in the file.
_ENOUGH = 2
# Words in the report: senders and hosts, and others.
_LISTED = (12, 8)
_SENDERS_AND_HOSTS = tuple(
    f"{place}:"
    for place in ("from", "reply", "return", "sender", "signed", "list-id", "link", "received", "origin", "id")
)


class _WordCounts(NamedTuple):
    """Junk and good messages with each word, and their totals."""

    junk: LongArray
    good: LongArray
    totals: tuple[int, int]


class DoubtfulWords(NamedTuple):
    """`flags` has True for each doubtful word of the file. `strongest`: senders and hosts first, then by weight."""

    flags: npt.NDArray[np.bool_]
    strongest: tuple[DoubtfulWord, ...]


def find_doubtful_words(store: Store, tables: ModelTables) -> JobSteps[DoubtfulWords]:
    """Find words that no labelled message contains, and words whose counts or weight contradict the labels."""
    model = store.model.model
    numbers = yield from _numbers_of(tables.words, model)
    own, theirs = _labelled_counts(store, numbers), _counts_in(tables)
    weights = yield from _weights_after_import(model, tables, numbers)
    mine = _log_ratios(own)
    contradicting = (_log_ratios(theirs) * mine < 0) | ((np.abs(weights) >= _LOWEST) & (weights * mine < 0))
    unknown = (own.junk + own.good == 0) & (np.abs(weights) >= _LOWEST)
    foreign = np.array([word.startswith(FOREIGN_PREFIXES) for word in tables.words], np.bool_)
    flags = (unknown | contradicting) & ~foreign
    yield Pause()
    return DoubtfulWords(flags, _strongest(tables.words, flags, weights, theirs, own))


def _numbers_of(words: Sequence[str], model: Model) -> JobSteps[IntArray]:
    """Return the numbers of the words in the model's vocabulary; the number of an empty column for unknown words."""
    numbers = np.empty(len(words), np.int32)
    for first in range(0, len(words), _CHUNK):
        numbers[first : first + _CHUNK] = model.vocabulary.known_numbers_of(words[first : first + _CHUNK])
        yield Pause()
    return np.where(numbers < 0, model.counts.width - 1, numbers).astype(np.int32)


def _labelled_counts(store: Store, numbers: IntArray) -> _WordCounts:
    """Return the counts of labelled messages: those of the model without the imported ones."""
    documents, totals = list[LongArray](), list[int]()
    mine, imported = store.model.model.counts, store.imported.load().counts
    for label in (JUNK, GOOD):
        found, total = np.zeros(len(numbers), np.int64), 0
        for counts, sign in ((mine, 1), (imported, -1)):
            if (row := counts.row(label)) is not None:
                found += sign * counts.documents_of(numbers)[row]
                total += sign * counts.messages[row]
        documents.append(found)
        totals.append(total)
    return _WordCounts(documents[0], documents[1], (totals[0], totals[1]))


def _counts_in(tables: ModelTables) -> _WordCounts:
    documents, totals = list[LongArray](), list[int]()
    for label in (JUNK, GOOD):
        row = tables.classes.index(label) if label in tables.classes else None
        documents.append(np.zeros(len(tables.words), np.int64) if row is None else tables.documents[row])
        totals.append(0 if row is None else tables.messages[row])
    return _WordCounts(documents[0], documents[1], (totals[0], totals[1]))


def _log_ratios(counts: _WordCounts) -> FloatArray:
    """Return the log-ratio of each word with enough messages, 0 for others and for small log-ratios."""
    junk, good = ((each + 0.5) / (total + 1) for each, total in zip(counts[:2], counts.totals, strict=True))
    found = np.log(junk) - np.log(good)
    found[(counts.junk + counts.good < _ENOUGH) | (np.abs(found) < _LOWEST)] = 0.0
    return np.asarray(found if all(counts.totals) else np.zeros(len(found)))


def _weights_after_import(model: Model, tables: ModelTables, numbers: IntArray) -> JobSteps[FloatArray]:
    """Return the weight of each word of the file in the merged model."""
    texts = Vocabulary(tables.words if reads_words(model.method) else ())
    learned = model.learned_tables()
    places = np.minimum(numbers, learned.corrections.shape[1])
    padded = np.pad(learned.corrections, ((0, 0), (0, 1)))
    mine = ModelContent(
        Counts.build(
            model.counts.classes,
            model.counts.messages,
            model.counts.documents_of(numbers),
            model.counts.occurrences_of(numbers),
            model.counts.measures,
        ),
        LearnedTables(padded[:, places], learned.held_out, learned.method),
    )
    merged = Model(texts, model.method)
    content = merge(mine, content_of(tables, Vocabulary()), model.method)
    merged.restore(content.counts, content.learned)
    yield Pause()
    weights = np.zeros(len(numbers))
    for first in range(0, len(numbers), _CHUNK):
        chunk = np.arange(first, min(first + _CHUNK, len(numbers)), dtype=np.int32)
        weights[chunk] = sum(merged.word_parts(chunk))
        yield Pause()
    return weights


def _strongest(
    words: Sequence[str], flags: npt.NDArray[np.bool_], weights: FloatArray, theirs: _WordCounts, own: _WordCounts
) -> tuple[DoubtfulWord, ...]:
    is_sender = np.array([word.startswith(_SENDERS_AND_HOSTS) for word in words], np.bool_)
    order = np.lexsort((-(theirs.junk + theirs.good), -np.abs(weights)))
    found = [
        one
        for group, most in zip((flags & is_sender, flags & ~is_sender), _LISTED, strict=True)
        for one in order[group[order]][:most].tolist()
    ]
    counts = (theirs.junk, theirs.good, own.junk, own.good)
    return tuple(
        DoubtfulWord(words[one], place_of(words[one]), float(weights[one]), *(int(each[one]) for each in counts))
        for one in found
    )
