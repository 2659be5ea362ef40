"""Text search. Messages are indexed in idle time, and while a search runs."""

from collections.abc import Callable

from nbmail.core.reading.mail import Mail, parse
from nbmail.core.reading.part_text import read_page
from nbmail.store.mail.derived_mail import sought
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import JobSteps, Pause, Priority

# Messages indexed in one transaction, about 4 ms, and bytes parsed in one time slice, up to 10 ms.
TOGETHER, CHUNK_BYTES = 32, 50_000
# After so many messages the write-ahead log is written into the file.
CHECKPOINT = 20 * TOGETHER
# Messages indexed between two partial results of a search.
SHOWN = 1000


def find_text(store: Store, words: str, show: Callable[[tuple[int, ...]], object]) -> JobSteps[tuple[int, ...]]:
    """Find messages in the index, then in all others while they are indexed.

    `show` is called with the messages found up to now. The next progress report delivers them.
    """
    found, searched, shown = list[int](), 0, -SHOWN
    wanted = sought(words)
    if not wanted:
        return ()
    while True:
        for last, some in store.texts.find(wanted, searched):
            searched, found = last, found + some
            yield Pause()
        is_behind, done, total = is_index_behind(store), store.texts.upto, store.messages.last()
        so_far = tuple(dict.fromkeys(found))
        if not is_behind:
            return so_far
        if done - shown >= SHOWN:
            shown = done
            show(so_far)
        yield Pause(done, total, Priority.WORK)
        yield from _index_some(store)


def is_index_behind(store: Store) -> bool:
    """True if there are messages to index. An index with messages that a power cut erased is cleared."""
    upto, last = store.texts.upto, store.messages.last()
    if upto > last:
        store.texts.recreate()
    return upto != last


def index_texts(store: Store) -> JobSteps[None]:
    """Index all new messages."""
    while is_index_behind(store):
        yield from _index_some(store)
    store.texts.tidy()


def _index_some(store: Store) -> JobSteps[None]:
    """Index the next few messages, in the order of their numbers."""
    first = store.texts.upto + 1
    heads, texts, weight = store.messages.headings(range(first, first + TOGETHER)), list[tuple[int, str, str]](), 0
    for message, identity in sorted(store.messages.identities(heads).items()):
        raw = store.raw_mail.get(identity)
        # Of a message that is not cached any more, the list knows sender and subject.
        text, recipients = f"{heads[message].sender}\n{heads[message].subject}", ""
        if raw:
            text, recipients = searched_text(parse(raw))
        texts.append((message, text, recipients))
        weight += len(raw or b"")
        if weight >= CHUNK_BYTES:
            weight = 0
            yield Pause()
    # A search and the background job may have read the same messages.
    upto = store.texts.upto
    store.texts.add(each for each in texts if each[0] > upto)
    yield Pause()
    while store.texts.merge():
        yield Pause()
    if first % CHECKPOINT < TOGETHER:
        store.texts.relieve()


def searched_text(mail: Mail) -> tuple[str, str]:
    """Return what is searched of a message: sender, subject, names of attachments and texts; and its recipients."""
    texts = [read_page(part.text).text if part.kind == "text/html" else part.text for part in mail.texts]
    parts = (mail.header("from"), mail.header("subject"), *(file.name for file in mail.files), *texts)
    return "\n".join(parts), f"{mail.header('to')}\n{mail.header('cc')}"
