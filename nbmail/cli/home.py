"""The home a command works on: its paths, its choices, its store and model."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.settings_file import load_settings

if TYPE_CHECKING:
    from nbmail.core.judging.model import Model
    from nbmail.store.store import Store


def add_home(parser: argparse.ArgumentParser) -> None:
    """Every command that works on a home takes another one than the usual."""
    parser.add_argument("--home", type=Path, metavar="DIR", help="the folder that holds everything of this model")


def paths_of(home: Path | None) -> Paths:
    """Where this home keeps things."""
    return Paths.under(home.expanduser().absolute()) if home else Paths.standard()


def settings_of(home: Path | None) -> Settings:
    """What the user chose."""
    return load_settings(paths_of(home).settings)


@contextmanager
def open_model(home: Path | None, settings: Settings) -> Iterator[tuple[Store, Model]]:
    """The home's store, and its model as the last transaction left it, folded anew if it has to be."""
    from nbmail.core.judging.model import Model
    from nbmail.core.judging.verdict import Costs
    from nbmail.store.store import Store

    with Store(paths_of(home), time.time()) as store:
        model = Model(store.words.vocabulary, settings.method)
        model.costs = Costs(false_junk=settings.junk_seen_per_lost)
        store.load_model(model)
        yield store, model if model.settled else store.fold(model).keep()
