"""Raw mail that is not cached, or only in part, is fetched when it is read."""

import pytest

from nbmail.values import ActionKind, Arrival, Delivery, FolderName, Outcome
from nbmail.worker.protocol.events import BodyFetched
from nbmail.worker.protocol.messages import Body
from nbmail.worker.reading.fetch_request import TRIES
from nbmail.worker.reading.fetches import MOST_REQUESTS
from nbmail.worker.reading.message_reader import WHOLE
from tests.worker.conftest import INBOX, arrival, mail
from tests.worker.test_intake import ARCHIVE, bring

AWAY = FolderName("away", "INBOX")


@pytest.fixture
def emptied(harness):
    """Data folder whose cache was deleted."""
    harness.ready().deliver(range(1, 60))
    return empty(harness)


def empty(harness):
    harness.stop()
    for path in harness.paths.cache.iterdir():
        path.unlink()
    return harness.ready()


def came(harness):
    return [
        (event.message, event.found) for event in harness.events if isinstance(event, BodyFetched)
    ]


def asked(harness, account="home"):
    return [
        each
        for each in harness.engine.backend.pending_actions(account)
        if each.kind is ActionKind.FETCH
    ]


def test_a_text_that_is_not_cached_is_fetched_again(emptied):
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


def test_a_text_that_no_account_has_is_reported_as_missing(emptied):
    emptied.do.read_message(5)
    (action,) = asked(emptied)
    emptied.engine.backend.complete(action, Outcome.OBSOLETE)
    assert came(emptied) == [(5, False)]
    assert asked(emptied) == []


def test_a_message_in_two_accounts_is_fetched_from_both(emptied):
    emptied.engine.backend.deliver(
        Delivery(AWAY, 1, arrivals=(arrival(5, uid=70), arrival(6, uid=71)))
    )
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


def test_a_message_without_a_location_is_not_requested(emptied):
    emptied.engine.backend.deliver(Delivery(INBOX, 1, gone=frozenset({5})))
    text = emptied.do.read_message(5)
    assert (text.body, text.accounts) == (Body.ABSENT, ())
    assert asked(emptied) == []


def test_the_latest_requests_come_first_and_the_oldest_are_dropped(emptied):
    for message in range(1, 2 * MOST_REQUESTS):
        emptied.do.read_message(message)
    assert [action.uid for action in asked(emptied)] == list(
        range(2 * MOST_REQUESTS - 1, MOST_REQUESTS - 1, -1)
    )


def test_a_message_that_breaks_the_connection_each_time_is_abandoned(emptied):
    emptied.do.read_message(5)
    assert [len(asked(emptied)) for _ in range(TRIES + 1)] == [1] * TRIES + [0]
    assert came(emptied) == [(5, False)]


def large(number, whole=4_000_000, cut=500_000, ends=b"\r\n"):
    """Message of which `much` bytes were fetched."""
    raw = (mail(number, spam=True) + b"an attachment's line\r\n" * (whole // 22)).replace(
        b"\r\n", ends
    )
    return arrival(number)._replace(raw=raw[:cut], size=len(raw)), Arrival(
        number, frozenset(), 1.0, raw, len(raw)
    )


@pytest.mark.parametrize("ends", [b"\r\n", b"\n"], ids=["server", "file"])
def test_a_message_cut_at_the_size_limit_can_be_loaded_completely(harness, ends):
    part, whole = large(1, ends=ends)
    bring(harness.ready(), part)
    text = harness.do.read_message(1)
    assert text.body == Body.PART
    assert asked(harness) == []
    assert harness.do.fetch_whole(1) == ("home",)
    (action,) = asked(harness)
    assert action.most == WHOLE
    harness.engine.backend.complete_fetch(action, whole)
    assert came(harness) == [(1, True)]
    assert harness.do.read_message(1).body is Body.WHOLE


def test_other_line_ends_or_an_estimated_size_do_not_mean_a_missing_part(harness):
    raw = mail(1, spam=True) + b"a line of text\r\n" * 20_000
    bring(harness.ready(), arrival(1)._replace(raw=raw.replace(b"\r\n", b"\n"), size=len(raw)))
    bring(harness, arrival(2)._replace(size=len(arrival(2).raw) + 2000))
    assert [harness.do.read_message(number).body for number in (1, 2)] == [Body.WHOLE] * 2
