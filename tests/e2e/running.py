"""The program itself, started as a user starts it, and what its home holds meanwhile and afterwards."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path

from nbmail.settings import FORMAT
from nbmail.store.doctor import Doctor
from tests.store.helpers import open_store
from tests.waiting import wait_for

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-W", "error", "-X", "faulthandler", "-m", "nbmail"]
PATIENCE = 40.0

LABELS = """
SELECT identity, name FROM labels JOIN messages ON messages.number = message JOIN classes ON classes.number = class
"""


def environment(folder, **more):
    """A user's surroundings: a home of its own, no display unless one is given, passwords from a keyring of ours."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    kept.pop("QT_QPA_PLATFORM", None)
    ours = {"HOME": str(folder), "TMPDIR": str(folder), "PYTHON_KEYRING_BACKEND": "tests.e2e.keys.Keys"}
    ours["NBMAIL_E2E_KEYS"] = str(folder / "keys.json")
    return {**kept, **ours, **more}


def run_nbmail(folder, *arguments, patience=PATIENCE, **more):
    """Run it to its end: exit code, what it printed, what it complained of."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment(folder, **more),
        cwd=ROOT,
        timeout=patience,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def write_settings(home, accounts, **choices):
    path = Path(home) / "config" / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    table = {"format": FORMAT, "accounts": [asdict(account) for account in accounts], **choices}
    path.write_text(json.dumps(table))


def write_passwords(folder, passwords):
    (folder / "keys.json").write_text(json.dumps(passwords))


class Running:
    """A started program, with its window on a screen where one is given. `data` is its database."""

    def __init__(self, folder, *arguments, screen=None, **more):
        more |= {"DISPLAY": screen.display, "QT_QPA_PLATFORM": "xcb"} if screen else {}
        self._complaints = open(folder / "stderr.txt", "w+b")  # noqa: SIM115 - closed with the process
        home = arguments[arguments.index("--home") + 1] if "--home" in arguments else None
        self.data = home / "data" / "nbmail.sqlite3" if home else None
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdout=subprocess.DEVNULL,
            stderr=self._complaints,
            env=environment(folder, **more),
            cwd=ROOT,
            start_new_session=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._complaints.close()

    def freeze(self):
        """Stop all its threads where they are, and wait until they have stopped."""
        self.process.send_signal(signal.SIGSTOP)
        tasks = Path(f"/proc/{self.process.pid}/task")
        while any(_state(task) != "T" for task in tasks.iterdir()):
            time.sleep(0.001)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self, patience=15.0):
        """Wait for its end by itself; the exit code and what it complained of."""
        code = self.process.wait(patience)
        self._complaints.seek(0)
        return code, self._complaints.read().decode()

    def ask(self, query, *values):
        """Look into the database. The program keeps others out, so a copy is read; an unlucky one says nothing."""
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("", "-wal"):
                with suppress(FileNotFoundError):
                    shutil.copy(f"{self.data}{ending}", folder)
            try:
                with closing(sqlite3.connect(Path(folder) / self.data.name)) as database:
                    return database.execute(query, values).fetchall()
            except sqlite3.DatabaseError:
                return []

    def labels(self):
        return dict(self.ask(LABELS))

    def count(self, folder="INBOX"):
        counted = self.ask(
            "SELECT count(*) FROM locations JOIN folders ON folders.number = locations.folder WHERE folders.folder = ?",
            folder,
        )
        return counted[0][0] if counted else 0

    def wait_for(self, what, come, patience=PATIENCE):
        """Wait until `come` answers something true, and return it; the program is not to end meanwhile."""

        def come_while_it_runs():
            assert self.process.poll() is None, f"the program ended while waiting for {what}"
            return come()

        return wait_for(come_while_it_runs, what, patience, 0.05)


def _state(task):
    """What the system says a thread is doing: T for stopped."""
    return (task / "stat").read_text().rpartition(")")[2].split()[0]


def check_up(home):
    """What a check-up finds unsound in a home that nobody has open."""
    with open_store(Path(home)) as store:
        return [finding for finding in Doctor(store, time.time()).check().findings if not finding.sound]
