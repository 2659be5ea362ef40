"""Requests that change the model."""

from pathlib import Path

from nbmail.core.scoring.verdict import Costs
from nbmail.errors import ErrorCode, KnownError
from nbmail.method_spec import is_method
from nbmail.store.labels.journal import By
from nbmail.worker.engine.jobs import JobSteps
from nbmail.worker.model.model_export import back_up, export_model
from nbmail.worker.model.model_import import import_model, preview_import
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.model_files import Exported, Imported, ImportReport
from nbmail.worker.rereading.rereading import Rereading


class ModelControl:
    """Imports, costs, rebuilds and methods."""

    def __init__(self, updates: Updates, rereading: Rereading) -> None:
        self._updates = updates
        self._store = updates.store
        self._scoring = updates.scoring
        self._clock = updates.around.clock
        self._count_phrases = rereading.count_phrases

    def export_model(self, path: Path, format: str = "") -> JobSteps[Exported]:
        """Write the model to a file; without `format` to an nbmail model file."""
        return export_model(self._store, path, format, self._clock())

    def preview_import(self, path: Path, format: str = "") -> JobSteps[ImportReport]:
        """Report the effect of importing a file.

        Without `format` the engine detects it by content.
        """
        return preview_import(self._store, path, format)

    def import_model(
        self,
        path: Path,
        *,
        again: bool = False,
        replace: bool = False,
        format: str = "",
    ) -> JobSteps[Imported]:
        """Add the counts of a model file to the model. One undo step.

        `again`: accept a file that was imported before or exported from this data folder.
        `replace`: replace all earlier imports, after a backup. Without `format` the engine detects
        it by content.
        """
        done, imported = yield from import_model(
            self._store,
            path,
            self._clock(),
            again=again,
            replace=replace,
            format=format,
        )
        yield from self._count_phrases()
        self._updates.labels_changed(done)
        yield from self._updates.apply()
        return imported

    def drop_imports(self) -> JobSteps[bool]:
        """Remove all imported counts. One undo step. The result is False if there were none."""
        done = self._store.marks.import_counts(None, moment=self._clock())
        self._updates.labels_changed(done)
        yield from self._updates.apply()
        return done.base

    def set_cost(
        self, spam_seen: float, missed: float = 9.0, ask: float = 1.0, unsure_spam: float = 1.0
    ) -> JobSteps[None]:
        """Set the costs of mistakes, as an undo step: scores stay, verdicts change.

        `spam_seen`: a lost ham message. `missed`: missed spam. `ask`: an unsure message;
        `unsure_spam` is added if it is spam.
        """
        before = self._scoring.costs
        costs = Costs(spam_seen, missed, ask, unsure_spam)
        if costs != before:
            self._store.marks.change_choice(By.COSTS, before.values, costs.values, self._clock())
        self._updates.set_costs(costs)
        yield from self._updates.apply()

    def rebuild(self) -> JobSteps[Path]:
        """Rebuild the model from the labels. Return the path of a backup."""
        backup = yield from back_up(self._store, self._clock())
        self._store.model.delete_snapshot()
        yield from self._updates.rebuild()
        yield from self._updates.apply()
        return backup

    def use_method(self, method: str) -> JobSteps[None]:
        """Learn with this method from now on, as an undo step.

        The model in use stays until all labels are learned.
        """
        if not is_method(method):
            raise KnownError(ErrorCode.BAD_INPUT, method)
        before = self._scoring.model.method
        if method != before:
            yield from self._updates.rebuild(method=method)
            self._store.marks.change_choice(By.METHOD, before, method, self._clock())
            yield from self._updates.apply()
