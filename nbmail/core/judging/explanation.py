"""Why a message got its score: values that add up to it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contribution:
    """One word's share in a score.

    Methods that weigh more than words have shares of a measure ("measure:size") or of two words that are there
    together ("pair:free money") too; these have no counts.

    `log_ratio` comes from the counts alone, `correction` from mistakes; `contribution` is what the word adds to the
    log-odds of this message.
    """

    word: str
    place: str
    junk: int
    good: int
    log_ratio: float
    correction: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score taken apart: prior + contributions + weaker + calibration = log_odds, to 1e-9.

    `wanted` and `other` are the two classes weighed against each other (junk and good unless told otherwise).
    `probability` is None while too few held-out scores exist to promise one; `log_odds` is then uncalibrated.
    `flip_without` is the smallest set of words without which the verdict would turn, empty where none would;
    `marks_to_flip` says how many more marks of a message like this would turn it, None where it can't be told.
    `alike` is what the probability rests on: how many held-out messages scored like this one, and how many of them
    were junk; none while there are too few.
    """

    wanted: str
    other: str
    prior: float
    contributions: tuple[Contribution, ...]
    weaker_count: int
    weaker: float
    calibration: float
    log_odds: float
    probability: float | None
    verdict: str
    flip_without: tuple[str, ...] = ()
    marks_to_flip: int | None = None
    alike: tuple[int, int] = (0, 0)
