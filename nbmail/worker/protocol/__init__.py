"""Contract of the engine with its callers: typed requests, tickets, results and events.

- `client.Engine` has the methods, for example `engine.mark(messages, "junk")`. Each returns a `ticket.Ticket` at once.
- `ticket.then(done, failed=…, progressed=…, cancelled=…, ended=…)` registers callbacks for the window's thread. Without
  `failed`, the window's general error handler shows the failure. `ticket.drop()` cancels and forgets.
- `ticket.result(timeout)` waits; for command-line tools and tests.
- Events other than `TicketChanged` belong to no request. The window delivers `TicketChanged` with `ticket.deliver`.

The command classes below are the old form of the requests, for `EngineRequests.ask` only.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from math import nan
from pathlib import Path

from nbmail.core.scoring.explanation import Contribution, Explanation
from nbmail.values import AccountState, FolderName, OpeningNote, Rows, Scores, StepTaken
from nbmail.worker.protocol.ticket import AnyTicket, Failed, Progress

# During the move to `client.Engine` these are found here too.
__all__ = ["Contribution", "Explanation", "Failed", "Progress"]

# ---------------------------------------------------------------------------------------------- commands


@dataclass(frozen=True, slots=True)
class Command:
    """Something to do. `Done.result` of each is named in its docstring, None where it isn't."""


@dataclass(frozen=True, slots=True)
class ListMail(Command):
    """All messages that have a location, newest first. Result: `Rows`."""


@dataclass(frozen=True, slots=True)
class ShowRows(Command):
    """These messages are on the screen: score them first from now on."""

    messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mark(Command):
    """Label these messages; None takes the label away. One undo step. Result: `Marked`."""

    messages: tuple[int, ...]
    label: str | None


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """Take the latest step back. Result: `Marked`, with no messages where there was nothing to undo.

    A step of more than `most` labels is left as it is and only named: `Marked.held`.
    """

    most: int | None = None


@dataclass(frozen=True, slots=True)
class Redo(Command):
    """Do the latest undone step again. Result: `Marked`."""


@dataclass(frozen=True, slots=True)
class Explain(Command):
    """Why does this message have its score? Result: `Explanation`."""

    message: int
    strongest: int = 12


@dataclass(frozen=True, slots=True)
class FindLabelSource(Command):
    """Who gave this message its label, and when? Result: `SourcedLabel`, None for a message without a label."""

    message: int


@dataclass(frozen=True, slots=True)
class ReadMessage(Command):
    """The text of a message. Result: `MessageText`. Where it isn't kept any more it is asked for: `BodyCame`."""

    message: int


@dataclass(frozen=True, slots=True)
class FetchWhole(Command):
    """Fetch a large message beyond its first part: `BodyCame`. Result: the accounts that were asked."""

    message: int


@dataclass(frozen=True, slots=True)
class ExportModel(Command):
    """Write the model to a file of this format, a `.nbmodel` file where none is named. Result: `Exported`.

    With `redact`, words that fewer messages hold or fewer senders wrote are left out, and all that names somebody.
    """

    path: Path
    format: str = ""
    redact: int = 0


@dataclass(frozen=True, slots=True)
class ImportModel(Command):
    """Add a model file to what is known. An undoable step. Result: `Imported`.

    What was imported before, or was exported from here, is refused unless it is to count `again`. With `replace` it
    takes the place of all that was imported before, after a backup. Without `format` that is found by its content.
    """

    path: Path
    again: bool = False
    replace: bool = False
    format: str = ""


@dataclass(frozen=True, slots=True)
class SetCost(Command):
    """One lost good message is as bad as `junk_seen` junk messages in the inbox. All verdicts follow."""

    junk_seen: float


@dataclass(frozen=True, slots=True)
class SetMoving(Command):
    """Whether marks also move messages on the server. Off until the user turns it on."""

    on: bool


@dataclass(frozen=True, slots=True)
class PreviewMoves(Command):
    """What moving would have done with the user's own marks up to now. Result: tuple of `PlannedMove`, newest first."""


@dataclass(frozen=True, slots=True)
class Relearn(Command):
    """Build counts, corrections and calibration anew from the labels. Result: the `Path` of a backup."""


@dataclass(frozen=True, slots=True)
class LabelFolder(Command):
    """Label every message of a folder, or `spare` those that have a label. One undo step. Result: `Marked`."""

    folder: FolderName
    label: str
    spare: bool = False


@dataclass(frozen=True, slots=True)
class ForgetAccount(Command):
    """The account is no more: its mail leaves the list, nothing is told to its server any longer, labels stay."""

    account: str


@dataclass(frozen=True, slots=True)
class FindSuspicious(Command):
    """Labels that all the other labels contradict. Result: tuple of `Suspicion`, strongest first."""


@dataclass(frozen=True, slots=True)
class LookBack(Command):
    """What would the model of that moment have said of these messages? Result: `Scores`."""

    moment: float
    messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GoBack(Command):
    """Set labels to what they were `before` this line of the journal and all that came with it. Result: `Marked`."""

    before: int


@dataclass(frozen=True, slots=True)
class TraceSender(Command):
    """How the score of the messages of one sender went over time. Result: tuple of (moment, probability)."""

    message: int


@dataclass(frozen=True, slots=True)
class ShowJournal(Command):
    """The latest marks, newest first. Result: tuple of `JournalLine`."""

    most: int = 1000


# ------------------------------------------------------------------------------------------------ results


@dataclass(frozen=True, slots=True)
class Marked:
    """What a mark, undo or redo did. `label` is what the messages carry now, None for none or a mixture.

    `base` says that imported knowledge came or went; `step` is what was undone or redone, or would be where it is
    `held`: too large to be undone unasked.
    """

    messages: tuple[int, ...]
    label: str | None
    turned: int = 0
    """How many other messages without a label changed their verdict; 0 as long as verdicts are not settled."""
    base: bool = False
    step: StepTaken | None = None
    held: bool = False


@dataclass(frozen=True, slots=True)
class Attachment:
    """Attachment of a message. `name`: result of `file_names.clean_file_name`."""

    name: str
    kind: str
    size: int


class Body(StrEnum):
    """How much of a message there is: all, its first part, nothing until it comes, nothing."""

    WHOLE = "whole"
    PART = "part"
    COMING = "coming"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class MessageText:
    """A message to read. `html` is empty for plain mail; `headers` are those a person reads, decoded.

    `accounts` are those that were asked for a text that is `COMING`.
    """

    message: int
    headers: tuple[tuple[str, str], ...]
    text: str
    html: str
    attachments: tuple[Attachment, ...]
    body: Body = Body.WHOLE
    accounts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """An export that is on the disk: words of the file, and how many messages of each class taught them.

    `left_out` are words that its format can't hold, or that were redacted. Where it was `redacted`, `caught` is the
    share of junk that was caught before and after, if that can be told.
    """

    path: Path
    words: int
    classes: tuple[tuple[str, int], ...]
    left_out: int = 0
    redacted: bool = False
    caught: tuple[float, float] | None = None

    @property
    def messages(self) -> int:
        return sum(messages for _, messages in self.classes)


@dataclass(frozen=True, slots=True)
class Imported:
    """An import that has been learned: words of the file, and how many messages of each class taught them.

    `other_method` is the method that made it where that is another one, so that only its counts were taken. `backup` is
    the model of before, where that was replaced. `left_out`: number of omitted doubtful words.
    """

    path: Path
    words: int
    classes: tuple[tuple[str, int], ...]
    other_method: str = ""
    backup: Path | None = None
    left_out: int = 0

    @property
    def messages(self) -> int:
        return sum(messages for _, messages in self.classes)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A label that the rest contradicts: log-odds and probability of junk by models that hadn't learned the message."""

    message: int
    label: str
    log_odds: float
    probability: float | None


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A message that would be moved: where it lies, and where to ("junk" or "inbox")."""

    message: int
    sender: str
    subject: str
    folder: FolderName
    target: str


# ------------------------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""


@dataclass(frozen=True, slots=True, eq=False)
class TicketChanged(Event):
    """Progress or end of a request. The window calls `ticket.deliver` once for each of these events."""

    ticket: AnyTicket


@dataclass(frozen=True, slots=True)
class HomeRefused(Event):
    """The data folder can't be opened. Every request fails for the same reason."""

    failed: Failed


@dataclass(frozen=True, slots=True)
class EngineFailed(Event):
    """An expected error outside any request: an idle task failed, or the database was deleted."""

    failed: Failed


@dataclass(frozen=True, slots=True, eq=False)
class Changed(Event):
    """What changed in the list: `rows` are new or altered, `scores` of listed ones, `gone` lie nowhere."""

    rows: Rows | None = None
    scores: Scores | None = None
    gone: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BodyCame(Event):
    """A text that was asked for is there to be read, or can't be had (`found` is False)."""

    message: int
    found: bool


@dataclass(frozen=True, slots=True)
class MovedByOthers(Event):
    """Messages that another client moved into a junk folder or out of one: `label` may be offered.

    `subjects` are in the order of `messages`. `contradicted`: messages whose verdict is the opposite.
    """

    messages: tuple[int, ...]
    label: str
    subjects: tuple[str, ...] = ()
    contradicted: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """How much of one class has been learned."""

    name: str
    messages: int
    words: int


@dataclass(frozen=True, slots=True)
class Learned(Event):
    """What the model knows now. `held_out` counts the honest scores that calibration rests on, junk then good;
    `calibrated` says that there are probabilities: from the first label of each class on.

    `vocabulary` counts the words that some learned message holds. `undo` and `redo` count the steps that can be taken;
    `is_exact` is False while a relearning is still to come. `junk_from` is the probability from which on it is junk.
    """

    classes: tuple[ClassFigures, ...]
    vocabulary: int
    held_out: tuple[int, int] = (0, 0)
    calibrated: bool = False
    method: str = ""
    undo: int = 0
    redo: int = 0
    is_exact: bool = True
    junk_from: float = nan


@dataclass(frozen=True, slots=True)
class AccountChanged(Event):
    """An account's state."""

    state: AccountState


@dataclass(frozen=True, slots=True)
class Broken(Event):
    """The engine met a fault of ours outside any command; it goes on."""

    detail: str


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """The store is open; `notes` are events that the user should know of."""

    notes: tuple[OpeningNote, ...] = field(default=())
