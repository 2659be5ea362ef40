"""Which messages the user is asked about next."""

import numpy as np

from nbmail.core.scoring.active_learning import REMEMBERED, choose
from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.protocol.own_model import Ask


def ask(state: EngineState, command: Ask) -> tuple[int, ...]:
    """Choose by the scores as they stand: 20 ms with 100,000 messages."""
    store, model = state.store, state.model
    scores = state.scores.log_odds if model.has_shared_scale else model.honest_at_even_odds(state.scores.log_odds)
    free = ~np.isnan(scores)
    taken = store.word_ids.places([*store.labels.all(), *command.besides])
    free[taken[taken >= 0]] = False
    rows = model.counts.row(JUNK), model.counts.row(GOOD)
    junk, good = (0 if row is None else model.counts.messages[row] for row in rows)
    asked = store.word_ids.places(store.asked.latest(REMEMBERED))
    latest = [store.word_ids.pick(np.array([place])).words for place in asked[asked >= 0]]
    while True:
        places = choose(scores, store.word_ids.pick, free, (junk, good), latest, wanted=command.most)
        messages = tuple(store.word_ids.messages[places].tolist())
        homeless = store.folders.homeless(set(messages))
        if not homeless:
            state.asked.update(messages)
            return messages
        free[store.word_ids.places(sorted(homeless))] = False
