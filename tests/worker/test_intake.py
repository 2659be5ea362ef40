"""Deliveries: stored folders, labels implied by keywords and folders, events for the window."""

import numpy as np
import pytest

from nbmail.errors import KnownError
from nbmail.values import ActionKind, Delivery, FolderName, LabelSource, Outcome
from nbmail.worker.protocol.events import Changed, Learned
from tests.worker.conftest import INBOX, SPAM, Done, arrival, delivery
from tests.worker.test_marking import labels

ARCHIVE = FolderName("home", "Archive")


def by_whom(harness):
    return [(line.message, line.after, line.by) for line in reversed(harness.do.list_journal())]


def bring(harness, *arrivals, folder=INBOX, **more):
    harness.engine.backend.deliver(Delivery(folder, 1, arrivals=arrivals, **more))


def test_deliveries_survive_a_restart(harness):
    harness.ready()
    bring(harness, arrival(1, flags=("\\Seen",)), arrival(2), complete=True, modseq=77)
    bring(harness, flags={2: frozenset({"\\Flagged"})}, gone=frozenset({1}))
    harness.again()
    memory = harness.engine.backend.stored_folder(INBOX)
    assert (memory.validity, memory.modseq) == (1, 77)
    assert memory.flags == {2: frozenset({"\\Flagged"})}
    assert harness.engine.backend.stored_folder(ARCHIVE).flags == {}


@pytest.mark.parametrize(
    ("keyword", "label"),
    [
        ("$Junk", "spam"),
        ("Junk", "spam"),
        ("$NotJunk", "ham"),
        ("NonJunk", "ham"),
        ("$junk", "spam"),
        ("\\Seen", None),
    ],
)
def test_keywords_of_other_clients_are_labels(harness, keyword, label):
    harness.ready()
    bring(harness, arrival(1, flags=(keyword,)), arrival(2))
    bring(harness, flags={2: frozenset({keyword})})
    assert labels(harness) == ({1: label, 2: label} if label else {})
    assert {by for _, _, by in by_whom(harness)} <= {"server"}
    assert harness.do.undo().messages == ()
    assert harness.engine.backend.pending_actions("home") == ()


def test_the_latest_of_contradicting_keywords_counts_and_is_set_on_the_server(harness):
    harness.ready()
    bring(harness, arrival(1, flags=("$Junk", "NonJunk")), arrival(2, flags=("$Junk",)))
    bring(harness, flags={2: frozenset({"$Junk", "$NotJunk"})})
    assert labels(harness) == {2: "ham"}
    (action,) = harness.engine.backend.pending_actions("home")
    assert (action.uid, action.add, action.remove) == (
        2,
        {"$NotJunk", "NonJunk"},
        {"$Junk", "Junk"},
    )


def test_a_late_report_of_an_old_keyword_does_not_undo_a_newer_mark(harness):
    """The server reports the keyword of a mark that was replaced meanwhile."""
    harness.ready().deliver([1])
    harness.do.mark((1,), "spam")
    (action,) = harness.engine.backend.pending_actions("home")
    harness.do.mark((1,), "ham")
    bring(harness, flags={1: frozenset({"$Junk"})})
    assert labels(harness) == {1: "ham"}
    harness.engine.backend.complete(action, Outcome.DONE)
    bring(harness, flags={1: frozenset({"$Junk", "\\Seen"})})
    assert labels(harness) == {1: "ham"}
    for waiting in harness.engine.backend.pending_actions("home"):
        harness.engine.backend.complete(waiting, Outcome.DONE)
    assert harness.engine.backend.stored_folder(INBOX).flags[1] >= {"$NotJunk"}
    assert harness.engine.backend.pending_actions("home") == ()


def test_an_old_keyword_is_ignored(harness):
    """The server kept $Junk although nbmail set ham: a read flag must not bring spam back."""
    harness.ready()
    bring(harness, arrival(1, flags=("$Junk",)))
    harness.do.mark((1,), "ham")
    for action in harness.engine.backend.pending_actions("home"):
        harness.engine.backend.complete(action, Outcome.REFUSED, "no keywords here")
    bring(harness, flags={1: frozenset({"$Junk", "\\Seen"})})
    bring(harness, arrival(1, flags=("$Junk",), uid=7), folder=ARCHIVE)
    assert labels(harness) == {1: "ham"}


@pytest.mark.parametrize(
    ("label", "first", "other", "changed"),
    [
        ("ham", (SPAM, "\\Junk"), (INBOX, "\\Inbox"), ("$Junk", "NonJunk")),
        ("spam", (INBOX, "\\Inbox"), (SPAM, "\\Junk"), ("$NotJunk", "Junk")),
    ],
)
def test_keywords_of_a_moved_message_may_be_older_than_those_of_its_former_location(
    harness, label, first, other, changed
):
    """Another client copies keywords, nbmail sets others, and the client removes the message."""
    harness.ready()
    before = ("$Junk", "Junk") if label == "ham" else ("$NotJunk", "NonJunk")
    bring(harness, arrival(1, flags=before), folder=first[0], special=first[1])
    bring(harness, flags={1: frozenset(changed)}, folder=first[0], special=first[1])
    (action,) = harness.engine.backend.pending_actions("home")
    harness.engine.backend.complete(action, Outcome.DONE)
    bring(harness, arrival(1, flags=changed, uid=5), folder=other[0], special=other[1])
    bring(harness, folder=first[0], special=first[1], gone=frozenset({1}))
    assert labels(harness) == {1: label}
    (action,) = harness.engine.backend.pending_actions("home")
    assert (action.folder, action.uid) == (other[0], 5)
    assert action.add == ({"$NotJunk", "NonJunk"} if label == "ham" else {"$Junk", "Junk"})


def test_a_first_training_is_one_step_and_spares_labelled_messages(harness):
    harness.ready().deliver(range(1, 6))
    harness.do.mark((1,), "ham")
    bring(harness, *(arrival(n, uid=n + 100) for n in range(1, 41)), folder=ARCHIVE, role="spam")
    bring(harness, *(arrival(n) for n in range(41, 61)), folder=ARCHIVE, role="spam", complete=True)
    found = labels(harness)
    assert found.pop(1) == "ham"
    assert found == dict.fromkeys(range(2, 61), "spam")
    assert {by for _, _, by in by_whom(harness)} == {"user", "folder"}
    assert len(harness.do.undo().messages) == 59
    bring(harness, arrival(61), folder=ARCHIVE, role="spam")
    assert harness.do.undo().messages == (61,)
    assert labels(harness) == {1: "ham"}
    assert harness.check_up().sound


def test_a_first_training_is_announced_and_rebuilt_once_at_its_end(no_idle, harness):
    harness.ready()
    for first in range(1, 121, 40):
        for kind, folder in (("spam", SPAM), ("ham", ARCHIVE)):
            odd = range(first + (kind == "ham"), first + 40, 2)
            bring(harness, *(arrival(n) for n in odd), folder=folder, role=kind)
    harness.on_engine(lambda parts: parts.changes.flush())
    learning = harness.until(lambda event: isinstance(event, Learned) and len(event.classes) == 2)
    assert not learning.is_exact
    for kind, folder in (("spam", SPAM), ("ham", ARCHIVE)):
        bring(harness, folder=folder, role=kind, complete=True)
    harness.until(
        lambda event: isinstance(event, Learned) and event.is_exact and sum(event.held_out) > 50
    )
    assert [one.messages for one in harness.learned().classes] == [60, 60]
    assert harness.check_up().sound


def test_no_message_has_a_verdict_until_the_first_training_has_both_classes(no_idle, harness):
    """Of spam a whole folder is learned, of good mail the first of many messages."""
    harness.ready()
    bring(harness, *(arrival(n) for n in range(200, 210)), folder=INBOX)
    bring(harness, *(arrival(n) for n in range(1, 121, 2)), folder=SPAM, role="spam", complete=True)
    bring(harness, *(arrival(n) for n in (2, 4)), folder=ARCHIVE, role="ham")

    def judged():
        messages = harness.do.list_mail().messages.tolist()
        found = harness.on_engine(lambda parts: parts.scoring.scores_of(messages))
        assert not found.verdicts[np.isnan(found.probabilities)].any(), "0 is unsure"
        return np.count_nonzero(~np.isnan(found.probabilities))

    assert judged() == 0
    assert harness.do.explain(1).probability is None
    harness.on_engine(lambda parts: parts.changes.flush())
    learning = harness.learned()
    assert (learning.is_training, learning.calibrated) == (True, False)
    rest = (arrival(n) for n in range(6, 122, 2))
    bring(harness, *rest, folder=ARCHIVE, role="ham", complete=True)
    harness.until_exact()
    assert judged() == len(harness.do.list_mail().messages)
    assert not harness.learned().is_training


def test_an_interrupted_training_is_rebuilt_in_idle_time(harness, quick_idle):
    harness.ready()
    bring(harness, *(arrival(n) for n in range(1, 41, 2)), folder=SPAM, role="spam")
    bring(harness, *(arrival(n) for n in range(2, 42, 2)), folder=ARCHIVE, role="ham")
    harness.until(
        lambda event: isinstance(event, Learned) and event.is_exact and sum(event.held_out) > 10
    )
    assert harness.check_up().sound


def test_many_small_deliveries_equal_a_single_one(harness, monkeypatch):
    """Parts are cut by the number of words; every message is stored once with its label."""
    harness.ready()
    monkeypatch.setattr("nbmail.worker.intake.intake.LEARNED", 100)
    monkeypatch.setattr("nbmail.worker.intake.intake.CHECKPOINT", 20)
    monkeypatch.setattr("nbmail.worker.intake.intake.CHUNK_BYTES", 900)
    bring(
        harness,
        *(arrival(n) for n in range(1, 62)),
        folder=ARCHIVE,
        role="ham",
        complete=True,
        modseq=5,
    )
    monkeypatch.setattr("nbmail.worker.intake.intake.STORED", 100)
    bring(
        harness, *(arrival(n) for n in range(62, 100)), complete=True, modseq=7, gone=frozenset({3})
    )
    assert labels(harness) == dict.fromkeys(range(1, 62), "ham")
    assert len(harness.do.list_mail().messages) == 99
    assert harness.engine.backend.stored_folder(ARCHIVE).modseq == 5
    assert harness.engine.backend.stored_folder(INBOX).modseq == 7
    assert len(harness.do.undo().messages) == 61
    assert harness.check_up().sound


def test_folders_no_longer_watched_leave_the_list_and_keep_their_labels(labelled_harness):
    harness = labelled_harness
    for number, folder in ((101, INBOX), (102, ARCHIVE), (103, SPAM)):
        bring(
            harness,
            arrival(number),
            folder=folder,
            special="\\Junk" if folder == SPAM else "",
            complete=True,
        )
    bring(harness, arrival(101), folder=ARCHIVE)
    listed = {subject: message for message, subject in zip(*_rows(harness), strict=True)}
    harness.do.mark(tuple(listed.values()), "spam")
    before = labels(harness)
    harness.engine.backend.retain("home", {"INBOX"}, spam=True)
    assert len(_rows(harness)[0]) == len(listed) - 1
    assert harness.engine.backend.stored_folder(ARCHIVE).flags == {}
    assert set(harness.engine.backend.stored_folder(SPAM).flags) == {103}
    bring(harness, arrival(102), folder=ARCHIVE, complete=True)
    assert labels(harness) == before
    assert harness.engine.backend.pending_actions("home")
    harness.engine.backend.retain("home", (), spam=False)
    assert len(_rows(harness)[0]) == 0
    assert harness.engine.backend.pending_actions("home") == ()
    bring(harness, arrival(101), arrival(102), arrival(103), complete=True)
    assert labels(harness).items() <= before.items()
    assert len(labels(harness)) == 3


def _rows(harness):
    rows = harness.do.list_mail()
    return rows.messages.tolist(), rows.subjects


def test_a_failed_training_is_not_part_of_the_next_mark(harness, full_disk):
    harness.ready()
    harness.deliver(range(1, 5))
    with full_disk(), pytest.raises(KnownError):
        harness.engine.backend.deliver(
            delivery(range(20, 24), ARCHIVE, role="ham")._replace(complete=False)
        )
    harness.do.mark((1,), "spam")
    harness.deliver(range(20, 24), ARCHIVE, role="ham")
    assert len(harness.do.undo().messages) == 4
    assert labels(harness) == {1: "spam"}


def part(numbers):
    return delivery(numbers)._replace(complete=False)


def test_a_submitted_delivery_is_stored_while_the_account_continues(harness):
    harness.ready()
    held = harness.hold(lambda event: isinstance(event, Done), harness.engine.list_journal, 1)
    harness.engine.backend.submit(part([1, 2]))
    assert not any(
        isinstance(event, Changed) and event.rows is not None for event in harness.events
    )
    harness.release()
    assert harness.end_of(held)
    harness.engine.backend.submit(part([3]))
    assert harness.engine.backend.stored_folder(INBOX).flags.keys() == {1, 2, 3}


@pytest.mark.parametrize("call", ["submit", "deliver", "stored_folder"])
def test_a_failed_delivery_raises_at_the_next_call(harness, full_disk, call):
    harness.ready()
    with full_disk():
        harness.engine.backend.submit(part([1, 2]))
        with pytest.raises(KnownError):
            getattr(harness.engine.backend, call)(
                INBOX if call == "stored_folder" else delivery([3])
            )
    assert harness.engine.backend.stored_folder(INBOX).flags == {}, (
        "nothing behind the failure was taken"
    )
    harness.deliver([1, 2, 3])
    assert harness.engine.backend.stored_folder(INBOX).flags.keys() == {1, 2, 3}


def folders_of(rows, message):
    place = rows.messages.tolist().index(message)
    return [name.folder for name, _ in rows.folders_of(place)]


def says_only_archive(event):
    changed = isinstance(event, Changed) and event.rows is not None and 1 in event.rows.messages
    return changed and folders_of(event.rows, 1) == [ARCHIVE.folder]


def test_a_message_that_leaves_one_of_two_folders_is_announced_with_the_other(harness):
    harness.ready().deliver([1, 2])
    bring(harness, arrival(1), folder=ARCHIVE)
    harness.events.clear()
    harness.engine.backend.deliver(Delivery(INBOX, 1, gone=frozenset({1})))
    assert harness.until(says_only_archive).gone == ()
    bring(harness, folder=ARCHIVE, gone=frozenset({1}))
    assert harness.until(lambda event: isinstance(event, Changed) and event.gone).gone == (1,)


def test_a_mark_is_set_in_both_folders_and_its_move_is_shown_immediately(harness):
    harness.ready().deliver([1])
    bring(harness, arrival(1), folder=ARCHIVE)
    harness.do.set_moving(True)
    harness.do.mark((1,), "spam")
    pending = harness.engine.backend.pending_actions("home")
    assert {each.folder for each in pending if each.kind is ActionKind.KEYWORDS} == {INBOX, ARCHIVE}
    harness.events.clear()
    move = next(each for each in pending if each.kind is ActionKind.MOVE and each.folder == INBOX)
    harness.engine.backend.complete(move, Outcome.DONE)
    harness.until(says_only_archive)


YOU = LabelSource("user")
PROGRAM = LabelSource("server")


def number_of(harness, number):
    rows = harness.do.list_mail()
    return rows.messages.tolist()[rows.dates.tolist().index(1000.0 + number)]


def label_sources(rows):
    """Return label sources by number of arrival."""
    return {
        round(date) - 1000: rows.source_names[label_source] if label_source >= 0 else None
        for date, label_source in zip(rows.dates.tolist(), rows.label_sources.tolist(), strict=True)
    }


def test_rows_and_journal_name_the_source_of_a_label(harness):
    """The user, two folders and another client are sources, named also after opening."""
    harness.ready()
    bring(harness, arrival(1), arrival(2), arrival(50, flags=("$Junk",)), complete=True)
    bring(
        harness,
        *(arrival(number) for number in range(101, 161)),
        folder=SPAM,
        role="spam",
        complete=True,
    )
    bring(harness, arrival(201), folder=ARCHIVE, complete=True)
    harness.do.label_folder(ARCHIVE, "ham")
    harness.do.mark((number_of(harness, 2),), "ham")
    expected = {1: None, 2: YOU, 50: PROGRAM, 201: LabelSource("folder", ARCHIVE)}
    expected |= dict.fromkeys(range(101, 161), LabelSource("folder", SPAM))
    assert label_sources(harness.do.list_mail()) == expected
    assert {LabelSource(line.by, line.folder) for line in harness.do.list_journal()} == {
        *expected.values()
    } - {None}
    assert harness.do.find_label_source(number_of(harness, 201)).label_source == expected[201]
    first = harness.again().until(
        lambda event: isinstance(event, Changed) and event.rows is not None
    )
    assert label_sources(first.rows) == expected


def test_announced_rows_of_new_messages_are_those_that_the_database_has(labelled_harness):
    harness = labelled_harness
    harness.do.mark_read((1,))
    harness.settle()
    harness.events.clear()
    arrivals = (
        arrival(101, flags=("\\Seen", "\\Flagged")),
        arrival(102),
        arrival(103, flags=("$Junk",)),
        arrival(104, uid=204),
        arrival(104, uid=205, flags=("\\Seen",)),
        arrival(1, uid=301),
    )
    bring(harness, arrival(105), folder=SPAM, special="\\Junk")
    bring(harness, *arrivals)
    harness.settle()
    announced = {}
    for event in harness.events:
        if isinstance(event, Changed) and event.rows is not None:
            announced |= described(event.rows)
    stored = harness.on_engine(lambda parts: parts.store.listing.some([1, *range(101, 106)]))
    stored = described(stored)
    assert {number: announced[number] for number in stored} == stored
    assert len(stored) == 6


def described(rows):
    """Return what the window shows of each message, without its score."""
    found = {}
    for row, number in enumerate(rows.messages.tolist()):
        label = int(rows.labels[row])
        source = int(rows.label_sources[row])
        found[number] = (
            rows.senders[row],
            rows.subjects[row],
            float(rows.dates[row]),
            rows.folders_of(row),
            bool(rows.flagged[row]),
            bool(rows.attachments[row]),
            int(rows.verified[row]),
            rows.label_names[label] if label >= 0 else None,
            rows.source_names[source] if source >= 0 else None,
            rows.spam_folders,
        )
    return found
