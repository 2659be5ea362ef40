"""What nbmail costs while nothing happens: processor time over a minute with four accounts in IDLE, two folders each.

Beside it, in the same run, what `mbsync` costs for one account when it is run once a minute, the usual way.
"""

import argparse
import json
import resource
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from nbmail.paths import Paths
from nbmail.sync.account import AccountThread
from nbmail.values import Phase
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol import AccountChanged
from tests.bench._dovecot_mail import made_up
from tests.bench.first_sync import MBSYNC
from tests.dovecot import PASSWORDS, Dovecot
from tests.needs import need_program
from tests.worker.conftest import wait_until_ready

GOAL = 0.2
ACCOUNTS = 4
STORED = 500
PATIENCE = 120.0


def run(arguments):
    """Measure; 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    server = Dovecot()
    try:
        for user in PASSWORDS:
            server.put([made_up(number)[1] for number in range(STORED)], user=user)
        peer = asking_once(server)
        mine = idle(server, options.seconds)
    finally:
        server.close()
    percent, peer_percent = 100 * mine / options.seconds, 100 * peer / 60.0
    figures = {"accounts": ACCOUNTS, "seconds": options.seconds, "cpu_percent": round(percent, 3), "goal": GOAL}
    figures |= {"mbsync_once_a_minute_cpu_percent": round(peer_percent, 3)}
    if options.json:
        print(json.dumps(figures))
    else:
        print(f"idle with {ACCOUNTS} accounts: {percent:.3f} % of a processor (goal {GOAL})")
        print(f"  mbsync for one account once a minute: {peer_percent:.3f} %")
    return 0 if percent < GOAL else 1


def idle(server, seconds):
    """Processor seconds of this process while nothing happens."""
    with tempfile.TemporaryDirectory() as home:
        paths = Paths.under(Path(home))
        paths.make()
        waiting, ready = set(), threading.Event()

        def emit(event):
            if isinstance(event, AccountChanged) and event.state.phase is Phase.IN_STEP:
                waiting.add(event.state.account)
                if len(waiting) == ACCOUNTS:
                    ready.set()

        engine = Engine(paths, time.time, emit)
        engine.start()
        wait_until_ready(engine, PATIENCE)
        threads = [account_thread(server, engine, number) for number in range(ACCOUNTS)]
        try:
            assert ready.wait(PATIENCE), "not all accounts came in step"
            # The engine tidies up after the first sync; that isn't idling.
            time.sleep(10.0)
            before = cpu()
            time.sleep(seconds)
            return cpu() - before
        finally:
            for thread in threads:
                thread.stop()
                thread.join()
            engine.stop()


def account_thread(server, engine, number):
    """One of the accounts, started: with its junk folder beside the inbox, asked after once a minute."""
    user = list(PASSWORDS)[number % len(PASSWORDS)]
    account = server.account(user, name=f"{user}{number}", poll_seconds=60.0)
    thread = AccountThread(account, engine.desk, lambda: PASSWORDS[user])
    thread.start()
    return thread


def asking_once(server):
    """Processor seconds of one `mbsync` that finds nothing new."""
    with tempfile.TemporaryDirectory() as home:
        near = Path(home) / "mail"
        near.mkdir()
        settings = Path(home) / "mbsyncrc"
        text = MBSYNC.format(
            port=server.tls_port,
            password=PASSWORDS["alice"],
            authority=server.authority,
            near=near,
            tls="SSLType IMAPS",
        )
        settings.write_text(text.replace("Patterns Good Rubbish", "Patterns INBOX"))
        command = [need_program("mbsync"), "-q", "-c", settings, "-a"]
        subprocess.run(command, check=True, timeout=PATIENCE)
        before = cpu(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, timeout=PATIENCE)
        return cpu(resource.RUSAGE_CHILDREN) - before


def cpu(whose=resource.RUSAGE_SELF):
    """Processor seconds so far."""
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime
