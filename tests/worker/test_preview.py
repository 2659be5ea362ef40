"""Preview of moves, training of folders, forgotten accounts."""

from dataclasses import replace

import pytest

from nbmail.settings import Settings
from nbmail.values import ActionKind, FolderName
from tests.worker.conftest import INBOX, JUNK, delivery

ARCHIVE = FolderName("home", "Archive")


@pytest.fixture
def sorted_harness(harness):
    """Engine with mail in the inbox, the junk folder and the archive."""
    harness.ready().deliver([1, 2, 3, 4], special="\\Inbox")
    harness.engine.backend.deliver(delivery([5, 6], JUNK, special="\\Junk"))
    harness.engine.backend.deliver(delivery([7, 8], ARCHIVE, special="\\Archive"))
    return harness


def preview(harness):
    return [(move.message, move.folder, move.target) for move in harness.do.preview_moves()]


def moves(harness):
    return [action for action in harness.engine.backend.pending_actions("home") if action.kind == ActionKind.MOVE]


def test_a_preview_lists_moves_newest_first_and_moves_nothing(sorted_harness):
    assert preview(sorted_harness) == []
    sorted_harness.do.mark((1, 3), "junk")
    sorted_harness.do.mark((5, 2), "good")
    assert preview(sorted_harness)[0] == (5, JUNK, "inbox")
    assert sorted(preview(sorted_harness)) == [(1, INBOX, "junk"), (3, INBOX, "junk"), (5, JUNK, "inbox")]
    assert moves(sorted_harness) == []
    assert all(move.sender and move.subject for move in sorted_harness.do.preview_moves())


def test_a_preview_omits_trained_folders_and_undone_marks(sorted_harness):
    sorted_harness.do.label_folder(INBOX, "junk")
    assert preview(sorted_harness) == []
    sorted_harness.do.undo()
    sorted_harness.do.mark((1,), "junk")
    sorted_harness.do.undo()
    assert preview(sorted_harness) == []
    sorted_harness.do.mark((7,), "junk")
    assert preview(sorted_harness) == [], "what lies in an archive stays there"


def test_a_folder_can_be_learned_sparing_labelled_messages(sorted_harness):
    sorted_harness.do.mark((2,), "good")
    assert sorted(sorted_harness.do.label_folder(INBOX, "junk", only_unlabelled=True).messages) == [1, 3, 4]
    assert sorted_harness.do.label_folder(INBOX, "junk", only_unlabelled=True).messages == ()
    assert sorted_harness.do.label_folder(INBOX, "junk").messages == (2,)
    assert sorted_harness.do.label_folder(FolderName("no", "where"), "good").messages == ()


def test_a_forgotten_account_loses_locations_and_actions_but_no_label(sorted_harness):
    other = FolderName("work", "INBOX")
    sorted_harness.engine.backend.deliver(delivery([1, 9], other, special="\\Inbox"))
    sorted_harness.do.mark((1, 2), "junk")
    assert sorted_harness.engine.backend.pending_actions("home")
    sorted_harness.do.forget_account("home")
    assert sorted_harness.engine.backend.pending_actions("home") == ()
    rows = sorted_harness.do.list_mail()
    assert sorted(rows.messages.tolist()) == [1, 9]
    assert {rows.folder_names[number] for number in rows.folders} == {other}
    assert sum(each.messages for each in sorted_harness.learned().classes) == 2


def test_settings_of_an_earlier_run_apply_from_the_start(harness):
    harness.settings = replace(Settings(), move_mail=True, junk_seen_per_lost=7.0, method="multinomial")
    harness.ready().deliver([1, 2], special="\\Inbox")
    harness.do.mark((1,), "junk")
    assert len(moves(harness)) == 1
    assert harness.learned().method == "multinomial"
