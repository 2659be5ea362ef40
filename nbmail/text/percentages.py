"""Percentages of probabilities near 0 and 1, for the window and for terminals."""

import math
from typing import NamedTuple

MOST_DECIMALS = 6


class SharpPercentage(NamedTuple):
    """Percentage `value` with its number of decimals.

    `sign`: "<" or ">" if the probability is nearer to 0 or 1 than the value, otherwise empty.
    """

    sign: str
    value: float
    places: int


def sharp_percentage(log_odds: float) -> SharpPercentage:
    """Return a probability with all decimals that distinguish it from 0 % and 100 %.

    At most six, as in 99.9997 %.
    """
    is_small = log_odds < 0
    least = 10**-MOST_DECIMALS
    distance = 100 / (1 + math.exp(min(abs(log_odds), 700.0)))
    places = 0
    if distance < 10:
        places = min(MOST_DECIMALS, max(0, -math.floor(math.log10(distance))))

    sign = ""
    if distance < least:
        sign = "<" if is_small else ">"
        distance = least
    return SharpPercentage(sign, distance if is_small else 100 - distance, places)
