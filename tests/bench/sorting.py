"""From the delivery of a junk message to its move by automatic sorting.

Dovecot waits half a second on purpose before it reports a new message in IDLE: the figures include that.
"""

import contextlib
import statistics
import tempfile
import time
from pathlib import Path

from nbmail.settings import Security
from tests.bench._frame import options_of, show
from tests.dovecot import Dovecot
from tests.sync.sorting_homes import SortingHome, junk

GOAL = 2.0
PATIENCE = 30.0
WORDS = "junk moved after {median_seconds:.3f} s (median of {rounds}), {worst_seconds:.3f} s (worst, goal {goal})"


def run(arguments):
    options = options_of(arguments, __doc__, rounds=20)
    with contextlib.closing(Dovecot()) as server, tempfile.TemporaryDirectory(prefix="nbmail-bench-") as folder:
        account = server.account(name="home", security=Security.PLAIN, poll_seconds=600.0)
        home = SortingHome(Path(folder), account, 1)
        try:
            writer, watcher = server.client(), server.client()
            times = [once(writer, watcher, number) for number in range(options.rounds)]
        finally:
            home.close()
    figures = {"median_seconds": statistics.median(times), "worst_seconds": max(times)}
    figures = {name: round(seconds, 3) for name, seconds in figures.items()}
    show(options, {"rounds": options.rounds, "goal": GOAL, **figures}, WORDS)
    return 0 if figures["worst_seconds"] < GOAL else 1


def once(writer, watcher, number):
    """Return the seconds until a new junk message is in the junk folder."""
    begun = time.perf_counter()
    writer.append("INBOX", junk(1001 + 2 * number)[0])
    while watcher.folder_status("Junk", ["MESSAGES"])[b"MESSAGES"] <= number:
        if time.perf_counter() - begun > PATIENCE:
            raise TimeoutError("the message was not moved")
        time.sleep(0.005)
    return time.perf_counter() - begun
