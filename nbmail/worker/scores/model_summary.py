"""Summary of the model and of the next undo and redo, for the window."""

import numpy as np

from nbmail.core.scoring.model import Model
from nbmail.core.scoring.verdict import Costs
from nbmail.store.store import Store
from nbmail.worker.protocol.events import ClassFigures, Learned

# Labels of the largest step that is summarized with every change of the model.
MAX_NAMED = 32


def summarize(store: Store, costs: Costs) -> Learned:
    """Return the event that describes the model in use."""
    model = store.model.model
    undo, redo = store.steps.depth()
    next_undo, next_redo = store.steps.preview(MAX_NAMED)
    return Learned(
        classes=_classes(model),
        vocabulary=model.counts.words,
        held_out=model.held_out.all.count(),
        calibrated=model.has_chances,
        is_training=model.withheld,
        method=model.method,
        undo=undo,
        redo=redo,
        is_exact=store.model.is_exact,
        spam_from=costs.spam_from,
        next_undo=next_undo,
        next_redo=next_redo,
        costs=costs.values,
    )


def _classes(model: Model) -> tuple[ClassFigures, ...]:
    counts = model.counts
    figures = list[ClassFigures]()
    for row, name in enumerate(counts.classes):
        words = int(np.count_nonzero(counts.documents[row]))
        figures.append(ClassFigures(name, counts.messages[row], words))
    return tuple(figures)
