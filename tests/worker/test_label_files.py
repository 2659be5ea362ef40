"""Files of labels: round trip, and labels of unknown messages."""

import re

import pytest

from nbmail.chunks import drain
from nbmail.errors import KnownError
from nbmail.store.doctor import diagnose
from nbmail.store.files.quarantine import replace_database
from nbmail.store.labels.journal import By
from nbmail.store.labels_log.label_records import label_records
from nbmail.values import FolderName, LabelSource
from nbmail.worker.model.label_files import import_labels, read_labels, writing_labels
from tests.store.helpers import fill, learned, open_store
from tests.worker.test_marking import labels


def test_imported_labels_restore_order_and_model(tmp_path):
    path = tmp_path / "labels.log"
    with open_store(tmp_path / "home") as store:
        messages = fill(store, 60)
        for place in range(0, 60, 3):
            kind = ("spam", "ham", "work")[place % 7 % 3]
            store.marks.mark(
                dict.fromkeys(messages[place : place + 4], kind), by=By.USER, moment=float(place)
            )
        store.marks.mark({messages[5]: None}, by=By.USER, moment=70.0)
        store.model.make_exact()
        drain(writing_labels(store, path))
        before = store.labels.all()
        model = learned(store.model.model)
    with open_store(tmp_path / "other") as store:
        fill(store, 60)
        assert import_labels(store, path, 80.0).given == len(before) + 1
        assert store.labels.all() == before
        store.model.make_exact()
        assert learned(store.model.model) == model
        assert diagnose(store, 90.0).sound
        again = tmp_path / "again.log"
        drain(writing_labels(store, again))
        records = [[one._replace(step=0) for one in read_labels(each)] for each in (path, again)]
        assert records[0] == records[1], "time, source and each Message-ID"
        assert import_labels(store, path, 90.0).given == 0
        store.marks.undo(moment=91.0)
        assert len(store.labels) == 0
    assert list(read_labels(path))[0].message_id == "<1@example.org>"  # noqa: RUF015


def test_an_imported_label_keeps_its_source_even_if_undo_restored_it(tmp_path):
    """Undo in the old data folder is no label source in the new one."""
    path = tmp_path / "labels.log"
    folder = FolderName("anna", "Lists/choir")
    with open_store(tmp_path / "home") as store:
        one, two, three = fill(store, 3)
        store.marks.mark({one: "lists"}, by=By.FOLDER, moment=10.0, folder=folder)
        store.marks.mark({two: "ham"}, by=By.SERVER, moment=11.0)
        store.marks.mark({one: "spam", three: "spam"}, by=By.USER, moment=12.0)
        store.marks.undo(moment=13.0)
        drain(writing_labels(store, path))
    with open_store(tmp_path / "other") as store:
        fill(store, 3)
        import_labels(store, path, 80.0)
        assert store.labels.all() == {one: "lists", two: "ham"}
        given = store.label_sources.find(one)
        assert (given.label_source, given.label) == (LabelSource("folder", folder), "lists")
        assert store.label_sources.find(two).label_source == LabelSource("server")
        lines = [(line.by, line.moment) for line in reversed(store.journal.latest())]
        assert lines[:4] == [("folder", 10.0), ("server", 11.0), ("user", 12.0), ("user", 12.0)]
        assert lines[4:] == [("folder", 13.0), ("restore", 13.0)]
        assert diagnose(store, 90.0).sound


def test_a_later_label_of_this_data_folder_stays(tmp_path):
    with open_store(tmp_path / "home") as store:
        one, two = fill(store, 2)
        store.marks.mark({one: "spam", two: "spam"}, by=By.USER, moment=10.0)
        drain(writing_labels(store, tmp_path / "labels.log"))
        store.marks.mark({one: "ham"}, by=By.USER, moment=20.0)
        store.marks.mark({two: None}, by=By.USER, moment=5.0)
        taken = import_labels(store, tmp_path / "labels.log", 30.0)
        assert (taken.given, taken.older, store.labels.all()) == (1, 1, {one: "ham", two: "spam"})


def labels_by_identity(harness):
    """Return labels by identity: a new database has other numbers."""
    records = harness.on_engine(lambda parts: list(label_records(parts.store.connection)))
    return {record.identity: record.label for record in records}


def labels_in(path):
    """Return the labels of a file without their numbers in the journal, in any order."""
    lines = [one._replace(entry=0, step=0, position=0) for one in read_labels(path)]
    return sorted(lines, key=str)


def test_labels_wait_for_their_mail(harness, tmp_path):
    path = tmp_path / "labels.log"
    again = tmp_path / "again.log"
    harness.ready().deliver(range(1, 41))
    harness.do.mark(tuple(range(1, 21)), "spam")
    harness.do.mark(tuple(range(21, 31)), "ham")
    before = labels_by_identity(harness)
    harness.stop()
    with open_store(harness.paths.data.parent) as store:
        drain(writing_labels(store, path))
    (harness.paths.data / "labels.log").unlink()
    replace_database(harness.paths, 1.0)
    with open_store(harness.paths.data.parent) as store:
        assert import_labels(store, path, 2.0).waiting == 30
        drain(writing_labels(store, again))
        assert labels_in(again) == labels_in(path), "not lost in the next copy"
    harness.ready().deliver(range(1, 16))
    assert len(labels(harness)) == 15
    harness.again()
    harness.deliver(range(1, 41))
    assert labels_by_identity(harness) == before
    assert harness.do.undo().messages == ()
    harness.until_exact()
    assert harness.check_up().sound
    harness.stop()
    with open_store(harness.paths.data.parent) as store:
        drain(writing_labels(store, again))
    assert labels_in(again) == labels_in(path)


def test_a_changed_line_is_refused(tmp_path):
    with open_store(tmp_path / "home") as store:
        store.marks.mark(dict.fromkeys(fill(store, 3), "spam"), by=By.USER, moment=1.0)
        drain(writing_labels(store, tmp_path / "labels.log"))
        raw = (tmp_path / "labels.log").read_text()
        (tmp_path / "labels.log").write_text(raw.replace('"spam"', '"ham"', 1))
        with pytest.raises(KnownError, match=r"labels\.log, line 1: "):
            import_labels(store, tmp_path / "labels.log", 2.0)
        by_hand = re.sub(', "crc32": "[^"]*"', "", raw.replace('"spam"', '"ham"'))
        (tmp_path / "labels.log").write_text(by_hand)
        assert import_labels(store, tmp_path / "labels.log", 2.0).given == 3
        assert set(store.labels.all().values()) == {"ham"}
