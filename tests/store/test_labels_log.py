"""`labels.log`: a line for each change, complete after each transaction; refills from it."""

import contextlib
import json
import os
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.paths import Paths
from nbmail.store.doctor import diagnose
from nbmail.store.files.quarantine import replace_database
from nbmail.store.labels.bulk_learning import TrainingExample
from nbmail.store.labels.journal import By
from nbmail.store.labels_log.log_lines import format_lines, parse_line
from nbmail.values import FolderName, LabelRecord, NoteKind
from tests.store.helpers import (
    TOKENIZER,
    content,
    fill,
    logged_labels,
    open_store,
    quick_folder,
    stored_labels,
)

TEXTS = st.text(max_size=30) | st.sampled_from(
    ["\n", "\x7f\x9b", "\u2028\u202e", "\ud800", '"}', ', "crc32": "']
)
NUMBERS = st.integers(0, (1 << 63) - 1)
RECORDS = st.builds(
    LabelRecord,
    st.binary(min_size=16, max_size=17),
    TEXTS,
    st.integers(0, 250_000_000_000_000).map(lambda moment: moment / 1_000_000),
    st.sampled_from([by.value for by in By]),
    *[TEXTS] * 4,
    *[NUMBERS] * 3,
)


def log_of(store):
    return store.paths.data / "labels.log"


def without_places(labels):
    return {identity: label for identity, (label, _) in labels.items()}


def lines_of(store):
    return [json.loads(line) for line in log_of(store).read_text().splitlines()]


@given(st.lists(RECORDS, max_size=5), st.randoms())
def test_a_line_is_read_exactly_or_not_at_all(records, chance):
    lines = b"".join(format_lines(records)).splitlines(keepends=True)
    assert len(lines) == len(records)
    for line, record in zip(lines, records, strict=True):
        assert line[:-1].decode().isprintable()
        found = parse_line(line)
        assert found == record._replace(moment=found.moment)
        assert abs(found.moment - record.moment) < 1e-6
        place = chance.randrange(len(line) - 1)
        assert (
            parse_line(
                line[:place] + bytes([line[place] ^ 1 << chance.randrange(8)]) + line[place + 1 :]
            )
            is None
        )
        assert parse_line(line[:place]) is None


def test_a_line_describes_a_change_completely(store):
    one, two = fill(store, 2)
    folder = FolderName("anna", "Entwürfe\x07")
    store.marks.mark({one: "spam", two: "spam"}, by=By.FOLDER, moment=1000.5, folder=folder)
    store.marks.mark({one: "ham"}, by=By.USER, moment=1001.0)
    store.marks.undo(moment=1002.0)
    first, _, third, last = lines_of(store)
    assert first == {
        "entry": 1,
        "time": "1970-01-01T00:16:40.500000+00:00",
        "by": "folder",
        "before": None,
        "after": "spam",
        "position": 1,
        "step": 1,
        "account": "anna",
        "folder": "Entwürfe\x07",
        "message_id": "<1@example.org>",
        "identity": store.messages.identities([one])[one].hex(),
        "crc32": first["crc32"],
    }
    assert (third["before"], third["after"], third["by"], third["position"]) == (
        "spam",
        "ham",
        "user",
        3,
    )
    assert (last["before"], last["after"], last["by"], last["position"]) == (
        "ham",
        "spam",
        "undo",
        1,
    )
    assert "\\u0007" in log_of(store).read_text()


def test_a_bulk_import_is_one_write(store, monkeypatch):
    writes = []
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, raw: writes.append(len(raw)) or write(file, raw))
    lessons = [TrainingExample(content(store, number), "spam") for number in range(1, 301)]
    store.learning(tokenizer=TOKENIZER, moment=5.0).learn(
        lessons[first : first + 50] for first in range(0, 300, 50)
    )
    assert writes == [log_of(store).stat().st_size]
    assert len(lines_of(store)) == 300


def test_marks_of_servers_are_logged_once_they_are_durable(store):
    """Their transactions don't wait for the disk, and the log never has more than the database."""
    messages = fill(store, 4)
    with store.connection.relaxed():
        store.marks.mark({messages[0]: "spam"}, by=By.SERVER, moment=1.0)
    assert lines_of(store) == []
    store.marks.mark({messages[1]: "spam"}, by=By.USER, moment=2.0)
    with store.connection.relaxed():
        store.marks.mark({messages[2]: "spam"}, by=By.SERVER, moment=3.0)
    assert [line["by"] for line in lines_of(store)] == ["server", "user"]
    store.tidy()
    assert [line["by"] for line in lines_of(store)] == ["server", "user", "server"]


# --------------------------------------------------------------------------- what the database has
# more, or the log


class Histories:
    """Data folder with marks. `lose` restores the database as it was before some of them."""

    def __init__(self, home):
        self.home = home
        self.paths = Paths.under(home)
        self.now = 10.0
        with open_store(home) as store:
            self.messages = fill(store, 12)

    def mark(self, messages, label):
        self.now += 1.0
        with open_store(self.home) as store:
            store.marks.mark(dict.fromkeys(messages, label), by=By.USER, moment=self.now)

    def mark_all(self, marks):
        for messages, label in marks:
            self.mark(messages, label)

    def labels(self):
        with open_store(self.home) as store:
            return store.labels.all()

    def differing(self, expected):
        """Return the number of messages whose label in the database is another one."""
        with contextlib.closing(sqlite3.connect(self.paths.database)) as connection:
            rows = connection.execute(
                "SELECT message, name FROM labels JOIN classes ON number = class"
            )
            here = dict(rows)
        return sum(here.get(one) != label for one, label in expected.items())

    def lose(self, marks):
        """Mark, and put the earlier database back: only the log has these marks."""
        database = self.paths.database.read_bytes()
        self.mark_all(marks)
        self.paths.database.write_bytes(database)


MARKS = st.tuples(
    st.sets(st.integers(1, 12), min_size=1, max_size=4), st.sampled_from(["spam", "ham", None])
)


@settings(max_examples=15, deadline=None)
@given(
    before=st.lists(MARKS, max_size=4),
    lost=st.lists(MARKS, min_size=1, max_size=3),
    since=st.lists(MARKS, max_size=2),
)
def test_an_older_database_gets_all_that_it_lacks(before, lost, since):
    """Each label is that of the last mark, in whichever history it is."""
    with tempfile.TemporaryDirectory(dir=quick_folder()) as folder:
        history = Histories(Path(folder))
        expected = {}
        history.mark_all(before)
        history.lose(lost)
        for messages, label in before + lost:
            expected |= dict.fromkeys(messages, label)
        differing = history.differing(expected)
        with open_store(history.home) as store:
            notes = [(note.kind, note.number) for note in store.notes]
            assert notes == [(NoteKind.REFILLED, differing)] * bool(differing)
        for messages, label in since:
            history.mark(messages, label)
            expected |= dict.fromkeys(messages, label)
        with open_store(history.home) as store:
            assert store.notes == ()
            assert store.labels.all() == {one: label for one, label in expected.items() if label}
            assert without_places(logged_labels(store)) == without_places(stored_labels(store))
            assert diagnose(store, 99.0).sound


@settings(max_examples=10, deadline=None)
@given(before=st.lists(MARKS, max_size=3), lost=st.lists(MARKS, min_size=1, max_size=3))
def test_a_refill_that_is_undone_stays_undone(before, lost):
    with tempfile.TemporaryDirectory(dir=quick_folder()) as folder:
        history = Histories(Path(folder))
        history.mark_all(before)
        labels = history.labels()
        history.lose(lost)
        with open_store(history.home) as store:
            for _ in store.notes:
                store.marks.undo(moment=99.0)
            assert store.labels.all() == labels
        for _ in range(2):
            assert history.labels() == labels
            (history.paths.data / "labels.log").touch()
        replace_database(history.paths, 100.0)
        with open_store(history.home) as store:
            waiting = [record.label for record in store.waiting_labels.records()]
            assert sorted(waiting) == sorted(labels.values())


def test_an_older_log_gets_what_it_lacks(tmp_path):
    history = Histories(tmp_path)
    history.mark([1, 2], "spam")
    log = (history.paths.data / "labels.log").read_bytes()
    history.mark([2, 3], "ham")
    after = (history.paths.data / "labels.log").read_bytes()
    for content_of_log in (log, log[:-1], log[:-20], b""):
        (history.paths.data / "labels.log").write_bytes(content_of_log)
        with open_store(tmp_path) as store:
            assert log_of(store).read_bytes() == after
            assert store.labels.all() == {1: "spam", 2: "ham", 3: "ham"}
            assert all(note.kind is NoteKind.LOG_REPLACED for note in store.notes)


@pytest.mark.parametrize("torn", [1, 40, 300, 700])
def test_a_torn_end_is_written_again(tmp_path, torn):
    """A kill or a power cut leaves a database that has more than the log."""
    store = open_store(tmp_path / "home")
    messages = fill(store, 9)
    store.marks.mark(dict.fromkeys(messages[:3], "spam"), by=By.USER, moment=1.0)
    store.tidy()
    store.marks.mark(dict.fromkeys(messages[3:], "ham"), by=By.USER, moment=2.0)
    shutil.copytree(tmp_path / "home", tmp_path / "killed")
    whole = log_of(store).read_bytes()
    store.close()
    log = tmp_path / "killed" / "data" / "labels.log"
    for left in (whole[:-torn], whole[: -torn - 100] + bytes(100) + whole[len(whole) - torn :]):
        shutil.copytree(tmp_path / "killed", tmp_path / "copy")
        log = tmp_path / "copy" / "data" / "labels.log"
        log.write_bytes(left)
        with open_store(tmp_path / "copy") as store:
            assert store.notes == ()
            assert log.read_bytes() == whole
            assert not (store.paths.data / "damaged").exists()
        shutil.rmtree(tmp_path / "copy")


def test_undamaged_lines_of_a_damaged_log_go_to_the_database(tmp_path):
    history = Histories(tmp_path)
    history.mark([1, 2, 3], "spam")
    history.lose([([3, 4, 5], "ham")])
    log = history.paths.data / "labels.log"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([lines[0], lines[1][:30] + b"\n", *lines[2:]]))
    with open_store(tmp_path) as store:
        assert store.labels.all() == {1: "spam", 2: "spam", 3: "ham", 4: "ham", 5: "ham"}
        refilled, note = store.notes
        assert (refilled.kind, refilled.number) == (NoteKind.REFILLED, 3)
        assert (note.kind, note.number) == (NoteKind.LOG_REPLACED, 1)
        assert Path(note.path).read_bytes().splitlines(keepends=True)[2:] == lines[2:]
        assert logged_labels(store) == stored_labels(store)
        assert diagnose(store, 99.0).sound


def test_labels_that_wait_are_logged_and_forgotten_with_their_removal(tmp_path):
    """Labels of unknown messages have no journal entry."""
    wanted = [
        LabelRecord(bytes([one]) * 16, "spam", 5.0, "user", message_id=f"<{one}@x>")
        for one in range(3)
    ]
    with open_store(tmp_path) as store:
        store.import_labels(lambda: wanted, 6.0)
        store.import_labels(lambda: [wanted[1]._replace(label="", moment=7.0)], 8.0)
        assert logged_labels(store).keys() == {wanted[0].identity, wanted[2].identity}
        assert len(store.waiting_labels) == 2
        assert lines_of(store)[0]["message_id"] == "<0@x>"
    (Paths.under(tmp_path).data / "labels.log").unlink()
    with open_store(tmp_path) as store:
        assert logged_labels(store) == stored_labels(store)
    replace_database(Paths.under(tmp_path), 9.0)
    with open_store(tmp_path) as store:
        assert sorted(record.identity for record in store.waiting_labels.records()) == [
            bytes(16),
            b"\2" * 16,
        ]


# ---------------------------------------------------------------------------------------------
# files that refuse


@pytest.mark.expects_log
def test_a_log_that_cannot_be_written_costs_no_mark(tmp_path):
    Paths.under(tmp_path).make()
    log = Paths.under(tmp_path).data / "labels.log"
    log.mkdir(mode=0o700)
    with open_store(tmp_path) as store:
        store.marks.mark(dict.fromkeys(fill(store, 3), "spam"), by=By.USER, moment=1.0)
        assert [one.name for one in diagnose(store, 2.0).findings if not one.sound] == ["log"]
    log.rmdir()
    with open_store(tmp_path) as store:
        assert len(logged_labels(store)) == 3
        assert diagnose(store, 2.0).sound


@pytest.mark.expects_log
def test_a_full_disk_leaves_complete_lines_and_the_others_follow(store, monkeypatch):
    messages = fill(store, 40)
    write = os.write
    store.marks.mark({messages[0]: "spam"}, by=By.USER, moment=1.0)
    before = log_of(store).read_bytes()

    def refuse(*_):
        raise OSError(28, "no space left")

    refusals = {
        "write": lambda file, raw: write(file, raw[:100]) if len(raw) > 100 else refuse(),
        "fsync": refuse,
    }
    for number, (name, refused) in enumerate(refusals.items()):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, refused)
            store.marks.mark({messages[number + 1]: "spam"}, by=By.USER, moment=2.0)
        assert log_of(store).read_bytes() == before
        assert diagnose(store, 3.0).findings[3].detail.endswith("(no space left)")
        store.tidy()
        assert logged_labels(store) == stored_labels(store)
        assert diagnose(store, 3.0).sound
        before = log_of(store).read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="open files can't be deleted there")
def test_a_log_that_is_deleted_or_replaced_while_it_is_open_is_written_again(store):
    messages = fill(store, 4)
    store.marks.mark({messages[0]: "spam"}, by=By.USER, moment=1.0)
    log_of(store).unlink()
    store.marks.mark({messages[1]: "spam"}, by=By.USER, moment=2.0)
    assert len(lines_of(store)) == 2
    (log_of(store).with_name("other")).write_bytes(b"something else")
    os.replace(log_of(store).with_name("other"), log_of(store))
    store.marks.mark({messages[2]: "spam"}, by=By.USER, moment=3.0)
    assert len(lines_of(store)) == 3


def test_opening_reads_only_what_is_new(tmp_path, monkeypatch):
    """If database and log agree, opening reads only the end of the file."""
    with open_store(tmp_path) as store:
        lessons = [TrainingExample(content(store, number), "spam") for number in range(1, 200)]
        store.learning(tokenizer=TOKENIZER, moment=5.0).learn([lessons])
        assert log_of(store).stat().st_size > 40_000
    read = os.read
    amounts = []

    def counted(file, most):
        amounts.append(most)
        return read(file, most)

    monkeypatch.setattr(os, "read", counted)
    monkeypatch.setattr(os, "fdopen", lambda *_: pytest.fail("the lines are read"))
    with open_store(tmp_path) as store:
        assert store.notes == ()
    assert sum(amounts) < 20_000
