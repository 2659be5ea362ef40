"""Model in memory that follows the labels.

The model is a function of the imported counts and of all labels in learning order. Labels change in
the database first and in the model after the commit, so that a kill loses nothing. The next start
loads the snapshot and learns the later journal entries. If the snapshot doesn't fit, the next start
rebuilds the model from all labels.
"""

from collections import deque
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path

from nbmail.core.calibration import cross_validation
from nbmail.core.counting.sample import Sample
from nbmail.core.methods.method import MethodFactory
from nbmail.core.scoring.model import LearnRecord, Model
from nbmail.store.labels.journal import Change
from nbmail.store.labels.labels import LabelPosition
from nbmail.store.model.model_rebuild import LATEST, ModelRebuild
from nbmail.store.model.model_snapshot import ModelSnapshot
from nbmail.store.tables import Tables

# Labels removed at once, and labels added at once, that the model still applies. A rebuild reports
# its progress.
MOST_REMOVED = 64
MOST_ADDED = 256
# Labels learned at once if no other job waits.
_AT_ONCE = 2000


class CurrentModel:
    """Keeps `model` up to date with the labels. Its counts are exact unless it is stale.

    Corrections and held-out scores depend on the learning order: they are exact while `is_exact` is
    True. Otherwise a rebuild is needed, which `begin_rebuild` starts and `adopt` ends. A rebuild is
    also needed for scoring the first labels again by models without them: about every eighth label,
    up to a thousand labels.
    """

    def __init__(self, tables: Tables, path: Path) -> None:
        self.model = Model()
        self.is_stale = True
        """True if labels changed that the model has not applied: it needs a rebuild."""
        self._tables = tables
        self._latest: deque[tuple[int, LearnRecord]] = deque(maxlen=LATEST)
        # Continues from the model as it was when learning was deferred; None if a rebuild has to
        # start from scratch.
        self._deferred: ModelRebuild | None = None
        self._snapshot = ModelSnapshot(path, tables)

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
        model.restore(self._tables.imported.load())
        return model

    def make_exact(self) -> None:
        """Learn what was deferred, or rebuild from all labels if that isn't enough."""
        if self.is_exact:
            return
        rebuild = self._learn_deferred()
        if rebuild.is_obsolete:
            rebuild = self.begin_rebuild()
            _complete(rebuild)
        self.adopt(rebuild)

    def learn_deferred(self) -> None:
        """Learn what was deferred so far. More labels follow."""
        if not self.is_exact:
            self._learn_deferred()

    def _learn_deferred(self) -> ModelRebuild:
        if self._deferred is None:
            self._deferred = self.begin_rebuild()
        _complete(self._deferred)
        return self._deferred

    def defer(self, *, imported: bool = False) -> None:
        """Leave changes to the next rebuild, which learns each label once.

        `imported`: the imported counts have changed, so that it has to start from scratch.
        """
        if imported:
            self._deferred = None
        # While labels are few, scoring the first of them again needs a rebuild from scratch anyway.
        elif self.is_exact and len(self._tables.labels) >= cross_validation.MOST:
            position = self._tables.labels.last_position()
            self._deferred = ModelRebuild(self.model, self._tables, None, position)
            self._deferred.latest.extend(self._latest)
        self.is_stale = True

    def follow(self, changes: Sequence[Change]) -> None:
        """Apply changes of labels, unless they are too many."""
        leaving = [(one.message, one.old) for one in changes if one.old]
        arriving = [(one.message, one.new) for one in changes if one.new]
        if self.is_stale or len(leaving) > MOST_REMOVED or len(arriving) > MOST_ADDED:
            self.is_stale = True
            return
        # Until the end: after an error in between a rebuild is needed.
        self.is_stale = True
        samples = self._tables.samples.of(one.message for one in changes)
        for message, place in sorted(leaving, key=lambda one: one[1].position, reverse=True):
            self._unlearn(samples[message], place)
        if arriving:
            self._learn(sorted(arriving, key=lambda one: one[1].position), samples)
        self.is_stale = False

    def _unlearn(self, sample: Sample, place: LabelPosition) -> None:
        """Unlearn a label. The model stays exact if it is the last in learning order."""
        record = None
        if self.model.is_exact and self._latest and self._latest[-1][0] == place.position:
            _, record = self._latest.pop()
        self.model.unlearn(sample, place.label, record)
        if not self.model.is_exact:
            self._mark_inexact()

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
        """Number of journal entries that the snapshot lacks."""
        return self._tables.journal.last_entry() - self._snapshot.entry

    def write_snapshot(self) -> Generator[None, None, None]:
        """Write the snapshot in chunks, unless it is current or the model isn't exact."""
        if not self.is_stale and self.model.is_exact:
            yield from self._snapshot.write(self.model)

    def delete_snapshot(self) -> None:
        """Delete the snapshot, so that the next start rebuilds the model."""
        self._snapshot.delete()

    def rebuild_from_snapshot(self) -> Generator[None, None, ModelRebuild | None]:
        """Load the snapshot and learn the later labels; None if the snapshot doesn't fit."""
        return self._snapshot.rebuilding(self.model.fresh())

    def _learn(
        self, arriving: Sequence[tuple[int, LabelPosition]], samples: Mapping[int, Sample]
    ) -> None:
        """Learn labels. The model stays exact if no other label is behind the first of them."""
        _, first = arriving[0]
        is_in_order = self._tables.labels.count_from(first.position) == len(arriving)
        asked = self._tables.asked.among(message for message, _ in arriving)
        records = self.model.learn_many(
            [samples[message] for message, _ in arriving],
            [place.label for _, place in arriving],
            [message in asked for message, _ in arriving],
        )
        if not is_in_order or not self.model.is_exact:
            self._mark_inexact()
            return
        for (_, place), record in zip(arriving, records, strict=True):
            self._latest.append((place.position, record))

    def _mark_inexact(self) -> None:
        self.model.is_exact = False
        self._latest.clear()


def _complete(rebuild: ModelRebuild) -> None:
    while rebuild.advance(_AT_ONCE):
        pass
