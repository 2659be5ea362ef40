"""What was read here is read on the server, and what was read there is read here: a real server, a whole home."""

import random

import numpy as np
import pytest

from nbmail.worker.protocol import ListMail
from nbmail.worker.protocol.reading import MarkRead
from tests.sync.homes import Home
from tests.sync.letters import letters
from tests.sync.memory_backend import until


@pytest.fixture
def home(dovecot, tmp_path):
    dovecot.put(letters(4))
    made = Home(tmp_path, dovecot.account(name="home", poll_seconds=0.3), random.Random(1))
    until(lambda: len(made.places()) == 4)
    yield made
    made.close()


def read_here(home):
    rows = home.do(ListMail())
    return set(np.asarray(rows.messages)[~np.asarray(rows.unread)].tolist())


def read_there(dovecot):
    """The UIDs that the server calls seen."""
    client = dovecot.client()
    client.select_folder("INBOX", readonly=True)
    return set(client.search("SEEN"))


def test_reading_reaches_the_server_and_comes_from_it(home, dovecot):
    uid_of = dict(home.read("SELECT message, uid FROM locations"))
    home.do(MarkRead((1, 2)))
    assert read_here(home) == {1, 2}
    until(lambda: read_there(dovecot) == {uid_of[1], uid_of[2]})
    client = dovecot.client()
    client.select_folder("INBOX")
    client.add_flags([uid_of[3]], ["\\Seen"])
    client.remove_flags([uid_of[1]], ["\\Seen"])
    until(lambda: read_here(home) == {2, 3})
    home.sleep()
    home.do(MarkRead((2, 4), read=False))
    home.do(MarkRead((4,)))
    assert read_here(home) == {3, 4}
    home.wake()
    until(lambda: read_there(dovecot) == {uid_of[3], uid_of[4]})
    assert read_here(home) == {3, 4}
    until(lambda: home.read("SELECT count(*) FROM outbox") == [(0,)])
