"""Prior distribution of the calibration line, from many mailboxes."""

import math
from typing import NamedTuple


class Prior(NamedTuple):
    """Prior distribution of the line, from many mailboxes.

    `slope_spread`: standard deviation of the log slope. `centre_spread`: that of the centre.
    `pull`: change of the centre per log ratio of spam to ham labels, since a class with more
    labels knows more words. `measured`: True for methods whose scores have no common scale
    (`Scale`).
    """

    slope: float
    slope_spread: float
    centre: float
    centre_spread: float
    pull: float
    measured: bool = False

    def centre_for(self, labels: tuple[int, int]) -> float:
        """Return the centre for these numbers of spam and ham labels.

        None counts as half a label.
        """
        spam, ham = labels
        return self.centre + self.pull * math.log(max(spam, 0.5) / max(ham, 0.5))


SHARED = Prior(slope=0.93, slope_spread=0.2, centre=0.3, centre_spread=2.0, pull=1.9)
"""For balanced evidence, whose scores are on one scale in all mailboxes."""
MEASURED = Prior(
    slope=1.0, slope_spread=0.5, centre=0.0, centre_spread=1.5, pull=0.0, measured=True
)
"""For sums over words, which grow with length and labels.

Only their order and rough spread are used.
"""
