"""Parts of a score between two classes, the strongest named."""

from typing import NamedTuple

import numpy as np

from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.explaining.explanation import Contribution
from nbmail.core.methods.decomposition import DecomposedOdds, Part
from nbmail.core.methods.method import Method, Pair
from nbmail.core.words.word_places import place_of


class ScoreParts(NamedTuple):
    """The fields of `Reasons` that add up to the last of them."""

    prior: float
    contributions: tuple[Contribution, ...]
    weaker_count: int
    weaker: float
    calibration: float
    log_odds: float


class ScoreSource(NamedTuple):
    """Everything that a score between two classes depends on."""

    counts: Counts
    vocabulary: Vocabulary
    method: Method

    def parts(
        self, sample: Sample, shares: DecomposedOdds, pair: Pair, strongest: int, log_odds: float
    ) -> ScoreParts:
        """Return the strongest contributions, and the sum of the others.

        `log_odds`: after calibration.
        """
        values: FloatArray = np.append(shares.contributions, [part.value for part in shares.others])
        order = strongest_first(values)
        weaker = values[order[strongest:]]
        named: list[Contribution] = []
        for place in order[:strongest].tolist():
            if place < len(sample.words):
                named.append(self._word(sample, shares, pair, place))
            else:
                named.append(self._other(shares.others[place - len(sample.words)]))
        return ScoreParts(
            prior=shares.prior,
            contributions=tuple(named),
            weaker_count=len(weaker),
            weaker=float(weaker.sum()),
            calibration=log_odds - shares.log_odds,
            log_odds=log_odds,
        )

    def counted(self, number: int, pair: Pair) -> Contribution:
        """Return a word with its counts, without what it adds to a message."""
        word = self.vocabulary.word(number)
        documents = self.counts.documents_of(np.array([number], np.int32))
        wanted, other = pair
        parent = self.method.parent_of(number)
        return Contribution(
            word=word,
            place=place_of(word),
            spam=int(documents[wanted, 0]),
            ham=int(documents[other, 0]),
            log_ratio=0.0,
            correction=0.0,
            contribution=0.0,
            occurrences=0,
            parent="" if parent is None else self.vocabulary.word(parent),
        )

    def _word(self, sample: Sample, shares: DecomposedOdds, pair: Pair, place: int) -> Contribution:
        """Return the contribution of the word at an index of the sample."""
        return self.counted(int(sample.words[place]), pair)._replace(
            log_ratio=float(shares.ratios[place]),
            correction=float(shares.corrections[place]),
            contribution=float(shares.contributions[place]),
            occurrences=int(sample.occurrences[place]),
        )

    def _other(self, part: Part) -> Contribution:
        """Return the contribution of a measure, of a pair of words, or of all absent words."""
        words = tuple(map(self.vocabulary.word, part.pair or ()))
        name = f"{part.name}:{' '.join(words)}" if words else part.name
        wanted, other = part.counts
        return Contribution(
            word=name,
            place=place_of(name),
            spam=wanted,
            ham=other,
            log_ratio=part.value,
            correction=0.0,
            contribution=part.value,
            occurrences=1 if words else 0,
            measure=part.measure,
            pair=words,
        )


def strongest_first(values: FloatArray) -> LongArray:
    """Return the indexes of all values except zeros, by their size."""
    order = np.argsort(-np.abs(values), kind="stable")
    return np.asarray(order[: int(np.count_nonzero(values))], np.int64)
