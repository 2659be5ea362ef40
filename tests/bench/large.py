"""A home of 200,000 messages, 20,000 of them labelled: what takes long where there is much, beside its budget.

Times are of the engine alone, from the command to its end; so much of it as the processor worked for is told too, since
other programs on the machine make the first longer.
"""

import argparse
import json
import random
import tempfile
import threading
import time
from pathlib import Path

from nbmail.paths import Paths
from nbmail.pieces import drain
from nbmail.store.mail.raw_mail import RawMail
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol import Done, Failed, FindSuspicious, GoBack, Mark, Redo, Undo
from tests.bench.big_home import make_home

LABELS = 20_000
# Seconds; None where nothing was promised.
BUDGETS = {
    "1,000 marked at once": 0.5,
    "1,000 undone": 1.5,
    "10,000 marked at once": 3.0,
    "10,000 undone": 1.5,
    "10,000 marked again": 3.0,
    "suspicious labels": 8.0,
    "back to the beginning": 5.0,
}


def run(arguments):
    """With --messages N (200,000 unless told otherwise)."""
    options = argparse.ArgumentParser(prog="large")
    options.add_argument("--messages", type=int, default=200_000)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="nbmail-bench-") as folder:
        found = dict(measure(Path(folder), chosen.messages))
        found["cache: bytes on the disk of those allowed"] = cache(Path(folder))
    print(json.dumps(found) if chosen.json else "\n".join(f"{name:42}{told(one)}" for name, one in found.items()))
    return int(any(one[0] > BUDGETS[name] for name, one in found.items() if name in BUDGETS))


def told(one):
    """In words."""
    return f"{one[0]:8.2f} s, {one[1]:.2f} s of the processor" if isinstance(one, tuple) else f"{one:8.2f}"


def measure(folder, messages):
    """Seconds of each command, and of them those in which the processor worked."""
    make_home(folder, messages, labels=min(LABELS, messages // 2))
    closed, endings = threading.Condition(), {}

    def hear(event):
        if isinstance(event, Done | Failed):
            with closed:
                endings[event.ticket] = event
                closed.notify_all()

    engine = Engine(Paths.under(folder), time.time, hear)
    engine.start()
    engine.wait_until_ready()

    def do(command):
        began, worked = time.perf_counter(), time.process_time()
        ticket = engine.submit(command)
        with closed:
            closed.wait_for(lambda: ticket in endings)
        assert isinstance(endings[ticket], Done), endings[ticket]
        return round(time.perf_counter() - began, 3), round(time.process_time() - worked, 3)

    try:
        first = min(LABELS, messages // 2) + 1
        yield "1,000 marked at once", do(Mark(tuple(range(first, first + 1000)), "junk"))
        yield "1,000 undone", do(Undo())
        yield "10,000 marked at once", do(Mark(tuple(range(first, first + 10_000)), "junk"))
        yield "10,000 undone", do(Undo())
        yield "10,000 marked again", do(Redo())
        yield "suspicious labels", do(FindSuspicious())
        yield "back to the beginning", do(GoBack(1))
    finally:
        engine.stop()


def cache(folder, allowed=20_000_000):
    """How much of what it may the cache of mail takes on the disk, after twice as much came."""
    bodies = RawMail(folder / "mail.sqlite3")
    raw = random.Random(1).randbytes(5000)
    for number in range(2 * allowed // len(raw)):
        bodies.put([(number.to_bytes(16, "big"), raw)], float(number))
    drain(bodies.evicting(allowed))
    bodies.tidy()
    size = bodies.path.stat().st_size
    bodies.close()
    return size / allowed
