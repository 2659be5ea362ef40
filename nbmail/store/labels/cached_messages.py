"""Labelled messages that only the cache of raw mail has, as after the loss of the database."""

from collections.abc import Generator, Iterator
from itertools import islice

from nbmail.core.counting.sample import sample_of
from nbmail.core.reading.mail import heading_of, parse
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.mail.messages import Content
from nbmail.store.store import Store

# Messages parsed at once: as many as of newly arrived mail.
_BATCH = 8


def adopting_cached_messages(store: Store) -> Generator[LabelChanges, None, None]:
    """Store cached messages that a label waits for, and assign it. Yields the changes of each batch."""
    contents = _cached(store)
    while batch := list(islice(contents, _BATCH)):
        with store.transaction():
            numbers, _ = store.messages.add(batch, TOKENIZER_VERSION)
            identities = (content.identity for content in batch)
            changes = store.assign_waiting(dict(zip(identities, numbers, strict=True)))
        yield changes


def _cached(store: Store) -> Iterator[Content]:
    for record in store.waiting_labels.records():
        if raw := store.raw_mail.get(record.identity):
            mail = parse(raw)
            yield Content(record.identity, heading_of(mail), sample_of(mail, store.words.vocabulary))
