"""Another method, and a new beginning."""

from nbmail.core.methods.registry import NAMES
from nbmail.errors import KnownError, Trouble
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Slices, paused
from nbmail.worker.marking.marking import follow
from nbmail.worker.marking.server_actions import actions_of
from nbmail.worker.model.model_files import backing_up
from nbmail.worker.protocol.own_model import StartedOver, StartOver, UseMethod


def use_method(state: EngineState, command: UseMethod) -> Slices:
    """The model in use answers until the new one has learned everything."""
    if command.method not in NAMES:
        raise KnownError(Trouble.BAD_INPUT, command.method)
    if command.method != state.model.method:
        yield from state.refolding.fold(method=command.method)
        yield from follow(state)


def start_over(state: EngineState, command: StartOver) -> Slices:
    """As a journey to before the first mark, but that what was imported goes too."""
    for job in state.label_jobs:
        job.end()
    yield from state.refolding.fold_if_lagging()
    backup = yield from paused(backing_up(state.store, state.clock()))
    state.trained.clear()
    done = state.store.marks.start_over(moment=state.clock(), actions=actions_of(state.store, moving=False))
    state.labels_changed(done)
    yield from follow(state)
    return StartedOver(len(done.changes), backup)
