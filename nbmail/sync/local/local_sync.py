"""Keeping local mailboxes in step: looked at now and then, read and never written."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.account_sync import AccountSync
from nbmail.sync.folder_sync import Interrupted
from nbmail.sync.imap.folder_names import ServerFolder, ServerFolders
from nbmail.sync.local.boxes import Box
from nbmail.sync.local.places import boxes_at
from nbmail.values import ActionKind, Outcome, ServerAction

# Looking costs a few questions to the file system, so it can be done more often than a server is asked.
LOOK_EVERY = 5.0


@contextmanager
def _told_as_error_code() -> Iterator[None]:
    """What the file system refuses is the world's fault."""
    try:
        yield
    except OSError as error:
        raise KnownError(ErrorCode.NOT_FOUND, str(error)) from error


class LocalSync(AccountSync):
    """Keeps one account in step whose mail lies on the disk."""

    @_told_as_error_code()
    def open(self) -> None:
        self._boxes: dict[str, Box] = {}
        self._seen: dict[str, object] = {}
        self._find_boxes()

    @_told_as_error_code()
    def round(self) -> KnownError | None:
        """Look at all watched boxes that changed."""
        self.wake_signal.woken()
        self._find_boxes()
        self._run_actions()
        folders = ServerFolders([ServerFolder(name, name.encode(), "/") for name in self._boxes])
        for name in self._watched():
            self._look_at(name, folders.special(name))
        missing = [name for name in self._wanted() if name not in self._boxes]
        return KnownError(ErrorCode.FOLDER_MISSING, missing[0]) if missing else None

    def rest(self) -> None:
        self.wake_signal.listen(min(self._account.poll_seconds, LOOK_EVERY))

    def close(self) -> None:
        """Nothing is open between rounds."""

    def _find_boxes(self) -> None:
        """Those known already keep what they know of their messages."""
        found = boxes_at(Path(self._account.path), self._account.largest_message)
        self._boxes = {name: self._boxes.get(name, box) for name, box in found.items()}

    def _wanted(self) -> list[str]:
        """The folders that were asked for: all there are, where the one that is watched by default isn't there."""
        named = dict.fromkeys((*self._account.folders, *self.training.folders()))
        if self._account.folders == ("INBOX",) and "INBOX" not in self._boxes:
            named = dict.fromkeys((*self._boxes, *(name for name in named if name != "INBOX")))
        return list(named)

    def _watched(self) -> list[str]:
        return [name for name in self._wanted() if name in self._boxes and not self.training.rests(name)]

    def _look_at(self, name: str, special: str) -> None:
        box = self._boxes[name]
        state = (box.signature(), self.training.label(name))
        if self._seen.get(name) == state:
            return
        try:
            self._folder_sync(name, special).step(box)
        except Interrupted:
            return
        self._seen[name] = state

    def _between(self, name: str) -> None:
        self.wake_signal.check()
        if self.wake_signal.woken():
            self._run_actions()
        if name not in self._watched():
            raise Interrupted

    def _run_actions(self) -> None:
        """Mail is fetched once more. Else the files belong to another program: what is decided here stays here."""
        for action in self._backend.pending_actions(self._account.name):
            if action.kind is ActionKind.FETCH:
                self._fetch(action)
            else:
                self._backend.complete(action, Outcome.REFUSED, "local mailboxes are never written")

    def _fetch(self, action: ServerAction) -> None:
        box = self._boxes.get(action.folder.folder)
        known = box is not None and action.uid in box.entries()
        found = next(box.arrivals([action.uid], action.most), None) if box is not None and known else None
        if found is not None:
            self._backend.complete_fetch(action, found)
        else:
            self._backend.complete(action, Outcome.OBSOLETE)
