"""Model files of a data folder: export, redaction, preview and import, for the engine and the command line."""

import re
import time
from collections.abc import Generator, Sequence
from dataclasses import replace as changed
from pathlib import Path

import numpy as np

from nbmail.core.counting.sample import FloatArray, IntArray, LongArray
from nbmail.core.evaluation.trials import missed_at
from nbmail.core.reading.header_words import mailboxes_in
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.core.scoring.model import GOOD, JUNK, Model, ModelContent
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.conversion import content_of, merge, refuse_unusable, tables_of
from nbmail.exchange.formats import reading_file, writing_model_file
from nbmail.exchange.nbmodel import writing_model
from nbmail.exchange.tables import MOST_CELLS, MOST_CLASSES, ModelFile, ModelTables
from nbmail.store.labels.labels import Labelled, in_pieces
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import JobSteps, Pause, paused
from nbmail.worker.model.doubtful_words import find_doubtful_words
from nbmail.worker.protocol.results import Agreement, Exported, Imported, ImportReport

# The setting with the fingerprints of exported files, the latest of them.
EXPORTS = "exports"
MOST_EXPORTS = 200
# A small file of many classes must not make the model huge. A count takes 100 bytes while models are merged.
GROWTH, SMALL = 8, 2_000_000
# Labelled messages read in one time slice, about 5 ms, and words looked up, about 3 ms.
_CHUNK, _WORDS = 64, 10_000

# Places whose words are addresses, names, servers and memberships.
_PRIVATE_PLACES = frozenset(
    ("from", "to", "reply", "return", "sender", "received", "origin", "id", "signed", "list-id", "path")
)
_PEOPLE = ("from:", "to:", "reply:", "return:", "sender:")
_NUMBER_OR_ADDRESS = re.compile(r"[@\d]")
_PARTS = re.compile(r"[^\W\d_]+")
# Names that Thunderbird gives to the classes of its add-ons.
_TRAIT = re.compile(r"trait \d+")
# The cost of redaction is measured on the latest fifth of the labels, if each class has enough of them.
_MEASURED, _ENOUGH = 5, 20
# Share of good mail that may be lost where the share of recognized junk is measured.
_LOST = 0.005

Recognized = tuple[float, float]
"""Share of recognized junk before and after redaction."""


# ---------------------------------------------------------------------------------------------------------- export


def export_model(store: Store, path: Path, format: str, redact: int, now: float) -> JobSteps[Exported]:
    """Write a copy of the model, or its redacted part, to a file."""
    tables, recognized = tables_of(store.model.model, TOKENIZER_VERSION), None
    known = len(tables.words)
    yield Pause()
    if redact:
        tables, recognized = yield from _redact(store, tables, redact)
    file = yield from paused(writing_model_file(path, tables, format, now))
    left_out = known - len(tables.words) + sum(file.dropped.values())
    _note_export(store, file.tables)
    return Exported(path, file.words, file.tables.sizes, left_out, bool(redact), recognized)


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
    mine = tables.fingerprint()
    exports = [each for each in store.settings.get(EXPORTS, []) if each != mine]
    with store.transaction():
        store.settings.set(EXPORTS, [*exports, mine][-MOST_EXPORTS:])


# ------------------------------------------------------------------------------------------------------- redaction


def _redact(store: Store, whole: ModelTables, fewest: int) -> JobSteps[tuple[ModelTables, Recognized | None]]:
    """Leave out words of fewer than `fewest` messages or senders, and words that name people.

    The senders of imported counts are unknown: words that no labelled message here contains are left out.
    """
    labelled = yield from _read_labelled(store)
    senders = yield from _count_senders(store, labelled)
    numbers = np.array(store.model.model.vocabulary.numbers_of(whole.words), np.int64)
    enough = (whole.documents.sum(axis=0) >= fewest) & (senders[numbers] >= fewest)
    kept = whole.only(enough & ~np.array(_personal(whole), np.bool_))
    # Held-out scores of a model with all words don't apply to a model without some of them.
    kept = changed(kept.without_scores(), classes=_anonymous(kept.classes))
    return kept, (yield from _measure_redaction(store, labelled, set(kept.words)))


def _anonymous(classes: Sequence[str]) -> tuple[str, ...]:
    """Replace class names that the user chose by numbers."""
    return tuple(
        name if name in (JUNK, GOOD) or _TRAIT.fullmatch(name) else f"class-{number}"
        for number, name in enumerate(classes, 1)
    )


def _read_labelled(store: Store) -> JobSteps[list[Labelled]]:
    found, total = list[Labelled](), len(store.labels)
    for chunk in in_pieces(store.labels, _CHUNK):
        found += chunk
        yield Pause(len(found), max(total, len(found)))
    return found


def _count_senders(store: Store, labelled: Sequence[Labelled]) -> JobSteps[LongArray]:
    """For each word of the vocabulary, count the senders of labelled messages that used it."""
    by_sender: dict[str, list[IntArray]] = {}
    for first in range(0, len(labelled), _CHUNK):
        chunk = {one.message: one.sample.words for one in labelled[first : first + _CHUNK]}
        for message, heading in store.messages.headings(chunk).items():
            sender = next(iter(mailboxes_in(heading.sender)), heading.sender)
            by_sender.setdefault(sender, []).append(chunk[message])
        yield Pause()
    counts = np.zeros(len(store.words.vocabulary), np.int64)
    for number, words in enumerate(by_sender.values()):
        counts[np.unique(np.concatenate(words))] += 1
        if number % _CHUNK == 0:
            yield Pause()
    return counts


def _measure_redaction(store: Store, labelled: Sequence[Labelled], words: set[str]) -> JobSteps[Recognized | None]:
    """Train on the older labels and measure the recognized junk of the latest, with all words and with `words` only."""
    border = len(labelled) - len(labelled) // _MEASURED
    latest = [one for one in labelled[border:] if one.label in (JUNK, GOOD)]
    is_junk = np.array([one.label == JUNK for one in latest], np.bool_)
    if min(np.count_nonzero(is_junk), np.count_nonzero(~is_junk)) < _ENOUGH:
        return None
    model = store.model.without_labels()
    for first in range(0, border, _CHUNK):
        chunk = labelled[first : min(first + _CHUNK, border)]
        model.learn_many([one.sample for one in chunk], [one.label for one in chunk])
        yield Pause(first, len(labelled))
    whole = tables_of(model, TOKENIZER_VERSION)
    cut = whole.only(np.array([word in words for word in whole.words], np.bool_))
    other = _model_of(cut, model)
    yield Pause()
    missed = (missed_at(_scores(each, latest), is_junk, _LOST) for each in (model, other))
    before, after = (1 - share for share in missed)
    return before, after


def _model_of(tables: ModelTables, like: Model) -> Model:
    """Return a model of the same method with these counts."""
    model = like.fresh()
    content = content_of(tables, model.vocabulary)
    model.restore(content.counts, content.learned)
    return model


def _scores(model: Model, mail: Sequence[Labelled]) -> FloatArray:
    return model.log_odds(model.rows([one.sample for one in mail]))


def _personal(tables: ModelTables) -> list[bool]:
    """For each word, True if it is an address, a number, a trace of transport, or part of a correspondent's name."""
    names = _names(tables)
    return [_is_personal(word, names) for word in tables.words]


def _is_personal(word: str, names: set[str]) -> bool:
    place, colon, text = word.partition(":")
    if not colon:
        place, text = "", word
    if place in _PRIVATE_PLACES or (place not in ("fact", "measure") and _NUMBER_OR_ADDRESS.search(text)):
        return True
    return not names.isdisjoint(_PARTS.findall(text.lower()))


def _names(tables: ModelTables) -> set[str]:
    """Return the words in and next to the addresses of senders and recipients of mail that is not junk."""
    others = [row for row, name in enumerate(tables.classes) if name != JUNK]
    contained: Sequence[int] = np.flatnonzero(tables.documents[others].any(axis=0)).tolist()
    people = (tables.words[place] for place in contained if tables.words[place].startswith(_PEOPLE))
    parts = (part for word in people for part in _PARTS.findall(word.partition(":")[2].partition("@")[0].lower()))
    return {part for part in parts if len(part) > 1 or not part.isascii()}


# ---------------------------------------------------------------------------------------------------------- import


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
    tables = file.tables.without_scores() if known else file.tables
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
    """Read a model file. Words of another tokenizer version only seem to fit, so such a file is refused."""
    found = yield from reading_file(path, format, store.words.vocabulary.words_from(0))
    if found.tables.tokenizer != TOKENIZER_VERSION:
        detail = f"{path}: its words were found in another way ({found.tables.tokenizer}, here {TOKENIZER_VERSION})"
        raise KnownError(ErrorCode.BAD_MODEL_FILE, detail)
    return found


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
        return store.marks.import_counts(merge(before, added, model.method), moment=moment, sources=sources)


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
    model = _model_of(tables, store.model.model)
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
