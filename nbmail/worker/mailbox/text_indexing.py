"""Indexing of stored mail for the full-text search."""

from nbmail.core.mail.html_page import read_page
from nbmail.core.mail.message import Mail
from nbmail.core.mail.parser import parse
from nbmail.store.mail.text_index import SearchedText
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause

# Messages indexed in one transaction, about 4 ms, and bytes parsed in one time slice, up to 10 ms.
TOGETHER = 32
CHUNK_BYTES = 50_000
# After so many messages the write-ahead log is written into the file.
CHECKPOINT = 20 * TOGETHER


def is_index_behind(store: Store) -> bool:
    """True if there are messages to index.

    An index with messages that a power cut erased is cleared.
    """
    upto = store.texts.upto
    last = store.messages.last()
    if upto > last:
        store.texts.recreate()
    return upto != last


def index_texts(store: Store) -> JobSteps[None]:
    """Index all messages that the index lacks."""
    while is_index_behind(store):
        yield from index_next(store)
    store.texts.tidy()


def index_next(store: Store) -> JobSteps[None]:
    """Index the next few messages, in the order of their numbers."""
    first = store.texts.upto + 1
    headings = store.messages.headings(range(first, first + TOGETHER))
    identities = store.messages.identities(headings)
    texts = list[SearchedText]()
    weight = 0
    for message in sorted(identities):
        raw = store.raw_mail.get(identities[message])
        if raw:
            texts.append(searched_text(message, parse(raw)))
            weight += len(raw)
        else:
            # Of a message that is not cached any more, the database has sender and subject.
            heading = headings[message]
            texts.append(SearchedText(message, heading.sender, heading.subject))
        if weight >= CHUNK_BYTES:
            weight = 0
            yield Pause()

    # A search and the background job may have read the same messages.
    upto = store.texts.upto
    store.texts.add(text for text in texts if text.message > upto)
    yield Pause()
    while store.texts.merge():
        yield Pause()
    if first % CHECKPOINT < TOGETHER:
        store.texts.relieve()


def searched_text(message: int, mail: Mail) -> SearchedText:
    """Return what is searched of a message."""
    texts = [file.name for file in mail.files]
    for part in mail.texts:
        texts.append(read_page(part.text).text if part.kind == "text/html" else part.text)
    return SearchedText(
        message,
        sender=mail.header("from"),
        subject=mail.header("subject"),
        text="\n".join(texts),
        recipients=f"{mail.header('to')}\n{mail.header('cc')}",
    )
