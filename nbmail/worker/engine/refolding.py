"""Folding the model anew: after a change in the middle of the order of labels, or because the user asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbmail.worker.engine.job_queue import Pause, Slices

if TYPE_CHECKING:
    from nbmail.worker.engine.engine_state import Office

# Labels learned between two looks at the agenda: about 3 ms.
PIECE = 128


def fold(office: Office) -> Slices:
    """Build the model from the base and all labels beside the one in use, then swap them.

    Disturbed by a training, or by a long step being taken back, it gives up: the end of those asks for another.
    """
    while True:
        building = office.store.fold(office.model)
        total = len(office.store.labels)
        while building.advance(PIECE):
            yield Pause(building.done, max(total, building.done))
            if building.disturbed:
                break
        while not building.disturbed and building.keep_steps():
            yield Pause(building.done, max(total, building.done))
        if not building.disturbed:
            office.replace_model(building.keep())
            return
        if office.training or office.travelling:
            return
