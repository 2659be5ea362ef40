"""Messages marked as read or unread: at once here, on their servers as soon as those are told."""

from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Pause, Slices
from nbmail.worker.protocol.reading import MarkRead

# Messages marked between two looks at the queue: about 6 ms.
PIECE = 50


def mark_read(state: EngineState, command: MarkRead) -> Slices:
    """Piece by piece, each in one transaction."""
    changed, accounts = list[int](), set[str]()
    for first in range(0, len(command.messages), PIECE):
        places = state.store.read_marks.mark(command.messages[first : first + PIECE], read=command.read)
        messages = dict.fromkeys(place.message for place in places)
        changed += messages
        accounts.update(place.account for place in places)
        state.announcer.rows_changed(messages)
        state.untidy = state.untidy or bool(places)
        yield Pause(first + PIECE, len(command.messages))
    for account in accounts:
        state.wake(account)
    return tuple(changed)
