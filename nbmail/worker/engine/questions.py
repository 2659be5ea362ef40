"""Commands that only look: the list, a message, its evidence, the journal, a check-up."""

from __future__ import annotations

import sys
from collections.abc import Generator

import numpy as np

from nbmail.core.counting.sample import LongArray, Sample
from nbmail.core.judging.explanation import Explanation
from nbmail.errors import KnownError, Trouble
from nbmail.store.doctor.doctor import SOURCES, Doctor
from nbmail.store.mail.other_places import renumbered
from nbmail.store.values import By, Head, Heads, JournalEntry, Location
from nbmail.store.values import Diagnosis as Examined
from nbmail.store.values import Giver as StoredGiver
from nbmail.sync.desk import FolderName
from nbmail.worker.engine.engine_state import Office
from nbmail.worker.engine.job_queue import Pause, Slices, paused
from nbmail.worker.engine.refolding import fold
from nbmail.worker.intake.body_requests import WHOLE
from nbmail.worker.intake.message_text import text_of, text_without_body
from nbmail.worker.marking.label_givers import named
from nbmail.worker.marking.server_actions import JUNK_FOLDER, moves_of
from nbmail.worker.protocol import (
    CheckUp,
    Diagnosis,
    Explain,
    FetchWhole,
    Finding,
    JournalLine,
    ListMail,
    MessageText,
    PlannedMove,
    PreviewMoves,
    ReadMessage,
    ShowJournal,
    ShowRows,
)

# Heads read between two looks at the agenda: about 5 ms.
PIECE = 1000


def list_mail(office: Office, command: ListMail) -> Slices:
    """All rows, read piece by piece, then put in order. What changes meanwhile is announced behind them."""
    listing, last = office.store.listing, office.store.messages.last()
    # The pieces are let go of afterwards, and their room by tidying: 95 MB with 1,000,000 messages.
    office.untidy = True
    pieces = []
    with office.announcer.repeating():
        for first in range(1, last + 1, PIECE):
            pieces.append(listing.some(range(first, min(first + PIECE, last + 1))))
            yield Pause(min(first + PIECE, last), last)
        return office.rows((yield from _join(pieces or [listing.some(())])))


def show_rows(office: Office, command: ShowRows) -> None:
    """Remember what is on the screen, and score it now if its scores are old."""
    office.board.visible = command.messages
    if not office.board.exact:
        office.announcer.scores_changed()


def read_message(office: Office, command: ReadMessage) -> MessageText:
    """From the cache of raw mail, or as much as the list knows while the mail is fetched once more."""
    message = command.message
    head = office.store.messages.heads([message]).get(message)
    if head is None:
        raise KnownError(Trouble.NOT_FOUND, str(message))
    raw = office.store.bodies.get(office.store.messages.identities([message])[message])
    return text_of(message, raw, head.size) if raw else text_without_body(message, head, office.fetching.ask(message))


def fetch_whole(office: Office, command: FetchWhole) -> tuple[str, ...]:
    """Ask for a message beyond what is fetched of any."""
    return office.fetching.ask(command.message, WHOLE)


def explain(office: Office, command: Explain) -> Explanation:
    """Take its score apart, by the words it is learned with."""
    return office.model.explain(sample_of(office, command.message), command.strongest)


def sample_of(office: Office, message: int) -> Sample:
    """What the message is learned with."""
    found = office.store.messages.samples([message]).get(message)
    if found is None:
        raise KnownError(Trouble.NOT_FOUND, str(message))
    return found


def show_journal(office: Office, command: ShowJournal) -> tuple[JournalLine, ...]:
    """The latest changes of labels."""
    return tuple(_line(office, entry) for entry in office.store.journal.latest(command.most, command.before))


def _line(office: Office, entry: JournalEntry) -> JournalLine:
    """An undo's lines carry the step they undo; only the step itself was learned from a folder."""
    by, folder = entry.by, None
    if by == By.FOLDER:
        giver = named(StoredGiver(By.FOLDER, office.store.steps.folder(entry.step)))
        by, folder = giver.by, giver.folder
    return JournalLine(entry.moment, entry.message, entry.subject, entry.before, entry.after, by, entry.number, folder)


def preview_moves(office: Office, command: PreviewMoves) -> Slices:
    """Look at the user's own marks piece by piece; marks of folders and of other programs never move anything."""
    marked, planned = office.store.journal.labelled_by(By.USER), []
    for start in range(0, len(marked), PIECE):
        piece = marked[start : start + PIECE]
        found = {location.message: (location, target) for location, target in moves_of(office.store, piece)}
        heads = office.store.messages.heads(found)
        planned += [_planned(*found[message], heads[message]) for message in piece if message in found]
        yield Pause(start + len(piece), len(marked))
    return tuple(planned)


def _planned(location: Location, target: str, head: Head) -> PlannedMove:
    where = FolderName(location.account, location.folder)
    return PlannedMove(location.message, head.sender, head.subject, where, "junk" if target == JUNK_FOLDER else "inbox")


def check_up(office: Office, command: CheckUp) -> Slices:
    """Compare all that is derived with what it is derived from; mend it if asked, and look again."""
    found = yield from _examine(office)
    if command.repair and not found.sound:
        found = yield from _repair(office, found)
    findings = tuple(Finding(one.name, one.sound, one.detail) for one in found.findings)
    return Diagnosis(findings, found.repaired)


def _repair(office: Office, found: Examined) -> Generator[Pause, None, Examined]:
    """What was learned is folded anew in any case: the model in use was loaded from what was wrong."""
    mending = Doctor(office.store, office.clock()).mending(found.findings, but=("learned",))
    repaired = yield from paused(mending)
    ill = {one.name for one in found.findings if not one.sound}
    if ill & SOURCES:
        return Examined(found.findings, repaired)
    yield from fold(office)
    again = yield from _examine(office)
    folded = ill & {"learned"} & {one.name for one in again.findings if one.sound}
    return Examined(again.findings, (*repaired, *folded))


def _examine(office: Office) -> Generator[Pause, None, Examined]:
    """Marks given meanwhile would look like damage: then it looks again from the start."""
    while True:
        line, walk = office.store.journal.last_line(), paused(Doctor(office.store, office.clock()).walk())
        while office.store.journal.last_line() == line:
            try:
                yield next(walk)
            except StopIteration as end:
                found: Examined = end.value
                return found


def _join(pieces: list[Heads]) -> Generator[Pause, None, Heads]:
    """One list of many, newest first."""
    dates = np.concatenate([piece.dates for piece in pieces])
    messages = np.concatenate([piece.messages for piece in pieces])
    order = np.lexsort((-messages, -dates))
    yield Pause()
    # Few people write most mail: one string for each of them.
    senders = yield from _sorted([sys.intern(sender) for piece in pieces for sender in piece.senders], order)
    subjects = yield from _sorted([subject for piece in pieces for subject in piece.subjects], order)
    others, other_places = renumbered(pieces)
    return Heads(
        messages=messages[order],
        dates=dates[order],
        senders=senders,
        subjects=subjects,
        labels=np.concatenate([piece.labels for piece in pieces])[order],
        folders=np.concatenate([piece.folders for piece in pieces])[order],
        unread=np.concatenate([piece.unread for piece in pieces])[order],
        attachments=np.concatenate([piece.attachments for piece in pieces])[order],
        label_names=pieces[-1].label_names,
        folder_names=pieces[-1].folder_names,
        others=others[order],
        other_places=other_places,
        givers=np.concatenate([piece.givers for piece in pieces])[order],
        giver_names=pieces[-1].giver_names,
    )


def _sorted(texts: list[str], order: LongArray) -> Generator[Pause, None, tuple[str, ...]]:
    """Texts in this order. 100,000 take about 5 ms."""
    yield Pause()
    return tuple([texts[place] for place in order.tolist()])
