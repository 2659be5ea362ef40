"""What a model file would bring, told before anything of it is taken."""

from collections.abc import Generator
from pathlib import Path

import numpy as np

from nbmail.core.scoring.model import GOOD, JUNK, Model
from nbmail.exchange.conversion import content_of
from nbmail.exchange.tables import ModelTables
from nbmail.store.labels.labels import in_pieces
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import Pause, paused
from nbmail.worker.model.model_files import is_counted, reading_in, refuse
from nbmail.worker.protocol.model_files import Agreement, ImportReport

# Labelled messages read and scored between two looks at the queue: about 5 ms.
_PIECE = 64
# Words looked up at once: about 3 ms.
_WORDS = 10_000


def reporting(store: Store, path: Path, name: str = "") -> Generator[Pause, None, ImportReport]:
    """Read the file, and compare it with the labels that are here."""
    model = store.model.model
    found = yield from paused(reading_in(store, path, name))
    refuse(store, found.tables)
    known = yield from _known_part(found.tables, model)
    agreement = yield from _agreeing(store, known)
    return ImportReport(
        path=path,
        format=found.format,
        classes=found.tables.sizes,
        parts=tuple(found.parts.items()),
        words=found.words,
        ours=found.ours,
        kept=found.words - found.ours - found.dropped.get("foreign", 0),
        known=len(known.words),
        dropped=tuple(sorted(found.dropped.items())),
        agreement=agreement,
        counted=is_counted(store, found.tables),
        other_method=found.tables.method != model.method,
    )


def _known_part(tables: ModelTables, model: Model) -> Generator[Pause, None, ModelTables]:
    """What it says of words that are known here. None is added to the vocabulary."""
    known = np.zeros(len(tables.words), np.bool_)
    for first in range(0, len(known), _WORDS):
        numbers = model.vocabulary.known_numbers_of(tables.words[first : first + _WORDS])
        known[first : first + _WORDS] = np.array(numbers) >= 0
        yield Pause()
    return tables.only(known)


def _agreeing(store: Store, tables: ModelTables) -> Generator[Pause, None, Agreement]:
    """Judge all labelled messages by the file alone, by the side on which each score is: it has no calibration here."""
    model = store.model.model.fresh()
    content = content_of(tables, model.vocabulary)
    model.restore(content.counts, content.learned)
    score = model.scorer()
    total, done = len(store.labels), 0
    right, of = {JUNK: 0, GOOD: 0}, {JUNK: 0, GOOD: 0}
    for chunk in in_pieces(store.labels, _PIECE):
        mail = [one for one in chunk if one.label in of]
        scores = score(model.rows([one.sample for one in mail])).tolist() if mail else []
        for one, log_odds in zip(mail, scores, strict=True):
            of[one.label] += 1
            right[one.label] += (log_odds > 0) if one.label == JUNK else (log_odds < 0)
        done += len(chunk)
        yield Pause(done, max(total, done))
    return Agreement(right[JUNK], of[JUNK], right[GOOD], of[GOOD])
