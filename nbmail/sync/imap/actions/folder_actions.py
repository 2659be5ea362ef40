"""Pending actions on messages of one folder, each with its end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.imap.protocol.uid_sets import uid_sets
from nbmail.sync.imap.session import Session
from nbmail.values import ARCHIVE, INBOX, JUNK_FOLDER, TRASH, Outcome, ServerAction, ServerLocation


class EndedAction(NamedTuple):
    """Action that ended, the reason of a refusal, and the new location of a moved message."""

    action: ServerAction
    outcome: Outcome
    detail: str
    new_location: ServerLocation | None


class FolderActions:
    """Pending actions that differ only in their message.

    `left`: the actions that have not ended, by UID, with their latest progress. Progress is stored
    before the step that it is for. `ended` gets each action that ends.
    """

    def __init__(
        self,
        session: Session,
        backend: AccountBackend,
        actions: Sequence[ServerAction],
        ended: list[EndedAction],
    ) -> None:
        self.session = session
        self.backend = backend
        self.first = actions[0]
        self.folder = self.first.folder.folder
        self.validity = self.first.validity
        self.left = {action.uid: action for action in actions}
        self._ended = ended

    def end(
        self, uid: int, outcome: Outcome, detail: str = "", location: ServerLocation | None = None
    ) -> None:
        """End the action of a message. `location`: new one of a moved message, None if unknown."""
        self.backend.complete(self.left[uid], outcome, detail, location)
        self._ended.append(EndedAction(self.left.pop(uid), outcome, detail, location))

    def end_all(self, uids: Iterable[int], outcome: Outcome, detail: str = "") -> None:
        for uid in list(uids):
            self.end(uid, outcome, detail)

    def note(self, texts: Mapping[int, str]) -> None:
        """Store progress durably."""
        if not texts:
            return
        for uid, text in texts.items():
            self.left[uid] = self.left[uid]._replace(progress=text)
        self.backend.store_progress([self.left[uid] for uid in texts])

    def target(self) -> str:
        """Return the folder to move to. Create one that the user named if it doesn't exist."""
        target = self.first.target
        if target == INBOX:
            return "INBOX"
        if target == JUNK_FOLDER:
            spam = self.session.folders.spam
            return spam.name if spam else ""

        for use in (ARCHIVE, TRASH):
            if target == self.session.folders.to_create(use):
                self.session.find(use)
        folders = self.session.folders
        prefixed = folders.prefix + target
        return prefixed if target not in folders and prefixed in folders else target

    def open(self) -> bool:
        return self.session.opens(self.folder, self.validity)

    def present(self, uids: Collection[int]) -> set[int]:
        """Return the UIDs that are still in the folder. What another client moved is left to it."""
        if not uids or not self.open():
            return set()
        return set(self.session.search(b"UID " + next(uid_sets(uids))))

    def can_move(self) -> bool:
        """True if the server can move single messages."""
        return self.session.can("MOVE") or self.session.can("UIDPLUS")
