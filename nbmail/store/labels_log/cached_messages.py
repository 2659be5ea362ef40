"""Messages of the cache of raw mail whose labels were restored without them."""

from collections.abc import Generator, Iterator

from nbmail.chunks import batches
from nbmail.core.counting.sampling import sample_of
from nbmail.core.mail.message import heading_of
from nbmail.core.mail.parser import parse
from nbmail.core.senders.people import thread_of
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.labels_log.earlier_builds import earlier_identities
from nbmail.store.labels_log.label_import import LabelImport
from nbmail.store.mail.identity import SIZE, identify
from nbmail.store.mail.messages import Content
from nbmail.store.mail.raw_mail import RawMail, pack
from nbmail.store.tables import Tables

# Messages parsed at once: as many as of newly arrived mail.
_BATCH = 8


def adopting_cached_messages(
    tables: Tables, raw_mail: RawMail, labels: LabelImport, now: float
) -> Generator[LabelChanges, None, None]:
    """Store cached messages that a label waits for, and assign the label.

    Yields the changes of each batch.
    """
    for some in batches(_cached(tables, raw_mail), _BATCH):
        contents = [_content(tables, raw) for _, raw in some]
        raw_mail.put(((content.identity, content.packed) for content in contents), now)
        with tables.connection.transaction():
            numbers, _ = tables.messages.add(contents, TOKENIZER_VERSION)
            names = {identity: number for (identity, _), number in zip(some, numbers, strict=True)}
            changes = labels.assign_waiting(names)
        yield changes


def _cached(tables: Tables, raw_mail: RawMail) -> Iterator[tuple[bytes, bytes]]:
    """Yield the identities of labels, and the raw mail of their messages."""
    for record in tables.waiting_labels.records():
        raw = raw_mail.get(record.identity[:SIZE])
        if raw and record.identity in (identify(raw), *earlier_identities(raw)):
            yield record.identity, raw


def _content(tables: Tables, raw: bytes) -> Content:
    mail = parse(raw)
    return Content(
        identify(raw),
        heading_of(mail),
        sample_of(mail, tables.words.vocabulary),
        pack(raw),
        thread=thread_of(mail),
    )
