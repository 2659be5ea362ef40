"""Deliveries: what is remembered, what keywords and folders say of labels, and what is told to the window."""

import numpy as np
import pytest

from nbmail.errors import KnownError
from nbmail.values import Delivery, FolderName, Outcome
from nbmail.worker.protocol.events import Changed, Learned
from tests.worker.conftest import INBOX, JUNK, Done, arrival, delivery
from tests.worker.test_marking import labels

ARCHIVE = FolderName("home", "Archive")


def by_whom(station):
    return [(line.message, line.after, line.by) for line in reversed(station.do.list_journal())]


def bring(station, *arrivals, folder=INBOX, **more):
    station.engine.backend.deliver(Delivery(folder, 1, arrivals=arrivals, **more))


def test_what_was_delivered_is_remembered_over_a_restart(station):
    station.ready()
    bring(station, arrival(1, flags=("\\Seen",)), arrival(2), complete=True, modseq=77)
    bring(station, flags={2: frozenset({"\\Flagged"})}, gone=frozenset({1}))
    station.again()
    memory = station.engine.backend.stored_folder(INBOX)
    assert (memory.validity, memory.modseq) == (1, 77)
    assert memory.flags == {2: frozenset({"\\Flagged"})}
    assert station.engine.backend.stored_folder(ARCHIVE).flags == {}


def test_rows_come_with_scores_and_go_when_nothing_is_left(backend_station):
    station = backend_station
    station.deliver([101, 102])
    rows = station.until(lambda event: isinstance(event, Changed) and event.rows is not None).rows
    assert set(rows.messages.tolist()) == {101, 102}
    assert np.all(rows.scores.log_odds != 0)
    listed = station.do.list_mail()
    assert set(zip(rows.messages.tolist(), rows.scores.log_odds, strict=True)) <= set(
        zip(listed.messages.tolist(), listed.scores.log_odds, strict=True)
    )
    bring(station, gone=frozenset({101}))
    assert station.until(lambda event: isinstance(event, Changed) and event.gone).gone == (101,)


# ------------------------------------------------------------------------------------------------ keywords


@pytest.mark.parametrize(
    ("keyword", "label"),
    [
        ("$Junk", "junk"),
        ("Junk", "junk"),
        ("$NotJunk", "good"),
        ("NonJunk", "good"),
        ("$junk", "junk"),
        ("\\Seen", None),
    ],
)
def test_keywords_that_others_set_are_labels(station, keyword, label):
    station.ready()
    bring(station, arrival(1, flags=(keyword,)), arrival(2))
    bring(station, flags={2: frozenset({keyword})})
    assert labels(station) == ({1: label, 2: label} if label else {})
    assert {by for _, _, by in by_whom(station)} <= {"server"}
    assert station.do.undo().messages == ()
    assert station.engine.backend.pending_actions("home") == ()


def test_of_contradicting_keywords_the_one_that_came_last_speaks_and_is_told(station):
    station.ready()
    bring(station, arrival(1, flags=("$Junk", "NonJunk")), arrival(2, flags=("$Junk",)))
    bring(station, flags={2: frozenset({"$Junk", "$NotJunk"})})
    assert labels(station) == {2: "good"}
    (action,) = station.engine.backend.pending_actions("home")
    assert (action.uid, action.add, action.remove) == (2, {"$NotJunk", "NonJunk"}, {"$Junk", "Junk"})


def test_our_own_keyword_coming_back_is_no_second_label(station):
    station.ready().deliver([1])
    station.do.mark((1,), "junk")
    (action,) = station.engine.backend.pending_actions("home")
    bring(station, flags={1: frozenset({"$Junk"})})
    station.engine.backend.complete(action, Outcome.DONE)
    bring(station, flags={1: frozenset({"$Junk"})})
    bring(station, arrival(1, flags=("$Junk",), uid=5), folder=ARCHIVE)
    assert by_whom(station) == [(1, "junk", "user")]


def test_an_echo_that_comes_late_does_not_undo_a_newer_mark(station):
    """Marked junk, told so, marked good: then the server reports the junk keyword it was told first."""
    station.ready().deliver([1])
    station.do.mark((1,), "junk")
    (action,) = station.engine.backend.pending_actions("home")
    station.do.mark((1,), "good")
    bring(station, flags={1: frozenset({"$Junk"})})
    assert labels(station) == {1: "good"}
    station.engine.backend.complete(action, Outcome.DONE)
    bring(station, flags={1: frozenset({"$Junk", "\\Seen"})})
    assert labels(station) == {1: "good"}
    for waiting in station.engine.backend.pending_actions("home"):
        station.engine.backend.complete(waiting, Outcome.DONE)
    assert station.engine.backend.stored_folder(INBOX).flags[1] >= {"$NotJunk"}
    assert station.engine.backend.pending_actions("home") == ()


def test_an_old_keyword_is_no_news(station):
    """The server kept $Junk although we said good: reading the mail there must not bring junk back."""
    station.ready()
    bring(station, arrival(1, flags=("$Junk",)))
    station.do.mark((1,), "good")
    for action in station.engine.backend.pending_actions("home"):
        station.engine.backend.complete(action, Outcome.REFUSED, "no keywords here")
    bring(station, flags={1: frozenset({"$Junk", "\\Seen"})})
    bring(station, arrival(1, flags=("$Junk",), uid=7), folder=ARCHIVE)
    assert labels(station) == {1: "good"}


@pytest.mark.parametrize(
    ("label", "first", "other", "changed"),
    [
        ("good", (JUNK, "\\Junk"), (INBOX, "\\Inbox"), ("$Junk", "NonJunk")),
        ("junk", (INBOX, "\\Inbox"), (JUNK, "\\Junk"), ("$NotJunk", "Junk")),
    ],
)
def test_what_a_move_brings_may_be_older_than_what_was_told_of_the_old_place(station, label, first, other, changed):
    """Another client marks and moves: it reads the keywords, we put ours in order, it takes the message away."""
    station.ready()
    before = ("$Junk", "Junk") if label == "good" else ("$NotJunk", "NonJunk")
    bring(station, arrival(1, flags=before), folder=first[0], special=first[1])
    bring(station, flags={1: frozenset(changed)}, folder=first[0], special=first[1])
    (action,) = station.engine.backend.pending_actions("home")
    station.engine.backend.complete(action, Outcome.DONE)
    bring(station, arrival(1, flags=changed, uid=5), folder=other[0], special=other[1])
    bring(station, folder=first[0], special=first[1], gone=frozenset({1}))
    assert labels(station) == {1: label}
    (action,) = station.engine.backend.pending_actions("home")
    assert (action.folder, action.uid) == (other[0], 5)
    assert action.add == ({"$NotJunk", "NonJunk"} if label == "good" else {"$Junk", "Junk"})


def test_another_client_that_changes_its_mind_is_heard(station):
    station.ready()
    bring(station, arrival(1, flags=("$Junk",)))
    bring(station, flags={1: frozenset({"$NotJunk"})})
    assert labels(station) == {1: "good"}
    bring(station, arrival(1, flags=("$Junk",), uid=3), folder=ARCHIVE)
    assert labels(station) == {1: "junk"}


# ------------------------------------------------------------------------------------------- first training


def test_a_folders_first_training_is_one_step_and_spares_what_is_labelled(station):
    station.ready().deliver(range(1, 6))
    station.do.mark((1,), "good")
    bring(station, *(arrival(n, uid=n + 100) for n in range(1, 41)), folder=ARCHIVE, role="junk")
    bring(station, *(arrival(n) for n in range(41, 61)), folder=ARCHIVE, role="junk", complete=True)
    found = labels(station)
    assert found.pop(1) == "good"
    assert found == dict.fromkeys(range(2, 61), "junk")
    assert {by for _, _, by in by_whom(station)} == {"user", "folder"}
    assert len(station.do.undo().messages) == 59
    bring(station, arrival(61), folder=ARCHIVE, role="junk")
    assert station.do.undo().messages == (61,)
    assert labels(station) == {1: "good"}
    assert station.check_up().sound


def test_a_first_training_is_seen_and_folded_once_it_is_over(station):
    station.ready()
    for first in range(1, 121, 40):
        for kind, folder in (("junk", JUNK), ("good", ARCHIVE)):
            odd = range(first + (kind == "good"), first + 40, 2)
            bring(station, *(arrival(n) for n in odd), folder=folder, role=kind)
    learning = station.until(lambda event: isinstance(event, Learned) and len(event.classes) == 2)
    assert not learning.is_exact
    for kind, folder in (("junk", JUNK), ("good", ARCHIVE)):
        bring(station, folder=folder, role=kind, complete=True)
    station.until(lambda event: isinstance(event, Learned) and event.is_exact and sum(event.held_out) > 50)
    assert [one.messages for one in station.learned().classes] == [60, 60]
    assert station.check_up().sound


def test_a_training_that_breaks_off_is_folded_when_there_is_time(station):
    station.ready()
    bring(station, *(arrival(n) for n in range(1, 41, 2)), folder=JUNK, role="junk")
    bring(station, *(arrival(n) for n in range(2, 42, 2)), folder=ARCHIVE, role="good")
    station.until(lambda event: isinstance(event, Learned) and event.is_exact and sum(event.held_out) > 10)
    assert station.check_up().sound


def test_small_deliveries_of_one_folder_leave_what_a_single_one_leaves(station, monkeypatch):
    """Parts are cut by the number of words; every message is kept once, with its label, and the last part ends it."""
    station.ready()
    monkeypatch.setattr("nbmail.worker.mailbox.intake.LEARNED", 100)
    monkeypatch.setattr("nbmail.worker.mailbox.intake.CHECKPOINT", 20)
    monkeypatch.setattr("nbmail.worker.mailbox.intake.CHUNK_BYTES", 900)
    bring(station, *(arrival(n) for n in range(1, 62)), folder=ARCHIVE, role="good", complete=True, modseq=5)
    monkeypatch.setattr("nbmail.worker.mailbox.intake.STORED", 100)
    bring(station, *(arrival(n) for n in range(62, 100)), complete=True, modseq=7, gone=frozenset({3}))
    assert labels(station) == dict.fromkeys(range(1, 62), "good")
    assert len(station.do.list_mail().messages) == 99
    assert station.engine.backend.stored_folder(ARCHIVE).modseq == 5
    assert station.engine.backend.stored_folder(INBOX).modseq == 7
    assert len(station.do.undo().messages) == 61
    assert station.check_up().sound


def test_a_delivery_that_is_refused_by_the_disk_says_so_to_the_account(backend_station, full_disk):
    with full_disk(), pytest.raises(KnownError, match="disk-full"):
        backend_station.deliver([101])
    assert len(backend_station.do.list_mail().messages) == 100
    backend_station.deliver([101])
    assert len(backend_station.do.list_mail().messages) == 101
    assert backend_station.check_up().sound


def test_folders_that_are_watched_no_longer_leave_the_list_and_keep_their_labels(backend_station):
    station = backend_station
    for number, folder in ((101, INBOX), (102, ARCHIVE), (103, JUNK)):
        bring(station, arrival(number), folder=folder, special="\\Junk" if folder == JUNK else "", complete=True)
    bring(station, arrival(101), folder=ARCHIVE)
    listed = {subject: message for message, subject in zip(*_rows(station), strict=True)}
    station.do.mark(tuple(listed.values()), "junk")
    before = labels(station)
    station.engine.backend.retain("home", {"INBOX"}, junk=True)
    assert len(_rows(station)[0]) == len(listed) - 1
    assert station.engine.backend.stored_folder(ARCHIVE).flags == {}
    assert set(station.engine.backend.stored_folder(JUNK).flags) == {103}
    bring(station, arrival(102), folder=ARCHIVE, complete=True)
    assert labels(station) == before
    assert station.engine.backend.pending_actions("home")
    station.engine.backend.retain("home", (), junk=False)
    assert len(_rows(station)[0]) == 0
    assert station.engine.backend.pending_actions("home") == ()
    bring(station, arrival(101), arrival(102), arrival(103), complete=True)
    assert labels(station).items() <= before.items()
    assert len(labels(station)) == 3


def _rows(station):
    rows = station.do.list_mail()
    return rows.messages.tolist(), rows.subjects


def test_a_training_whose_delivery_failed_is_no_part_of_the_next_mark(station, full_disk):
    station.ready()
    station.deliver(range(1, 5))
    with full_disk(), pytest.raises(KnownError):
        station.engine.backend.deliver(delivery(range(20, 24), ARCHIVE, role="good")._replace(complete=False))
    station.do.mark((1,), "junk")
    station.deliver(range(20, 24), ARCHIVE, role="good")
    assert len(station.do.undo().messages) == 4
    assert labels(station) == {1: "junk"}


# ----------------------------------------------------------------------------------------- handed in, one ahead


def part(numbers):
    return delivery(numbers)._replace(complete=False)


def test_what_is_handed_in_is_stored_while_the_account_goes_on(station):
    station.ready()
    station.hold_at(lambda event: isinstance(event, Done))
    held = station.tell.list_journal(1)
    station.is_held()
    station.engine.backend.submit(part([1, 2]))
    assert not any(isinstance(event, Changed) and event.rows is not None for event in station.events)
    station.release()
    assert station.ending(held)
    station.engine.backend.submit(part([3]))
    assert station.engine.backend.stored_folder(INBOX).flags.keys() == {1, 2, 3}


@pytest.mark.parametrize("call", ["submit", "deliver", "stored_folder"])
def test_what_could_not_be_stored_is_heard_at_the_next_call(station, full_disk, call):
    station.ready()
    with full_disk():
        station.engine.backend.submit(part([1, 2]))
        with pytest.raises(KnownError):
            getattr(station.engine.backend, call)(INBOX if call == "stored_folder" else delivery([3]))
    assert station.engine.backend.stored_folder(INBOX).flags == {}, "nothing behind the failure was taken"
    station.deliver([1, 2, 3])
    assert station.engine.backend.stored_folder(INBOX).flags.keys() == {1, 2, 3}
