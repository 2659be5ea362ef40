"""The check-up finds each kind of damage by its name, mends what can be derived anew, and says so."""

import sqlite3

import pytest

from nbmail.paths import Paths
from nbmail.store.doctor import examination
from nbmail.store.doctor.doctor import Doctor
from nbmail.store.values import By, Wish
from tests.store.helpers import batch, content, fill, keywords, learned, open_model, open_store, rebuilt

DAMAGES = {
    "counts": [
        "UPDATE counts SET documents = documents + 1 WHERE word = 3",
        "DELETE FROM counts WHERE word = 5",
        "INSERT INTO counts VALUES (1, 9, 4, 4)",
        "INSERT INTO classes (number, name) VALUES (7, 'empty'); INSERT INTO counts VALUES (1, 7, 4, 4)",
        "UPDATE classes SET messages = messages + 1 WHERE number = 1",
        "UPDATE measures SET squares = squares || '0'",
        "UPDATE measures SET n = n + 1 WHERE place = 1",
    ],
    "learned": [
        "UPDATE held_out SET scores = zeroblob(length(scores))",
        "DELETE FROM held_out",
        "INSERT OR REPLACE INTO corrections VALUES (2, 1, 12345)",
    ],
    "journal": [
        "UPDATE labels SET class = 3 - class WHERE message = 4",
        "DELETE FROM labels WHERE message = 7",
        "UPDATE labels SET position = position + 1000",
        "DELETE FROM journal WHERE number > 5",
        "UPDATE settings SET value = '3' WHERE name = 'next_position'",
    ],
    "words": ["DELETE FROM words WHERE number = 4", "UPDATE words SET word = 'same' WHERE number IN (4, 5)"],
    "samples": [
        "UPDATE samples SET words = CAST(x'ffffff00' || substr(words, 5) AS BLOB) WHERE message = 3",
        "UPDATE samples SET occurrences = x'01000000' WHERE message = 3",
        "DELETE FROM samples WHERE message = 30",
    ],
    "file": ["DELETE FROM messages WHERE number = 2"],
}
MENDED = {"counts", "learned", "journal"}


@pytest.fixture
def full(tmp_path):
    with open_store(tmp_path / "home") as store:
        messages, model = fill(store, 60), open_model(store)
        for place in range(0, 50, 2):
            store.marks.mark(
                model, messages[place : place + 2], ("junk", "good")[place % 4 // 2], by=By.USER, moment=float(place)
            )
        yield store


def findings(diagnosis):
    return {one.name: one.sound for one in diagnosis.findings}


def test_all_is_well(full):
    diagnosis = Doctor(full, 1.0).check()
    assert diagnosis.sound
    assert diagnosis.repaired == ()
    assert set(findings(diagnosis)) == {*examination.LOOKS, *examination.FOLDED_LOOKS}
    assert Doctor(full, 1.0).check(repair=True).repaired == ()


@pytest.mark.parametrize(("name", "damage"), [(name, one) for name, many in DAMAGES.items() for one in many])
def test_each_damage_is_found_and_mended_where_it_can_be(full, name, damage):
    full.connection.execute("PRAGMA foreign_keys = OFF")
    full.connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement in damage.split("; "):
        full.connection.execute(statement)
    found = Doctor(full, 1.0).check()
    assert not findings(found)[name], found
    assert all(one.detail for one in found.findings if not one.sound)
    if name not in MENDED:
        assert not Doctor(full, 1.0).check(repair=True).sound if name in ("words", "file") else True
        return
    mended = Doctor(full, 1.0).check(repair=True)
    assert mended.sound, mended
    assert name in mended.repaired
    assert Doctor(full, 1.0).check().sound
    model = open_model(full)
    assert model.counts == rebuilt(full, model).counts
    assert learned(model) == learned(rebuilt(full, model))


def test_labels_are_believed_before_the_journal(full):
    full.connection.execute("UPDATE labels SET class = 2 WHERE message = 1")
    Doctor(full, 99.0).check(repair=True)
    assert full.labels.of([1]) == {1: "good"}
    latest = full.journal.latest(1)[0]
    assert (latest.message, latest.before, latest.after, latest.by, latest.moment) == (
        1,
        "junk",
        "good",
        "repair",
        99.0,
    )


def test_raw_mail_of_no_message(full):
    full.bodies.put([(bytes([one]) * 16, b"stray") for one in range(5)], 1.0)
    assert not findings(Doctor(full, 1.0).check())["bodies"]
    kept = full.bodies.get(full.messages.identities([1])[1])
    assert "bodies" in Doctor(full, 1.0).check(repair=True).repaired
    assert full.bodies.get(b"\x01" * 16) is None
    assert full.bodies.get(full.messages.identities([1])[1]) == kept is not None


def test_errands_for_an_account_that_is_gone(full):
    model = open_model(full)
    full.marks.mark(model, [55], "junk", by=By.USER, moment=1.0, wishes=keywords(full))
    full.folders.forget("anna")
    assert not findings(Doctor(full, 1.0).check())["outbox"]
    assert "outbox" in Doctor(full, 1.0).check(repair=True).repaired
    assert full.outbox.accounts() == ()


def test_a_file_others_can_read(full):
    full.paths.database.chmod(0o644)
    assert not findings(Doctor(full, 1.0).check())["private"]
    Doctor(full, 1.0).check(repair=True)
    assert full.paths.database.stat().st_mode & 0o777 == 0o600


def test_little_room_on_the_disk(full, monkeypatch):
    monkeypatch.setattr(full, "disk_free", lambda: 1_000_000)
    diagnosis = Doctor(full, 1.0).check(repair=True)
    assert [(one.name, one.detail) for one in diagnosis.findings if not one.sound] == [("disk", "1 MB free")]


def test_a_torn_page_is_found(full, tmp_path):
    full.take(batch(full, range(100, 400)), 1.0)
    full.close()
    path = Paths.under(tmp_path / "home").database
    raw = bytearray(path.read_bytes())
    connection = sqlite3.connect(path)
    (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'samples'").fetchone()
    connection.close()
    for byte in range((page - 1) * 4096, page * 4096):
        raw[byte] ^= 0x5A
    path.write_bytes(raw)
    with open_store(tmp_path / "home") as again:
        diagnosis = Doctor(again, 1.0).check()
        assert not findings(diagnosis)["file"]
        assert not Doctor(again, 1.0).check(repair=True).sound


def test_it_works_in_pieces(full):
    pieces = sum(1 for _ in Doctor(full, 1.0).walk())
    assert pieces > 10


def test_an_unsettled_model_is_sound(full):
    model = open_model(full)
    full.marks.mark(model, [1], "good", by=By.USER, moment=1.0)
    assert not model.settled
    assert Doctor(full, 1.0).check().sound


def test_wishes_without_an_end_are_no_fault(full):
    model = open_model(full)
    (place,) = full.folders.locations([3])
    full.marks.mark(
        model, [3], "good", by=By.USER, moment=1.0, wishes=lambda change: [Wish("move", place, target="\\Junk")]
    )
    assert Doctor(full, 1.0).check().sound
    assert content(full, 1).identity in full.messages.identities([1]).values()
