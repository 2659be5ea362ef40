"""What `nbmail evaluate` found, as JSON and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbmail.core.evaluation.comparison import Rates
    from nbmail.core.evaluation.first_marks import MarkFigures
    from nbmail.core.evaluation.protocols import Figures

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
# Headings of the columns of a table, each as wide as itself.
_COLUMNS = {
    "labels": "labels",
    "method": "method            ",
    "good_lost_percent": "good lost",
    "junk_caught_percent": "junk caught",
    "junk_called_good_percent": "junk called good",
    "unsure_percent": "unsure",
    "calibration_error_percent": "calibration error",
    "allowed_at_0_1_percent": "ranking allows at 0.1 %",
    "allowed_at_0_5_percent": "at 0.5 %",
    "accuracy_percent": "put right, %   ",
    "learned_accuracy_percent": "of what was learned",
}


def figures_of_run(figures: Figures) -> dict[str, Any]:
    """Of a protocol that tests each message once."""
    found: dict[str, Any] = {"reported": figures.reported}
    if not figures.of_junk:
        return found | {"accuracy_percent": figures.accuracy}
    return found | {
        "one_minus_auc_percent": figures.one_minus_auc,
        "fn_percent_at_fp_0_1": figures.missed_at_0_1,
        "fn_percent_at_fp_1": figures.missed_at_1,
        "calibration_error_percent": figures.calibration_error,
        "false_junk": figures.false_junk,
        "missed_junk": figures.missed_junk,
        "unsure_junk": figures.unsure_junk,
        "unsure_good": figures.unsure_good,
    }


def mark_columns(figures: MarkFigures) -> dict[str, float]:
    """Of the first marks, at one number of labels."""
    return {
        "good_lost_percent": figures.good_lost,
        "junk_caught_percent": figures.junk_caught,
        "junk_called_good_percent": figures.junk_called_good,
        "unsure_percent": figures.unsure,
        "calibration_error_percent": figures.calibration_error,
        "allowed_at_0_1_percent": figures.allowed_at_0_1,
        "allowed_at_0_5_percent": figures.allowed_at_0_5,
    }


def accuracy_columns(rates: Rates) -> dict[str, Any]:
    """How many were put right, of junk and good mail also what verdicts did; each with its 95 % interval."""
    found: dict[str, Any] = {}
    for name in ("accuracy", "junk_caught", "good_lost"):
        if (rate := getattr(rates, name)) is not None:
            found |= {f"{name}_percent": rate.percent, f"{name}_interval": [rate.lowest, rate.highest]}
    return found


def in_words(report: dict[str, Any]) -> str:
    """All of it on some lines, tables below."""
    lines = [f"{_WORDS[key]:52}{_shown(value)}" for key, value in report.items() if key in _WORDS]
    if "methods" in report:
        lines += ["", "on the messages that choose:", *_table(report["methods"])]
        lines += ["", "the chosen one, on messages that nobody had looked at:", *_table([report["chosen"]])]
    if "sizes" in report:
        lines += ["", *_table(report["sizes"])]
    return "\n".join(lines)


def _table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    shown = [name for name in _COLUMNS if name in rows[0]]
    widths = {name: max(len(_COLUMNS[name]), *(len(_cell(row, name)) for row in rows)) for name in shown}
    yield "  ".join(_COLUMNS[name].ljust(widths[name]) for name in shown)
    for row in rows:
        yield "  ".join(_cell(row, name).ljust(widths[name]) for name in shown)


def _cell(row: dict[str, Any], name: str) -> str:
    value = row[name]
    if not isinstance(value, float):
        return str(value)
    interval = row.get(name.replace("_percent", "_interval"))
    return f"{value:.2f}" + (f" ({interval[0]:.2f}–{interval[1]:.2f})" if interval else "")


def _shown(value: Any) -> str:
    if value is None:
        return "not enough messages to say"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
