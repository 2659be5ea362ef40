"""A home's model out to a file and in from one: the same for the window's engine and the command line."""

import time
from collections.abc import Generator, Sequence
from pathlib import Path

from nbmail.core.judging.model import Model, ModelContent
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.errors import KnownError, Trouble
from nbmail.exchange.conversion import content_of, merge, refuse_unusable, tables_of
from nbmail.exchange.formats import reading_file, writing_model_file
from nbmail.exchange.model_tables import MOST_CELLS, MOST_CLASSES, ModelTables
from nbmail.exchange.nbmodel import writing_model
from nbmail.exchange.token_counts import ModelFile
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.store import Store

# The fingerprints of files written from a home, the latest of them.
EXPORTS = "exports"
MOST_EXPORTS = 200
# A small file of many classes may not blow up what is known here. A count takes 100 bytes while models are made one.
GROWTH, SMALL = 8, 2_000_000


def writing_out(model: Model, path: Path, name: str = "", now: float = 0.0) -> Generator[None, None, ModelTables]:
    """Write all that is known to a file of this format, in pieces, as it is at the first; what of it stands there."""
    tables = tables_of(model, TOKENIZER_VERSION)
    yield
    return (yield from writing_model_file(path, tables, name, now))


def reading_in(path: Path, name: str = "", own: Sequence[str] = ()) -> Generator[None, None, ModelFile]:
    """What stands in a model file. It is refused if another tokenizer made its words: they would only seem to fit."""
    found = yield from reading_file(path, name, own)
    if found.tables.tokenizer != TOKENIZER_VERSION:
        detail = f"{path}: its words were found in another way ({found.tables.tokenizer}, here {TOKENIZER_VERSION})"
        raise KnownError(Trouble.BAD_MODEL_FILE, detail)
    return found


def note_export(store: Store, tables: ModelTables) -> None:
    """Remember what was written, so that it is known again if it comes back."""
    mine = tables.fingerprint()
    exports = [each for each in store.settings.get(EXPORTS, []) if each != mine]
    with store.transaction():
        store.settings.set(EXPORTS, [*exports, mine][-MOST_EXPORTS:])


def is_counted(store: Store, tables: ModelTables, *, instead: bool = False) -> bool:
    """Whether it was exported from here, or imported before and is not to take the place of that."""
    mark = tables.fingerprint()
    exported = mark in store.settings.get(EXPORTS, []) and sum(store.model.model.counts.messages) > 0
    return exported or (not instead and mark in store.bases.sources())


def take_in(
    store: Store, tables: ModelTables, moment: float, *, again: bool = False, instead: bool = False
) -> LabelChanges:
    """Add it to the base from which labels are folded, or put it in its place; one undoable step.

    What was added before, or was exported from here, is refused: it would count twice. With `again` it does, but for
    its held-out scores, which are no more evidence for being told twice.
    """
    model = store.model.model
    refuse(store, tables)
    known = is_counted(store, tables, instead=instead)
    if known and not again:
        raise KnownError(Trouble.ALREADY_KNOWN)
    if known:
        tables = tables.without_scores()
    with store.transaction():
        added = content_of(tables, model.vocabulary)
        store.words.write()
        before = ModelContent.nothing() if instead else store.bases.load()
        sources = (*(() if instead else store.bases.sources()), tables.fingerprint())
        return store.marks.use_base(merge(before, added, model.method), moment=moment, sources=sources)


def refuse(store: Store, tables: ModelTables) -> None:
    """Refuse a file that teaches nothing here, or with which the model would outgrow all bounds: before it is built."""
    model = store.model.model
    refuse_unusable(tables, model.method)
    mine, words = model.counts.classes, len(model.vocabulary)
    classes = len({*tables.classes, *mine})
    cells = classes * (words + len(tables.words))
    most = max(SMALL, GROWTH * (len(mine) * words + len(tables.classes) * len(tables.words)))
    if classes > MOST_CLASSES or cells > min(MOST_CELLS, most):
        detail = f"with what is known here it would be {classes:,} classes and {cells:,} counts"
        raise KnownError(Trouble.BAD_MODEL_FILE, detail)


def replacing(
    store: Store, tables: ModelTables, moment: float, *, again: bool = False
) -> Generator[None, None, tuple[LabelChanges, Path]]:
    """Put it in the place of all that was imported, once the model as it is stands in a file beside the database."""
    refuse(store, tables)
    if is_counted(store, tables, instead=True) and not again:
        raise KnownError(Trouble.ALREADY_KNOWN)
    backup = yield from backing_up(store, moment)
    return take_in(store, tables, moment, again=again, instead=True), backup


def backing_up(store: Store, moment: float) -> Generator[None, None, Path]:
    """Write the model as it is beside the database; where."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(moment))
    path = store.paths.data / f"model-{stamp}.nbmodel"
    tables = tables_of(store.model.model, TOKENIZER_VERSION)
    yield from writing_model(path, tables)
    note_export(store, tables)
    return path
