"""Time slices of the engine, for each request, with 100,000 messages stored; DESIGN asks for at most 10 ms.

A click and a cancellation wait for the end of the running slice. Every kind of request runs once or more in one data
folder; rescoring, rebuilds, announcements and idle tasks are listed as well. Wall-clock times include other processes
and the confirmation of transactions by the disk; processor times are next to them.

`--messages N`, `--labels N` (6,000), `--home DIR` (used and changed, instead of a new one), `--only NAME` (of a
request), `--json`.
"""

import contextlib
import time
from collections import defaultdict
from pathlib import Path
from unittest.mock import patch

import numpy as np

from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.values import Arrival, Delivery, FolderName
from nbmail.worker.engine import job_queue, opening
from nbmail.worker.model import updates
from tests.bench._frame import Watch, new_folder, options_of, running_engine, show
from tests.bench.big_home import make_home

GOAL = 10.0
NEW = FolderName("home", "New")
WORDS = (
    "{command:24}{slices:7} slices  longest {longest_ms:8.1f} ms  p99 {p99_ms:7.1f}  median {median_ms:6.2f}"
    "  at work: longest {longest_work_ms:7.1f}  p99 {p99_work_ms:7.1f}"
)


def run(arguments):
    """Print, for each request, number, maximum, 99th percentile and median of its slices."""
    options = options_of(arguments, __doc__, messages=100_000, labels=6000, home=Path(), only="")
    with new_folder() as folder:
        home = folder if options.home == Path() else options.home
        if not Paths.under(home).database.exists():
            make_home(home, options.messages, options.labels)
        found = measure(home, options.only)
    for one in found:
        took = "" if one["took_ms"] is None else f"  in all {one['took_ms']:8,} ms"
        show(options, one, WORDS + took)
    return int(any(one["longest_ms"] > GOAL for one in found))


class Recorder:
    """Durations of slices by ticket and priority."""

    def __init__(self):
        self.slices = defaultdict(list)
        self.names = {}

    def timed(self, function, name_of):
        """Return the function, recording each call as a slice."""

        def call(*arguments):
            name = name_of(*arguments)
            began, worked = time.perf_counter(), time.thread_time()
            try:
                return function(*arguments)
            finally:
                spent = (time.perf_counter() - began) * 1000, (time.thread_time() - worked) * 1000
                self.slices[name].append(spent)

        return call

    @contextlib.contextmanager
    def listening(self):
        """Record the slices of all engines inside the block."""
        parts = [
            (job_queue.Job, "run_slice", lambda job: (getattr(job.cancelled, "__self__", None), job.priority.name)),
            (updates.Changes, "flush_if_due", lambda *_: (None, "telling")),
            (opening.IdleTasks, "tidy", lambda *_: (None, "tidying")),
        ]
        with contextlib.ExitStack() as stack:
            for owner, name, name_of in parts:
                stack.enter_context(patch.object(owner, name, self.timed(getattr(owner, name), name_of)))
            yield self

    def by_name(self):
        """Return the slices by request, and by priority for background work."""
        named = defaultdict(list)
        for (ticket, lane), slices in self.slices.items():
            named[self.names.get(ticket, f"({lane.lower()})") if ticket else f"({lane.lower()})"] += slices
        return named


def measure(home, only):
    """Measure every request."""
    watch = Watch()
    with Recorder().listening() as recorder, running_engine(home, watch) as running:
        took = walk(running, watch, recorder, home, only)
        # Long enough for idle tasks.
        time.sleep(2.5)
    return [figures(name, slices, took.get(name)) for name, slices in recorder.by_name().items()]


def walk(running, watch, recorder, home, only):
    """Run every request. Return the total time of each."""
    took = {}
    running.backend.deliver(
        Delivery(NEW, 1, arrivals=tuple(new_mail(number) for number in range(1, 301)), complete=True)
    )

    def do(name, *arguments):
        if only and only not in name:
            return
        began = time.perf_counter()
        named = {"again": True} if name == "import_model" else {}
        ticket = getattr(running, name)(*arguments, **named)
        recorder.names[ticket] = name
        with contextlib.suppress(KnownError):
            ticket.result()
        took[name] = (time.perf_counter() - began) * 1000

    size = len(running.parts.store.word_ids)
    for name, *arguments in (
        ("list_mail",),
        ("show_rows", range(size - 350, size - 300)),
        ("explain", size),
        ("read_message", size),
        ("list_journal",),
        ("set_cost", 20.0),
        ("set_moving", False),
        ("mark", (size - 3000,), "junk"),
        ("mark", range(size - 2500, size - 2000), "junk"),
        ("undo",),
        ("redo",),
        ("label_folder", NEW, "good"),
        ("preview_moves",),
        ("score_at", time.time(), range(1, 50)),
        ("trace_sender", 5),
        ("find_suspicious_labels",),
        ("restore", 1),
        ("undo", None),
        ("rebuild",),
        ("export_model", home / "all.nbmodel"),
        ("import_model", home / "all.nbmodel"),
        ("undo", None),
        ("forget_account", "home"),
    ):
        do(name, *arguments)
    return took


def new_mail(number):
    """Return a small message."""
    chance = np.random.default_rng(number)
    text = " ".join(f"w{word:x}" for word in chance.integers(0, 5000, 120))
    head = f"From: a{number % 7}@example.org\r\nSubject: no {number}\r\nMessage-ID: <{number}@example.org>\r\n"
    raw = f"{head}\r\n{text}\r\n".encode()
    return Arrival(number, frozenset(), 2e9 + number, raw, len(raw))


def figures(name, slices, took):
    """Return the figures of one request."""
    walls, works = zip(*slices, strict=True)
    return {
        "command": name,
        "slices": len(slices),
        "longest_ms": round(max(walls), 1),
        "p99_ms": round(float(np.percentile(walls, 99)), 1),
        "median_ms": round(float(np.median(walls)), 2),
        "longest_work_ms": round(max(works), 1),
        "p99_work_ms": round(float(np.percentile(works, 99)), 1),
        "took_ms": None if took is None else round(took),
    }
