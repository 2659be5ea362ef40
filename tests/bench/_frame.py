"""Shared parts of the benchmarks: options, temporary folders, engines, accounts, mail, and
output.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from nbmail.cli.messages.index_files import indexed_messages
from nbmail.paths import Paths
from nbmail.sync.imap.imap_sync import ImapSync
from nbmail.worker.engine.engine import Engine
from tests.dovecot import PASSWORDS
from tests.worker.conftest import wait_until_ready

PATIENCE = 300.0
_NOT_AS_INSTALLED = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
_WORDS = 4000


def parser_of(description, **defaults):
    """Return a parser of `--json` and of these options. An option with the default False takes no
    value.
    """
    parser = argparse.ArgumentParser(description=description)
    for name, default in {"json": False, **defaults}.items():
        kind = (
            {"action": "store_true"}
            if default is False
            else {"type": type(default), "default": default}
        )
        parser.add_argument(f"--{name.replace('_', '-')}", **kind)
    return parser


def options_of(arguments, description, **defaults):
    return parser_of(description, **defaults).parse_args(arguments)


def show(options, figures, words):
    """Print the figures as JSON, or in the format `words`."""
    print(json.dumps(figures) if options.json else words.format(**figures), flush=True)


@contextmanager
def unless_missing(name):
    """Report what is not measured because a corpus or a program is missing."""
    try:
        yield
    except pytest.skip.Exception as missing:
        print(f"{name}: NOT MEASURED, {missing.msg}", file=sys.stderr)


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
    thread = ImapSync(account, engine.backend, lambda: PASSWORDS[account.user])
    thread.start()
    try:
        yield
    finally:
        thread.stop()
        thread.join()


class Events:
    """Events of an engine with their times."""

    def __init__(self):
        self.received = []
        self._changed = threading.Condition()

    def __call__(self, event):
        with self._changed:
            self.received.append((time.perf_counter(), event))
            self._changed.notify_all()

    def until(self, wanted):
        """Return time and event of the first event that `wanted` accepts."""
        with self._changed:
            self._changed.wait_for(
                lambda: any(wanted(event) for _, event in self.received), PATIENCE
            )
            return next(each for each in self.received if wanted(each[1]))


def as_installed():
    """Return the environment of an installed program: with bytecode files and buffered output."""
    return {name: value for name, value in os.environ.items() if name not in _NOT_AS_INSTALLED}


def child(module, *arguments):
    """Run a module of this folder in another process, and return the JSON in its last line of
    output.
    """
    command = [sys.executable, "-m", f"tests.bench.{module}", *map(str, arguments)]
    environment = {"QT_QPA_PLATFORM": "offscreen", **as_installed()}
    ran = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=600, env=environment
    )
    return json.loads(ran.stdout.splitlines()[-1])


def corpus_mail(count):
    """Return `count` pairs of label and raw mail in the order of a mailbox, and their source:
    generated if necessary.

    Copies of a message are different messages.
    """
    index = Path(os.environ.get("NBMAIL_CORPORA", "/nowhere")) / "spamassassin" / "index"
    if not index.exists():
        return [made_up(number) for number in range(count)], "made-up mail"
    entries = indexed_messages(index)
    mail = []
    for copy, place in (divmod(number, len(entries)) for number in range(count)):
        raw = entries[place].path.read_bytes()
        raw = raw.partition(b"\n")[2] if raw.startswith(b"From ") else raw
        raw += b"\ncopy %d\n" % copy if copy else b""
        mail.append((entries[place].label, raw))
    return mail, "the spamassassin corpus"


def made_up(number):
    """Return a message with a realistic distribution of words, which differs between spam and ham
    mail.
    """
    chance = random.Random(number)
    label = "spam" if number % 3 == 0 else "ham"
    shift = _WORDS // 2 if label == "spam" else 0
    words = [f"word{(int(_WORDS * chance.random() ** 3) + shift) % _WORDS}" for _ in range(300)]
    text = "\n".join(" ".join(words[start : start + 10]) for start in range(0, len(words), 10))
    head = (
        f"From: someone{number % 50}@example.org\nSubject: {' '.join(words[:5])}\nMessage-ID: "
        f"<{number}@made.up>\n"
    )
    return label, f"{head}Date: Mon, 2 Nov 2026 10:00:00 +0000\n\n{text}\n".encode()
