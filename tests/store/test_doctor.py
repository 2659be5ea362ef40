"""The check-up names each kind of damage, and repairs derived data."""

import contextlib
import sqlite3

import pytest

from nbmail.chunks import drain
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.doctor import CHECKS, diagnose
from nbmail.store.labels.journal import By
from nbmail.store.store import Store
from tests.store.helpers import fill, open_store
from tests.store.test_kills import is_exact

DAMAGES = {
    "journal": [
        "UPDATE labels SET class = 3 - class WHERE message = 4",
        "DELETE FROM labels WHERE message = 7",
        "UPDATE labels SET position = position + 1000",
        "INSERT INTO labels VALUES (60, 1, 99, 1.0)",
    ],
    "entries": [
        "DELETE FROM journal WHERE number > 5",
        "UPDATE journal SET after = 3 - after WHERE message = 4",
    ],
    "words": [
        "DELETE FROM words WHERE number = 4",
        "UPDATE words SET word = 'same' WHERE number IN (4, 5)",
    ],
    "samples": [
        (
            "UPDATE samples SET words = CAST(x'ffffff00' || substr(words, 5) AS BLOB) WHERE "
            "message = 3"
        ),
        "UPDATE samples SET occurrences = x'01000000' WHERE message = 3",
        "DELETE FROM samples WHERE message = 30",
        "UPDATE samples SET measures = '[1, nonsense' WHERE message = 3",
    ],
    "file": ["DELETE FROM messages WHERE number = 2"],
}


@pytest.fixture
def full(tmp_path):
    with open_store(tmp_path / "home") as store:
        messages = fill(store, 60)
        for place in range(0, 50, 2):
            labels = dict.fromkeys(messages[place : place + 2], ("spam", "ham")[place % 4 // 2])
            store.marks.mark(labels, by=By.USER, moment=float(place))
        yield store


def findings(diagnosis):
    return {one.name: one.sound for one in diagnosis.findings}


def test_a_sound_data_folder_has_no_findings(full):
    diagnosis = diagnose(full, 1.0)
    assert diagnosis.sound
    assert diagnosis.repaired == ()
    assert set(findings(diagnosis)) == CHECKS.keys()
    assert not any(one.detail for one in diagnosis.findings)
    assert diagnose(full, 1.0, repair=True).repaired == ()


@pytest.mark.parametrize(
    ("name", "damage"), [(name, one) for name, many in DAMAGES.items() for one in many]
)
def test_each_damage_is_found_and_repaired_where_possible(full, tmp_path, name, damage):
    full.connection.execute("PRAGMA foreign_keys = OFF")
    full.connection.execute(damage)
    found = diagnose(full, 1.0)
    assert not findings(found)[name], found
    assert all(one.detail for one in found.findings if not one.sound)
    mended = diagnose(full, 1.0, repair=True)
    if name != "journal":
        assert not mended.sound
        return
    assert name in mended.repaired
    # The model in memory is from before the damage; the next opening reads it.
    full.close()
    with open_store(tmp_path / "home") as again:
        assert diagnose(again, 1.0).sound
        is_exact(again)


def test_a_wrong_model_is_found_and_rebuilt(full, tmp_path):
    """In memory, and in an undamaged snapshot."""
    full.model.make_exact()
    full.model.model.counts.learn(full.samples.of([55])[55], "spam")
    assert not findings(diagnose(full, 1.0))["model"]
    drain(full.model.write_snapshot())
    full.close()
    with open_store(tmp_path / "home") as again:
        assert not findings(diagnose(again, 1.0))["model"]
        assert diagnose(again, 1.0, repair=True).repaired == ("model",)
    with open_store(tmp_path / "home") as again:
        is_exact(again)
        assert diagnose(again, 1.0).sound


def test_the_journal_and_its_log_are_believed_before_the_labels(full):
    full.connection.execute("UPDATE labels SET class = 2 WHERE message = 1")
    full.connection.execute("INSERT INTO labels VALUES (60, 1, 99, 1.0)")
    entries = full.journal.last_entry()
    assert diagnose(full, 99.0, repair=True).sound
    assert full.labels.of([1, 60]) == {1: "spam"}
    assert full.journal.last_entry() == entries


def test_an_error_of_the_disk_is_no_damage(full, monkeypatch):
    def refuse(*_):
        raise KnownError(ErrorCode.DISK_FULL, "no space")

    monkeypatch.setattr(full.texts, "look", refuse)
    assert diagnose(full, 1.0, repair=True).sound


@pytest.mark.expects_log
def test_a_torn_page_of_any_table_or_index_is_found(full):
    full.close()
    with contextlib.closing(sqlite3.connect(full.paths.database)) as connection:
        roots = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE rootpage > 1"
        ).fetchall()
    raw = full.paths.database.read_bytes()
    for (root,) in roots:
        full.paths.database.write_bytes(
            raw[: (root - 1) * 4096] + b"\x5a" * 4096 + raw[root * 4096 :]
        )
        with contextlib.suppress(KnownError), Store(full.paths, 1.0) as again:
            assert not findings(diagnose(again, 1.0))["file"], root


def test_files_that_others_can_read_are_found_and_made_private(full):
    copies = full.paths.data / "damaged"
    copies.mkdir(mode=0o755)
    (copies / "labels.log").touch(0o644)
    for path in (full.paths.database, full.raw_mail.path, copies, *copies.iterdir()):
        path.chmod(path.stat().st_mode | 0o044)
        assert not findings(diagnose(full, 1.0))["private"]
        assert diagnose(full, 1.0, repair=True).repaired == ("private",)
        assert not path.stat().st_mode & 0o077
