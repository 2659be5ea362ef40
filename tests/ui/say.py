"""Values of the engine's contract, and requests as values: the scripted engine records each call as one."""

from dataclasses import dataclass
from pathlib import Path

from nbmail.values import FolderName
from nbmail.worker.protocol.events import *  # noqa: F403 - the tests take all of the contract from here
from nbmail.worker.protocol.results import *  # noqa: F403
from nbmail.worker.protocol.results import ALL_LABELS, WordOrder
from nbmail.worker.protocol.ticket import Failed, Progress, Ticket

__all__ = ["Failed", "Progress", "Ticket"]


@dataclass(frozen=True, slots=True)
class Command:
    """Request to the engine, with its arguments."""


@dataclass(frozen=True, slots=True)
class ListMail(Command):
    pass


@dataclass(frozen=True, slots=True)
class ShowRows(Command):
    messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mark(Command):
    messages: tuple[int, ...]
    label: str | None


@dataclass(frozen=True, slots=True)
class Undo(Command):
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Redo(Command):
    pass


@dataclass(frozen=True, slots=True)
class Explain(Command):
    message: int
    strongest: int = 12


@dataclass(frozen=True, slots=True)
class FindLabelSource(Command):
    message: int


@dataclass(frozen=True, slots=True)
class ReadMessage(Command):
    message: int


@dataclass(frozen=True, slots=True)
class FetchWhole(Command):
    message: int


@dataclass(frozen=True, slots=True)
class ExportModel(Command):
    path: Path
    format: str = ""
    redact: int = 0


@dataclass(frozen=True, slots=True)
class ImportModel(Command):
    path: Path
    again: bool = False
    replace: bool = False
    format: str = ""
    leave_out: bool = False


@dataclass(frozen=True, slots=True)
class SetCost(Command):
    junk_seen: float


@dataclass(frozen=True, slots=True)
class SetMoving(Command):
    on: bool


@dataclass(frozen=True, slots=True)
class PreviewMoves(Command):
    pass


@dataclass(frozen=True, slots=True)
class Relearn(Command):
    pass


@dataclass(frozen=True, slots=True)
class LabelFolder(Command):
    folder: FolderName
    label: str
    spare: bool = False


@dataclass(frozen=True, slots=True)
class ListTrustedServers(Command):
    account: str


@dataclass(frozen=True, slots=True)
class ForgetAccount(Command):
    account: str


@dataclass(frozen=True, slots=True)
class FindSuspicious(Command):
    pass


@dataclass(frozen=True, slots=True)
class LookBack(Command):
    moment: float
    messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GoBack(Command):
    before: int


@dataclass(frozen=True, slots=True)
class TraceSender(Command):
    message: int


@dataclass(frozen=True, slots=True)
class ShowJournal(Command):
    most: int = 1000


@dataclass(frozen=True, slots=True)
class ListWords(Command):
    search: str = ""
    order: WordOrder = WordOrder.STRONGEST
    most: int = 200
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class DescribeWord(Command):
    word: str


@dataclass(frozen=True, slots=True)
class SupposeWithout(Command):
    word: str
    message: int = -1


@dataclass(frozen=True, slots=True)
class SupposeMark(Command):
    message: int
    label: str


@dataclass(frozen=True, slots=True)
class IgnoreWord(Command):
    word: str
    ignored: bool = True


@dataclass(frozen=True, slots=True)
class ListMoved(Command):
    pass


@dataclass(frozen=True, slots=True)
class ExplainThen(Command):
    message: int
    moment: float
    strongest: int = 12


@dataclass(frozen=True, slots=True)
class JudgeModel(Command):
    pass


@dataclass(frozen=True, slots=True)
class DrawLearningCurve(Command):
    pass


@dataclass(frozen=True, slots=True)
class CompareMethods(Command):
    pass


@dataclass(frozen=True, slots=True)
class UseMethod(Command):
    method: str


@dataclass(frozen=True, slots=True)
class StartOver(Command):
    pass


@dataclass(frozen=True, slots=True)
class Ask(Command):
    most: int = 2
    besides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportTraining(Command):
    most: int = ALL_LABELS
    among: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FindText(Command):
    words: str


@dataclass(frozen=True, slots=True)
class MarkRead(Command):
    messages: tuple[int, ...]
    read: bool = True


@dataclass(frozen=True, slots=True)
class SaveAttachment(Command):
    message: int
    number: int
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class ReadSource(Command):
    message: int


@dataclass(frozen=True, slots=True)
class JudgeMail(Command):
    raw: bytes


@dataclass(frozen=True, slots=True)
class PreviewImport(Command):
    path: Path
    format: str = ""


@dataclass(frozen=True, slots=True)
class DropImports(Command):
    pass


@dataclass(frozen=True, slots=True)
class TakeBackLabels(Command):
    pass


@dataclass(frozen=True, slots=True)
class LeaveLabels(Command):
    pass
