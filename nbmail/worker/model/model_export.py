"""Export of the model to files."""

import time
from pathlib import Path

from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.exchange.conversion import tables_of
from nbmail.exchange.formats import writing_model_file
from nbmail.exchange.model_tables import ModelTables
from nbmail.exchange.nbmodel.writing import writing_model
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause, paused
from nbmail.worker.protocol.model_files import Exported

_EXPORTS = "exports"
"""Setting with the fingerprints of exported models, the latest of them."""
_MOST_EXPORTS = 200


def export_model(store: Store, path: Path, format: str, now: float) -> JobSteps[Exported]:
    """Write the model to a file. Without `format` it is one of nbmail."""
    tables = tables_of(store.model.model, TOKENIZER_VERSION)
    yield Pause()
    file = yield from paused(writing_model_file(path, tables, format, now))
    _note_export(store, file.tables)
    return Exported(path, file.words, file.tables.sizes, file.left_out)


def back_up(store: Store, now: float) -> JobSteps[Path]:
    """Write the model to the data folder. Return the file."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    path = store.paths.data / f"model-{stamp}.nbmodel"
    tables = tables_of(store.model.model, TOKENIZER_VERSION)
    yield from paused(writing_model(path, tables))
    _note_export(store, tables)
    return path


def is_exported(store: Store, tables: ModelTables) -> bool:
    """True if the model was exported from here."""
    return tables.fingerprint() in store.settings.get(_EXPORTS, [])


def _note_export(store: Store, tables: ModelTables) -> None:
    if store.read_only:
        return
    mine = tables.fingerprint()
    exports = [each for each in store.settings.get(_EXPORTS, list[str]()) if each != mine]
    exports.append(mine)
    with store.transaction():
        store.settings.set(_EXPORTS, exports[-_MOST_EXPORTS:])
