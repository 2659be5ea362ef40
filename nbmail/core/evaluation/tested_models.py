"""Results of testing models, as values: rates, points of a learning curve, compared methods."""

from typing import NamedTuple

from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.evaluation.trials import ScoredCase


class Rates(NamedTuple):
    """Test of a model.

    `accuracy` is that of the likelier class after calibration, `arg_max` that of the class with the
    highest score. `recall` of spam and `false_positives` among ham messages are those of the
    verdicts, of no messages if own classes are tested.
    """

    accuracy: Proportion
    arg_max: Proportion
    recall: Proportion = Proportion(0, 0)
    false_positives: Proportion = Proportion(0, 0)


class LearningPoint(NamedTuple):
    """Test of a model of `method` with this number of labels.

    `learned`: accuracy on the messages of these labels.
    """

    labels: int
    unseen: Rates
    learned: Proportion
    method: str


class Candidate(NamedTuple):
    """Test of a method.

    `one_minus_auc`: chance that a ham message scores higher than spam, NaN for other classes.
    """

    method: str
    rates: Rates
    one_minus_auc: float


class MethodChoice(NamedTuple):
    """Results of all methods on the selection part, and of the best one on the test part.

    `learned`, `compared`: messages of the training and of the selection part. `flattered`: amount
    by which the best accuracy on the selection part is probably too high, since it is the best.
    `seed` of parts drawn at random.
    """

    learned: int
    compared: int
    candidates: tuple[Candidate, ...]
    best: Candidate
    outcomes: tuple[ScoredCase, ...]
    flattered: float
    seed: int | None = None
