"""A message in several folders is one message, and every folder shows it."""

from nbmail.values import ActionKind, Delivery, Outcome
from nbmail.worker.protocol.events import Changed
from tests.worker.conftest import INBOX, arrival
from tests.worker.test_intake import ARCHIVE, bring


def folders_of(rows, message):
    place = rows.messages.tolist().index(message)
    others = rows.other_places[rows.others[place]]
    return [rows.folder_names[index].folder for index in (rows.folders[place], *(folder for folder, _ in others))]


def says_only_archive(event):
    changed = isinstance(event, Changed) and event.rows is not None and 1 in event.rows.messages
    return changed and folders_of(event.rows, 1) == [ARCHIVE.folder]


def test_a_message_that_leaves_one_of_two_folders_is_announced_with_the_other(harness):
    harness.ready().deliver([1, 2])
    bring(harness, arrival(1), folder=ARCHIVE)
    harness.events.clear()
    harness.engine.backend.deliver(Delivery(INBOX, 1, gone=frozenset({1})))
    assert harness.until(says_only_archive).gone == ()


def test_a_moved_message_in_two_folders_leaves_its_folder_immediately(harness):
    harness.ready().deliver([1])
    bring(harness, arrival(1), folder=ARCHIVE)
    harness.do.set_moving(True)
    harness.do.mark((1,), "junk")
    move = next(
        each
        for each in harness.engine.backend.pending_actions("home")
        if each.kind is ActionKind.MOVE and each.folder == INBOX
    )
    harness.events.clear()
    harness.engine.backend.complete(move, Outcome.DONE)
    harness.until(says_only_archive)
