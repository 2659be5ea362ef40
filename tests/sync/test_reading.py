"""Read and unread messages are synchronized in both directions with a real server."""

import numpy as np
import pytest

from tests.sync.letters import letters
from tests.waiting import wait_for


@pytest.fixture
def home(dovecot, install):
    dovecot.put(letters(4))
    made = install(dovecot.account(name="home", poll_seconds=0.3))
    wait_for(lambda: len(made.places()) == 4)
    return made


def read_here(home):
    rows = home.do.list_mail()
    return set(np.asarray(rows.messages)[~np.asarray(rows.unread)].tolist())


def read_there(client):
    """Return the UIDs that are \\Seen on the server."""
    client.select_folder("INBOX", readonly=True)
    return set(client.search("SEEN"))


def test_reading_reaches_the_server_and_comes_from_it(home, dovecot):
    client = dovecot.client()
    uid_of = dict(home.read("SELECT message, uid FROM locations"))
    home.do.mark_read((1, 2))
    assert read_here(home) == {1, 2}
    wait_for(lambda: read_there(client) == {uid_of[1], uid_of[2]})
    client.select_folder("INBOX")
    client.add_flags([uid_of[3]], ["\\Seen"])
    client.remove_flags([uid_of[1]], ["\\Seen"])
    wait_for(lambda: read_here(home) == {2, 3})
    home.sleep()
    home.do.mark_read((2, 4), read=False)
    home.do.mark_read((4,))
    assert read_here(home) == {3, 4}
    home.wake()
    wait_for(lambda: read_there(client) == {uid_of[3], uid_of[4]})
    assert read_here(home) == {3, 4}
    wait_for(lambda: home.read("SELECT count(*) FROM outbox") == [(0,)])
