"""How long the engine is deaf: the slices of every command, with 100,000 messages stored; DESIGN asks for 10 ms.

A click waits for the slice under way, a cancel too; a slice ends where its job looks whether somebody waits. Every
command of `worker.protocol` is run once or more on one home; what nobody asks for (rescoring, folding anew, telling the
window, tidying) is listed as well. Times by the wall clock hold what other processes take away and what the
disk takes to confirm a transaction; times of the processor alone stand beside them.

`--messages N`, `--labels N` (6,000), `--home DIR` (used and changed, instead of one made anew), `--only NAME` (a
command's), `--json`.
"""

import contextlib
import time
from collections import defaultdict
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np

from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.values import Arrival, Delivery, FolderName
from nbmail.worker.engine import announcer, idle, job_queue
from tests.bench._frame import Watch, new_folder, options_of, running_engine, show
from tests.bench.big_home import make_home

GOAL = 10.0
NEW = FolderName("home", "New")
WORDS = (
    "{command:24}{slices:7} slices  longest {longest_ms:8.1f} ms  p99 {p99_ms:7.1f}  median {median_ms:6.2f}"
    "  at work: longest {longest_work_ms:7.1f}  p99 {p99_work_ms:7.1f}"
)


def run(arguments):
    """One line a command: how many slices, the longest, the 99th percentile, the median, and the longest at work."""
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
    """Notes how long each slice took, by whose it was."""

    def __init__(self):
        self.slices = defaultdict(list)
        self.names = {}

    def timed(self, function, name_of):
        """The function, noting each call of it as a slice."""

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
        """Every slice of every engine from now on."""
        parts = [
            (job_queue.Job, "run_slice", lambda job: (getattr(job.callbacks, "_ticket", None), job.priority.name)),
            (announcer.Announcer, "flush_if_due", lambda *_: (None, "telling")),
            (idle.IdleTasks, "tidy", lambda *_: (None, "tidying")),
        ]
        with contextlib.ExitStack() as stack:
            for owner, name, name_of in parts:
                stack.enter_context(patch.object(owner, name, self.timed(getattr(owner, name), name_of)))
            yield self

    def by_name(self):
        """All slices of each command, and of the lanes for what nobody asked for."""
        named = defaultdict(list)
        for (ticket, lane), slices in self.slices.items():
            named[self.names.get(ticket, f"({lane.lower()})") if ticket else f"({lane.lower()})"] += slices
        return named


def measure(home, only):
    """Figures of every command."""
    watch = Watch()
    with Recorder().listening() as recorder, running_engine(home, watch) as running:
        took = walk(running, watch, recorder, home, only)
        # Long enough for it to tidy up.
        time.sleep(2.5)
    return [figures(name, slices, took.get(name)) for name, slices in recorder.by_name().items()]


def walk(running, watch, recorder, home, only):
    """Every command, some in more than one way; how long each took in all."""
    took = {}
    running.backend.deliver(
        Delivery(NEW, 1, arrivals=tuple(new_mail(number) for number in range(1, 301)), complete=True)
    )

    def do(request, *arguments):
        name = getattr(request, "__name__", "import_model")
        if only and only not in name:
            return
        began = time.perf_counter()
        ticket = request(*arguments)
        recorder.names[ticket] = name
        with contextlib.suppress(KnownError):
            ticket.result()
        took[name] = (time.perf_counter() - began) * 1000

    size = len(running.parts.store.word_ids)
    for request, *arguments in (
        (running.list_mail,),
        (running.show_rows, range(size - 350, size - 300)),
        (running.explain, size),
        (running.read_message, size),
        (running.list_journal,),
        (running.set_cost, 20.0),
        (running.set_moving, False),
        (running.mark, (size - 3000,), "junk"),
        (running.mark, range(size - 2500, size - 2000), "junk"),
        (running.undo,),
        (running.redo,),
        (running.label_folder, NEW, "good"),
        (running.preview_moves,),
        (running.score_at, time.time(), range(1, 50)),
        (running.trace_sender, 5),
        (running.find_suspicious_labels,),
        (running.restore, 1),
        (running.undo, None),
        (running.rebuild,),
        (running.export_model, home / "all.nbmodel"),
        (partial(running.import_model, again=True), home / "all.nbmodel"),
        (running.undo, None),
        (running.forget_account, "home"),
    ):
        do(request, *arguments)
    return took


def new_mail(number):
    """A small message."""
    chance = np.random.default_rng(number)
    text = " ".join(f"w{word:x}" for word in chance.integers(0, 5000, 120))
    head = f"From: a{number % 7}@example.org\r\nSubject: no {number}\r\nMessage-ID: <{number}@example.org>\r\n"
    raw = f"{head}\r\n{text}\r\n".encode()
    return Arrival(number, frozenset(), 2e9 + number, raw, len(raw))


def figures(name, slices, took):
    """Of one command."""
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
