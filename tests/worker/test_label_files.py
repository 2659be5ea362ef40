"""Tables of labels: round trip, labels of unknown messages, daily tables of older versions."""

import csv
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.chunks import drain
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.doctor import diagnose
from nbmail.store.files.database_file import start_empty
from nbmail.store.labels.journal import By
from nbmail.store.labels.label_records import journal_records, label_records
from nbmail.values import FolderName, LabelRecord, LabelSource
from nbmail.worker.model.label_files import (
    FORMER_COLUMNS,
    import_labels,
    offer_daily_tables,
    read_labels,
    read_table,
    writing_labels,
    writing_table,
)
from tests.store.helpers import fill, learned, open_store
from tests.worker.test_marking import labels

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
ODD = st.sampled_from(["=cmd()", "+1", "-", "@x", "'", "''=x", "a,b", 'a"b', "", "\u2028"])
LINES = st.tuples(
    st.binary(min_size=16, max_size=16),
    TEXT | ODD,
    st.floats(0, 4e9).map(round),
    st.sampled_from([by.value for by in By]),
    *(TEXT, TEXT | ODD, TEXT | ODD),
).map(lambda fields: LabelRecord(*fields))


@given(st.lists(LINES, max_size=8))
def test_a_table_is_read_back_unchanged(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("table") / "labels.csv"
    drain(writing_table(path, lines))
    assert list(read_table(path)) == lines
    with path.open(newline="", encoding="utf-8") as file:
        cells = [cell for row in list(csv.reader(file))[1:] for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


ROW = f"<a@b>,{'00' * 16},spam,2026-11-18T10:00:00+00:00,user,,\n"
CHANGES = [
    ("00" * 16, "00ff"),
    ("2026-11-18T10:00:00+00:00", "yesterday"),
    (ROW[5:], "x\n"),
    ("user,,\n", "user,,IN"),
]
INVALID = [ROW.replace(*change) for change in (*CHANGES, ("user", "nobody"), ("spam", "jun\xe9"))]


@pytest.mark.parametrize(
    "content",
    [b"", b"PK\3\4", b"message_id,hash\n", b'"' * 300_000]
    + [f"{','.join(FORMER_COLUMNS)}\n{row}".encode("latin-1") for row in INVALID],
)
def test_an_invalid_table_is_refused_and_changes_nothing(tmp_path, content):
    (tmp_path / "labels.csv").write_bytes(content)
    with open_store(tmp_path / "home") as store:
        fill(store, 3)
        with pytest.raises(KnownError) as caught:
            import_labels(store, tmp_path / "labels.csv", 1.0)
        assert caught.value.error_code is ErrorCode.BAD_INPUT
        assert (len(store.labels), len(store.waiting_labels)) == (0, 0)


@pytest.mark.parametrize(
    "moment", ["2026-11-18T12:00:00+02:00", "2026-11-18T10:00:00", "2026-11-18 10:00"]
)
def test_times_may_have_any_zone(tmp_path, moment):
    (tmp_path / "labels.csv").write_text(
        f"{','.join(FORMER_COLUMNS)}\n,{'00' * 16},spam,{moment},user,,\n"
    )
    assert [line.moment for line in read_table(tmp_path / "labels.csv")] == [1_794_996_000.0]


@pytest.mark.parametrize("journal", [False, True])
def test_imported_labels_restore_order_and_model(tmp_path, journal):
    table = tmp_path / "labels.csv"
    with open_store(tmp_path / "home") as store:
        messages = fill(store, 60)
        for place in range(0, 60, 3):
            kind = ("spam", "ham", "work")[place % 7 % 3]
            store.marks.mark(
                dict.fromkeys(messages[place : place + 4], kind), by=By.USER, moment=float(place)
            )
        store.marks.mark({messages[5]: None}, by=By.USER, moment=70.0)
        store.model.make_exact()
        drain(writing_labels(store, table, journal=journal))
        before = store.labels.all()
        model = learned(store.model.model)
    with open_store(tmp_path / "other") as store:
        fill(store, 60)
        assert import_labels(store, table, 80.0).given == len(before) + journal
        assert store.labels.all() == before
        store.model.make_exact()
        assert learned(store.model.model) == model
        assert diagnose(store, 90.0).sound
        again = tmp_path / "again.csv"
        drain(writing_labels(store, again, journal=journal))
        records = [[one._replace(step=0) for one in read_labels(path)] for path in (table, again)]
        assert records[0] == records[1], "time, source and each Message-ID"
        assert import_labels(store, table, 90.0).given == 0
        store.marks.undo(moment=91.0)
        assert len(store.labels) == 0
    assert list(read_labels(table))[0].message_id == "<1@example.org>"  # noqa: RUF015


def test_an_imported_label_keeps_its_source_even_if_undo_restored_it(tmp_path):
    """Undo in the old data folder is no label source in the new one."""
    table = tmp_path / "journal.csv"
    folder = FolderName("anna", "Lists/choir")
    with open_store(tmp_path / "home") as store:
        one, two, three = fill(store, 3)
        store.marks.mark({one: "lists"}, by=By.FOLDER, moment=10.0, folder=folder)
        store.marks.mark({two: "ham"}, by=By.SERVER, moment=11.0)
        store.marks.mark({one: "spam", three: "spam"}, by=By.USER, moment=12.0)
        store.marks.undo(moment=13.0)
        drain(writing_labels(store, table, journal=True))
    with open_store(tmp_path / "other") as store:
        fill(store, 3)
        import_labels(store, table, 80.0)
        assert store.labels.all() == {one: "lists", two: "ham"}
        given = store.label_sources.find(one)
        assert (given.label_source, given.label) == (LabelSource("folder", folder), "lists")
        assert store.label_sources.find(two).label_source == LabelSource("server")
        lines = [(line.by, line.moment) for line in reversed(store.journal.latest())]
        assert lines[:4] == [("folder", 10.0), ("server", 11.0), ("user", 12.0), ("user", 12.0)]
        assert lines[4:] == [("folder", 13.0), ("travel", 13.0)]
        assert diagnose(store, 90.0).sound


def test_a_later_label_of_this_data_folder_stays(tmp_path):
    with open_store(tmp_path / "home") as store:
        one, two = fill(store, 2)
        store.marks.mark({one: "spam", two: "spam"}, by=By.USER, moment=10.0)
        drain(writing_labels(store, tmp_path / "labels.csv"))
        store.marks.mark({one: "ham"}, by=By.USER, moment=20.0)
        store.marks.mark({two: None}, by=By.USER, moment=5.0)
        taken = import_labels(store, tmp_path / "labels.csv", 30.0)
        assert (taken.given, taken.older, store.labels.all()) == (1, 1, {one: "ham", two: "spam"})


def labels_by_identity(harness):
    """Return labels by identity: a new database has other numbers."""
    records = harness.on_engine(lambda parts: list(label_records(parts.store.connection)))
    return {record.identity: record.label for record in records}


def test_labels_wait_for_their_mail(harness, tmp_path):
    table = tmp_path / "labels.csv"
    again = tmp_path / "again.csv"
    harness.ready().deliver(range(1, 41))
    harness.do.mark(tuple(range(1, 21)), "spam")
    harness.do.mark(tuple(range(21, 31)), "ham")
    before = labels_by_identity(harness)
    harness.stop()
    with open_store(harness.paths.data.parent) as store:
        drain(writing_labels(store, table))
    start_empty(harness.paths, 1.0)
    with open_store(harness.paths.data.parent) as store:
        assert import_labels(store, table, 2.0).waiting == 30
        drain(writing_labels(store, again))
        assert sorted(read_labels(again), key=str) == sorted(read_labels(table), key=str), (
            "not lost in the next copy"
        )
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
    assert sorted(read_labels(again), key=str) == sorted(read_labels(table), key=str)


def write_daily_tables(store, *, day="2026-11-18"):
    """Write daily tables as versions before `labels.log` did."""
    folder = store.paths.data / "backups"
    folder.mkdir(exist_ok=True, mode=0o700)
    drain(writing_table(folder / f"labels-{day}.csv", label_records(store.connection)))
    drain(writing_table(folder / f"journal-{day}.csv", journal_records(store.connection)))


def old_home(home):
    """Data folder of a version before `labels.log`, with daily tables."""
    with open_store(home) as store:
        messages = fill(store, 30)
        for message in messages[:20]:
            store.marks.mark(
                {message: ("spam", "ham")[message % 2]}, by=By.USER, moment=float(message)
            )
        write_daily_tables(store)
        store.settings.set("labels_log", {})
    (store.paths.data / "labels.log").unlink()
    return store.paths


def test_a_data_folder_without_a_log_gets_one_from_its_database(tmp_path):
    paths = old_home(tmp_path)
    with open_store(tmp_path) as store:
        offer_daily_tables(store)
        assert store.notes == ()
        assert [line.label for line in read_labels(paths.data / "labels.log")] == [
            "ham",
            "spam",
        ] * 10
        assert diagnose(store, 99.0).sound


@pytest.mark.parametrize("damaged", [False, True])
def test_daily_tables_restore_labels_that_the_database_lacks(tmp_path, damaged):
    paths = old_home(tmp_path)
    paths.database.unlink()
    newest = paths.data / "backups" / "labels-2026-11-19.csv"
    newest.touch(mode=0o600)
    newest.write_text("damaged")
    if damaged:
        paths.database.write_bytes(b"damaged")
        start_empty(paths, 50.0, fill=True)
    with open_store(tmp_path) as store:
        offer_daily_tables(store)
        assert store.log.missing() == 20
        assert store.log.take_back(60.0).waiting == 20
        messages = fill(store, 30)
        store.assign_waiting(
            {identity: one for one, identity in store.messages.identities(messages).items()}
        )
        assert list(store.labels.all().values()) == ["ham", "spam"] * 10
        assert diagnose(store, 99.0).sound
    with open_store(tmp_path) as store:
        offer_daily_tables(store)
        assert store.notes == ()


def test_a_changed_line_is_refused(tmp_path):
    with open_store(tmp_path / "home") as store:
        store.marks.mark(dict.fromkeys(fill(store, 3), "spam"), by=By.USER, moment=1.0)
        drain(writing_labels(store, tmp_path / "labels.log", journal=True))
        raw = (tmp_path / "labels.log").read_text()
        (tmp_path / "labels.log").write_text(raw.replace('"spam"', '"ham"', 1))
        with pytest.raises(KnownError, match=r"labels\.log, line 1: "):
            import_labels(store, tmp_path / "labels.log", 2.0)
        by_hand = re.sub(', "crc32": "[^"]*"', "", raw.replace('"spam"', '"ham"'))
        (tmp_path / "labels.log").write_text(by_hand)
        assert import_labels(store, tmp_path / "labels.log", 2.0).given == 3
        assert set(store.labels.all().values()) == {"ham"}
