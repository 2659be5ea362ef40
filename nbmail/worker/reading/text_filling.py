"""Texts read in to be searched: in the background when there is time, and while somebody searches."""

from nbmail.core.reading.mail import parse
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.intake.message_text import sought_text

# Messages read in with one transaction, about 4 ms, and bytes parsed between two looks at the queue, up to 10 ms.
TOGETHER, PIECE_BYTES = 32, 50_000
# After so many messages the log is written into the file.
RELIEF = 20 * TOGETHER


def is_behind(store: Store) -> bool:
    """Whether there are messages to be read in. What knows of messages that a power cut has taken begins anew."""
    upto, last = store.texts.upto, store.messages.last()
    if upto > last:
        store.texts.begin_anew()
    return upto != last


def read_in(store: Store) -> JobSteps:
    """Read in all that is new, for the next search."""
    while is_behind(store):
        yield from read_some(store)
    store.texts.tidy()


def read_some(store: Store) -> JobSteps:
    """The next few messages, in the order of their numbers."""
    first = store.texts.upto + 1
    heads, texts, weight = store.messages.headings(range(first, first + TOGETHER)), list[tuple[int, str]](), 0
    for message, identity in sorted(store.messages.identities(heads).items()):
        raw = store.raw_mail.get(identity)
        # Of a message whose text isn't kept any more the list's words are known.
        texts.append(
            (message, sought_text(parse(raw)) if raw else f"{heads[message].sender}\n{heads[message].subject}")
        )
        weight += len(raw or b"")
        if weight >= PIECE_BYTES:
            weight = 0
            yield Pause()
    # A search and the background may have read the same messages.
    upto = store.texts.upto
    store.texts.add([(message, text) for message, text in texts if message > upto])
    yield Pause()
    while store.texts.merge():
        yield Pause()
    if first % RELIEF < TOGETHER:
        store.texts.relieve()
