"""Model files out and in, costs, and learning everything anew."""

from dataclasses import replace

from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Slices
from nbmail.worker.marking.marking import follow
from nbmail.worker.model.import_report import reporting
from nbmail.worker.model.model_files import exporting, importing
from nbmail.worker.protocol import ExportModel, ImportModel, Relearn, SetCost, SetMoving
from nbmail.worker.protocol.model_files import DropImports, PreviewImport


def export_model(state: EngineState, command: ExportModel) -> Slices:
    """Write all that is known to a file, or what may be given away of it."""
    return (yield from exporting(state.store, command, state.clock()))


def preview_import(state: EngineState, command: PreviewImport) -> Slices:
    """Say what a file would bring."""
    return (yield from reporting(state.store, command.path, command.format))


def import_model(state: EngineState, command: ImportModel) -> Slices:
    """Add a file to the base from which labels are folded, or put it in its place."""
    done, imported = yield from importing(state.store, command, state.clock())
    state.labels_changed(done)
    yield from follow(state)
    return imported


def drop_imports(state: EngineState, command: DropImports) -> Slices:
    """Learn from the labels alone."""
    done = state.store.marks.drop_base(moment=state.clock())
    state.labels_changed(done)
    yield from follow(state)
    return done.base


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
