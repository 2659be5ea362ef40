"""The home that a command works on: its paths, its store and model."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.chunks import drain
from nbmail.paths import Paths
from nbmail.settings import load_settings

if TYPE_CHECKING:
    from nbmail.store.store import Store


def add_common(parser: argparse.ArgumentParser) -> None:
    """What every command takes that works on a home."""
    parser.add_argument("--home", type=Path, metavar="DIR", help="the folder that holds everything of this model")
    parser.add_argument("--json", action="store_true", help="print JSON instead of words")


def add_cost(parser: argparse.ArgumentParser) -> None:
    """For commands that judge: how careful to be."""
    parser.add_argument(
        "--cost",
        type=_cost,
        metavar="N",
        help="one lost good message is as bad as N junk messages in the inbox, instead of what is set (100)",
    )


def _cost(text: str) -> float:
    number = float(text)
    if not 1 <= number < math.inf:
        raise argparse.ArgumentTypeError("how many junk messages? 1 or more")
    return number


def paths_of(home: Path | None) -> Paths:
    """Where this home keeps things."""
    paths = Paths.chosen(home)
    paths.check()
    return paths


@contextmanager
def open_store(home: Path | None, cost: float | None = None) -> Iterator[Store]:
    """The home's store with its model as the labels make it, of which a snapshot is kept in the end.

    Where labels were given, they are copied to today's tables, as the window does every day.
    """
    import numpy as np

    from nbmail.core.scoring.model import Model
    from nbmail.core.scoring.verdict import Costs
    from nbmail.store.files.disk_errors import unreadable_values
    from nbmail.store.store import Store

    paths = paths_of(home)
    settings = load_settings(paths.settings)
    with Store(paths, time.time()) as store:
        with unreadable_values(paths.database):
            model = Model(store.words.vocabulary, settings.method)
            model.costs = Costs(false_junk=cost or settings.junk_seen_per_lost)
            drain(store.model.opening(model))
            ignored = store.words.vocabulary.numbers_of(store.ignored_words.now())
            store.model.model.ignored = np.array(ignored, np.int32)
        before = store.journal.last_line()
        yield store
        if store.journal.last_line() > before:
            from nbmail.worker.model.label_files import copying, is_copy_due

            if is_copy_due(store, time.time()):
                drain(copying(store, time.time()))
        store.model.settle()
        if not store.model.is_kept:
            drain(store.model.keeping())
