"""Labels as tables: what is written is read back exactly, waits for its mail, and is copied every day by itself."""

import csv
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.chunks import drain
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.label_lines import COLUMNS, LABEL_SOURCES, LabelLine, read_lines, writing_lines
from nbmail.store.doctor.doctor import Doctor
from nbmail.store.files.set_aside import start_empty
from nbmail.store.labels.journal import By
from nbmail.values import FolderName, LabelSource
from nbmail.worker.model.label_files import copies_of, copying, is_copy_due, take_in_labels, writing_labels
from tests.store.helpers import fill, learned, open_store
from tests.worker.conftest import Station
from tests.worker.test_marking import labels

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
ODD = st.sampled_from(["=cmd()", "+1", "-", "@x", "'", "''=x", "a,b", 'a"b', "", "\u2028"])
LINES = st.builds(
    LabelLine,
    st.binary(min_size=16, max_size=16),
    TEXT | ODD,
    st.floats(0, 4e9).map(round),
    st.sampled_from([by.value for by in By]),
    TEXT,
    TEXT | ODD,
    TEXT | ODD,
)
DAY = 86400.0


@given(st.lists(LINES, max_size=8))
def test_a_table_comes_back_as_it_was(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("table") / "labels.csv"
    drain(writing_lines(path, lines))
    assert list(read_lines(path)) == lines
    with path.open(newline="", encoding="utf-8") as file:
        cells = [cell for row in list(csv.reader(file))[1:] for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\3\4",
        b"message_id,hash\n",
        (",".join(COLUMNS) + "\n<a@b>,00ff,junk,2026-11-18T10:00:00+00:00,user,,\n").encode(),
        (",".join(COLUMNS) + "\n<a@b>," + "00" * 16 + ",junk,yesterday,user,,\n").encode(),
        (",".join(COLUMNS) + "\n<a@b>,x\n").encode(),
        (",".join(COLUMNS) + "\n<a@b>," + "00" * 16 + ",junk,2026-11-18T10:00:00+00:00,nobody,,\n").encode(),
        (",".join(COLUMNS) + "\n<a@b>," + "00" * 16 + ",junk,2026-11-18T10:00:00+00:00,user,,IN").encode(),
        (",".join(COLUMNS) + "\n<a@b>," + "00" * 16 + ",jun\xe9,2026-11-18T10:00:00+00:00,user,,\n").encode("latin-1"),
        b'"' * 300_000,
    ],
)
def test_what_is_no_table_is_refused_and_changes_nothing(tmp_path, content):
    (tmp_path / "labels.csv").write_bytes(content)
    with open_store(tmp_path / "home") as store:
        fill(store, 3)
        with pytest.raises(KnownError) as caught:
            take_in_labels(store, tmp_path / "labels.csv", 1.0)
        assert caught.value.error_code is ErrorCode.BAD_INPUT
        assert (len(store.labels), len(store.waiting_labels)) == (0, 0)


@pytest.mark.parametrize("moment", ["2026-11-18T12:00:00+02:00", "2026-11-18T10:00:00", "2026-11-18 10:00"])
def test_a_moment_may_be_of_any_zone(tmp_path, moment):
    (tmp_path / "labels.csv").write_text(f"{','.join(COLUMNS)}\n,{'00' * 16},junk,{moment},user,,\n")
    assert [line.moment for line in read_lines(tmp_path / "labels.csv")] == [1_794_996_000.0]


def test_a_table_names_every_giver_that_there_is():
    assert set(LABEL_SOURCES) == {"", *By}


@pytest.mark.parametrize("journal", [False, True])
def test_labels_come_back_with_their_order_and_the_model_with_them(tmp_path, journal):
    table = tmp_path / "labels.csv"
    with open_store(tmp_path / "home") as store:
        messages = fill(store, 60)
        for place in range(0, 60, 3):
            kind = ("junk", "good", "work")[place % 7 % 3]
            store.marks.mark(dict.fromkeys(messages[place : place + 4], kind), by=By.USER, moment=float(place))
        store.marks.mark({messages[5]: None}, by=By.USER, moment=70.0)
        store.model.settle()
        drain(writing_labels(store, table, journal=journal))
        before, model = store.labels.all(), learned(store.model.model)
    with open_store(tmp_path / "other") as store:
        fill(store, 60)
        assert take_in_labels(store, table, 80.0).given == len(before) + journal
        assert store.labels.all() == before
        store.model.settle()
        assert learned(store.model.model) == model
        assert Doctor(store, 90.0).check().sound
        again = tmp_path / "again.csv"
        drain(writing_labels(store, again, journal=journal))
        assert list(read_lines(again)) == list(read_lines(table)), "when, by whom, and each Message-ID"
        assert take_in_labels(store, table, 90.0).given == 0
        store.marks.undo(moment=91.0)
        assert len(store.labels) == 0
    assert list(read_lines(table))[0].message_id == "<1@example.org>"  # noqa: RUF015


def test_whoever_gave_a_label_has_given_it_also_where_it_was_brought_back(tmp_path):
    """A folder, the server, the user: an undo in the old home is no giver in the new one."""
    table, folder = tmp_path / "journal.csv", FolderName("anna", "Lists/choir")
    with open_store(tmp_path / "home") as store:
        one, two, three = fill(store, 3)
        store.marks.mark({one: "lists"}, by=By.FOLDER, moment=10.0, folder=folder)
        store.marks.mark({two: "good"}, by=By.SERVER, moment=11.0)
        store.marks.mark({one: "junk", three: "junk"}, by=By.USER, moment=12.0)
        store.marks.undo(moment=13.0)
        drain(writing_labels(store, table, journal=True))
    with open_store(tmp_path / "other") as store:
        fill(store, 3)
        take_in_labels(store, table, 80.0)
        assert store.labels.all() == {one: "lists", two: "good"}
        given = store.label_sources.given(one)
        assert (given.label_source, given.label) == (LabelSource("folder", folder), "lists")
        assert store.label_sources.given(two).label_source == LabelSource("server")
        lines = [(line.by, line.moment) for line in reversed(store.journal.latest())]
        assert lines[:4] == [("folder", 10.0), ("server", 11.0), ("user", 12.0), ("user", 12.0)]
        assert lines[4:] == [("folder", 13.0), ("travel", 13.0)]
        assert Doctor(store, 90.0).check().sound


def test_a_label_given_later_in_this_home_stays(tmp_path):
    with open_store(tmp_path / "home") as store:
        one, two = fill(store, 2)
        store.marks.mark({one: "junk", two: "junk"}, by=By.USER, moment=10.0)
        drain(writing_labels(store, tmp_path / "labels.csv"))
        store.marks.mark({one: "good"}, by=By.USER, moment=20.0)
        store.marks.mark({two: None}, by=By.USER, moment=5.0)
        taken = take_in_labels(store, tmp_path / "labels.csv", 30.0)
        assert (taken.given, taken.older, store.labels.all()) == (1, 1, {one: "good", two: "junk"})


def test_labels_wait_for_their_mail(station, tmp_path):
    table, again = tmp_path / "labels.csv", tmp_path / "again.csv"
    station.ready().deliver(range(1, 41))
    station.do.mark(tuple(range(1, 21)), "junk")
    station.do.mark(tuple(range(21, 31)), "good")
    before = labels(station)
    station.stop()
    with open_store(station.paths.data.parent) as store:
        drain(writing_labels(store, table))
    start_empty(station.paths, 1.0)
    with open_store(station.paths.data.parent) as store:
        assert take_in_labels(store, table, 2.0).waiting == 30
        drain(writing_labels(store, again))
        assert sorted(read_lines(again), key=str) == sorted(read_lines(table), key=str), "not lost in the next copy"
    station.ready().deliver(range(1, 16))
    assert len(labels(station)) == 15
    station.again()
    station.deliver(range(1, 41))
    assert labels(station) == before
    assert station.do.undo().messages == ()
    station.until_exact()
    assert station.check_up().sound
    station.stop()
    with open_store(station.paths.data.parent) as store:
        drain(writing_labels(store, again))
    assert sorted(read_lines(again), key=str) == sorted(read_lines(table), key=str)


def test_a_copy_is_made_every_day_by_itself_and_old_ones_go(station: Station, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.engine.REST", 0.01)
    station.ready().deliver(range(1, 11))
    station.do.mark((1, 2), "junk")
    while not copies_of(station.paths.data):
        threading.Event().wait(0.01)
    station.stop()
    with open_store(station.paths.data.parent) as store:
        for day in range(1, 500):
            now = station.clock.now + day * DAY
            assert is_copy_due(store, now)
            drain(copying(store, now))
            assert not is_copy_due(store, now)
        for name in ("labels", "journal"):
            names = sorted((station.paths.data / "backups").glob(f"{name}-*.csv"))
            assert 15 < len(names) <= 7 + 12
        lines = list(read_lines(copies_of(store.paths.data)[0]))
        assert {(line.label, line.message_id) for line in lines} == {("junk", f"<0.{n}@example.org>") for n in (1, 2)}
        assert all(path.stat().st_mode & 0o077 == 0 for path in (station.paths.data / "backups").iterdir())
