"""Messages in the inbox that are classified as spam."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from nbmail.core.sorting.exemptions import Stay
from nbmail.store.mail.folders import Location
from nbmail.store.store import Store
from nbmail.values import INBOX, SPAM, VERDICTS
from nbmail.worker.scores.scores import Scoring
from nbmail.worker.sorting.stay_reasons import StayReasons

_SPAM = VERDICTS.index(SPAM)


class SpamInInbox:
    """Finds spam, and what can keep it in the inbox."""

    def __init__(self, store: Store, scoring: Scoring, reasons: StayReasons) -> None:
        self._store = store
        self._scoring = scoring
        self._reasons = reasons

    def chances(
        self, messages: Sequence[int], held_out: Mapping[int, float] | None = None
    ) -> dict[int, float]:
        """Return the chance of those of the messages that are classified as spam.

        `held_out`: scores that count instead of the current ones, as log-odds.
        """
        scores = self._scoring.scores_of(messages)
        known = [place for place, message in enumerate(messages) if message in (held_out or {})]
        if held_out and known:
            log_odds = np.array([held_out[messages[place]] for place in known])
            scores.probabilities[known] = self._scoring.model.probabilities(log_odds)
            scores.verdicts[known] = self._scoring.model.verdicts(log_odds)

        spam = dict[int, float]()
        for place in np.flatnonzero(scores.verdicts == _SPAM).tolist():
            spam[messages[place]] = float(scores.probabilities[place])
        return spam

    def stays(self, account: str, messages: Collection[int]) -> dict[Location, frozenset[Stay]]:
        """Return the locations of messages in the inbox, and what can keep each there."""
        located = list[Location]()
        for one in self._store.folders.locations(messages):
            if one.account == account and one.special == INBOX:
                located.append(one)
        return self._reasons.at(located)
