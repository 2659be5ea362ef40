"""Requests about messages besides marks, and their results."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from nbmail.values import ConversationLine, FolderName, SenderRule, ServerFolderUse
from nbmail.worker.protocol.results import Marked
from nbmail.worker.protocol.ticket import Ticket


class Moved(NamedTuple):
    """Result of a move. `stayed`: unmoved messages. `missing`: accounts without the requested special folder."""

    messages: tuple[int, ...] = ()
    stayed: tuple[int, ...] = ()
    missing: tuple[str, ...] = ()


class JunkPreview(NamedTuple):
    """Messages of a junk folder. `nearest`: those nearest to good mail, and their probability of junk.

    A probability is NaN before calibration.
    """

    folder: FolderName
    messages: tuple[int, ...]
    nearest: Mapping[int, float]


class MessageFile(NamedTuple):
    """Message written to a temporary file, and the first header of each name."""

    path: Path
    headers: Mapping[str, str]


class UnsubscribeOffer(NamedTuple):
    """Ways to unsubscribe from the list of a message: `one_click` is an https address, `mail` a mailto address.

    `moment`, `answer`: of the latest request for the same list; 0.0 without one.
    """

    message: int
    sender: str
    one_click: str = ""
    mail: str = ""
    moment: float = 0.0
    answer: str = ""


class FilingRequests(Protocol):
    """Moves, deletions and flags. The server is notified now, or once it is reachable."""

    def list_folders(self) -> Ticket[tuple[ServerFolderUse, ...]]:
        """List the folders of all accounts that can move mail, in no particular order."""

    def move(self, messages: Sequence[int], folder: FolderName, origin: FolderName | None = None) -> Ticket[Moved]:
        """Move messages on their server, now or once it is reachable. One undo step.

        `folder`: a folder of one account, or ("", special use) for that folder of each message's own account.
        `origin`: the folder that a message in several folders leaves; by default its inbox, otherwise the first.
        A move to a folder of the user's own marks a message as good, one to the junk folder as junk.
        """

    def file_messages(self, groups: Sequence[tuple[FolderName, Sequence[int]]]) -> Ticket[Moved]:
        """Move messages to several folders. One undo step."""

    def delete(self, messages: Sequence[int]) -> Ticket[Moved]:
        """Delete messages permanently, if they are in the trash or in the junk folder. No undo step."""

    def preview_junk(self, folder: FolderName) -> Ticket[JunkPreview]:
        """List what `delete` would remove from a junk folder, and the messages nearest to good mail."""

    def write_message(self, message: int) -> Ticket[MessageFile]:
        """Write a message to a temporary `.eml` file, which the next start deletes."""

    def read_unsubscribe(self, message: int) -> Ticket[UnsubscribeOffer]:
        """Return the verified ways to unsubscribe from the list of a message."""

    def note_unsubscribed(self, message: int, answer: str) -> Ticket[None]:
        """Remember the answer to a request to unsubscribe from the list of a message."""

    def list_rules(self) -> Ticket[tuple[SenderRule, ...]]:
        """List the user's rules about senders, by sender."""

    def set_rule(self, rule: SenderRule) -> Ticket[Marked]:
        """Let a rule decide the verdicts on a sender, or remove it. It teaches the model nothing. One undo step."""

    def list_conversation(self, message: int) -> Ticket[tuple[ConversationLine, ...]]:
        """List the messages of the thread of a message, oldest first."""

    def flag(self, messages: Sequence[int], *, on: bool = True) -> Ticket[tuple[int, ...]]:
        """Flag messages, or remove their flags, on their servers too. One undo step. Return those that changed."""

    def read_folder(self, folder: FolderName) -> Ticket[tuple[int, ...]]:
        """Mark all messages of a folder as read. One undo step. Return those that changed."""
