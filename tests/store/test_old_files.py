"""A real file of each schema there ever was is opened, upgraded and worked with."""

import contextlib
import shutil
import sqlite3

import pytest

from nbmail.core.sorting.sorted_message import SortedState
from nbmail.paths import Paths
from nbmail.store.doctor import diagnose
from nbmail.store.files.schema import STEPS
from nbmail.store.labels.journal import By
from nbmail.values import Outcome, ServerAction, ServerLocation
from tests.store.helpers import ACCOUNT, INBOX, fill, open_store, take
from tests.store.make_database import DATA, WAITING
from tests.store.test_kills import is_exact

SPAM = (1, 2, 5, 6, 15, 16)
HAM = (*range(7, 15), 21, 22)
WORK = (3, 4)
LABELS = {
    **dict.fromkeys(SPAM, "spam"),
    **dict.fromkeys(HAM, "ham"),
    **dict.fromkeys(WORK, "work"),
}


@pytest.fixture(params=range(1, len(STEPS) + 1))
def home(request, tmp_path):
    copy_version(request.param, tmp_path).chmod(0o600)
    return tmp_path, request.param


def copy_version(version, folder, insert="", rows=()):
    """Copy the database of a version into a new home, insert rows, and return its path."""
    paths = Paths.under(folder)
    paths.make()
    shutil.copyfile(DATA / f"version{version}.sqlite3", paths.database)
    if rows:
        with contextlib.closing(sqlite3.connect(paths.database)) as connection, connection:
            connection.executemany(insert, rows)
    return paths.database


def test_everything_is_there_and_work_goes_on(home):
    folder, version = home
    with open_store(folder) as store:
        assert bool(store.notes) is (version < len(STEPS))
        assert store.labels.all() == LABELS
        assert len(store.messages) == 25
        assert store.steps.depth() == (5, 1)
        assert store.folders.memory(SPAM).modseq == 99
        assert store.imported.current == 1
        assert len(store.outbox.pending_actions(ACCOUNT)) > 3
        assert len(store.listing.newest(9999).messages) == 25
        assert sorted(store.asked.latest(9)) == [15, 16]
        assert store.waiting_labels.take([bytes(16)]) == {bytes(16): WAITING}
        assert diagnose(store, 0.0).sound
        new = fill(store, 5, first=500)
        store.marks.mark(dict.fromkeys(new, "spam"), by=By.USER, moment=50.0)
        for _ in range(4):
            assert store.marks.undo(moment=51.0).step
        store.model.make_exact()
        is_exact(store)
        assert diagnose(store, 0.0).sound
    assert len(list((Paths.under(folder).data).glob("backups/*"))) == (version < len(STEPS))


def test_moves_of_marks_in_an_old_file_go_on_and_can_be_undone(tmp_path):
    """Version 4 had them in the outbox: begun, withdrawn, completed, and on its way back."""
    columns = (
        "number, message, kind, account, folder, validity, uid, added, removed, target, wanted, "
        "applied, detail"
    )
    moves = [
        (900, 1, "INBOX", 1, 1, "spam", "", "\\Junk", 1, 0, "half way"),
        (901, 2, "INBOX", 1, 2, "spam", "", "\\Junk", 0, 0, ""),
        (902, 3, "INBOX", 1, 3, "spam", "", "\\Junk", 1, 1, ""),
        (903, 4, "INBOX", 1, 4, "spam", "", "\\Junk", 1, 1, ""),
        (904, 4, "Junk", 7, 4, "work", "903", "INBOX", 1, 0, "on its way"),
    ]
    added = (
        f"INSERT INTO outbox ({columns}) VALUES (?, ?, 'move', 'anna', ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    copy_version(4, tmp_path, added, moves)
    with open_store(tmp_path) as store:

        def pending():
            actions = store.filed.pending_actions(ACCOUNT)
            return [(each.folder.folder, each.uid, each.target, each.progress) for each in actions]

        begun = ("INBOX", 1, "\\Junk", "half way")
        returning = ("Junk", 4, "INBOX", "on its way")
        assert pending() == [begun, returning]
        while store.labels.of([1, 2, 3]):
            store.marks.undo(moment=50.0)
        assert pending() == [begun, ("Junk", 3, "INBOX", ""), returning]
        for action in store.filed.pending_actions(ACCOUNT):
            folder, validity = ("Junk", 7) if action.target == "\\Junk" else ("INBOX", 1)
            store.filed.complete(
                action, Outcome.DONE, "", ServerLocation(folder, validity, 70 + action.uid)
            )
        assert pending() == [("Junk", 71, "INBOX", "")]


def test_sorted_messages_in_an_old_file_go_back(tmp_path):
    """Version 5 had their moves in the journal of sorting: its message listed, not listed, moving,
    and going back.
    """
    columns = "message, account, folder, validity, uid, moment, state, progress, going_back"
    back = 'back 7 9 Old\n["moving", ["Old", 7, 9], "INBOX", 1, 30, [1, 2.0, "x"]]'
    rows = [
        (3, "put-back", ""),
        (9, "put-back", ""),
        (10, "moved", "claiming"),
        (11, "put-back", back),
    ]
    rows += [(12, "moved", "claiming")]
    added = f"INSERT INTO sorted ({columns}) VALUES (?1, 'anna', 'INBOX', 1, ?1, 0, ?2, ?3, 1)"
    copy_version(5, tmp_path, added, rows)
    with open_store(tmp_path) as store:

        def pending():
            actions = store.filed.pending_actions(ACCOUNT)
            return {
                (each.folder.folder, each.uid, each.target, each.progress[:9]) for each in actions
            }

        assert pending() == {("Junk", 3, "INBOX", ""), ("Old", 9, "INBOX", '["moving"')}
        moving, withdrawn = store.sorted_moves.open(ACCOUNT, 9)
        store.sorted_moves.ended(withdrawn.number)
        assert store.filed.waiting([10])
        assert not store.filed.waiting([12])
        with store.transaction():
            store.sorted_moves.left(
                ServerAction(1, "sort", INBOX, 1, 10, target="\\Junk"),
                ServerLocation("Junk", 7, 31),
            )
            store.sorted_moves.ended(moving.number, SortedState.MOVED)
        assert ("Junk", 31, "INBOX", "") in pending()
        take(store, (9,), SPAM, 7, special="\\Junk")
        assert [each.uid for each in store.filed.pending_actions(ACCOUNT) if not each.progress] == [
            3,
            9,
            31,
        ]
        while store.labels.of([9, 10]):
            assert store.marks.undo(moment=50.0).step
        assert [each.uid for each in store.filed.pending_actions(ACCOUNT) if not each.progress] == [
            3
        ]
