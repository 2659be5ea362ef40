"""Results about the quality of the model and of methods."""

from typing import NamedTuple

from nbmail.core.scoring.explanation import Proportion
from nbmail.method_spec import METHODS


class ReliabilityBin(NamedTuple):
    """Messages with similar predicted probabilities, and how many of them are junk."""

    predicted: float
    junk: Proportion


class Accuracy(NamedTuple):
    """Held-out classification of all labels. `junk` and `good`: messages classified as junk, unsure and good.

    `recall`: junk classified as junk. `false_positives`: good messages classified as junk. `reliability`: bins by
    increasing probability. `junk_chances`, `good_chances`: held-out probabilities of all junk and good mail.
    """

    junk: tuple[int, int, int]
    good: tuple[int, int, int]
    recall: Proportion
    false_positives: Proportion
    reliability: tuple[ReliabilityBin, ...]
    junk_chances: tuple[float, ...] = ()
    good_chances: tuple[float, ...] = ()


class MeasuredRates(NamedTuple):
    """Test of a model.

    `accuracy`: messages whose likelier class after calibration is the true one. `arg_max`: by the method's own scores.
    `recall` and `false_positives` have no messages if own classes are tested.
    """

    accuracy: Proportion
    arg_max: Proportion
    recall: Proportion
    false_positives: Proportion


class CurvePoint(NamedTuple):
    """Test of a model of `method` with this number of labels. `learned`: accuracy on the messages of these labels."""

    labels: int
    unseen: MeasuredRates
    learned: Proportion = Proportion(0, 0)
    method: str = METHODS[0]


class WordWeights(NamedTuple):
    """Weights of a word by two methods that learned the same messages: the log-ratio of Bernoulli, and logistic."""

    naive_bayes: float
    logistic: float
    messages: int


class MethodFigures(NamedTuple):
    """Test of a method. `one_minus_auc`: chance, in percent, that a good message scores higher than junk."""

    method: str
    test: MeasuredRates
    one_minus_auc: float


class Split(NamedTuple):
    """Parts of the labelled messages to train, to select a method, and to test the selected one.

    `learn`, `choose`, `test`: shares below 1, or numbers of messages; the test part is the last one, 0 for the rest.
    `seed`: draw the parts at random, None for the order of dates. `own_classes`: all classes instead of junk and good.
    """

    learn: float = 0.8
    choose: float = 0.1
    test: float = 0
    seed: int | None = None
    own_classes: bool = False


class MethodComparison(NamedTuple):
    """Comparison of methods on `compared` messages. `flattered`: by how much the selected accuracy is too high."""

    learned: int
    compared: int
    methods: tuple[MethodFigures, ...]
    best: MethodFigures
    flattered: float = 0.0
    seed: int | None = None
