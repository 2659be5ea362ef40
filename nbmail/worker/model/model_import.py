"""Preview and import of a model file."""

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
from nbmail.exchange.conversion import content_of
from nbmail.exchange.formats import reading_file
from nbmail.exchange.merging import Average, merge
from nbmail.exchange.model_file import ModelFile
from nbmail.exchange.model_tables import MOST_CELLS, MOST_CLASSES, ModelTables
from nbmail.store.labels.labels import in_pieces
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM
from nbmail.worker.engine.jobs import JobSteps, Pause, paused
from nbmail.worker.model.laboratory import method_named
from nbmail.worker.model.model_export import back_up, is_exported
from nbmail.worker.protocol.model_files import Agreement, Imported, ImportReport

MOST_PHRASES = 100
"""Phrases of one imported model that are counted in mail from then on."""
# A small file of many classes must not make the model huge. A count takes 100 bytes while models
# are merged.
GROWTH = 8
SMALL = 2_000_000
# Labelled messages read in one time slice, about 5 ms, and words looked up, about 3 ms.
_CHUNK = 64
_WORDS = 10_000


def preview_import(store: Store, path: Path, format: str = "") -> JobSteps[ImportReport]:
    """Report the effect of importing a file. Nothing is stored."""
    model = store.model.model
    found = yield from paused(read_model_file(store, path, format))
    refuse(store, found.tables)

    # The vocabulary doesn't grow.
    numbers = yield from _numbers_of(found.tables.words, model)
    known = found.tables.only(numbers >= 0)
    agreement = yield from _measure_agreement(store, known)
    return ImportReport(
        path=path,
        format=found.format,
        classes=found.tables.sizes,
        parts=tuple(found.parts.items()),
        words=found.words,
        ours=found.ours,
        kept=found.kept,
        known=len(known.words),
        is_estimated=found.is_estimated,
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
    is_known = _is_counted(store, file.tables, replace=replace)
    if is_known and not again:
        raise KnownError(ErrorCode.ALREADY_KNOWN)

    backup = None
    if replace:
        backup = yield from back_up(store, now)
    tables = file.tables.without_scores() if is_known else file.tables
    changes = _add(store, tables, now, replace=replace)

    method = file.tables.method
    other_method = "" if method == store.model.model.method else method
    return changes, Imported(path, file.words, file.tables.sizes, other_method, backup)


def refuse(store: Store, tables: ModelTables) -> None:
    """Raise BAD_MODEL_FILE for a file that is useless here, or would make the model too large."""
    _refuse_useless(store.model.model, tables)
    _refuse_large(store.model.model, tables)


def _refuse_useless(model: Model, tables: ModelTables) -> None:
    """Raise BAD_MODEL_FILE if the method in use needs more than the counts of another method."""
    is_fitting = tables.method == model.method and bool(tables.corrections.any())
    if not is_fitting and not model.implementation.counts_suffice:
        detail = (
            f"the method in use, {model.method}, learns nothing from this file of "
            f"{tables.method}: choose another first"
        )
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)


def _refuse_large(model: Model, tables: ModelTables) -> None:
    mine = model.counts.classes
    words = len(model.vocabulary)
    classes = len({*tables.classes, *mine})
    cells = classes * (words + len(tables.words))

    separate = len(mine) * words + len(tables.classes) * len(tables.words)
    most = min(MOST_CELLS, max(SMALL, GROWTH * separate))
    if classes > MOST_CLASSES or cells > most:
        detail = f"with what is known here it would be {classes:,} classes and {cells:,} counts"
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)


def read_model_file(store: Store, path: Path, format: str) -> Generator[None, None, ModelFile]:
    """Read a model file of this version of the tokenizer.

    Words of other versions only seem to fit.
    """
    found = yield from reading_file(path, format, store.words.vocabulary.words_from(0))
    version = found.tables.tokenizer
    if version != TOKENIZER_VERSION:
        detail = (
            f"{path}: its words were found in another way ({version}, here {TOKENIZER_VERSION})"
        )
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)
    return found


def _is_counted(store: Store, tables: ModelTables, *, replace: bool = False) -> bool:
    """True if the model was exported from here, or imported before and not replaced now."""
    if is_exported(store, tables) and sum(store.model.model.counts.messages) > 0:
        return True
    return not replace and tables.fingerprint() in store.imported.sources()


def _add(store: Store, tables: ModelTables, moment: float, *, replace: bool) -> LabelChanges:
    """Add the tables to the imported counts, and their phrases to those that are counted here."""
    model = store.model.model
    with store.transaction():
        added = content_of(tables, model.vocabulary)
        store.words.write()

        before = ModelContent.of()
        sources: tuple[str, ...] = ()
        if not replace:
            before = store.imported.load()
            sources = tuple(store.imported.sources())
        changes = store.marks.import_counts(
            merge(before, added, model.method, average_of),
            moment=moment,
            sources=(*sources, tables.fingerprint()),
        )
        phrases = islice(_new_phrases(store, tables.words), MOST_PHRASES)
        store.phrases.set(*phrases, step=changes.step)
        return changes


def _new_phrases(store: Store, words: Sequence[str]) -> Generator[str, None, None]:
    known = store.phrases.now()
    for word in words:
        if word.startswith(PHRASE):
            phrase = word.removeprefix(PHRASE)
            if phrase_of(phrase) == phrase and phrase not in known:
                yield phrase


def average_of(method: str) -> Average:
    """Return how a method averages corrections."""
    return method_named(method).create(Vocabulary()).average


def _measure_agreement(store: Store, tables: ModelTables) -> JobSteps[Agreement]:
    """Score all labelled messages by the file alone."""
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
            is_right = log_odds > 0 if one.label == SPAM else log_odds < 0
            right[one.label] += is_right
        done += len(chunk)
        yield Pause(done, max(total, done))
    return Agreement(right[SPAM], of[SPAM], right[HAM], of[HAM])


def _numbers_of(words: Sequence[str], model: Model) -> JobSteps[IntArray]:
    """Return the numbers of the words in the model's vocabulary, negative for unknown ones."""
    numbers = np.empty(len(words), np.int32)
    for first in range(0, len(words), _WORDS):
        some = slice(first, first + _WORDS)
        numbers[some] = model.vocabulary.known_numbers_of(words[some])
        yield Pause()
    return numbers
