"""The command `nbmail evaluate`: measure the accuracy of methods on labelled mail."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.cli.command import CliCommand
from nbmail.cli.evaluation.options import add_options, check_options
from nbmail.cli.evaluation.tested_mail import TestedMail, opened_mail
from nbmail.cli.evaluation.texts import evaluation_text
from nbmail.cli.messages.sources import unreadable
from nbmail.cli.output import report

if TYPE_CHECKING:
    from nbmail.core.evaluation.trials import ScoredCase


def _run(arguments: argparse.Namespace) -> int:
    check_options(arguments)
    began = time.perf_counter()
    with opened_mail(arguments) as mail:
        from nbmail.cli.evaluation.protocols import RUN

        evaluation = RUN[arguments.protocol](mail, arguments)
    seconds = time.perf_counter() - began
    if arguments.scores is not None:
        labels = _labels_of(mail, evaluation.outcomes, is_shuffled=arguments.random is not None)
        _write_scores(arguments.scores, labels, evaluation.outcomes)
    found: dict[str, object] = {
        "messages": len(mail.classes),
        "classes": len(set(mail.classes)),
        "class_names": sorted(set(mail.classes)),
        "method": evaluation.method,
        "seconds": round(seconds, 3),
        "messages_per_second": round(len(mail.classes) / seconds, 1),
        **evaluation.figures,
    }
    report(arguments, found, evaluation_text(found))
    return 0


def _labels_of(
    mail: TestedMail, outcomes: Sequence[ScoredCase], *, is_shuffled: bool
) -> Sequence[str]:
    """Return the labels of the tested messages, as the index spells them if they are in order."""
    if is_shuffled:
        return [outcome.label for outcome in outcomes]
    # Protocols that test each message once test the last ones, in order.
    return mail.spelled[len(mail.spelled) - len(outcomes) :]


def _write_scores(path: Path, labels: Sequence[str], outcomes: Sequence[ScoredCase]) -> None:
    try:
        with path.open("w", encoding="utf-8", errors="surrogateescape") as file:
            for label, outcome in zip(labels, outcomes, strict=True):
                file.write(f"{label} {outcome.score!r} {outcome.probability!r}\n")
    except OSError as error:
        raise unreadable(path, error) from error


EVALUATE = CliCommand(add_options, _run)
