"""The dry run of moving: it shows what the user's marks would have moved, and moves nothing."""

from dataclasses import replace

import pytest

from nbmail.settings import Settings
from nbmail.values import ActionKind, FolderName, Outcome
from tests.worker.conftest import INBOX, JUNK, delivery

ARCHIVE = FolderName("home", "Archive")


@pytest.fixture
def sorted_station(station):
    """Mail in the inbox, in the junk folder and in the archive."""
    station.ready().deliver([1, 2, 3, 4], special="\\Inbox")
    station.engine.backend.deliver(delivery([5, 6], JUNK, special="\\Junk"))
    station.engine.backend.deliver(delivery([7, 8], ARCHIVE, special="\\Archive"))
    return station


def preview(station):
    return [(move.message, move.folder, move.target) for move in station.do.preview_moves()]


def moves(station):
    return [action for action in station.engine.backend.pending_actions("home") if action.kind == ActionKind.MOVE]


def test_the_users_marks_are_shown_newest_first_and_nothing_moves(sorted_station):
    assert preview(sorted_station) == []
    sorted_station.do.mark((1, 3), "junk")
    sorted_station.do.mark((5, 2), "good")
    assert preview(sorted_station)[0] == (5, JUNK, "inbox")
    assert sorted(preview(sorted_station)) == [(1, INBOX, "junk"), (3, INBOX, "junk"), (5, JUNK, "inbox")]
    assert moves(sorted_station) == []
    assert all(move.sender and move.subject for move in sorted_station.do.preview_moves())


def test_what_a_folder_taught_and_what_was_taken_back_is_not_shown(sorted_station):
    sorted_station.do.label_folder(INBOX, "junk")
    assert preview(sorted_station) == []
    sorted_station.do.undo()
    sorted_station.do.mark((1,), "junk")
    sorted_station.do.undo()
    assert preview(sorted_station) == []
    sorted_station.do.mark((7,), "junk")
    assert preview(sorted_station) == [], "what lies in an archive stays there"


def test_what_a_server_moved_for_us_is_not_shown_again(sorted_station):
    sorted_station.do.set_moving(True)
    sorted_station.do.mark((1,), "junk")
    for action in sorted_station.engine.backend.pending_actions("home"):
        sorted_station.engine.backend.complete(action, Outcome.DONE)
    assert preview(sorted_station) == []


def test_a_folder_can_be_learned_sparing_what_is_labelled(sorted_station):
    sorted_station.do.mark((2,), "good")
    assert sorted(sorted_station.do.label_folder(INBOX, "junk", only_unlabelled=True).messages) == [1, 3, 4]
    assert sorted_station.do.label_folder(INBOX, "junk", only_unlabelled=True).messages == ()
    assert sorted_station.do.label_folder(INBOX, "junk").messages == (2,)
    assert sorted_station.do.label_folder(FolderName("no", "where"), "good").messages == ()


def test_a_forgotten_account_takes_its_places_and_errands_along_but_no_label(sorted_station):
    other = FolderName("work", "INBOX")
    sorted_station.engine.backend.deliver(delivery([1, 9], other, special="\\Inbox"))
    sorted_station.do.mark((1, 2), "junk")
    assert sorted_station.engine.backend.pending_actions("home")
    sorted_station.do.forget_account("home")
    assert sorted_station.engine.backend.pending_actions("home") == ()
    rows = sorted_station.do.list_mail()
    assert sorted(rows.messages.tolist()) == [1, 9]
    assert {rows.folder_names[number] for number in rows.folders} == {other}
    assert sum(each.messages for each in sorted_station.learned().classes) == 2


def test_choices_of_an_earlier_run_hold_from_the_start(station):
    station.settings = replace(Settings(), move_mail=True, junk_seen_per_lost=7.0, method="multinomial")
    station.ready().deliver([1, 2], special="\\Inbox")
    station.do.mark((1,), "junk")
    assert len(moves(station)) == 1
    assert station.learned().method == "multinomial"
