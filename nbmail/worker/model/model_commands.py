"""Model files out and in, costs, and learning everything anew."""

from collections.abc import Generator
from dataclasses import replace

from nbmail.exchange.formats import writing_model_file
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Pause, Slices, paused
from nbmail.worker.marking.marking import follow
from nbmail.worker.model.import_report import reporting
from nbmail.worker.model.model_files import note_export, reading_in, replacing, take_in, writing_out
from nbmail.worker.model.redaction import redacting
from nbmail.worker.protocol import Exported, ExportModel, Imported, ImportModel, Relearn, SetCost, SetMoving
from nbmail.worker.protocol.model_files import DropImports, PreviewImport


def export_model(state: EngineState, command: ExportModel) -> Generator[Pause, None, Exported]:
    """Write all that is known to a file, or what may be given away of it."""
    redacted = (yield from redacting(state.store, command.redact)) if command.redact else None
    known = state.model.counts.words
    if redacted is None:
        writing = writing_out(state.model, command.path, command.format, state.clock())
    else:
        writing = writing_model_file(command.path, redacted.tables, command.format, state.clock())
    written = yield from paused(writing)
    note_export(state.store, written)
    left_out, caught = max(0, known - len(written.words)), redacted.caught if redacted else None
    return Exported(command.path, len(written.words), sum(written.messages), left_out, caught)


def preview_import(state: EngineState, command: PreviewImport) -> Slices:
    """Say what a file would bring."""
    return (yield from reporting(state.store, command.path, command.format))


def import_model(state: EngineState, command: ImportModel) -> Slices:
    """Add a file to the base from which labels are folded, or put it in its place."""
    own = state.store.words.vocabulary.words_from(0)
    tables = (yield from paused(reading_in(command.path, command.format, own))).tables
    backup = None
    if command.replace:
        done, backup = yield from paused(replacing(state.store, tables, state.clock(), again=command.again))
    else:
        done = take_in(state.store, tables, state.clock(), again=command.again)
    state.took(done)
    yield from follow(state)
    other_method = tables.method != state.model.method
    return Imported(command.path, len(tables.words), sum(tables.messages), other_method, backup)


def drop_imports(state: EngineState, command: DropImports) -> Slices:
    """Learn from the labels alone."""
    done = state.store.marks.drop_base(moment=state.clock())
    state.took(done)
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
