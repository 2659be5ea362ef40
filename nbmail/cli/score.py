"""The command `nbmail score`: how likely each message is junk, and why."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbmail.cli.home import add_common, open_store
from nbmail.cli.printing import printable, say
from nbmail.cli.reading import SampledMessage, start_reading
from nbmail.cli.sources import all_sources
from nbmail.errors import KnownError, Trouble

if TYPE_CHECKING:
    from nbmail.core.judging.model import Model

# Messages scored in one pass: few enough for what is worked out on the way to stay in the processor's cache.
AT_ONCE = 250
# What is told of the reasons of a score.
_OF_A_WORD = ("word", "place", "junk", "good", "contribution")
_BESIDE_WORDS = ("prior", "weaker_count", "weaker", "calibration")


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
    add_common(parser, "print one JSON object a line, one line a message")
    parser.set_defaults(run=run_score)


def run_score(arguments: argparse.Namespace) -> int:
    """Carry out the command; the exit code."""
    sources = all_sources(arguments.paths)
    with start_reading(sources, whole=False) as reading, open_store(arguments.home) as store:
        model = store.model.model
        if len(model.counts.classes) == 0:
            raise KnownError(Trouble.NOT_ENOUGH_YET, "this home has learned nothing")
        messages = reading.messages(model.vocabulary, grow=False)
        while some := list(islice(messages, AT_ONCE)):
            lines = _scored(model, some, arguments.why)
            say("\n".join(json.dumps(line) if arguments.json else _in_words(line) for line in lines))
    return 0


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("how many words? 0 or more")
    return number


def _scored(model: Model, messages: Sequence[SampledMessage], why: int) -> Iterator[dict[str, Any]]:
    """What is said of each message. `score` is what ranking goes by, `log_odds` are those of the probability."""
    from nbmail.core.judging.verdict import VERDICTS

    scores = model.log_odds(model.rows([message.sample for message in messages]))
    columns = (scores, model.honest(scores), model.probabilities(scores), model.verdicts(scores))
    lists = (column.tolist() for column in columns)
    for message, score, log_odds, probability, verdict in zip(messages, *lists, strict=True):
        line = {
            "path": message.name,
            "verdict": VERDICTS[verdict],
            "probability": None if math.isnan(probability) else probability,
            "log_odds": log_odds,
            "score": score,
        }
        yield line | _reasons(model, message, why) if why else line


def _reasons(model: Model, message: SampledMessage, most: int) -> dict[str, Any]:
    """The log-odds taken apart: prior, words, weaker words together and calibration add up to them."""
    told = model.explain(message.sample, most)
    words = [{name: getattr(one, name) for name in _OF_A_WORD} for one in told.contributions]
    return {"why": words, **{name: getattr(told, name) for name in _BESIDE_WORDS}}


def _in_words(line: dict[str, Any]) -> str:
    probability = "-" if line["probability"] is None else f"{line['probability']:.4f}"
    first = f"{line['verdict']:7}{probability:>7}{line['log_odds']:9.2f}  {printable(line['path'])}"
    return "\n".join([first, *_reason_lines(line)])


def _reason_lines(line: dict[str, Any]) -> Iterator[str]:
    for one in line.get("why", ()):
        yield f"{one['contribution']:+23.2f}  {printable(one['word'])}  (junk {one['junk']}, good {one['good']})"
    if line.get("weaker_count"):
        yield f"{line['weaker']:+23.2f}  and {line['weaker_count']} weaker"
    if line.get("prior"):
        yield f"{line['prior']:+23.2f}  how much mail of each kind there is"
    if line.get("calibration"):
        yield f"{line['calibration']:+23.2f}  corrected by experience"
