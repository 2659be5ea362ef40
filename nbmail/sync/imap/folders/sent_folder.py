"""Folder of sent mail on a server, whose recipients are read before the answers arrive."""

from collections.abc import Iterator, Sequence

from nbmail.chunks import batches
from nbmail.core.senders.people import SENT_HEADERS
from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.protocol.open_folder import FolderCounts
from nbmail.sync.imap.session import Session
from nbmail.sync.sent_mail import MOST_SENT, SENT_BATCH, SentDelivery, SentHeaders

_FIELDS = " ".join(SENT_HEADERS).encode()
_ITEMS = b"(UID BODY.PEEK[HEADER.FIELDS (" + _FIELDS + b")])"


class SentFolder:
    """Folder of sent mail, read whenever its state changed.

    The state is requested together with the opening of another folder, so that new mail there
    needn't wait for an additional answer. A changed folder is read before that mail is fetched: a
    message must be known before its answers.
    """

    def __init__(self, delivery: SentDelivery) -> None:
        self._delivery = delivery
        self._state_when_read: FolderCounts = {}
        self._state: FolderCounts = {}
        self._is_changed = False
        self._is_state_known = False

    def begin_pass(self) -> None:
        """Request the state again, with the next folder that is opened."""
        self._is_state_known = False

    def read_first(self, session: Session) -> None:
        """Read the folder if it was never read, or if its state can't be requested with another."""
        folder = session.folders.sent
        if folder is None:
            return
        if not self._state_when_read or not folder.raw.isascii():
            self.note(session.counts(folder.name, "UIDVALIDITY", "UIDNEXT"))
            self.read_if_changed(session)

    def name_to_request(self, session: Session) -> str:
        """Return the folder whose state to request now; empty if it is known."""
        folder = session.folders.sent
        return "" if folder is None or self._is_state_known else folder.name

    def note(self, state: FolderCounts) -> None:
        """Compare a state with the one that was read. An empty state counts as changed."""
        self._is_state_known = True
        self._state = state
        self._is_changed = not state or state != self._state_when_read

    def read_if_changed(self, session: Session) -> None:
        """Open the folder and deliver its new messages. Another folder may have to be reopened."""
        folder = session.folders.sent
        if folder is None or not self._is_changed:
            return
        try:
            self._read(session, folder.name)
        except KnownError as error:
            # A server that refuses this must not stop the mail.
            if error.error_code not in (ErrorCode.FOLDER_MISSING, ErrorCode.SERVER_REFUSED):
                raise
        self._state_when_read = self._state
        self._is_changed = False

    def _read(self, session: Session, name: str) -> None:
        validity = session.select(name).validity
        first = self._delivery.read_upto(name, validity) + 1
        # A range up to "*" always includes the last message.
        found = session.search(b"UID %d:*" % first)
        new = sorted(uid for uid in found if uid >= first)[-MOST_SENT:]
        self._delivery.deliver(name, validity, _headers(session, new), len(new))


def _headers(session: Session, uids: Sequence[int]) -> Iterator[SentHeaders]:
    """Yield the headers of messages of the open folder that name recipients."""
    for batch in batches(uids, SENT_BATCH):
        found = session.fetch(batch, _ITEMS)
        yield SentHeaders(batch[-1], [each.body for each in found if each.body])
