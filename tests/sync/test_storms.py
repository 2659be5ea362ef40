"""Random faults by seed, while another client changes the mailbox and we mark, move and restart.

In the end what is known equals what is there, nothing is there twice, nothing is lost, and no one ran hot.
`NBMAIL_TORTURE=1` runs 500 of them.
"""

import os
import random

import pytest

from nbmail.settings import Security
from nbmail.values import Outcome
from tests.dovecot import Dovecot
from tests.faulty_line import FaultyLine
from tests.sync.letters import letter, letters
from tests.sync.memory_desk import until
from tests.sync.test_profiles import known, truth

SEEDS = range(500 if os.environ.get("NBMAIL_TORTURE") else 12)
PROFILES = ({}, {"without": ("MOVE",)}, {"without": ("QRESYNC", "CONDSTORE", "MOVE")}, {"without": ("QRESYNC",)})
FAULTS = 6
LEAST_ACTS, MOST_ACTS = 25, 150


@pytest.fixture(scope="module")
def servers():
    """One server a profile for all storms."""
    made = [Dovecot(**wishes) for wishes in PROFILES]
    yield made
    for server in made:
        server.close()


@pytest.fixture
def storm(servers, request):
    """A server behind a bad line, by the seed of the test."""
    seed = request.getfixturevalue("seed")
    server = servers[seed % len(servers)]
    server.empty()
    line = FaultyLine(server.port, random.Random(seed), FAULTS)
    yield server, line
    line.close()
    server.hang_up()


class Other:
    """Another program on the same mailbox; all that is in `there` must be left, but for what it deleted."""

    def __init__(self, server, chance):
        self.client = server.client()
        self.there = {letter(number) for number in range(1, 61)}
        self.doubtful = set()
        self._chance = chance
        self._next = 1000

    def act(self):
        folder = self._chance.choice(["INBOX", "INBOX", "INBOX", "Junk"])
        self.client.select_folder(folder)
        uids = self.client.search("ALL")
        act = self._chance.randrange(4)
        if act == 0 or not uids:
            self._next += 1
            self.there.add(letter(self._next))
            self.client.append("INBOX", letter(self._next))
            return
        uid = self._chance.choice(uids)
        if act == 1:
            self.client.add_flags([uid], [self._chance.choice(["\\Seen", "work"])])
        elif act == 2:
            self._delete(uid)
        else:
            self._carry(uid, "INBOX" if folder == "Junk" else "Junk")

    def _delete(self, uid):
        raw = self.client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {}).get(b"BODY[]")
        if raw is not None:
            # We may move it away between the two commands, and then it stays.
            self.doubtful.add(raw)
            self.client.delete_messages([uid])
            self.client.uid_expunge([uid])

    def _carry(self, uid, folder):
        if self.client.has_capability("MOVE"):
            self.client.move([uid], folder)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_storm(storm, desk, watch, seed):
    server, line = storm
    chance = random.Random(seed + 1_000_000)
    server.put(letters(60))
    other = Other(server, chance)
    account = server.account(security=Security.PLAIN, poll_seconds=0.05, port=line.port)
    thread = watch(account)
    marked = set()
    for number in range(MOST_ACTS):
        if number >= LEAST_ACTS and line.faults <= 0:
            break
        with desk.changed:
            desk.changed.wait(0.02)
        act = chance.randrange(6)
        if act <= 2:
            other.act()
        elif act == 5 and chance.random() < 0.3:
            thread.stop()
            thread.join(10)
            thread = watch(account)
        else:
            folder = chance.choice(["INBOX", "INBOX", "Junk"])
            fresh = sorted((folder, uid) for uid in desk.flags(folder=folder) if (folder, uid) not in marked)
            if fresh:
                marked.add(chosen := chance.choice(fresh))
                target = "\\Junk" if folder == "INBOX" else "\\Inbox"
                desk.move(chosen[1], target, folder=folder) if act == 3 else desk.keywords(chosen[1], {"$Junk"})
            thread.wake()
    line.faults = 0
    desk.wait(lambda: not desk.outbox)
    client = other.client
    until(lambda: known(desk) == truth(client) and known(desk, "Junk") == truth(client, "Junk"))
    left = [*truth(client)[0].values(), *truth(client, "Junk")[0].values()]
    assert len(left) == len(set(left)), "something is there twice"
    assert other.there - other.doubtful <= set(left) <= other.there
    assert [each for each in desk.settled if each[1] is Outcome.REFUSED] == []
    # One connection for each fault, each restart and the beginning, each with one that listens to Junk, and no more.
    restarts = len([each for each in desk.states if each.phase == "stopped"])
    assert line.connections <= 2 * (FAULTS + restarts + 1)
