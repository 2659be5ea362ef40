"""Model files of a data folder: export, preview and import, for the engine and the command line."""

import time
from collections.abc import Generator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from nbmail.core.counting.arrays import IntArray
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.model_content import ModelContent
from nbmail.core.words.phrases import PHRASE, phrase_of
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.conversion import Average, content_of, merge, refuse_unusable, tables_of
from nbmail.exchange.formats import reading_file, writing_model_file
from nbmail.exchange.nbmodel import writing_model
from nbmail.exchange.tables import MOST_CELLS, MOST_CLASSES, ModelFile, ModelTables
from nbmail.store.labels.labels import in_pieces
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM
from nbmail.worker.engine.jobs import JobSteps, Pause, paused
from nbmail.worker.model.laboratory import method_named
from nbmail.worker.protocol.model_files import Agreement, Exported, Imported, ImportReport

# The setting with the fingerprints of exported files, the latest of them.
EXPORTS = "exports"
MOST_EXPORTS = 200
MOST_PHRASES = 100
"""Phrases of one imported model that are counted in mail from then on."""
# A small file of many classes must not make the model huge. A count takes 100 bytes while models
# are merged.
GROWTH = 8
SMALL = 2_000_000
# Labelled messages read in one time slice, about 5 ms, and words looked up, about 3 ms.
_CHUNK = 64
_WORDS = 10_000

OLDER_VERSION = 3
"""Oldest version of the tokenizer whose files can be imported. It has no hidden text and counts all
sender checks.
"""
_CHECKS = ("fact:spf=", "fact:dkim=", "fact:dmarc=", "fact:arc=")


def export_model(store: Store, path: Path, format: str, now: float) -> JobSteps[Exported]:
    tables = tables_of(store.model.model, TOKENIZER_VERSION)
    yield Pause()
    file = yield from paused(writing_model_file(path, tables, format, now))
    _note_export(store, file.tables)
    return Exported(path, file.words, file.tables.sizes, sum(file.dropped.values()))


def back_up(store: Store, now: float) -> JobSteps[Path]:
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    path = store.paths.data / f"model-{stamp}.nbmodel"
    tables = tables_of(store.model.model, TOKENIZER_VERSION)
    yield from paused(writing_model(path, tables))
    _note_export(store, tables)
    return path


def _note_export(store: Store, tables: ModelTables) -> None:
    if store.read_only:
        return
    mine = tables.fingerprint()
    exports = [each for each in store.settings.get(EXPORTS, list[str]()) if each != mine]
    with store.transaction():
        store.settings.set(EXPORTS, [*exports, mine][-MOST_EXPORTS:])


def preview_import(store: Store, path: Path, format: str = "") -> JobSteps[ImportReport]:
    model = store.model.model
    found = yield from paused(read_model_file(store, path, format))
    refuse(store, found.tables)
    # The vocabulary doesn't grow.
    known = found.tables.only((yield from _numbers_of(found.tables.words, model)) >= 0)
    agreement = yield from _measure_agreement(store, known)
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
        counted=_is_counted(store, found.tables),
        other_method=found.tables.method != model.method,
    )


def import_model(
    store: Store,
    path: Path,
    now: float,
    *,
    again: bool = False,
    replace: bool = False,
    format: str = "",
) -> JobSteps[tuple[LabelChanges, Imported]]:
    """Add a file to the imported counts, or replace them by it after a backup.

    A file that was imported before, or exported from here, is refused because it would count twice.
    With `again` its counts are added, but not its held-out scores.
    """
    file = yield from paused(read_model_file(store, path, format))
    refuse(store, file.tables)
    known = _is_counted(store, file.tables, replace=replace)
    if known and not again:
        raise KnownError(ErrorCode.ALREADY_KNOWN)
    backup = (yield from back_up(store, now)) if replace else None
    tables = file.tables
    older = file.tables.tokenizer == OLDER_VERSION
    if older:
        # It counted the results of sender checks without regard to their author.
        tables = tables.only(
            np.array([not word.startswith(_CHECKS) for word in tables.words], np.bool_)
        )
    tables = tables.without_scores() if known or older else tables
    done = _add(store, tables, file.tables.fingerprint(), now, replace=replace)
    method = file.tables.method
    other = "" if method == store.model.model.method else method
    left_out = len(file.tables.words) - len(tables.words)
    return done, Imported(path, file.words - left_out, file.tables.sizes, other, backup)


def refuse(store: Store, tables: ModelTables) -> None:
    """Raise BAD_MODEL_FILE for a file without usable counts, or one that would make the model too
    large.
    """
    model = store.model.model
    counts_suffice = model.implementation.counts_suffice
    refuse_unusable(tables, model.method, counts_suffice=counts_suffice)
    mine = model.counts.classes
    words = len(model.vocabulary)
    classes = len({*tables.classes, *mine})
    cells = classes * (words + len(tables.words))
    most = max(SMALL, GROWTH * (len(mine) * words + len(tables.classes) * len(tables.words)))
    if classes > MOST_CLASSES or cells > min(MOST_CELLS, most):
        detail = f"with what is known here it would be {classes:,} classes and {cells:,} counts"
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)


def read_model_file(store: Store, path: Path, format: str) -> Generator[None, None, ModelFile]:
    """Read a model file of a tokenizer version since `OLDER_VERSION`. Words of other versions only
    seem to fit.
    """
    found = yield from reading_file(path, format, store.words.vocabulary.words_from(0))
    if not OLDER_VERSION <= found.tables.tokenizer <= TOKENIZER_VERSION:
        detail = (
            f"{path}: its words were found in another way ({found.tables.tokenizer}, here "
            f"{TOKENIZER_VERSION})"
        )
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)
    return found


def _is_counted(store: Store, tables: ModelTables, *, replace: bool = False) -> bool:
    """True if the model was exported from here, or imported before and not replaced now."""
    mark = tables.fingerprint()
    exported = (
        mark in store.settings.get(EXPORTS, []) and sum(store.model.model.counts.messages) > 0
    )
    return exported or (not replace and mark in store.imported.sources())


def _add(
    store: Store, tables: ModelTables, fingerprint: str, moment: float, *, replace: bool
) -> LabelChanges:
    model = store.model.model
    with store.transaction():
        added = content_of(tables, model.vocabulary)
        store.words.write()
        before = ModelContent.of() if replace else store.imported.load()
        sources = (*(() if replace else store.imported.sources()), fingerprint)
        done = store.marks.import_counts(
            merge(before, added, model.method, average_of), moment=moment, sources=sources
        )
        # Phrases of the file are counted here, too.
        found = (word.removeprefix(PHRASE) for word in tables.words if word.startswith(PHRASE))
        known = store.phrases.now()
        new = (phrase for phrase in found if phrase_of(phrase) == phrase and phrase not in known)
        store.phrases.set(*islice(new, MOST_PHRASES), step=done.step)
        return done


def average_of(method: str) -> Average:
    """Return how a method averages corrections."""
    return method_named(method).create(Vocabulary()).average


def _measure_agreement(store: Store, tables: ModelTables) -> JobSteps[Agreement]:
    model = store.model.model.fresh()
    model.restore(content_of(tables, model.vocabulary))
    score = model.scorer()
    total = len(store.labels)
    done = 0
    right = {SPAM: 0, HAM: 0}
    of = {SPAM: 0, HAM: 0}
    for chunk in in_pieces(store.labels, _CHUNK):
        mail = [one for one in chunk if one.label in of]
        scores = score(model.rows([one.sample for one in mail])).tolist() if mail else []
        for one, log_odds in zip(mail, scores, strict=True):
            of[one.label] += 1
            right[one.label] += (log_odds > 0) if one.label == SPAM else (log_odds < 0)
        done += len(chunk)
        yield Pause(done, max(total, done))
    return Agreement(right[SPAM], of[SPAM], right[HAM], of[HAM])


def _numbers_of(words: Sequence[str], model: Model) -> JobSteps[IntArray]:
    """Return the numbers of the words in the model's vocabulary, negative for unknown ones."""
    numbers = np.empty(len(words), np.int32)
    for first in range(0, len(words), _WORDS):
        numbers[first : first + _WORDS] = model.vocabulary.known_numbers_of(
            words[first : first + _WORDS]
        )
        yield Pause()
    return numbers
