"""What rooms hand to each other, each value once: frozen, and without numpy, which the window imports late."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from nbmail.errors import ErrorCode
from nbmail.settings import Security

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    LongArray = npt.NDArray[np.int64]
    FloatArray = npt.NDArray[np.float64]

# ------------------------------------------------------------------------------------------- accounts and their mail


@dataclass(frozen=True, slots=True)
class FolderName:
    """A folder of an account. `folder` is the name as a person reads it, not the server's encoding."""

    account: str
    folder: str


@dataclass(frozen=True, slots=True)
class StoredFolder:
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


class ServerLocation(NamedTuple):
    """Location of a message on its account's server."""

    folder: str
    validity: int
    uid: int


class ActionKind(StrEnum):
    """What an account can be asked to do on its server."""

    KEYWORDS = "keywords"
    MOVE = "move"
    FETCH = "fetch"
    SEEN = "seen"


@dataclass(frozen=True, slots=True)
class ServerAction:
    """Something to do on the server, kept in the outbox until confirmed.

    KEYWORDS, and SEEN for the flag of reading, set `add` and clear `remove`; MOVE moves the one message to `target`
    ("\\Junk" means the account's junk folder, "\\Inbox" its inbox). `progress` is what was last noted of it.
    FETCH requests up to `most` bytes of raw mail (0: the size cap of the account) for `AccountBackend.complete_fetch`.
    FETCH actions are never stored, and their numbers are negative.
    """

    number: int
    kind: ActionKind
    folder: FolderName
    validity: int
    uid: int
    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()
    target: str = ""
    progress: str = ""
    most: int = 0


class Outcome(StrEnum):
    """How an errand ended. OBSOLETE: the message is gone or was moved by someone else; it is not tried again."""

    DONE = "done"
    OBSOLETE = "moot"
    REFUSED = "refused"


class Phase(StrEnum):
    """What an account is doing, for the window to show."""

    CONNECTING = "connecting"
    WORKING = "working"
    SYNCED = "synced"
    OFFLINE = "offline"
    NEEDS_YOU = "needs-you"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class AccountState:
    """An account's state. `at` is when it began, `retry_at` when OFFLINE ends; `error_code` is an `errors.ErrorCode`.

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
    error_code: str = ""
    detail: str = ""
    teaches: str = ""
    page: str = ""


# ------------------------------------------------------------------------------------------------ finding a mailbox


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where a mail server is, and how the connection to it is protected."""

    host: str
    port: int = 993
    security: Security = Security.TLS
    authority_file: str = ""


@dataclass(frozen=True, slots=True)
class ServerTried:
    """One step of a search: a server is being asked (`worked` None), answers, or why it doesn't."""

    server: MailServer
    worked: bool | None = None
    error_code: ErrorCode | None = None


@dataclass(frozen=True, slots=True)
class ServerFound:
    """The end of a search: the settings that work.

    `provider` and what follows it speak of a large provider of mail: the page on which it gives out app passwords,
    whether it is reached through a program of its own on this computer, and whether it is `closed` to passwords.
    """

    server: MailServer
    user: str
    provider: str = ""
    password_page: str = ""
    bridge: bool = False
    closed: bool = False


class TryStep(StrEnum):
    """How far a try to reach a mailbox on a server has come."""

    PROTECTED = "protected"
    LOGGED_IN = "logged-in"


@dataclass(frozen=True, slots=True)
class MailPlace:
    """Mail of another program on this computer: what to call it, where it is, and its folders."""

    name: str
    path: str
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FolderLine:
    """A folder of a mailbox: what it is for ("\\Junk", empty for most), how many messages where that is known."""

    name: str
    special: str = ""
    messages: int | None = None


# ---------------------------------------------------------------------------------------------------------- the list


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of messages, column by column.

    `probabilities` are calibrated; NaN while one of junk and good mail has no example, until which `calibrated` is
    False. `verdicts` are indexes into `VERDICTS`.
    """

    messages: LongArray
    log_odds: FloatArray
    probabilities: FloatArray
    verdicts: Any  # int8 array
    calibrated: bool = False


VERDICTS = ("unsure", "good", "junk")


@dataclass(frozen=True, slots=True)
class LabelSource:
    """Who gave a label: user, folder, files (that were handed in), server, import or repair; "" where nobody knows.

    `folder` is the one it was learned from, where that was noted.
    """

    by: str = ""
    folder: FolderName | None = None


@dataclass(frozen=True, slots=True)
class SourcedLabel:
    """A label, who gave it and when; `back_by` (undo, redo or travel) brought it back since, where that isn't empty."""

    label: str
    label_source: LabelSource
    moment: float = 0.0
    back_by: str = ""
    back_moment: float = 0.0


OtherPlaces = tuple[tuple[int, bool], ...]
"""Further folders of a message, as indexes into the folders' names, each with whether it is unread there."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Messages of the list, column by column. `labels` and `folders` hold indexes into the tuples beside them.

    `labels` is -1 for an unlabelled message. `unread` and `attachments` are booleans. `folders` and `unread` are those
    of the place where a message was met first; `others` are indexes into `other_places`, each of which holds further
    folders with whether it is unread there. Without `others` no message has any. `label_sources` hold indexes into
    `source_names`, -1 for an unlabelled message; without them nobody knows who gave the labels.
    """

    messages: LongArray
    dates: FloatArray
    senders: tuple[str, ...]
    subjects: tuple[str, ...]
    labels: Any  # int16 array
    folders: Any  # int16 array
    unread: Any  # bool array
    attachments: Any  # bool array
    scores: Scores
    label_names: tuple[str, ...]
    folder_names: tuple[FolderName, ...]
    others: Any = None  # int32 array
    other_places: tuple[OtherPlaces, ...] = ((),)
    label_sources: Any = None  # int16 array
    source_names: tuple[LabelSource, ...] = ()


# -------------------------------------------------------------------------------------------- the past and check-ups


@dataclass(frozen=True, slots=True)
class StepTaken:
    """A step that was taken, to be named when it is taken back or done again.

    `by` is user, folder, import, travel, words or start; `label` what it gave, None for none or a mixture; `folder`
    what taught it.
    """

    by: str
    label: str | None
    messages: int
    folder: FolderName | None = None


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One change of one label. `by` is user, server, folder, files, undo, redo, import, travel, start or repair.

    `folder` is the one it was learned from, where that was noted.
    """

    moment: float
    message: int
    subject: str
    before: str | None
    after: str | None
    by: str
    number: int = 0
    folder: FolderName | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a check-up looked at."""

    name: str
    sound: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings of a check-up, after repairs if any were made."""

    findings: tuple[Finding, ...]
    repaired: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether everything is well."""
        return all(finding.sound for finding in self.findings)
