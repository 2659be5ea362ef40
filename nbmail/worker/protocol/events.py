"""Events of the engine.

Only `TicketChanged` belongs to a request. `AccountState` is the new state of an account.
"""

from math import nan
from typing import NamedTuple

from nbmail.values import AccountState, FolderName, OpeningNote, Rows, Scores, StepTaken
from nbmail.worker.protocol.folders import FoldersSuggested
from nbmail.worker.protocol.sorting import SortingChanged
from nbmail.worker.protocol.ticket import AnyTicket, Failed


class TicketChanged(NamedTuple):
    """Progress or end of a request.

    The window calls `ticket.deliver` once for each of these events.
    """

    ticket: AnyTicket


class Opened(NamedTuple):
    """The data folder is open. `notes`: events that the user should know of."""

    notes: tuple[OpeningNote, ...] = ()


class HomeRefused(NamedTuple):
    """The data folder can't be opened. Every request fails for the same reason."""

    failed: Failed


class EngineFailed(NamedTuple):
    """Failure outside any request. The engine goes on.

    An idle task failed, the database was deleted, or there is a bug.
    """

    failed: Failed


class Changed(NamedTuple):
    """Changes of the list.

    `rows`: new or changed ones. `scores`: of listed messages. `gone`: messages without a location.
    """

    rows: Rows | None = None
    scores: Scores | None = None
    gone: tuple[int, ...] = ()


class ClassFigures(NamedTuple):
    """Learned messages of one class, and the words that they contain."""

    name: str
    messages: int
    words: int


class Learned(NamedTuple):
    """Summary of the changed model.

    - `vocabulary`: words that learned messages contain.
    - `held_out`: held-out scores for the calibration, of spam and of good mail.
    - `calibrated`: there are probabilities, from the first label of each class on.
    - `undo`, `redo`: steps that can be undone and redone.
    - `next_undo`, `next_redo`: the first of them; None without one, or if it is large.
    - `is_training`: there are no probabilities until a first training from folders has ended.
    - `is_exact`: False while a rebuild is pending.
    - `spam_from`: probability from which a message is spam. `costs`: of mistakes, in the order of
      `explanation.Costs`.
    """

    classes: tuple[ClassFigures, ...]
    vocabulary: int
    held_out: tuple[int, int] = (0, 0)
    calibrated: bool = False
    is_training: bool = False
    method: str = ""
    undo: int = 0
    redo: int = 0
    is_exact: bool = True
    spam_from: float = nan
    next_undo: StepTaken | None = None
    next_redo: StepTaken | None = None
    costs: tuple[float, float, float, float] | None = None


class BodyFetched(NamedTuple):
    """A requested text is cached, or no account has it (`found` is False)."""

    message: int
    found: bool


class MovedByOthers(NamedTuple):
    """Messages that another client moved into a spam folder of `account` or out of it: `label` may
    be offered.

    Emitted again at each start, until the user marks the messages or declines. `subjects` are in
    the order of `messages`. `contradicted`: messages whose verdict is the opposite.
    """

    messages: tuple[int, ...]
    label: str
    subjects: tuple[str, ...] = ()
    contradicted: frozenset[int] = frozenset()
    account: str = ""


class FolderRenamed(NamedTuple):
    """A folder has another name on the server, and keeps its messages."""

    account: str
    old: str
    new: str


class MoveRefused(NamedTuple):
    """Messages that the server did not move.

    `target`: without a folder for a deletion. `detail`: reason of the server.
    """

    messages: int
    target: FolderName
    detail: str


Event = (
    TicketChanged
    | Opened
    | HomeRefused
    | EngineFailed
    | Changed
    | Learned
    | BodyFetched
    | MovedByOthers
    | FolderRenamed
    | MoveRefused
    | SortingChanged
    | FoldersSuggested
    | AccountState
)
