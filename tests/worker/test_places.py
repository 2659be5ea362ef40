"""A message that lies in several folders is one message, and every folder shows it."""

from nbmail.values import ActionKind, Delivery, Outcome
from nbmail.worker.protocol.events import Changed
from tests.worker.conftest import INBOX, arrival
from tests.worker.test_intake import ARCHIVE, bring


def folders_of(rows, message):
    """Every folder in which a row says that its message lies."""
    place = rows.messages.tolist().index(message)
    others = rows.other_places[rows.others[place]]
    return [rows.folder_names[index].folder for index in (rows.folders[place], *(folder for folder, _ in others))]


def says_only_archive(event):
    changed = isinstance(event, Changed) and event.rows is not None and 1 in event.rows.messages
    return changed and folders_of(event.rows, 1) == [ARCHIVE.folder]


def test_what_leaves_one_folder_of_two_is_announced_with_the_other(station):
    station.ready().deliver([1, 2])
    bring(station, arrival(1), folder=ARCHIVE)
    station.events.clear()
    station.engine.backend.deliver(Delivery(INBOX, 1, gone=frozenset({1})))
    assert station.until(says_only_archive).gone == ()


def test_a_message_that_was_moved_leaves_its_folder_at_once_where_it_lies_in_another(station):
    station.ready().deliver([1])
    bring(station, arrival(1), folder=ARCHIVE)
    station.do.set_moving(True)
    station.do.mark((1,), "junk")
    move = next(
        each
        for each in station.engine.backend.pending_actions("home")
        if each.kind is ActionKind.MOVE and each.folder == INBOX
    )
    station.events.clear()
    station.engine.backend.complete(move, Outcome.DONE)
    station.until(says_only_archive)
