"""Active learning: select the unlabelled messages whose labels improve the model most.

Uncertainty sampling alone selects only messages near the decision boundary. Selection rotates over
five zones instead: the boundary and two distances on each side (`ZONES`). The boundary is at
uncalibrated scores of zero. Calibration moves with the base rate of the labels, which would attract
ever more labels of one class. Measurements: `tests/bench/MEASUREMENTS.md`, "Asking".

A message with half of its words in common with a recent query is skipped: five copies of a
newsletter add no more than one.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import FloatArray, IntArray, LongArray
from nbmail.core.counting.word_rows import WordRows

ZONES = (0.0, 2.0, -2.0, 4.0, -4.0)
"""Log-odds around which messages are selected.

They are those of balanced evidence, and calibrated ones of other methods.
"""
FIRST = 6
"""The first marks are spread evenly over the mailbox, old and new, before scores mean anything."""
REMEMBERED = 40
"""Number of the latest queries that new ones must differ from."""
_NEAREST = 60
_TOO_ALIKE = 0.5
_GOLDEN_SECTION = 0.618033988749895

WordsAt = Callable[[LongArray], WordRows]
"""The words of the messages at these places."""


def choose(
    scores: FloatArray,
    words_at: WordsAt,
    free: npt.NDArray[np.bool_],
    marks: tuple[int, int],
    latest: Sequence[IntArray],
    *,
    wanted: int = 2,
) -> list[int]:
    """Return indexes of the messages to query, best first; fewer than `wanted` if fewer are free.

    `scores`: of all messages, oldest first. `free`: True for messages that may be selected.
    `marks`: numbers of spam and ham labels. `latest`: words of the latest queries.
    """
    left = free.copy()
    found: list[int] = []
    shown = list(latest)
    for turn in range(min(wanted, int(np.count_nonzero(free)))):
        candidates = _candidates(scores, np.flatnonzero(left), marks, sum(marks) + turn)
        rows = words_at(candidates)
        first = _first_unlike(rows, shown[-REMEMBERED:])
        message = int(candidates[first])
        found.append(message)
        shown.append(rows.words[rows.starts[first] : rows.starts[first + 1]])
        left[message] = False
    return found


def _candidates(
    scores: FloatArray, places: LongArray, marks: tuple[int, int], turn: int
) -> LongArray:
    """Return the candidates of this turn, best first."""
    if turn < FIRST:
        middle = int((turn * _GOLDEN_SECTION + 0.5) % 1.0 * len(places))
        distances = np.abs(np.arange(len(places)) - middle).astype(np.float64)
    elif not all(marks):
        # One class has no label yet: the messages least like the other come first.
        distances = scores[places] * (1 if marks[0] else -1)
    else:
        distances = np.abs(scores[places] - ZONES[turn % len(ZONES)])
    few = min(_NEAREST, len(places))
    nearest = np.argpartition(distances, few - 1)[:few]
    best_first = nearest[np.lexsort((nearest, distances[nearest]))]
    return np.asarray(places[best_first])


def _first_unlike(rows: WordRows, shown: Sequence[IntArray]) -> int:
    """Return the first message unlike those shown; the very first if all are alike."""
    likeness = np.zeros(len(rows))
    lengths = np.diff(rows.starts)
    highest = max(int(words.max(initial=0)) for words in (rows.words, *shown))
    is_in = np.zeros(highest + 1, np.bool_)
    for words in shown:
        is_in[words] = True
        shared_before = np.append(0, np.cumsum(is_in[rows.words]))
        shared = np.diff(shared_before[rows.starts])
        cosines = shared / np.sqrt(np.maximum(lengths * len(words), 1))
        likeness = np.maximum(likeness, cosines)
        is_in[words] = False
    return int(np.argmax(likeness < _TOO_ALIKE))
