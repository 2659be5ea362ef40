"""The command `nbmail evaluate`: how good is a method on the messages of an index, or on one's own labelled mail?"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbmail.chunks import drain
from nbmail.cli.command import CliCommand, report
from nbmail.cli.evaluation_report import accuracy_columns, in_words
from nbmail.cli.home import add_cost, open_store
from nbmail.cli.reading import start_reading
from nbmail.cli.sources import index_lines, indexed_messages, unreadable
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import METHODS

if TYPE_CHECKING:
    from nbmail.core.counting.sample import Vocabulary
    from nbmail.core.evaluation.trials import Case, ScoredCase, Trial
    from nbmail.core.scoring.model import Model
    from nbmail.core.scoring.verdict import Costs
    from nbmail.store.store import Store

STREAMED = ("online", "timeline")
PROTOCOLS = (*STREAMED, "split", "first-marks", "curve")
DRAWS = 5
_TESTED_BY_A_CURVE = 0.3
_Outcomes = Sequence["ScoredCase"]


@dataclass(frozen=True, slots=True)
class Material:
    """Messages with their classes, in order. `spelled` are the classes as they are named where they come from."""

    spelled: Sequence[str]
    classes: Sequence[str]
    vocabulary: Vocabulary
    cases: Iterator[Case]
    method: str
    costs: Costs

    def fresh(self, method: str = "") -> Model:
        """An empty model that judges by the dial of the command line, or else of the home."""
        from nbmail.core.scoring.model import Model

        model = Model(self.vocabulary, method or self.method)
        model.costs = self.costs
        return model


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "No message is learned before it is scored. online: score, then learn, in order. "
        "timeline: learn the first 100, 200, … messages, test the next 100 each time. "
        "split: learn the first part, choose the method by the second, look at the last once. "
        "first-marks: what so many labels bring, the rest of the mail being tested. "
        "curve: accuracy on the last part after so many labels."
    )
    parser.add_argument("--index", type=Path, metavar="FILE", help="a file of lines LABEL PATH, oldest message first")
    parser.add_argument("--protocol", choices=PROTOCOLS, help="default online")
    parser.add_argument("--method", choices=METHODS, help=f"default {METHODS[0]}; a split chooses among all")
    parser.add_argument("--methods", choices=("all",), help="a split that shows how each method does")
    parser.add_argument(
        "--parts",
        type=_parts,
        default=("70%", "15%"),
        metavar="LEARN/CHOOSE",
        help="how many messages a split learns from and chooses by, as numbers or shares: 70%%/15%%, the default",
    )
    parser.add_argument("--pick", choices=("random", "asked"), default="random", help="whose first marks")
    parser.add_argument("--sizes", type=_sizes, metavar="N,N…", help="after how many labels; of first marks and curves")
    parser.add_argument("--draws", type=_positive, default=DRAWS, metavar="N", help=f"of first marks; default {DRAWS}")
    parser.add_argument(
        "--junk-share", type=_share, default=0.5, metavar="SHARE", help="of first marks, how much is junk; default .5"
    )
    parser.add_argument("--bare", action="store_true", help="read of headers From, To, Subject, Date and MIME alone")
    add_cost(parser)
    parser.add_argument("--scores", type=Path, metavar="FILE", help="write LABEL SCORE PROBABILITY for each tested")


def _run(arguments: argparse.Namespace) -> int:
    if bool(arguments.index) == bool(arguments.home):
        arguments.complain("name an --index FILE, or the --home DIR whose labelled mail is meant")
    if arguments.home and arguments.bare:
        arguments.complain("--bare: the messages of an index are read anew, one's own were read when they came")
    protocol = arguments.protocol or ("split" if arguments.methods else "online")
    if arguments.methods and protocol != "split":
        arguments.complain("--methods all is a split: learn, choose, report once")
    if arguments.scores and protocol in ("first-marks", "curve"):
        arguments.complain(f"--scores: {protocol} tests the same messages again and again")
    began = time.perf_counter()
    with _material(arguments) as material:
        method, figures, outcomes = _RUNS[protocol](material, arguments)
    seconds = time.perf_counter() - began
    if arguments.scores is not None:
        _write_scores(arguments.scores, material, outcomes)
    found = _about(material, method, seconds) | figures
    report(arguments, found, in_words(found))
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


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted({_positive(part) for part in text.split(",")}))


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text}: 1 or more")
    return number


def _share(text: str) -> float:
    if not 0 < (share := float(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text}: between 0 and 1")
    return share


def _amount(part: str, messages: int) -> int:
    number = float(part.removesuffix("%"))
    return min(messages, int(number * messages / 100) if part.endswith("%") else int(number))


@contextmanager
def _material(arguments: argparse.Namespace) -> Iterator[Material]:
    if arguments.home:
        with open_store(arguments.home, arguments.cost) as store:
            yield _own_mail(store, arguments.method)
        return
    sources = indexed_messages(arguments.index, bare=arguments.bare)
    classes = [source.label for source in sources]
    with start_reading(sources, whole=False) as reading:
        # Not before the processes that read were forked: this loads numpy, which starts threads.
        from nbmail.core.counting.sample import Vocabulary
        from nbmail.core.evaluation.trials import Case
        from nbmail.core.scoring.verdict import Costs

        costs = Costs(arguments.cost) if arguments.cost else Costs()
        vocabulary = Vocabulary()
        cases = (Case(one.source.label, one.sample) for one in reading.messages(vocabulary))
        spelled = [label for label, _ in index_lines(arguments.index)]
        yield Material(spelled, classes, vocabulary, cases, arguments.method or METHODS[0], costs)


def _own_mail(store: Store, method: str | None) -> Material:
    """All labelled messages in order of arrival."""
    from nbmail.core.evaluation.trials import Case
    from nbmail.store.labels.labels import in_pieces

    labelled = [one for chunk in in_pieces(store.labels, 1000) for one in chunk]
    if not labelled:
        raise KnownError(ErrorCode.NOT_ENOUGH_YET, "this home has no labelled mail")
    headings = store.messages.headings(one.message for one in labelled)
    labelled.sort(key=lambda one: (headings[one.message].date, one.message))
    classes = [one.label for one in labelled]
    cases = (Case(one.label, one.sample) for one in labelled)
    model = store.model.model
    return Material(classes, classes, model.vocabulary, cases, method or model.method, model.costs)


def _trial(material: Material) -> Trial:
    from nbmail.core.evaluation.trials import Trial, only_junk_and_good

    return Trial(only_junk_and_good(material.classes))


def _run_stream(material: Material, arguments: argparse.Namespace) -> tuple[str, dict[str, Any], _Outcomes]:
    trial, model = _trial(material), material.fresh()
    run = trial.timeline if arguments.protocol == "timeline" else trial.online
    outcomes = list(run(model, material.cases))
    return model.method, trial.figures(outcomes), outcomes


def _run_split(material: Material, arguments: argparse.Namespace) -> tuple[str, dict[str, Any], _Outcomes]:
    from nbmail.core.evaluation.comparison import choosing

    messages = len(material.classes)
    learn, choose = (_amount(part, messages) for part in arguments.parts)
    # The last part is the one that is reported.
    if learn + choose >= messages:
        arguments.complain(f"--parts {'/'.join(arguments.parts)} of {messages} messages leave none to report")
    trial, names = _trial(material), (arguments.method,) if arguments.method else METHODS
    cases = list(material.cases)
    choice = drain(choosing(trial, material.fresh, names, cases, (learn, choose), at_once=messages))
    figures = trial.figures(choice.outcomes)
    if arguments.methods:
        figures["methods"] = [{"method": one.method} | accuracy_columns(one.rates) for one in choice.candidates]
        figures["chosen"] = {"method": choice.best.method} | accuracy_columns(choice.best.rates)
    return choice.best.method, figures, choice.outcomes


def _run_first_marks(material: Material, arguments: argparse.Namespace) -> tuple[str, dict[str, Any], _Outcomes]:
    from nbmail.core.evaluation.first_marks import SIZES, Draw, MarkFigures, marks_asked_for, marks_at_random

    if not {"junk", "good"} <= set(material.classes):
        raise KnownError(ErrorCode.BAD_INPUT, "first marks are of junk and good mail: both are needed")
    cases = [case for case in material.cases if case.label in ("junk", "good")]
    sizes, share = arguments.sizes or SIZES, arguments.junk_share
    found: dict[int, list[MarkFigures]] = {size: [] for size in sizes}
    for number in range(arguments.draws):
        draw = Draw.of(cases, number, share)
        asked = arguments.pick == "asked"
        run = (
            marks_asked_for(material.fresh, draw, sizes)
            if asked
            else marks_at_random(material.fresh, draw, sizes, share)
        )
        for size, figures in run:
            found[size].append(figures)
    means = {size: MarkFigures.mean(several) for size, several in found.items() if several}
    if not means:
        raise KnownError(ErrorCode.NOT_ENOUGH_YET, f"not {sizes[0]} messages to be marked beside those to be tested")
    told = {
        "pick": arguments.pick,
        "draws": arguments.draws,
        "junk_share": share,
        "sizes": [{"labels": size} | asdict(mean) for size, mean in means.items()],
        "intervals": [{"labels": size} | mean.intervals(*draw.tested) for size, mean in means.items()],
    }
    left_out = len(material.classes) - len(cases)
    return material.method, ({"left_out": left_out} if left_out else {}) | told, []


def _run_curve(material: Material, arguments: argparse.Namespace) -> tuple[str, dict[str, Any], _Outcomes]:
    from nbmail.core.evaluation.comparison import CURVE_SIZES, LearningPoint, learning_curve

    cases, points = list(material.cases), list[LearningPoint]()
    tested, sizes = round(_TESTED_BY_A_CURVE * len(cases)), arguments.sizes or CURVE_SIZES
    curve = learning_curve(
        _trial(material), material.fresh(), cases, tested, sizes, points=points, at_once=len(cases), learned_too=True
    )
    drain(curve)
    rows = [
        {"labels": one.labels}
        | accuracy_columns(one.unseen)
        | ({"learned_accuracy_percent": 100 * one.learned.accuracy.share} if one.learned else {})
        for one in points
    ]
    return material.method, {"sizes": rows}, []


_RUNS = {
    "online": _run_stream,
    "timeline": _run_stream,
    "split": _run_split,
    "first-marks": _run_first_marks,
    "curve": _run_curve,
}


def _write_scores(path: Path, material: Material, outcomes: _Outcomes) -> None:
    """Every protocol that tests each message once tests the last ones, in their order."""
    tested = zip(material.spelled[len(material.spelled) - len(outcomes) :], outcomes, strict=True)
    lines = (f"{label} {outcome.score!r} {outcome.probability!r}\n" for label, outcome in tested)
    try:
        with path.open("w", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(lines)
    except OSError as error:
        raise unreadable(path, error) from error


def _about(material: Material, method: str, seconds: float) -> dict[str, Any]:
    classes = sorted(set(material.classes))
    return {
        "messages": len(material.classes),
        "classes": len(classes),
        "class_names": classes,
        "method": method,
        "seconds": round(seconds, 3),
        "messages_per_second": round(len(material.classes) / seconds, 1),
    }


EVALUATE = CliCommand(_add_options, _run)
