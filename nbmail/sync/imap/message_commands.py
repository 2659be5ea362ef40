"""Commands on messages of the open folder."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from imapclient.exceptions import ProtocolError

from nbmail.sync.imap.folders.server_folders import ServerFolders
from nbmail.sync.imap.protocol.fetch_responses import Fetched, fetched
from nbmail.sync.imap.protocol.imap_connection import ImapClient
from nbmail.sync.imap.protocol.refusals import Refusal, translating_errors
from nbmail.sync.imap.protocol.uid_sets import MAX_UIDS_IN_SET, read_copied_locations, uid_sets
from nbmail.values import ServerLocation


class MessageCommands:
    """Commands on messages of the open folder. `folders`: possible targets."""

    def __init__(self, client: ImapClient) -> None:
        self.client = client
        self.connection = client.connection
        self.folders = ServerFolders([])

    def noop(self) -> None:
        """Receive pending changes."""
        self.client.noop()

    def wait(self, seconds: float) -> None:
        """Wait, but not longer than the account runs."""
        self.client.wake_signal.wait(seconds)

    @translating_errors()
    def search(self, criteria: bytes) -> list[int]:
        """Return UIDs of the open folder in the server's order."""
        return list(self.client.search(criteria))

    def fetch(
        self, uids: Iterable[int], items: bytes, per_command: int = MAX_UIDS_IN_SET
    ) -> Iterator[Fetched]:
        """Yield messages of the open folder, approximately in this order, and others at any time.

        `items`: requested items in brackets, with UID.
        """
        commands = (b"UID FETCH " + each + b" " + items for each in uid_sets(uids, per_command))
        for reply in self.connection.pipeline(commands):
            found = fetched(reply)
            if found is not None:
                yield found

    @translating_errors()
    def flags(self, uids: Collection[int]) -> dict[int, frozenset[str]]:
        """Return the current flags of messages of the open folder, after a NOOP."""
        self.noop()
        found = self.fetch(uids, b"(UID FLAGS)")
        return {each.uid: each.flags for each in found if each.flags is not None}

    def store(self, uids: Collection[int], flags: Collection[str], *, add: bool) -> bool:
        """Set or clear flags in the open folder. True if a response shows one of the flags set."""
        change = self.client.add_flags if add else self.client.remove_flags
        shown: set[bytes] = set()
        # The command has been carried out, even if the response is unreadable.
        with suppress(LookupError, ProtocolError):
            for present in change(uids, sorted(flags)).values():
                shown.update(flag.lower() for flag in present if isinstance(flag, bytes))
        return any(flag.lower().encode() in shown for flag in flags)

    def claim(self, uids: Collection[int], keyword: str, unchanged_since: int) -> None:
        """Set a keyword in the open folder.

        With `unchanged_since`, a mod-sequence, leave out messages that were changed later. The
        answer is no proof: some servers ignore the condition, others let two clients win.
        """
        condition = [b"(UNCHANGEDSINCE %d)" % unchanged_since] if unchanged_since else []
        flags = b"(" + keyword.encode("ascii") + b")"
        for each in uid_sets(uids):
            try:
                self.client._raw_command(b"STORE", [each, *condition, b"+FLAGS.SILENT", flags])
            except Refusal as refusal:
                if refusal.code != "MODIFIED":
                    raise

    def expunge(self, uids: Collection[int]) -> None:
        """Remove messages of the open folder that have the flag \\Deleted (UIDPLUS)."""
        self.client.uid_expunge(uids)

    def copy(self, uid: int, target: str) -> int:
        """Copy a message of the open folder. Return the UID of the copy, 0 if not reported."""
        self.client.copy([uid], self.folders.wire(target))
        copies = self._copied_locations(target)
        return copies[uid].uid if copies and uid in copies else 0

    def move(self, uids: Collection[int], target: str) -> dict[int, ServerLocation | None]:
        """Move messages of the open folder.

        Return the new location of each that was moved, None if unknown.
        """
        self.client.move(uids, self.folders.wire(target))
        copies = self._copied_locations(target)
        if copies is not None:
            return dict(copies)
        left = set(self.search(b"UID " + b",".join(b"%d" % uid for uid in uids)))
        return {uid: None for uid in uids if uid not in left}

    def _copied_locations(self, target: str) -> dict[int, ServerLocation] | None:
        answer = self.connection.response("COPYUID")[1][-1] or b""
        return read_copied_locations(answer, target)
