"""Moves that others made are offered as labels; what only looks like a move is not."""

import pytest

from nbmail.values import Delivery, FolderName, Outcome
from nbmail.worker.protocol import Mark, MovedByOthers, SetMoving, Undo
from tests.worker.conftest import INBOX, JUNK, arrival
from tests.worker.test_intake import ARCHIVE, bring
from tests.worker.test_marking import labels


def offers(station):
    return [(event.messages, event.label) for event in station.events if isinstance(event, MovedByOthers)]


@pytest.mark.parametrize("gone_first", [True, False])
def test_a_move_into_the_junk_folder_is_offered_as_a_label(station, gone_first):
    station.ready().deliver([1, 2])
    if gone_first:
        bring(station, gone=frozenset({1}))
    bring(station, arrival(1, uid=9), arrival(3), folder=JUNK, special="\\Junk")
    assert offers(station) == [((1,), "junk")]
    assert labels(station) == {}
    station.do(Mark((1,), "junk"))
    bring(station, arrival(1, uid=10), folder=JUNK, special="\\Junk")
    assert len(offers(station)) == 1


def test_a_move_out_of_the_junk_folder_is_offered_as_good(station):
    station.ready()
    bring(station, arrival(1), arrival(2), folder=JUNK, special="\\Junk")
    bring(station, arrival(1, uid=5), special="\\Inbox")
    bring(station, arrival(2, uid=6), folder=FolderName("home", "Trash"), special="\\Trash")
    assert offers(station) == [((1,), "good")]


def test_our_own_moves_are_not_offered(station):
    station.ready().deliver([1])
    station.do(SetMoving(True))
    station.do(Mark((1,), "junk"))
    for action in station.engine.backend.pending_actions("home"):
        station.engine.backend.complete(action, Outcome.DONE)
    bring(station, arrival(1, uid=9), folder=JUNK, special="\\Junk")
    station.do(Undo())
    bring(station, arrival(1, uid=3), special="\\Inbox")
    assert offers(station) == []


def anew(station, *arrivals, folder=JUNK, special="\\Junk", validity=2):
    """The folder under another UIDVALIDITY: first that it is another, then what lies in it."""
    station.engine.backend.deliver(Delivery(folder, validity, special=special))
    station.engine.backend.deliver(Delivery(folder, validity, arrivals=arrivals, special=special, complete=True))


def test_a_junk_folder_made_anew_on_the_server_proves_no_move(station):
    station.ready()
    bring(station, *(arrival(number) for number in range(1, 6)), folder=JUNK, special="\\Junk")
    bring(station, arrival(5), folder=ARCHIVE, special="\\All")
    station.do(Mark((1,), "good"))
    anew(station, *(arrival(number, uid=100 + number) for number in range(1, 7)))
    assert offers(station) == []


def test_an_inbox_made_anew_proves_no_move_either(station):
    station.ready().deliver([1, 2], special="\\Inbox")
    station.do(Mark((1,), "junk"))
    anew(station, arrival(1, uid=7), arrival(2, uid=8), folder=INBOX, special="\\Inbox")
    assert offers(station) == []


def test_a_move_after_a_folder_was_made_anew_is_one(station):
    station.ready().deliver([1], special="\\Inbox")
    anew(station, arrival(1, uid=7), folder=INBOX, special="\\Inbox")
    bring(station, arrival(1, uid=9), folder=JUNK, special="\\Junk")
    assert offers(station) == [((1,), "junk")]


@pytest.mark.parametrize("restarted", [True, False])
def test_a_mailbox_that_was_taken_away_and_added_again_proves_no_move(station, restarted):
    station.ready().deliver([1, 2], special="\\Inbox")
    bring(station, arrival(3), arrival(4), folder=JUNK, special="\\Junk")
    station.do(Mark((1,), "junk"))
    station.engine.backend.retain("home", (), junk=False)
    if restarted:
        station.again()
    station.deliver([1, 2], special="\\Inbox")
    bring(station, arrival(3), arrival(4), folder=JUNK, special="\\Junk")
    assert offers(station) == []


def test_unlabelled_mail_that_left_the_junk_folder_first_is_offered_as_good(station):
    station.ready()
    bring(station, arrival(1), folder=JUNK, special="\\Junk")
    bring(station, folder=JUNK, gone=frozenset({1}), special="\\Junk")
    bring(station, arrival(1, uid=5), special="\\Inbox")
    assert offers(station) == [((1,), "good")]
