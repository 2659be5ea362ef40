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
from pathlib import Path
from unittest.mock import patch

import numpy as np

from nbmail.paths import Paths
from nbmail.values import Arrival, Delivery, FolderName
from nbmail.worker import protocol
from nbmail.worker.engine import announcer, engine_state, job_queue
from tests.bench._frame import Watch, new_folder, options_of, running_engine, show
from tests.bench.big_home import make_home

GOAL = 10.0
CLOSING = (protocol.Done, protocol.Failed, protocol.Cancelled)
NEW = FolderName("home", "New")
WORDS = (
    "{command:20}{slices:7} slices  longest {longest_ms:8.1f} ms  p99 {p99_ms:7.1f}  median {median_ms:6.2f}"
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
            (job_queue.Job, "work", lambda job: (job.ticket, job.lane.name)),
            (announcer.Announcer, "flush_if_due", lambda *_: (0, "telling")),
            (engine_state.EngineState, "tidy", lambda *_: (0, "tidying")),
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

    def do(name, command):
        if only and only not in name:
            return None
        began = time.perf_counter()
        ticket = running.submit(command)
        recorder.names[ticket] = name
        watch.until(lambda event: isinstance(event, CLOSING) and event.ticket == ticket)
        took[name] = (time.perf_counter() - began) * 1000
        end = next(event for _, event in watch.heard if isinstance(event, CLOSING) and event.ticket == ticket)
        if not isinstance(end, protocol.Done):
            print(f"({name}: {end})", flush=True)
        return getattr(end, "result", None)

    size = len(running._state.store.word_ids)
    do("ListMail", protocol.ListMail())
    do("ShowRows", protocol.ShowRows(tuple(range(size - 350, size - 300))))
    do("Explain", protocol.Explain(size))
    do("ReadMessage", protocol.ReadMessage(size))
    do("ShowJournal", protocol.ShowJournal())
    do("SetCost", protocol.SetCost(20.0))
    do("SetMoving", protocol.SetMoving(False))
    do("Mark 1", protocol.Mark((size - 3000,), "junk"))
    do("Mark 500", protocol.Mark(tuple(range(size - 2500, size - 2000)), "junk"))
    do("Undo 500", protocol.Undo())
    do("Redo 500", protocol.Redo())
    do("LabelFolder 300", protocol.LabelFolder(NEW, "good"))
    do("PreviewMoves", protocol.PreviewMoves())
    do("LookBack", protocol.LookBack(time.time(), tuple(range(1, 50))))
    do("TraceSender", protocol.TraceSender(5))
    do("FindSuspicious", protocol.FindSuspicious())
    do("GoBack to nothing", protocol.GoBack(1))
    do("Undo GoBack", protocol.Undo())
    do("Relearn", protocol.Relearn())
    do("ExportModel", protocol.ExportModel(home / "all.nbmodel"))
    do("ImportModel", protocol.ImportModel(home / "all.nbmodel", again=True))
    do("Undo ImportModel", protocol.Undo())
    do("ForgetAccount", protocol.ForgetAccount("home"))
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
