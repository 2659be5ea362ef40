"""The command `nbmail score`: how likely each message is junk, and why."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbmail.cli.files import all_sources
from nbmail.cli.home import add_home, open_model, settings_of
from nbmail.cli.printing import printable, say
from nbmail.cli.reading import Reading
from nbmail.errors import KnownError, Trouble

if TYPE_CHECKING:
    from nbmail.cli.chunks import Letter
    from nbmail.core.model import Model

# Messages scored in one pass: few enough for what is worked out on the way to stay in the processor's cache.
AT_ONCE = 250


def add_score(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a command line; `run` of the parsed arguments carries it out."""
    parser = commands.add_parser(
        "score",
        help="say how likely messages are junk",
        description="A line a message: verdict, probability of junk (- while too little is learned to promise one), "
        "log-odds, path. Nothing is changed.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a message, mail file, Maildir or folder")
    parser.add_argument("--why", type=_count, default=0, metavar="N", help="name the N words that decided most")
    add_home(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, one line a message")
    parser.set_defaults(run=run_score)


def run_score(arguments: argparse.Namespace) -> int:
    """Carry out the command; the exit code."""
    settings = settings_of(arguments.home)
    sources = all_sources(arguments.paths)
    with (
        Reading(sources, verdict_headers=settings.verdict_headers, pairs=settings.word_pairs, whole=False) as reading,
        open_model(arguments.home, settings) as (_, model),
    ):
        if len(model.counts.classes) == 0:
            raise KnownError(Trouble.NOT_ENOUGH_YET, "this home has learned nothing")
        letters = reading.letters(model.vocabulary, grow=False)
        while some := list(islice(letters, AT_ONCE)):
            lines = _scored(model, some, arguments.why)
            say("\n".join(json.dumps(line) if arguments.json else _in_words(line) for line in lines))
    return 0


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("how many words? 0 or more")
    return number


def _scored(model: Model, letters: Sequence[Letter], why: int) -> Iterator[dict[str, Any]]:
    from nbmail.core.verdict import VERDICTS

    odds = model.log_odds(model.rows([letter.sample for letter in letters]))
    columns = (odds.tolist(), model.probabilities(odds).tolist(), model.verdicts(odds).tolist())
    for letter, log_odds, probability, verdict in zip(letters, *columns, strict=True):
        line = {
            "path": letter.name,
            "verdict": VERDICTS[verdict],
            "probability": None if math.isnan(probability) else probability,
            "log_odds": log_odds,
        }
        yield line | {"why": _reasons(model, letter, why)} if why else line


def _reasons(model: Model, letter: Letter, most: int) -> list[dict[str, Any]]:
    return [
        {
            "word": one.word,
            "place": one.place,
            "junk": one.junk,
            "good": one.good,
            "contribution": one.contribution,
        }
        for one in model.explain(letter.sample, most).contributions
    ]


def _in_words(line: dict[str, Any]) -> str:
    probability = "-" if line["probability"] is None else f"{line['probability']:.4f}"
    first = f"{line['verdict']:7}{probability:>7}{line['log_odds']:9.2f}  {printable(line['path'])}"
    reasons = (
        f"{one['contribution']:+23.2f}  {printable(one['word'])}  (junk {one['junk']}, good {one['good']})"
        for one in line.get("why", ())
    )
    return "\n".join([first, *reasons])
