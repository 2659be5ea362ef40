"""A home's model out to a file and in from one: the same for the window's engine and the command line."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import numpy as np

from nbmail.core.judging.model import Model
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.errors import KnownError, Trouble
from nbmail.exchange.conversion import content_of, merge, refuse_unusable, tables_of
from nbmail.exchange.model_tables import ModelTables
from nbmail.exchange.nbmodel import read_model, writing_model
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.store import Store

# The fingerprints of files written from a home, the latest of them.
EXPORTS = "exports"
MOST_EXPORTS = 200


def writing_out(model: Model, path: Path) -> Generator[None, None, ModelTables]:
    """Write all that is known to a file, in pieces, as it is at the first; what stands in it."""
    tables = tables_of(model, TOKENIZER_VERSION)
    yield
    yield from writing_model(path, tables)
    return tables


def read_in(path: Path) -> ModelTables:
    """What stands in a model file. It is refused if another tokenizer made its words: they would only seem to fit."""
    tables = read_model(path)
    if tables.tokenizer != TOKENIZER_VERSION:
        detail = f"{path}: its words were found in another way ({tables.tokenizer}, here {TOKENIZER_VERSION})"
        raise KnownError(Trouble.BAD_MODEL_FILE, detail)
    return tables


def note_export(store: Store, tables: ModelTables) -> None:
    """Remember what was written, so that it is known again if it comes back."""
    mine = tables.fingerprint()
    exports = [each for each in store.settings.get(EXPORTS, []) if each != mine]
    with store.transaction():
        store.settings.set(EXPORTS, [*exports, mine][-MOST_EXPORTS:])


def take_in(store: Store, tables: ModelTables, moment: float, *, again: bool = False) -> LabelChanges:
    """Add it to the base from which labels are folded; one undoable step.

    What was added before, or was exported from here, is refused: it would count twice. With `again` it does, but for
    its held-out scores, which are no more evidence for being told twice.
    """
    model = store.model.model
    refuse_unusable(tables, model.method)
    mark, sources = tables.fingerprint(), store.bases.sources()
    known = mark in sources or (mark in store.settings.get(EXPORTS, []) and sum(model.counts.messages) > 0)
    if known and not again:
        raise KnownError(Trouble.ALREADY_KNOWN)
    if known:
        tables = replace(tables, held_out_scores=np.zeros(0), held_out_junk=np.zeros(0, bool))
    with store.transaction():
        added = content_of(tables, model.vocabulary)
        store.words.write()
        both = merge(store.bases.load(), added, model.method)
        return store.marks.use_base(both, moment=moment, sources=(*sources, mark))
