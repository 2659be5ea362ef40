"""A model that may be given away: without the words that few messages or senders know, or that name somebody."""

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from nbmail.core.counting.sample import FloatArray, IntArray, LongArray
from nbmail.core.judging.model import GOOD, JUNK, Model
from nbmail.core.reading.header_words import mailboxes_in
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.exchange.conversion import content_of, tables_of
from nbmail.exchange.model_tables import ModelTables
from nbmail.store.labels.labels import Labelled
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import Pause

# Places whose words are addresses, names, servers and memberships.
_PRIVATE_PLACES = frozenset(
    ("from", "to", "reply", "return", "sender", "received", "origin", "id", "signed", "list-id", "path")
)
_PEOPLE = ("from:", "to:")
_NUMBER_OR_ADDRESS = re.compile(r"[@\d]")
_PARTS = re.compile(r"[^\W_]+")
_SHORTEST_NAME = 3
# Labelled messages read between two looks at the queue: about 5 ms.
_PIECE = 64
# What is lost is measured on the latest of the labels, one in so many, if there are enough of both kinds.
_MEASURED = 5
_ENOUGH = 20
# Good mail that may be lost where the share of junk that is caught is told.
_LOST = 0.005


@dataclass(frozen=True, slots=True, eq=False)
class Redacted:
    """What is left of a model, and the share of junk `caught` before and after, where that can be told."""

    tables: ModelTables
    caught: tuple[float, float] | None


def redacting(store: Store, fewest: int) -> Generator[Pause, None, Redacted]:
    """Leave out words that fewer messages hold or fewer senders wrote, and those that name somebody.

    Who wrote what was imported is unknown, so that words which stand in no labelled message here are left out.
    """
    labelled = yield from _labelled(store)
    senders = yield from _counting_senders(store, labelled)
    whole = tables_of(store.model.model, TOKENIZER_VERSION)
    vocabulary = store.model.model.vocabulary
    numbers = np.array(vocabulary.numbers_of(whole.words), np.int64)
    enough = (whole.documents.sum(axis=0) >= fewest) & (senders[numbers] >= fewest)
    kept = whole.only(enough & ~np.array(_personal(whole), np.bool_))
    # Scores of a model that knew all words say nothing of one that doesn't.
    kept = kept.without_scores()
    caught = yield from _measuring(store, labelled, set(kept.words))
    return Redacted(kept, caught)


def _labelled(store: Store) -> Generator[Pause, None, list[Labelled]]:
    found, total = list[Labelled](), len(store.labels)
    while piece := store.labels.in_order(found[-1].position if found else 0, _PIECE):
        found += piece
        yield Pause(len(found), max(total, len(found)))
    return found


def _counting_senders(store: Store, labelled: Sequence[Labelled]) -> Generator[Pause, None, LongArray]:
    """For each word of the vocabulary how many senders of labelled messages used it."""
    by_sender: dict[str, list[IntArray]] = {}
    for first in range(0, len(labelled), _PIECE):
        piece = {one.message: one.sample.words for one in labelled[first : first + _PIECE]}
        for message, heading in store.messages.headings(piece).items():
            sender = next(iter(mailboxes_in(heading.sender)), heading.sender)
            by_sender.setdefault(sender, []).append(piece[message])
        yield Pause()
    counts = np.zeros(len(store.words.vocabulary), np.int64)
    for number, words in enumerate(by_sender.values()):
        counts[np.unique(np.concatenate(words))] += 1
        if number % _PIECE == 0:
            yield Pause()
    return counts


def _measuring(
    store: Store, labelled: Sequence[Labelled], words: set[str]
) -> Generator[Pause, None, tuple[float, float] | None]:
    """The share of the latest junk that the labels before it catch, with all words and with these alone."""
    border = len(labelled) - len(labelled) // _MEASURED
    latest = [one for one in labelled[border:] if one.label in (JUNK, GOOD)]
    is_junk = np.array([one.label == JUNK for one in latest], np.bool_)
    if min(np.count_nonzero(is_junk), np.count_nonzero(~is_junk)) < _ENOUGH:
        return None
    model, base = store.model.model.fresh(), store.bases.load()
    model.restore(base.counts, base.learned)
    for first in range(0, border, _PIECE):
        piece = labelled[first : min(first + _PIECE, border)]
        model.learn_many([one.sample for one in piece], [one.label for one in piece])
        yield Pause(first, len(labelled))
    whole = tables_of(model, TOKENIZER_VERSION)
    cut = whole.only(np.array([word in words for word in whole.words], np.bool_))
    other = model.fresh()
    content = content_of(cut, other.vocabulary)
    other.restore(content.counts, content.learned)
    yield Pause()
    return _caught(_scores(model, latest), is_junk), _caught(_scores(other, latest), is_junk)


def _scores(model: Model, mail: Sequence[Labelled]) -> FloatArray:
    return model.log_odds(model.rows([one.sample for one in mail]))


def _caught(scores: FloatArray, is_junk: np.typing.NDArray[np.bool_]) -> float:
    """The share of junk above all good messages but the few that may be lost."""
    good = np.sort(scores[~is_junk])
    border = good[len(good) - 1 - int(len(good) * _LOST)]
    return float(np.mean(scores[is_junk] > border))


def _personal(tables: ModelTables) -> list[bool]:
    """For each word whether it is an address or a number, tells the way of the mail, or names one of the own people."""
    names = _names(tables)
    return [_is_personal(word, names) for word in tables.words]


def _is_personal(word: str, names: set[str]) -> bool:
    place, colon, text = word.partition(":")
    if not colon:
        place, text = "", word
    if place in _PRIVATE_PLACES or (place not in ("fact", "measure") and _NUMBER_OR_ADDRESS.search(text)):
        return True
    return not names.isdisjoint(_PARTS.findall(text.lower()))


def _names(tables: ModelTables) -> set[str]:
    """The words in and beside addresses of those who write good mail, or to whom it is written."""
    if GOOD not in tables.classes:
        return set()
    good = tables.documents[tables.classes.index(GOOD)]
    held: Sequence[int] = np.flatnonzero(good).tolist()
    people: Iterable[str] = (tables.words[place] for place in held if tables.words[place].startswith(_PEOPLE))
    parts = (part for word in people for part in _PARTS.findall(word.partition(":")[2].partition("@")[0]))
    return {part for part in parts if len(part) >= _SHORTEST_NAME}
