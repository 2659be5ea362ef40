"""`nbmail doctor`: problems are found, reported and repaired, or the commands that help are
named.
"""

import json
import os
import random
import sqlite3
from collections import Counter

import pytest

from nbmail.paths import Paths
from nbmail.store.doctor import CHECKS
from nbmail.store.labels.journal import By
from tests.cli.conftest import write
from tests.store.helpers import close_store, fill, open_store


@pytest.fixture
def paths(tmp_path):
    """A home of thirty messages, twenty of them labelled."""
    with open_store(tmp_path / "home") as store:
        messages = fill(store, 30)
        for place in range(20):
            store.marks.mark({messages[place]: ("spam", "ham")[place % 2]}, by=By.USER, moment=1.0)
    return Paths.under(tmp_path / "home")


def damage(paths, statement):
    connection = sqlite3.connect(paths.database)
    connection.execute(statement)
    connection.commit()
    connection.close()


def write_wrong_snapshot(home):
    """Write a snapshot of a model with a count that no label explains."""
    store = open_store(home)
    store.model.model.counts.learn(store.samples.of([25])[25], "spam")
    close_store(store)


def test_problems_are_reported_and_repaired(paths, tmp_path, nbmail):
    code, out, _ = nbmail("doctor")
    assert (code, out.count("ok ")) == (0, len(CHECKS))
    assert out.splitlines()[-1] == "No problems found: 30 messages, 20 labels."
    write_wrong_snapshot(tmp_path / "home")
    damage(paths, "UPDATE labels SET class = 3 - class WHERE message = 3")
    code, out, _ = nbmail("doctor")
    assert code == 1
    assert "WRONG  model matches the labels (derived): " in out
    assert "`nbmail doctor --repair` can fix this" in out
    report = json.loads(nbmail("doctor", "--json")[1])
    assert {one["name"] for one in report["findings"] if not one["sound"]} == {"journal", "model"}
    code, out, _ = nbmail("doctor", "--repair")
    assert code == 0
    assert "repaired: deleted the model" in out
    report = json.loads(nbmail("doctor", "--json")[1])
    assert (report["sound"], report["repaired"], report["messages"], report["labels"]) == (
        True,
        [],
        30,
        20,
    )


def test_a_database_that_cannot_be_repaired_in_place_loses_no_label(paths, tmp_path, nbmail):
    """A new database has the labels of `labels.log`, which wait until their mail is here again."""
    damage(paths, "DELETE FROM words WHERE number = 3")
    code, out, _ = nbmail("doctor")
    assert code == 1
    assert "WRONG  words and their numbers: 1 numbers without a word" in out
    assert "Back up " in out
    assert f"labels of labels.log:  nbmail doctor --home {tmp_path / 'home'} --repair" in out
    code, out, err = nbmail("doctor", "--repair")
    # The cache of raw mail has the messages of this home.
    assert (code, out.splitlines()[-1]) == (0, "No problems found: 20 messages, 20 labels.")
    assert "created a new database" in err
    (kept,) = (paths.data / "damaged").glob("*/nbmail.sqlite3")
    assert str(kept.parent) in err


def lose_marks(paths, home):
    """Ten marks that only `labels.log` has, as after the loss of the write-ahead log."""
    with open_store(home) as store:
        before = paths.database.read_bytes()
        store.marks.mark(dict.fromkeys(range(21, 31), "spam"), by=By.USER, moment=2.0)
    paths.database.with_name("nbmail.sqlite3-wal").unlink(missing_ok=True)
    paths.database.write_bytes(before)


def report_of(nbmail, *options):
    code, out, err = nbmail("doctor", "--json", *options)
    return code, json.loads(out), err


def test_labels_that_only_the_log_has_are_restored_and_reported(paths, tmp_path, nbmail):
    lose_marks(paths, tmp_path / "home")
    code, report, _ = report_of(nbmail)
    assert (code, report["labels"]) == (0, 30)
    assert report["notes"] == ["10 labels of labels.log were restored"]
    assert report_of(nbmail)[1]["notes"] == []
    with open_store(tmp_path / "home") as store:
        store.marks.undo(moment=3.0)
        assert len(store.labels) == 20


def test_a_missing_database_gets_the_labels(paths, nbmail):
    paths.database.unlink()
    code, out, _ = nbmail("doctor")
    assert code == 0
    assert "note: 20 labels of labels.log were restored" in out
    assert out.splitlines()[-1] == (
        "No problems found: 0 messages, 0 labels and 20 for mail that is not stored yet."
    )


def test_unreadable_lines_are_reported_with_their_cost(paths, nbmail):
    log = paths.data / "labels.log"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:5], lines[5][:40] + b"\n", *lines[6:]]))
    paths.database.write_bytes(b"gone")
    code, out, _ = nbmail("doctor", "--repair")
    assert code == 1
    assert "1 lines of labels.log could not be read" in out
    assert out.splitlines()[-1].endswith("Up to 1 label changes are lost.")
    assert nbmail("doctor")[0] == 0


@pytest.mark.expects_log
@pytest.mark.parametrize(
    "seed", [46, 49, 64, 109, *range(500 if os.environ.get("NBMAIL_TORTURE") else 6)]
)
def test_a_repair_leaves_no_problem_whatever_bits_are_flipped(paths, nbmail, seed):
    chance = random.Random(seed)
    for path in sorted(paths.data.iterdir()):
        if path.is_file() and (
            path.suffix == ".sqlite3" or (path.suffix != ".log" and chance.random() < 0.3)
        ):
            raw = bytearray(path.read_bytes())
            for _ in range(chance.choice([1, 2, 2, 20]) if raw else 0):
                raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
            path.write_bytes(raw)
    assert nbmail("doctor")[0] in (0, 1, 2)
    code, out, err = nbmail("doctor", "--repair")
    assert code == 0, out + err
    with open_store(paths.data.parent) as store:
        assert len(store.labels) == 20
        assert Counter(store.labels.all().values()) == {"spam": 10, "ham": 10}


def test_a_home_that_is_not_there(tmp_path, nbmail):
    code, _, err = nbmail("doctor")
    assert (code, "home" in err, os.listdir(tmp_path)) == (2, True, [])


def test_a_damaged_file_without_a_copy_is_quarantined_as_advised(paths, tmp_path, nbmail):
    paths.database.write_bytes(b"gone")
    (paths.data / "labels.log").unlink()
    code, _, err = nbmail("doctor")
    assert code == 2
    assert "nbmail.sqlite3 (not a database)" in err
    way_out = f"nbmail doctor --home {tmp_path / 'home'} --repair"
    assert f"No labels.log was found. Create an empty database:  {way_out}\n" in err
    code, _, err = nbmail("doctor", "--repair")
    (kept,) = (paths.data / "damaged").glob("*/nbmail.sqlite3")
    assert (code, kept.read_bytes()) == (0, b"gone")
    assert str(kept.parent) in err
    assert json.loads(nbmail("doctor", "--json")[1])["messages"] == 0


def test_a_data_folder_of_another_version_is_refused_untouched(paths, nbmail):
    damage(paths, "PRAGMA user_version = 6")
    before = paths.database.read_bytes()
    for options in ((), ("--repair",)):
        code, out, err = nbmail("doctor", *options)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert "put its file labels.log into an empty data folder and start nbmail there" in err
    assert paths.database.read_bytes() == before


def test_mail_with_halves_of_characters_causes_no_problem(tmp_path, nbmail):
    for half in ("2AA", "2AE"):
        raw = (
            f"From: =?utf-7?q?+{half}-?=@x.com\nSubject: a+{half}-\nMessage-ID: "
            f"<{half}@x>\n\nbody {half}\n"
        )
        (tmp_path / f"{half}.eml").write_text(raw)
    ham = write(tmp_path / "good.eml", "x", "ham")
    for label, files in (("spam", ("2AA.eml", "2AE.eml")), ("ham", (ham.name,))):
        assert nbmail("learn", "--as", label, *(tmp_path / name for name in files))[0] == 0
    assert nbmail("doctor")[0] == 0
    assert nbmail("export", tmp_path / "m.nbmodel")[0] == 0
    assert nbmail("import", tmp_path / "m.nbmodel", home=tmp_path / "other")[0] == 0
