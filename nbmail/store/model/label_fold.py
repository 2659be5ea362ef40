"""Folding a model from labels in their order, piece by piece, while marks go on."""

from collections import deque
from collections.abc import Generator
from dataclasses import dataclass

from nbmail.core.judging.model import Model, ModelContent, Step
from nbmail.store.files.connection import SettingsTable
from nbmail.store.labels.journal import Journal
from nbmail.store.labels.labels import AskedMessages, Labelled, Labels
from nbmail.store.model.imported_bases import ImportedBases

# What learning the latest labels gave back is remembered, so that an undo takes them back exactly without a fold.
LATEST = 1000
REVISION = "samples_revision"
"""The setting that counts how often samples of messages were replaced: what was learned from the old ones is void."""


@dataclass(frozen=True, slots=True)
class FoldSources:
    """What a model is a function of."""

    labels: Labels
    asked: AskedMessages
    journal: Journal
    bases: ImportedBases
    settings: SettingsTable

    @property
    def ground(self) -> tuple[int, int]:
        """What changes the model behind the labels' back: the base in use, and the revision of the samples."""
        return self.bases.current, int(self.settings.get(REVISION, 0))


class LabelFold:
    """A model being built beside the one in use; `model` is it, `latest` what its latest labels gave back.

    New marks meanwhile stand at the end of the order, so the fold meets them too. What changes an earlier place makes
    the fold worthless: `disturbed` says so, and a new one has to be begun.
    """

    def __init__(self, model: Model, sources: FoldSources, start: ModelContent, position: int = 0) -> None:
        """`start` is the base with the labels up to this position, in a model of its own."""
        self.model, self.position = model, position
        self.latest: deque[tuple[int, Step]] = deque(maxlen=LATEST)
        self.done = 0
        """How many labels have been learned."""
        self._sources, self._ground = sources, sources.ground
        self._line = sources.journal.last_line()
        self._disturbed = False
        self._is_whole = position == 0
        self._validating: Generator[None, None, None] | None = None
        model.restore(start.counts, start.learned)

    @property
    def disturbed(self) -> bool:
        """Whether what this fold has learned is no longer what the labels say."""
        journal = self._sources.journal
        if self._sources.ground != self._ground or journal.touches(self._line, self.position):
            self._disturbed = True
        self._line = journal.last_line()
        return self._disturbed

    def advance(self, most: int = 128) -> bool:
        """Learn the next labels, or score a fold of the first; False once nothing is left, or no use in going on.

        The first labels can be scored anew only by a fold of all: one that begins behind them is then disturbed.
        """
        if self.disturbed:
            return False
        piece = self._sources.labels.in_order(self.position, most)
        if piece:
            self._learn(piece)
            return True
        if not self.model.is_due:
            return False
        if not self._is_whole:
            self._disturbed = True
            return False
        self._validating = self._validating or self.model.cross_validating()
        next(self._validating, None)
        return True

    def _learn(self, piece: list[Labelled]) -> None:
        asked = [one.asked for one in piece]
        learned = self.model.learn_many([one.sample for one in piece], [one.label for one in piece], asked)
        self.latest.extend((one.position, step) for one, step in zip(piece, learned, strict=True))
        self.position, self.done = piece[-1].position, self.done + len(piece)
        self._validating = None
