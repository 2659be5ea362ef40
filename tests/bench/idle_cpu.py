"""Processor time of `nbmail watch` and of the window over an idle minute with four accounts of two
folders each.

In the same run: processor time of `mbsync` for one account once a minute.
"""

import contextlib
import itertools
import os
import subprocess
import time
from pathlib import Path

from tests.bench._frame import made_up, new_folder, options_of, show
from tests.bench.first_sync import mbsync
from tests.dovecot import PASSWORDS, Dovecot
from tests.e2e.running import Running, write_passwords, write_settings

GOAL = 0.2
ACCOUNTS = 4
STORED = 500
PATIENCE = 120.0
REST = 15.0
"""Seconds after the first sync: the engine tidies up then."""
PROGRAMS = {"watch": ("watch",), "window": ()}
WORDS = """idle with {accounts} accounts: {watch:.3f} % of a processor, with a window \
{window:.3f} % (goal {goal})
  mbsync for one account once a minute: {mbsync:.3f} %"""


def run(arguments):
    options = options_of(arguments, __doc__, seconds=60.0)
    with contextlib.closing(Dovecot()) as server:
        for user in PASSWORDS:
            server.put([made_up(number)[1] for number in range(STORED)], user=user)
        peer = polling_once(server)
        used = {name: idle(server, command, options.seconds) for name, command in PROGRAMS.items()}
    percent = {name: round(100 * each / options.seconds, 3) for name, each in used.items()}
    figures = {"accounts": ACCOUNTS, "seconds": options.seconds, "goal": GOAL, **percent}
    show(options, figures | {"mbsync": round(100 * peer / 60.0, 3)}, WORDS)
    return int(max(percent.values()) > GOAL)


def idle(server, command, seconds):
    """Return the processor seconds of an idle program."""
    with new_folder() as folder:
        users = itertools.islice(itertools.cycle(PASSWORDS), ACCOUNTS)
        accounts = [
            server.account(user, name=f"{user}{number}", poll_seconds=60.0)
            for number, user in enumerate(users)
        ]
        write_settings(folder / "home", accounts)
        write_passwords(folder, PASSWORDS)
        with Running(
            folder, *command, "--home", folder / "home", QT_QPA_PLATFORM="offscreen"
        ) as program:
            program.wait_for(
                "the first sync", lambda: program.count() == ACCOUNTS * STORED, PATIENCE
            )
            time.sleep(REST)
            before = used_by(program.process.pid)
            time.sleep(seconds)
            return used_by(program.process.pid) - before


def used_by(process):
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def polling_once(server):
    """Return the processor seconds of one `mbsync` that finds nothing new."""
    with new_folder() as home:
        command = mbsync(server, home, "INBOX")
        subprocess.run(command, check=True, timeout=PATIENCE)
        before = sum(os.times()[2:4])
        subprocess.run(command, check=True, timeout=PATIENCE)
        return sum(os.times()[2:4]) - before
