"""From the start of the process to the first rows with 100,000 messages stored, beside an empty PySide6 window.

`window`: its outlines are on the screen; `parts`: everything but the mail; `first rows`: the newest messages.
`--rounds N` (default 5), `--full` (1,000,000 messages), `--json`.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.big_home import make_home

ROUNDS = 5


def run(arguments):
    """Pairs of processes, one after the other; medians and ratios."""
    rounds = int(arguments[arguments.index("--rounds") + 1]) if "--rounds" in arguments else ROUNDS
    size = 1_000_000 if "--full" in arguments else 100_000
    with tempfile.TemporaryDirectory(prefix="nbmail-bench-") as folder:
        make_home(Path(folder), size)
        start("program", 3.0, folder)
        pairs = [(start("program", 0.0, folder), start("empty", 0.0)) for _ in range(rounds)]
    found = {
        "messages": size,
        "window_ms": median(ours["painted_ms"] for ours, _ in pairs),
        "parts_ms": median(ours["parts_painted_ms"] for ours, _ in pairs),
        "first_rows_ms": median(ours["rows_painted_ms"] for ours, _ in pairs),
        "empty_window_ms": median(theirs["painted_ms"] for _, theirs in pairs),
        "window_ratio": median(ours["painted_ms"] / theirs["painted_ms"] for ours, theirs in pairs),
        "parts_ratio": median(ours["parts_painted_ms"] / theirs["painted_ms"] for ours, theirs in pairs),
        "first_rows_ratio": median(ours["rows_painted_ms"] / theirs["painted_ms"] for ours, theirs in pairs),
    }
    if "--json" in arguments:
        print(json.dumps(found))
    else:
        print(
            f"open, {size:,} messages: window painted after {found['window_ms']} ms, all its parts after "
            f"{found['parts_ms']} ms, first rows after {found['first_rows_ms']} ms; empty PySide6 window "
            f"{found['empty_window_ms']} ms: {found['window_ratio']}, {found['parts_ratio']} and "
            f"{found['first_rows_ratio']} times as long"
        )
    return int(found["window_ratio"] > 1.5)


def start(kind, rest_seconds, *more):
    """What such a process says of itself."""
    command = [sys.executable, "-m", "tests.bench.window_child", kind, repr(time.time()), str(rest_seconds), *more]
    # A program that is installed has its bytecode beside it, whatever is set here.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, env=environment)
    return json.loads(ran.stdout.splitlines()[-1])


def median(values):
    """Rounded."""
    return round(statistics.median(values), 2)
