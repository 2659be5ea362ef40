"""The program as a process, and the contents of its data folder."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from subprocess import PIPE

from nbmail.settings_file import FORMAT
from nbmail.store.doctor import diagnose
from tests.store.helpers import open_store
from tests.waiting import wait_for

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-W", "error", "-X", "faulthandler", "-m", "nbmail"]
PATIENCE = 120.0

LABELS = """
SELECT identity, name FROM labels JOIN messages ON messages.number = message JOIN classes ON \
classes.number = class
"""


def environment(folder, **more):
    """Return environment variables: own home directory, no display, a keyring in a file."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    kept.pop("QT_QPA_PLATFORM", None)
    ours = {
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PYTHON_KEYRING_BACKEND": "tests.e2e.keys.Keys",
    }
    ours["NBMAIL_E2E_KEYS"] = str(folder / "keys.json")
    return {**kept, **ours, **more}


def run_nbmail(folder, *arguments, patience=PATIENCE, **more):
    """Run the program to its end, and return exit code, output and error output."""
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
    """A running program, with its window on `screen` if there is one.

    `lines` and `errors`: its output so far. `data`: its database.
    """

    def __init__(self, folder, *arguments, screen=None, **more):
        self._window = folder / "window.json"
        module = "nbmail"
        if screen:
            # The X server may not have noticed yet that an earlier program has ended.
            wait_for(lambda: not screen.titles(), "an empty screen")
            self._window.unlink(missing_ok=True)
            more |= {
                "DISPLAY": screen.display,
                "QT_QPA_PLATFORM": "xcb",
                "NBMAIL_E2E_WINDOW": str(self._window),
            }
            module = "tests.e2e.pointing"
        home = arguments[arguments.index("--home") + 1] if "--home" in arguments else None
        self.data = home / "data" / "nbmail.sqlite3" if home else None
        command = [*COMMAND[:-1], module, *map(str, arguments)]
        variables = environment(folder, **more)
        self.process = subprocess.Popen(
            command,
            stdout=PIPE,
            stderr=PIPE,
            text=True,
            env=variables,
            cwd=ROOT,
            start_new_session=True,
        )
        self.lines = []
        self.errors = []
        self._readers = [
            threading.Thread(
                target=lambda s=stream, k=kept: k.extend(iter(s.readline, "")), daemon=True
            )
            for stream, kept in (
                (self.process.stdout, self.lines),
                (self.process.stderr, self.errors),
            )
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def freeze(self):
        """Suspend all threads, and wait until they are suspended."""
        self.process.send_signal(signal.SIGSTOP)
        tasks = Path(f"/proc/{self.process.pid}/task")
        while not all(map(_is_suspended, tasks.iterdir())):
            time.sleep(0.001)

    def kill(self):
        self.stop(signal.SIGKILL)

    def stop(self, number=signal.SIGTERM):
        """Send a signal, wait for the end, and return the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.end()[0]

    def end(self):
        """Wait for the end, and return exit code and error output."""
        code = self.process.wait(PATIENCE)
        for reader, stream in zip(
            self._readers, (self.process.stdout, self.process.stderr), strict=True
        ):
            reader.join(PATIENCE)
            stream.close()
        return code, "".join(self.errors)

    def line(self, text):
        """Wait for a line with this text, also among the errors, and return it."""
        found = lambda: next((line for line in [*self.lines, *self.errors] if text in line), None)  # noqa: E731
        return wait_for(found, text, PATIENCE)

    def ask(self, query, *values):
        return ask_copy(self.data, query, *values)

    def labels(self):
        return dict(self.ask(LABELS))

    def count(self, folder="INBOX"):
        counted = self.ask(
            (
                "SELECT count(*) FROM locations JOIN folders ON folders.number = "
                "locations.folder WHERE folders.folder = ?"
            ),
            folder,
        )
        return counted[0][0] if counted else 0

    def wait_for(self, what, come, patience=PATIENCE):
        """Wait for a true result of `come`, and return it. Fail if the program ends."""

        def come_while_it_runs():
            assert self.process.poll() is None, f"the program ended while waiting for {what}"
            return come()

        return wait_for(come_while_it_runs, what, patience, 0.05)

    def until(self, what, wanted):
        """Wait until `wanted` is true of what the window shows, and return that.

        See `pointing`.
        """
        return self.wait_for(what, lambda: wanted(shown := self.shown()) and shown)

    def shown(self):
        """Return what the window shows after this call.

        A report may be under way already: it is skipped.
        """
        latest = self._report()["number"]
        return self.wait_for(
            "the window", lambda: (found := self._report())["number"] > latest + 1 and found
        )

    def _report(self):
        return json.loads(self._window.read_text()) if self._window.exists() else {"number": 0}


def ask_copy(data, query, *values):
    """Query a copy of a database that a program has locked. No rows without a database."""
    # A copy that was made while the files changed would be inconsistent.
    files = wait_for(
        lambda: (found := _contents(data)) == _contents(data) and found,
        "an unchanged database",
        every=0,
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        try:
            with closing(sqlite3.connect(Path(folder) / data.name)) as database:
                return database.execute(query, values).fetchall()
        except sqlite3.DatabaseError:
            return []


def _contents(data):
    found = {}
    for path in (data, data.with_name(f"{data.name}-wal")):
        found[path.name] = b""
        with suppress(FileNotFoundError):
            found[path.name] = path.read_bytes()
    return found


def _is_suspended(task):
    """True if a thread is suspended or has ended."""
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0] == "T"
    except (FileNotFoundError, ProcessLookupError):
        return True


def check_up(home):
    """Return the problems that a check finds in a data folder that is not open."""
    with open_store(Path(home)) as store:
        return [finding for finding in diagnose(store, time.time()).findings if not finding.sound]
