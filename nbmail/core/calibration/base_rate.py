"""Base rate: the share of spam in a mailbox."""

import math

import numpy as np

from nbmail.core.counting.arrays import FloatArray

# Imaginary messages, half of them spam, that pull the estimated base rate to one half. Their number
# is multiplied by 1 + messages / labels.
_IMAGINARY = 10.0
_SHARE_ROUNDS = 30


def shift_base_rate(log_odds: FloatArray, share: float) -> FloatArray:
    """Return log-odds at this base rate from those at even odds."""
    return np.asarray(log_odds + math.log(share / (1 - share)))


def estimate_base_rate(
    log_odds: FloatArray, known: tuple[int, int] = (0, 0), labels: int = 1_000_000
) -> float:
    """Estimate the share of spam in mail from its log-odds at even odds (Saerens et al. 2002).

    `known`: messages of known class, spam and ham, in addition. Imaginary messages pull the result
    to one half, so that few messages or few labels don't move it far.
    """
    imaginary = _IMAGINARY * (1 + len(log_odds) / max(labels, 1))
    known_spam = known[0]
    messages = sum(known) + len(log_odds) + imaginary
    odds = np.exp(np.clip(log_odds, -700.0, 700.0))
    share = 0.5
    for _ in range(_SHARE_ROUNDS):
        # The chance of each message at this share, without an exponential each round.
        found = float((odds / (odds + (1 - share) / share)).sum())
        share = (known_spam + found + imaginary / 2) / messages
    return share
