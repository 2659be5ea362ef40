"""The snapshot saves a rebuild, and is used only where it fits."""

import shutil
from functools import partial

import pytest

from nbmail.chunks import drain
from nbmail.core.methods.balanced import BALANCED
from nbmail.core.scoring.model import Model
from nbmail.method_spec import METHODS
from nbmail.store.labels.journal import By
from nbmail.store.model.fingerprint import fingerprint
from nbmail.worker.model.laboratory import method_named
from tests.store.helpers import close_store, content, fill, learned, open_store
from tests.store.test_kills import is_exact

SNAPSHOT = "model.arrays"
# So many that some more don't make folds due, which only a fold of all labels can do.
LABELS = 137


@pytest.fixture
def home(tmp_path):
    """Closed data folder with labels and a snapshot of them."""
    store = open_store(tmp_path / "home")
    mark_in_turn(store, ("spam", "ham"), 0.0)
    close_store(store)
    return tmp_path / "home"


def mark_in_turn(store, labels, moment):
    for number, message in enumerate(fill(store, 160)[:LABELS]):
        store.marks.mark({message: labels[number % 2]}, by=By.USER, moment=moment + number)


def labels_learned(folder, **more):
    """Open the data folder. Return the number of labels that this learned."""
    with open_store(folder, **more) as store:
        is_exact(store)
        fold = drain(store.model.rebuild_from_snapshot())
        return None if fold is None else fold.done


def test_opening_learns_only_later_labels(home):
    assert labels_learned(home) == 0
    with open_store(home) as store:
        store.marks.mark({LABELS + 1: "spam", LABELS + 2: "ham"}, by=By.USER, moment=170.0)
    assert labels_learned(home) == 2


def flip(part, store):
    path = store.paths.data / SNAPSHOT
    raw = bytearray(path.read_bytes())
    raw[int(part * len(raw))] ^= 0x10
    path.write_bytes(raw)


CHANGES = {
    "a label in the middle": lambda store: store.marks.mark({3: "ham"}, by=By.USER, moment=180.0),
    "a label undone": lambda store: store.marks.undo(moment=180.0),
    "other samples": lambda store: store.replace_samples({5: content(store, 500).sample}, 2),
    "no snapshot": lambda store: (store.paths.data / SNAPSHOT).unlink(),
    "half a snapshot": lambda store: (store.paths.data / SNAPSHOT).write_bytes(b"half"),
    **{f"a flipped bit at {part}": partial(flip, part) for part in (0, 0.3, 0.6, 0.9, 0.999)},
    "nothing in it": lambda store: (store.paths.data / SNAPSHOT).write_bytes(b""),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_snapshot_that_does_not_fit_costs_a_rebuild(home, change):
    with open_store(home) as store:
        change(store)
    assert labels_learned(home) is None


def test_a_snapshot_of_another_method_or_database_is_not_used(home, tmp_path):
    assert labels_learned(home, method="multinomial") is None
    other = tmp_path / "other"
    with open_store(other) as store:
        mark_in_turn(store, ("ham", "spam"), 200.0)
    shutil.copyfile(home / "data" / SNAPSHOT, other / "data" / SNAPSHOT)
    assert labels_learned(other) is None


def test_a_snapshot_newer_than_the_database_is_not_used(home):
    database = home / "data" / "nbmail.sqlite3"
    old = database.read_bytes()
    store = open_store(home)
    store.marks.mark(dict.fromkeys(range(LABELS + 1, LABELS + 6), "ham"), by=By.USER, moment=190.0)
    close_store(store)
    kept = (home / "data" / SNAPSHOT).read_bytes()
    database.write_bytes(old)
    with open_store(home) as store:
        is_exact(store)
        # As many lines in the journal as there were, and other ones.
        store.marks.mark(
            dict.fromkeys(range(LABELS + 1, LABELS + 6), "spam"), by=By.USER, moment=191.0
        )
    (home / "data" / SNAPSHOT).write_bytes(kept)
    assert labels_learned(home) is None


def test_marks_during_its_writing_are_not_in_the_snapshot(home):
    with open_store(home) as store:
        store.marks.mark({LABELS + 1: "spam"}, by=By.USER, moment=170.0)
        before = learned(store.model.model)
        writing = store.model.write_snapshot()
        next(writing)
        store.marks.mark({LABELS + 2: "ham", LABELS + 3: "spam"}, by=By.USER, moment=171.0)
        drain(writing)
        assert learned(store.model.model) != before
        assert store.model.entries_behind == 2
    assert labels_learned(home) == 2


def test_a_fingerprint_is_reproducible_and_detects_a_change(monkeypatch):
    for method in METHODS:
        factory = method_named(method)
        assert fingerprint(factory) == fingerprint(factory)
    before = fingerprint(BALANCED)
    learn = Model.learn
    monkeypatch.setattr(Model, "learn", lambda model, sample, label: learn(model, sample, "spam"))
    assert fingerprint(BALANCED) != before


def test_a_snapshot_of_an_earlier_program_costs_a_rebuild(tmp_path, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr(
            "nbmail.store.model.model_snapshot.fingerprint",
            lambda method: "that of another program",
        )
        store = open_store(tmp_path)
        mark_in_turn(store, ("spam", "ham"), 1.0)
        close_store(store)
        with open_store(tmp_path) as store:
            assert drain(store.model.rebuild_from_snapshot()) is not None
    with open_store(tmp_path) as store:
        assert drain(store.model.rebuild_from_snapshot()) is None
        is_exact(store)
