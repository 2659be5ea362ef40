"""Model files out and in, costs, and learning everything anew."""

from collections.abc import Generator
from dataclasses import replace

from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Pause, Slices, paused
from nbmail.worker.marking.marking import follow
from nbmail.worker.model.model_files import note_export, read_in, take_in, writing_out
from nbmail.worker.protocol import Exported, ExportModel, Imported, ImportModel, Relearn, SetCost, SetMoving


def export_model(state: EngineState, command: ExportModel) -> Generator[Pause, None, Exported]:
    """Write all that is known to a file."""
    tables = yield from paused(writing_out(state.model, command.path))
    note_export(state.store, tables)
    return Exported(command.path, len(tables.words), sum(tables.messages))


def import_model(state: EngineState, command: ImportModel) -> Slices:
    """Add a file to the base from which labels are folded."""
    tables = read_in(command.path)
    yield Pause()
    state.took(take_in(state.store, tables, state.clock(), again=command.again))
    yield from follow(state)
    other_method = tables.method != state.model.method
    return Imported(command.path, len(tables.words), sum(tables.messages), other_method)


def set_cost(state: EngineState, command: SetCost) -> Slices:
    """Weigh mistakes otherwise: scores stay, verdicts follow."""
    state.costs = replace(state.model.costs, false_junk=command.junk_seen)
    state.model.costs = state.costs
    state.model_changed()
    yield from follow(state)


def set_moving(state: EngineState, command: SetMoving) -> None:
    """From now on marks move messages on the server, or don't."""
    state.moving = command.on


def relearn(state: EngineState, command: Relearn) -> Slices:
    """Fold all labels anew, whatever was kept of them."""
    state.store.model.forget_kept()
    yield from state.refolding.fold()
    yield from follow(state)
