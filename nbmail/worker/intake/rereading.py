"""Cached mail read anew in the background, where another version of the tokenizer found its words.

Mail that isn't cached keeps the words it has.
"""

from collections.abc import Callable

from nbmail.core.reading.mail import parse
from nbmail.core.reading.mail_samples import sample_of
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.store.model.word_ids import WordIds
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import Pause, Slices

# Messages read between two looks at the queue: as many as of newly arrived mail.
PIECE = 8
# Messages whose words are copied between two looks: about 5 ms.
COPIED = 500


def reread(store: Store, replaced: Callable[[], None]) -> Slices:
    """Give messages the words that this version finds in them; `replaced` is called if there were any."""
    after, before = 0, store.samples_revision
    while outdated := store.messages.outdated(TOKENIZER_VERSION, after, PIECE):
        after = max(outdated)
        raws = {message: store.raw_mail.get(identity) for message, identity in outdated.items()}
        samples = {message: sample_of(parse(raw), store.words.vocabulary) for message, raw in raws.items() if raw}
        if samples:
            store.replace_samples(samples, TOKENIZER_VERSION)
        yield Pause()
    if store.samples_revision != before:
        anew = WordIds(store.word_ids.path, store.samples_revision)
        yield from append_missing(store, anew)
        store.word_ids.become(anew)
        replaced()


def append_missing(store: Store, word_ids: WordIds) -> Slices:
    """Put the messages behind the last of the word ids there."""
    while (first := int(word_ids.messages[-1]) + 1 if len(word_ids) else 1) <= store.messages.last():
        samples = store.messages.samples(range(first, first + COPIED))
        numbers = sorted(samples)
        word_ids.append(numbers, [samples[number] for number in numbers])
        if not numbers:
            return
        yield Pause()
