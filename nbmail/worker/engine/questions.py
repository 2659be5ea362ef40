"""Commands that only ask: the list, a message, its evidence, the journal."""

import sys
from collections.abc import Generator

import numpy as np

from nbmail.core.counting.sample import LongArray, Sample
from nbmail.core.reading.mail import Heading
from nbmail.core.scoring.explanation import Explanation
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.labels.journal import By
from nbmail.store.mail.folders import Location
from nbmail.store.mail.listing import renumbered
from nbmail.store.mail.text_index import sought
from nbmail.values import Rows
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, Pause, Priority
from nbmail.worker.intake.message_text import placed_in_files, text_of, text_without_body
from nbmail.worker.marking.server_actions import JUNK_FOLDER, moves_of
from nbmail.worker.protocol import (
    Explain,
    ListMail,
    MessageText,
    PlannedMove,
    PreviewMoves,
    ReadMessage,
    ShowRows,
)
from nbmail.worker.protocol.reading import FindText
from nbmail.worker.reading.text_filling import is_behind, read_some

# Messages read between two looks at the queue: about 5 ms.
PIECE = 1000
# So many messages further, what a search has found by then is shown.
SHOWN = 1000


def list_mail(state: EngineState, command: ListMail) -> JobSteps:
    """All rows, read piece by piece, then put in order. What changes meanwhile is announced behind them."""
    listing, last = state.store.listing, state.store.messages.last()
    # The pieces are let go of afterwards, and their room by tidying: 95 MB with 1,000,000 messages.
    state.untidy = True
    chunks = []
    with state.announcer.telling_twice():
        for first in range(1, last + 1, PIECE):
            chunks.append(listing.some(range(first, min(first + PIECE, last + 1))))
            yield Pause(min(first + PIECE, last), last)
        return state.rows((yield from _join(chunks or [listing.some(())])))


def show_rows(state: EngineState, command: ShowRows) -> None:
    """Remember what is on the screen, and score it now if its scores are old."""
    state.scores.visible = command.messages
    if not state.scores.exact:
        state.announcer.scores_changed()


def read_message(state: EngineState, command: ReadMessage) -> MessageText:
    """From the cache of raw mail, or as much as the list knows while the mail is fetched once more."""
    message = command.message
    heading = state.store.messages.headings([message]).get(message)
    if heading is None:
        raise KnownError(ErrorCode.NOT_FOUND, str(message))
    raw = state.store.raw_mail.get(state.store.messages.identities([message])[message])
    return (
        text_of(message, raw, heading.size)
        if raw
        else text_without_body(message, heading, state.body_requests.ask(message))
    )


def find_text(state: EngineState, command: FindText) -> JobSteps:
    """What is read in is asked at once; then the rest, as it is read in."""
    store, found, asked, shown = state.store, list[int](), 0, -SHOWN
    words, state.untidy = sought(command.words), True
    if not words:
        return ()
    while True:
        for last, some in store.texts.find(words, asked):
            asked, found = last, found + some
            yield Pause()
        behind, done, total = is_behind(store), store.texts.upto, store.messages.last()
        so_far = tuple(dict.fromkeys(found))
        if not behind:
            return so_far
        showing = done - shown >= SHOWN
        shown = done if showing else shown
        yield Pause(done, total, Priority.WORK, so_far if showing else None)
        yield from read_some(store)


def explain(state: EngineState, command: Explain) -> Explanation:
    """Take its score apart, by the words it is learned with."""
    why = state.model.explain(sample_of(state, command.message), command.strongest)
    heading = state.store.messages.headings([command.message])[command.message]
    raw = state.store.raw_mail.get(state.store.messages.identities([command.message])[command.message])
    return placed_in_files(why, raw) if heading.attachments and raw else why


def sample_of(state: EngineState, message: int) -> Sample:
    """What the message is learned with."""
    found = state.store.messages.samples([message]).get(message)
    if found is None:
        raise KnownError(ErrorCode.NOT_FOUND, str(message))
    return found


def preview_moves(state: EngineState, command: PreviewMoves) -> JobSteps:
    """Look at the user's own marks piece by piece; marks of folders and of other programs never move anything."""
    marked, planned = state.store.journal.labelled_by(By.USER), []
    for start in range(0, len(marked), PIECE):
        chunk = marked[start : start + PIECE]
        found = {location.message: (location, target) for location, target in moves_of(state.store, chunk)}
        headings = state.store.messages.headings(found)
        planned += [_planned(*found[message], headings[message]) for message in chunk if message in found]
        yield Pause(start + len(chunk), len(marked))
    return tuple(planned)


def _planned(location: Location, target: str, heading: Heading) -> PlannedMove:
    kind = "junk" if target == JUNK_FOLDER else "inbox"
    return PlannedMove(location.message, heading.sender, heading.subject, location.name, kind)


def _join(chunks: list[Rows]) -> Generator[Pause, None, Rows]:
    """One list of many, newest first."""
    dates = np.concatenate([chunk.dates for chunk in chunks])
    messages = np.concatenate([chunk.messages for chunk in chunks])
    order = np.lexsort((-messages, -dates))
    yield Pause()
    # Few people write most mail: one string for each of them.
    senders = yield from _sorted([sys.intern(sender) for chunk in chunks for sender in chunk.senders], order)
    subjects = yield from _sorted([subject for chunk in chunks for subject in chunk.subjects], order)
    others, other_places = renumbered(chunks)
    return Rows(
        messages=messages[order],
        dates=dates[order],
        senders=senders,
        subjects=subjects,
        labels=np.concatenate([chunk.labels for chunk in chunks])[order],
        folders=np.concatenate([chunk.folders for chunk in chunks])[order],
        unread=np.concatenate([chunk.unread for chunk in chunks])[order],
        attachments=np.concatenate([chunk.attachments for chunk in chunks])[order],
        scores=chunks[-1].scores,
        label_names=chunks[-1].label_names,
        folder_names=chunks[-1].folder_names,
        others=others[order],
        other_places=other_places,
        label_sources=np.concatenate([chunk.label_sources for chunk in chunks])[order],
        source_names=chunks[-1].source_names,
    )


def _sorted(texts: list[str], order: LongArray) -> Generator[Pause, None, tuple[str, ...]]:
    """Texts in this order. 100,000 take about 5 ms."""
    yield Pause()
    return tuple([texts[place] for place in order.tolist()])
