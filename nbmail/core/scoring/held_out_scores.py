"""Held-out scores of all labels, and the calibration line fitted on them.

Scores from before learning come from models of fewer labels, which are much weaker at the beginning. The first `MOST`
labels are therefore cross-validated. Each class is dealt into ten folds in turn, and a model of the other folds scores
each fold. The result depends only on the labels and their order. Cross-validation is repeated after each of the first
`EACH` labels, later when their number has grown by a sixteenth (`latest_due`). Later labels keep their score from
before learning.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol

import numpy as np

from nbmail.core.counting.sample import FloatArray, LongArray, Sample, Vocabulary, WordRows
from nbmail.core.scoring.calibration import Flags, HeldOut, Line, Prior, fit

MOST = 1024
"""So many labels are scored by folds; later ones come from models that hardly change any more."""
NEVER = -1
"""In place of a number of labels scored by folds: their messages are not there, so none ever will be."""
FOLDS = 10
EACH = 128
"""Below so many labels, folds are due at every number."""
DIGITS = 5
"""Above, at numbers of so many binary digits with nothing but zeros behind: sixteen times a doubling."""
# A line is fitted on as many scores as their number rounded down to so many binary digits.
_FIT_DIGITS = 7
# Scores within this distance are alike; never fewer than the nearest ten, never more than the nearest 200.
_NEAR = 1.0
_FEWEST_ALIKE, _MOST_ALIKE = 10, 200
# Labels learned between two looks at what else there is to do: about 2 ms.
_PIECE = 128


class Learner(Protocol):
    """Model that can be cross-validated."""

    def learn_without_scores(self, samples: Sequence[Sample], labels: Sequence[str]) -> None:
        """Learn without scoring anything."""

    def rows(self, samples: list[Sample]) -> WordRows:
        """Lay samples end to end."""

    def comparable_scores(self, rows: WordRows) -> FloatArray | None:
        """Their scores; None while a class has no example."""


def latest_due(labels: int) -> int:
    """Return the last number of labels, up to this one, at which folds are due."""
    labels = min(labels, MOST)
    cut = labels.bit_length() - DIGITS if labels >= EACH else 0
    return labels >> cut << cut


def with_own_words(samples: Sequence[Sample], vocabulary: Vocabulary | None) -> tuple[list[Sample], Vocabulary]:
    """Renumber the samples over a vocabulary of their own words, so that models are small in any mailbox.

    `vocabulary`: None if the texts of words aren't needed; the returned one is then empty.
    """
    rows = WordRows.join([sample.words for sample in samples])
    present = np.zeros(int(rows.words.max(initial=-1)) + 1, np.bool_)
    present[rows.words] = True
    places = np.cumsum(present, dtype=np.int32)[rows.words] - 1
    parts = np.split(places, rows.starts[1:-1])
    renumbered = [Sample(words, one.occurrences, one.measures) for words, one in zip(parts, samples, strict=True)]
    texts = map(vocabulary.word, np.flatnonzero(present).tolist()) if vocabulary is not None else ()
    return renumbered, Vocabulary(texts)


def cross_validating(
    fresh: Callable[[], Learner], samples: Sequence[Sample], labels: Sequence[str], junk: Flags
) -> Generator[None, None, FloatArray]:
    """Return the score of each label by a model that never saw it, in pieces. `fresh` makes an empty model."""
    folds, scores = _dealt(junk), np.full(len(samples), np.nan)
    for fold in range(int(folds.max(initial=-1)) + 1):
        kept, left = np.flatnonzero(folds != fold).tolist(), np.flatnonzero(folds == fold).tolist()
        model = fresh()
        for first in range(0, len(kept), _PIECE):
            chunk = kept[first : first + _PIECE]
            model.learn_without_scores([samples[place] for place in chunk], [labels[place] for place in chunk])
            yield
        found = model.comparable_scores(model.rows([samples[place] for place in left]))
        if found is not None:
            scores[left] = found
        yield
    return scores


def _dealt(junk: Flags) -> LongArray:
    """Return the fold of each label: each class dealt in turn."""
    folds = np.empty(len(junk), np.int64)
    for flags in (junk, ~junk):
        folds[flags] = np.arange(np.count_nonzero(flags)) % FOLDS
    return folds


class HeldOutScores:
    """Held-out scores of all labels. `uncounted`: numbers of junk and good labels without a score."""

    def __init__(self, held_out: HeldOut, cross_validated: int = 0, uncounted: tuple[int, int] = (0, 0)) -> None:
        """Return the first `cross_validated` scores are from cross-validation."""
        # A copy: what comes from a file can't be written to.
        self._before = held_out.with_room(0)
        self._length = len(held_out)
        self._by_folds = held_out.scores[: max(cross_validated, 0)]
        self._never = cross_validated == NEVER
        self._uncounted = uncounted
        self._fitted: tuple[int, Prior, float] | None = None
        self._line = fit(HeldOut.none(), (0, 0))

    def __len__(self) -> int:
        return self._length

    @property
    def cross_validated(self) -> int:
        """Number of scores from cross-validation; `NEVER` if the messages are not available."""
        return NEVER if self._never else len(self._by_folds)

    @property
    def needs_rescoring(self) -> bool:
        """True if cross-validation is pending."""
        return not self._never and len(self._by_folds) != latest_due(self._length)

    @property
    def all(self) -> HeldOut:
        """All of them, in the order of the labels."""
        known = self._before.at(slice(self._length))
        scores, folded = known.scores.copy(), min(len(self._by_folds), self._length)
        scores[:folded] = self._by_folds[:folded]
        return HeldOut(scores, known.junk.copy(), known.asked.copy())

    def append(self, scores: FloatArray, junk: Flags, asked: Flags) -> None:
        """More scores that were given before their labels were known, in the order of the labels."""
        length = self._length + len(scores)
        if length > len(self._before):
            self._before = self._before.with_room(max(64, self._length, len(scores)))
        place = slice(self._length, length)
        self._before.scores[place], self._before.junk[place], self._before.asked[place] = scores, junk, asked
        self._length = length

    def drop_latest(self) -> None:
        """Take the latest back."""
        self._length -= 1
        self._fitted = None
        if self._length < len(self._by_folds):
            # What one of the folds had learned is gone.
            self._by_folds = self._by_folds[:0]

    def set_cross_validated(self, by_folds: FloatArray) -> None:
        """Better scores for the first labels."""
        self._by_folds, self._fitted = by_folds, None

    def line(self, prior: Prior, share: float) -> Line:
        """Return the line for these labels. `share`: base rate of the messages that active learning selects from."""
        cut = max(0, self._length.bit_length() - _FIT_DIGITS)
        wanted = self._length >> cut << cut, prior, share if self._before.asked[: self._length].any() else 0.5
        if self._fitted != wanted:
            known = self.all.at(slice(wanted[0]))
            of_junk = int(np.count_nonzero(known.junk))
            labels = of_junk + self._uncounted[0], len(known) - of_junk + self._uncounted[1]
            self._line, self._fitted = fit(known, labels, prior, wanted[2]), wanted
        return self._line

    def nearest(self, score: float) -> tuple[int, int]:
        """Return the number of held-out scores near this one, and how many of them are junk."""
        known = self.all
        distances = np.abs(known.scores - score)
        nearest = np.argsort(distances, kind="stable")[: int(np.count_nonzero(~np.isnan(distances)))][:_MOST_ALIKE]
        chosen = nearest[: max(int(np.count_nonzero(distances[nearest] <= _NEAR)), _FEWEST_ALIKE)]
        return len(chosen), int(np.count_nonzero(known.junk[chosen]))
