"""Raw mail that isn't kept any more, or not whole, is asked for once more when it is read."""

import pytest

from nbmail.values import ActionKind, Arrival, Delivery, FolderName, Outcome
from nbmail.worker.mailbox.message_reader import MOST_REQUESTS, TRIES, WHOLE
from nbmail.worker.protocol.events import BodyFetched
from nbmail.worker.protocol.results import Body
from tests.worker.conftest import INBOX, arrival, mail
from tests.worker.test_intake import ARCHIVE, bring

AWAY = FolderName("away", "INBOX")


@pytest.fixture
def emptied(station):
    """A home whose cache was deleted."""
    station.ready().deliver(range(1, 60))
    return empty(station)


def empty(station):
    station.stop()
    for path in station.paths.cache.iterdir():
        path.unlink()
    return station.ready()


def came(station):
    return [(event.message, event.found) for event in station.events if isinstance(event, BodyFetched)]


def asked(station, account="home"):
    return [each for each in station.engine.backend.pending_actions(account) if each.kind is ActionKind.FETCH]


def test_a_text_that_is_not_kept_is_fetched_again(emptied):
    text = emptied.do.read_message(5)
    assert (text.body, text.accounts) == (Body.COMING, ("home",))
    assert emptied.woken == ["home"]
    (action,) = asked(emptied)
    assert (action.folder, action.validity, action.uid, action.most) == (INBOX, 1, 5, 0)
    emptied.engine.backend.complete_fetch(action, arrival(5))
    assert came(emptied) == [(5, True)]
    assert asked(emptied) == []
    text = emptied.do.read_message(5)
    assert (text.body, text.accounts) == (Body.WHOLE, ())
    assert " 5" in text.text
    assert emptied.check_up().sound


def test_what_the_mailbox_has_no_more_is_said_to_be_lost(emptied):
    emptied.do.read_message(5)
    (action,) = asked(emptied)
    emptied.engine.backend.complete(action, Outcome.OBSOLETE)
    assert came(emptied) == [(5, False)]
    assert asked(emptied) == []


def test_a_message_in_two_mailboxes_comes_from_whichever_has_it(emptied):
    emptied.engine.backend.deliver(Delivery(AWAY, 1, arrivals=(arrival(5, uid=70), arrival(6, uid=71))))
    bring(emptied, arrival(6), folder=ARCHIVE)
    empty(emptied)
    assert set(emptied.do.read_message(5).accounts) == {"home", "away"}
    emptied.engine.backend.complete(asked(emptied)[0], Outcome.OBSOLETE)
    assert came(emptied) == []
    (action,) = asked(emptied, "away")
    assert action.uid == 70
    emptied.engine.backend.complete_fetch(action, arrival(5, uid=70))
    assert came(emptied) == [(5, True)]
    emptied.do.read_message(6)
    first, second = *asked(emptied), *asked(emptied, "away")
    emptied.engine.backend.complete_fetch(second, arrival(6))
    emptied.engine.backend.complete_fetch(first, arrival(6))
    assert came(emptied) == [(5, True), (6, True)]


def test_a_message_that_lies_nowhere_is_not_asked_for(emptied):
    emptied.engine.backend.deliver(Delivery(INBOX, 1, gone=frozenset({5})))
    text = emptied.do.read_message(5)
    assert (text.body, text.accounts) == (Body.ABSENT, ())
    assert asked(emptied) == []


def test_the_latest_wishes_come_first_and_the_oldest_are_dropped(emptied):
    for message in range(1, 2 * MOST_REQUESTS):
        emptied.do.read_message(message)
    assert [action.uid for action in asked(emptied)] == list(range(2 * MOST_REQUESTS - 1, MOST_REQUESTS - 1, -1))


def test_a_message_on_which_the_connection_breaks_each_time_is_let_be(emptied):
    emptied.do.read_message(5)
    assert [len(asked(emptied)) for _ in range(TRIES + 1)] == [1] * TRIES + [0]
    assert came(emptied) == [(5, False)]


def large(number, whole=4_000_000, cut=500_000, ends=b"\r\n"):
    """A message of which so much was fetched."""
    raw = (mail(number, junk=True) + b"an attachment's line\r\n" * (whole // 22)).replace(b"\r\n", ends)
    return arrival(number)._replace(raw=raw[:cut], size=len(raw)), Arrival(number, frozenset(), 1.0, raw, len(raw))


@pytest.mark.parametrize("ends", [b"\r\n", b"\n"], ids=["server", "file"])
def test_a_message_that_was_cut_off_says_so_and_can_be_loaded_whole(station, ends):
    part, whole = large(1, ends=ends)
    bring(station.ready(), part)
    text = station.do.read_message(1)
    assert text.body == Body.PART
    assert asked(station) == []
    assert station.do.fetch_whole(1) == ("home",)
    (action,) = asked(station)
    assert action.most == WHOLE
    station.engine.backend.complete_fetch(action, whole)
    assert came(station) == [(1, True)]
    assert station.do.read_message(1).body is Body.WHOLE


def test_other_line_ends_and_a_size_only_estimated_are_no_missing_part(station):
    raw = mail(1, junk=True) + b"a line of text\r\n" * 20_000
    bring(station.ready(), arrival(1)._replace(raw=raw.replace(b"\r\n", b"\n"), size=len(raw)))
    bring(station, arrival(2)._replace(size=len(arrival(2).raw) + 2000))
    assert [station.do.read_message(number).body for number in (1, 2)] == [Body.WHOLE] * 2
