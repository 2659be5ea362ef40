"""Model files of a data folder: export, redaction, preview and import, for the engine and the
command line.
"""

import re
import time
from collections.abc import Generator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, LongArray, Vocabulary
from nbmail.core.reading.tokenizer import PHRASE, TOKENIZER_VERSION, phrase_of
from nbmail.core.reading.words import place_of
from nbmail.core.scoring.explaining import word_parts
from nbmail.core.scoring.model import Model, ModelContent
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import FOREIGN_PREFIXES
from nbmail.exchange.conversion import Average, content_of, merge, refuse_unusable, tables_of
from nbmail.exchange.formats import reading_file, writing_model_file
from nbmail.exchange.nbmodel import writing_model
from nbmail.exchange.tables import MOST_CELLS, MOST_CLASSES, ModelFile, ModelTables
from nbmail.store.labels.labels import in_pieces
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM
from nbmail.worker.engine.job_queue import JobSteps, Pause, paused
from nbmail.worker.model.laboratory import method_named
from nbmail.worker.model.redaction import model_of, redact_model
from nbmail.worker.protocol.model_files import (
    Agreement,
    DoubtfulWord,
    Exported,
    Imported,
    ImportReport,
)

# The setting with the fingerprints of exported files, the latest of them.
EXPORTS = "exports"
MOST_EXPORTS = 200
MOST_EXAMPLES = 4
_ADDRESS = re.compile(r"from:.+@")
"""Number and kind of words that the preview of a redacted export names: addresses of senders."""
MOST_PHRASES = 100
"""Phrases of one imported model that are counted in mail from then on."""
# A small file of many classes must not make the model huge. A count takes 100 bytes while models
# are merged.
GROWTH = 8
SMALL = 2_000_000
# Labelled messages read in one time slice, about 5 ms, and words looked up or weighed, about 3 ms.
_CHUNK = 64
_WORDS = 10_000

OLDER_VERSION = 3
"""Oldest version of the tokenizer whose files can be imported. It has no hidden text and counts all
sender checks.
"""
_CHECKS = ("fact:spf=", "fact:dkim=", "fact:dmarc=", "fact:arc=")


def export_model(
    store: Store, path: Path, format: str, redact: int, now: float
) -> JobSteps[Exported]:
    tables = tables_of(store.model.model, TOKENIZER_VERSION)
    recognized = None
    known = len(tables.words)
    yield Pause()
    if redact:
        tables, recognized = yield from redact_model(store, tables, redact)
    file = yield from paused(writing_model_file(path, tables, format, now))
    left_out = known - len(tables.words) + sum(file.dropped.values())
    _note_export(store, file.tables)
    return Exported(path, file.words, file.tables.sizes, left_out, bool(redact), recognized)


def preview_export(store: Store, redact: int) -> JobSteps[Exported]:
    whole = tables_of(store.model.model, TOKENIZER_VERSION)
    yield Pause()
    kept, recognized = yield from redact_model(store, whole, redact)
    left = set(whole.words).difference(kept.words)
    frequent = np.argsort(-whole.documents.sum(axis=0), kind="stable").tolist()
    addresses = (whole.words[place] for place in frequent if _ADDRESS.match(whole.words[place]))
    examples = islice((word for word in addresses if word in left), MOST_EXAMPLES)
    return Exported(
        Path(), len(kept.words), kept.sizes, len(left), True, recognized, tuple(examples)
    )


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
    flags, strongest = yield from find_doubtful_words(store, found.tables)
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
        doubtful=strongest,
        doubtful_words=int(np.count_nonzero(flags)),
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

    A file that was imported before, or exported from here, is refused because it would count twice.
    With `again` its counts are added, but not its held-out scores. `leave_out`: omit the doubtful
    words.
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
    if leave_out:
        flags, _ = yield from find_doubtful_words(store, tables)
        tables = tables.only(~flags)
    done = _add(store, tables, file.tables.fingerprint(), now, replace=replace)
    method = file.tables.method
    other = "" if method == store.model.model.method else method
    left_out = len(file.tables.words) - len(tables.words)
    return done, Imported(path, file.words - left_out, file.tables.sizes, other, backup, left_out)


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
    model = model_of(tables, store.model.model)
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


# Words with a lower weight, in log-odds of a message that has no other word, change no verdict.
_LOWEST = 1.0
# Contradictions need this many messages with the word, both labelled and in the file.
_ENOUGH = 2
# Words in the report: senders and hosts, and others.
_LISTED = (12, 8)
_SENDERS_AND_HOSTS = tuple(
    f"{place}:"
    for place in (
        "from",
        "reply",
        "return",
        "sender",
        "signed",
        "list-id",
        "link",
        "received",
        "origin",
        "id",
    )
)


class _WordCounts(NamedTuple):
    """Spam and ham messages with each word, and their totals."""

    spam: LongArray
    ham: LongArray
    totals: tuple[int, int]


def find_doubtful_words(
    store: Store, tables: ModelTables
) -> JobSteps[tuple[npt.NDArray[np.bool_], tuple[DoubtfulWord, ...]]]:
    """Find words that no labelled message contains, and words whose counts or weight contradict the
    labels.

    Return a flag for each word of the file, and the strongest: senders and hosts first, then by
    weight.
    """
    model = store.model.model
    numbers = yield from _numbers_of(tables.words, model)
    # The number of an empty column for unknown words.
    numbers = np.where(numbers < 0, model.counts.width - 1, numbers).astype(np.int32)
    added = content_of(tables, Vocabulary())
    theirs = _word_counts(np.arange(len(numbers), dtype=np.int32), added.counts)
    # Those of labelled messages.
    own = _word_counts(numbers, model.counts, store.imported.load().counts)
    weights = yield from _weights_after_import(model, tables.words, added, numbers)
    mine = _log_ratios(own)
    contradicting = (_log_ratios(theirs) * mine < 0) | (
        (np.abs(weights) >= _LOWEST) & (weights * mine < 0)
    )
    unknown = (own.spam + own.ham == 0) & (np.abs(weights) >= _LOWEST)
    foreign = np.array([word.startswith(FOREIGN_PREFIXES) for word in tables.words], np.bool_)
    flags = (unknown | contradicting) & ~foreign
    yield Pause()
    return flags, _strongest(tables.words, flags, weights, theirs, own)


def _numbers_of(words: Sequence[str], model: Model) -> JobSteps[IntArray]:
    """Return the numbers of the words in the model's vocabulary, negative for unknown ones."""
    numbers = np.empty(len(words), np.int32)
    for first in range(0, len(words), _WORDS):
        numbers[first : first + _WORDS] = model.vocabulary.known_numbers_of(
            words[first : first + _WORDS]
        )
        yield Pause()
    return numbers


def _word_counts(numbers: IntArray, whole: Counts, part: Counts | None = None) -> _WordCounts:
    """Return the counts of these words in `whole`, without those in `part`."""
    documents = np.zeros((2, len(numbers)), np.int64)
    totals = [0, 0]
    for counts, sign in ((whole, 1), (part or Counts(), -1)):
        for place, label in enumerate((SPAM, HAM)):
            if (row := counts.row(label)) is not None:
                documents[place] += sign * counts.documents_of(numbers)[row]
                totals[place] += sign * counts.messages[row]
    return _WordCounts(documents[0], documents[1], (totals[0], totals[1]))


def _log_ratios(counts: _WordCounts) -> FloatArray:
    """Return the log-ratio of each word with enough messages, 0 for others and for small
    log-ratios.
    """
    spam, ham = (
        (each + 0.5) / (total + 1) for each, total in zip(counts[:2], counts.totals, strict=True)
    )
    found = np.log(spam) - np.log(ham)
    found[(counts.spam + counts.ham < _ENOUGH) | (np.abs(found) < _LOWEST)] = 0.0
    return np.asarray(found if all(counts.totals) else np.zeros(len(found)))


def _weights_after_import(
    model: Model, words: Sequence[str], added: ModelContent, numbers: IntArray
) -> JobSteps[FloatArray]:
    texts = Vocabulary(words if model.implementation.reads_words else ())
    learned = model.content()
    places = np.minimum(numbers, learned.corrections.shape[1])
    padded = np.pad(learned.corrections, ((0, 0), (0, 1)))
    mine = ModelContent(
        Counts.build(
            model.counts.classes,
            model.counts.messages,
            model.counts.documents_of(numbers),
            model.counts.occurrences_of(numbers),
            model.counts.measures,
        ),
        padded[:, places],
        learned.held_out,
        learned.method,
    )
    merged = Model(texts, model.factory)
    merged.restore(merge(mine, added, model.method, average_of))
    yield Pause()
    weights = np.zeros(len(numbers))
    for first in range(0, len(numbers), _WORDS):
        chunk = np.arange(first, min(first + _WORDS, len(numbers)), dtype=np.int32)
        weights[chunk] = sum(word_parts(merged, chunk))
        yield Pause()
    return weights


def _strongest(
    words: Sequence[str],
    flags: npt.NDArray[np.bool_],
    weights: FloatArray,
    theirs: _WordCounts,
    own: _WordCounts,
) -> tuple[DoubtfulWord, ...]:
    is_sender = np.array([word.startswith(_SENDERS_AND_HOSTS) for word in words], np.bool_)
    order = np.lexsort((-(theirs.spam + theirs.ham), -np.abs(weights)))
    found = [
        one
        for group, most in zip((flags & is_sender, flags & ~is_sender), _LISTED, strict=True)
        for one in order[group[order]][:most].tolist()
    ]
    counts = (theirs.spam, theirs.ham, own.spam, own.ham)
    return tuple(
        DoubtfulWord(
            words[one],
            place_of(words[one]),
            float(weights[one]),
            *(int(each[one]) for each in counts),
        )
        for one in found
    )
