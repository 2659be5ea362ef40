"""All methods by name, with their parameters, and logistic regression."""

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbmail.core.counting.counts import Counts, with_room
from nbmail.core.counting.sample import FloatArray, IntArray, LongArray, Sample, Vocabulary
from nbmail.core.methods.balanced import Balanced
from nbmail.core.methods.method import LinearMethod, Method, Weights
from nbmail.core.methods.naive_bayes import Bernoulli, Categorical, Complement, CompleteBernoulli, Gaussian, Multinomial
from nbmail.core.methods.tree_augmented import TreeAugmented
from nbmail.method_spec import MethodSpec

_spec_of = lru_cache(MethodSpec.parse)


def reads_words(method: str) -> bool:
    """True if the method needs the text of words, not only their numbers."""
    return _spec_of(method).name == "categorical"


def create(method: str, vocabulary: Vocabulary) -> Method:
    """Return a new method without state. `method`: text of a `MethodSpec`."""
    spec = _spec_of(method)
    made: dict[str, Callable[[], Method]] = {
        "balanced": Balanced,
        "multinomial": lambda: Multinomial(spec.smoothing),
        "complement": lambda: Complement(spec.smoothing),
        "bernoulli": lambda: Bernoulli(*spec.beta, spec.estimate),
        "bernoulli-complete": lambda: CompleteBernoulli(*spec.beta, spec.estimate),
        "categorical": lambda: Categorical(vocabulary, spec.virtual),
        "gaussian": Gaussian,
        "tree": TreeAugmented,
        "logistic": Logistic,
    }
    return made[spec.name]()


UNIT = float(1 << 40)
"""One, in the whole numbers that weights are kept in."""


def chances(scores: FloatArray) -> FloatArray:
    """Softmax: scores of classes to chances that add up to 1."""
    heights = np.exp(scores - scores.max())
    return np.asarray(heights / heights.sum())


class Logistic(LinearMethod):
    """A weight for each word and class, moved after each message against the error of its prediction.

    A message's words share a length of one (1 / sqrt(n) each). All of a message's words move by the same whole
    number, which is all that is needed to take the step back exactly.
    """

    counts_suffice: ClassVar[bool] = False
    is_learned: ClassVar[bool] = True

    def __init__(self, step: float = 8.0) -> None:
        self.step = step
        self._moved: LongArray = np.zeros((0, 0), np.int64)

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        self._moved = with_room(self._moved, len(counts.classes), counts.width)
        moved = self._moved[: len(counts.classes)]
        mine = moved[:, : counts.width] if words is None else moved.take(words, axis=1, mode="clip")
        return Weights(np.zeros(len(moved)), mine / UNIT)

    def learn(self, counts: Counts, sample: Sample, label: str) -> tuple[int, ...]:
        """Move the message's words, for each class by the error of its chance."""
        right = counts.row_to_be(label)
        # The last column always stays empty.
        width = int(sample.words.max(initial=0)) + 2
        self._moved = with_room(self._moved, max(right + 1, len(counts.classes)), width)
        scale = 1.0 / max(1.0, float(np.sqrt(len(sample.words))))
        scores = self._moved[:, sample.words].sum(axis=1) * (scale / UNIT)
        met = np.zeros(len(scores), np.bool_)
        met[: len(counts.classes)] = np.array(counts.messages) > 0
        met[right] = True
        errors = -chances(np.where(met, scores, -np.inf))
        errors[right] += 1.0
        moves = np.rint(errors * (self.step * scale * UNIT)).astype(np.int64)
        self._moved[:, sample.words] += moves[:, None]
        return tuple(moves.tolist())

    def unlearn(self, counts: Counts, sample: Sample, label: str, undo_data: tuple[int, ...] | None) -> bool:
        if undo_data is None:
            return False
        self._moved[: len(undo_data), sample.words] -= np.array(undo_data, np.int64)[:, None]
        return True

    def state(self) -> LongArray:
        return self._moved.copy()

    def restore(self, counts: Counts, kept: LongArray) -> bool:
        self._moved = np.pad(kept, ((0, 0), (0, 1)))
        return True
