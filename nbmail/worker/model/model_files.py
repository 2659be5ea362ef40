"""A home's model out to a file and in from one: the same for the window's engine and the command line."""

import time
from collections.abc import Generator
from pathlib import Path

from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.core.scoring.model import ModelContent
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.conversion import content_of, merge, refuse_unusable, tables_of
from nbmail.exchange.formats import reading_file, writing_model_file
from nbmail.exchange.nbmodel import writing_model
from nbmail.exchange.tables import MOST_CELLS, MOST_CLASSES, ModelFile, ModelTables
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import Pause, paused
from nbmail.worker.model.redaction import redacting
from nbmail.worker.protocol import Exported, ExportModel, Imported, ImportModel

# The fingerprints of files written from a home, the latest of them.
EXPORTS = "exports"
MOST_EXPORTS = 200
# A small file of many classes may not blow up what is known here. A count takes 100 bytes while models are made one.
GROWTH, SMALL = 8, 2_000_000


def exporting(store: Store, command: ExportModel, now: float) -> Generator[Pause, None, Exported]:
    """Write all that is known to a file, as it is at the first, or what may be given away of it."""
    tables, caught = tables_of(store.model.model, TOKENIZER_VERSION), None
    known = len(tables.words)
    yield Pause()
    if command.redact:
        tables, caught = yield from redacting(store, tables, command.redact)
    file = yield from paused(writing_model_file(command.path, tables, command.format, now))
    left_out = known - len(tables.words) + sum(file.dropped.values())
    note_export(store, file.tables)
    return Exported(command.path, file.words, file.tables.sizes, left_out, bool(command.redact), caught)


def reading_in(store: Store, path: Path, name: str = "") -> Generator[None, None, ModelFile]:
    """What stands in a model file. It is refused if another tokenizer made its words: they would only seem to fit."""
    found = yield from reading_file(path, name, store.words.vocabulary.words_from(0))
    if found.tables.tokenizer != TOKENIZER_VERSION:
        detail = f"{path}: its words were found in another way ({found.tables.tokenizer}, here {TOKENIZER_VERSION})"
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)
    return found


def importing(store: Store, command: ImportModel, now: float) -> Generator[Pause, None, tuple[LabelChanges, Imported]]:
    """Add a file to the base from which labels are folded, or put it in its place once a backup of that stands there.

    What was added before, or was exported from here, is refused: it would count twice. With `again` it does, but for
    its held-out scores, which are no more evidence for being told twice.
    """
    file = yield from paused(reading_in(store, command.path, command.format))
    refuse(store, file.tables)
    known = is_counted(store, file.tables, instead=command.replace)
    if known and not command.again:
        raise KnownError(ErrorCode.ALREADY_KNOWN)
    backup = (yield from paused(backing_up(store, now))) if command.replace else None
    done = _take_in(store, file.tables.without_scores() if known else file.tables, now, instead=command.replace)
    method = file.tables.method
    other = "" if method == store.model.model.method else method
    return done, Imported(command.path, file.words, file.tables.sizes, other, backup)


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


def _take_in(store: Store, tables: ModelTables, moment: float, *, instead: bool) -> LabelChanges:
    model = store.model.model
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
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)


def backing_up(store: Store, moment: float) -> Generator[None, None, Path]:
    """Write the model as it is beside the database; where."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(moment))
    path = store.paths.data / f"model-{stamp}.nbmodel"
    tables = tables_of(store.model.model, TOKENIZER_VERSION)
    yield from writing_model(path, tables)
    note_export(store, tables)
    return path
