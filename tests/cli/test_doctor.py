"""`nbmail doctor`: what is wrong is found and told, mended where that can be, and else there is a way out."""

import json
import os
import random
import shutil
import sqlite3

import pytest

from nbmail.chunks import drain
from nbmail.paths import Paths
from nbmail.store.doctor.doctor import LOOKS
from nbmail.store.files.database_file import copy_database
from nbmail.store.labels.journal import By
from nbmail.worker.model.label_files import copying
from tests.cli.conftest import write
from tests.store.helpers import close_store, fill, open_store


@pytest.fixture
def paths(tmp_path):
    """A home of thirty messages, twenty of them labelled."""
    with open_store(tmp_path / "home") as store:
        messages = fill(store, 30)
        for place in range(20):
            store.marks.mark({messages[place]: ("junk", "good")[place % 2]}, by=By.USER, moment=1.0)
    return Paths.under(tmp_path / "home")


def damage(paths, statement):
    connection = sqlite3.connect(paths.database)
    connection.execute(statement)
    connection.commit()
    connection.close()


def learn_wrong(home):
    """Keep a snapshot of a model that has counted what no label says."""
    store = open_store(home)
    store.model.model.counts.learn(store.messages.samples([25])[25], "junk")
    close_store(store)


def test_what_is_wrong_is_said_and_mended(paths, tmp_path, nbmail):
    code, out, _ = nbmail("doctor")
    assert (code, out.count("ok ")) == (0, len(LOOKS))
    assert out.splitlines()[-1] == "All is well: 30 messages, 20 labels."
    learn_wrong(tmp_path / "home")
    damage(paths, "DELETE FROM journal WHERE number = 3")
    code, out, _ = nbmail("doctor")
    assert code == 1
    assert "WRONG  what was learned against the labels (derived): " in out
    assert "`nbmail doctor --repair` can mend it" in out
    report = json.loads(nbmail("doctor", "--json")[1])
    assert {one["name"] for one in report["findings"] if not one["sound"]} == {"journal", "model"}
    code, out, _ = nbmail("doctor", "--repair")
    assert code == 0
    assert "repaired: dropped what was learned" in out
    report = json.loads(nbmail("doctor", "--json")[1])
    assert (report["sound"], report["repaired"], report["messages"], report["labels"]) == (True, [], 30, 20)


def test_what_cannot_be_mended_in_place_is_saved_into_a_new_file(paths, nbmail):
    damage(paths, "DELETE FROM words WHERE number = 3")
    code, out, _ = nbmail("doctor")
    assert code == 1
    assert "WRONG  the words and their numbers: 1 numbers without a word" in out
    assert "Keep a copy of" in out
    assert "--start-empty" in out
    code, out, told = nbmail("doctor", "--repair")
    assert (code, out.splitlines()[-1]) == (0, "All is well: 30 messages, 20 labels.")
    assert "a new file: 20 labels, 20 lines of the journal, 30 messages, " in told
    assert "lost: 1 words." in told
    (kept,) = (paths.data / "damaged").glob("*/nbmail.sqlite3")
    assert str(kept.parent) in told


def test_little_room_is_no_damage(paths, nbmail, monkeypatch):
    monkeypatch.setattr("nbmail.store.doctor.doctor._LITTLE_DISK", 1 << 80)
    code, out, _ = nbmail("doctor", "--repair")
    assert code == 1
    assert "--start-empty" not in out
    assert "Nothing is lost" in out
    assert nbmail("doctor", "--start-empty")[0] == 2


@pytest.mark.parametrize("more", ["SELECT 1", "DELETE FROM words WHERE number = 3"])
def test_a_deleted_log_is_told_as_what_it_costs(paths, tmp_path, nbmail, more):
    log = paths.database.with_name("nbmail.sqlite3-wal")
    with open_store(tmp_path / "home") as store:
        before = paths.database.read_bytes()
        store.marks.mark(dict.fromkeys(range(21, 31), "junk"), by=By.USER, moment=2.0)
        mark = (paths.data / "journal.reached").read_bytes()
    paths.database.write_bytes(before)
    (paths.data / "journal.reached").write_bytes(mark)
    log.unlink(missing_ok=True)
    damage(paths, more)
    code, out, _ = nbmail("doctor")
    assert code == 1
    assert "the latest 10 changes of labels are missing" in out
    assert "The latest 10 changes" in json.loads(nbmail("doctor", "--json")[1])["notes"][0]
    code, out, told = nbmail("doctor", "--repair")
    assert (code, "there is no copy of the labels" in told) == (1, True)
    said = "Mended, but not all is there: 30 messages, 20 labels. Up to 10 changes of labels are lost."
    assert out.splitlines()[-1] == said
    assert nbmail("doctor")[0] == 0


DAY = 86_400.0


def copy_labels(home, *days):
    with open_store(home) as store:
        for day in days:
            drain(copying(store, day * DAY))
        return store.labels.all(), store.messages.identities(store.labels.all())


def report_of(nbmail, *options):
    code, out, told = nbmail("doctor", "--json", *options)
    return code, json.loads(out), told


def test_what_the_newest_copy_holds_is_taken_back_after_the_end_of_the_file_was_lost(paths, tmp_path, nbmail):
    """Every change of a label is counted: those that the copy tells, and those that came after it."""
    home, found = tmp_path / "home", set()
    with open_store(home) as store:
        messages = fill(store, 500)
        for message in messages[30:]:
            store.marks.mark({message: ("junk", "good")[message % 2]}, by=By.USER, moment=3.0)
        store.marks.mark({messages[0]: None}, by=By.USER, moment=4.0)
    labels, names = copy_labels(home, 1, 2)
    (paths.data / "backups" / "labels-1970-01-03.csv").write_text("spoiled")
    with open_store(home) as store:
        store.marks.mark({2: None, 3: "good", 5: "junk"}, by=By.USER, moment=2 * DAY + 9.0)
    raw, mark = paths.database.read_bytes(), paths.data / "journal.reached"
    reached = mark.read_bytes()
    for part in (0.99, 0.9, 0.8, 0.7, 0.6, 0.5):
        paths.database.write_bytes(raw[: int(part * len(raw))])
        mark.write_bytes(reached)
        code, report, told = report_of(nbmail, "--repair")
        assert (code, report["lost"]) == (1, 2)
        # A label that was taken away may be back, where the line that says so is gone.
        assert report["labels"] + report["waiting"] in range(len(labels) - 1, len(labels) + 2)
        with open_store(home) as store:
            after = {names.get(one, b""): label for one, label in store.labels.all().items()}
            assert all(after[names[one]] == label for one, label in labels.items() if one > 5)
        assert nbmail("doctor")[0] == 0
        found.add("489 labels that could not be read were taken from the copy of 1970-01-02." in told)
        shutil.rmtree(paths.data / "damaged")
    assert found == {False, True}


def test_of_a_database_that_was_deleted_the_copies_are_named_and_taken_in(paths, tmp_path, nbmail):
    labels, _ = copy_labels(tmp_path / "home", 2)
    paths.database.unlink()
    code, out, _ = nbmail("doctor")
    assert code == 1
    assert "`nbmail doctor --repair` can mend it, and takes back what the copy of 1970-01-03 holds" in out
    code, report, told = report_of(nbmail, "--repair")
    assert (code, report["labels"], report["waiting"], report["lost"]) == (0, 0, len(labels), 0)
    assert "20 more wait for their mail" in told
    assert nbmail("doctor")[1].splitlines()[-1] == "All is well: 0 messages, 0 labels and 20 that wait for their mail."


@pytest.mark.expects_log
@pytest.mark.parametrize("seed", [46, 49, 64, 109, *range(500 if os.environ.get("NBMAIL_TORTURE") else 6)])
def test_whatever_bits_turn_all_is_well_after_a_repair(paths, nbmail, seed):
    chance = random.Random(seed)
    for path in sorted(paths.data.iterdir()):
        if path.suffix == ".sqlite3" or chance.random() < 0.3:
            raw = bytearray(path.read_bytes())
            for _ in range(chance.choice([1, 2, 2, 20]) if raw else 0):
                raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
            path.write_bytes(raw)
    assert nbmail("doctor")[0] in (0, 1, 2)
    code, out, told = nbmail("doctor", "--repair")
    with open_store(paths.data.parent) as store:
        assert code == (0 if len(store.labels) == 20 else 1), out + told
    assert nbmail("doctor")[0] == 0


def test_a_home_that_is_not_there(tmp_path, nbmail):
    code, _, told = nbmail("doctor")
    assert (code, "home" in told, os.listdir(tmp_path)) == (2, True, [])


@pytest.mark.parametrize("options", [(), ("--repair",)])
def test_a_damaged_file_is_set_aside_as_it_says(paths, tmp_path, nbmail, options):
    paths.database.write_bytes(b"gone")
    code, _, told = nbmail("doctor", *options)
    assert code == 2
    assert ("nbmail.sqlite3 (not a database)", "nbmail.sqlite3: nothing in it can be read")[bool(options)] in told
    way_out = f"nbmail doctor --home {tmp_path / 'home'} --start-empty"
    assert f"There is no backup. Begin with an empty one: {way_out}\n" in told
    code, _, told = nbmail("doctor", "--start-empty")
    (kept,) = (paths.data / "damaged").glob("*/nbmail.sqlite3")
    assert (code, kept.read_bytes()) == (0, b"gone")
    assert str(kept.parent) in told
    assert json.loads(nbmail("doctor", "--json")[1])["messages"] == 0


def test_a_backup_takes_the_place_of_a_damaged_file(paths, tmp_path, nbmail):
    old, new = (paths.data / "backups" / f"nbmail-version1-2026110{day}T000000Z.sqlite3" for day in (1, 2))
    old.parent.mkdir()
    old.write_bytes(b"an older one")
    os.utime(old, (1.0, 1.0))
    copy_database(paths.database, new)
    for path in (old.parent, old, new):
        path.chmod(0o700)
    paths.database.write_bytes(b"gone")
    told = nbmail("doctor")[2]
    assert f"nbmail doctor --home {tmp_path / 'home'} --put-back {new}\n" in told
    assert str(old) in told
    assert nbmail("doctor", "--put-back", old)[0] == 2
    assert paths.database.read_bytes() == b"gone"
    assert nbmail("doctor", "--put-back", new)[0] == 0
    assert len(list((paths.data / "damaged").glob("*/nbmail.sqlite3"))) == 1
    assert json.loads(nbmail("doctor", "--json")[1])["labels"] == 20


@pytest.mark.parametrize("option", [("--start-empty",), ("--put-back", "nbmail.sqlite3")])
def test_a_sound_file_is_not_set_aside(paths, nbmail, option):
    code, _, told = nbmail("doctor", *option)
    assert code == 2
    assert "is not damaged" in told
    assert not (paths.data / "damaged").exists()


def test_mail_with_halves_of_characters_leaves_all_well(tmp_path, nbmail):
    for half in ("2AA", "2AE"):
        raw = f"From: =?utf-7?q?+{half}-?=@x.com\nSubject: a+{half}-\nMessage-ID: <{half}@x>\n\nbody {half}\n"
        (tmp_path / f"{half}.eml").write_text(raw)
    good = write(tmp_path / "good.eml", "x", "good")
    for label, files in (("junk", ("2AA.eml", "2AE.eml")), ("good", (good.name,))):
        assert nbmail("learn", "--as", label, *(tmp_path / name for name in files))[0] == 0
    assert nbmail("doctor")[0] == 0
    assert nbmail("export", tmp_path / "m.nbmodel")[0] == 0
    assert nbmail("import", tmp_path / "m.nbmodel", home=tmp_path / "other")[0] == 0
