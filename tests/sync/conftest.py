"""Fixtures of the sync tests: servers, backends and account threads that end with the test."""

import os
import random

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

from nbmail.sync.imap.actions import automatic_move, hand_claim
from nbmail.sync.imap.imap_sync import ImapSync
from nbmail.sync.local.local_sync import LocalSync
from nbmail.values import Outcome
from tests.dovecot import PASSWORDS, Dovecot, dovecot, make_dovecot, session_dovecot
from tests.fake_imap import FakeImap, break_off
from tests.faulty_line import FaultyLine
from tests.internet import internet, session_internet
from tests.other_servers import Courier, Cyrus
from tests.sync.homes import Home
from tests.sync.letters import LETTERS
from tests.sync.memory_backend import PATIENCE, MemoryBackend, leave
from tests.waiting import wait_for

__all__ = ["dovecot", "internet", "make_dovecot", "session_dovecot", "session_internet"]

SERVERS = {
    "dovecot": Dovecot,
    "cyrus": Cyrus,
    "courier": Courier,
    # Like Courier without MOVE and reports of changes.
    "poor": lambda: Dovecot(without=("MOVE", "QRESYNC", "CONDSTORE")),
    "no QRESYNC": lambda: Dovecot(without=("MOVE", "QRESYNC")),
    "poorest": lambda: Dovecot(
        without=("MOVE", "QRESYNC", "CONDSTORE", "IDLE", "ENABLE", "SASL-IR", "LIST-EXTENDED")
    ),
}
# With NBMAIL_TORTURE also the next one.
USUAL = 4 if os.environ.get("NBMAIL_TORTURE") else 3


@pytest.fixture(scope="module", params=[*SERVERS][:USUAL])
def running_server(request):
    made = SERVERS[request.param]()
    yield made
    made.close()


@pytest.fixture
def server(running_server):
    """A server of each kind, with empty mailboxes."""
    running_server.empty()
    yield running_server
    running_server.hang_up()


class SmallKeyring(KeyringBackend):
    """Keyring like that of Windows: 1,280 characters an entry.

    `stored`: secrets by user. `left`: writes until it fails.
    """

    priority = 1

    def __init__(self):
        super().__init__()
        self.stored = {}
        self.left = 1_000_000

    def get_password(self, service, username):
        return self.stored.get(username)

    def set_password(self, service, username, password):
        self.left -= 1
        if len(password) > 1280 or self.left < 0:
            raise OSError(1783, "CredWrite")
        self.stored[username] = password

    def delete_password(self, service, username):
        if self.stored.pop(username, None) is None:
            raise PasswordDeleteError(username)


@pytest.fixture
def keys():
    before = keyring.get_keyring()
    made = SmallKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


@pytest.fixture
def backend(monkeypatch):
    """A backend in memory. Claims of automatic moves wait only for a moment."""
    monkeypatch.setattr(automatic_move, "SETTLING", 0.1)
    monkeypatch.setattr(automatic_move, "YIELDING", 0.02)
    monkeypatch.setattr(hand_claim, "YIELDING", 0.02)
    return MemoryBackend()


@pytest.fixture
def fake():
    servers = []

    def start(messages=LETTERS, **wishes):
        servers.append(FakeImap(messages, **wishes))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
    assert [server.problems for server in servers if server.problems] == []


@pytest.fixture
def watch(backend):
    threads = []

    def start(account, password=None, timeout=PATIENCE, load=None):
        known = PASSWORDS.get(account.user, "") if password is None else password
        asked = known if callable(known) else lambda: known
        sync = (
            LocalSync(account, backend)
            if account.path
            else ImapSync(account, backend, asked, timeout=timeout, load=load)
        )
        threads.append(sync)
        sync.waits = 0.02, 0.2
        sync.start()
        return threads[-1]

    yield start
    for thread in threads:
        thread.stop()
    for thread in threads:
        leave(thread)


@pytest.fixture
def move(backend, synced):
    """Factory: `move(server, 5)` moves a message to the spam folder, or does what `send` of the
    backend requests.

    Returns the outcome, of several messages by UID. `first`: called after the synchronization.
    """

    def run(server, *uids, first=lambda: None, send=backend.move, **more):
        thread = synced(server)
        first()
        for uid in uids:
            send(uid, **more)
        thread.wake()
        backend.wait(lambda: len(backend.completed) == len(uids))
        ended = {action.uid: outcome for action, outcome, _ in backend.completed}
        return ended[uids[0]] if len(uids) == 1 else ended

    return run


@pytest.fixture
def sort(backend, move):
    """Factory: `sort(server)` claims message 5, moves it, and returns the outcome."""
    return lambda server, **more: move(server, 5, send=backend.sort, **more)


@pytest.fixture
def interrupted(backend, watch, synced):
    """Factory: the line breaks at a step of an action, and a later run completes it."""

    def run(server, send, step, at, *, answered, killed, **more):
        thread = synced(server)
        count = break_off(server, step, at, answered=answered)
        send(5, **more)
        thread.wake()
        wait_for(lambda: count[0] >= at or backend.completed)
        if killed:
            leave(thread)
            wait_for(lambda: not server.lines)
            server.hooks.clear()
            watch(server.account())
        backend.wait(lambda: backend.outcomes() == [Outcome.DONE])
        assert server.folders[b"Junk"] == {1: LETTERS[5]}
        assert server.folders[b"INBOX"] == {3: LETTERS[3], 8: LETTERS[8]}

    return run


@pytest.fixture
def install(tmp_path):
    """Factory of computers: `install(account)`, `install(account, SortingHome)`."""
    made = []

    def start(account, kind=Home, **more):
        made.append(kind(tmp_path / f"home {len(made)}", account, **more))
        return made[-1]

    yield start
    for home in made:
        home.close()


@pytest.fixture
def faulty_line():
    """Factory of proxies in front of a server's port."""
    made = []

    def start(port, seed=1, faults=0):
        made.append(FaultyLine(port, random.Random(seed), faults))
        return made[-1]

    yield start
    for line in made:
        line.close()


@pytest.fixture
def synced(backend, watch):
    """Factory of synchronized account threads."""

    def start(server, **more):
        thread = watch(server.account(**more))
        backend.wait_synced()
        return thread

    return start
