"""Counts of the user's phrases in stored mail."""

from collections.abc import Collection, Mapping

import numpy as np

from nbmail.core.counting.arrays import LongArray
from nbmail.core.counting.sample import Sample
from nbmail.core.mail.parser import parse
from nbmail.core.words.phrases import PHRASE, count_phrases
from nbmail.core.words.word_table import LONGEST_WORD
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.scores.word_array import places_of, renew_word_ids

# Messages parsed in one time slice, as many as of newly arrived mail.
_PARSED = 8


def update_phrases(store: Store) -> JobSteps[int]:
    """Count new phrases in all stored mail, and remove the counts of removed ones.

    Return the number of labelled messages that contain the words of a new phrase and whose text
    isn't cached. They become outdated, so that they are fetched and read again.
    """
    vocabulary = store.words.vocabulary
    wanted = store.phrases.now()
    changed = sorted({*wanted} ^ {*store.words.counted_phrases})
    if not changed:
        return 0

    # Mail that arrives meanwhile is counted already.
    vocabulary.phrases = wanted
    revision = store.samples_revision
    words = vocabulary.numbers_of([PHRASE + phrase for phrase in changed])
    numbers = dict(zip(changed, words, strict=True))

    messages = sorted((yield from _messages_to_count(store, changed)))
    uncached = list[int]()
    for first in range(0, len(messages), _PARSED):
        uncached += _count(store, messages[first : first + _PARSED], numbers)
        yield Pause(first + _PARSED, len(messages))

    with store.transaction():
        store.samples.outdate(uncached)
        store.words.write()
        store.words.note_counted(wanted)
    if store.samples_revision != revision:
        yield from renew_word_ids(store)
    return len(store.labels.of(uncached))


def _messages_to_count(store: Store, changed: Collection[str]) -> JobSteps[set[int]]:
    """Return the messages that contain all words of a new phrase, or a removed phrase."""
    messages = set[int]()
    for phrase in changed:
        words = {PHRASE + phrase}
        if phrase in store.words.vocabulary.phrases:
            words = {word for word in phrase.split() if len(word) <= LONGEST_WORD}
        places = yield from _places_with(store, words)
        messages.update(store.word_ids.messages[places].tolist())
    return messages


def _places_with(store: Store, words: Collection[str]) -> JobSteps[LongArray]:
    """Return the indexes, in the word ids, of all messages that contain all these words."""
    places: LongArray = np.arange(len(store.word_ids))
    for number in store.words.vocabulary.known_numbers_of(words):
        with_word = yield from places_of(store.word_ids, number)
        places = np.intersect1d(places, with_word)
    return places


def _count(store: Store, messages: Collection[int], numbers: Mapping[str, int]) -> list[int]:
    """Store the counts of changed phrases in these messages.

    `numbers`: word number of each phrase. Return the messages whose text isn't cached.
    """
    new = [phrase for phrase in numbers if phrase in store.words.vocabulary.phrases]
    before = store.samples.of(messages)
    changed = dict[int, Sample]()
    uncached = list[int]()
    for message, identity in store.messages.identities(messages).items():
        found: Mapping[str, int] = {}
        if new:
            raw = store.raw_mail.get(identity)
            if raw:
                found = count_phrases(parse(raw), new)
            else:
                uncached.append(message)
        counts = {number: found.get(phrase, 0) for phrase, number in numbers.items()}
        sample = before[message].with_counts(counts)
        if sample != before[message]:
            changed[message] = sample
    if changed:
        store.replace_samples(changed)
    return uncached
