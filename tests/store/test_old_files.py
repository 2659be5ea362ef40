"""A real file of each schema there ever was is opened, upgraded and worked with."""

import shutil

import pytest

from nbmail.paths import Paths
from nbmail.store.doctor import Doctor
from nbmail.store.files.schema import STEPS
from nbmail.store.labels.journal import By
from tests.store.helpers import ACCOUNT, SPAM, fill, open_store
from tests.store.make_database import DATA, WAITING
from tests.store.test_kills import is_exact

JUNK, GOOD, WORK = (1, 2, 5, 6, 15, 16), (*range(7, 15), 21, 22), (3, 4)
LABELS = {**dict.fromkeys(JUNK, "junk"), **dict.fromkeys(GOOD, "good"), **dict.fromkeys(WORK, "work")}


@pytest.fixture(params=range(1, len(STEPS) + 1))
def home(request, tmp_path):
    """A home with the file of that version."""
    paths = Paths.under(tmp_path)
    paths.make()
    shutil.copyfile(DATA / f"version{request.param}.sqlite3", paths.database)
    paths.database.chmod(0o600)
    return tmp_path, request.param


def test_everything_in_it_is_there(home):
    folder, version = home
    with open_store(folder) as store:
        assert bool(store.notes) is (version < len(STEPS))
        assert store.labels.all() == LABELS
        assert len(store.messages) == 25
        assert store.steps.depth() == (5, 1)
        assert store.folders.memory(SPAM).modseq == 99
        assert store.imported.current == 1
        assert len(store.outbox.pending_actions(ACCOUNT)) > 3
        assert len(store.listing.all().messages) == 25
        assert sorted(store.asked.latest(9)) == [15, 16]
        assert store.waiting_labels.take([bytes(16)]) == {bytes(16): WAITING}
        assert Doctor(store, 0.0).check().sound
    assert len(list((Paths.under(folder).data).glob("backups/*"))) == (version < len(STEPS))


def test_work_goes_on_with_it(home):
    with open_store(home[0]) as store:
        new = fill(store, 5, first=500)
        store.marks.mark(dict.fromkeys(new, "junk"), by=By.USER, moment=50.0)
        for _ in range(4):
            assert store.marks.undo(moment=51.0).step
        store.model.make_exact()
        is_exact(store)
        assert Doctor(store, 0.0).check().sound
