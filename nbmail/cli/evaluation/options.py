"""Options of `nbmail evaluate`."""

import argparse
import math
from pathlib import Path

from nbmail.cli.options import number
from nbmail.cli.scoring_options import add_scoring

PROTOCOLS = ("online", "timeline", "split", "first-marks", "curve", "incremental")
WITHOUT_SCORES = ("first-marks", "curve", "incremental")
"""Protocols that have no single score for each message."""
DRAWS = 5
_POSITIVE = number(int, "{}: must be 1 or more", 1)
_SHARE = number(float, "{}: must be between 0 and 1", math.ulp(0.0), math.nextafter(1.0, 0.0))
_REST = "100%"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Every message is tested before it is learned. online: test, then learn, in order. "
        "timeline: learn the first 100, 200, … messages and test the next 100. "
        "split: learn on part one, choose the method on part two, report on part three. "
        "first-marks: results after N labels, tested on the remaining mail. "
        "curve: accuracy on the last part after N labels. "
        "incremental: suggest three folders for each message with all evidence, then learn it."
    )
    parser.add_argument(
        "--index",
        type=Path,
        metavar="FILE",
        help="file with lines LABEL PATH, oldest message first",
    )
    parser.add_argument(
        "--protocol", choices=PROTOCOLS, help="default: split with --home, online with --index"
    )
    _add_split(parser)
    _add_label_numbers(parser)
    parser.add_argument(
        "--after",
        type=int,
        default=100,
        metavar="N",
        help="messages before the tested ones (incremental; default 100)",
    )
    parser.add_argument(
        "--bare", action="store_true", help="use only the headers From, To, Subject, Date and MIME"
    )
    add_scoring(parser)
    parser.add_argument(
        "--scores",
        type=Path,
        metavar="FILE",
        help="write LABEL SCORE PROBABILITY for each tested message",
    )


def check_options(arguments: argparse.Namespace) -> None:
    """End with an error for options that don't fit together. Choose the default protocol."""
    if bool(arguments.index) == bool(arguments.home):
        arguments.usage_error("give either --index FILE or --home DIR")
    if arguments.home and arguments.bare:
        arguments.usage_error(
            "--bare works only with --index: mail in a data folder was already read"
        )
    if arguments.protocol is None:
        arguments.protocol = "split" if arguments.methods or arguments.home else "online"
    if arguments.methods and arguments.protocol != "split":
        arguments.usage_error("--methods all works only with the split protocol")
    if arguments.scores and arguments.protocol in WITHOUT_SCORES:
        arguments.usage_error(
            f"--scores: {arguments.protocol} has no single score for each message"
        )


def _add_split(parser: argparse.ArgumentParser) -> None:
    """Add the options of the split protocol."""
    parser.add_argument(
        "--methods",
        choices=("all", "parameters"),
        help=(
            "compare all methods, or values of the parameters of --method, with the split protocol"
        ),
    )
    parser.add_argument(
        "--parts",
        type=_parts,
        default=("80%", "10%", _REST),
        metavar="LEARN/CHOOSE[/REPORT]",
        help=(
            "sizes of the parts, as numbers or percentages, e.g. 400/50/50 (default: 80%%/10%%, "
            "and all others)"
        ),
    )
    parser.add_argument(
        "--random",
        type=int,
        nargs="?",
        const=1,
        metavar="SEED",
        help=(
            "draw the parts at random, each with the same share of every class; otherwise by "
            "date (default seed: 1)"
        ),
    )


def _add_label_numbers(parser: argparse.ArgumentParser) -> None:
    """Add the options of the protocols that report after numbers of labels."""
    parser.add_argument(
        "--pick",
        choices=("random", "asked"),
        default="random",
        help="first marks at random, or as nbmail suggests them",
    )
    parser.add_argument(
        "--sizes",
        type=_sizes,
        metavar="N,N…",
        help="numbers of labels to report (first-marks and curve)",
    )
    parser.add_argument(
        "--draws",
        type=_POSITIVE,
        default=DRAWS,
        metavar="N",
        help=f"of first marks; default {DRAWS}",
    )
    parser.add_argument(
        "--spam-share",
        type=_SHARE,
        default=0.5,
        metavar="SHARE",
        help="share of spam in first-marks (default: .5)",
    )


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted(set(map(_POSITIVE, text.split(",")))))


def _parts(text: str) -> tuple[str, ...]:
    """Return the sizes of three parts. The third is all others unless it is given."""
    parts = text.split("/")
    if len(parts) == 2:
        parts.append(_REST)
    if len(parts) != 3 or not all(parts):
        raise argparse.ArgumentTypeError("two or three parts, as in 70%/15% or 400/50/50")
    for part in parts:
        # Also refuses NaN, which compares as False.
        if not 0 <= float(part.removesuffix("%")) < math.inf:
            raise argparse.ArgumentTypeError(f"{part} is not a number of messages")
    return tuple(parts)
