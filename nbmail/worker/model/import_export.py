"""Model files of a data folder: export, redaction, preview and import, for the engine and the command line."""

import re
import time
from collections.abc import Generator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from nbmail.core.reading.tokenizer import PHRASE, TOKENIZER_VERSION, phrase_of
from nbmail.core.scoring.model import GOOD, JUNK, Model, ModelContent
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.conversion import content_of, merge, refuse_unusable, tables_of
from nbmail.exchange.formats import reading_file, writing_model_file
from nbmail.exchange.nbmodel import writing_model
from nbmail.exchange.tables import MOST_CELLS, MOST_CLASSES, ModelFile, ModelTables
from nbmail.store.labels.labels import in_pieces
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import JobSteps, Pause, paused
from nbmail.worker.model.doubtful_words import find_doubtful_words
from nbmail.worker.model.redaction import model_of, redact_model
from nbmail.worker.protocol.results import Agreement, Exported, Imported, ImportReport

# The setting with the fingerprints of exported files, the latest of them.
EXPORTS = "exports"
MOST_EXPORTS = 200
MOST_EXAMPLES = 4
_ADDRESS = re.compile(r"from:.+@")
"""Number and kind of words that the preview of a redacted export names: addresses of senders."""
MOST_PHRASES = 100
"""Phrases of one imported model that are counted in mail from then on."""
# A small file of many classes must not make the model huge. A count takes 100 bytes while models are merged.
GROWTH, SMALL = 8, 2_000_000
# Labelled messages read in one time slice, about 5 ms, and words looked up, about 3 ms.
_CHUNK, _WORDS = 64, 10_000

OLDER_VERSION = 3
"""Oldest version of the tokenizer whose files can be imported. It has no hidden text and counts all sender checks."""
_CHECKS = ("fact:spf=", "fact:dkim=", "fact:dmarc=", "fact:arc=")


def export_model(store: Store, path: Path, format: str, redact: int, now: float) -> JobSteps[Exported]:
    """Write a copy of the model, or its redacted part, to a file."""
    tables, recognized = tables_of(store.model.model, TOKENIZER_VERSION), None
    known = len(tables.words)
    yield Pause()
    if redact:
        tables, recognized = yield from redact_model(store, tables, redact)
    file = yield from paused(writing_model_file(path, tables, format, now))
    left_out = known - len(tables.words) + sum(file.dropped.values())
    _note_export(store, file.tables)
    return Exported(path, file.words, file.tables.sizes, left_out, bool(redact), recognized)


def preview_export(store: Store, redact: int) -> JobSteps[Exported]:
    """Report what a redacted export leaves out, without writing it."""
    whole = tables_of(store.model.model, TOKENIZER_VERSION)
    yield Pause()
    kept, recognized = yield from redact_model(store, whole, redact)
    left = set(whole.words).difference(kept.words)
    frequent = np.argsort(-whole.documents.sum(axis=0), kind="stable").tolist()
    addresses = (whole.words[place] for place in frequent if _ADDRESS.match(whole.words[place]))
    examples = islice((word for word in addresses if word in left), MOST_EXAMPLES)
    return Exported(Path(), len(kept.words), kept.sizes, len(left), True, recognized, tuple(examples))


def back_up(store: Store, now: float) -> JobSteps[Path]:
    """Write the model to a file next to the database. Return its path."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    path = store.paths.data / f"model-{stamp}.nbmodel"
    tables = tables_of(store.model.model, TOKENIZER_VERSION)
    yield from paused(writing_model(path, tables))
    _note_export(store, tables)
    return path


def _note_export(store: Store, tables: ModelTables) -> None:
    """Store the fingerprint of an exported model, to recognize it if it is imported."""
    if store.read_only:
        return
    mine = tables.fingerprint()
    exports = [each for each in store.settings.get(EXPORTS, []) if each != mine]
    with store.transaction():
        store.settings.set(EXPORTS, [*exports, mine][-MOST_EXPORTS:])


def preview_import(store: Store, path: Path, format: str = "") -> JobSteps[ImportReport]:
    """Read a file and compare it with the labels of this data folder."""
    model = store.model.model
    found = yield from paused(read_model_file(store, path, format))
    refuse(store, found.tables)
    known = yield from _known_part(found.tables, model)
    agreement = yield from _measure_agreement(store, known)
    doubtful = yield from find_doubtful_words(store, found.tables)
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
        doubtful=doubtful.strongest,
        doubtful_words=int(np.count_nonzero(doubtful.flags)),
    )


def import_model(
    store: Store,
    path: Path,
    now: float,
    *,
    again: bool = False,
    replace: bool = False,
    leave_out: bool = False,
    format: str = "",
) -> JobSteps[tuple[LabelChanges, Imported]]:
    """Add a file to the imported counts, or replace them by it after a backup.

    A file that was imported before, or exported from here, is refused because it would count twice. With `again` its
    counts are added, but not its held-out scores. `leave_out`: omit the doubtful words.
    """
    file = yield from paused(read_model_file(store, path, format))
    refuse(store, file.tables)
    known = _is_counted(store, file.tables, replace=replace)
    if known and not again:
        raise KnownError(ErrorCode.ALREADY_KNOWN)
    backup = (yield from back_up(store, now)) if replace else None
    older = file.tables.tokenizer == OLDER_VERSION
    tables = _without_checks(file.tables) if older else file.tables
    tables = tables.without_scores() if known or older else tables
    if leave_out:
        doubtful = yield from find_doubtful_words(store, tables)
        tables = tables.only(~doubtful.flags)
    done = _add(store, tables, file.tables.fingerprint(), now, replace=replace)
    method = file.tables.method
    other = "" if method == store.model.model.method else method
    left_out = len(file.tables.words) - len(tables.words)
    return done, Imported(path, file.words - left_out, file.tables.sizes, other, backup, left_out)


def refuse(store: Store, tables: ModelTables) -> None:
    """Raise BAD_MODEL_FILE for a file without usable counts, or one that would make the model too large."""
    model = store.model.model
    refuse_unusable(tables, model.method)
    mine, words = model.counts.classes, len(model.vocabulary)
    classes = len({*tables.classes, *mine})
    cells = classes * (words + len(tables.words))
    most = max(SMALL, GROWTH * (len(mine) * words + len(tables.classes) * len(tables.words)))
    if classes > MOST_CLASSES or cells > min(MOST_CELLS, most):
        detail = f"with what is known here it would be {classes:,} classes and {cells:,} counts"
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)


def read_model_file(store: Store, path: Path, format: str) -> Generator[None, None, ModelFile]:
    """Read a model file of a tokenizer version since `OLDER_VERSION`. Words of other versions only seem to fit."""
    found = yield from reading_file(path, format, store.words.vocabulary.words_from(0))
    if not OLDER_VERSION <= found.tables.tokenizer <= TOKENIZER_VERSION:
        detail = f"{path}: its words were found in another way ({found.tables.tokenizer}, here {TOKENIZER_VERSION})"
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)
    return found


def _without_checks(tables: ModelTables) -> ModelTables:
    """Omit the results of sender checks: the version before counted them without regard to their author."""
    return tables.only(np.array([not word.startswith(_CHECKS) for word in tables.words], np.bool_))


def _is_counted(store: Store, tables: ModelTables, *, replace: bool = False) -> bool:
    """True if the model was exported from here, or imported before and not replaced now."""
    mark = tables.fingerprint()
    exported = mark in store.settings.get(EXPORTS, []) and sum(store.model.model.counts.messages) > 0
    return exported or (not replace and mark in store.imported.sources())


def _add(store: Store, tables: ModelTables, fingerprint: str, moment: float, *, replace: bool) -> LabelChanges:
    model = store.model.model
    with store.transaction():
        added = content_of(tables, model.vocabulary)
        store.words.write()
        before = ModelContent.nothing() if replace else store.imported.load()
        sources = (*(() if replace else store.imported.sources()), fingerprint)
        done = store.marks.import_counts(merge(before, added, model.method), moment=moment, sources=sources)
        store.phrases.set(*_new_phrases(store, tables.words), step=done.step)
        return done


def _new_phrases(store: Store, words: Sequence[str]) -> list[str]:
    """Return the phrases among the words of a file, at most `MOST_PHRASES`, so that they are counted here, too."""
    found = (word.removeprefix(PHRASE) for word in words if word.startswith(PHRASE))
    known = store.phrases.now()
    return list(islice((each for each in found if phrase_of(each) == each and each not in known), MOST_PHRASES))


def _known_part(tables: ModelTables, model: Model) -> JobSteps[ModelTables]:
    """Return the counts of words that are known here. The vocabulary doesn't grow."""
    known = np.zeros(len(tables.words), np.bool_)
    for first in range(0, len(known), _WORDS):
        numbers = model.vocabulary.known_numbers_of(tables.words[first : first + _WORDS])
        known[first : first + _WORDS] = np.array(numbers) >= 0
        yield Pause()
    return tables.only(known)


def _measure_agreement(store: Store, tables: ModelTables) -> JobSteps[Agreement]:
    """Classify all labelled messages by the file alone, by the sign of each score: it has no calibration here."""
    model = model_of(tables, store.model.model)
    score = model.scorer()
    total, done = len(store.labels), 0
    right, of = {JUNK: 0, GOOD: 0}, {JUNK: 0, GOOD: 0}
    for chunk in in_pieces(store.labels, _CHUNK):
        mail = [one for one in chunk if one.label in of]
        scores = score(model.rows([one.sample for one in mail])).tolist() if mail else []
        for one, log_odds in zip(mail, scores, strict=True):
            of[one.label] += 1
            right[one.label] += (log_odds > 0) if one.label == JUNK else (log_odds < 0)
        done += len(chunk)
        yield Pause(done, max(total, done))
    return Agreement(right[JUNK], of[JUNK], right[GOOD], of[GOOD])
