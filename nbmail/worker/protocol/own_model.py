"""What may be asked about the model as a whole: how good it is on one's own mail, by which method, and a new beginning.

And what it asks the user: the few messages whose marks would teach most, and what the answers brought. Every figure
comes from messages that the model in question had not learned.
"""

from dataclasses import dataclass
from pathlib import Path

from nbmail.core.scoring.explanation import Counted
from nbmail.worker.protocol import Command

__all__ = ["Counted"]


def junk_from(junk_per_lost: float) -> float:
    """The probability from which on junk is called junk, where a lost message is as bad as so many junk messages."""
    from nbmail.core.scoring.verdict import Costs  # numpy comes along, which the window's start can't wait for

    return Costs(false_junk=junk_per_lost).junk_from


@dataclass(frozen=True, slots=True)
class JudgeModel(Command):
    """How good is the model in use? Result: `Accuracy`."""


@dataclass(frozen=True, slots=True)
class DrawLearningCurve(Command):
    """How good would it be with fewer labels? The newest messages are judged. Result so far: tuple of `CurvePoint`."""


@dataclass(frozen=True, slots=True)
class CompareMethods(Command):
    """Every method by the golden rule: learned from the older messages, compared on newer ones, and the best of them
    judged once on the newest. Result: `MethodComparison`.
    """


@dataclass(frozen=True, slots=True)
class UseMethod(Command):
    """Learn by this method from now on. The one in use serves until all labels are learned anew."""

    method: str


@dataclass(frozen=True, slots=True)
class StartOver(Command):
    """Forget all labels and all that was imported, after a backup. One undo step. Result: `StartedOver`."""


@dataclass(frozen=True, slots=True)
class Ask(Command):
    """Which unlabelled messages of the inbox should be marked next? Result: `most`, fewer where fewer are unlabelled.

    The one that teaches most comes first. `besides` are not asked about: what is on the table already, or was skipped.
    A mark of a message that was asked about (`Mark`, as any other) is remembered as one. Ask anew after each mark: what
    teaches most is then another.
    """

    most: int = 2
    besides: tuple[int, ...] = ()


EVERY_LABEL = 10**9
"""More than anybody gives."""


@dataclass(frozen=True, slots=True)
class ReportTraining(Command):
    """How well would it have judged the latest `most` labels, had it not learned them? Result: `TrainingReport`.

    Each of them was scored by a model that had not learned it. Of a thousand it is quick enough to be asked after every
    mark. What marks brought is the difference between two reports on the same messages: `among` names those of the
    first.
    """

    most: int = EVERY_LABEL
    among: tuple[int, ...] = ()


# ------------------------------------------------------------------------------------------------ results


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Messages with about the same probability of junk: what was promised on average, and how many were junk."""

    promised: float
    junk: Counted


@dataclass(frozen=True, slots=True)
class Accuracy:
    """`junk` and `good` are numbers of messages called junk, unsure and good. `promises` go from low to high."""

    junk: tuple[int, int, int]
    good: tuple[int, int, int]
    caught: Counted
    misjudged: Counted
    promises: tuple[ReliabilityBin, ...]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What a model of so many labels made of the messages it was judged on."""

    labels: int
    caught: Counted
    misjudged: Counted


@dataclass(frozen=True, slots=True)
class MethodFigures:
    """`one_minus_auc`, in percent, is the chance that a good message scores higher than junk."""

    method: str
    caught: Counted
    misjudged: Counted
    one_minus_auc: float


@dataclass(frozen=True, slots=True)
class MethodComparison:
    """`learned` messages were learned, `compared` served to compare; `best` was judged on the newest ones."""

    learned: int
    compared: int
    methods: tuple[MethodFigures, ...]
    best: MethodFigures


@dataclass(frozen=True, slots=True)
class StartedOver:
    """So many labels are gone; the model of before is kept there."""

    labels: int
    backup: Path


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """The judgement of labelled messages by models that had not learned them, at the dial as it is.

    Of `junk` messages `caught` were called junk. Of `good` ones the `misjudged` were: their numbers, the surest mistake
    first. `missed` are the junk messages called good, `judged` all of them. All are 0 or empty until a message of each
    class is labelled.
    """

    junk: int = 0
    good: int = 0
    caught: int = 0
    misjudged: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    judged: tuple[int, ...] = ()

    @property
    def messages(self) -> int:
        return self.junk + self.good

    @property
    def rate(self) -> Counted:
        return Counted(self.caught, self.junk)
