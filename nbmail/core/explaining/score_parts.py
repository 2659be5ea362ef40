"""Parts of a score between two classes, the strongest named."""

from typing import NamedTuple

import numpy as np

from nbmail.core.counting.arrays import FloatArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.explaining.explanation import Contribution
from nbmail.core.methods.decomposition import DecomposedOdds
from nbmail.core.methods.method import Method, Pair
from nbmail.core.words.places import place_of

Parts = tuple[float, tuple[Contribution, ...], int, float, float, float]
"""The first fields of `Reasons`, which add up to the last of them."""


class ScoreSource(NamedTuple):
    """Everything that a score between two classes depends on."""

    counts: Counts
    vocabulary: Vocabulary
    method: Method

    def parts(
        self, sample: Sample, shares: DecomposedOdds, pair: Pair, strongest: int, log_odds: float
    ) -> Parts:
        """Return the strongest contributions, and the sum of the others. `log_odds`: after
        calibration.
        """
        values: FloatArray = np.append(shares.contributions, [part.value for part in shares.others])
        order = np.argsort(-np.abs(values), kind="stable")[: int(np.count_nonzero(values))]
        weaker = order[strongest:]
        named = tuple(
            self._contribution(sample, shares, pair, place) for place in order[:strongest].tolist()
        )
        return (
            shares.prior,
            named,
            len(weaker),
            float(values[weaker].sum()),
            log_odds - shares.log_odds,
            log_odds,
        )

    def counted(self, number: int, pair: Pair) -> Contribution:
        word = self.vocabulary.word(number)
        documents = self.counts.documents_of(np.array([number], np.int32))
        spam, ham = (int(documents[row, 0]) for row in pair)
        number_of_parent = self.method.parent_of(number)
        parent = "" if number_of_parent is None else self.vocabulary.word(number_of_parent)
        return Contribution(word, place_of(word), spam, ham, 0.0, 0.0, 0.0, 0, parent=parent)

    def _contribution(
        self, sample: Sample, shares: DecomposedOdds, pair: Pair, place: int
    ) -> Contribution:
        """Return the part at an index: a word of the sample, or behind them one of
        `shares.others`.
        """
        if place < len(sample.words):
            return self.counted(int(sample.words[place]), pair)._replace(
                log_ratio=float(shares.ratios[place]),
                correction=float(shares.corrections[place]),
                contribution=float(shares.contributions[place]),
                occurrences=int(sample.occurrences[place]),
            )
        name, value, counts, numbers, measure = shares.others[place - len(sample.words)]
        words = tuple(map(self.vocabulary.word, numbers or ()))
        name = f"{name}:{' '.join(words)}" if words else name
        occurrences = len(words) // 2
        return Contribution(
            name, place_of(name), *counts, value, 0.0, value, occurrences, measure, words
        )
