"""Ignoring words, the messages that the latest step moved, and reasons of another moment."""

import numpy as np

from nbmail.store.labels.marks import LabelChanges
from nbmail.values import VERDICTS
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Slices
from nbmail.worker.engine.questions import sample_of
from nbmail.worker.marking.marking import count_turned, follow
from nbmail.worker.past.past_scores import model_of
from nbmail.worker.protocol import Marked
from nbmail.worker.protocol.words import MOST_MOVED, ExplainThen, IgnoreWord, ListMoved, Moved
from nbmail.worker.scores.scores import ScoresBefore


def ignore_word(state: EngineState, command: IgnoreWord) -> Slices:
    """One step; every score follows."""
    before = state.scores.remember()
    step = state.store.ignored_words.set(command.word, ignored=command.ignored, moment=state.clock())
    state.labels_changed(LabelChanges((), step, base=True))
    yield from follow(state)
    turned = yield from count_turned(state, before, ())
    return Marked((), None, turned, base=True, step=state.store.steps.figures(step))


def list_moved(state: EngineState, command: ListMoved) -> tuple[Moved, ...]:
    """With the scores from before the step, and those of now."""
    before, messages = state.moved[0], state.moved[1][:MOST_MOVED]
    columns = [_told(scores, state, messages) for scores in (before, state.scores.remember())]
    lines = zip(messages, *columns, strict=True)
    return tuple(Moved(message, then[0], now[0], then[1], now[1]) for message, then, now in lines)


def _told(scores: ScoresBefore, state: EngineState, messages: list[int]) -> list[tuple[str, float | None]]:
    places = state.store.word_ids.places(messages)
    columns = zip(scores.verdicts[places].tolist(), scores.probabilities[places].tolist(), strict=True)
    return [(VERDICTS[verdict], None if np.isnan(chance) else chance) for verdict, chance in columns]


def explain_then(state: EngineState, command: ExplainThen) -> Slices:
    """Take the score apart that the message had by the labels of then."""
    model = yield from model_of(state, command.moment)
    return model.explain(sample_of(state, command.message), command.strongest)
