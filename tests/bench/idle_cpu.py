"""What nbmail costs while nothing happens: processor time over a minute with four accounts in IDLE, two folders each.

Beside it, in the same run, what `mbsync` costs for one account when it is run once a minute, the usual way.
"""

import contextlib
import itertools
import resource
import subprocess
import threading
import time

from nbmail.values import Phase
from nbmail.worker.protocol.events import AccountChanged
from tests.bench._corpus_mail import made_up
from tests.bench._frame import new_folder, options_of, running_engine, show, synced
from tests.bench.first_sync import mbsync
from tests.dovecot import PASSWORDS, Dovecot

GOAL = 0.2
ACCOUNTS = 4
STORED = 500
PATIENCE = 120.0
WORDS = """idle with {accounts} accounts: {cpu_percent:.3f} % of a processor (goal {goal})
  mbsync for one account once a minute: {mbsync_once_a_minute_cpu_percent:.3f} %"""


def run(arguments):
    options = options_of(arguments, __doc__, seconds=60.0)
    with contextlib.closing(Dovecot()) as server:
        for user in PASSWORDS:
            server.put([made_up(number)[1] for number in range(STORED)], user=user)
        peer = asking_once(server)
        mine = idle(server, options.seconds)
    percent = 100 * mine / options.seconds
    figures = {"accounts": ACCOUNTS, "seconds": options.seconds, "cpu_percent": round(percent, 3), "goal": GOAL}
    show(options, figures | {"mbsync_once_a_minute_cpu_percent": round(100 * peer / 60.0, 3)}, WORDS)
    return 0 if percent < GOAL else 1


def idle(server, seconds):
    """Processor seconds of this process while nothing happens."""
    waiting, ready = set(), threading.Event()

    def emit(event):
        if isinstance(event, AccountChanged) and event.state.phase is Phase.SYNCED:
            waiting.add(event.state.account)
            if len(waiting) == ACCOUNTS:
                ready.set()

    with new_folder() as home, running_engine(home, emit) as engine, contextlib.ExitStack() as stack:
        for account in accounts(server):
            stack.enter_context(synced(engine, account))
        assert ready.wait(PATIENCE), "not all accounts came in step"
        # The engine tidies up after the first sync; that isn't idling.
        time.sleep(10.0)
        before = cpu()
        time.sleep(seconds)
        return cpu() - before


def accounts(server):
    """Each with its junk folder beside the inbox, asked after once a minute."""
    for number, user in enumerate(itertools.islice(itertools.cycle(PASSWORDS), ACCOUNTS)):
        yield server.account(user, name=f"{user}{number}", poll_seconds=60.0)


def asking_once(server):
    """Processor seconds of one `mbsync` that finds nothing new."""
    with new_folder() as home:
        command = mbsync(server, home, "INBOX")
        subprocess.run(command, check=True, timeout=PATIENCE)
        before = cpu(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, timeout=PATIENCE)
        return cpu(resource.RUSAGE_CHILDREN) - before


def cpu(whose=resource.RUSAGE_SELF):
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime
