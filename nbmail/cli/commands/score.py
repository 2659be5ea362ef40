"""The command `nbmail score`: show the chance of spam of messages, and the reasons."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.chunks import batches, drain
from nbmail.cli.command import CliCommand
from nbmail.cli.messages.sources import all_sources
from nbmail.cli.messages.tokenizing import start_tokenizing
from nbmail.cli.opened_store import open_store
from nbmail.cli.options import number
from nbmail.cli.output import say
from nbmail.cli.scores.texts import score_text
from nbmail.cli.scoring_options import add_scoring
from nbmail.errors import ErrorCode, KnownError

if TYPE_CHECKING:
    from nbmail.store.store import Store

# Messages scored at once: few enough for the intermediate results to fit into the processor's
# cache.
CHUNK = 250
STRONGEST = 12
"""Reasons shown by `--why` without a number."""


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Prints one line (or JSON object) per message: verdict, probability of spam (- while only "
        "one class is known), log-odds, path. With classes of your own, the likeliest class and "
        "its probability precede the path."
    )
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        default=[],
        metavar="PATH",
        help="a message, mail file, Maildir or folder",
    )
    parser.add_argument(
        "--why",
        nargs="?",
        type=_number_or_path,
        default=0,
        const=STRONGEST,
        metavar="N",
        help=f"show the N strongest reasons (default: {STRONGEST})",
    )
    add_scoring(parser)


def _number_or_path(text: str) -> int | Path:
    """Parse the number of `--why`. What can't be one is the first path: the number is optional."""
    try:
        int(text)
    except ValueError:
        return Path(text)
    return number(int, "must be 0 or more", 0)(text)


def _read_paths(arguments: argparse.Namespace) -> None:
    """Move a path that follows `--why` to the other paths. Exit if there is none."""
    if isinstance(arguments.why, Path):
        arguments.paths = [arguments.why, *arguments.paths]
        arguments.why = STRONGEST
    if not arguments.paths:
        arguments.usage_error("the following arguments are required: PATH")


def _run(arguments: argparse.Namespace) -> int:
    _read_paths(arguments)
    sources = all_sources(arguments.paths)
    with (
        start_tokenizing(sources, whole=False, trusted=arguments.trusted_servers) as tokenizer,
        open_store(arguments.home, read_only=True, options=arguments) as store,
    ):
        from nbmail.cli.scores.objects import score_objects

        model = store.model.model
        if not model.counts.classes:
            raise KnownError(ErrorCode.NOT_ENOUGH_YET, "no labelled messages in this data folder")
        model.base_rate = _share_of_spam(store)
        # New words count for the length of a message, as they do in the window. They are not
        # stored.
        messages = tokenizer.messages(model.vocabulary)
        write = json.dumps if arguments.json else score_text
        for chunk in batches(messages, CHUNK):
            found = score_objects(model, chunk, arguments.why)
            say("\n".join(map(write, found)))
    return 0


def _share_of_spam(store: Store) -> float:
    """Return the share of spam in the whole mailbox, as the window does.

    0.5 if all stored messages are labelled.
    """
    if len(store.messages) == len(store.labels):
        return 0.5
    from nbmail.worker.engine.opening import load_word_ids
    from nbmail.worker.scores.scores import Scoring

    drain(load_word_ids(store))
    scoring = Scoring(store, store.model.model.costs)
    scoring.invalidate()
    drain(scoring.update())
    return scoring.model.base_rate


SCORE = CliCommand(_add_options, _run)
