"""Words searched in texts."""

from nbmail.store.mail.text_index import sought
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Lane, Pause, Slices
from nbmail.worker.protocol.reading import FindText, TextFound
from nbmail.worker.reading.text_filling import is_behind, read_some

# So many messages further, what was found by then is shown.
SHOWN = 1000


def find_text(state: EngineState, command: FindText) -> Slices:
    """What is read in is asked at once; then the rest, as it is read in."""
    store, found, asked, shown = state.store, list[int](), 0, -SHOWN
    words, state.untidy = sought(command.words), True
    if not words:
        return TextFound((), 0, 0)
    while True:
        for last, some in store.texts.find(words, asked):
            asked, found = last, found + some
            yield Pause()
        behind, done, total = is_behind(store), store.texts.upto, store.messages.last()
        so_far = TextFound(tuple(dict.fromkeys(found)), done, total, words)
        if not behind:
            return so_far
        showing = done - shown >= SHOWN
        shown = done if showing else shown
        yield Pause(done, total, Lane.WORK, so_far if showing else None)
        yield from read_some(store)
