"""Test harness of the engine: requests that wait, recorded events, and a stop at a chosen event."""

import contextlib
import os
import random
import threading
import time
from collections import namedtuple
from functools import partial

import numpy as np
import pytest

from nbmail.chunks import drain
from nbmail.core.scoring.model import Model
from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.store.doctor import diagnose
from nbmail.store.files.connection import Connection
from nbmail.store.store import Store
from nbmail.values import Arrival, Delivery, FolderName
from nbmail.worker.engine.engine import Engine
from nbmail.worker.engine.jobs import Priority
from nbmail.worker.protocol.events import Learned, TicketChanged

INBOX = FolderName("home", "INBOX")
SPAM = FolderName("home", "Junk")
PATIENCE = 180.0
# How many times as many random storms as in the suite.
LONGER = 20 if os.environ.get("NBMAIL_TORTURE") else 1


Done = namedtuple("Done", "ticket result")
Failed = namedtuple("Failed", "ticket error_code detail")
Cancelled = namedtuple("Cancelled", "ticket")
Progress = namedtuple("Progress", "ticket done total so_far")
CLOSING = (Done, Failed, Cancelled)


def noted(event):
    """Return the event, or the change of the ticket that it reports."""
    if not isinstance(event, TicketChanged):
        return event
    ticket = event.ticket
    found = []
    ticket.then(
        lambda result: found.append(Done(ticket, result)),
        failed=lambda each: found.append(Failed(ticket, each.error_code, each.detail)),
        progressed=lambda each: found.append(Progress(ticket, each.done, each.total, each.so_far)),
        cancelled=lambda: found.append(Cancelled(ticket)),
    )
    ticket.deliver(lambda failed: None)
    return found[0]


HAM_WORDS = (
    "meeting tomorrow office report agenda lunch project draft review thanks budget schedule"
)
SPAM_WORDS = "pills cheap winner lottery casino prize viagra bonus urgent transfer million offer"
BOTH_WORDS = "the and you for with this that have from your will are our can about time day"


def mail(number, spam, seed=0):
    """Return an invented message: mostly common words, some of one class."""
    chance = random.Random(f"{seed}/{number}")
    kind = (SPAM_WORDS if spam else HAM_WORDS).split()
    both = BOTH_WORDS.split()
    words = chance.choices(kind, k=6) + chance.choices(both, k=20)
    chance.shuffle(words)
    sender = f"{'offers' if spam else 'anna'}{number % 5}@example.org"
    subject = " ".join(words[:4])
    return (
        f"From: {sender}\r\nTo: me@example.org\r\nSubject: {subject}\r\nMessage-ID: "
        f"<{seed}.{number}@example.org>\r\n"
        f"Date: Mon, 2 Nov 2026 10:00:00 +0000\r\n\r\n{' '.join(words)} {number}\r\n"
    ).encode()


def arrival(number, spam=None, flags=(), uid=None):
    raw = mail(number, number % 2 == 1 if spam is None else spam)
    return Arrival(uid or number, frozenset(flags), 1000.0 + number, raw, len(raw))


def delivery(numbers, folder=INBOX, **more):
    return Delivery(
        folder, 1, arrivals=tuple(arrival(number) for number in numbers), complete=True, **more
    )


class Clock:
    """Clock that advances by a minute at each call."""

    def __init__(self):
        self.now = 1_000_000.0

    def __call__(self):
        self.now += 60.0
        return self.now


def on_engine(engine, work, patience=PATIENCE):
    """Return the result of work with the parts of an engine, on its thread."""
    return engine.start_job(lambda parts, show: work(parts), Priority.MAIL).result(patience)


def wait_until_ready(engine, patience=PATIENCE):
    """Wait until the model is loaded. Raises the error of a data folder that can't be opened."""
    on_engine(engine, lambda parts: None, patience)


class _Waiting:
    """Calls `call` with the name of a request and its arguments."""

    def __init__(self, call):
        self._call = call

    def __getattr__(self, name):
        return partial(self._call, name)


class EngineHarness:
    """Engine under test."""

    def __init__(self, home, settings=None):
        self.paths = Paths.under(home)
        self.settings = settings
        self.clock = Clock()
        self.events = []
        self.woken = []
        self._heard = threading.Condition()
        self._hold = None
        self._held = threading.Event()
        self._go = threading.Event()
        self.engine = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.engine is not None:
            self.stop()

    def start(self):
        self.events.clear()
        self.engine = Engine(
            self.paths, self.clock, self._emit, settings=self.settings, wake=self.call
        )
        self.engine.start()
        return self

    def call(self, account):
        self.woken.append(account)

    def ready(self):
        self.start()
        wait_until_ready(self.engine)
        return self

    def stop(self):
        self._go.set()
        self.engine.stop()

    def again(self):
        """Open the data folder again."""
        self.stop()
        return self.ready()

    def _emit(self, event):
        event = noted(event)
        with self._heard:
            self.events.append(event)
            self._heard.notify_all()
        if self._hold and self._hold(event) and threading.current_thread().name == "engine":
            self._hold = None
            self._held.set()
            assert self._go.wait(PATIENCE)

    def hold(self, wanted, request, *arguments):
        """Make a request, and return its ticket once the engine waits at a `wanted` event."""
        self._held.clear()
        self._go.clear()
        self._hold = wanted
        ticket = request(*arguments)
        assert self._held.wait(PATIENCE)
        return ticket

    def release(self):
        self._go.set()

    @property
    def attempt(self):
        """Requests that wait and return how they ended: `harness.attempt.undo()`."""
        return _Waiting(
            lambda name, *given, **named: self.end_of(getattr(self.engine, name)(*given, **named))
        )

    @property
    def do(self):
        """Requests that must succeed and return their results: `harness.do.undo()`."""
        return _Waiting(self._do)

    def _do(self, name, *given, **named):
        ticket = getattr(self.engine, name)(*given, **named)
        self.end_of(ticket)
        return ticket.result(0)

    def end_of(self, ticket):
        """Return the end of a request."""
        with self._heard:
            assert self._heard.wait_for(lambda: self.ends_of(ticket), PATIENCE), (
                f"no end of {ticket}"
            )
        return self.ends_of(ticket)[0]

    def ends_of(self, ticket):
        return [
            event
            for event in list(self.events)
            if isinstance(event, CLOSING) and event.ticket is ticket
        ]

    def check_up(self, *, repair=False):
        """Return the diagnosis of `nbmail doctor`, while the engine has the data folder open."""
        return self.on_engine(lambda parts: diagnose(parts.store, 9e8, repair=repair))

    def check_rebuilt(self):
        """Check that counts, corrections and scores equal a rebuild. Stops the engine."""
        self.until_exact()
        assert self.check_up().sound
        rows = self.do.list_mail()
        self.stop()
        with Store(self.paths, 0.0) as store:
            model = Model(store.words.vocabulary)
            messages = sorted(rows.messages.tolist())
            for one in store.labels.in_order(most=1000):
                model.learn(one.sample, one.label)
            drain(model.cross_validating())
            samples = store.samples.of(messages)
            by_hand = model.log_odds(model.rows([samples[message] for message in messages]))
        assert np.array_equal(rows.scores.log_odds[np.argsort(rows.messages)], by_hand)

    def on_engine(self, work):
        """Return the result of work on the engine's thread."""
        return on_engine(self.engine, work)

    def until(self, wanted):
        with self._heard:
            assert self._heard.wait_for(
                lambda: any(wanted(event) for event in self.events), PATIENCE
            )
            return next(event for event in self.events if wanted(event))

    def until_exact(self):
        """Wait until the model is exact, and all scores are its own and announced."""

        def is_exact(parts):
            is_scored = parts.scoring.is_current and not parts.updates.is_rescoring
            return parts.store.model.is_exact and is_scored and not parts.changes.pending

        self.look_until(is_exact)

    def settle(self):
        """Wait until the engine has no other job and has announced all changes."""
        self.look_until(lambda parts: len(self.engine._jobs) == 1 and not parts.changes.pending)

    def look_until(self, condition):
        """Wait until a condition is true. Checks get rarer: each interrupts idle time."""
        pause = 0.005
        deadline = time.perf_counter() + PATIENCE
        while not self.on_engine(condition):
            assert time.perf_counter() < deadline
            time.sleep(pause)
            pause = min(2 * pause, 5.0)

    def learned(self):
        return next((event for event in reversed(self.events) if isinstance(event, Learned)), None)

    def deliver(self, *arguments, **more):
        self.engine.backend.deliver(delivery(*arguments, **more))


def until_reread(harness):
    """Wait until no message has outdated words."""
    harness.look_until(lambda parts: not parts.rereading._is_running)


@pytest.fixture
def harness(tmp_path):
    with EngineHarness(tmp_path / "home") as made:
        yield made


@pytest.fixture
def labelled_harness(harness):
    """Engine with a hundred messages, twenty of each class labelled."""

    harness.ready().deliver(range(1, 101))
    harness.do.mark(tuple(range(1, 41, 2)), "spam")
    harness.do.mark(tuple(range(2, 41, 2)), "ham")
    harness.settle()
    harness.events.clear()
    return harness


@pytest.fixture
def quick_idle(monkeypatch):
    """Idle time begins after a moment without requests."""
    monkeypatch.setattr("nbmail.worker.engine.engine_thread.REST", 0.01)
    monkeypatch.setattr("nbmail.worker.engine.engine_thread.LOOK", 0.01)


@pytest.fixture
def no_idle(monkeypatch):
    """Idle tasks never run, however long the test is stopped between two requests."""
    monkeypatch.setattr("nbmail.worker.engine.engine_thread.REST", 3600.0)


@pytest.fixture
def full_disk(monkeypatch):
    """`with full_disk():` nothing can be written."""

    @contextlib.contextmanager
    def full():
        def refuse(*_):
            raise KnownError(ErrorCode.DISK_FULL, "no space")

        with monkeypatch.context() as patch:
            patch.setattr(Connection, "_commit", refuse)
            yield

    return full


def first_progress(event):
    return isinstance(event, Progress)
