"""Time from another client's APPEND to the row of the message, through IDLE, engine and
announcement.

In the same run, how long Dovecot takes to notify a bare IDLE client: it waits half a second on
purpose, and nbmail may take a second more. Once for the inbox, and once for a watched folder
without IDLE.
"""

import contextlib
import statistics
import threading
import time

from nbmail.values import AccountState, Phase
from nbmail.worker.protocol.events import Changed
from tests.bench._frame import (
    PATIENCE,
    Events,
    made_up,
    new_folder,
    options_of,
    running_engine,
    show,
    synced,
)
from tests.dovecot import Dovecot

GOAL = 1.0
STORED = 2000
SECOND = "Lists"
WORDS = """new mail in {folder}: row after {row_seconds:.3f} s, server alone {server_seconds:.3f} s,
  beyond it {beyond_seconds:.3f} s (goal {goal})"""


def run(arguments):
    options = options_of(arguments, __doc__, rounds=15)
    worst = 0.0
    with contextlib.closing(Dovecot()) as server:
        server.put([made_up(number)[1] for number in range(STORED)])
        server.client().create_folder(SECOND)
        for folder in ("INBOX", SECOND):
            pairs = measure(server, options.rounds, folder)
            mine, peer = (statistics.median(each) for each in zip(*pairs, strict=True))
            beyond = [ours - theirs for ours, theirs in pairs]
            found = {
                "row_seconds": mine,
                "server_seconds": peer,
                "beyond_seconds": statistics.median(beyond),
            }
            found = {
                name: round(each, 3)
                for name, each in {**found, "worst_beyond_seconds": max(beyond)}.items()
            }
            show(
                options, {"folder": folder, "rounds": options.rounds, "goal": GOAL, **found}, WORDS
            )
            worst = max(worst, found["beyond_seconds"])
    return 0 if worst < GOAL else 1


def measure(server, rounds, folder):
    """Return pairs of seconds: nbmail's and the bare client's for the same message in that
    folder.
    """
    events = Events()
    account = server.account(poll_seconds=600.0, folders=("INBOX", SECOND))
    watcher = server.client()
    writer = server.client()
    watcher.select_folder(folder, readonly=True)
    with new_folder() as home, running_engine(home, events) as engine, synced(engine, account):
        events.until(lambda event: isinstance(event, AccountState) and event.phase is Phase.SYNCED)
        return [once(events, watcher, writer, folder, number) for number in range(rounds)]


def has_rows(event):
    return isinstance(event, Changed) and event.rows is not None and len(event.rows.messages) > 0


def once(events, watcher, writer, folder, number):
    notified = []

    def wait():
        while not any(b"EXISTS" in each for each in watcher.idle_check(timeout=PATIENCE)):
            pass
        notified.append(time.perf_counter())

    watcher.idle()
    waiting = threading.Thread(target=wait)
    waiting.start()
    # Both clients must be waiting already, and Dovecot must not combine two notifications.
    time.sleep(1.0)
    events.received.clear()
    began = time.perf_counter()
    writer.append(folder, made_up(1_000_000 + number + (500_000 if folder == SECOND else 0))[1])
    row, _ = events.until(has_rows)
    waiting.join(PATIENCE)
    watcher.idle_done()
    return row - began, notified[0] - began
