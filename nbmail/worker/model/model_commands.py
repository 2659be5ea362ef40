"""Model files out and in, costs, and learning everything anew."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from nbmail.store.doctor.doctor import Doctor
from nbmail.store.values import Finding
from nbmail.worker.engine.engine_state import Office
from nbmail.worker.engine.job_queue import Pause, Slices, paused
from nbmail.worker.engine.refolding import fold
from nbmail.worker.marking.marking import follow
from nbmail.worker.model.model_files import note_export, read_in, take_in, writing_out
from nbmail.worker.protocol import Exported, ExportModel, Imported, ImportModel, Relearn, SetCost, SetMoving


def export_model(office: Office, command: ExportModel) -> Generator[Pause, None, Exported]:
    """Write all that is known to a file."""
    tables = yield from paused(writing_out(office.model, command.path))
    note_export(office.store, tables)
    return Exported(command.path, len(tables.words), sum(tables.messages))


def import_model(office: Office, command: ImportModel) -> Slices:
    """Add a file to the base from which labels are folded."""
    tables = read_in(command.path)
    yield Pause()
    office.took(take_in(office.store, office.model, tables, office.clock(), again=command.again))
    yield from follow(office)
    other_method = tables.method != office.model.method
    return Imported(command.path, len(tables.words), sum(tables.messages), other_method)


def set_cost(office: Office, command: SetCost) -> Slices:
    """Weigh mistakes otherwise: scores stay, verdicts follow."""
    office.costs = replace(office.model.costs, false_junk=command.junk_seen)
    office.model.costs = office.costs
    office.model_changed()
    yield from follow(office)


def set_moving(office: Office, command: SetMoving) -> None:
    """From now on marks move messages on the server, or don't."""
    office.moving = command.on


def relearn(office: Office, command: Relearn) -> Slices:
    """Fold the labels anew, and mend the counts on the disk if they are not what the labels make them."""
    yield from fold(office)
    if (yield from _counts_differ(office)):
        yield from paused(Doctor(office.store, office.clock()).mending([Finding("counts", False)]))
        yield from fold(office)
    yield from follow(office)


def _counts_differ(office: Office) -> Generator[Pause, None, bool]:
    """Whether the counts on the disk are others than the model's; marks in between would look like it."""
    while True:
        line = office.store.journal.last_line()
        kept = yield from paused(office.store.counts_reading.pieces())
        if office.store.journal.last_line() == line:
            return bool(office.model.counts != kept)
