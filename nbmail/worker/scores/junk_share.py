"""How much of the mail that comes in is junk: what probabilities need besides the message itself."""

import math

import numpy as np

from nbmail.core.judging.model import GOOD, JUNK, Model
from nbmail.store.store import Store
from nbmail.worker.scores.scores import MailboxScores

# The mail that came last, labelled or not.
RECENT = 10_000
# Shares closer than this, in log-odds, are one: probabilities wander with every mark otherwise, all of them.
_STEP = 1 / 16


def junk_share(store: Store, model: Model, scores: MailboxScores) -> float:
    """The share of junk in recent mail, by its labels, and by its scores where it has none; a half at first.

    The labels and the mail alone decide, never the share of before: an undo brings every probability back.
    """
    if not model.calibrated:
        return 0.5
    messages, log_odds = store.word_ids.messages[-RECENT:], scores.log_odds[-RECENT:]
    labels = store.labels.since(int(messages[0])) if len(messages) else {}
    kinds = list(labels.values())
    free = ~np.isnan(log_odds)
    free[np.searchsorted(messages, list(labels))] = False
    share = model.share_among(log_odds[free], (kinds.count(JUNK), kinds.count(GOOD)))
    return 1 / (1 + math.exp(-_STEP * round(math.log(share / (1 - share)) / _STEP)))
