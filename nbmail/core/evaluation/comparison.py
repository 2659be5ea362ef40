"""Learning curves, and methods side by side: how often each message is put where it belongs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from nbmail.core.evaluation.protocols import Case, ScoredCase, Trial, learn_all
from nbmail.core.judging.intervals import wilson
from nbmail.core.judging.model import GOOD, JUNK, Model

CURVE_SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
TESTED_SHARE = 0.3
"""The part of all messages, the last ones, on which a curve is measured."""


@dataclass(frozen=True, slots=True)
class ShareRight:
    """How many of so many messages were put where they belong, in percent, with the 95 % interval after Wilson."""

    messages: int
    percent: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, right: int, messages: int) -> "ShareRight":
        """From counts."""
        lowest, highest = wilson(right, messages)
        return cls(messages, 100 * right / messages if messages else 0.0, 100 * lowest, 100 * highest)


@dataclass(frozen=True, slots=True)
class Rates:
    """What was said of messages: `accuracy` by the likelier class; of junk and good mail also what verdicts did."""

    accuracy: ShareRight
    junk_caught: ShareRight | None = None
    good_lost: ShareRight | None = None

    @classmethod
    def of(cls, outcomes: Sequence[ScoredCase], junk_or_good: bool) -> "Rates":
        """From what was said before the labels were known."""
        if not junk_or_good:
            counted = [outcome.right for outcome in outcomes if outcome.right is not None]
            return cls(ShareRight.of(sum(counted), len(counted)))
        right = sum((outcome.probability > 0.5) == (outcome.label == JUNK) for outcome in outcomes)
        caught, lost = (
            [outcome.verdict == "junk" for outcome in outcomes if outcome.label == label] for label in (JUNK, GOOD)
        )
        return cls(
            ShareRight.of(right, len(outcomes)),
            ShareRight.of(sum(caught), len(caught)),
            ShareRight.of(sum(lost), len(lost)),
        )


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """How a model of so many labels does on what it learned, and on what it had not seen."""

    labels: int
    learned: Rates
    unseen: Rates


def learning_curve(
    trial: Trial, fresh: Callable[[], Model], cases: Sequence[Case], sizes: Iterable[int] = CURVE_SIZES
) -> Iterator[LearningPoint]:
    """The first so many messages learned, the last part tested, always the same; all before it in the end."""
    room = len(cases) - round(TESTED_SHARE * len(cases))
    model, done = fresh(), 0
    for size in sorted({*(size for size in sizes if 0 < size < room), room} - {0}):
        learn_all(model, cases[done:size])
        done = size
        learned, unseen = (list(trial.judge(model, part)) for part in (cases[:size], cases[room:]))
        yield LearningPoint(size, Rates.of(learned, trial.junk_or_good), Rates.of(unseen, trial.junk_or_good))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A method and how it did on the messages that choose."""

    method: str
    rates: Rates


def choose_method(
    trial: Trial, models: Iterable[Model], cases: Sequence[Case], learn: int, choose: int
) -> tuple[list[Candidate], str, Rates, list[ScoredCase]]:
    """Each learns the first messages and is tried on the next; the best of them is told the last, once."""
    candidates = list[Candidate]()

    def note(model: Model, outcomes: Sequence[ScoredCase]) -> None:
        candidates.append(Candidate(model.method, Rates.of(outcomes, trial.junk_or_good)))

    best, outcomes = trial.split(models, cases, learn, choose, note)
    return candidates, best.method, Rates.of(outcomes, trial.junk_or_good), outcomes
