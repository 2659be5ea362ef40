"""A first sync cut short while a process takes mail apart: nothing is lost, mixed up or left running."""

import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest
from nbmail.worker.intake.reading_process import WORTH

from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.paths import Paths
from nbmail.settings import Security
from nbmail.store.mail.identity import identities
from nbmail.store.store import Store
from nbmail.sync.account import AccountThread, Backoff
from nbmail.values import Arrival, FolderName
from nbmail.worker.engine.engine import Engine
from tests.core.material import known_sample
from tests.dovecot import PASSWORDS
from tests.e2e.running import PATIENCE, Running, check_up, write_passwords, write_settings
from tests.faulty_line import FaultyLine

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")

TORTURE = bool(os.environ.get("NBMAIL_TORTURE"))
COPIES, ROUNDS = (5, 20) if TORTURE else (3, 1)
MANY = [Arrival(1, frozenset(), 0.0, b"", 0)] * WORTH


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


def reader_of(running):
    """The number of the process that reads mail, 0 while there is none."""
    for number, parent, _ in stats():
        if parent == running.process.pid and b"spawn_main" in command_of(number):
            return number
    return 0


def command_of(number):
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return b""


def heeds(running, number):
    """Whether it does something of its own at this signal."""
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(status.partition("SigCgt:")[2].split()[0], 16) >> (number - 1) & 1


def is_all_gone(running):
    """Whether nothing is left of all that it started."""
    return not any(group == running.process.pid for _, _, group in stats())


def kill_the_program(running, reader):
    running.kill()


def kill_the_reader(running, reader):
    os.kill(reader, signal.SIGKILL)


def kill_both(running, reader):
    os.killpg(running.process.pid, signal.SIGKILL)
    running.process.wait()


def suspend_all(running, reader):
    """The lid is closed, and opened again."""
    os.killpg(running.process.pid, signal.SIGSTOP)
    time.sleep(0.2)
    os.killpg(running.process.pid, signal.SIGCONT)


def interrupt(running, reader):
    """Ctrl+C reaches all that runs in a terminal."""
    os.killpg(running.process.pid, signal.SIGINT)


def terminate(running, reader):
    """The window is closed, or the system asks the program alone to end."""
    running.process.send_signal(signal.SIGTERM)


def terminate_all(running, reader):
    """The system goes down."""
    os.killpg(running.process.pid, signal.SIGTERM)


def hang_up(running, reader):
    """The terminal is closed."""
    os.killpg(running.process.pid, signal.SIGHUP)
    running.process.wait(PATIENCE)


DEADLY, OUTLIVED = {kill_the_program, kill_both, hang_up}, {kill_the_reader, suspend_all}
ACTS = [kill_the_program, kill_the_reader, interrupt, hang_up]
MORE_ACTS = [kill_both, suspend_all, terminate, terminate_all]


@pytest.mark.parametrize("act", [*ACTS, *MORE_ACTS] if TORTURE else ACTS)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_first_sync_that_is_cut_short(tmp_path, mailbox, letters, record_property, act, seed):
    chance, home = random.Random(f"{seed} {act.__name__}"), tmp_path / "home"
    with start(tmp_path, home, mailbox) as running:
        reader = running.wait_for("the process", lambda: reader_of(running))
        some = chance.randrange(0, len(letters) // 2)
        running.wait_for("some mail", lambda: running.count() >= some)
        time.sleep(chance.uniform(0.0, 0.1))
        record_property("kept at that moment", running.count())
        act(running, reader)
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
        self.read = 0

    def begin(self):
        self.engine = Engine(Paths.under(self.home), time.time, lambda event: None)
        reading = self.engine.reading
        read = reading.read

        def counted(arrivals):
            parcels = read(arrivals)
            self.read += len(arrivals) if parcels else 0
            return parcels

        reading.read = counted
        self.engine.start()
        assert self.engine.wait_until_ready(PATIENCE)
        # Ready from the first delivery on: what a storm leaves between two faults may be no more than one.
        wait_for(lambda: read(MANY))
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

    def kill_reader(self):
        if (reader := self.engine.reading._reader) is not None:
            reader.process.kill()

    def connect_again(self):
        self.leave()
        self.connect()

    def begin_again(self):
        self.end()
        self.begin()

    def known(self):
        """How many messages of the folder are stored by now; the desk would say so to its account alone."""
        inbox = FolderName("alice", "INBOX")
        return len(self.engine._queue(lambda mailroom: mailroom.remember(inbox)).result(PATIENCE).flags)


@pytest.mark.expects_log
@pytest.mark.parametrize("seed", range(60 if TORTURE else 2))
def test_a_first_sync_in_a_storm(tmp_path, mailbox, letters, record_property, seed):
    chance = random.Random(seed)
    line = FaultyLine(mailbox.port, chance, 6)
    account = mailbox.account(security=Security.PLAIN, port=line.port, poll_seconds=0.05, watch_junk=False)
    sync = Sync(tmp_path / "home", account, chance)
    sync.begin()
    try:
        wait_for(lambda: sync.read)
        while line.faults > 0 and sync.known() < len(letters):
            time.sleep(chance.uniform(0.0, 0.15))
            chance.choice([sync.kill_reader, sync.connect_again, sync.begin_again, lambda: None])()
        line.faults = 0
        wait_for(lambda: sync.known() == len(letters))
    finally:
        sync.end()
        line.close()
    record_property("read beside the engine", sync.read)
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
            (name,) = store.messages.names([identities(raw)])
            ((_, number),) = store.messages.find([name]).items()
            sample = known_sample(vocabulary, raw)
            assert store.messages.samples([number])[number] == sample
            assert store.raw_mail.get(name) == raw
