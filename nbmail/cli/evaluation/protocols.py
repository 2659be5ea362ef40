"""Protocols of `nbmail evaluate`: each tests methods on labelled mail.

Imported only after the processes that read mail were forked: numpy starts threads.
"""

import argparse
from collections.abc import Callable, Sequence
from typing import NamedTuple

from nbmail.chunks import drain
from nbmail.cli.evaluation.tested_mail import TestedMail
from nbmail.cli.scoring_options import has_method
from nbmail.core.evaluation.tested_models import LearningPoint
from nbmail.core.evaluation.trials import ScoredCase
from nbmail.errors import ErrorCode, KnownError
from nbmail.lab.case_order import stratified
from nbmail.lab.comparison import choosing
from nbmail.lab.first_marks import (
    SIZES,
    Draw,
    Percents,
    intervals_of,
    marks_asked_for,
    marks_at_random,
    mean_of,
)
from nbmail.lab.folder_trial import evaluate_suggestions
from nbmail.lab.learning_curve import CURVE_SIZES, learning_curve
from nbmail.lab.rates import figures_of
from nbmail.method_spec import DEFAULT, METHODS, parameter_choices
from nbmail.values import HAM, SPAM

_TESTED_BY_A_CURVE = 0.3


class Evaluation(NamedTuple):
    """Result of a protocol: the method tested or chosen, and figures by their names in the JSON.

    `outcomes`: results of single messages, if the protocol has one for each.
    """

    method: str
    figures: dict[str, object]
    outcomes: Sequence[ScoredCase] = ()


def run_online(mail: TestedMail, arguments: argparse.Namespace) -> Evaluation:
    model = mail.fresh()
    outcomes = list(mail.trial.online(model, mail.cases))
    return Evaluation(model.method, dict(mail.trial.figures(outcomes)), outcomes)


def run_timeline(mail: TestedMail, arguments: argparse.Namespace) -> Evaluation:
    model = mail.fresh()
    outcomes = list(mail.trial.timeline(model, mail.cases))
    return Evaluation(model.method, dict(mail.trial.figures(outcomes)), outcomes)


def run_incremental(mail: TestedMail, arguments: argparse.Namespace) -> Evaluation:
    figures = evaluate_suggestions(mail.vocabulary, mail.cases, arguments.after)
    return Evaluation(DEFAULT, dict(figures))


def run_split(mail: TestedMail, arguments: argparse.Namespace) -> Evaluation:
    messages = len(mail.classes)
    learn, choose, tested = _part_sizes(arguments, messages)
    cases = list(mail.cases)
    if arguments.random is not None:
        cases = stratified(cases, arguments.random)
    cases = cases[-(learn + choose + tested) :]
    names = _compared_methods(mail, arguments)
    trial = mail.trial
    work = choosing(trial, mail.fresh, names, cases, (learn, choose), at_once=messages)
    choice = drain(work)

    figures: dict[str, object] = {}
    if arguments.random is not None:
        figures["seed"] = arguments.random
    figures["parts"] = [learn, choose, tested]
    best = figures_of(choice.best.rates, trial.spam_or_ham)
    figures |= best
    figures |= trial.figures(choice.outcomes)
    if len(names) > 1:
        figures["flattered_percent"] = 100 * choice.flattered
    if arguments.methods:
        figures["methods"] = [
            {"method": one.method} | figures_of(one.rates, trial.spam_or_ham)
            for one in choice.candidates
        ]
        figures["chosen"] = {"method": choice.best.method} | best
    return Evaluation(choice.best.method, figures, choice.outcomes)


def _part_sizes(arguments: argparse.Namespace, messages: int) -> tuple[int, int, int]:
    """Return the sizes of the parts to learn, to choose and to test."""
    learn, choose, tested = (_part_size(part, messages) for part in arguments.parts)
    tested = min(tested, messages - learn - choose)
    if tested <= 0:
        parts = "/".join(arguments.parts)
        arguments.usage_error(f"--parts {parts} of {messages} messages leave none to report")
    return learn, choose, tested


def _part_size(part: str, messages: int) -> int:
    size = float(part.removesuffix("%"))
    if part.endswith("%"):
        # Not size * (messages / 100), which rounds 29 messages down to 28.
        size = size * messages / 100
    return min(messages, int(size))


def _compared_methods(mail: TestedMail, arguments: argparse.Namespace) -> Sequence[str]:
    if arguments.methods == "parameters":
        return parameter_choices(mail.method.partition(" ")[0])
    return (mail.method,) if has_method(arguments) else METHODS


def run_first_marks(mail: TestedMail, arguments: argparse.Namespace) -> Evaluation:
    if not {SPAM, HAM} <= set(mail.classes):
        raise KnownError(ErrorCode.BAD_INPUT, "first marks need both spam and good mail")
    cases = [case for case in mail.cases if case.label in (SPAM, HAM)]
    sizes = arguments.sizes or SIZES
    share = arguments.spam_share
    found: dict[int, list[Percents]] = {size: [] for size in sizes}
    for turn in range(arguments.draws):
        draw = Draw.of(cases, turn, share)
        if arguments.pick == "asked":
            run = marks_asked_for(mail.fresh, draw, sizes)
        else:
            run = marks_at_random(mail.fresh, draw, sizes, share)
        for size, percents in run:
            found[size].append(percents)
    means = {size: mean_of(several) for size, several in found.items() if several}
    if not means:
        raise KnownError(
            ErrorCode.NOT_ENOUGH_YET,
            f"fewer than {sizes[0]} messages in addition to the tested ones",
        )

    figures: dict[str, object] = {}
    left_out = len(mail.classes) - len(cases)
    if left_out:
        figures["left_out"] = left_out
    figures["pick"] = arguments.pick
    figures["draws"] = arguments.draws
    figures["spam_share"] = share
    figures["sizes"] = [{"labels": size} | mean for size, mean in means.items()]
    # Equally many messages of each class are tested in every draw.
    spam, ham = draw.tested
    figures["intervals"] = [
        {"labels": size} | intervals_of(mean, spam, ham) for size, mean in means.items()
    ]
    return Evaluation(mail.method, figures)


def run_curve(mail: TestedMail, arguments: argparse.Namespace) -> Evaluation:
    cases = list(mail.cases)
    points: list[LearningPoint] = []
    work = learning_curve(
        mail.trial,
        mail.fresh(),
        cases,
        tested=round(_TESTED_BY_A_CURVE * len(cases)),
        sizes=arguments.sizes or CURVE_SIZES,
        points=points,
        at_once=len(cases),
    )
    drain(work)
    rows: list[dict[str, object]] = []
    for point in points:
        row: dict[str, object] = {"labels": point.labels}
        row |= figures_of(point.unseen, mail.trial.spam_or_ham)
        row["learned_accuracy_percent"] = 100 * point.learned.share
        rows.append(row)
    return Evaluation(mail.method, {"sizes": rows})


RUN: dict[str, Callable[[TestedMail, argparse.Namespace], Evaluation]] = {
    "online": run_online,
    "timeline": run_timeline,
    "split": run_split,
    "first-marks": run_first_marks,
    "curve": run_curve,
    "incremental": run_incremental,
}
"""Protocols by their names."""
