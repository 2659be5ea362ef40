"""From a probability and what mistakes cost to a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["unsure", "good", "junk"]
VERDICTS: tuple[Verdict, ...] = ("unsure", "good", "junk")


@dataclass(frozen=True, slots=True)
class Costs:
    """What mistakes cost: a lost good message is as bad as `false_junk` junk messages seen, being asked as `ask`."""

    false_junk: float = 100.0
    missed_junk: float = 1.0
    ask: float = 0.1
