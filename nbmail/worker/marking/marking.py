"""Marks: the store changes labels and model together, then the scores follow.

An account that goes takes no label with it.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from typing import Any

from nbmail.errors import KnownError, Trouble
from nbmail.store.values import By
from nbmail.sync.desk import FolderName
from nbmail.worker.engine.engine_state import Office
from nbmail.worker.engine.job_queue import Lane, Pause, Slices
from nbmail.worker.marking.label_job import Bulk
from nbmail.worker.marking.server_actions import wishes_of
from nbmail.worker.protocol import ForgetAccount, LabelFolder, Mark, Marked

# More labels than this in one step are learned mixed with all that came so.
FEW = 32
# Messages asked for between two looks at the agenda whether they show their verdict: about 3 ms.
COUNTED = 2000


def mark(office: Office, command: Mark) -> Slices:
    """Label the messages: few in one transaction, many piece by piece in one step."""
    unknown = [place for place in office.shelf.places(command.messages) if place < 0]
    if unknown:
        raise KnownError(Trouble.NOT_FOUND, f"{len(unknown)} of {len(command.messages)} messages")
    for bulk in office.bulks:
        bulk.leave_out(command.messages)
    return _label(office, command.messages, command.label)


def label_folder(office: Office, command: LabelFolder) -> Slices:
    """Label what lies in the folder."""
    messages = office.store.folders.messages(command.folder.account, command.folder.folder)
    if command.spare:
        labelled = office.store.labels.of(messages)
        messages = tuple(message for message in messages if message not in labelled)
    return _label(office, messages, command.label, command.folder)


def forget_account(office: Office, command: ForgetAccount) -> None:
    """Let go of where its messages lay; what was learned from them stays."""
    forget_places(office, command.account)


def forget_places(office: Office, account: str, keep: Collection[str] = (), *, junk: bool = False) -> None:
    """Let go of where an account's messages lay, but in these folders; where nothing stays, of its errands too."""
    store = office.store
    messages = [
        each
        for owner, folder in store.folders.names()
        if owner == account and folder not in keep
        for each in store.folders.messages(account, folder)
    ]
    with store.transaction():
        if not keep:
            store.outbox.close_all(account, "the account was removed")
        homeless = store.folders.forget(account, keep, junk=junk)
    office.untidy = True
    office.announcer.rows_changed(message for message in messages if message not in homeless)
    office.announcer.gone(homeless)


def _label(office: Office, messages: Sequence[int], label: str | None, folder: FolderName | None = None) -> Slices:
    """Label them by the user's hand, or as what lies in a folder."""
    before, bulk = office.board.verdicts(), Bulk(messages)
    office.bulks.append(bulk)
    try:
        yield from _work_off(office, bulk, label, folder)
    finally:
        office.bulks.remove(bulk)
    yield from follow(office)
    turned = yield from count_turned(office, before, bulk.marked)
    return Marked(tuple(bulk.marked), label, turned)


def _work_off(office: Office, bulk: Bulk, label: str | None, folder: FolderName | None) -> Slices:
    wishes = None if folder else wishes_of(office.store, moving=office.moving)
    total, mixed = bulk.left, bulk.left > FEW
    while piece := bulk.next_piece():
        with office.store.transaction():
            stored = office.store.marks.mark(
                office.model,
                piece,
                label,
                by=By.FOLDER if folder else By.USER,
                moment=office.clock(),
                step=bulk.step,
                wishes=wishes,
                mixed=mixed,
            )
            if folder:
                office.store.steps.note_folder(stored.step, (folder.account, folder.folder))
        bulk.step = stored.step or bulk.step
        bulk.marked += [change.message for change in stored.changes]
        office.took(stored)
        if bulk.left:
            yield Pause(total - bulk.left, total, Lane.WORK)


def count_turned(office: Office, before: Any, besides: Sequence[int]) -> Generator[Pause, None, int]:
    """How many others show another verdict. A labelled message shows its label, one that is nowhere shows nothing.

    Until the model is folded anew every verdict is about to change once more: then it is too early to tell.
    """
    turned = office.board.turned_since(before, besides).tolist() if office.model.settled else []
    count = 0
    for first in range(0, len(turned), COUNTED):
        piece = turned[first : first + COUNTED]
        unlabelled = set(piece).difference(office.store.labels.of(piece))
        count += len(unlabelled) - len(office.store.folders.homeless(unlabelled))
        yield Pause()
    return count


def follow(office: Office) -> Slices:
    """Show what was marked and what is visible at once, then the rest."""
    office.announcer.flush()
    yield Pause(lane=Lane.SCORES)
    yield from office.rescore()
    office.announcer.flush()
