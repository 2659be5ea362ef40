"""Moves by other clients are offered as labels. Copies and recreated folders are not."""

from functools import partial

import pytest

from nbmail.core.reading.mail import heading_of, parse
from nbmail.values import Arrival, Delivery, FolderName, Outcome
from nbmail.worker.protocol.events import MovedByOthers
from tests.worker.conftest import INBOX, JUNK, JUNK_WORDS, arrival
from tests.worker.test_intake import ARCHIVE, bring
from tests.worker.test_marking import labels

RAW = f"From: offers1@example.org\r\nSubject: cheap pills\r\n\r\n{JUNK_WORDS}\r\n".encode()
JUNK_MAIL = Arrival(301, frozenset(), 1301.0, RAW, len(RAW))


def offers(station):
    return [(event.messages, event.label) for event in station.events if isinstance(event, MovedByOthers)]


@pytest.mark.parametrize("gone_first", [True, False])
def test_a_move_into_the_junk_folder_is_offered_as_a_label(station, gone_first):
    station.ready().deliver([1, 2])
    if gone_first:
        bring(station, gone=frozenset({1}))
    bring(station, arrival(1, uid=9), arrival(3), folder=JUNK, special="\\Junk")
    if not gone_first:
        assert offers(station) == []
        bring(station, gone=frozenset({1}))
    assert offers(station) == [((1,), "junk")]
    assert labels(station) == {}


@pytest.mark.parametrize("gone_first", [True, False])
def test_a_move_out_of_the_junk_folder_is_offered_as_good(station, gone_first):
    station.ready()
    bring(station, arrival(1), arrival(2), folder=JUNK, special="\\Junk")
    leave = partial(bring, station, folder=JUNK, gone=frozenset({1, 2}), special="\\Junk")
    if gone_first:
        leave()
    bring(station, arrival(1, uid=5), special="\\Inbox")
    bring(station, arrival(2, uid=6), folder=FolderName("home", "Trash"), special="\\Trash")
    if not gone_first:
        leave()
    assert offers(station) == [((1,), "good")]


def test_a_delivered_copy_of_junk_is_not_offered(station):
    station.ready()
    bring(station, arrival(1), arrival(2), folder=JUNK, special="\\Junk")
    bring(station, arrival(1, uid=5), special="\\Inbox")
    # Deleted junk that is delivered again.
    bring(station, folder=JUNK, gone=frozenset({2}), special="\\Junk")
    station.clock.now += 3600
    bring(station, arrival(2, uid=6), special="\\Inbox")
    bring(station, folder=JUNK, gone=frozenset({1}), special="\\Junk")
    assert offers(station) == []


def test_an_offer_names_the_messages_and_those_that_the_model_contradicts(station):
    station.ready().deliver(range(1, 201))
    station.do.mark(tuple(range(1, 201, 2)), "junk")
    station.do.mark(tuple(range(2, 201, 2)), "good")
    bring(station, JUNK_MAIL, arrival(302), folder=JUNK, special="\\Junk")
    bring(station, folder=JUNK, gone=frozenset({301, 302}), special="\\Junk")
    bring(station, JUNK_MAIL._replace(uid=305), arrival(302, uid=306), special="\\Inbox")
    (offer,) = [event for event in station.events if isinstance(event, MovedByOthers)]
    assert len(offer.messages) == 2
    assert offer.subjects == ("cheap pills", heading_of(parse(arrival(302).raw)).subject)
    assert offer.contradicted == {offer.messages[0]}


def test_our_own_moves_are_not_offered(station):
    station.ready().deliver([1])
    station.do.set_moving(True)
    station.do.mark((1,), "junk")
    for action in station.engine.backend.pending_actions("home"):
        station.engine.backend.complete(action, Outcome.DONE)
    bring(station, arrival(1, uid=9), folder=JUNK, special="\\Junk")
    station.do.undo()
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
    station.do.mark((1,), "good")
    anew(station, *(arrival(number, uid=100 + number) for number in range(1, 7)))
    assert offers(station) == []


def test_an_inbox_made_anew_proves_no_move_either(station):
    station.ready().deliver([1, 2], special="\\Inbox")
    station.do.mark((1,), "junk")
    anew(station, arrival(1, uid=7), arrival(2, uid=8), folder=INBOX, special="\\Inbox")
    assert offers(station) == []


def test_a_move_after_a_folder_was_made_anew_is_one(station):
    station.ready().deliver([1], special="\\Inbox")
    anew(station, arrival(1, uid=7), folder=INBOX, special="\\Inbox")
    bring(station, arrival(1, uid=9), folder=JUNK, special="\\Junk")
    station.engine.backend.deliver(Delivery(INBOX, 2, gone=frozenset({7})))
    assert offers(station) == [((1,), "junk")]


@pytest.mark.parametrize("restarted", [True, False])
def test_a_mailbox_that_was_taken_away_and_added_again_proves_no_move(station, restarted):
    station.ready().deliver([1, 2], special="\\Inbox")
    bring(station, arrival(3), arrival(4), folder=JUNK, special="\\Junk")
    station.do.mark((1,), "junk")
    station.engine.backend.retain("home", (), junk=False)
    if restarted:
        station.again()
    station.deliver([1, 2], special="\\Inbox")
    bring(station, arrival(3), arrival(4), folder=JUNK, special="\\Junk")
    assert offers(station) == []
