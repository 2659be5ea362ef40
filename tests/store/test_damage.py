"""Damage of all kinds: `labels.log` restores all acknowledged labels."""

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
from nbmail.store.doctor import diagnose
from nbmail.store.files.quarantine import replace_database
from nbmail.store.labels.journal import By
from nbmail.store.labels_log.label_records import label_records
from nbmail.store.store import Store
from nbmail.values import NoteKind
from tests.store.helpers import close_store, fill, learned, open_store, rebuilt
from tests.store.test_opening import start

FLIPS = 600 if os.environ.get("NBMAIL_TORTURE") else 24
MESSAGES = 120
LABELS = 64


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Data folder with labels, these labels by identity, and what was learned from them."""
    home = tmp_path_factory.mktemp("sound") / "home"
    store = open_store(home)
    messages = fill(store, MESSAGES)
    for first in range(0, LABELS, 8):
        labels = {one: ("spam", "ham")[one % 2] for one in messages[first : first + 8]}
        store.marks.mark(labels, by=By.USER, moment=1000.0 + first)
    store.marks.mark(dict.fromkeys(messages[3:9], "ham"), by=By.USER, moment=2000.0)
    store.marks.undo(moment=2001.0)
    labels = labels_by_identity(store)
    model = learned(rebuilt(store))
    close_store(store)
    return home, labels, model


@pytest.fixture
def home(sound, tmp_path):
    """Copy of the sound data folder."""
    shutil.copytree(sound[0], tmp_path / "home")
    return Paths.under(tmp_path / "home")


def labels_by_identity(store):
    """Return all labels, also those that wait for their messages."""
    return {record.identity: record.label for record in label_records(store.connection)}


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


HARMS = [turn_bits, spoil_a_page, turn_bits_of_the_head, cut_off]


def repair(paths):
    """Repair the data folder as `nbmail doctor --repair` does.

    Return the folder of a replaced database, or None.
    """
    try:
        with Store(paths, 3000.0) as store:
            if not diagnose(store, 3000.0, repair=True).is_damaged:
                return None
    except KnownError as error:
        # A turned bit of the version looks like another version.
        assert error.error_code in (ErrorCode.DATABASE_DAMAGED, ErrorCode.OTHER_VERSION), error
    return replace_database(paths, 4000.0)


def has_same_words(paths, sound):
    """False if the words of a message are others, which nothing but the message can tell."""
    query = "SELECT message, words, occurrences, measures FROM samples ORDER BY message"
    found = []
    for database in (paths.database, Paths.under(sound[0]).database):
        with contextlib.closing(sqlite3.connect(database)) as connection:
            found.append(connection.execute(query).fetchall())
    return found[0] == found[1]


def is_whole(paths, sound, *, is_same_model=True):
    """Check that all labels are there, and the model once the mail has been fetched again."""
    (_, labels, model), home = sound, paths.data.parent
    with open_store(home) as store:
        assert labels_by_identity(store) == labels
        assert diagnose(store, 5000.0, repair=True).sound
    with open_store(home) as store:
        for first in range(1, MESSAGES, 40):
            messages = fill(store, 40, first=first)
            store.assign_waiting(
                {identity: one for one, identity in store.messages.identities(messages).items()}
            )
        assert len(store.waiting_labels) == 0
        assert labels_by_identity(store) == labels
        if is_same_model:
            assert learned(rebuilt(store)) == model


@pytest.mark.expects_log
@pytest.mark.parametrize("harm", HARMS)
def test_every_label_survives_a_damaged_database(sound, tmp_path, harm):
    for seed in range(FLIPS // 4):
        paths = Paths.under(shutil.copytree(sound[0], tmp_path / str(seed)))
        raw = bytearray(paths.database.read_bytes())
        harm(raw, random.Random(seed))
        paths.database.write_bytes(raw)
        folder = repair(paths)
        assert folder is None or (folder / paths.database.name).read_bytes() == raw
        is_whole(paths, sound, is_same_model=bool(folder) or has_same_words(paths, sound))


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_log_costs_nothing_while_the_database_is_sound(sound, tmp_path, harm):
    for seed in range(FLIPS // 4):
        paths = Paths.under(shutil.copytree(sound[0], tmp_path / str(seed)))
        log = paths.data / "labels.log"
        raw = bytearray(log.read_bytes())
        before = log.read_bytes()
        harm(raw, random.Random(seed))
        log.write_bytes(raw)
        assert repair(paths) is None
        assert log.read_bytes() == before
        is_whole(paths, sound)
        # A file that is missing is written again.
        log.unlink()
        assert repair(paths) is None
        assert log.read_bytes() == before


def test_database_and_log_damaged_together_cost_no_more_than_the_damaged_lines(sound, home):
    labels = sound[1]
    log = home.data / "labels.log"
    lines = log.read_bytes().splitlines(keepends=True)
    lines[11] = lines[11].replace(b"spam", b"ham")
    lines[20] = lines[20][:50]
    log.write_bytes(b"".join(lines))
    home.database.write_bytes(b"gone" * 5000)
    repair(home)
    with open_store(home.data.parent) as store:
        after = labels_by_identity(store)
        notes = {note.kind: note.number for note in store.notes}
        assert diagnose(store, 5000.0).sound
    # The second and third line were one.
    assert notes == {NoteKind.REFILLED: LABELS - 3, NoteKind.LOG_REPLACED: 2}
    assert after.items() <= labels.items()
    assert len(after) == LABELS - 3


def test_the_write_ahead_log_belongs_to_the_database(sound, home, tmp_path):
    """After a kill, a damaged file and its log lose none of the latest labels."""
    with open_store(home.data.parent) as store:
        store.marks.mark(
            dict.fromkeys(range(LABELS + 1, LABELS + 11), "spam"), by=By.USER, moment=3000.0
        )
        paths = Paths.under(shutil.copytree(home.data.parent, tmp_path / "killed"))
    raw = bytearray(paths.database.read_bytes())
    spoil_a_page(raw, random.Random(1))
    paths.database.write_bytes(raw)
    repair(paths)
    with open_store(tmp_path / "killed") as again:
        assert len(labels_by_identity(again)) == len(sound[1]) + 10


def test_a_journal_that_cannot_be_read_is_damage_however_often_it_is_opened(sound, home):
    """A home that doesn't open releases its lock, so that it can be repaired."""
    with contextlib.closing(sqlite3.connect(home.database)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'journal'"
        ).fetchone()
    raw = bytearray(home.database.read_bytes())
    raw[(root - 1) * 4096 : root * 4096] = b"\7" * 4096
    home.database.write_bytes(raw)
    for _ in range(2):
        with pytest.raises(KnownError) as caught:
            Store(home, 1.0)
        assert caught.value.error_code is ErrorCode.DATABASE_DAMAGED
    repair(home)
    is_whole(home, sound)


@pytest.mark.parametrize("moves", range(8))
def test_a_kill_while_a_file_takes_the_place_of_another_leaves_one_of_them(
    sound, home, monkeypatch, moves
):
    """The kill comes after some renames. The labels of either file are there."""
    left = [moves]
    replace = os.replace

    def killed(source, target):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with contextlib.suppress(KeyboardInterrupt):
            replace_database(home, 1.0)
    is_whole(home, sound)


CHANGES = [
    "UPDATE journal SET after = 3 - after WHERE number = 7",
    "UPDATE labels SET class = 3 - class WHERE message = 7",
    "UPDATE journal SET message = 99 WHERE number = 9",
    "UPDATE messages SET identity = zeroblob(16) WHERE number = 4",
    "DELETE FROM journal WHERE number > 40",
    "DELETE FROM journal WHERE number = 50",
    "DELETE FROM labels WHERE message < 30",
    "DELETE FROM labels",
    "UPDATE journal SET number = 100000 WHERE number = 12",
    "UPDATE settings SET value = '{}' WHERE name = 'labels_log'",
    "DELETE FROM settings",
    "UPDATE samples SET measures = '[1, nonsense' WHERE message = 3",
    "DELETE FROM words WHERE number = 4",
    # A flipped bit renames a column.
    "UPDATE sqlite_schema SET sql = replace(sql, '  target', '  targat') WHERE name = 'outbox'",
]


@pytest.mark.parametrize("change", CHANGES)
def test_rows_that_changed_without_an_error_of_the_file_cost_no_label(sound, home, change):
    with contextlib.closing(sqlite3.connect(home.database)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(change)
        connection.commit()
    replaced = repair(home)
    assert replaced is not None or "sqlite_schema" not in change
    is_whole(home, sound)


# ------------------------------------------------------------------------------------------ deleted
# while it runs


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
def test_a_database_deleted_while_it_is_open_is_written_again(tmp_path, harm, marks):
    heard = []
    with open_store(tmp_path / "home", when_rewritten=lambda: heard.append(True)) as store:
        messages = fill(store, 20)
        store.marks.mark(dict.fromkeys(messages[:10], "spam"), by=By.USER, moment=1.0)
        harm(store.paths)
        for message in messages[10 : 10 + marks]:
            store.marks.mark({message: "ham"}, by=By.USER, moment=2.0)
        fill(store, marks, first=50)
        assert store.model.model.counts == rebuilt(store).counts
    assert heard == [True]
    with open_store(tmp_path / "home") as store:
        assert len(store.labels) == 10 + marks
        assert diagnose(store, 3.0).sound
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
    home = tmp_path / "home"
    letter = tmp_path / "a.eml"
    letter.write_bytes(
        b"From: a@example.org\nSubject: x\nMessage-ID: <1@example.org>\n\nwords of a letter\n"
    )
    for command in (
        ["learn", "--as", "spam", str(letter)],
        ["doctor", "--repair"],
        ["score", str(letter)],
    ):
        run = subprocess.run(
            [sys.executable, "-c", UMASK, "nbmail", *command, "--home", str(home)],
            capture_output=True,
            check=False,
        )
        assert run.returncode in (0, 1), run.stderr
    open_to_others = [str(path) for path in [home, *home.rglob("*")] if path.stat().st_mode & 0o077]
    assert open_to_others == []
