"""Several installations and another client agree on the latest label of each message."""

import os
import random
import time
from threading import Thread

import pytest

from nbmail.settings import Security
from nbmail.values import Phase
from tests.sync.homes import HAM, SPAM, Thunderbird, wait_agreed
from tests.sync.letters import letters
from tests.waiting import wait_for

TORTURE = bool(os.environ.get("NBMAIL_TORTURE"))
SEEDS, ACTS = (range(20), 120) if TORTURE else (range(2), 40)
BATCH = 60 if TORTURE else 6
CHANGING = ("STORE", "MOVE", "COPY", "EXPUNGE")
SPOKEN = (*CHANGING, "SELECT", "STATUS", "SEARCH", "FETCH", "LIST", "NOOP", "IDLE")


@pytest.fixture(autouse=True)
def _patient_claims(monkeypatch):
    """Let a slow computer not be taken for one that ended between claim and move."""
    monkeypatch.setattr("nbmail.sync.imap.actions.automatic_move.YIELD_CHECKS", 100)


def is_quiet(line):
    """True if no command changes the server during a second."""
    said = commands(line, *CHANGING)
    time.sleep(1.0)
    return commands(line, *CHANGING) == said


@pytest.fixture
def line(server, faulty_line):
    """Proxy in front of the server that records commands."""
    return faulty_line(server.port)


def commands(line, *names):
    said = [each.split(b" ")[1:3] for each in b"".join(line.received).split(b"\r\n")]
    return sum(
        b" ".join(each).decode("latin-1").removeprefix("UID ").split(" ")[0] in names
        for each in said
    )


@pytest.fixture
def homes(server, line, install):
    """Factory: `homes(2, 30, moving=True)` returns two computers that have 30 letters."""

    def start(count, mail, *, moving=False, poll=0.3):
        server.put(letters(mail))
        account = server.account(
            name="home", security=Security.PLAIN, port=line.port, poll_seconds=poll
        )
        made = [install(account, moving=moving) for _ in range(count)]
        wait_for(lambda: all(len(home.places()) == mail for home in made))
        return made

    return start


@pytest.fixture
def thunderbird(server):
    return Thunderbird(server)


@pytest.mark.parametrize("running_server", ["dovecot", "cyrus"], indirect=True)
@pytest.mark.parametrize("count", [2, 3] if TORTURE else [3])
def test_the_same_mark_at_one_moment_leaves_one_copy(homes, thunderbird, count):
    """Moves of users are claimed, where the server has CONDSTORE."""
    made = homes(count, 8 * BATCH, moving=True)
    for first in range(1, 8 * BATCH, BATCH):
        marking = [
            Thread(target=home.mark, args=(range(first, first + BATCH), "spam")) for home in made
        ]
        for each in marking:
            each.start()
        for each in marking:
            each.join()
        wait_for(lambda: not any(home.is_pending() for home in made))
    wait_agreed(made, thunderbird)
    assert [place[:2] for place in thunderbird.everything()] == [
        (n, "Junk") for n in range(1, 8 * BATCH + 1)
    ]
    made[0].undo()
    wait_for(lambda: not any(home.is_pending() for home in made))
    wait_agreed(made, thunderbird)
    assert [place[0] for place in thunderbird.everything()] == list(range(1, 8 * BATCH + 1))


@pytest.mark.parametrize("moving", [False, True])
def test_marks_made_offline_are_sent_at_the_next_connection(homes, thunderbird, moving):
    here, there = both = homes(2, 6, moving=moving)
    there.sleep()
    there.mark([1, 2], "ham")
    here.mark([1, 3], "spam")
    thunderbird.mark(2, "spam", moves=moving)
    thunderbird.mark(4, "ham")
    wait_agreed([here], thunderbird, {1: "spam", 2: "spam", 3: "spam", 4: "ham"})
    there.mark([3], "ham")
    there.undo()
    there.wake()
    wait_agreed(both, thunderbird, {1: "ham", 2: "ham", 3: "spam", 4: "ham"})
    here.mark([1, 2], "spam")
    wait_agreed(both, thunderbird, {1: "spam", 2: "spam", 3: "spam", 4: "ham"})


@pytest.mark.parametrize("running_server", ["dovecot"], indirect=True)
def test_a_change_after_a_broken_connection_is_followed(
    server, homes, line, thunderbird, monkeypatch
):
    """Another client reverts an action before the next one, which the connection interrupted."""
    (home,) = homes(1, 3)
    home.mark([1], "ham")
    thunderbird.carry(2, "Junk")
    wait_agreed([home], thunderbird, {1: "ham"})
    stores = []
    other = server.client()
    other.select_folder("INBOX")

    def revert(data):
        if b" STORE " not in data:
            return False
        stores.append(data)
        if len(stores) == 3:
            other.remove_flags(1, sorted(SPAM))
            other.add_flags(1, sorted(HAM))
        return len(stores) == 3

    monkeypatch.setattr(line, "is_to_cut", revert)
    home.mark([1, 2], "spam")
    wait_agreed([home], thunderbird, {1: "ham", 2: "spam"})
    assert len(stores) > 3


def test_marks_and_moves_of_thunderbird_are_followed(homes, thunderbird):
    both = homes(2, 4, moving=True)
    both[0].mark([1, 2], "spam")
    wait_for(lambda: [folder for _, folder, *_ in both[1].places()].count("Junk") == 2)
    wait_agreed(both, thunderbird)
    thunderbird.mark(1, "ham", moves=True)
    thunderbird.mark(3, "spam", moves=True)
    wait_agreed(both, thunderbird, {1: "ham", 2: "spam", 3: "spam"})
    # All agree already while one keyword of both is missing.
    wait_for(
        lambda: (
            [keywords for number, *_, keywords in thunderbird.everything() if number == 1] == [HAM]
        )
    )


def test_a_move_by_another_client_before_a_redo(homes, thunderbird):
    (home,) = homes(1, 2, moving=True)
    home.mark([1], "spam")
    wait_for(lambda: any(folder == "Junk" for _, folder, *_ in home.places()))
    home.undo()
    wait_for(
        lambda: (
            all(folder == "INBOX" for _, folder, *_ in home.places()) and len(home.places()) == 2
        )
    )
    thunderbird.carry(1, "Junk")
    home.redo()
    wait_agreed([home], thunderbird)


def test_two_copies_of_one_message_go_and_come_back(homes, thunderbird, server):
    (home,) = homes(1, 2, moving=True)
    server.client().append("INBOX", letters(1)[0])
    wait_for(lambda: len(home.places()) == 3)
    home.mark([1], "spam")
    wait_for(lambda: [folder for _, folder, *_ in home.places()].count("Junk") == 2)
    wait_agreed([home], thunderbird)
    assert all(keywords == SPAM for number, *_, keywords in thunderbird.everything() if number == 1)
    home.undo()
    wait_for(lambda: [folder for _, folder, *_ in home.places()].count("INBOX") == 3)
    wait_agreed([home], thunderbird)


@pytest.mark.parametrize("running_server", ["dovecot", "cyrus"], indirect=True)
def test_two_hundred_marks_with_moving_on_are_few_commands(homes, line, thunderbird):
    """Servers without MOVE need more commands."""
    # So that it isn't counted how often it looks while nothing happens.
    (home,) = homes(1, 220, moving=True, poll=60.0)
    wait_for(lambda: commands(line, "IDLE") >= 1)
    changes = commands(line, *CHANGING)
    others = commands(line, *SPOKEN)
    home.mark(range(1, 201), "spam")
    wait_for(lambda: sum(folder == "Junk" for _, folder, *_ in home.places()) == 200)
    wait_agreed([home], thunderbird)
    # A mark of so many is stored in two parts, each of which may be sent alone. How often the home
    # looks is chance.
    assert commands(line, *CHANGING) - changes <= 8
    assert commands(line, *SPOKEN) - others <= 60


# --------------------------------------------------------------------------------------------------
# storms


@pytest.mark.parametrize("seed", SEEDS)
def test_after_random_actions_all_agree_and_no_commands_follow(homes, line, thunderbird, seed):
    chance = random.Random(seed)
    line.faults = 4
    made = homes(2 + seed % 2, 30, moving=seed % 3 > 0)
    for _ in range(ACTS):
        act(chance, made, thunderbird)
        time.sleep(chance.choice([0, 0, 0.02, 0.1]))
    line.faults = 0
    for home in made:
        home.wake()
    wait_agreed(made, thunderbird)
    wait_for(lambda: is_quiet(line))
    wait_agreed(made, thunderbird)
    # Folders are looked at one after the other: what moves meanwhile would be found in both or in
    # none. Two programs that copy one message at the same moment, for want of MOVE, leave it twice.
    # So does Dovecot if a program without claims moves it while another one does.
    found = [number for number, *_ in thunderbird.everything()]
    twice = {number for number in found if found.count(number) > 1}
    assert sorted(set(found)) == list(range(1, 31))
    assert not thunderbird.client.has_capability("MOVE") or twice <= thunderbird.moved
    wait_for(lambda: all(home.phase is Phase.SYNCED for home in made))


@pytest.mark.parametrize("running_server", ["poor", "courier"], indirect=True)
@pytest.mark.parametrize("seed", SEEDS if TORTURE else [1])
def test_lost_answers_and_a_client_without_claims_lose_no_message(homes, line, thunderbird, seed):
    """Without MOVE, another client may interrupt a move between copy and deletion."""
    chance = random.Random(seed)
    made = homes(2, 8, moving=True)
    line.unanswered = {b"STORE": 0.03, b"COPY": 0.1, b"EXPUNGE": 0.1}
    for _ in range(ACTS):
        chance.choice(made).mark(chance.sample(range(1, 9), 2), chance.choice(["spam", "ham"]))
        if chance.random() < 0.5:
            thunderbird.mark(chance.randint(1, 8), chance.choice(["spam", "ham"]), moves=True)
        time.sleep(chance.choice([0, 0.02, 0.1]))
    line.unanswered = {}
    wait_agreed(made, thunderbird)
    assert {number for number, *_ in thunderbird.everything()} == set(range(1, 9))


def act(chance, homes, thunderbird):
    """Do something that a user of one of the programs may do."""
    home = chance.choice(homes)
    letter = chance.randint(1, 30)
    marked = chance.sample(range(1, 31), chance.choice([1, 1, 2, 8]))
    label = chance.choice(["spam", "ham", "spam", "ham", None])
    acts = [lambda: home.mark(marked, label)] * 5
    acts += [home.undo, home.redo, chance.choice([home.sleep, home.wake, home.wake])]
    acts.append(
        lambda: thunderbird.mark(
            letter, chance.choice(["spam", "ham"]), moves=chance.random() < 0.5
        )
    )
    acts.append(lambda: thunderbird.carry(letter, chance.choice(["Junk", "INBOX"])))
    chance.choice(acts)()
