"""The store of a data folder with its model, opened for a command."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.chunks import drain
from nbmail.cli.scoring_options import chosen_costs, chosen_method
from nbmail.paths import Paths
from nbmail.settings_file import load_settings, save_settings

if TYPE_CHECKING:
    from nbmail.settings import Settings
    from nbmail.store.store import Store


def paths_of(home: Path | None) -> Paths:
    """Return the paths of a data folder. Raises `KnownError` if it can't be one."""
    paths = Paths.chosen(home)
    paths.check()
    return paths


@contextmanager
def open_store(
    home: Path | None, *, read_only: bool = False, options: argparse.Namespace | None = None
) -> Iterator[Store]:
    """Open the home's store and its model.

    At the end the model is made exact and its snapshot is written. `read_only`: the home need not
    be writable and may be open elsewhere; another method and other costs are not saved. `options`:
    those of `add_scoring`.
    """
    from nbmail.store.opening import open_to_read
    from nbmail.store.store import Store

    paths = paths_of(home)
    settings = load_settings(paths.settings)
    chosen = _chosen_settings(settings, options)
    now = time.time()
    opened = open_to_read(paths, now, in_use=True) if read_only else Store(paths, now)
    with opened as store:
        _open_model(store, chosen)
        if not read_only:
            count_phrases(store)
            if chosen != settings:
                save_settings(paths.settings, chosen)

        yield store

        if not store.read_only:
            count_phrases(store)
            store.model.make_exact()
            drain(store.model.write_snapshot())


def _chosen_settings(settings: Settings, options: argparse.Namespace | None) -> Settings:
    """Return the settings with the method and costs of the options."""
    if options is None:
        return settings
    method = chosen_method(options, settings.method)
    costs = chosen_costs(options, settings.costs)
    return replace(settings.with_costs(costs), method=method)


def _open_model(store: Store, settings: Settings) -> None:
    """Load the model with the method and costs of the settings."""
    import numpy as np

    from nbmail.core.scoring.model import Model
    from nbmail.core.scoring.verdict import Costs
    from nbmail.store.files.file_errors import unreadable_values
    from nbmail.worker.model.laboratory import method_named

    with unreadable_values(store.paths.database):
        model = Model(store.words.vocabulary, method_named(settings.method))
        model.costs = Costs(*settings.costs)
        drain(store.model.opening(model))
        ignored = store.words.vocabulary.numbers_of(store.ignored_words.now())
        store.model.model.ignored = np.array(ignored, np.int32)


def count_phrases(store: Store) -> int:
    """Count new phrases in all stored mail.

    Return the number of labelled messages whose text isn't stored.
    """
    if {*store.phrases.now()} == {*store.words.counted_phrases}:
        return 0
    from nbmail.worker.engine.opening import load_word_ids
    from nbmail.worker.rereading.phrase_counts import update_phrases

    drain(load_word_ids(store))
    return drain(update_phrases(store))
