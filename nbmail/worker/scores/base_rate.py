"""Share of spam in recent mail."""

import math
from collections.abc import Collection

import numpy as np

from nbmail.core.counting.arrays import FloatArray
from nbmail.core.scoring.model import Model
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM

# Latest messages that count, labelled or not.
RECENT = 10_000
# The base rate is rounded to this step, in log-odds. Otherwise every mark would change all
# probabilities.
_STEP = 1 / 16


def recent_base_rate(
    store: Store, model: Model, log_odds: FloatArray, filed: Collection[int]
) -> float:
    """Estimate the share of spam from labels and the scores of unlabelled mail; 0.5 at first.

    `log_odds`: of all messages, in the order of the word ids. `filed`: mail that was fetched
    because it lies in a folder of the user's own. It indicates nothing about new mail. The estimate
    depends on labels and mail alone, not on the former one: undo restores every probability.
    """
    if not model.calibrated:
        return 0.5
    messages = store.word_ids.messages[-RECENT:]
    labels = store.labels.since(int(messages[0])) if len(messages) else {}
    marks = list(labels.values())

    recent = log_odds[-RECENT:]
    unlabelled = ~np.isnan(recent)
    unlabelled[np.searchsorted(messages, list(labels))] = False
    unlabelled[np.isin(messages, list(filed))] = False

    counts = (marks.count(SPAM), marks.count(HAM))
    share = model.base_rate_among(recent[unlabelled], counts)
    rounded = _STEP * round(math.log(share / (1 - share)) / _STEP)
    return 1 / (1 + math.exp(-rounded))
