"""Where mail meets the engine: what an account asks of, and hands to, whoever keeps the mail.

An account thread sees only `Desk`; the engine implements it and imports nothing else from this room.
Every call is safe from any thread.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class FolderName:
    """A folder of an account. `folder` is the name as a person reads it, not the server's encoding."""

    account: str
    folder: str


@dataclass(frozen=True, slots=True)
class FolderMemory:
    """What is known of a folder: for IMAP `validity` is UIDVALIDITY and `modseq` HIGHESTMODSEQ (0: unknown).

    `flags` holds every known UID with its flags and keywords.
    """

    validity: int = 0
    modseq: int = 0
    flags: dict[int, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Arrival:
    """One fetched message. `raw` may lack attachments beyond the size cap; `size` is the server's figure."""

    uid: int
    flags: frozenset[str]
    received: float
    raw: bytes
    size: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """One step of keeping a folder in step; all of it is stored in one transaction or none of it.

    A `validity` other than the known one drops the folder's old locations first, never labels.
    `complete` says that the folder is wholly in step after this delivery; `modseq` counts only then.
    `role` is the label ("good", "junk") that the user said every message of this folder has: first training.
    `special` says what the folder is ("\\Inbox", "\\Junk", "\\Trash", "\\Sent", "\\Drafts", "\\Archive",
    "\\All", "" for any other): an arrival in \\Junk of a message known from elsewhere, or one out of \\Junk, was
    moved there by someone, which may be offered as a label; what goes to \\Trash never is.
    """

    folder: FolderName
    validity: int
    modseq: int = 0
    arrivals: tuple[Arrival, ...] = ()
    flags: dict[int, frozenset[str]] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()
    complete: bool = False
    role: str = ""
    special: str = ""


class ErrandKind(StrEnum):
    """What an account can be asked to do on its server."""

    KEYWORDS = "keywords"
    MOVE = "move"
    FETCH = "fetch"


@dataclass(frozen=True, slots=True)
class Errand:
    """Something to do on the server, kept in the outbox until confirmed.

    KEYWORDS sets `add` and clears `remove`; MOVE moves the one message to `target`
    ("\\Junk" means the account's junk folder, "\\Inbox" its inbox). `begun` is what was last noted of it.
    FETCH wants raw mail that is wanted once more, of which `Desk.hand_over` takes up to `most` bytes (0: as many as
    the account fetches of any); it is only asked for as long as the engine runs, and its number is negative.
    """

    number: int
    kind: ErrandKind
    folder: FolderName
    validity: int
    uid: int
    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()
    target: str = ""
    begun: str = ""
    most: int = 0


class Outcome(StrEnum):
    """How an errand ended. MOOT: the message is gone or was moved by someone else; it is not tried again."""

    DONE = "done"
    MOOT = "moot"
    REFUSED = "refused"


class Phase(StrEnum):
    """What an account is doing, for the window to show."""

    CONNECTING = "connecting"
    WORKING = "working"
    IN_STEP = "in-step"
    OFFLINE = "offline"
    NEEDS_YOU = "needs-you"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class AccountState:
    """An account's state. `at` is when it began, `retry_at` when OFFLINE ends; `trouble` is an `errors.Trouble`.

    `teaches` is the label that all mail of `folder` is learned with, where it is. `page` is where the provider, which
    refuses the password it was given, gives out those for programs.
    """

    account: str
    phase: Phase
    at: float
    folder: str = ""
    done: int = 0
    total: int = 0
    retry_at: float = 0.0
    trouble: str = ""
    detail: str = ""
    teaches: str = ""
    page: str = ""


class DeskClosed(Exception):
    """The engine is stopping and takes nothing more: what was being handed in is not stored."""


class Desk(Protocol):
    """What an account thread may ask of the engine. Every call but `report` raises `DeskClosed` when it stops."""

    def retain(self, account: str, folders: Collection[str], *, junk: bool) -> None:
        """Forget where the account's mail lay in all other folders, never labels. `junk`: keep its junk folder too."""

    def remember(self, folder: FolderName) -> FolderMemory:
        """What is known of the folder; empty for a new one. Waits for deliveries made before."""

    def deliver(self, delivery: Delivery) -> None:
        """Take this. Returns once it is stored, as is all that was handed in before."""

    def hand_in(self, delivery: Delivery) -> None:
        """The same, but returns once what was handed in before is stored: meanwhile the account fetches what is next.

        So an account is never further ahead of the disk than by one delivery, and hears at its next call of the folder
        if that one could not be stored.
        """

    def errands(self, account: str) -> tuple[Errand, ...]:
        """What the server is still to be told, oldest first."""

    def begin(self, steps: Mapping[int, str]) -> None:
        """Note with these errands, by number, how far they have come: what follows may break off."""

    def settle(self, errand: Errand, outcome: Outcome, detail: str = "") -> None:
        """The errand is over."""

    def hand_over(self, errand: Errand, arrival: Arrival) -> None:
        """The mail that a FETCH asked for, which ends it."""

    def report(self, state: AccountState) -> None:
        """This is my state now. Never waits."""
