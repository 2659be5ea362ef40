import json
import os
import sqlite3

import pytest

from nbmail.cli import main as cli
from nbmail.paths import Paths
from nbmail.store.doctor.examination import LOOKS
from nbmail.store.files.database_file import copy_database
from nbmail.store.labels.journal import By
from tests.store.helpers import close_store, fill, open_store


@pytest.fixture
def home(tmp_path):
    """Thirty messages, twenty of them labelled."""
    with open_store(tmp_path) as store:
        messages = fill(store, 30)
        for place in range(20):
            store.marks.mark({messages[place]: ("junk", "good")[place % 2]}, by=By.USER, moment=1.0)
    return tmp_path


def doctor(capsys, home, *options):
    """Exit code and output of a check-up."""
    code = cli.main(["doctor", "--home", str(home), *options])
    return code, capsys.readouterr().out


def damage(home, *statements):
    connection = sqlite3.connect(Paths.under(home).database)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_all_is_well(home, capsys):
    code, out = doctor(capsys, home)
    assert code == 0
    assert out.splitlines()[-1] == "All is well: 30 messages, 20 labels."
    assert out.count("ok ") == len(LOOKS)


def learn_wrong(home):
    """Keep a snapshot of a model that has learned what no label says."""
    store = open_store(home)
    store.model.model.learn(store.messages.samples([25])[25], "junk")
    close_store(store)


def test_what_is_wrong_is_said_and_mended(home, capsys):
    learn_wrong(home)
    code, out = doctor(capsys, home)
    assert code == 1
    assert "WRONG  what was learned against the labels: " in out
    assert "`nbmail doctor --repair` can mend it" in out
    code, out = doctor(capsys, home, "--repair")
    assert code == 0
    assert "repaired: dropped what was learned" in out
    assert doctor(capsys, home)[0] == 0


def test_what_cannot_be_mended_stays_wrong(home, capsys):
    damage(home, "DELETE FROM words WHERE number = 3")
    code, out = doctor(capsys, home, "--repair")
    assert code == 1
    assert "WRONG  the words and their numbers: 1 numbers without a word" in out
    assert "Keep a copy of" in out


def test_as_json(home, capsys):
    learn_wrong(home)
    damage(home, "UPDATE settings SET value = '1' WHERE name = 'next_position'")
    code, out = doctor(capsys, home, "--json")
    report = json.loads(out)
    assert code == 1
    assert {one["name"] for one in report["findings"] if not one["sound"]} == {"journal", "model"}
    code, out = doctor(capsys, home, "--json", "--repair")
    report = json.loads(out)
    assert (code, report["sound"], report["repaired"]) == (0, True, ["journal", "model"])
    assert (report["messages"], report["labels"]) == (30, 20)


def test_a_home_that_is_not_there(tmp_path, capsys):
    assert cli.main(["doctor", "--home", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


@pytest.fixture
def broken(home):
    """The same home, its database overwritten."""
    Paths.under(home).database.write_bytes(b"gone")
    return home


def complaints(capsys, home, *options):
    code = cli.main(["doctor", "--home", str(home), *options])
    return code, capsys.readouterr().err


@pytest.mark.parametrize("options", [(), ("--repair",)])
def test_a_damaged_file_is_named_with_a_way_out_that_works(broken, capsys, options):
    code, said = complaints(capsys, broken, *options)
    assert code == 2
    assert "nbmail.sqlite3 (not a database)" in said
    assert f"There is no backup. Begin with an empty one: nbmail doctor --home {broken} --start-empty\n" in said
    assert "--repair" not in said


def test_a_damaged_file_is_set_aside_for_an_empty_one(broken, capsys):
    code, said = complaints(capsys, broken, "--start-empty")
    assert code == 0
    (kept,) = (Paths.under(broken).data / "damaged").glob("*/*")
    assert kept.read_bytes() == b"gone"
    assert str(kept.parent) in said
    with open_store(broken) as store:
        assert len(store.messages) == 0


def test_a_backup_takes_the_place_of_a_damaged_file(home, capsys):
    paths = Paths.under(home)
    old, new = (paths.data / "backups" / f"nbmail-version1-2026110{day}T000000Z.sqlite3" for day in (1, 2))
    old.parent.mkdir()
    old.write_bytes(b"an older one")
    os.utime(old, (1.0, 1.0))
    copy_database(paths.database, new)
    paths.database.write_bytes(b"gone")
    code, said = complaints(capsys, home)
    assert f"nbmail doctor --home {home} --put-back {new}\n" in said
    assert str(old) in said
    assert complaints(capsys, home, "--put-back", str(old))[0] == 2
    assert paths.database.read_bytes() == b"gone"
    code, said = complaints(capsys, home, "--put-back", str(new))
    assert code == 0
    assert len(list((paths.data / "damaged").glob("*/nbmail.sqlite3"))) == 1
    with open_store(home) as store:
        assert len(store.labels) == 20


@pytest.mark.parametrize("option", [("--start-empty",), ("--put-back", "nbmail.sqlite3")])
def test_a_sound_file_is_not_set_aside(home, capsys, option):
    code, said = complaints(capsys, home, *option)
    assert code == 2
    assert "is not damaged" in said
    assert not (Paths.under(home).data / "damaged").exists()


def test_a_file_that_opens_and_can_not_be_mended_has_a_way_out_too(home, capsys):
    damage(home, "DELETE FROM words WHERE number = 3")
    assert "--start-empty" in doctor(capsys, home, "--repair")[1]
    assert complaints(capsys, home, "--start-empty")[0] == 0


def test_mail_with_halves_of_characters_leaves_all_well(tmp_path, capsys):
    for half in ("2AA", "2AE"):
        raw = f"From: =?utf-7?q?+{half}-?=@x.com\nSubject: a+{half}-\nMessage-ID: <{half}@x>\n\nbody {half}\n"
        (tmp_path / f"{half}.eml").write_text(raw)
    (tmp_path / "good.eml").write_text("From: a@b.c\nSubject: x\n\ngood\n")
    home = tmp_path / "home"
    for label, names in (("junk", ("2AA.eml", "2AE.eml")), ("good", ("good.eml",))):
        paths = [str(tmp_path / name) for name in names]
        assert cli.main(["learn", "--home", str(home), "--as", label, *paths]) == 0
    capsys.readouterr()
    assert doctor(capsys, home)[0] == 0
    assert cli.main(["export", "--home", str(home), str(tmp_path / "m.nbmodel")]) == 0
    assert cli.main(["import", "--home", str(tmp_path / "other"), str(tmp_path / "m.nbmodel")]) == 0
