"""Synchronization of local mailboxes: polled, read and never written."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from nbmail.chunks import batches
from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.accounts.account_thread import AccountThread
from nbmail.sync.folder_sync import Interrupted
from nbmail.sync.imap.folders.server_folders import ServerFolder, ServerFolders
from nbmail.sync.local.local_mailbox import VALIDITY, Box
from nbmail.sync.local.mailbox_places import boxes_at
from nbmail.sync.local.mbox_box import LONGEST_HEAD, head_of
from nbmail.sync.sent_mail import MOST_SENT, SENT_BATCH, SentHeaders
from nbmail.values import ActionKind, Arrival, Outcome, ServerAction

# Looking at file times is cheaper than asking a server.
POLL_SECONDS = 5.0
# UIDs of the last week's sent mail: a file may be older than others that were read before it.
SENT_AGAIN = 7 * 86_400 << 32


@contextmanager
def _translating_errors() -> Iterator[None]:
    """Turn file system errors into NOT_FOUND."""
    try:
        yield
    except OSError as error:
        raise KnownError(ErrorCode.NOT_FOUND, str(error)) from error


class LocalSync(AccountThread):
    """Synchronization of one account with mail on the disk."""

    @_translating_errors()
    def open(self) -> None:
        self._boxes: dict[str, Box] = {}
        self._synced: dict[str, object] = {}
        self._sent: object = None
        self._sent_uids: set[int] = set()
        self._find_boxes()

    @_translating_errors()
    def sync(self) -> KnownError | None:
        self.wake_signal.was_woken()
        self._find_boxes()
        self._run_actions()
        folders = ServerFolders([ServerFolder(name, name.encode(), "/") for name in self._boxes])
        if folders.sent is not None:
            self._read_sent(folders.sent.name)
        for name in self._watched():
            self._sync_box(name, folders.special(name))
        missing = [name for name in self._wanted() if name not in self._boxes]
        return KnownError(ErrorCode.FOLDER_MISSING, missing[0]) if missing else None

    def wait(self) -> None:
        self.wake_signal.wait_for_wake(min(self.account.poll_seconds, POLL_SECONDS))

    def close(self) -> None:
        """Do nothing: no file stays open."""

    def _sync_box(self, name: str, special: str) -> None:
        """Synchronize a box unless nothing changed since the last time."""
        box = self._boxes[name]
        label = self.training.label(name)
        state = (box.signature(), label)
        if self._synced.get(name) != state:
            box.teaches = bool(label)
            with suppress(Interrupted):
                self._folder_sync(name, special).sync(box)
                self._synced[name] = state

    def _find_boxes(self) -> None:
        """Find new and removed boxes. Others keep their list of messages."""
        found = boxes_at(Path(self.account.path), self.account.largest_message)
        self._boxes = {name: self._boxes.get(name, box) for name, box in found.items()}

    def _wanted(self) -> list[str]:
        """Return the configured folders; all that exist if the default INBOX doesn't."""
        named = dict.fromkeys((*self.account.folders, *self.training.folders()))
        if self.account.folders == ("INBOX",) and "INBOX" not in self._boxes:
            named = dict.fromkeys((*self._boxes, *(name for name in named if name != "INBOX")))
        return list(named)

    def _watched(self) -> list[str]:
        return [
            name
            for name in self._wanted()
            if name in self._boxes and not self.training.is_paused(name)
        ]

    def _read_sent(self, name: str) -> None:
        """Read the recipients of new messages in the box of sent mail, before other mail."""
        box = self._boxes[name]
        signature = box.signature()
        if signature == self._sent:
            return
        oldest = self._sent_delivery.read_upto(name, VALIDITY) - SENT_AGAIN
        unread = box.entries().keys() - self._sent_uids
        uids = sorted(uid for uid in unread if uid > oldest)[-MOST_SENT:]
        self._sent_delivery.deliver(name, VALIDITY, _headers(box, uids), len(uids))
        self._sent_uids.update(uids)
        self._sent = signature

    def _yield_turn(self, name: str) -> None:
        self.wake_signal.check()
        if self.wake_signal.was_woken():
            self._run_actions()
        if name not in self._watched():
            raise Interrupted

    def _run_actions(self) -> None:
        """Fetch requested mail and refuse other actions: the files belong to another program."""
        for action in self._backend.pending_actions(self.account.name):
            if action.kind is not ActionKind.FETCH:
                self._backend.complete(action, Outcome.REFUSED, "local mailboxes are never written")
                continue
            found = self._find_message(action)
            if found is not None:
                self._backend.complete_fetch(action, found)
            else:
                self._backend.complete(action, Outcome.OBSOLETE)

    def _find_message(self, action: ServerAction) -> Arrival | None:
        box = self._boxes.get(action.folder.folder)
        if box is None or action.uid not in box.entries():
            return None
        return next(box.arrivals([action.uid], action.most), None)


def _headers(box: Box, uids: Sequence[int]) -> Iterator[SentHeaders]:
    for batch in batches(uids, SENT_BATCH):
        found = box.arrivals(batch, LONGEST_HEAD)
        yield SentHeaders(batch[-1], [head_of(each.raw) for each in found])
