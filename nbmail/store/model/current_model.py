"""Model in memory, kept up to date with the labels, and its snapshot, which saves a rebuild at the
next start.

The model is a function of the imported counts and of all labels in learning order. Labels change in
the database first and in the model after the commit, so that a kill loses nothing. The next start
loads the snapshot and learns the later journal entries. If the snapshot doesn't fit, the next start
rebuilds the model from all labels.
"""

import hashlib
import json
import logging
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from nbmail.core.calibration import cross_validation
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.methods.method import MethodFactory
from nbmail.core.scoring.model import LearnRecord, Model
from nbmail.core.scoring.model_content import ModelContent
from nbmail.errors import KnownError
from nbmail.store.labels.journal import Change
from nbmail.store.labels.labels import LabelPosition
from nbmail.store.model.arrays import map_file, pack, parse, unpack, writing
from nbmail.store.tables import Tables
from nbmail.values import HAM, SPAM

# Latest labels whose learning records are stored, so that an undo of them is exact without a
# rebuild.
LATEST = 1000
# Labels removed at once, and labels added at once, that the model still applies. A rebuild reports
# its progress.
MOST_REMOVED = 64
MOST_ADDED = 256
# Labels learned at once: about 3 ms; and if no other job waits.
_PIECE = 128
_AT_ONCE = 2000
# Generated messages and words for the fingerprint of a method.
_SAMPLES = 48
_WORDS = 64

_log = logging.getLogger(__name__)


class ModelRebuild:
    """Rebuild of `model`, while another model is in use. `latest`: learning records of the latest
    labels.

    Labels added meanwhile are at the end of the learning order, so that the rebuild learns them
    too. A change at an earlier position makes the rebuild obsolete.
    """

    def __init__(
        self, model: Model, tables: Tables, start: ModelContent | None, position: int = 0
    ) -> None:
        """Prepare a rebuild. `start`: imported counts and labels up to `position`; None if `model`
        contains them.
        """
        self.model = model
        self.position = position
        self.latest: deque[tuple[int, LearnRecord]] = deque(maxlen=LATEST)
        self.done = 0
        """Number of labels learned."""
        self._tables = tables
        self._baseline = tables.baseline
        self._line = tables.journal.last_entry()
        self._is_obsolete = False
        self._is_whole = position == 0
        self._validating: Generator[None, None, None] | None = None
        if start is not None:
            model.restore(start)

    @property
    def is_obsolete(self) -> bool:
        """True if labels that this rebuild has learned have changed since."""
        journal = self._tables.journal
        if self._tables.baseline != self._baseline or journal.touches(self._line, self.position):
            self._is_obsolete = True
        self._line = journal.last_entry()
        return self._is_obsolete

    def advance(self, most: int = _PIECE) -> bool:
        """Learn at most `most` labels, or score one fold of the first labels. False if complete or
        obsolete.

        Only a rebuild from the first label on can score the first labels again. Another one becomes
        obsolete.
        """
        if self.is_obsolete:
            return False
        if chunk := self._tables.labels.in_order(self.position, most):
            asked = [one.asked for one in chunk]
            learned = self.model.learn_many(
                [one.sample for one in chunk], [one.label for one in chunk], asked
            )
            self.latest.extend(
                (one.position, step) for one, step in zip(chunk, learned, strict=True)
            )
            self.position = chunk[-1].position
            self.done = self.done + len(chunk)
            self._validating = None
            return True
        if not self.model.held_out.needs_rescoring:
            return False
        if not self._is_whole:
            self._is_obsolete = True
            return False
        self._validating = self._validating or self.model.cross_validating()
        next(self._validating, None)
        return True


class CurrentModel:
    """Keeps `model` up to date with the labels. Its counts are exact unless it is stale.

    Corrections and held-out scores depend on the learning order: they are exact while `is_exact` is
    True. Otherwise a rebuild is needed, which `begin_rebuild` starts and `adopt` ends. A rebuild is
    also needed for scoring the first labels again by models without them: about every eighth label,
    up to a thousand labels.
    """

    def __init__(self, tables: Tables, path: Path) -> None:
        self.model = Model()
        self.path = path
        self.is_stale = True
        """True if labels changed that the model has not applied. Only a rebuild makes it
        current.
        """
        self._tables = tables
        self._latest: deque[tuple[int, LearnRecord]] = deque(maxlen=LATEST)
        # Continues from the model as it was when learning was deferred; None if a rebuild has to
        # start from scratch.
        self._deferred: ModelRebuild | None = None
        self._kept: Mapping[str, Any] = {}
        self._fingerprints: dict[str, str] = {}

    @property
    def is_exact(self) -> bool:
        """True if the model equals a rebuild from all labels."""
        return self.model.is_exact and not (self.is_stale or self.model.held_out.needs_rescoring)

    def choose(self, model: Model) -> None:
        """Use this empty model from now on, without learning the labels."""
        self.model = model
        self.is_stale = True
        self._deferred = None

    def opening(self, model: Model) -> Generator[None, None, None]:
        """Use this empty model from now on, and learn all labels."""
        self.choose(model)
        rebuild = yield from self.rebuild_from_snapshot()
        while rebuild is None or rebuild.is_obsolete:
            rebuild = self.begin_rebuild()
            while rebuild.advance():
                yield
        self.adopt(rebuild)

    def begin_rebuild(self, method: MethodFactory | None = None) -> ModelRebuild:
        """Start a rebuild from imported counts and all labels. `method`: that of the new model."""
        model = Model(self.model.vocabulary, method) if method else self.model.fresh()
        return ModelRebuild(model, self._tables, self._tables.imported.load())

    def adopt(self, rebuild: ModelRebuild) -> None:
        """Replace the model by that of a complete rebuild."""
        if rebuild.advance() or rebuild.is_obsolete:
            raise ValueError("labels have changed under the rebuild")
        before = self.model
        model = rebuild.model
        model.costs = before.costs
        model.base_rate = before.base_rate
        model.ignored = before.ignored
        model.is_exact = True
        self.model = model
        self._latest = rebuild.latest
        self.is_stale = False
        self._deferred = None

    def without_labels(self) -> Model:
        """Return a model of this method with the imported counts alone."""
        model = self.model.fresh()
        start = self._tables.imported.load()
        model.restore(start)
        return model

    def make_exact(self, *, more_follow: bool = False) -> None:
        """Make the model exact: learn what was deferred, or rebuild from all labels if that isn't
        enough.

        `more_follow`: only learn what was deferred so far, since more labels follow.
        """
        if self.is_exact:
            return
        rebuild = self._deferred = self._deferred or self.begin_rebuild()
        while rebuild.advance(_AT_ONCE):
            pass
        if more_follow:
            return
        if rebuild.is_obsolete:
            rebuild = self.begin_rebuild()
            while rebuild.advance(_AT_ONCE):
                pass
        self.adopt(rebuild)

    def defer(self) -> None:
        """Leave changes of labels and imported counts to the next rebuild, which learns each label
        once.
        """
        # While labels are few, scoring the first of them again needs a rebuild from scratch anyway.
        if self.is_exact and len(self._tables.labels) >= cross_validation.MOST:
            self._deferred = ModelRebuild(
                self.model, self._tables, None, self._tables.labels.last_position()
            )
            self._deferred.latest.extend(self._latest)
        self.is_stale = True

    def follow(self, changes: Sequence[Change]) -> None:
        leaving = [(one.message, one.old) for one in changes if one.old]
        arriving = [(one.message, one.new) for one in changes if one.new]
        if self.is_stale or len(leaving) > MOST_REMOVED or len(arriving) > MOST_ADDED:
            self.is_stale = True
            return
        # Until the end: after an error in between a rebuild is needed.
        self.is_stale = True
        samples = self._tables.messages.samples(one.message for one in changes)
        for message, place in sorted(leaving, key=lambda one: -one[1].position):
            # The model stays exact if the label is the last in learning order.
            is_last = self.model.is_exact and self._latest and self._latest[-1][0] == place.position
            step = self._latest.pop()[1] if is_last else None
            self.model.unlearn(samples[message], place.label, step)
            if not self.model.is_exact:
                self._mark_inexact()
        if arriving:
            self._learn(sorted(arriving, key=lambda one: one[1].position), samples)
        self.is_stale = False

    def follow_samples(self, replaced: Mapping[int, tuple[Sample, Sample]]) -> None:
        """Apply new samples of messages. `replaced`: old and new sample by message."""
        for message, label in self._tables.labels.of(replaced).items():
            if not self.is_stale:
                before, after = replaced[message]
                self.model.unlearn(before, label)
                self.model.learn(after, label)
                self._mark_inexact()

    @property
    def entries_behind(self) -> int:
        return self._tables.journal.last_entry() - int(self._kept.get("line", 0))

    def write_snapshot(self) -> Generator[None, None, None]:
        """Write the snapshot in chunks, unless it is current. If the disk refuses, the next start
        needs a rebuild.
        """
        if self.is_stale or not self.model.is_exact or self._kept == (stamp := self._stamp()):
            return
        about, arrays = pack(self.model.content())
        yield
        try:
            yield from writing(self.path, {**about, "stamp": stamp}, arrays)
        except KnownError as error:
            _log.info("no snapshot of the model: %s", error)
        else:
            self._kept = stamp

    def delete_snapshot(self) -> None:
        """Delete the snapshot, so that the next start rebuilds the model."""
        self._kept = {}
        with suppress(FileNotFoundError):
            self.path.unlink()

    def rebuild_from_snapshot(self) -> Generator[None, None, ModelRebuild | None]:
        """Load the snapshot and learn the later labels; None if the snapshot doesn't fit.

        It fits if it has this method, these samples and imported counts, and the first of these
        labels.
        """
        found = yield from parse(map_file(self.path) or b"")
        if found is None:
            return None
        model = self.model.fresh()
        journal = self._tables.journal
        stamp = found.about["stamp"]
        if (
            stamp["ground"] != list(self._tables.baseline)
            or stamp["fingerprint"] != self._fingerprint(model.factory)
            or journal.last_entry() < stamp["line"]
            or journal.entry_mark(stamp["line"]) != stamp["mark"]
            or journal.touches(stamp["line"], stamp["position"])
        ):
            return None
        rebuild = ModelRebuild(model, self._tables, unpack(found), stamp["position"])
        self._kept = stamp
        while model.is_exact and rebuild.advance():
            yield
        return rebuild if model.is_exact and not rebuild.is_obsolete else None

    def _stamp(self) -> dict[str, Any]:
        line = self._tables.journal.last_entry()
        return {
            "line": line,
            "mark": self._tables.journal.entry_mark(line),
            "position": self._tables.labels.last_position(),
            "ground": list(self._tables.baseline),
            "fingerprint": self._fingerprint(self.model.factory),
        }

    def _fingerprint(self, method: MethodFactory) -> str:
        if method.text not in self._fingerprints:
            self._fingerprints[method.text] = fingerprint(method)
        return self._fingerprints[method.text]

    def _learn(
        self, arriving: Sequence[tuple[int, LabelPosition]], samples: Mapping[int, Sample]
    ) -> None:
        """Learn labels. The model stays exact if no other label is behind the first of them."""
        in_order = self._tables.labels.count_from(arriving[0][1].position) == len(arriving)
        ours, names = zip(
            *((samples[message], place.label) for message, place in arriving), strict=True
        )
        asked = self._tables.asked.among(message for message, _ in arriving)
        steps = self.model.learn_many(ours, names, [message in asked for message, _ in arriving])
        if in_order and self.model.is_exact:
            self._latest.extend(
                (place.position, step) for (_, place), step in zip(arriving, steps, strict=True)
            )
        else:
            self._mark_inexact()

    def _mark_inexact(self) -> None:
        self.model.is_exact = False
        self._latest.clear()


def fingerprint(method: MethodFactory) -> str:
    """Return a digest of what a method learns from some generated messages. Takes about 10 ms.

    A snapshot contains corrections and held-out scores. A new version of a method computes others
    from the same labels, so that an old snapshot must not be used. The digest detects this without
    a version number in the source.
    """
    model = Model(Vocabulary(f"word{number}" for number in range(_WORDS)), method)
    state = 1
    for number in range(_SAMPLES):
        words = set()
        for _ in range(12):
            state = (state * 1103515245 + 12345) % 2**31
            # Spam has lower numbers, with enough exceptions for every method to make some errors.
            words.add(
                (state >> 8) % (_WORDS if number % 5 == 0 else _WORDS * 2 // 3)
                if number % 2
                else state % _WORDS
            )
        sample = np.array(sorted(words), np.int32)
        occurrences = (sample % 3 + 1).astype(np.int32)
        model.learn(Sample(sample, occurrences, (len(words), number)), (HAM, SPAM)[number % 2])
    kept = model.content()
    # Rounded: the last digits of a logarithm differ from machine to machine.
    scores = [f"{score:.6f}" for score in kept.held_out.scores.tolist()]
    # Computing which labels are scored by cross-validation would take too long.
    dealing = [
        cross_validation.MOST,
        cross_validation.FOLDS,
        cross_validation.EACH,
        cross_validation.DIGITS,
    ]
    content = [np.asarray(kept.corrections).tolist(), scores, kept.held_out.spam.tolist(), dealing]
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=8).hexdigest()
