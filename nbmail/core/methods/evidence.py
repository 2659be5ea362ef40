"""Evidence of words: the self-weighted mean of their log-ratios, plus their corrections."""

from functools import reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbmail.core.calibration.family_weights import PARTS
from nbmail.core.compiled import compiled
from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.methods.corrections import scale_of
from nbmail.core.methods.word_families import FamilyArray
from nbmail.core.words.families import FAMILIES, HOW, UNSEEN
from nbmail.values import BoolArray

# Weight of a neutral word of log-ratio 4 in every message: one weak word alone is no verdict.
DOUBT = 16.0
LONGEST = 1 << 13
"""Most words of a message whose sums are exact."""

_SQUARE_UNIT = 16.0
_CUBE_UNIT = 64.0
_SQUARE_SHIFT = float(1 << 30)

VERSION = 4
compiled_scoring = compiled("learning", VERSION)

ComplexArray = npt.NDArray[np.complex128]


class Evidence(NamedTuple):
    """Log-ratios and corrections of words.

    Squares and cubes are rounded to 1/16 and 1/64, so that sums are exact.
    """

    ratios: FloatArray
    corrections: FloatArray

    def pack(self) -> ComplexArray:
        """Return square, cube and correction of each word in one complex number.

        Scoring a mailbox then takes one pass. The real part contains square and cube as one
        integer. A word takes 10 bits for the square and 15 for the cube. With 13 bits each for
        their number, sums of up to `LONGEST` words fit into the 53 bits of a float.
        """
        packed = np.empty(len(self.ratios), np.complex128)
        squares, cubes = self._squares_and_cubes()
        squares *= _SQUARE_SHIFT
        squares += cubes
        packed.real = squares
        packed.imag = self.corrections
        return packed

    def contributions(self, length: int) -> tuple[FloatArray, float]:
        """Return what each word adds to the score of a message of these words, and the score.

        `length`: number of words that scale the corrections.
        """
        squares, cubes = self._squares_and_cubes()
        weight = float(squares.sum()) / _SQUARE_UNIT + DOUBT
        contributions = cubes / _CUBE_UNIT / weight + self.scaled(length)
        mean = float(cubes.sum()) / _CUBE_UNIT / weight
        corrections = float(self.corrections.sum()) * scale_of(length)
        return contributions, mean + corrections

    def at(self, places: BoolArray) -> "Evidence":
        return Evidence(self.ratios[places], self.corrections[places])

    def scaled(self, length: int) -> FloatArray:
        """Return the corrections as they count in a message of so many words."""
        return self.corrections * scale_of(length)

    def _squares_and_cubes(self) -> tuple[FloatArray, FloatArray]:
        # In place: fresh memory for each step of 300,000 words would double the time.
        squares = self.ratios * self.ratios
        cubes = squares * self.ratios
        squares *= _SQUARE_UNIT
        cubes *= _CUBE_UNIT
        return np.rint(squares, out=squares), np.rint(cubes, out=cubes)


class Sums(NamedTuple):
    """Exact sums over the words of messages, and the numbers of words that scale corrections."""

    squares: FloatArray
    cubes: FloatArray
    corrections: FloatArray
    lengths: LongArray

    def scores(self) -> FloatArray:
        """Return the scores of the messages by these words."""
        means = self.cubes / _CUBE_UNIT / (self.squares / _SQUARE_UNIT + DOUBT)
        scales = 1.0 / np.sqrt(np.maximum(self.lengths, 1))
        return np.asarray(means + self.corrections * scales)

    def with_others(self, others: "Sums") -> "Sums":
        """Return the sums over the words of both."""
        return Sums(
            self.squares + others.squares,
            self.cubes + others.cubes,
            self.corrections + others.corrections,
            self.lengths + others.lengths,
        )


def add_up(packed: ComplexArray, rows: WordRows, *, aligned: bool) -> Sums:
    """Return the sums of many messages from the packed evidence of their words.

    `aligned`: see `WordRows.sum`.
    """
    chunks, firsts = _cut(rows)
    sums = chunks.sum(packed, aligned=aligned)
    squares = np.floor(sums.real / _SQUARE_SHIFT + 0.5)
    cubes = sums.real - squares * _SQUARE_SHIFT
    corrections = np.ascontiguousarray(sums.imag)
    if firsts is not None:
        squares = np.add.reduceat(squares, firsts)
        cubes = np.add.reduceat(cubes, firsts)
        corrections = np.add.reduceat(corrections, firsts)
    return Sums(squares, cubes, corrections, rows.lengths())


def score_parts(
    packed: ComplexArray, families: FamilyArray, rows: WordRows, *, aligned: bool
) -> FloatArray:
    """Return the scores of messages by all words and by each family.

    `families`: that of each word number, or `UNSEEN`. `aligned`: as in `add_up`.
    """
    found = np.empty((len(rows), PARTS))
    if compiled_scoring is not None:
        compiled_scoring.score(
            np.require(rows.words, np.int32, ["C", "A"]),
            np.require(rows.starts, np.int64, ["C", "A"]),
            packed.view(np.float64),
            families,
            found.reshape(-1),
            aligned,
        )
        return found
    family_of_each = families[rows.words]
    parts = list[Sums]()
    for family in range(FAMILIES):
        is_counted = family_of_each == family
        is_own = is_counted | (family_of_each == UNSEEN) if family == HOW else is_counted
        own = packed[is_own] if aligned else packed
        sums = add_up(own, rows.at(is_own), aligned=aligned)
        sums = sums._replace(lengths=rows.at(is_counted).lengths())
        found[:, 1 + family] = sums.scores()
        parts.append(sums)
    found[:, 0] = reduce(Sums.with_others, parts).scores()
    return found


def _cut(rows: WordRows) -> tuple[WordRows, LongArray | None]:
    """Split rows too long for exact sums.

    Also return the first part of each row, None if all are short.
    """
    lengths = rows.lengths()
    if lengths.max(initial=0) <= LONGEST:
        return rows, None
    chunks = np.maximum(1, -(-lengths // LONGEST))
    firsts = np.cumsum(chunks) - chunks
    places = np.arange(chunks.sum()) - np.repeat(firsts, chunks)
    starts = np.repeat(rows.starts[:-1], chunks) + LONGEST * places
    return WordRows(rows.words, np.append(starts, rows.starts[-1])), firsts
