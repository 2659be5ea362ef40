"""Results about the quality of the model and of methods."""

from typing import NamedTuple

from nbmail.core.scoring.explanation import Proportion


class ReliabilityBin(NamedTuple):
    """Messages with similar predicted probabilities, and how many of them are junk."""

    predicted: float
    junk: Proportion


class Accuracy(NamedTuple):
    """Held-out classification of all labels. `junk` and `good`: messages classified as junk, unsure
    and good.

    `reliability`: bins by increasing probability. `junk_chances`, `good_chances`: held-out
    probabilities of all junk and good mail.
    """

    junk: tuple[int, int, int]
    good: tuple[int, int, int]
    reliability: tuple[ReliabilityBin, ...]
    junk_chances: tuple[float, ...] = ()
    good_chances: tuple[float, ...] = ()

    @property
    def recall(self) -> Proportion:
        """Junk classified as junk."""
        return Proportion(self.junk[0], sum(self.junk))

    @property
    def false_positives(self) -> Proportion:
        """Good messages classified as junk."""
        return Proportion(self.good[0], sum(self.good))


class WordWeights(NamedTuple):
    """Weights of a word by two methods that learned the same messages: the log-ratio of Bernoulli,
    and logistic.
    """

    naive_bayes: float
    logistic: float
    messages: int


class Split(NamedTuple):
    """Parts of the labelled messages to train, to select a method, and to test the selected one.

    `learn`, `choose`, `test`: shares below 1, or numbers of messages; the test part is the last
    one, 0 for the rest. `seed`: draw the parts at random, None for the order of dates.
    `own_classes`: all classes instead of junk and good.
    """

    learn: float = 0.8
    choose: float = 0.1
    test: float = 0
    seed: int | None = None
    own_classes: bool = False
