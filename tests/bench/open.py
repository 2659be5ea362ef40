"""Time from process start to the first rows with 100,000 messages stored, next to an empty PySide6
window.

`window`: the first paint; `first rows`: the newest messages.
"""

import statistics
import time

from tests.bench._big_home import make_home
from tests.bench._frame import child, new_folder, options_of, show

GOAL = 5.0
WORDS = """open, {messages:,} messages: first rows after {first_rows_ms} ms (window painted \
after {window_ms} ms);
empty PySide6 window {empty_window_ms} ms: {first_rows_ratio} times as long (goal {goal})"""
PAINTED = {"window": "painted_ms", "first_rows": "rows_painted_ms"}


def run(arguments):
    options = options_of(arguments, __doc__, rounds=5, messages=100_000)
    with new_folder() as folder:
        make_home(folder, options.messages)
        start("program", 3.0, folder)
        pairs = [
            (start("program", 0.0, folder), start("empty", 0.0)) for _ in range(options.rounds)
        ]
    found = {"messages": options.messages, "goal": GOAL}
    found["empty_window_ms"] = median(theirs["painted_ms"] for _, theirs in pairs)
    for name, painted in PAINTED.items():
        found[f"{name}_ms"] = median(ours[painted] for ours, _ in pairs)
        found[f"{name}_ratio"] = median(
            ours[painted] / theirs["painted_ms"] for ours, theirs in pairs
        )
    show(options, found, WORDS)
    return int(found["first_rows_ratio"] > GOAL)


def start(kind, rest_seconds, *more):
    """Return the report of a child process of this kind."""
    return child("_window_child", kind, repr(time.time()), rest_seconds, *more)


def median(values):
    return round(statistics.median(values), 2)
