"""The command `nbmail evaluate`: how good is a method on the messages of an index?"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbmail.cli.printing import say
from nbmail.cli.reading import Reading, start_reading
from nbmail.cli.sources import Source, index_lines, indexed_messages, unreadable
from nbmail.core.methods.names import DEFAULT, NAMES

if TYPE_CHECKING:
    from nbmail.core.evaluation.protocols import Figures, ScoredCase, Trial

PROTOCOLS = ("online", "timeline", "split")


def add_evaluate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a command line; `run` of the parsed arguments carries it out."""
    parser = commands.add_parser(
        "evaluate",
        help="measure how well a method sorts the messages of an index",
        description="Every message is scored before it is learned. online: score, then learn, in order. "
        "timeline: learn the first 100, 200, … messages, test the next 100 each time. "
        "split: learn the first part, choose the method by the second, look at the last once.",
    )
    parser.add_argument("--index", type=Path, required=True, help="a file of lines LABEL PATH, oldest message first")
    parser.add_argument("--protocol", choices=PROTOCOLS, default="online", help="default online")
    parser.add_argument("--method", choices=NAMES, help=f"default {DEFAULT}; a split chooses among all")
    parser.add_argument(
        "--parts",
        type=_parts,
        default=("70%", "15%"),
        metavar="LEARN/CHOOSE",
        help="how many messages a split learns from and chooses by, as numbers or shares: 70%%/15%%, the default",
    )
    parser.add_argument("--scores", type=Path, metavar="FILE", help="write LABEL SCORE for every message tested")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run_evaluate, complain=parser.error)


def run_evaluate(arguments: argparse.Namespace) -> int:
    """Carry out the command; the exit code."""
    began = time.perf_counter()
    sources = indexed_messages(arguments.index)
    # The last part is the one that is reported.
    if arguments.protocol == "split" and sum(_amount(part, len(sources)) for part in arguments.parts) >= len(sources):
        arguments.complain(f"--parts {'/'.join(arguments.parts)} of {len(sources)} messages leave none to report")
    with start_reading(sources, whole=False) as reading:
        # Not before the processes that read were forked: this loads numpy, which starts threads.
        from nbmail.core.evaluation.protocols import Trial, only_junk_and_good

        trial = Trial(only_junk_and_good(source.label for source in sources))
        method, outcomes = _carry_out(trial, reading, len(sources), arguments)
    seconds = time.perf_counter() - began
    if arguments.scores is not None:
        _write_scores(arguments.scores, arguments.index, outcomes)
    report = _report(sources, method, seconds, trial.figures(outcomes))
    say(json.dumps(report, indent=2) if arguments.json else _in_words(report))
    return 0


def _parts(text: str) -> tuple[str, str]:
    learn, slash, choose = text.partition("/")
    if not slash:
        raise argparse.ArgumentTypeError("two parts, as in 70%/15% or 11314/0")
    for part in (learn, choose):
        # Also refuses what is no number: comparing with it is never true.
        if not 0 <= float(part.removesuffix("%")) < math.inf:
            raise argparse.ArgumentTypeError(f"{part} is no number of messages")
    return learn, choose


def _amount(part: str, messages: int) -> int:
    number = float(part.removesuffix("%"))
    return min(messages, int(number * messages / 100) if part.endswith("%") else int(number))


def _carry_out(
    trial: Trial, reading: Reading, messages: int, arguments: argparse.Namespace
) -> tuple[str, Sequence[ScoredCase]]:
    from nbmail.core.counting.sample import Vocabulary
    from nbmail.core.evaluation.protocols import Case
    from nbmail.core.judging.model import Model

    vocabulary = Vocabulary()
    cases = (Case(one.source.label, one.sample) for one in reading.messages(vocabulary, grow=True))
    if arguments.protocol == "split":
        names = (arguments.method,) if arguments.method else NAMES
        learn, choose = (_amount(part, messages) for part in arguments.parts)
        best, tested = trial.split((Model(vocabulary, name) for name in names), list(cases), learn, choose)
        return best.method, tested
    model = Model(vocabulary, arguments.method or DEFAULT)
    run = trial.online if arguments.protocol == "online" else trial.timeline
    return model.method, list(run(model, cases))


def _write_scores(path: Path, index: Path, outcomes: Sequence[ScoredCase]) -> None:
    """Every protocol tests the last messages of the index, in their order."""
    labels = [label for label, _ in index_lines(index)]
    tested = zip(labels[len(labels) - len(outcomes) :], outcomes, strict=True)
    lines = (f"{label} {outcome.score!r}\n" for label, outcome in tested)
    try:
        with path.open("w", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(lines)
    except OSError as error:
        raise unreadable(path, error) from error


def _report(sources: Sequence[Source], method: str, seconds: float, figures: Figures) -> dict[str, Any]:
    classes = sorted({source.label for source in sources})
    report: dict[str, Any] = {
        "messages": len(sources),
        "reported": figures.reported,
        "classes": len(classes),
        "class_names": classes,
        "method": method,
        "seconds": round(seconds, 3),
        "messages_per_second": round(len(sources) / seconds, 1),
    }
    if not figures.of_junk:
        return report | {"accuracy_percent": figures.accuracy}
    return report | {
        "one_minus_auc_percent": figures.one_minus_auc,
        "fn_percent_at_fp_0_1": figures.missed_at_0_1,
        "fn_percent_at_fp_1": figures.missed_at_1,
        "calibration_error_percent": figures.calibration_error,
        "false_junk": figures.false_junk,
        "missed_junk": figures.missed_junk,
        "unsure_junk": figures.unsure_junk,
        "unsure_good": figures.unsure_good,
    }


_WORDS = {
    "messages": "messages read",
    "reported": "messages tested",
    "classes": "classes",
    "method": "method",
    "seconds": "seconds",
    "messages_per_second": "messages a second",
    "accuracy_percent": "put where they belong, %",
    "one_minus_auc_percent": "area above the ROC curve, %",
    "fn_percent_at_fp_0_1": "junk missed when 1 good message in 1000 is lost, %",
    "fn_percent_at_fp_1": "junk missed when 1 good message in 100 is lost, %",
    "calibration_error_percent": "calibration error of the later half, %",
    "false_junk": "good mail called junk",
    "missed_junk": "junk called good",
    "unsure_junk": "junk left unsure",
    "unsure_good": "good mail left unsure",
}


def _in_words(report: dict[str, Any]) -> str:
    return "\n".join(f"{_WORDS[key]:52}{_shown(value)}" for key, value in report.items() if key in _WORDS)


def _shown(value: Any) -> str:
    if value is None:
        return "not enough messages to say"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
