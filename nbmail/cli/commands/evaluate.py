"""The command `nbmail evaluate`: measure the accuracy of a method on an index or on the user's own
labelled mail.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nbmail.chunks import drain
from nbmail.cli.command import CliCommand
from nbmail.cli.messages.index_files import index_lines, indexed_messages
from nbmail.cli.messages.sources import unreadable
from nbmail.cli.messages.tokenizing import start_tokenizing
from nbmail.cli.opened_store import open_store
from nbmail.cli.options import number
from nbmail.cli.output import report
from nbmail.cli.scoring_options import add_scoring, chosen_costs, chosen_method, has_method
from nbmail.errors import ErrorCode, KnownError
from nbmail.method_spec import METHODS, parameter_choices

if TYPE_CHECKING:
    from nbmail.core.counting.vocabulary import Vocabulary
    from nbmail.core.evaluation.trials import Case, ScoredCase, Trial
    from nbmail.core.scoring.model import Model
    from nbmail.core.scoring.verdict import Costs
    from nbmail.store.store import Store

TEST_PLANS = ("online", "timeline", "split", "first-marks", "curve", "incremental")
DRAWS = 5
_POSITIVE = number(int, "{}: must be 1 or more", 1)
_SHARE = number(float, "{}: must be between 0 and 1", math.ulp(0.0), math.nextafter(1.0, 0.0))
_TESTED_BY_A_CURVE = 0.3
# Compared messages below which the report warns that the best method is flattered.
_FEW = 500
_Outcomes = Sequence["ScoredCase"]

_FIGURES = {
    "messages": "messages read",
    "left_out": "messages of other classes (ignored)",
    "reported": "messages tested",
    "classes": "classes",
    "method": "method",
    "seconds": "seconds",
    "messages_per_second": "messages a second",
    "seed": "random order, seed",
    "parts": "messages to learn, choose, report",
    "accuracy_percent": "accuracy, %",
    "arg_max_percent": "accuracy by the method's own arg max, %",
    "first_percent": "first suggested folder right, %",
    "among_three_percent": "one of three suggested folders right, %",
    "calibration_first": "calibration error of the first folder, %",
    "calibration_three": "calibration error of the three together, %",
    "one_minus_auc_percent": "area above the ROC curve, %",
    "fn_percent_at_fp_0_1": "spam missed when 1 good message in 1000 is lost, %",
    "fn_percent_at_fp_1": "spam missed when 1 good message in 100 is lost, %",
    "calibration_error_percent": "calibration error of the later half, %",
    "false_spam": "false alarms (good mail classified as spam)",
    "missed_spam": "missed spam (classified as good)",
    "unsure_spam": "spam left unsure",
    "unsure_ham": "good mail left unsure",
}
# Headings of the columns of a table. Each is as wide as its heading.
_COLUMNS = {
    "labels": "labels",
    "method": "method            ",
    "ham_lost_percent": "good lost",
    "spam_caught_percent": "spam caught",
    "spam_called_ham_percent": "missed spam",
    "unsure_percent": "unsure",
    "calibration_error_percent": "calibration error",
    "allowed_at_0_1_percent": "best possible at 0.1 %",
    "allowed_at_0_5_percent": "at 0.5 %",
    "accuracy_percent": "accuracy, %   ",
    "arg_max_percent": "by arg max, % ",
    "learned_accuracy_percent": "on training mail",
}


class TestMail(NamedTuple):
    """Messages with their classes, in order. `spelled`: the unchanged labels of the index."""

    spelled: Sequence[str]
    classes: Sequence[str]
    vocabulary: Vocabulary
    cases: Iterator[Case]
    method: str
    costs: Costs

    def fresh(self, method: str = "") -> Model:
        """Return an empty model with the cost setting of the command line or of the data folder."""
        from nbmail.core.scoring.model import Model
        from nbmail.worker.model.laboratory import method_named

        model = Model(self.vocabulary, method_named(method or self.method))
        model.costs = self.costs
        return model

    @property
    def trial(self) -> Trial:
        """Trial of the classes, whose protocols judge by spam and ham if there are no others."""
        from nbmail.core.evaluation.trials import Trial, only_spam_and_ham

        return Trial(only_spam_and_ham(self.classes))


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Every message is tested before it is learned. online: test, then learn, in order. "
        "timeline: learn the first 100, 200, … messages and test the next 100. "
        "split: learn on part one, choose the method on part two, report on part three. "
        "first-marks: results after N labels, tested on the remaining mail. "
        "curve: accuracy on the last part after N labels. "
        "incremental: suggest three folders for each message with all evidence, then learn it."
    )
    add = parser.add_argument
    add(
        "--index",
        type=Path,
        metavar="FILE",
        help="file with lines LABEL PATH, oldest message first",
    )
    add("--protocol", choices=TEST_PLANS, help="default: split with --home, online with --index")
    add(
        "--methods",
        choices=("all", "parameters"),
        help=(
            "compare all methods, or values of the parameters of --method, with the split protocol"
        ),
    )
    add(
        "--parts",
        type=_parts,
        default=("80%", "10%", "100%"),
        metavar="LEARN/CHOOSE[/REPORT]",
        help=(
            "sizes of the parts, as numbers or percentages, e.g. 400/50/50 (default: 80%%/10%%, "
            "and all others)"
        ),
    )
    add(
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
    picks = ("random", "asked")
    add(
        "--pick",
        choices=picks,
        default="random",
        help="first marks at random, or as nbmail suggests them",
    )
    add(
        "--sizes",
        type=_sizes,
        metavar="N,N…",
        help="numbers of labels to report (first-marks and curve)",
    )
    add(
        "--draws",
        type=_POSITIVE,
        default=DRAWS,
        metavar="N",
        help=f"of first marks; default {DRAWS}",
    )
    add(
        "--spam-share",
        type=_SHARE,
        default=0.5,
        metavar="SHARE",
        help="share of spam in first-marks (default: .5)",
    )
    add(
        "--after",
        type=int,
        default=100,
        metavar="N",
        help="messages before the tested ones (incremental; default 100)",
    )
    add("--bare", action="store_true", help="use only the headers From, To, Subject, Date and MIME")
    add_scoring(parser)
    add(
        "--scores",
        type=Path,
        metavar="FILE",
        help="write LABEL SCORE PROBABILITY for each tested message",
    )


def _run(arguments: argparse.Namespace) -> int:
    if bool(arguments.index) == bool(arguments.home):
        arguments.usage_error("give either --index FILE or --home DIR")
    if arguments.home and arguments.bare:
        arguments.usage_error(
            "--bare works only with --index: mail in a data folder was already read"
        )
    protocol = arguments.protocol = arguments.protocol or (
        "split" if arguments.methods or arguments.home else "online"
    )
    if arguments.methods and protocol != "split":
        arguments.usage_error("--methods all works only with the split protocol")
    if arguments.scores and protocol in ("first-marks", "curve", "incremental"):
        arguments.usage_error(f"--scores: {protocol} has no single score for each message")
    began = time.perf_counter()
    with _test_mail(arguments) as mail:
        method, figures, outcomes = _RUNS.get(protocol, _run_stream)(mail, arguments)
    seconds = time.perf_counter() - began
    if arguments.scores is not None:
        labels = (
            mail.spelled if arguments.random is None else [outcome.label for outcome in outcomes]
        )
        # Protocols that test each message once test the last ones, in order.
        tested = zip(labels[len(labels) - len(outcomes) :], outcomes, strict=True)
        lines = (
            f"{label} {outcome.score!r} {outcome.probability!r}\n" for label, outcome in tested
        )
        try:
            with arguments.scores.open("w", encoding="utf-8", errors="surrogateescape") as file:
                file.writelines(lines)
        except OSError as error:
            raise unreadable(arguments.scores, error) from error
    found = {
        "messages": len(mail.classes),
        "classes": len(set(mail.classes)),
        "class_names": sorted(set(mail.classes)),
        "method": method,
        "seconds": round(seconds, 3),
        "messages_per_second": round(len(mail.classes) / seconds, 1),
    } | figures
    report(arguments, found, _text(found))
    return 0


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted(set(map(_POSITIVE, text.split(",")))))


def _parts(text: str) -> tuple[str, str, str]:
    learn, choose, report, *more = (
        [*text.split("/"), "100%"] if text.count("/") == 1 else [*text.split("/"), "", ""]
    )
    if not (learn and choose and report) or any(more):
        raise argparse.ArgumentTypeError("two or three parts, as in 70%/15% or 400/50/50")
    for part in (learn, choose, report):
        # Also refuses NaN, which compares as False.
        if not 0 <= float(part.removesuffix("%")) < math.inf:
            raise argparse.ArgumentTypeError(f"{part} is not a number of messages")
    return learn, choose, report


@contextmanager
def _test_mail(arguments: argparse.Namespace) -> Iterator[TestMail]:
    if arguments.home:
        with open_store(arguments.home, read_only=True, options=arguments) as store:
            yield _own_mail(store, by_date=arguments.protocol in ("split", "incremental"))
        return
    sources = indexed_messages(arguments.index, bare=arguments.bare)
    classes = [source.label for source in sources]
    with start_tokenizing(sources, whole=False, trusted=arguments.trusted_servers) as tokenizer:
        # Not before the processes are forked: this imports numpy, which starts threads.
        from nbmail.core.counting.vocabulary import Vocabulary
        from nbmail.core.evaluation.trials import Case
        from nbmail.core.scoring.verdict import Costs

        costs = Costs(*chosen_costs(arguments, Costs().values))
        vocabulary = Vocabulary()
        cases = (Case(one.source.label, one.sample) for one in tokenizer.messages(vocabulary))
        spelled = [label for label, _ in index_lines(arguments.index)]
        yield TestMail(spelled, classes, vocabulary, cases, chosen_method(arguments), costs)


def _own_mail(store: Store, *, by_date: bool) -> TestMail:
    """Return all labelled messages in learning order; or `by_date`, with the same share of each
    class in every part.

    Messages that were learned from folders are in random order, so that no class comes first.
    """
    from nbmail.core.evaluation.trials import Case
    from nbmail.lab.case_order import interleaved
    from nbmail.store.labels.labels import in_pieces

    labelled = [one for chunk in in_pieces(store.labels, 1000) for one in chunk]
    if not labelled:
        raise KnownError(ErrorCode.NOT_ENOUGH_YET, "no labelled messages in this data folder")
    headings = store.messages.headings(one.message for one in labelled)
    dated = dict[str, list[Case]]()
    for one in sorted(labelled, key=lambda one: (headings[one.message].date, one.message)):
        dated.setdefault(one.label, []).append(Case(one.label, one.sample))
    cases = (
        interleaved(dated.values())
        if by_date
        else [Case(one.label, one.sample) for one in labelled]
    )
    classes = [case.label for case in cases]
    model = store.model.model
    return TestMail(classes, classes, model.vocabulary, iter(cases), model.method, model.costs)


def _run_stream(
    mail: TestMail, arguments: argparse.Namespace
) -> tuple[str, dict[str, Any], _Outcomes]:
    from nbmail.lab.folder_trial import evaluate_suggestions

    if arguments.protocol == "incremental":
        return METHODS[0], evaluate_suggestions(mail.vocabulary, mail.cases, arguments.after), []
    trial = mail.trial
    model = mail.fresh()
    run = trial.timeline if arguments.protocol == "timeline" else trial.online
    outcomes = list(run(model, mail.cases))
    return model.method, trial.figures(outcomes), outcomes


def _run_split(
    mail: TestMail, arguments: argparse.Namespace
) -> tuple[str, dict[str, Any], _Outcomes]:
    from nbmail.lab.case_order import stratified
    from nbmail.lab.comparison import choosing
    from nbmail.lab.rates import figures_of

    messages = len(mail.classes)
    sizes = ((float(part.removesuffix("%")), "%" in part) for part in arguments.parts)
    # Not size * (messages / 100), which rounds 29 messages down to 28.
    learn, choose, tested = (
        min(messages, int(size * messages / 100 if share else size)) for size, share in sizes
    )
    tested = min(tested, messages - learn - choose)
    if tested <= 0:
        arguments.usage_error(
            f"--parts {'/'.join(arguments.parts)} of {messages} messages leave none to report"
        )
    trial = mail.trial
    names = (mail.method,) if has_method(arguments) else METHODS
    if arguments.methods == "parameters":
        names = parameter_choices(mail.method.partition(" ")[0])
    cases = list(mail.cases)
    if arguments.random is not None:
        cases = stratified(cases, arguments.random)
    cases = cases[-(learn + choose + tested) :]
    choice = drain(choosing(trial, mail.fresh, names, cases, (learn, choose), at_once=messages))
    figures = {"seed": arguments.random} if arguments.random is not None else {}
    best = figures_of(choice.best.rates, trial.spam_or_ham)
    figures |= {"parts": [learn, choose, tested]} | best | trial.figures(choice.outcomes)
    if len(names) > 1:
        figures["flattered_percent"] = 100 * choice.flattered
    if arguments.methods:
        rates = (
            (one.method, figures_of(one.rates, trial.spam_or_ham)) for one in choice.candidates
        )
        figures["methods"] = [{"method": method} | each for method, each in rates]
        figures["chosen"] = {"method": choice.best.method} | best
    return choice.best.method, figures, choice.outcomes


def _run_first_marks(
    mail: TestMail, arguments: argparse.Namespace
) -> tuple[str, dict[str, Any], _Outcomes]:
    from nbmail.lab.first_marks import (
        SIZES,
        Draw,
        intervals_of,
        marks_asked_for,
        marks_at_random,
        mean_of,
    )

    if not {"spam", "ham"} <= set(mail.classes):
        raise KnownError(ErrorCode.BAD_INPUT, "first marks need both spam and good mail")
    cases = [case for case in mail.cases if case.label in ("spam", "ham")]
    sizes = arguments.sizes or SIZES
    share = arguments.spam_share
    found: dict[int, list[dict[str, float | None]]] = {size: [] for size in sizes}
    for turn in range(arguments.draws):
        draw = Draw.of(cases, turn, share)
        is_asked = arguments.pick == "asked"
        run = (
            marks_asked_for(mail.fresh, draw, sizes)
            if is_asked
            else marks_at_random(mail.fresh, draw, sizes, share)
        )
        for size, figures in run:
            found[size].append(figures)
    means = {size: mean_of(several) for size, several in found.items() if several}
    if not means:
        raise KnownError(
            ErrorCode.NOT_ENOUGH_YET,
            f"fewer than {sizes[0]} messages in addition to the tested ones",
        )
    left_out = len(mail.classes) - len(cases)
    about = ({"left_out": left_out} if left_out else {}) | {
        "pick": arguments.pick,
        "draws": arguments.draws,
        "spam_share": share,
        "sizes": [{"labels": size} | mean for size, mean in means.items()],
        "intervals": [
            {"labels": size} | intervals_of(mean, *draw.tested) for size, mean in means.items()
        ],
    }
    return mail.method, about, []


def _run_curve(
    mail: TestMail, arguments: argparse.Namespace
) -> tuple[str, dict[str, Any], _Outcomes]:
    from nbmail.core.evaluation.tested_models import LearningPoint
    from nbmail.lab.learning_curve import CURVE_SIZES, learning_curve
    from nbmail.lab.rates import figures_of

    cases = list(mail.cases)
    points = list[LearningPoint]()
    tested = round(_TESTED_BY_A_CURVE * len(cases))
    sizes = arguments.sizes or CURVE_SIZES
    curve = learning_curve(
        mail.trial, mail.fresh(), cases, tested, sizes, points=points, at_once=len(cases)
    )
    drain(curve)
    rows = [
        {"labels": one.labels}
        | figures_of(one.unseen, mail.trial.spam_or_ham)
        | {"learned_accuracy_percent": 100 * one.learned.share}
        for one in points
    ]
    return mail.method, {"sizes": rows}, []


_RUNS = {"split": _run_split, "first-marks": _run_first_marks, "curve": _run_curve}


def _figure(row: dict[str, Any], name: str, digits: int) -> str:
    """Return a figure with its interval, if there is one."""
    if not isinstance(value := row[name], float):
        return str(value)
    interval = row.get(name.replace("percent", "interval")) if "percent" in name else None
    return f"{value:.{digits}f}" + (f" ({interval[0]:.2f}–{interval[1]:.2f})" if interval else "")


def _table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table, headings first."""
    columns = {
        name: [heading, *("-" if row[name] is None else _figure(row, name, 2) for row in rows)]
        for name, heading in _COLUMNS.items()
        if name in rows[0]
    }
    widths = [max(map(len, column)) for column in columns.values()]
    for cells in zip(*columns.values(), strict=True):
        yield "  ".join(map(str.ljust, cells, widths))


def _text(report: dict[str, Any]) -> str:
    lines = [
        f"{_FIGURES[key]:52}{'too few messages' if value is None else _figure(report, key, 3)}"
        for key, value in report.items()
        if key in _FIGURES
    ]
    if report.get("flattered_percent") is not None and report["parts"][1] < _FEW:
        compared = report["parts"][1]
        points = report["flattered_percent"]
        lines += [
            "",
            (
                f"warning: compared on only {compared} messages, where the best looks better "
                f"than it is by about"
            ),
        ]
        lines += [f"{points:.1f} points of accuracy. The figures above, on the report part, don't."]
    if "methods" in report:
        lines += ["", "on the selection part:", *_table(report["methods"])]
        lines += ["", "selected method, on the report part:", *_table([report["chosen"]])]
    if "sizes" in report:
        intervals = report.get("intervals") or [{}] * len(report["sizes"])
        lines += [
            "",
            *_table([row | more for row, more in zip(report["sizes"], intervals, strict=True)]),
        ]
    return "\n".join(lines)


EVALUATE = CliCommand(_add_options, _run)
