"""A model that may be given away: without the words that few messages or senders know, or that name somebody."""

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from nbmail.core.counting.sample import FloatArray, IntArray, LongArray
from nbmail.core.evaluation.trials import missed_at
from nbmail.core.reading.header_words import mailboxes_in
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.core.scoring.model import GOOD, JUNK, Model
from nbmail.exchange.conversion import content_of, tables_of
from nbmail.exchange.tables import ModelTables
from nbmail.store.labels.labels import Labelled, in_pieces
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import Pause

# Places whose words are addresses, names, servers and memberships.
_PRIVATE_PLACES = frozenset(
    ("from", "to", "reply", "return", "sender", "received", "origin", "id", "signed", "list-id", "path")
)
_PEOPLE = ("from:", "to:", "reply:", "return:", "sender:")
_NUMBER_OR_ADDRESS = re.compile(r"[@\d]")
_PARTS = re.compile(r"[^\W\d_]+")
# What Thunderbird calls the classes of its add-ons.
_TRAIT = re.compile(r"trait \d+")
# Labelled messages read between two looks at the queue: about 5 ms.
_PIECE = 64
# What is lost is measured on the latest of the labels, one in so many, if there are enough of both kinds.
_MEASURED = 5
_ENOUGH = 20
# Good mail that may be lost where the share of junk that is caught is told.
_LOST = 0.005


def redacting(
    store: Store, whole: ModelTables, fewest: int
) -> Generator[Pause, None, tuple[ModelTables, tuple[float, float] | None]]:
    """Leave out words that fewer messages hold or fewer senders wrote, and those that name somebody.

    Who wrote what was imported is unknown, so that words which stand in no labelled message here are left out. Beside
    what is left: the share of junk that is caught before and after, where that can be told.
    """
    labelled = yield from _labelled(store)
    senders = yield from _counting_senders(store, labelled)
    numbers = np.array(store.model.model.vocabulary.numbers_of(whole.words), np.int64)
    enough = (whole.documents.sum(axis=0) >= fewest) & (senders[numbers] >= fewest)
    kept = whole.only(enough & ~np.array(_personal(whole), np.bool_))
    # Scores of a model that knew all words say nothing of one that doesn't.
    kept = replace(kept.without_scores(), classes=_nameless(kept.classes))
    return kept, (yield from _measuring(store, labelled, set(kept.words)))


def _nameless(classes: Sequence[str]) -> tuple[str, ...]:
    """Names that tell nothing in place of those that the user chose."""
    return tuple(
        name if name in (JUNK, GOOD) or _TRAIT.fullmatch(name) else f"class-{number}"
        for number, name in enumerate(classes, 1)
    )


def _labelled(store: Store) -> Generator[Pause, None, list[Labelled]]:
    found, total = list[Labelled](), len(store.labels)
    for chunk in in_pieces(store.labels, _PIECE):
        found += chunk
        yield Pause(len(found), max(total, len(found)))
    return found


def _counting_senders(store: Store, labelled: Sequence[Labelled]) -> Generator[Pause, None, LongArray]:
    """For each word of the vocabulary how many senders of labelled messages used it."""
    by_sender: dict[str, list[IntArray]] = {}
    for first in range(0, len(labelled), _PIECE):
        chunk = {one.message: one.sample.words for one in labelled[first : first + _PIECE]}
        for message, heading in store.messages.headings(chunk).items():
            sender = next(iter(mailboxes_in(heading.sender)), heading.sender)
            by_sender.setdefault(sender, []).append(chunk[message])
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
    model = store.model.unlearned()
    for first in range(0, border, _PIECE):
        chunk = labelled[first : min(first + _PIECE, border)]
        model.learn_many([one.sample for one in chunk], [one.label for one in chunk])
        yield Pause(first, len(labelled))
    whole = tables_of(model, TOKENIZER_VERSION)
    cut = whole.only(np.array([word in words for word in whole.words], np.bool_))
    other = model.fresh()
    content = content_of(cut, other.vocabulary)
    other.restore(content.counts, content.learned)
    yield Pause()
    missed = (missed_at(_scores(each, latest), is_junk, _LOST) for each in (model, other))
    before, after = (1 - share for share in missed)
    return before, after


def _scores(model: Model, mail: Sequence[Labelled]) -> FloatArray:
    return model.log_odds(model.rows([one.sample for one in mail]))


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
    """The words in and beside addresses of those who write mail that is not junk, or to whom it is written."""
    others = [row for row, name in enumerate(tables.classes) if name != JUNK]
    held: Sequence[int] = np.flatnonzero(tables.documents[others].any(axis=0)).tolist()
    people = (tables.words[place] for place in held if tables.words[place].startswith(_PEOPLE))
    parts = (part for word in people for part in _PARTS.findall(word.partition(":")[2].partition("@")[0].lower()))
    return {part for part in parts if len(part) > 1 or not part.isascii()}
