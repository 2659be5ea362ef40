"""The command `nbmail evaluate`: how good is a method on the messages of an index?"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbmail.core.evaluation import Case, Figures, Outcome, Parts, Trial, cases_of, only_junk_and_good
from nbmail.core.mail import parse
from nbmail.core.methods import registry
from nbmail.core.model import GOOD, JUNK, Model
from nbmail.core.sample import Clues, Vocabulary
from nbmail.core.words import gather
from nbmail.errors import KnownError, Trouble

_KNOWN_LABELS = {"spam": JUNK, "junk": JUNK, "ham": GOOD, "good": GOOD}
PROTOCOLS = ("online", "timeline", "split")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of an index: the label as it stands there, the class it means, and the message's file."""

    label: str
    meaning: str
    path: Path


def add_evaluate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a command line; `run` of the parsed arguments carries it out."""
    parser = commands.add_parser("evaluate", help="measure how well a method sorts the messages of an index")
    parser.add_argument("--index", type=Path, required=True, help="a file of lines LABEL PATH, oldest message first")
    parser.add_argument("--protocol", choices=PROTOCOLS, default="online", help="what is learned before what is tested")
    parser.add_argument(
        "--method", choices=registry.NAMES, help=f"default {registry.DEFAULT}; a split chooses among all"
    )
    parser.add_argument(
        "--parts",
        type=_parts,
        metavar="LEARN/CHOOSE",
        help="how many messages a split learns from and chooses by, as numbers or shares: 70%%/15%%, the default",
    )
    parser.add_argument("--scores", type=Path, metavar="FILE", help="write LABEL SCORE for every message tested")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run_evaluate)


def run_evaluate(arguments: argparse.Namespace) -> int:
    """Carry out the command; the exit code."""
    began = time.perf_counter()
    entries = read_index(arguments.index)
    trial = Trial(only_junk_and_good(entry.meaning for entry in entries))
    method, outcomes = _carry_out(trial, entries, arguments)
    seconds = time.perf_counter() - began
    if arguments.scores is not None:
        _write_scores(arguments.scores, entries, outcomes)
    report = _report(entries, method, seconds, trial.figures(outcomes))
    print(json.dumps(report, indent=2) if arguments.json else _in_words(report))
    return 0


def read_index(path: Path) -> list[Entry]:
    """The lines of an index; paths are relative to its folder."""
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise KnownError(Trouble.BAD_INPUT, f"{path}: {error.strerror}") from error
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        label, space, rest = line.strip().partition(" ")
        if space:
            entries.append(Entry(label, _KNOWN_LABELS.get(label.lower(), label), path.parent / rest.strip()))
        elif label:
            raise KnownError(Trouble.BAD_INPUT, f"{path}, line {number}: not LABEL PATH")
    if not entries:
        raise KnownError(Trouble.BAD_INPUT, f"{path}: no messages")
    return entries


def _parts(text: str) -> tuple[str, str]:
    learn, slash, choose = text.partition("/")
    if not slash:
        raise argparse.ArgumentTypeError("two parts, as in 70%/15% or 11314/0")
    for part in (learn, choose):
        float(part.removesuffix("%"))
    return learn, choose


def _amount(part: str, messages: int) -> int:
    share = float(part.removesuffix("%"))
    return min(messages, int(share * messages / 100) if part.endswith("%") else int(share))


def _carry_out(trial: Trial, entries: Sequence[Entry], arguments: argparse.Namespace) -> tuple[str, Sequence[Outcome]]:
    vocabulary = Vocabulary()
    cases = cases_of(_read(entries), vocabulary)
    if arguments.protocol == "split":
        return _split(trial, list(cases), vocabulary, arguments)
    model = Model(vocabulary, arguments.method or registry.DEFAULT)
    run = trial.online if arguments.protocol == "online" else trial.timeline
    return model.method, list(run(model, cases))


def _split(
    trial: Trial, cases: Sequence[Case], vocabulary: Vocabulary, arguments: argparse.Namespace
) -> tuple[str, Sequence[Outcome]]:
    parts = Parts.usual(len(cases))
    if arguments.parts is not None:
        parts = Parts(*(_amount(part, len(cases)) for part in arguments.parts))
    names = (arguments.method,) if arguments.method else registry.NAMES
    best, outcomes = trial.split((Model(vocabulary, name) for name in names), cases, parts)
    return best.method, outcomes


def _read(entries: Sequence[Entry]) -> Iterator[tuple[str, Clues]]:
    for entry in entries:
        try:
            raw = entry.path.read_bytes()
        except OSError as error:
            raise KnownError(Trouble.BAD_INPUT, f"{entry.path}: {error.strerror}") from error
        yield entry.meaning, gather(parse(raw))


def _write_scores(path: Path, entries: Sequence[Entry], outcomes: Sequence[Outcome]) -> None:
    """Every protocol tests the last messages of the index, in their order."""
    tested = entries[len(entries) - len(outcomes) :]
    lines = [f"{entry.label} {outcome.score!r}\n" for entry, outcome in zip(tested, outcomes, strict=True)]
    try:
        path.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise KnownError(Trouble.BAD_INPUT, f"{path}: {error.strerror}") from error


def _report(entries: Sequence[Entry], method: str, seconds: float, figures: Figures) -> dict[str, Any]:
    classes = sorted({entry.meaning for entry in entries})
    report: dict[str, Any] = {
        "messages": len(entries),
        "reported": figures.reported,
        "classes": len(classes),
        "class_names": classes,
        "method": method,
        "seconds": round(seconds, 3),
        "messages_per_second": round(len(entries) / seconds, 1),
    }
    if not only_junk_and_good(classes):
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
