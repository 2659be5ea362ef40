"""After a kill at any moment every acknowledged mark is stored, and all derived data is sound."""

import contextlib
import faulthandler
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest

from nbmail.chunks import drain
from nbmail.store.doctor import diagnose
from tests.store.helpers import (
    INBOX,
    Driver,
    fill,
    learned,
    logged_labels,
    open_store,
    quick_folder,
    rebuilt,
    stored_labels,
)

KILLS = 1000 if os.environ.get("NBMAIL_TORTURE") else 16
MESSAGES = 60
# Maximum number of lines that a child writes before it is killed: two for each operation.
LINES = 40
STUCK_AFTER = 600

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks and kills")


class Worker(Driver):
    """Changes a data folder at random.

    Writes the expected labels before and after each operation.
    """

    def __init__(self, home, seed, pipe):
        super().__init__(open_store(home), self.saying)
        self.chance = random.Random(seed)
        self.pipe = pipe
        self.moment = float(seed)
        self.given = {message: (label,) for message, label in self.store.labels.all().items()}

    def say(self, done):
        line = (
            json.dumps([done, sorted(self.labels.items()), len(self.undoable), len(self.redoable)])
            + "\n"
        )
        os.write(self.pipe, line.encode())

    @contextlib.contextmanager
    def saying(self):
        self.say(False)
        yield
        self.say(True)

    def run(self, *more):
        # The expectation lacks the steps of earlier runs, so that each run starts with a new step.
        self.say(True)
        self.mark_some()
        while True:
            self.chance.choice([*self.actions(), *more])()

    def rest_after_a_snapshot(self):
        """Write three lines and one at the end, then do nothing until the kill."""
        self.say(True)
        self.mark_some()
        self.keep()
        self.say(True)
        signal.pause()

    def actions(self):
        marks = [
            self.mark_some,
            self.mark_some,
            self.mark_folder,
            self.learn_some,
            self.undo,
            self.redo,
        ]
        return [*marks, lambda: self.go_back(0, {}), self.keep, self.keep, self.take]

    def mark_some(self):
        messages = self.chance.sample(range(1, MESSAGES + 1), self.chance.randint(1, 20))
        self.mark(messages, self.chance.choice(["spam", "ham", None]))

    def mark_folder(self):
        label = self.chance.choice(["spam", "ham"])
        messages = self.store.folders.messages(INBOX)[:MESSAGES]
        self.mark_in_pieces(messages, label, 15, shuffled=label == "ham")

    def learn_some(self):
        self.learn(
            [
                (self.chance.randint(1, MESSAGES), self.chance.choice(["spam", "ham"]))
                for _ in range(15)
            ]
        )

    def undo(self):
        if self.undoable:
            super().undo()

    def redo(self):
        if self.redoable:
            super().redo()

    def keep(self):
        self.store.model.make_exact()
        drain(self.store.model.write_snapshot())

    def take(self):
        fill(self.store, 10, first=self.chance.randint(100, 100_000))


def run_and_kill(work, wait, lines=1):
    """Run `work` in a child, kill it, and return all that it wrote.

    The kill comes `wait` seconds after `lines` lines.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            # A child that hangs prints its stack and ends.
            faulthandler.register(signal.SIGALRM, sys.__stderr__, chain=True)
            signal.alarm(STUCK_AFTER)
            work(writer)
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as said:
        first = [said.readline() for _ in range(lines)]
        time.sleep(wait)
        os.kill(child, signal.SIGKILL)
        rest = said.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL, (
        "the child failed by itself"
    )
    return [
        json.loads(line) for line in b"".join([*first, rest]).splitlines() if line.endswith(b"]")
    ]


@pytest.fixture
def home():
    folder = Path(tempfile.mkdtemp(prefix="nbmail-kills-", dir=quick_folder()))
    yield folder
    shutil.rmtree(folder)


def is_exact(store):
    """Check that the opened model equals a rebuild from all labels."""
    anew = rebuilt(store)
    if store.model.model.held_out.needs_rescoring:
        store.model.make_exact()
    assert store.model.is_exact
    assert store.model.model.counts == anew.counts
    assert learned(store.model.model) == learned(anew)


def test_a_kill_during_work_loses_no_mark(home):
    with open_store(home) as store:
        fill(store, MESSAGES)
    chance = random.Random(4)
    resumed = 0
    for kill in range(KILLS):
        lines = chance.randint(1, LINES)
        wait = chance.uniform(0, 0.02)
        work = Worker.run if kill % 4 else Worker.rest_after_a_snapshot
        said = run_and_kill(
            lambda pipe, seed=kill, work=work: work(Worker(home, seed, pipe)),
            wait,
            lines if kill % 4 else 4,
        )
        allowed = (
            [dict(labels) for _, labels, _, _ in said[-2:]]
            if not said[-1][0]
            else [dict(said[-1][1])]
        )
        with open_store(home) as store:
            assert store.labels.all() in allowed
            assert store.notes == ()
            assert logged_labels(store) == stored_labels(store)
            resumed += drain(store.model.rebuild_from_snapshot()) is not None
            is_exact(store)
            diagnosis = diagnose(store, 0.0)
            assert diagnosis.sound, diagnosis
    assert resumed >= KILLS // 4, "snapshots must be met"


def test_a_kill_during_creation_leaves_a_usable_folder(home):
    chance = random.Random(6)
    for kill in range(KILLS // 4):
        fresh = home / str(kill)

        def work(pipe, fresh=fresh):
            os.write(pipe, b"[]\n")
            open_store(fresh)
            signal.pause()

        run_and_kill(work, chance.uniform(0, 0.02))
        with open_store(fresh) as store:
            assert diagnose(store, 0.0).sound
