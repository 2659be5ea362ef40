"""Killed, or without power, in the middle of a long undo, redo or journey: what stands is sound and can be led on."""

import json
import os
import random
import shutil
import sys
import threading

import pytest

from nbmail.paths import Paths
from nbmail.store.doctor.doctor import Doctor
from nbmail.store.values import By
from nbmail.worker.engine import announcer
from nbmail.worker.engine.engine import Engine
from nbmail.worker.marking import undo_redo
from nbmail.worker.protocol import Cancel, Cancelled, Done, GoBack, Progress, Redo, Undo
from tests.store.helpers import fill, learned, open_model, open_store, rebuilt
from tests.store.test_kills import run_and_kill
from tests.store.test_power_loss import Disk, library, put, watch

__all__ = ["library"]

MESSAGES = 90
CUTS = 1000 if os.environ.get("NBMAIL_TORTURE") else 90
KILLS = 400 if os.environ.get("NBMAIL_TORTURE") else 40
COMMANDS = [(Undo(), 0), (Redo(), 0), (GoBack(5.0), 0), (Undo(), 0)]
STOPPED = [(Undo(), 3), (Undo(), 0), (Redo(), 2), (Undo(), 0), (Redo(), 0), (GoBack(5.0), 3), (Undo(), 0)]

pytestmark = pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="needs cc on Linux")


@pytest.fixture
def home(tmp_path):
    """Ninety messages, a third marked one after the other, the rest as one step mixed with them."""
    with open_store(tmp_path / "home") as store:
        model, messages = open_model(store), fill(store, MESSAGES)
        for number, message in enumerate(messages[:30]):
            label = ("junk", "good")[number % 2]
            store.marks.mark(model, [message], label, by=By.USER, moment=1.0)
        store.marks.mark(model, messages[30:], "junk", by=By.FOLDER, moment=9.0, mixed=True)
        store.fold(model).keep()
    return tmp_path / "home"


class Walk:
    """Gives commands to an engine, says what begins, and what the labels are when it has ended."""

    def __init__(self, home, pipe):
        undo_redo.PIECE, undo_redo.TOGETHER, announcer.CALM = 4, 3, -1.0
        self.pipe, self.stop_after, self.ticket, self.ended = pipe, 0, 0, threading.Event()
        self.engine = Engine(Paths.under(home), lambda: 100.0, self.hear)
        self.engine.start()
        self.engine.wait_until_ready()

    def say(self, *what):
        os.write(self.pipe, (json.dumps(what) + "\n").encode())

    def hear(self, event):
        if isinstance(event, Progress) and self.stop_after:
            self.stop_after -= 1
            if not self.stop_after:
                self.engine.submit(Cancel(event.ticket))
        if isinstance(event, Done | Cancelled) and event.ticket == self.ticket:
            self.say("ended", sorted(self.engine._office.store.labels.all().items()))
            self.ended.set()

    def do(self, command, stop_after):
        self.ended.clear()
        self.stop_after = stop_after
        self.say("begins", type(command).__name__)
        # Numbered before it can be heard of.
        self.ticket = self.engine.submit(Cancel(0)) + 1
        self.engine.submit(command)
        assert self.ended.wait(20)


def travel(home):
    """In a child with every write noted."""
    failed = 1
    try:
        walk = Walk(home, os.open(home / "said", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
        labels = walk.engine._queue(lambda mailroom: mailroom._office.store.labels.all()).result()
        walk.say("ended", sorted(labels.items()))
        for command, stop_after in COMMANDS + STOPPED:
            walk.do(command, stop_after)
        failed = 0
    finally:
        # Without waiting for the engine's thread.
        os._exit(failed)


def check(home, before, after, led_to):
    """The home as it is found: what was acknowledged is there; from what was under way an undo leads on, or back."""
    with open_store(home) as store:
        found = store.labels.all()
        assert Doctor(store, 0.0).check().sound
        for message in {*before, *after}:
            assert found.get(message) in (before.get(message), after.get(message))
        between = found not in (before, after)
        if between:
            model = open_model(store)
            store.marks.undo(model, moment=200.0)
            assert store.labels.all() == led_to
            model = store.fold(model).keep()
            assert learned(model) == learned(rebuilt(store, model))
            assert Doctor(store, 0.0).check().sound
    return between


def led_to(ends, number):
    """Where an undo leads that follows this command, stopped by whatever: of an undo to its end, else to before."""
    command, stopped = (COMMANDS + STOPPED + [(None, 0)])[number]
    if not isinstance(command, Undo):
        return ends[number]
    return ends[number + (2 if stopped else 1)]


def test_a_power_cut_leaves_what_was_acknowledged_and_a_step_that_can_be_led_on(library, home, tmp_path):
    before, notes = watch(library, home, "travel", "tests.worker.test_cut_off")
    said = b"".join(note.content for note in notes if note.path.name == "said").splitlines()
    ends = [dict(rest[0]) for what, *rest in map(json.loads, said) if what == "ended"]
    assert len(ends) == 1 + len(COMMANDS + STOPPED)
    chance, disk, begun, between, lost = random.Random(3), Disk(before), 0, 0, 0
    cuts = set(chance.sample(range(len(notes)), min(CUTS, len(notes) // 2)))
    count, under_way = 0, False
    for place, note in enumerate(notes):
        if note.path.name == "said":
            what, *_ = json.loads(note.content)
            under_way = what == "begins"
            count += not under_way
        else:
            disk.take(note)
        if place in cuts and count:
            begun += 1
            lost += any(disk.pending.values())
            put(disk.after_a_cut(chance), home, tmp_path / "cut")
            now = ends[count - 1]
            between += check(tmp_path / "cut", now, ends[count] if under_way else now, led_to(ends, count - 1))
            shutil.rmtree(tmp_path / "cut")
    assert begun > len(cuts) // 2
    assert between > len(cuts) // 20, "cuts must fall in the middle of steps"
    assert lost > len(cuts) // 4, "cuts must fall where something can be lost"


def test_killed_on_the_way(home, tmp_path):
    with open_store(home) as store:
        everything = store.labels.all()
        first = {message: everything[message] for message in sorted(everything)[:30]}
    # What each command leads from and to, again and again.
    ways = [("Undo", everything, first), ("Redo", first, everything)]
    ways += [("GoBack", everything, first), ("Undo", first, everything)]
    chance, between = random.Random(4), 0
    for _ in range(KILLS):
        shutil.copytree(home, tmp_path / "killed")

        def work(pipe):
            walk = Walk(tmp_path / "killed", pipe)
            while True:
                for command, stop_after in COMMANDS:
                    walk.do(command, stop_after)

        said = run_and_kill(work, chance.uniform(0.0, 0.25))
        begun = sum(what == "begins" for what, _ in said) - 1
        kind, before, after = ways[begun % len(ways)]
        now = (after, after) if said[-1][0] == "ended" else (before, after)
        between += check(tmp_path / "killed", *now, after if kind == "Undo" else before)
        shutil.rmtree(tmp_path / "killed")
    assert between > KILLS // 10, "kills must fall in the middle of steps"
