"""An interrupted first sync: nothing is lost or mixed up, and no process is left."""

import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from nbmail.core.mail.parser import parse
from nbmail.core.senders.trusted_servers import NO_TRUST
from nbmail.paths import Paths
from nbmail.settings import Security
from nbmail.store.mail.identity import identify
from nbmail.store.store import Store
from nbmail.worker.senders.sender_checks import sample_and_check
from nbmail.worker.senders.trusted_servers import TrustedServers
from tests.demo_letters import raw_letters
from tests.dovecot import PASSWORDS
from tests.e2e.running import PATIENCE, Running, check_up, write_passwords, write_settings
from tests.faulty_line import FaultyLine
from tests.sync.homes import Home
from tests.waiting import wait_for

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="looks for processes in /proc"
)

TORTURE = bool(os.environ.get("NBMAIL_TORTURE"))
COPIES, ROUNDS = (5, 20) if TORTURE else (2, 1)


@pytest.fixture(scope="module")
def letters():
    """Several hundred different messages."""
    return [raw + b"\r\nNumber %d.\r\n" % copy for copy in range(COPIES) for raw in raw_letters()]


@pytest.fixture(scope="module")
def mailbox(session_dovecot, letters):
    """A server with all of them."""
    session_dovecot.empty()
    session_dovecot.put(letters)
    yield session_dovecot
    session_dovecot.empty()


def start(folder, home, server):
    write_settings(home, [server.account(watch_spam=False)])
    write_passwords(folder, PASSWORDS)
    return Running(folder, "--home", home, QT_QPA_PLATFORM="offscreen")


def heeds(running, number):
    """True if the process handles this signal."""
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(status.partition("SigCgt:")[2].split()[0], 16) >> (number - 1) & 1


def is_all_gone(running):
    with suppress(ProcessLookupError):
        os.killpg(running.process.pid, 0)
        return False
    return True


def suspend(group):
    """Suspend and resume, as a closed lid does."""
    os.killpg(group, signal.SIGSTOP)
    time.sleep(0.2)
    os.killpg(group, signal.SIGCONT)


# What happens to the whole process group: Ctrl+C interrupts it, and a closed terminal hangs up.
ACTS = {
    "kill": lambda group: os.kill(group, signal.SIGKILL),
    "interrupt": lambda group: os.killpg(group, signal.SIGINT),
    "hang up": lambda group: os.killpg(group, signal.SIGHUP),
    "suspend": suspend,
    "terminate": lambda group: os.kill(group, signal.SIGTERM),
}


@pytest.mark.parametrize("act", [*ACTS] if TORTURE else ["kill", "interrupt"])
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_an_interrupted_first_sync_loses_nothing(
    tmp_path, mailbox, letters, record_property, act, seed
):
    chance = random.Random(f"{seed} {act}")
    home = tmp_path / "home"
    with start(tmp_path, home, mailbox) as running:
        some = chance.randrange(1, len(letters) // 2)
        running.wait_for("some mail", lambda: running.count() >= some)
        time.sleep(chance.uniform(0.0, 0.1))
        record_property("kept at that moment", running.count())
        ACTS[act](running.process.pid)
        if act == "suspend":
            running.wait_for("all mail", lambda: running.count() == len(letters))
            running.process.send_signal(signal.SIGTERM)
        code, errors = running.end()
        assert errors == "" and (code == 0 or act in ("kill", "hang up"))
        wait_for(lambda: is_all_gone(running), timeout=PATIENCE)
    with start(tmp_path, home, mailbox) as running:
        running.wait_for("all mail", lambda: running.count() == len(letters))
        # It may have been all there before.
        running.wait_for("an open ear", lambda: heeds(running, signal.SIGTERM))
        assert (running.stop(), running.errors) == (0, [])
        wait_for(lambda: is_all_gone(running), timeout=PATIENCE)
    assert check_up(home) == []
    check_kept_exactly(home, letters)


@pytest.mark.expects_log
@pytest.mark.parametrize("seed", range(60 if TORTURE else 1))
def test_a_first_sync_with_many_failures_loses_nothing(
    tmp_path, mailbox, letters, record_property, seed
):
    """The connection breaks, the account reconnects, and the program ends and starts again."""
    chance = random.Random(seed)
    path = tmp_path / "home"
    line = FaultyLine(mailbox.port, chance, 6)
    account = mailbox.account(
        security=Security.PLAIN, port=line.port, poll_seconds=0.05, watch_spam=False
    )
    home = Home(path, account)
    try:
        while line.faults > 0 and home.count() < len(letters):
            time.sleep(chance.uniform(0.0, 0.15))
            act = chance.choice(["connect", "begin", ""])
            if act == "begin":
                home.engine.stop()
            if act:
                home.sleep()
                home = Home(path, account) if act == "begin" else home
                home.wake()
        line.faults = 0
        wait_for(lambda: home.count() == len(letters), timeout=PATIENCE)
    finally:
        home.engine.stop()
        home.sleep()
        line.close()
    record_property("connections", line.connections)
    assert check_up(path) == []
    check_kept_exactly(path, letters)


def check_kept_exactly(home, letters):
    """Fail unless each message is stored once, with words, facts about its sender, and raw."""
    with Store(Paths.under(home), time.time()) as store:
        vocabulary = store.words.vocabulary
        assert len(store.messages) == len(letters)
        for raw in letters:
            name = identify(raw)
            number = store.messages.find([name])[name]
            trust = TrustedServers(store).of_messages([number]).get(number, NO_TRUST)
            known = store.people.stored([number]).get(number)
            samples = [
                sample_and_check(parse(raw), vocabulary, each, known)[0]
                for each in (NO_TRUST, trust)
            ]
            assert store.samples.of([number])[number] in samples
            assert store.raw_mail.get(name) == raw
