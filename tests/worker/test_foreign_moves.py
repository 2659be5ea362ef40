"""Moves by other clients are offered as labels. Copies, recreated folders and automatic moves are not."""

from functools import partial

import pytest

from nbmail.core.reading.mail import heading_of, parse
from nbmail.settings import Account, LearnMoves, Settings
from nbmail.values import Arrival, Delivery, FolderName, Outcome
from nbmail.worker.protocol.events import MovedByOthers
from nbmail.worker.protocol.sorting import SortingChoice
from tests.worker.conftest import INBOX, JUNK, JUNK_WORDS, EngineHarness, arrival
from tests.worker.test_intake import ARCHIVE, bring
from tests.worker.test_marking import labels

RAW = f"From: offers1@example.org\r\nSubject: cheap pills\r\n\r\n{JUNK_WORDS}\r\n".encode()
JUNK_MAIL = Arrival(301, frozenset(), 1301.0, RAW, len(RAW))


def offers(harness):
    return [(event.messages, event.label) for event in harness.events if isinstance(event, MovedByOthers)]


@pytest.mark.parametrize("gone_first", [True, False])
def test_a_move_into_the_junk_folder_is_offered_as_a_label(harness, gone_first):
    harness.ready().deliver([1, 2])
    if gone_first:
        bring(harness, gone=frozenset({1}))
    bring(harness, arrival(1, uid=9), arrival(3), folder=JUNK, special="\\Junk")
    if not gone_first:
        assert offers(harness) == []
        bring(harness, gone=frozenset({1}))
    assert offers(harness) == [((1,), "junk")]
    assert labels(harness) == {}


@pytest.mark.parametrize("gone_first", [True, False])
def test_a_move_out_of_the_junk_folder_is_offered_as_good(harness, gone_first):
    harness.ready()
    bring(harness, arrival(1), arrival(2), folder=JUNK, special="\\Junk")
    leave = partial(bring, harness, folder=JUNK, gone=frozenset({1, 2}), special="\\Junk")
    if gone_first:
        leave()
    bring(harness, arrival(1, uid=5), special="\\Inbox")
    bring(harness, arrival(2, uid=6), folder=FolderName("home", "Trash"), special="\\Trash")
    if not gone_first:
        leave()
    assert offers(harness) == [((1,), "good")]


@pytest.mark.parametrize(("choice", "learned"), [(LearnMoves.ALWAYS, "junk"), (LearnMoves.NEVER, None)])
def test_moves_are_learned_always_or_never_as_chosen(tmp_path, choice, learned):
    settings = Settings(accounts=(Account("home", learn_moves=choice),))
    with EngineHarness(tmp_path / "home", settings) as harness:
        harness.ready().deliver([1, 2])
        bring(harness, arrival(1, uid=9), folder=JUNK, special="\\Junk")
        bring(harness, gone=frozenset({1}))
        assert list(labels(harness).values()) == ([learned] if learned else [])
        assert offers(harness) == []
        # A mark that the server doesn't know yet is the later decision.
        harness.do.mark([2], "good")
        bring(harness, arrival(2, uid=10), folder=JUNK, special="\\Junk")
        bring(harness, gone=frozenset({2}))
        assert labels(harness)[2] == "good"


@pytest.mark.parametrize(
    ("answer", "learned"),
    [
        (lambda harness: harness.do.set_sorting("home", SortingChoice(learn_moves=LearnMoves.ALWAYS)), "junk"),
        (lambda harness: harness.do.set_sorting("home", SortingChoice(learn_moves=LearnMoves.NEVER)), None),
        (lambda harness: harness.do.decline_moves([1]), None),
        (lambda harness: (harness.do.mark([1], "junk"), harness.do.undo()), None),
        (lambda harness: harness.engine.backend.retain("home", (), junk=False), None),
    ],
)
def test_an_offer_is_repeated_at_each_start_until_it_is_answered(harness, answer, learned):
    harness.ready().deliver([1, 2])
    bring(harness, arrival(1, uid=9), folder=JUNK, special="\\Junk")
    bring(harness, gone=frozenset({1}))
    for _ in range(2):
        harness.again().do.sorting_status("home")
        assert offers(harness) == [((1,), "junk")]
    answer(harness)
    assert labels(harness) == ({1: learned} if learned else {})
    harness.again().do.sorting_status("home")
    assert offers(harness) == []


def test_without_keywords_moves_into_junk_are_only_offered(tmp_path):
    settings = Settings(accounts=(Account("home", learn_moves=LearnMoves.ALWAYS),))
    with EngineHarness(tmp_path / "home", settings) as harness:
        harness.ready().deliver([1, 2])
        bring(harness, arrival(1, uid=9), folder=JUNK, special="\\Junk", keywords=False)
        bring(harness, gone=frozenset({1}), keywords=False)
        assert (labels(harness), offers(harness)) == ({}, [((1,), "junk")])
        bring(harness, folder=JUNK, gone=frozenset({9}), special="\\Junk", keywords=False)
        bring(harness, arrival(1, uid=20), special="\\Inbox", keywords=False)
        assert labels(harness) == {1: "good"}


def test_a_delivered_copy_of_junk_is_not_offered(harness):
    harness.ready()
    bring(harness, arrival(1), arrival(2), folder=JUNK, special="\\Junk")
    bring(harness, arrival(1, uid=5), special="\\Inbox")
    # Deleted junk that is delivered again.
    bring(harness, folder=JUNK, gone=frozenset({2}), special="\\Junk")
    for _ in range(60):
        harness.clock()
    bring(harness, arrival(2, uid=6), special="\\Inbox")
    bring(harness, folder=JUNK, gone=frozenset({1}), special="\\Junk")
    assert offers(harness) == []


def test_an_offer_names_the_messages_and_those_that_the_model_contradicts(harness):
    harness.ready().deliver(range(1, 201))
    harness.do.mark(tuple(range(1, 201, 2)), "junk")
    harness.do.mark(tuple(range(2, 201, 2)), "good")
    bring(harness, JUNK_MAIL, arrival(302), folder=JUNK, special="\\Junk")
    bring(harness, folder=JUNK, gone=frozenset({301, 302}), special="\\Junk")
    bring(harness, JUNK_MAIL._replace(uid=305), arrival(302, uid=306), special="\\Inbox")
    (offer,) = [event for event in harness.events if isinstance(event, MovedByOthers)]
    assert len(offer.messages) == 2
    assert offer.subjects == ("cheap pills", heading_of(parse(arrival(302).raw)).subject)
    assert offer.contradicted == {offer.messages[0]}


def test_moves_by_nbmail_are_not_offered(harness):
    harness.ready().deliver([1])
    harness.do.set_moving(True)
    harness.do.mark((1,), "junk")
    for action in harness.engine.backend.pending_actions("home"):
        harness.engine.backend.complete(action, Outcome.DONE)
    bring(harness, arrival(1, uid=9), folder=JUNK, special="\\Junk")
    harness.do.undo()
    bring(harness, arrival(1, uid=3), special="\\Inbox")
    assert offers(harness) == []


def anew(harness, *arrivals, folder=JUNK, special="\\Junk", validity=2):
    """Deliver the folder with another UIDVALIDITY: first empty, then with its messages."""
    harness.engine.backend.deliver(Delivery(folder, validity, special=special))
    harness.engine.backend.deliver(Delivery(folder, validity, arrivals=arrivals, special=special, complete=True))


def test_a_recreated_junk_folder_is_no_move(harness):
    harness.ready()
    bring(harness, *(arrival(number) for number in range(1, 6)), folder=JUNK, special="\\Junk")
    bring(harness, arrival(5), folder=ARCHIVE, special="\\All")
    harness.do.mark((1,), "good")
    anew(harness, *(arrival(number, uid=100 + number) for number in range(1, 7)))
    assert offers(harness) == []


def test_a_recreated_inbox_is_no_move(harness):
    harness.ready().deliver([1, 2], special="\\Inbox")
    harness.do.mark((1,), "junk")
    anew(harness, arrival(1, uid=7), arrival(2, uid=8), folder=INBOX, special="\\Inbox")
    assert offers(harness) == []


def test_a_move_after_a_folder_was_recreated_is_offered(harness):
    harness.ready().deliver([1], special="\\Inbox")
    anew(harness, arrival(1, uid=7), folder=INBOX, special="\\Inbox")
    bring(harness, arrival(1, uid=9), folder=JUNK, special="\\Junk")
    harness.engine.backend.deliver(Delivery(INBOX, 2, gone=frozenset({7})))
    assert offers(harness) == [((1,), "junk")]


@pytest.mark.parametrize("restarted", [True, False])
def test_a_mailbox_removed_and_added_again_is_no_move(harness, restarted):
    harness.ready().deliver([1, 2], special="\\Inbox")
    bring(harness, arrival(3), arrival(4), folder=JUNK, special="\\Junk")
    harness.do.mark((1,), "junk")
    harness.engine.backend.retain("home", (), junk=False)
    if restarted:
        harness.again()
    harness.deliver([1, 2], special="\\Inbox")
    bring(harness, arrival(3), arrival(4), folder=JUNK, special="\\Junk")
    assert offers(harness) == []


MARK = "nbmail-auto-abcdef"


@pytest.fixture
def seen(harness):
    """Engine that has seen messages 1 to 3 unmarked in the inbox."""
    harness.ready().deliver([1, 2, 3], special="\\Inbox")
    return harness


def to_junk(harness, *flags, uid=9):
    bring(harness, arrival(1, uid=uid, flags=flags), folder=JUNK, special="\\Junk")


def leaves_inbox(harness, uid=1):
    bring(harness, gone=frozenset({uid}), special="\\Inbox")


@pytest.mark.parametrize("gone_first", [True, False])
@pytest.mark.parametrize("flags", [[MARK], [MARK, "$Junk"], [MARK, "$Junk", "Junk"]])
def test_a_freshly_marked_copy_in_junk_teaches_nothing(seen, gone_first, flags):
    steps = [leaves_inbox, lambda harness: to_junk(harness, *flags)]
    for step in steps if gone_first else reversed(steps):
        step(seen)
    assert offers(seen) == []
    assert labels(seen) == {}


def test_an_unknown_marked_copy_in_junk_teaches_nothing(harness):
    harness.ready()
    to_junk(harness, MARK, "$Junk")
    assert labels(harness) == {}


def test_junk_keywords_set_later_are_a_label(seen):
    leaves_inbox(seen)
    to_junk(seen, MARK)
    later = {9: frozenset({MARK, "$Junk"})}
    seen.engine.backend.deliver(Delivery(JUNK, 1, flags=later, complete=True, special="\\Junk"))
    assert list(labels(seen).values()) == ["junk"]


def test_rescued_and_then_moved_is_a_person(seen):
    leaves_inbox(seen)
    to_junk(seen, MARK)
    bring(seen, folder=JUNK, gone=frozenset({9}), special="\\Junk")
    bring(seen, arrival(1, uid=20, flags=[MARK]), special="\\Inbox")
    assert offers(seen) == [((1,), "good")]
    leaves_inbox(seen, 20)
    to_junk(seen, MARK, uid=10)
    assert [label for _, label in offers(seen)] == ["good", "junk"]


@pytest.mark.parametrize(("folder", "offered"), [("Archive", [((1,), "good")]), ("Trash", [])])
def test_out_of_junk_is_a_person_and_out_to_the_trash_teaches_nothing(seen, folder, offered):
    leaves_inbox(seen)
    to_junk(seen, MARK)
    bring(seen, folder=JUNK, gone=frozenset({9}), special="\\Junk")
    bring(seen, arrival(1, uid=20, flags=[MARK]), folder=INBOX._replace(folder=folder), special=f"\\{folder}")
    assert offers(seen) == offered
