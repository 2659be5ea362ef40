"""The model in memory, which follows the labels, and its snapshot on the disk, which saves folding them all anew.

The model is a function of the imported base and of all labels in their order. Whatever changes labels has changed them
on the disk before the model hears of it, so that a kill at any moment loses nothing: the next start takes the snapshot
and learns what stands behind it in the journal, or folds all labels where the snapshot doesn't fit.
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

from nbmail.core.counting.sample import Sample, Vocabulary
from nbmail.core.scoring import held_out_scores
from nbmail.core.scoring.model import GOOD, JUNK, Model, ModelContent, Step
from nbmail.errors import KnownError
from nbmail.store.files.array_file import map_file, parse, writing
from nbmail.store.labels.journal import LabelMove
from nbmail.store.labels.labels import Labelled, LabelPlace
from nbmail.store.labels.marks import LabelTables
from nbmail.store.model.packed_model import pack, unpack

# What learning the latest labels gave back is remembered, so that an undo takes them back exactly without a fold.
LATEST = 1000
# More labels than these that go at once, or come, are left to a fold, which goes in pieces and shows how far it is.
FEW, MANY = 64, 256
# Labels learned at once while a home is opened: about 3 ms.
_PIECE = 128
# Labels learned at once where nothing else waits for the thread.
_AT_ONCE = 2000
# Invented messages and words by which a method is known again.
_SAMPLES, _WORDS = 48, 64

_log = logging.getLogger(__name__)


class LabelFold:
    """A model being built beside the one in use; `model` is it, `latest` what its latest labels gave back.

    New marks meanwhile stand at the end of the order, so the fold meets them too. What changes an earlier place makes
    the fold worthless: `disturbed` says so, and a new one has to be begun.
    """

    def __init__(self, model: Model, tables: LabelTables, start: ModelContent | None, position: int = 0) -> None:
        """`start` holds the base and the labels up to `position`; None if `model` already contains them."""
        self.model, self.position = model, position
        self.latest: deque[tuple[int, Step]] = deque(maxlen=LATEST)
        self.done = 0
        """How many labels have been learned."""
        self._tables, self._ground = tables, tables.ground
        self._line = tables.journal.last_line()
        self._disturbed = False
        self._is_whole = position == 0
        self._validating: Generator[None, None, None] | None = None
        if start is not None:
            model.restore(start.counts, start.learned)

    @property
    def disturbed(self) -> bool:
        """Whether what this fold has learned is no longer what the labels say."""
        journal = self._tables.journal
        if self._tables.ground != self._ground or journal.touches(self._line, self.position):
            self._disturbed = True
        self._line = journal.last_line()
        return self._disturbed

    def advance(self, most: int = 128) -> bool:
        """Learn the next labels, or score a fold of the first; False once nothing is left, or no use in going on.

        The first labels can be scored anew only by a fold of all: one that begins behind them is then disturbed.
        """
        if self.disturbed:
            return False
        chunk = self._tables.labels.in_order(self.position, most)
        if chunk:
            self._learn(chunk)
            return True
        if not self.model.needs_rescoring:
            return False
        if not self._is_whole:
            self._disturbed = True
            return False
        self._validating = self._validating or self.model.cross_validating()
        next(self._validating, None)
        return True

    def _learn(self, chunk: list[Labelled]) -> None:
        asked = [one.asked for one in chunk]
        learned = self.model.learn_many([one.sample for one in chunk], [one.label for one in chunk], asked)
        self.latest.extend((one.position, step) for one, step in zip(chunk, learned, strict=True))
        self.position, self.done = chunk[-1].position, self.done + len(chunk)
        self._validating = None


class CurrentModel:
    """Keeps `model` in step with the labels. Its counts are always those of the labels, unless it is `is_stale`.

    What depends on the order of the labels (corrections, held-out scores) is exact too while it is `is_exact`; else a
    fold has to follow, which `fold` begins and `take_up` ends. That is also so where the first labels are to be scored
    anew by models that left them out: every eighth label or so, up to about a thousand.
    """

    def __init__(self, tables: LabelTables, path: Path) -> None:
        self.model = Model()
        self.path = path
        self.is_stale = True
        """Whether labels have changed that the model has not followed: only a fold brings it in step."""
        self._tables = tables
        self._latest: deque[tuple[int, Step]] = deque(maxlen=LATEST)
        # Continues from the model as it was when learning was deferred; None if a rebuild has to start from the base.
        self._deferred: LabelFold | None = None
        self._kept: Mapping[str, Any] = {}
        self._fingerprints: dict[str, str] = {}

    @property
    def is_exact(self) -> bool:
        """Whether it is exactly what a fold of all labels would give."""
        return self.model.is_exact and not (self.is_stale or self.model.needs_rescoring)

    def choose(self, model: Model) -> None:
        """Work with this empty model from now on, without bringing it to where the labels are."""
        self.model, self.is_stale, self._deferred = model, True, None

    def opening(self, model: Model) -> Generator[None, None, None]:
        """Bring this empty model to where the labels are."""
        self.choose(model)
        fold = (yield from self._resume(model.fresh())) or self._begin(model.fresh())
        while True:
            while fold.advance(_PIECE):
                yield
            if not fold.disturbed:
                break
            fold = self._begin(model.fresh())
        self.take_up(fold)

    def fold(self, method: str = "") -> LabelFold:
        """Begin to build the model anew from the base and all labels, by another method where one is named."""
        return self._begin(Model(self.model.vocabulary, method) if method else self.model.fresh())

    def take_up(self, fold: LabelFold) -> None:
        """Put a finished fold in the place of the model."""
        if fold.advance() or fold.disturbed:
            raise ValueError("labels have changed under the fold")
        before, fold.model.is_exact = self.model, True
        fold.model.costs, fold.model.share, fold.model.ignored = before.costs, before.share, before.ignored
        self.model, self._latest, self.is_stale, self._deferred = fold.model, fold.latest, False, None

    def unlearned(self, base: int | None = None) -> Model:
        """A model of this method that knows nothing but an imported one, that of now unless told otherwise."""
        model, start = self.model.fresh(), self._tables.bases.load(base)
        model.restore(start.counts, start.learned)
        return model

    def settle(self) -> None:
        """Make the model exact: learn what was deferred, or rebuild from all labels if that isn't enough."""
        if self.is_exact:
            return
        fold = self._deferred or self.fold()
        while fold.advance(_AT_ONCE):
            pass
        if fold.disturbed:
            fold = self.fold()
            while fold.advance(_AT_ONCE):
                pass
        self.take_up(fold)

    def defer(self) -> None:
        """Leave changes of labels and imported counts to the next rebuild or `settle`, which learns each label once."""
        # While labels are few, scoring the first of them again needs a rebuild from the base anyway.
        if self.is_exact and len(self._tables.labels) >= held_out_scores.MOST:
            self._deferred = LabelFold(self.model, self._tables, None, self._tables.labels.last_position())
            self._deferred.latest.extend(self._latest)
        self.is_stale = True

    def follow(self, moves: Sequence[LabelMove]) -> None:
        """Labels have changed on the disk: learn and unlearn them."""
        leaving = [(one.message, one.before) for one in moves if one.before]
        arriving = [(one.message, one.after) for one in moves if one.after]
        if self.is_stale or len(leaving) > FEW or len(arriving) > MANY:
            self.is_stale = True
            return
        # Until the end: whatever goes wrong on the way is mended by a fold.
        self.is_stale = True
        samples = self._tables.messages.samples(one.message for one in moves)
        for message, place in sorted(leaving, key=_position, reverse=True):
            self._unlearn(samples[message], place)
        if arriving:
            self._learn(sorted(arriving, key=_position), samples)
        self.is_stale = False

    def follow_samples(self, replaced: Mapping[int, tuple[Sample, Sample]]) -> None:
        """Messages have other samples now, old and new: those that are labelled are counted out and in again."""
        for message, label in self._tables.labels.of(replaced).items():
            if not self.is_stale:
                before, after = replaced[message]
                self.model.unlearn(before, label)
                self.model.learn(after, label)
                self._unsettle()

    @property
    def is_kept(self) -> bool:
        """Whether the snapshot on the disk stands for the labels of now."""
        return self._kept.get("line") == self._tables.journal.last_line() and self._kept == self._stamp()

    @property
    def lines_behind(self) -> int:
        return self._tables.journal.last_line() - int(self._kept.get("line", 0))

    def keeping(self) -> Generator[None, None, None]:
        """Write the snapshot, as the model is now. A disk that refuses it costs the next start a fold."""
        if self.is_stale or not self.model.is_exact:
            return
        stamp, (about, arrays) = self._stamp(), pack(ModelContent.of(self.model))
        yield
        try:
            yield from writing(self.path, {**about, "stamp": stamp}, arrays)
        except KnownError as error:
            _log.info("no snapshot of the model: %s", error)
        else:
            self._kept = stamp

    def forget_kept(self) -> None:
        """Delete the snapshot: the next start folds all labels."""
        self._kept = {}
        with suppress(FileNotFoundError):
            self.path.unlink()

    def kept_fold(self) -> Generator[None, None, LabelFold | None]:
        """What the snapshot says, brought to the labels of now; None where it stands for something else."""
        fold = yield from self._resume(self.model.fresh())
        while fold is not None and fold.advance(_PIECE):
            yield
        return None if fold is None or fold.disturbed else fold

    def _begin(self, model: Model) -> LabelFold:
        return LabelFold(model, self._tables, self._tables.bases.load())

    def _resume(self, model: Model) -> Generator[None, None, LabelFold | None]:
        """A fold that goes on from the snapshot; None where that doesn't fit what is on the disk."""
        mapped = map_file(self.path)
        found = yield from parse(mapped or b"")
        if found is None:
            return None
        stamp = found.about["stamp"]
        if not self._fits(stamp, model):
            return None
        fold = LabelFold(model, self._tables, unpack(found), stamp["position"])
        self._kept = stamp
        return fold if model.is_exact else None

    def _fits(self, stamp: Mapping[str, Any], model: Model) -> bool:
        """Whether it was made by this method from this base, these samples and a beginning of these labels."""
        journal, line, position = self._tables.journal, stamp["line"], stamp["position"]
        return (
            stamp["ground"] == list(self._tables.ground)
            and stamp["fingerprint"] == self._fingerprint(model.method)
            and journal.last_line() >= line
            and journal.mark_of(line) == stamp["mark"]
            and not journal.touches(line, position)
        )

    def _stamp(self) -> dict[str, Any]:
        line = self._tables.journal.last_line()
        return {
            "line": line,
            "mark": self._tables.journal.mark_of(line),
            "position": self._tables.labels.last_position(),
            "ground": list(self._tables.ground),
            "fingerprint": self._fingerprint(self.model.method),
        }

    def _fingerprint(self, method: str) -> str:
        if method not in self._fingerprints:
            self._fingerprints[method] = fingerprint(method)
        return self._fingerprints[method]

    def _unlearn(self, sample: Sample, place: LabelPlace) -> None:
        """Exactly where it is the last of the order."""
        is_last = self.model.is_exact and self._latest and self._latest[-1][0] == place.position
        step = self._latest.pop()[1] if is_last else None
        self.model.unlearn(sample, self._tables.labels.name(place.klass), step)
        if not self.model.is_exact:
            self._unsettle()

    def _learn(self, arriving: Sequence[tuple[int, LabelPlace]], samples: Mapping[int, Sample]) -> None:
        """Exactly where no other label stands behind the first of them."""
        labels = self._tables.labels
        in_order = labels.count_from(arriving[0][1].position) == len(arriving)
        ours, names = zip(*((samples[message], labels.name(place.klass)) for message, place in arriving), strict=True)
        asked = self._tables.asked.among(message for message, _ in arriving)
        steps = self.model.learn_many(ours, names, [message in asked for message, _ in arriving])
        if in_order and self.model.is_exact:
            self._latest.extend((place.position, step) for (_, place), step in zip(arriving, steps, strict=True))
        else:
            self._unsettle()

    def _unsettle(self) -> None:
        self.model.is_exact = False
        self._latest.clear()


def _position(one: tuple[int, LabelPlace]) -> int:
    return one[1].position


def fingerprint(method: str) -> str:
    """What a method makes of some invented messages, in short. Takes about 10 ms.

    Corrections and held-out scores are kept, counts are counted: a new version of a method makes other corrections from
    the same labels, and must fold them anew instead of going on with the old. A number in the source would have to be
    raised by hand at each such change; this is found out by learning a little.
    """
    model = Model(Vocabulary(f"word{number}" for number in range(_WORDS)), method)
    state = 1
    for number in range(_SAMPLES):
        words = set()
        for _ in range(12):
            state = (state * 1103515245 + 12345) % 2**31
            # Junk leans to the lower numbers, with enough exceptions to make every method err now and then.
            words.add((state >> 8) % (_WORDS if number % 5 == 0 else _WORDS * 2 // 3) if number % 2 else state % _WORDS)
        sample = np.array(sorted(words), np.int32)
        occurrences = (sample % 3 + 1).astype(np.int32)
        model.learn(Sample(sample, occurrences, (len(words), number)), (GOOD, JUNK)[number % 2])
    return _digest(model)


def _digest(model: Model) -> str:
    kept = model.keep()
    # Rounded: the last digits of a logarithm differ from machine to machine.
    scores = [f"{score:.6f}" for score in kept.held_out.scores.tolist()]
    # Which labels are scored by folds would take too long to find out.
    dealing = [held_out_scores.MOST, held_out_scores.FOLDS, held_out_scores.EACH, held_out_scores.DIGITS]
    content = [np.asarray(kept.corrections).tolist(), scores, kept.held_out.junk.tolist(), dealing]
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=8).hexdigest()
