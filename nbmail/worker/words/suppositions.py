"""What would be otherwise: the mailbox scored as if a word didn't count, or as if a message had a label."""

from collections.abc import Callable, Generator
from dataclasses import replace

import numpy as np

from nbmail.core.counting.sample import FloatArray, LongArray
from nbmail.values import VERDICTS
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.engine.questions import sample_of
from nbmail.worker.protocol.words import MOST_MOVED, ListMoved, Moved, Supposed, SupposeMark, SupposeWithout
from nbmail.worker.scores.scores import ScoresBefore
from nbmail.worker.words.word_questions import holders, number_of

# Messages scored twice between two looks at the queue: about 5 ms.
PIECE = 2000
Scored = Callable[[LongArray], tuple[FloatArray, FloatArray]]
"""The log-odds of the messages at these places as they are, and as they would be."""


def suppose_without(state: EngineState, command: SupposeWithout) -> JobSteps:
    """Score the messages that hold the word with and without it."""
    number = number_of(state, command.word)
    places = yield from holders(state, number)
    whole = state.model.rows([]).occurrences is not None

    def scored(chunk: LongArray) -> tuple[FloatArray, FloatArray]:
        rows = state.store.word_ids.pick(chunk, whole=whole)
        return state.model.log_odds(rows), state.model.log_odds(rows.without(np.array([number], np.int32)))

    found = yield from _compare(state, places, scored)
    own = state.store.word_ids.places([command.message])
    return replace(found, own=_moves(state, own, scored, all_of_them=True)[0]) if own[0] in places else found


def suppose_mark(state: EngineState, command: SupposeMark) -> JobSteps:
    """Score all messages with and without the mark, which is learned and taken back within each slice."""
    sample = sample_of(state, command.message)
    whole = state.model.rows([]).occurrences is not None
    everywhere = np.arange(len(state.store.word_ids))

    def scored(chunk: LongArray) -> tuple[FloatArray, FloatArray]:
        rows, model = state.store.word_ids.pick(chunk, whole=whole), state.model
        before = model.log_odds(rows)
        with model.supposing(sample, command.label):
            return before, model.log_odds(rows)

    own = state.store.word_ids.places([command.message])
    return (yield from _compare(state, np.delete(everywhere, own[own >= 0]), scored))


def _compare(state: EngineState, places: LongArray, scored: Scored) -> Generator[Pause, None, Supposed]:
    """Those whose verdict would be another, but for the labelled and those that are nowhere: these show none."""
    moved, count = list[Moved](), 0
    for first in range(0, len(places), PIECE):
        chunk = places[first : first + PIECE]
        turned = _moves(state, chunk, scored)
        messages = {one.message for one in turned}
        hidden = set(state.store.labels.of(messages)) | state.store.folders.homeless(messages)
        moved += [one for one in turned if one.message not in hidden]
        count += len(messages - hidden)
        del moved[MOST_MOVED:]
        yield Pause(first + len(chunk), len(places))
    return Supposed(tuple(moved), count)


def _moves(state: EngineState, places: LongArray, scored: Scored, *, all_of_them: bool = False) -> list[Moved]:
    """The messages at these places that would get another verdict, or all of them."""
    model, odds = state.model, scored(places)
    verdicts, chances = [model.verdicts(each) for each in odds], [model.probabilities(each) for each in odds]
    chosen = np.flatnonzero((verdicts[0] != verdicts[1]) | all_of_them)
    names = [[VERDICTS[verdict] for verdict in each[chosen].tolist()] for each in verdicts]
    known = [[_known(chance) for chance in each[chosen].tolist()] for each in chances]
    return list(map(Moved, state.store.word_ids.messages[places[chosen]].tolist(), *names, *known))


def _known(chance: float) -> float | None:
    return None if np.isnan(chance) else chance


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
