"""Text of an evaluation: figures with their intervals, and tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# Compared messages below which the report warns that the best method is flattered.
_FEW = 500
_NAME_WIDTH = 52

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
    "missed_spam": "missed spam (classified as ham)",
    "unsure_spam": "spam left unsure",
    "unsure_ham": "good mail left unsure",
}
# Headings of the columns of a table. Each is as wide as its heading.
_COLUMNS = {
    "labels": "labels",
    "method": "method            ",
    "ham_lost_percent": "ham lost",
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

Row = Mapping[str, Any]


def evaluation_text(report: Row) -> str:
    """Return the text of a report, whose figures have their names in the JSON."""
    lines: list[str] = []
    for name, value in report.items():
        if name in _FIGURES:
            figure = "too few messages" if value is None else _figure(report, name, 3)
            lines.append(f"{_FIGURES[name]:{_NAME_WIDTH}}{figure}")
    flattered = report.get("flattered_percent")
    if flattered is not None and report["parts"][1] < _FEW:
        lines += ["", *_warning(report["parts"][1], flattered)]
    if "methods" in report:
        lines += ["", "on the selection part:", *_table(report["methods"])]
        lines += ["", "selected method, on the report part:", *_table([report["chosen"]])]
    if "sizes" in report:
        lines += ["", *_table(_with_intervals(report))]
    return "\n".join(lines)


def _warning(compared: int, points: float) -> tuple[str, str]:
    return (
        f"warning: compared on only {compared} messages, where the best looks better than it is "
        f"by about",
        f"{points:.1f} points of accuracy. The figures above, on the report part, don't.",
    )


def _with_intervals(report: Row) -> list[Row]:
    """Return the rows for each number of labels, with their intervals if there are any."""
    rows: list[Row] = report["sizes"]
    intervals = report.get("intervals")
    if intervals is None:
        return rows
    return [{**row, **more} for row, more in zip(rows, intervals, strict=True)]


def _figure(row: Row, name: str, digits: int) -> str:
    """Return a figure with its interval, if there is one."""
    value = row[name]
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.{digits}f}"
    interval = row.get(name.replace("percent", "interval")) if "percent" in name else None
    if interval is None:
        return text
    lowest, highest = interval
    return f"{text} ({lowest:.2f}–{highest:.2f})"


def _table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a table, headings first."""
    columns: list[list[str]] = []
    for name, heading in _COLUMNS.items():
        if name in rows[0]:
            cells = ["-" if row[name] is None else _figure(row, name, 2) for row in rows]
            columns.append([heading, *cells])
    widths = [max(map(len, column)) for column in columns]
    for line in zip(*columns, strict=True):
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
