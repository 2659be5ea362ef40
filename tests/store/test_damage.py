"""Damage of all kinds: what is readable is saved, what was deleted is written anew, and nothing of it raises."""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys

import pytest

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.store.doctor.doctor import Doctor
from nbmail.store.doctor.salvage import salvage
from nbmail.store.labels.journal import By
from nbmail.store.store import Store
from tests.store.helpers import fill, open_store, rebuilt
from tests.store.test_opening import start

FLIPS = 600 if os.environ.get("NBMAIL_TORTURE") else 24
MESSAGES, LABELS = 400, 240


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A home with labels, and what they are by the names of messages, which outlive any number."""
    home = tmp_path_factory.mktemp("sound") / "home"
    with open_store(home) as store:
        messages = fill(store, MESSAGES)
        for first in range(0, LABELS, 8):
            labels = {one: ("junk", "good")[one % 2] for one in messages[first : first + 8]}
            store.marks.mark(labels, by=By.USER, moment=1000.0 + first)
        return home, labels_by_name(store)


def labels_by_name(store):
    labels = store.labels.all()
    names = store.messages.identities(labels)
    return {names[message]: label for message, label in labels.items()}


def turn_bits(raw, chance):
    for _ in range(chance.choice([1, 1, 2, 10])):
        raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)


def spoil_a_page(raw, chance):
    page = chance.randrange(len(raw) // 4096)
    raw[page * 4096 : (page + 1) * 4096] = chance.randbytes(4096)


def turn_bits_of_the_head(raw, chance):
    raw[chance.randrange(200)] ^= 1 << chance.randrange(8)


def cut_off(raw, chance):
    del raw[chance.randrange(len(raw) // 2, len(raw)) :]


@pytest.mark.parametrize("harm", [turn_bits, spoil_a_page, turn_bits_of_the_head, cut_off])
def test_every_label_that_can_be_read_is_saved(sound, tmp_path, harm):
    home, before = sound
    for seed in range(FLIPS // 4):
        paths = Paths.under(tmp_path / str(seed))
        shutil.copytree(home, tmp_path / str(seed))
        raw = bytearray(paths.database.read_bytes())
        harm(raw, random.Random(seed))
        paths.database.write_bytes(raw)
        examine(paths)
        saved = salvage(paths, 2000.0)
        assert (saved.kept_in / paths.database.name).read_bytes() == raw
        with open_store(tmp_path / str(seed)) as store:
            found = Doctor(store, 2000.0).check(repair=True)
            assert found.sound, found
            after = labels_by_name(store)
            assert len(store.listing.all().messages) <= MESSAGES
            assert len(store.journal.latest(9999)) >= saved.saved["journal"]
        wrong = [name for name, label in before.items() if after.get(name) != label]
        # A turned bit may be one of a label itself. Of a file cut off, what is gone is gone.
        if harm is cut_off:
            assert all(before.get(name, label) == label for name, label in after.items())
        else:
            assert len(wrong) <= (2 if harm is turn_bits else 0), (seed, len(wrong))
        shutil.rmtree(tmp_path / str(seed))


def examine(paths):
    """A check-up of whatever is there may find damage, or refuse it as such, and raises nothing else."""
    copy = Paths.under(paths.data.parent / "copy")
    copy.make()
    shutil.copyfile(paths.database, copy.database)
    try:
        with Store(copy, 1.0) as store:
            Doctor(store, 1.0).check(repair=True)
    except KnownError as error:
        assert error.error_code in (ErrorCode.DATABASE_DAMAGED, ErrorCode.HOME_TOO_NEW), error
    shutil.rmtree(copy.data.parent)


def test_what_lies_in_the_log_is_saved_too(sound, tmp_path):
    home, before = sound
    shutil.copytree(home, tmp_path / "open")
    store = open_store(tmp_path / "open")
    store.marks.mark(dict.fromkeys(range(LABELS + 1, LABELS + 11), "junk"), by=By.USER, moment=3000.0)
    shutil.copytree(tmp_path / "open", tmp_path / "killed")
    store.close()
    paths = Paths.under(tmp_path / "killed")
    raw = bytearray(paths.database.read_bytes())
    spoil_a_page(raw, random.Random(1))
    paths.database.write_bytes(raw)
    salvage(paths, 4000.0)
    with open_store(tmp_path / "killed") as again:
        assert len(labels_by_name(again)) == len(before) + 10


def test_a_journal_that_cannot_be_read_is_damage_however_often_it_is_opened(sound, tmp_path):
    """What keeps a home from opening leaves its lock to the next, which may save what can be read."""
    home, before = sound
    shutil.copytree(home, tmp_path / "home")
    paths = Paths.under(tmp_path / "home")
    spoil(paths, "journal", b"\7" * 4096)
    for _ in range(2):
        with pytest.raises(KnownError) as caught:
            Store(paths, 1.0)
        assert caught.value.error_code is ErrorCode.DATABASE_DAMAGED
    salvage(paths, 2.0)
    with open_store(tmp_path / "home") as store:
        assert labels_by_name(store) == before


def spoil(paths, table, page):
    """Put this in the place of the page that a table begins with."""
    with contextlib.closing(sqlite3.connect(paths.database)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    raw = bytearray(paths.database.read_bytes())
    raw[(root - 1) * 4096 : root * 4096] = page
    paths.database.write_bytes(raw)


def test_a_file_of_which_nothing_can_be_read_stays_where_it_is(sound, tmp_path):
    paths = Paths.under(tmp_path)
    paths.make()
    paths.database.write_bytes(b"gone" * 5000)
    with pytest.raises(KnownError) as caught:
        salvage(paths, 1.0)
    assert caught.value.error_code is ErrorCode.DATABASE_DAMAGED
    assert {path.name for path in paths.data.iterdir()} == {"nbmail.lock", paths.database.name}


@pytest.mark.parametrize("moves", range(8))
def test_a_kill_while_a_file_takes_the_place_of_another_leaves_one_of_them(sound, tmp_path, monkeypatch, moves):
    """After so many renamings; the labels of either file are there."""
    home, before = sound
    shutil.copytree(home, tmp_path / "home")
    paths, left, replace = Paths.under(tmp_path / "home"), [moves], os.replace

    def killed(source, target):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with contextlib.suppress(KeyboardInterrupt):
            salvage(paths, 1.0)
    with open_store(tmp_path / "home") as store:
        assert labels_by_name(store) == before
        assert Doctor(store, 2.0).check().sound


def test_a_value_that_makes_no_sense_is_a_finding(tmp_path):
    with open_store(tmp_path) as store:
        store.marks.mark({fill(store, 5)[0]: "junk"}, by=By.USER, moment=1.0)
        store.connection.execute("UPDATE samples SET measures = '[1, nonsense' WHERE message = 3")
        found = Doctor(store, 1.0).check(repair=True)
        assert [one.name for one in found.findings if not one.sound] == ["samples", "model"]


# ------------------------------------------------------------------------------------------ deleted while it runs


def delete_file(paths):
    for path in paths.data.glob(paths.database.name + "*"):
        path.unlink()


def delete_folder(paths):
    shutil.rmtree(paths.data)


def delete_home(paths):
    shutil.rmtree(paths.data.parent)


def put_another_there(paths):
    delete_file(paths)
    paths.database.write_bytes(b"something else")


@pytest.mark.skipif(sys.platform == "win32", reason="open files can't be deleted there")
@pytest.mark.parametrize("harm", [delete_file, delete_folder, delete_home, put_another_there])
@pytest.mark.parametrize("marks", [0, 1])
def test_a_database_deleted_while_it_is_open_is_written_anew(tmp_path, harm, marks):
    heard = []
    with open_store(tmp_path / "home") as store:
        messages = fill(store, 20)
        store.marks.mark(dict.fromkeys(messages[:10], "junk"), by=By.USER, moment=1.0)
        store.when_written_anew = lambda: heard.append(True)
        harm(store.paths)
        for message in messages[10 : 10 + marks]:
            store.marks.mark({message: "good"}, by=By.USER, moment=2.0)
        fill(store, marks, first=50)
        assert store.model.model.counts == rebuilt(store).counts
    assert heard == [True]
    with open_store(tmp_path / "home") as store:
        assert len(store.labels) == 10 + marks
        assert Doctor(store, 3.0).check().sound
    kept = list((tmp_path / "home" / "data").glob("damaged/*/nbmail.sqlite3"))
    assert [path.read_bytes() for path in kept] == [b"something else"] * (harm is put_another_there)


@pytest.mark.skipif(sys.platform == "win32", reason="open files can't be deleted there")
def test_a_deleted_lock_lets_no_second_program_in(tmp_path):
    holder = start(tmp_path)
    assert holder.stdout.readline() == "open\n"
    (tmp_path / "data" / "nbmail.lock").unlink()
    with pytest.raises(KnownError) as caught:
        open_store(tmp_path)
    assert caught.value.error_code is ErrorCode.HOME_IN_USE
    holder.communicate("\n")
    open_store(tmp_path).close()


UMASK = """
import os, runpy, sys
os.umask(0)
del sys.argv[0]
runpy.run_module("nbmail", run_name="__main__")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="other rights")
def test_everything_is_private_whatever_the_umask(tmp_path):
    home, letter = tmp_path / "home", tmp_path / "a.eml"
    letter.write_bytes(b"From: a@example.org\nSubject: x\nMessage-ID: <1@example.org>\n\nwords of a letter\n")
    for command in (["learn", "--as", "junk", str(letter)], ["doctor", "--repair"], ["score", str(letter)]):
        run = subprocess.run(
            [sys.executable, "-c", UMASK, "nbmail", *command, "--home", str(home)], capture_output=True, check=False
        )
        assert run.returncode in (0, 1), run.stderr
    open_to_others = [str(path) for path in [home, *home.rglob("*")] if path.stat().st_mode & 0o077]
    assert open_to_others == []


def test_a_column_that_a_turned_bit_renamed_is_found_and_read(sound, tmp_path):
    home, before = sound
    shutil.copytree(home, tmp_path / "home")
    paths = Paths.under(tmp_path / "home")
    connection = sqlite3.connect(paths.database)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = replace(sql, '  after', '  aftar') WHERE name = 'journal'")
    connection.commit()
    connection.close()
    with Store(paths, 1.0) as store:
        assert "file" in [one.name for one in Doctor(store, 1.0).check(repair=True).findings if not one.sound]
    salvage(paths, 2.0)
    with open_store(tmp_path / "home") as store:
        assert labels_by_name(store) == before
        assert Doctor(store, 3.0).check().sound


def test_sqlite_itself_says_what_was_readable(sound, tmp_path):
    """A page of the table of labels is spoiled: all its other rows, and by the journal these too, are there."""
    home, before = sound
    shutil.copytree(home, tmp_path / "home")
    paths = Paths.under(tmp_path / "home")
    spoil(paths, "labels", bytes(4096))
    assert salvage(paths, 1.0).saved["labels"] == LABELS
    with open_store(tmp_path / "home") as store:
        assert labels_by_name(store) == before
