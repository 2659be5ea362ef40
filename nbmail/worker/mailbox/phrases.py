"""Counts of the user's phrases in stored mail."""

from collections.abc import Iterable, Mapping

import numpy as np

from nbmail.core.reading.mail import parse
from nbmail.core.reading.tokenizer import LONGEST_WORD, PHRASE, count_phrases
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.model.scores import places_of, renew_word_ids

# Messages parsed in one time slice: as many as of newly arrived mail.
_PARSED = 8


def update_phrases(store: Store) -> JobSteps[int]:
    """Count new phrases in all stored mail, and remove the counts of removed ones.

    Return the number of labelled messages that contain the words of a new phrase and whose text isn't cached. They
    become outdated, so that they are fetched and read again.
    """
    vocabulary, wanted, counted = store.words.vocabulary, store.phrases.now(), store.words.counted_phrases
    changed = sorted({*wanted} ^ {*counted})
    if not changed:
        return 0
    # Mail that arrives meanwhile is counted already.
    vocabulary.phrases = wanted
    before, known = store.samples_revision, vocabulary.numbers_of([PHRASE + phrase for phrase in changed])
    numbers = dict(zip(changed, known, strict=True))
    messages, unread = sorted((yield from _candidates(store, changed))), list[int]()
    for first in range(0, len(messages), _PARSED):
        unread += _recount(store, messages[first : first + _PARSED], numbers)
        yield Pause(first + _PARSED, len(messages))
    with store.transaction():
        store.messages.outdate(unread)
        store.words.write()
        store.words.note_counted(wanted)
    if store.samples_revision != before:
        yield from renew_word_ids(store)
    return len(store.labels.of(unread))


def _candidates(store: Store, changed: Iterable[str]) -> JobSteps[set[int]]:
    """Return the messages that contain all words of a new phrase, or a removed phrase."""
    vocabulary, messages = store.words.vocabulary, set[int]()
    for phrase in changed:
        is_new = phrase in vocabulary.phrases
        words = {word for word in phrase.split() if len(word) <= LONGEST_WORD} if is_new else {PHRASE + phrase}
        found = np.arange(len(store.word_ids))
        for number in vocabulary.known_numbers_of(words):
            found = np.intersect1d(found, (yield from places_of(store.word_ids, number)))
        messages.update(store.word_ids.messages[found].tolist())
    return messages


def _recount(store: Store, messages: list[int], numbers: Mapping[str, int]) -> list[int]:
    """Store the counts of changed phrases in these messages. Return those whose text isn't cached."""
    samples, unread = store.messages.samples(messages), list[int]()
    wanted = [phrase for phrase in numbers if phrase in store.words.vocabulary.phrases]
    for message, identity in store.messages.identities(messages).items():
        raw = store.raw_mail.get(identity) if wanted else None
        found = count_phrases(parse(raw), wanted) if raw else {}
        if wanted and not raw:
            unread.append(message)
        counts = {number: found.get(phrase, 0) for phrase, number in numbers.items()}
        samples[message] = samples[message].with_counts(counts)
    before = store.messages.samples(messages)
    if changed := {message: sample for message, sample in samples.items() if sample != before[message]}:
        store.replace_samples(changed)
    return unread
