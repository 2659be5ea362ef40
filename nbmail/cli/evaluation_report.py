"""What `nbmail evaluate` found, as JSON and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbmail.core.evaluation.comparison import Rates
    from nbmail.core.scoring.explanation import Counted

_WORDS = {
    "messages": "messages read",
    "left_out": "messages of classes of their own, left out",
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


def accuracy_columns(rates: Rates) -> dict[str, Any]:
    """How many were put right, of junk and good mail also what verdicts did; each with its 95 % interval."""
    found: dict[str, Any] = {}
    for name in ("accuracy", "junk_caught", "good_lost"):
        counted: Counted | None = getattr(rates, name)
        if counted is not None:
            told = 100 * counted.share if counted.count else None
            found |= {f"{name}_percent": told, f"{name}_interval": [100 * counted.lowest, 100 * counted.highest]}
    return found


def in_words(report: dict[str, Any]) -> str:
    """All of it on some lines, tables below."""
    lines = [f"{_WORDS[key]:52}{_shown(report, key)}" for key in report if key in _WORDS]
    if "methods" in report:
        lines += ["", "on the messages that choose:", *_table(report["methods"])]
        lines += ["", "the chosen one, on messages that nobody had looked at:", *_table([report["chosen"]])]
    if "sizes" in report:
        intervals = report.get("intervals") or [{}] * len(report["sizes"])
        lines += ["", *_table([row | more for row, more in zip(report["sizes"], intervals, strict=True)])]
    return "\n".join(lines)


def _table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    shown = [name for name in _COLUMNS if name in rows[0]]
    widths = {name: max(len(_COLUMNS[name]), *(len(_cell(row, name)) for row in rows)) for name in shown}
    yield "  ".join(_COLUMNS[name].ljust(widths[name]) for name in shown)
    for row in rows:
        yield "  ".join(_cell(row, name).ljust(widths[name]) for name in shown)


def _cell(row: dict[str, Any], name: str) -> str:
    return "-" if row[name] is None else _number(row, name, 2)


def _shown(report: dict[str, Any], name: str) -> str:
    return "not enough messages to say" if report[name] is None else _number(report, name, 3)


def _number(row: dict[str, Any], name: str, digits: int) -> str:
    """With its interval where there is one."""
    if not isinstance(value := row[name], float):
        return str(value)
    interval = row.get(re.sub("percent", "interval", name)) if "percent" in name else None
    return f"{value:.{digits}f}" + (f" ({interval[0]:.2f}–{interval[1]:.2f})" if interval else "")
