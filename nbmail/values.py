"""Immutable values that packages exchange, each defined once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

LongArray = npt.NDArray[np.int64]
IntArray = npt.NDArray[np.int32]
ShortArray = npt.NDArray[np.int16]
ByteArray = npt.NDArray[np.int8]
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]

_NO_FLAGS: Mapping[int, frozenset[str]] = MappingProxyType({})

SPAM = "spam"
HAM = "ham"
"""Labels, and classes of the model, besides the user's own."""
VERDICTS = ("unsure", HAM, SPAM)
INBOX = "\\Inbox"
JUNK_FOLDER = "\\Junk"
TRASH = "\\Trash"
ARCHIVE = "\\Archive"
"""Special folders, as in `Delivery.special` and `ServerAction.target`."""


AUTOMATIC_CLAIM = "nbmail-auto-"
HAND_CLAIM = "nbmail-move-"
"""Beginnings of the keywords with which a computer claims a message before it moves it:
automatically, on request.
"""
CLAIMING = "claiming"
"""Progress of an automatic move whose claim may have been set."""


class FolderName(NamedTuple):
    """Folder of an account. `folder` is the readable name, not the server's encoding."""

    account: str
    folder: str


@dataclass(frozen=True, slots=True)
class StoredFolder:
    """Stored state of a folder: UIDVALIDITY, HIGHESTMODSEQ (0: unknown), and flags by UID."""

    validity: int = 0
    modseq: int = 0
    flags: dict[int, frozenset[str]] = field(default_factory=dict)


class ConversationLine(NamedTuple):
    """Message of a conversation."""

    message: int
    sender: str
    date: float


class Arrival(NamedTuple):
    """Fetched message. `raw` may be cut at the size limit; `size` is the size on the server."""

    uid: int
    flags: frozenset[str]
    received: float
    raw: bytes
    size: int


class Delivery(NamedTuple):
    """Changes of a folder, passed to the engine at once and stored in one or more transactions.

    - Another `validity` than the stored one first drops the folder's locations, never labels.
    - `gone`: UIDs of expunged messages.
    - `complete`: the folder is synchronized after this delivery; only then `modseq` is valid.
    - `role`: label ("ham", "spam") of all messages of a folder that is used for training.
    - `keywords`: the folder keeps keywords of any name. Without them, moves by programs and by
      persons look alike.
    - `special`: special use of the folder ("\\Inbox", "\\Junk", "\\Trash", "\\Sent", "\\Drafts",
      "\\Archive", "\\All"),
      otherwise empty. A move into or out of \\Junk by another client may be offered as a label, one
      to \\Trash never.
    """

    folder: FolderName
    validity: int
    modseq: int = 0
    arrivals: tuple[Arrival, ...] = ()
    flags: Mapping[int, frozenset[str]] = _NO_FLAGS
    gone: frozenset[int] = frozenset()
    complete: bool = False
    role: str = ""
    special: str = ""
    keywords: bool = True


class ServerLocation(NamedTuple):
    """Location of a message on its account's server."""

    folder: str
    validity: int
    uid: int


class ActionKind(StrEnum):
    """Kinds of actions on a server, in the order in which they run.

    MOVE follows a request or a mark of the user, SORT a verdict. EXPUNGE deletes a message
    permanently.
    """

    FETCH = "fetch"
    KEYWORDS = "keywords"
    SEEN = "seen"
    MOVE = "move"
    EXPUNGE = "expunge"
    SORT = "sort"


class ServerAction(NamedTuple):
    """Action to run on a server, stored in the outbox until it is confirmed.

    KEYWORDS and SEEN set the flags `add` and clear `remove`. MOVE moves the message to `target`:
    "\\Junk" is the account's spam folder, "\\Inbox" its inbox. `progress` is the stored progress of
    an interrupted move.

    FETCH requests up to `most` bytes of raw mail (0: the size limit of the account), is not stored
    and has a negative number. SORT claims the message with the keyword `add` before it moves it.
    With `remove` it only completes an interrupted move or removes this claim. `modseq`:
    mod-sequence of the judged flags, 0 if unknown.
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
    modseq: int = 0


class Outcome(StrEnum):
    """Result of an action.

    OBSOLETE: another client removed the message. CLAIMED: another computer sorts it.
    """

    DONE = "done"
    OBSOLETE = "moot"
    REFUSED = "refused"
    CLAIMED = "claimed"


class Phase(StrEnum):
    """Activity of an account."""

    CONNECTING = "connecting"
    WORKING = "working"
    SYNCED = "synced"
    OFFLINE = "offline"
    NEEDS_YOU = "needs-you"
    STOPPED = "stopped"


class AccountState(NamedTuple):
    """State of an account since `at`. `retry_at`: time of the next attempt if OFFLINE.

    `folder`: empty for training mail that is read again. `error_code`: an `ErrorCode`, or empty.
    `teaches`: label for training with all mail of `folder`, "folder" for a suggested folder, or
    empty. `page`: the provider's page of app passwords, after a refused one.
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


class ServerFolderUse(NamedTuple):
    """Folder that a server listed, its special use, and when the user moved mail there.

    `mailbox_id`: see RFC 8474.
    """

    name: FolderName
    special: str = ""
    used: float = 0.0
    mailbox_id: str = ""


class KnownFolder(NamedTuple):
    """UIDVALIDITY of a folder, 0 if it is not stored, and its MAILBOXID, "" if unknown."""

    validity: int
    mailbox_id: str


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of messages by column.

    `probabilities` are calibrated. They are NaN, and `calibrated` is False, until both classes have
    an example. `verdicts` are indexes into `VERDICTS`. `ruled`: True for verdicts by a rule of the
    user.
    """

    messages: LongArray
    log_odds: FloatArray
    probabilities: FloatArray
    verdicts: ByteArray
    calibrated: bool = False
    ruled: BoolArray | None = None


class SenderRule(NamedTuple):
    """Rule of the user for an address or a domain.

    `verdict`: "spam" or "ham"; "" removes the rule.
    """

    sender: str
    verdict: str


class LabelSource(NamedTuple):
    """Source of a label: user, folder, files, server, import, or "".

    `folder`: learned from it, if stored.
    """

    by: str = ""
    folder: FolderName | None = None


class SourcedLabel(NamedTuple):
    """Label with its source and time. `back_by`: undo, redo or restore since then, or empty."""

    label: str
    label_source: LabelSource
    moment: float = 0.0
    back_by: str = ""
    back_moment: float = 0.0


Locations = tuple[tuple[int, bool], ...]
"""Folders of a message: index into the folder names, and True if unread there. The location seen
first is the first.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Messages of the list by column.

    - `labels`, `label_sources`: indexes into `label_names` and `source_names`, -1 for a message
      without a label.
    - `locations`: indexes into `location_sets`. `flagged`: in any location.
    - `spam_folders`: all folders with the special use "\\Junk".
    - `verified`: 1 if the mail server confirmed the sender, 0 if not, -1 without a trusted server.
    """

    messages: LongArray
    dates: FloatArray
    senders: tuple[str, ...]
    subjects: tuple[str, ...]
    labels: ShortArray
    label_sources: ShortArray
    locations: IntArray
    attachments: BoolArray
    flagged: BoolArray
    verified: ByteArray
    scores: Scores
    label_names: tuple[str, ...]
    source_names: tuple[LabelSource, ...]
    folder_names: tuple[FolderName, ...]
    location_sets: tuple[Locations, ...]
    spam_folders: frozenset[FolderName] = frozenset()

    def folders_of(self, row: int) -> list[tuple[FolderName, bool]]:
        """Return the folders, the location seen first at the top; True where it is unread."""
        return [
            (self.folder_names[folder], unread)
            for folder, unread in self.location_sets[self.locations[row]]
        ]


class StepTaken(NamedTuple):
    """Undo step, for its name in the window.

    `by`: user, folder, import, restore, words, start, move, flag or method. `label`: label or flag
    that was assigned; None if removed or mixed. `folder`: folder that the labels were learned from,
    or that the messages were moved to. `message`: the only changed message; 0 for several or none.
    """

    by: str
    label: str | None
    messages: int
    folder: FolderName | None = None
    message: int = 0


class JournalLine(NamedTuple):
    """Change of one label.

    `by`: user, server, folder, files, undo, redo, import, restore or start.
    """

    moment: float
    message: int
    subject: str
    before: str | None
    after: str | None
    by: str
    number: int = 0
    folder: FolderName | None = None


class LabelRecord(NamedTuple):
    """Change of a label, readable without a database.

    `label`: "" if removed. `entry`, `step`: 0 without a journal.
    """

    identity: bytes
    label: str
    moment: float
    by: str = ""
    account: str = ""
    folder: str = ""
    message_id: str = ""
    before: str = ""
    entry: int = 0
    step: int = 0
    position: int = 0


class NoteKind(StrEnum):
    """Kinds of `OpeningNote`."""

    LOG_REPLACED = "log-replaced"
    REFILLED = "refilled"


class OpeningNote(NamedTuple):
    """Event while a home was opened.

    LOG_REPLACED: `labels.log` had `number` damaged lines, `path` is the damaged file. REFILLED: the
    database got `number` labels of `labels.log`; `path` is the folder of a damaged database that it
    replaces, empty if there is none.
    """

    kind: NoteKind
    number: int = 0
    path: str = ""
