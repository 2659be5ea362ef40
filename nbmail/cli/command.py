"""Parts that all commands share: their description, their output, and their data folder with its store and model."""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from nbmail.chunks import drain
from nbmail.foreign_text import encodable, printable
from nbmail.method_spec import ESTIMATES, METHODS, MethodSpec
from nbmail.paths import Paths
from nbmail.settings import load_settings, save_settings

if TYPE_CHECKING:
    from nbmail.store.store import Store


class CliCommand(NamedTuple):
    """A command: `add_options` adds its options to a parser, `run` runs it and returns the exit code."""

    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def say(text: str, stream: TextIO | None = None) -> None:
    """Print lines as plain text in the encoding of the output. `stream`: standard output by default."""
    stream = stream or sys.stdout
    stream.write(encodable("\n".join(map(printable, text.split("\n"))) + "\n", stream))


def report(arguments: argparse.Namespace, found: dict[str, Any], text: str) -> None:
    """Print the result: `found` as JSON with the option --json, otherwise `text`."""
    say(json.dumps(found, indent=2) if arguments.json else text)


def table(rows: Sequence[dict[str, Any]], columns: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a table of figures. `columns`: headings by the names of the figures."""
    shown = [name for name in columns if name in rows[0]]
    widths = {name: max(len(columns[name]), *(len(_cell(row, name)) for row in rows)) for name in shown}
    yield "  ".join(columns[name].ljust(widths[name]) for name in shown)
    for row in rows:
        yield "  ".join(_cell(row, name).ljust(widths[name]) for name in shown)


def _cell(row: dict[str, Any], name: str) -> str:
    return "-" if row[name] is None else _number(row, name, 2)


def shown_figure(found: dict[str, Any], name: str) -> str:
    """Return a figure with its interval."""
    return "too few messages" if found[name] is None else _number(found, name, 3)


def _number(row: dict[str, Any], name: str, digits: int) -> str:
    """Return the number with its interval, if there is one."""
    if not isinstance(value := row[name], float):
        return str(value)
    interval = row.get(re.sub("percent", "interval", name)) if "percent" in name else None
    return f"{value:.{digits}f}" + (f" ({interval[0]:.2f}–{interval[1]:.2f})" if interval else "")


_PARAMETERS = ("smoothing", "beta", "estimate", "virtual")


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add the options of all commands that use a data folder."""
    parser.add_argument("--home", type=Path, metavar="DIR", help="data folder for settings, mail and model")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_cost(parser: argparse.ArgumentParser) -> None:
    """Add the option for the cost setting, for commands that score."""
    parser.add_argument(
        "--cost",
        type=_cost,
        metavar="N",
        help="cost of a false alarm, in messages checked by hand; the junk threshold is (N-1)/(N+1), at least 50 %% "
        "(default: the saved setting, 100)",
    )


def add_method(parser: argparse.ArgumentParser) -> None:
    """Add the options for the method and its parameters."""
    parser.add_argument(
        "--method", choices=METHODS, help=f"method of learning (default: the saved one, or {METHODS[0]})"
    )
    parser.add_argument(
        "--smoothing",
        type=float,
        metavar="A",
        help="multinomial, complement: pseudo-count of each word; 0 is maximum likelihood, 1 (default) is Laplace",
    )
    parser.add_argument(
        "--beta", type=float, nargs=2, metavar=("A", "B"), help="bernoulli: Beta prior of each word (default: 2 2)"
    )
    parser.add_argument("--estimate", choices=ESTIMATES, help="bernoulli: of the posterior (default: mode)")
    parser.add_argument(
        "--virtual", type=float, metavar="M", help="categorical: virtual examples (default: the number of values)"
    )


def chosen_method(arguments: argparse.Namespace, saved: str = METHODS[0]) -> str:
    """Return the method of the options. Without --method, parameters change those of the `saved` method."""
    given = {name: value for name in _PARAMETERS if (value := getattr(arguments, name)) is not None}
    if "beta" in given:
        given["beta"] = tuple(given["beta"])
    try:
        return str(replace(MethodSpec.parse(arguments.method or saved), **given))
    except ValueError as error:
        arguments.usage_error(str(error))
        raise


def has_method(arguments: argparse.Namespace) -> bool:
    """True if the options name a method or a parameter."""
    return any(getattr(arguments, name) is not None for name in ("method", *_PARAMETERS))


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add the option for trusted servers, for commands that read messages. The value is a list of names."""
    parser.add_argument(
        "--trust-server",
        action="append",
        default=[],
        metavar="NAME",
        help="mail server whose checks of senders count, as its Authentication-Results name it; may be repeated",
    )


def _cost(text: str) -> float:
    number = float(text)
    if not 1 <= number < math.inf:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def paths_of(home: Path | None) -> Paths:
    """Return the paths of a data folder. Raises `KnownError` if it can't be one."""
    paths = Paths.chosen(home)
    paths.check()
    return paths


@contextmanager
def open_store(
    home: Path | None, cost: float | None = None, *, reading: bool = False, options: argparse.Namespace | None = None
) -> Iterator[Store]:
    """Open the home's store and its model. At the end the model is made exact and its snapshot is written.

    `reading`: nothing is stored, so that the home may be one that can't be written. `options`: those of `add_method`.
    Another method is saved unless `reading`.
    """
    import numpy as np

    from nbmail.core.scoring.explanation import Costs
    from nbmail.core.scoring.model import Model
    from nbmail.store.files.connection import unreadable_values
    from nbmail.store.store import Store, open_to_read

    paths = paths_of(home)
    settings = load_settings(paths.settings)
    method = chosen_method(options, settings.method) if options else settings.method
    with open_to_read(paths, time.time()) if reading else Store(paths, time.time()) as store:
        with unreadable_values(paths.database):
            model = Model(store.words.vocabulary, method)
            model.costs = Costs(cost or settings.junk_seen_per_lost, *settings.costs[1:])
            drain(store.model.opening(model))
            ignored = store.words.vocabulary.numbers_of(store.ignored_words.now())
            store.model.model.ignored = np.array(ignored, np.int32)
        compare_daily_tables(store)
        if not reading:
            count_phrases(store)
        if method != settings.method and not reading:
            save_settings(paths.settings, replace(settings, method=method))
        yield store
        if store.read_only:
            return
        count_phrases(store)
        store.model.make_exact()
        if not store.model.is_snapshot_current:
            drain(store.model.write_snapshot())


def count_phrases(store: Store) -> int:
    """Count new phrases in all stored mail. Return the number of labelled messages whose text isn't stored."""
    if {*store.phrases.now()} == {*store.words.counted_phrases}:
        return 0
    from nbmail.worker.engine.opening import load_word_ids
    from nbmail.worker.mailbox.phrases import update_phrases

    drain(load_word_ids(store))
    return drain(update_phrases(store))


def compare_daily_tables(store: Store) -> None:
    """Offer labels that the database lacks and that older versions wrote to daily tables. Once in a home's life."""
    if not store.log.has_tables:
        from nbmail.worker.model.label_files import offer_daily_tables

        offer_daily_tables(store)
