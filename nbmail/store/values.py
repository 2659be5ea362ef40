"""The values that go into the store and come out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from nbmail.core.counting.sample import FloatArray, LongArray, Sample


class By(StrEnum):
    """Who changed a label. The first four are steps a user can undo; SERVER (another client's keyword) is not."""

    USER = "user"
    FOLDER = "folder"
    IMPORT = "import"
    TRAVEL = "travel"
    SERVER = "server"
    UNDO = "undo"
    REDO = "redo"
    REPAIR = "repair"


FILES = ("", "")
"""In place of a folder and its account: files that were handed in."""


@dataclass(frozen=True, slots=True)
class Giver:
    """Who gave a label (None: nobody knows), and the account and folder it was learned from, where that is known."""

    by: By | None
    folder: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """A label, who gave it and when, and what brought it back since (an undo, a redo or a journey), if anything."""

    label: str
    giver: Giver
    moment: float = 0.0
    back_by: By | None = None
    back_moment: float = 0.0


@dataclass(frozen=True, slots=True)
class Head:
    """What the list shows of a message. `attachments` says whether there are any."""

    sender: str
    subject: str
    date: float
    size: int
    attachments: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """A message itself, wherever it lies. `identity` comes from `identity.identify`; empty `raw` isn't cached.

    `packed` is `raw` as the cache keeps it, where someone made it before.
    """

    identity: bytes
    head: Head
    sample: Sample
    raw: bytes = b""
    packed: bytes = b""


@dataclass(frozen=True, slots=True)
class Placed:
    """A message at a place in a folder."""

    uid: int
    flags: frozenset[str]
    content: Content


@dataclass(frozen=True, slots=True)
class Batch:
    """One step of keeping a folder in step, stored whole or not at all.

    `tokenizer` is the version that made the samples. `complete` says that the folder is wholly in step after this;
    `modseq` counts only then. `special` is what kind of folder it is ("\\Junk", …); "" leaves that as it was. Another
    `validity` than the known one drops the folder's locations, never labels.
    """

    account: str
    folder: str
    validity: int
    tokenizer: int
    modseq: int = 0
    placed: tuple[Placed, ...] = ()
    flags: dict[int, frozenset[str]] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()
    complete: bool = False
    special: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a batch changed: `messages` stand in the order of `placed`, `fresh` are those not known before.

    `flagged` are messages whose flags changed, `homeless` those that have no location any more, `displaced` those that
    lost one and have another.
    """

    messages: tuple[int, ...]
    fresh: frozenset[int]
    flagged: frozenset[int]
    homeless: frozenset[int]
    displaced: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class FolderState:
    """What is known of a folder. `flags` holds every known UID."""

    validity: int = 0
    modseq: int = 0
    special: str = ""
    complete: bool = False
    flags: dict[int, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Location:
    """Where a message lies."""

    message: int
    account: str
    folder: str
    special: str
    validity: int
    uid: int
    flags: frozenset[str]


OtherPlaces = tuple[tuple[int, bool], ...]
"""Further folders of a message, by number, each with whether the message is unread there."""


@dataclass(frozen=True, slots=True, eq=False)
class Heads:
    """Messages of the list, column by column, newest first. `labels` and `folders` are indexes into the tuples.

    `labels` is -1 for an unlabelled message, `folders` -1 for one without a location. A message in several folders is
    one row, with the folder where it was met first; `others` are indexes into `other_places`, each of which holds
    further folders, as indexes into `folder_names`, and whether it is unread there. The first of them is empty.
    `givers` are indexes into `giver_names`: who gave the label, -1 without one.
    """

    messages: LongArray
    dates: FloatArray
    senders: tuple[str, ...]
    subjects: tuple[str, ...]
    labels: Any  # int16 array
    folders: Any  # int16 array
    unread: Any  # bool array
    attachments: Any  # bool array
    label_names: tuple[str, ...]
    folder_names: tuple[tuple[str, str], ...]
    others: Any  # int32 array
    other_places: tuple[OtherPlaces, ...]
    givers: Any  # int16 array
    giver_names: tuple[Giver, ...]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled message with what it was learned with and its place in the order of the labels."""

    message: int
    label: str
    position: int
    sample: Sample


@dataclass(frozen=True, slots=True)
class Change:
    """One label that changed; None is no label."""

    message: int
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Way:
    """How far a long step has come: to which line of the journal, of which it ends with `end` and leads to `line`.

    So it is `done` with so many of a `total` of changes that may have to be turned.
    """

    at: int
    end: int = 0
    line: int = 0
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Marked:
    """What a mark, undo, redo or journey did. `step` is 0 where nothing changed or nothing can be undone.

    `base` says that the imported counts changed too, so that every score has; `way` that the step isn't over yet.
    """

    changes: tuple[Change, ...] = ()
    step: int = 0
    base: bool = False
    way: Way | None = None


@dataclass(frozen=True, slots=True)
class StepFigures:
    """A step in short: who took it, how many labels it changed, to what (None for none or a mixture), the first."""

    by: By
    messages: int
    label: str | None
    first: int | None


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One line of the journal, with the message's subject. `step` is 0 for what belongs to none."""

    number: int
    moment: float
    message: int
    subject: str
    before: str | None
    after: str | None
    by: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class Wish:
    """Something a mark wants done on the server: "keywords" (add and remove) or "move" (to `target`)."""

    kind: str
    location: Location
    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()
    target: str = ""


Wishes = Callable[[Change], Iterable[Wish]]


@dataclass(frozen=True, slots=True)
class Task:
    """A wish, or the taking back of one, that the server is still to be told. `number` is given back on settling.

    `begun` is what was last noted of how far it has come.
    """

    number: int
    kind: str
    message: int
    account: str
    folder: str
    validity: int
    uid: int
    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()
    target: str = ""
    begun: str = ""


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
