"""Marks, undo, redo and journeys: the store changes labels, the model follows or is folded anew, then the scores.

An account that goes takes no label with it.
"""

from collections.abc import Callable, Collection, Generator, Sequence

from nbmail.errors import ErrorCode, KnownError
from nbmail.store.labels.journal import By
from nbmail.store.labels.marks import LabelChanges
from nbmail.values import FolderName
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, Pause, Priority
from nbmail.worker.marking.label_job import LabelJob
from nbmail.worker.marking.server_actions import actions_of
from nbmail.worker.protocol import GoBack, LabelFolder, Mark, Marked, Redo, Undo
from nbmail.worker.protocol.words import IgnoreWord
from nbmail.worker.scores.scores import ScoresBefore

# More labels than this in one step are learned shuffled among all that came so.
FEW = 32
# Messages asked for between two looks at the queue whether they show their verdict: about 3 ms.
COUNTED = 2000


def mark(state: EngineState, command: Mark) -> JobSteps:
    """Label the messages: few in one transaction, many piece by piece in one step."""
    unknown = [place for place in state.store.word_ids.places(command.messages) if place < 0]
    if unknown:
        raise KnownError(ErrorCode.NOT_FOUND, f"{len(unknown)} of {len(command.messages)} messages")
    for job in state.label_jobs:
        job.leave_out(command.messages)
    return _label(state, command.messages, command.label)


def label_folder(state: EngineState, command: LabelFolder) -> JobSteps:
    """Label what lies in the folder."""
    messages = state.store.folders.messages(command.folder)
    if command.spare:
        labelled = state.store.labels.of(messages)
        messages = tuple(message for message in messages if message not in labelled)
    return _label(state, messages, command.label, command.folder)


def forget_places(state: EngineState, account: str, keep: Collection[str] = (), *, junk: bool = False) -> None:
    """Let go of where an account's messages lay, but in these folders; where nothing stays, of its errands too."""
    store = state.store
    messages = [
        each
        for name in store.folders.names()
        if name.account == account and name.folder not in keep
        for each in store.folders.messages(name)
    ]
    with store.transaction():
        if not keep:
            store.outbox.close_all(account, "the account was removed")
        homeless = store.folders.forget(account, keep, junk=junk)
    state.untidy = True
    state.announcer.rows_changed(message for message in messages if message not in homeless)
    state.announcer.gone(homeless)


def _label(
    state: EngineState, messages: Sequence[int], label: str | None, folder: FolderName | None = None
) -> JobSteps:
    """Label them by the user's hand, or as what lies in a folder."""
    before, job = state.scores.remember(), LabelJob(messages)
    state.label_jobs.append(job)
    try:
        yield from _work_off(state, job, label, folder)
    finally:
        state.label_jobs.remove(job)
    yield from follow(state)
    turned = yield from count_turned(state, before, job.marked)
    return Marked(tuple(job.marked), label, turned)


def _work_off(state: EngineState, job: LabelJob, label: str | None, folder: FolderName | None) -> JobSteps:
    actions = None if folder else actions_of(state.store, moving=state.moving)
    total, shuffled = job.left, job.left > FEW
    while chunk := job.next_piece():
        done = state.store.marks.mark(
            dict.fromkeys(chunk, label),
            by=By.FOLDER if folder else By.USER,
            moment=state.clock(),
            step=job.step,
            actions=actions,
            shuffled=shuffled,
            folder=folder,
            asked=state.asked,
        )
        job.step = done.step or job.step
        job.marked += [change.message for change in done.changes]
        state.labels_changed(done)
        if job.left:
            yield Pause(total - job.left, total, Priority.WORK)


def follow(state: EngineState) -> JobSteps:
    """Show what was marked and what is visible at once, then the rest."""
    yield from state.refolding.rebuild_if_stale()
    state.announcer.flush()
    yield Pause(lane=Priority.SCORES)
    yield from state.refolding.rescore_if_needed()
    yield from state.rescore()
    state.announcer.flush()


def count_turned(state: EngineState, before: ScoresBefore, besides: Sequence[int]) -> Generator[Pause, None, int]:
    """How many others show another verdict; they are remembered as those that moved.

    A labelled message shows its label, one that is nowhere shows nothing.
    Until the model is folded anew every verdict is about to change once more: then it is too early to tell.
    """
    is_exact = state.store.model.is_exact
    turned = state.scores.turned_since(before, besides).tolist() if is_exact else []
    moved = list[int]()
    for first in range(0, len(turned), COUNTED):
        chunk = turned[first : first + COUNTED]
        unlabelled = set(chunk).difference(state.store.labels.of(chunk))
        moved += sorted(unlabelled - state.store.folders.homeless(unlabelled))
        yield Pause()
    state.moved = (before, moved)
    return len(moved)


def undo(state: EngineState, command: Undo) -> JobSteps | Marked:
    """Take the latest step back, if it isn't too large; a job that is still at it ends first."""
    latest = state.store.steps.to_undo()
    taken = state.store.steps.figures(latest.number) if latest and command.most is not None else None
    if taken is not None and command.most is not None and taken.messages > command.most:
        return Marked((), None, step=taken, held=True)
    for job in state.label_jobs:
        if latest is not None and job.step == latest.number:
            job.end()
    state.trained.clear()
    return _turn(state, lambda: state.store.marks.undo(moment=state.clock()))


def redo(state: EngineState, command: Redo) -> JobSteps:
    """Do the latest undone step again."""
    return _turn(state, lambda: state.store.marks.redo(moment=state.clock()))


def go_back(state: EngineState, command: GoBack) -> JobSteps:
    """Set all labels to what they were. Moves are only taken back: going back in time moves nothing anew."""
    for job in state.label_jobs:
        job.end()
    line = state.store.journal.line_before(command.before)
    return _turn(state, lambda: state.store.marks.go_back(line, moment=state.clock()))


def _turn(state: EngineState, turn: Callable[[], LabelChanges]) -> JobSteps:
    before = state.scores.remember()
    done = turn()
    state.labels_changed(done)
    yield from follow(state)
    messages, labels = tuple(change.message for change in done.changes), {change.after for change in done.changes}
    turned = yield from count_turned(state, before, messages)
    label = labels.pop() if len(labels) == 1 else None
    return Marked(messages, label, turned, done.base, state.store.steps.figures(done.step))


def ignore_word(state: EngineState, command: IgnoreWord) -> JobSteps:
    """One step; every score follows."""
    before = state.scores.remember()
    step = state.store.ignored_words.set(command.word, ignored=command.ignored, moment=state.clock())
    state.labels_changed(LabelChanges((), step, base=True))
    yield from follow(state)
    turned = yield from count_turned(state, before, ())
    return Marked((), None, turned, base=True, step=state.store.steps.figures(step))
