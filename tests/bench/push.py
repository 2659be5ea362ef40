"""From another client's APPEND to the row: how long a new message takes through IDLE, engine and announcement.

Beside it, in the same run, how long Dovecot itself takes to tell a bare IDLE client (it waits half a second on
purpose); nbmail has to be in time by less than a second beyond that. Once for the inbox, and once for another watched
folder, of which IDLE on the inbox tells nothing.
"""

import contextlib
import statistics
import threading
import time

from nbmail.values import Phase
from nbmail.worker.protocol.events import AccountChanged, Changed
from tests.bench._corpus_mail import made_up
from tests.bench._frame import new_folder, options_of, running_engine, show, synced
from tests.dovecot import Dovecot

GOAL = 1.0
STORED = 2000
BESIDE = "Lists"
PATIENCE = 60.0
WORDS = """new mail in {folder}: row after {row_seconds:.3f} s, server alone {server_seconds:.3f} s,
  beyond it {beyond_seconds:.3f} s (goal {goal})"""


def run(arguments):
    options = options_of(arguments, __doc__, rounds=15)
    worst = 0.0
    with contextlib.closing(Dovecot()) as server:
        server.put([made_up(number)[1] for number in range(STORED)])
        server.client().create_folder(BESIDE)
        for folder in ("INBOX", BESIDE):
            figures = {"folder": folder, "rounds": options.rounds, "goal": GOAL}
            figures |= summed_up(measure(server, options.rounds, folder))
            show(options, figures, WORDS)
            worst = max(worst, figures["beyond_seconds"])
    return 0 if worst < GOAL else 1


def summed_up(pairs):
    mine, peer = (statistics.median(each) for each in zip(*pairs, strict=True))
    beyond = [ours - theirs for ours, theirs in pairs]
    found = {"row_seconds": mine, "server_seconds": peer, "beyond_seconds": statistics.median(beyond)}
    return {name: round(seconds, 3) for name, seconds in {**found, "worst_beyond_seconds": max(beyond)}.items()}


def measure(server, rounds, folder):
    """Pairs of seconds: nbmail's and the bare client's for the same message in that folder."""
    seen = Seen()
    account = server.account(poll_seconds=600.0, folders=("INBOX", BESIDE))
    watcher, writer = server.client(), server.client()
    watcher.select_folder(folder, readonly=True)
    with new_folder() as home, running_engine(home, seen) as engine, synced(engine, account):
        seen.synced.wait(PATIENCE)
        return [once(seen, watcher, writer, folder, number) for number in range(rounds)]


class Seen:
    """Where the engine's events come out: notes when a new row was announced."""

    def __init__(self):
        self.synced = threading.Event()
        self.row = threading.Event()
        self.at = 0.0

    def __call__(self, event):
        if isinstance(event, AccountChanged) and event.state.phase is Phase.SYNCED:
            self.synced.set()
        elif isinstance(event, Changed) and event.rows is not None and len(event.rows.messages):
            self.at = time.perf_counter()
            self.row.set()


def once(seen, watcher, writer, folder, number):
    """One message: seconds to the row, seconds to the bare client."""
    told = []

    def listen():
        while not any(b"EXISTS" in each for each in watcher.idle_check(timeout=PATIENCE)):
            pass
        told.append(time.perf_counter())

    watcher.idle()
    listener = threading.Thread(target=listen)
    listener.start()
    # Both have to be waiting already: what is measured is the news, not the time between two pieces of news.
    time.sleep(1.0)
    seen.row.clear()
    began = time.perf_counter()
    writer.append(folder, made_up(1_000_000 + number + (500_000 if folder == BESIDE else 0))[1])
    assert seen.row.wait(PATIENCE), "no row came"
    listener.join(PATIENCE)
    watcher.idle_done()
    return seen.at - began, told[0] - began
