"""Automatic moves of another computer teach nothing; a person's do."""

import pytest

from nbmail.values import Delivery
from tests.worker.conftest import INBOX, JUNK, arrival
from tests.worker.test_foreign_moves import offers
from tests.worker.test_intake import bring
from tests.worker.test_marking import labels

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
