"""Quality of the model and of methods."""

from typing import NamedTuple

from nbmail.core.evaluation.proportion import Proportion

ALL_LABELS = 10**9
"""Limit above any number of labels."""


class TrainingReport(NamedTuple):
    """Held-out classification of labelled messages with the current cost setting. All 0 or empty
    without both classes.

    `false_positives`: ham messages classified as spam, the surest first. `false_negatives`: spam
    messages classified as ham. `classified`: all messages of the report.
    """

    spam: int = 0
    ham: int = 0
    true_positives: int = 0
    false_positives: tuple[int, ...] = ()
    false_negatives: tuple[int, ...] = ()
    classified: tuple[int, ...] = ()

    @property
    def messages(self) -> int:
        return self.spam + self.ham

    @property
    def recall(self) -> Proportion:
        return Proportion(self.true_positives, self.spam)


class ReliabilityBin(NamedTuple):
    """Messages with similar predicted probabilities, and how many of them are spam."""

    predicted: float
    spam: Proportion


class Accuracy(NamedTuple):
    """Held-out classification of all labels. `spam` and `ham`: messages classified as spam, unsure
    and ham.

    `reliability`: bins by increasing probability. `spam_chances`, `ham_chances`: held-out
    probabilities of all spam and good mail.
    """

    spam: tuple[int, int, int]
    ham: tuple[int, int, int]
    reliability: tuple[ReliabilityBin, ...]
    spam_chances: tuple[float, ...] = ()
    ham_chances: tuple[float, ...] = ()

    @property
    def recall(self) -> Proportion:
        """Spam classified as spam."""
        return Proportion(self.spam[0], sum(self.spam))

    @property
    def false_positives(self) -> Proportion:
        """Good messages classified as spam."""
        return Proportion(self.ham[0], sum(self.ham))


class WordWeights(NamedTuple):
    """Weights of a word by two methods that learned the same messages.

    `naive_bayes`: log-ratio of Bernoulli.
    """

    naive_bayes: float
    logistic: float
    messages: int


class Split(NamedTuple):
    """Parts of the labelled messages to train, to select a method, and to test the selected one.

    `learn`, `choose`, `test`: shares below 1, or numbers of messages; the test part is the last
    one, 0 for the rest. `seed`: draw the parts at random, None for the order of dates.
    `own_classes`: all classes instead of spam and ham.
    """

    learn: float = 0.8
    choose: float = 0.1
    test: float = 0
    seed: int | None = None
    own_classes: bool = False
