"""Folder of sent mail on a server."""

from collections.abc import Iterator, Sequence

from nbmail.core.senders.people import SENT_HEADERS
from nbmail.sync.accounts.account_thread import SENT_BATCH
from nbmail.sync.imap.protocol.fetch_responses import fetched
from nbmail.sync.imap.protocol.uid_sets import uid_sets
from nbmail.sync.imap.session import Session


def sent_heads(session: Session, uids: Sequence[int]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the headers of messages of the open folder that name its recipients, and the last UID
    of each batch.
    """
    fields = " ".join(SENT_HEADERS).encode()
    for first in range(0, len(uids), SENT_BATCH):
        batch = uids[first : first + SENT_BATCH]
        items = b" (UID BODY.PEEK[HEADER.FIELDS (" + fields + b")])"
        replies = session.connection.pipeline(
            b"UID FETCH " + each + items for each in uid_sets(batch)
        )
        yield (
            batch[-1],
            [each.body for each in map(fetched, replies) if each is not None and each.body],
        )
