"""A first sync cut short: nothing is lost, mixed up or left running."""

import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest

from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.paths import Paths
from nbmail.settings import Security
from nbmail.store.mail.identity import identify
from nbmail.store.store import Store
from nbmail.sync.account import AccountThread, Backoff
from nbmail.values import FolderName
from nbmail.worker.engine.engine import Engine
from tests.core.material import known_sample
from tests.dovecot import PASSWORDS
from tests.e2e.running import PATIENCE, Running, check_up, write_passwords, write_settings
from tests.faulty_line import FaultyLine

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")

TORTURE = bool(os.environ.get("NBMAIL_TORTURE"))
COPIES, ROUNDS = (5, 20) if TORTURE else (2, 1)


@pytest.fixture(scope="module")
def letters():
    """Some hundred messages of the demo, a few times over, no two alike."""
    raws = [one.raw for one in demo_mailbox(demo_folder(), 1_790_000_000.0)]
    return [raw + b"\r\nNumber %d.\r\n" % copy for copy in range(COPIES) for raw in raws]


@pytest.fixture(scope="module")
def mailbox(session_dovecot, letters):
    """A server that has them all."""
    session_dovecot.empty()
    session_dovecot.put(letters)
    yield session_dovecot
    session_dovecot.empty()


def start(folder, home, server):
    write_settings(home, [server.account(watch_junk=False)])
    write_passwords(folder, PASSWORDS)
    return Running(folder, "--home", home, data=home / "data" / "nbmail.sqlite3", QT_QPA_PLATFORM="offscreen")


def stats():
    """Of every process: its number, its parent's and its group's."""
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, parent, group = place.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        yield int(place.parent.name), int(parent), int(group)


def heeds(running, number):
    """Whether it does something of its own at this signal."""
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(status.partition("SigCgt:")[2].split()[0], 16) >> (number - 1) & 1


def is_all_gone(running):
    """Whether nothing is left of all that it started."""
    return not any(group == running.process.pid for _, _, group in stats())


def kill(running):
    running.kill()


def suspend(running):
    """The lid is closed, and opened again."""
    os.killpg(running.process.pid, signal.SIGSTOP)
    time.sleep(0.2)
    os.killpg(running.process.pid, signal.SIGCONT)


def interrupt(running):
    """Ctrl+C reaches all that runs in a terminal."""
    os.killpg(running.process.pid, signal.SIGINT)


def terminate(running):
    """The window is closed, or the system asks the program to end."""
    running.process.send_signal(signal.SIGTERM)


def hang_up(running):
    """The terminal is closed."""
    os.killpg(running.process.pid, signal.SIGHUP)
    running.process.wait(PATIENCE)


DEADLY, OUTLIVED = {kill, hang_up}, {suspend}
ACTS, MORE_ACTS = [kill, interrupt], [hang_up, suspend, terminate]


@pytest.mark.parametrize("act", [*ACTS, *MORE_ACTS] if TORTURE else ACTS)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_first_sync_that_is_cut_short(tmp_path, mailbox, letters, record_property, act, seed):
    chance, home = random.Random(f"{seed} {act.__name__}"), tmp_path / "home"
    with start(tmp_path, home, mailbox) as running:
        some = chance.randrange(0, len(letters) // 2)
        running.wait_for("some mail", lambda: running.count() >= some)
        time.sleep(chance.uniform(0.0, 0.1))
        record_property("kept at that moment", running.count())
        act(running)
        if act in OUTLIVED:
            running.wait_for("all mail", lambda: running.count() == len(letters))
            running.process.send_signal(signal.SIGTERM)
        if act not in DEADLY:
            assert running.end() == (0, "")
        wait_for(lambda: is_all_gone(running))
        assert (tmp_path / "stderr.txt").read_bytes() == b""
    with start(tmp_path, home, mailbox) as running:
        running.wait_for("all mail", lambda: running.count() == len(letters))
        # It may have been all there before.
        running.wait_for("an open ear", lambda: heeds(running, signal.SIGTERM))
        running.process.send_signal(signal.SIGTERM)
        assert running.end() == (0, "")
        wait_for(lambda: is_all_gone(running))
    assert check_up(home) == []
    is_kept_exactly(home, letters)


class Sync:
    """An account that keeps in step through a bad line, with an engine of its own; both can be begun again."""

    def __init__(self, home, account, chance):
        self.home, self.account, self.chance = home, account, chance

    def begin(self):
        self.engine = Engine(Paths.under(self.home), time.time, lambda event: None)
        self.engine.start()
        assert self.engine.wait_until_ready(PATIENCE)
        self.connect()

    def connect(self):
        backoff = Backoff(random.Random(1), first=0.02, longest=0.2)
        self.thread = AccountThread(self.account, self.engine.desk, lambda: PASSWORDS["alice"], backoff=backoff)
        self.thread.start()

    def leave(self):
        self.thread.stop()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()

    def end(self):
        """The engine first, as the program does."""
        self.engine.stop()
        self.leave()

    def connect_again(self):
        self.leave()
        self.connect()

    def begin_again(self):
        self.end()
        self.begin()

    def known(self):
        """How many messages of the folder are stored by now; the desk would say so to its account alone."""
        inbox = FolderName("alice", "INBOX")
        return len(self.engine._queue(lambda intake: intake.remember(inbox)).result(PATIENCE).flags)


@pytest.mark.expects_log
@pytest.mark.parametrize("seed", range(60 if TORTURE else 1))
def test_a_first_sync_in_a_storm(tmp_path, mailbox, letters, record_property, seed):
    chance = random.Random(seed)
    line = FaultyLine(mailbox.port, chance, 6)
    account = mailbox.account(security=Security.PLAIN, port=line.port, poll_seconds=0.05, watch_junk=False)
    sync = Sync(tmp_path / "home", account, chance)
    sync.begin()
    try:
        while line.faults > 0 and sync.known() < len(letters):
            time.sleep(chance.uniform(0.0, 0.15))
            chance.choice([sync.connect_again, sync.begin_again, lambda: None])()
        line.faults = 0
        wait_for(lambda: sync.known() == len(letters))
    finally:
        sync.end()
        line.close()
    record_property("connections", line.connections)
    assert check_up(sync.home) == []
    is_kept_exactly(sync.home, letters)


def wait_for(come):
    deadline = time.monotonic() + PATIENCE
    while not come():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_kept_exactly(home, letters):
    """Every message is there once, with its own words and its own raw mail."""
    with Store(Paths.under(home), time.time()) as store:
        vocabulary = store.words.vocabulary
        assert len(store.messages) == len(letters)
        for raw in letters:
            name = identify(raw)
            number = store.messages.find([name])[name]
            sample = known_sample(vocabulary, raw)
            assert store.messages.samples([number])[number] == sample
            assert store.raw_mail.get(name) == raw
