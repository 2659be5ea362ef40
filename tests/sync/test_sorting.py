"""Automatic sorting on real servers, by one computer or several: one copy remains."""

import os
from collections import Counter

import pytest

from nbmail.settings import Security
from tests.sync.homes import SortingHome, ham, spam
from tests.waiting import wait_for

TORTURE = bool(os.environ.get("NBMAIL_TORTURE"))
ROUNDS, MANY = (20, 200) if TORTURE else (2, 16)


@pytest.fixture
def homes(server, install):
    """Factory of computers that sort the same mailbox."""
    account = server.account(name="home", security=Security.PLAIN, poll_seconds=0.3)
    return lambda count: [install(account, SortingHome) for _ in range(count)]


def content(server):
    """Return how often each message is in the inbox and in the spam folder, by number."""
    client = server.client()
    found = [
        Counter(number for number, _ in client.letters(name).values())
        for name in ("INBOX", server.spam)
    ]
    server._clients.remove(client)
    client.shutdown()
    return found


def wait_sorted(server, homes, numbers, *, patience=60.0):
    """Wait until these messages are in the spam folder once, and no action is pending."""

    def arrived():
        inbox, moved = content(server)
        return not any(inbox[number] for number in numbers) and all(
            moved[number] for number in numbers
        )

    # Each look is a login.
    wait_for(arrived, "the moves", patience, every=0.2)
    for home in homes:
        home.look()
    wait_for(lambda: all(home.is_done() for home in homes), "all homes", patience)
    _, moved = content(server)
    assert {number: moved[number] for number in numbers} == Counter(numbers)


def test_spam_leaves_the_inbox_and_good_mail_stays(server, homes):
    server.put(spam(201) + ham(202))
    (home,) = homes(1)
    server.put(spam(301, 303) + ham(302))
    wait_sorted(server, [home], [301, 303])
    inbox, moved = content(server)
    assert (sorted(inbox), sorted(moved)) == ([201, 202, 302], [301, 303])
    assert home.labels_by_server() == 0


@pytest.mark.parametrize("count", [2, 3] if TORTURE else [3])
def test_computers_at_the_same_moment_leave_one_copy(server, homes, count):
    made = homes(count)
    for number in range(ROUNDS):
        server.put(spam(401 + 2 * number))
        wait_sorted(server, made, [401 + 2 * number])
    many = range(1001, 1001 + 2 * MANY, 2)
    server.put(spam(*many))
    wait_sorted(server, made, many, patience=120.0)
    assert all(home.labels_by_server() == 0 for home in made)


def test_sorted_mail_is_put_back_and_moved_again_in_one_step(server, homes):
    (home,) = homes(1)
    numbers = [601, 603, 605, 607]
    server.put(spam(*numbers))
    wait_sorted(server, [home], numbers)
    (home_before,) = home.read("SELECT count(*) FROM labels")
    messages = [each.message for each in home.do.list_sorted()]
    for turn, there in (
        (lambda: home.do.undo_sorting(messages), 4),
        (home.do.undo, 0),
        (home.do.redo, 4),
    ):
        turn()
        wait_for(
            lambda there=there: (
                [sum(each.values()) for each in content(server)] == [there, 4 - there]
            ),
            every=0.2,
        )
        home.look()
    assert {state for state, _ in home.states()} == {"put-back"}
    assert home.read("SELECT count(*) FROM labels") == [home_before]


def test_a_message_that_any_client_put_back_stays(server, homes):
    made = homes(2)
    server.put(spam(501, 503))
    wait_sorted(server, made, [501, 503])
    wait_for(lambda: any(home.states().get(("moved", "")) for home in made))
    mover = next(home for home in made if home.states().get(("moved", "")))
    (row,) = mover.read("SELECT message FROM sorted WHERE state = 'moved' LIMIT 1")
    mover.do.mark(list(row), "ham")
    wait_for(lambda: sum(content(server)[0].values()) == 1, every=0.2)
    # Undo moves it again, and redo puts it back.
    for step, there in ((mover.do.undo, 0), (mover.do.redo, 1)):
        mover.look()
        step()
        wait_for(
            lambda there=there: (
                [sum(each.values()) for each in content(server)] == [there, 2 - there]
            ),
            every=0.2,
        )
    other = server.client()
    other.select_folder(server.spam)
    other.carry(other.search(), "INBOX")
    for home in made:
        home.look()
    wait_for(lambda: all(home.is_done() for home in made))
    inbox, moved = content(server)
    assert (sorted(inbox), sorted(moved)) == ([501, 503], [])
    server.put(spam(505))
    wait_sorted(server, made, [505])
    assert sorted(content(server)[0]) == [501, 503]
