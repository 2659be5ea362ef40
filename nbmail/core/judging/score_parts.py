"""Takes a score apart into what the evidence panel shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, Sample, Vocabulary
from nbmail.core.judging.explanation import Contribution
from nbmail.core.methods.method import Pair, Shares


@dataclass(frozen=True, slots=True)
class Parts:
    """The strongest contributions, and all weaker ones together."""

    shown: tuple[Contribution, ...]
    weaker_count: int
    weaker: float


@dataclass(frozen=True, slots=True)
class Telling:
    """What is needed to tell the shares of a sample in words."""

    sample: Sample
    shares: Shares
    counts: Counts
    vocabulary: Vocabulary
    pair: Pair

    def parts(self, strongest: int) -> Parts:
        """The strongest parts one by one, the rest as a sum. Words that say nothing are not counted."""
        others = [value for _, value in self.shares.others]
        values: FloatArray = np.append(self.shares.contributions, others)
        order = np.argsort(-np.abs(values), kind="stable")[: int(np.count_nonzero(values))]
        shown = tuple(self._contribution(int(place)) for place in order[:strongest])
        weaker = order[strongest:]
        return Parts(shown, len(weaker), float(values[weaker].sum()))

    def _contribution(self, place: int) -> Contribution:
        shares = self.shares
        if place >= len(self.sample.words):
            name, value = shares.others[place - len(self.sample.words)]
            return Contribution(name, place_of(name), 0, 0, value, 0.0, value)
        number = self.sample.words[place : place + 1]
        documents = self.counts.documents_of(number)
        word = self.vocabulary.word(int(number[0]))
        return Contribution(
            word,
            place_of(word),
            int(documents[self.pair[0], 0]),
            int(documents[self.pair[1], 0]),
            float(shares.ratios[place]),
            float(shares.corrections[place]),
            float(shares.contributions[place]),
        )


def place_of(word: str) -> str:
    """Where a word stood: what is before its colon; without one, the body."""
    place, colon, _ = word.partition(":")
    return place if colon else "body"
