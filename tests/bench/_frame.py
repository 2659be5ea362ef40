"""Shared parts of the benchmarks: options, temporary folders, engines, accounts, and output."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from nbmail.paths import Paths
from nbmail.sync.account import AccountThread
from nbmail.worker.engine.engine import Engine
from tests.dovecot import PASSWORDS
from tests.worker.conftest import wait_until_ready

_NOT_AS_INSTALLED = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")


def parser_of(description, **defaults):
    """Return a parser of `--json` and of these options. An option with the default False takes no value."""
    parser = argparse.ArgumentParser(description=description)
    for name, default in {"json": False, **defaults}.items():
        kind = {"action": "store_true"} if default is False else {"type": type(default), "default": default}
        parser.add_argument(f"--{name.replace('_', '-')}", **kind)
    return parser


def options_of(arguments, description, **defaults):
    return parser_of(description, **defaults).parse_args(arguments)


def show(options, figures, words):
    """Print the figures as JSON, or in the format `words`."""
    print(json.dumps(figures) if options.json else words.format(**figures), flush=True)


@contextmanager
def new_folder():
    with tempfile.TemporaryDirectory(prefix="nbmail-bench-") as folder:
        yield Path(folder)


@contextmanager
def running_engine(home, emit=lambda event: None):
    """Yield an engine that has loaded its model."""
    paths = Paths.under(home)
    paths.make()
    engine = Engine(paths, time.time, emit)
    engine.start()
    try:
        wait_until_ready(engine, None)
        yield engine
    finally:
        engine.stop()


@contextmanager
def synced(engine, account):
    """Synchronize an account of a test server in this context."""
    thread = AccountThread(account, engine.backend, lambda: PASSWORDS[account.user])
    thread.start()
    try:
        yield
    finally:
        thread.stop()
        thread.join()


class Watch:
    def __init__(self):
        self.heard = []
        self._changed = threading.Condition()

    def __call__(self, event):
        with self._changed:
            self.heard.append((time.perf_counter(), event))
            self._changed.notify_all()

    def until(self, wanted, patience=600.0):
        """Return the time of the first event that `wanted` accepts."""
        with self._changed:
            self._changed.wait_for(lambda: any(wanted(event) for _, event in self.heard), patience)
            return next(moment for moment, event in self.heard if wanted(event))


def as_installed():
    """Return the environment of an installed program: with bytecode files and buffered output."""
    return {name: value for name, value in os.environ.items() if name not in _NOT_AS_INSTALLED}


def child(module, *arguments):
    """Run a module of this folder in another process, and return the JSON in its last line of output."""
    command = [sys.executable, "-m", f"tests.bench.{module}", *map(str, arguments)]
    environment = {"QT_QPA_PLATFORM": "offscreen", **as_installed()}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600, env=environment)
    return json.loads(ran.stdout.splitlines()[-1])
