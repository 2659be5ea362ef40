"""The label of a message everywhere becomes the one given last, by whoever: several homes and another client."""

import random

import pytest

from nbmail.settings import Security
from tests.faulty_line import FaultyLine
from tests.sync.homes import GOOD, JUNK, Home, Thunderbird, wait_agreed
from tests.sync.letters import letters
from tests.sync.memory_desk import until


@pytest.fixture
def line(dovecot):
    """A line to the server that writes down what is said on it."""
    made = FaultyLine(dovecot.port, random.Random(1), 0)
    yield made
    made.close()


@pytest.fixture
def homes(dovecot, line, tmp_path):
    """`homes(2, letters, moving=True)` are homes that have seen so many letters."""
    made = []

    def start(count, mail, *, moving=False):
        dovecot.put(letters(mail))
        account = dovecot.account(name="home", security=Security.PLAIN, port=line.port, poll_seconds=0.3)
        for number in range(count):
            made.append(Home(tmp_path / str(number), account, random.Random(number), moving))
        until(lambda: all(len(home.places()) == mail for home in made))
        return made

    yield start
    for home in made:
        home.close()


@pytest.fixture
def thunderbird(dovecot):
    return Thunderbird(dovecot)


@pytest.mark.parametrize("moving", [False, True])
def test_a_mark_its_change_and_its_undo_reach_the_other_home(homes, thunderbird, moving):
    here, there = homes(2, 6, moving=moving)
    here.mark([1, 2, 3], "junk")
    wait_agreed([here, there], thunderbird)
    assert there.labels() == dict.fromkeys((1, 2, 3), "junk")
    there.mark([1], "good")
    here.undo()
    wait_agreed([here, there], thunderbird)
    here.redo()
    here.mark([4, 5], "good")
    here.mark([4], "junk")
    wait_agreed([here, there], thunderbird)
    here.undo()
    here.mark([5], None)
    wait_agreed([here, there], thunderbird)
    assert there.labels()[4] == "good" and 5 not in there.labels()


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("offline", [False, True])
def test_conflicting_marks_agree_in_the_end(homes, thunderbird, moving, offline):
    here, there = both = homes(2, 20, moving=moving)
    if offline:
        there.sleep()
    here.mark(range(1, 21), "junk")
    there.mark(range(1, 21), "good")
    there.wake()
    wait_agreed(both, thunderbird)
    assert len(there.labels()) == 20


def test_what_we_said_ourselves_is_no_news(homes, thunderbird):
    (home,) = homes(1, 3)
    for _ in range(3):
        home.mark([1], "good")
        wait_agreed([home], thunderbird)
        home.undo()
        wait_agreed([home], thunderbird)
        assert home.labels() == {}


def test_what_thunderbird_marks_and_moves_is_followed_wholly(homes, thunderbird):
    both = homes(2, 4, moving=True)
    both[0].mark([1, 2], "junk")
    until(lambda: [folder for _, folder, *_ in both[1].places()].count("Junk") == 2)
    wait_agreed(both, thunderbird)
    thunderbird.mark(1, "good", moves=True)
    thunderbird.mark(3, "junk", moves=True)
    wait_agreed(both, thunderbird, {1: "good", 2: "junk", 3: "junk"})
    assert {frozenset(keywords) for number, *_, keywords in thunderbird.everything() if number == 1} == {
        frozenset(GOOD)
    }


def test_moved_there_by_another_client_before_a_redo(homes, thunderbird):
    (home,) = homes(1, 2, moving=True)
    home.mark([1], "junk")
    until(lambda: any(folder == "Junk" for _, folder, *_ in home.places()))
    home.undo()
    until(lambda: all(folder == "INBOX" for _, folder, *_ in home.places()) and len(home.places()) == 2)
    thunderbird.carry(1, "Junk")
    home.redo()
    wait_agreed([home], thunderbird)


def test_two_copies_of_one_message_go_and_come_back(homes, thunderbird, dovecot):
    (home,) = homes(1, 2, moving=True)
    dovecot.client().append("INBOX", letters(1)[0])
    until(lambda: len(home.places()) == 3)
    home.mark([1], "junk")
    until(lambda: [folder for _, folder, *_ in home.places()].count("Junk") == 2)
    wait_agreed([home], thunderbird)
    assert all(keywords == JUNK for number, *_, keywords in thunderbird.everything() if number == 1)
    home.undo()
    until(lambda: [folder for _, folder, *_ in home.places()].count("INBOX") == 3)
    wait_agreed([home], thunderbird)
