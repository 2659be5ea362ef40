"""Verdicts that a change altered, or would alter."""

from typing import NamedTuple

MAX_CHANGES = 500
"""Changed verdicts that a result lists at most."""


class VerdictChange(NamedTuple):
    """Message whose verdict changed, or would change.

    `before`, `after`: probabilities of spam, None before calibration.
    """

    message: int
    verdict_before: str
    verdict_after: str
    before: float | None = None
    after: float | None = None


class Simulation(NamedTuple):
    """Verdicts that a change would alter, except those of labelled messages, which show their
    label.

    `changes`: the first `MAX_CHANGES` of `total`. `own`: change of the message named in the
    request; None if the change doesn't concern it.
    """

    changes: tuple[VerdictChange, ...]
    total: int
    own: VerdictChange | None = None
