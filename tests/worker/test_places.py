"""A message that lies in several folders is one message, and every folder shows it."""

from dataclasses import replace

from nbmail.values import Delivery, ErrandKind, Outcome
from nbmail.worker.protocol import Changed, ListMail, Mark, SetMoving
from tests.worker.conftest import INBOX, JUNK, arrival, mail
from tests.worker.test_intake import ARCHIVE, bring


def folders_of(rows, message):
    """Every folder in which a row says that its message lies."""
    place = rows.messages.tolist().index(message)
    others = rows.other_places[rows.others[place]]
    return [rows.folder_names[index].folder for index in (rows.folders[place], *(folder for folder, _ in others))]


def says_only_archive(event):
    changed = isinstance(event, Changed) and event.rows is not None and 1 in event.rows.messages
    return changed and folders_of(event.rows, 1) == [ARCHIVE.folder]


def test_mail_in_two_folders_is_in_the_list_of_each(station):
    station.ready().deliver(range(1, 40))
    bring(station, arrival(2), arrival(3), folder=ARCHIVE)
    rows = station.do(ListMail())
    assert sorted(rows.messages.tolist()) == list(range(1, 40))
    assert [folders_of(rows, message) for message in (1, 2, 3)] == [["INBOX"], *[["INBOX", ARCHIVE.folder]] * 2]


def test_what_leaves_one_folder_of_two_is_announced_with_the_other(station):
    station.ready().deliver([1, 2])
    bring(station, arrival(1), folder=ARCHIVE)
    station.events.clear()
    station.engine.desk.deliver(Delivery(INBOX, 1, gone=frozenset({1})))
    assert station.until(says_only_archive).gone == ()


def test_a_message_that_was_moved_leaves_its_folder_at_once_where_it_lies_in_another(station):
    station.ready().deliver([1])
    bring(station, arrival(1), folder=ARCHIVE)
    station.do(SetMoving(True))
    station.do(Mark((1,), "junk"))
    move = next(
        each for each in station.engine.desk.errands("home") if each.kind is ErrandKind.MOVE and each.folder == INBOX
    )
    station.events.clear()
    station.engine.desk.settle(move, Outcome.DONE)
    station.until(says_only_archive)


def large(ends, cap=1_000_000):
    """A message with an attachment, as far as an account fetches it."""
    raw = mail(1, junk=True) + b"a line of an attachment\r\n" * 60_000
    whole = raw.replace(b"\r\n", ends)
    return replace(arrival(1), raw=whole[:cap], size=len(whole))


def test_a_large_message_is_one_on_a_server_and_on_the_disk(station):
    bring(station.ready(), large(b"\r\n"))
    bring(station, large(b"\n"), folder=ARCHIVE)
    bring(station, large(b"\r\n", cap=5_000_000), folder=JUNK)
    rows = station.do(ListMail())
    assert folders_of(rows, 1) == ["INBOX", ARCHIVE.folder, JUNK.folder]
    assert len(rows.messages) == 1
