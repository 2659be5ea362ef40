"""Opening of new, damaged and occupied homes, and of those of other versions."""

import contextlib
import os
import sqlite3
import subprocess
import sys

import pytest

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.store.files.database_copy import copy_in_use
from nbmail.store.files.database_file import definitions, version_of
from nbmail.store.files.schema import SCHEMA
from nbmail.store.labels.journal import By
from tests.store.helpers import fill, open_store


@pytest.fixture
def home(tmp_path):
    """Closed data folder with mail and labels."""
    with open_store(tmp_path) as store:
        messages = fill(store, 10)
        store.marks.mark(dict.fromkeys(messages[:4], "spam"), by=By.USER, moment=5.0)
    return tmp_path


def database(home):
    return Paths.under(home).database


def change(home, statement):
    with contextlib.closing(sqlite3.connect(database(home))) as connection:
        connection.execute(statement)


def refused(home):
    with pytest.raises(KnownError) as caught:
        open_store(home)
    return caught.value


def files(home):
    """Return the content of all files except the lock, which names the last process."""
    paths = [path for path in home.rglob("*") if path.is_file() and path.name != "nbmail.lock"]
    return {path: path.read_bytes() for path in paths}


@pytest.mark.parametrize("version", [1, 6, 7, (1 << 31) - 1])
def test_a_home_of_another_version_is_refused_untouched(home, version):
    """Versions 1 to 6 are those of builds before the first release."""
    change(home, f"PRAGMA user_version = {version}")
    before = files(home)
    error = refused(home)
    assert error.error_code is ErrorCode.OTHER_VERSION
    assert str(database(home)) in error.detail
    assert files(home) == before


def test_other_tables_of_this_version_are_damage(home):
    change(home, "ALTER TABLE messages ADD COLUMN colour TEXT")
    assert refused(home).error_code is ErrorCode.DATABASE_DAMAGED


def test_any_change_of_the_schema_is_another_version():
    wanted = definitions(SCHEMA)
    assert version_of(wanted) not in range(1000)
    for place, statement in enumerate(wanted):
        changed = [*wanted[:place], statement + " ", *wanted[place + 1 :]]
        assert version_of(changed) != version_of(wanted)


@pytest.mark.parametrize(
    "content",
    [b"", b"not a database", b"SQLite format 3\0" + b"\xff" * 4096, os.urandom(8192)],
    ids=["empty", "text", "torn", "noise"],
)
def test_a_damaged_file_is_quarantined_and_reported(home, content):
    database(home).write_bytes(content)
    error = refused(home)
    assert error.error_code is ErrorCode.DATABASE_DAMAGED
    assert str(database(home)) in error.detail
    assert database(home).read_bytes() == content


@pytest.mark.expects_log
def test_any_flipped_bit_of_the_header_is_damage_or_costs_no_label(home):
    raw = database(home).read_bytes()
    # Neither the name of the format nor the reserved bytes.
    for bit in (*range(8 * 16, 8 * 72), *range(8 * 92, 8 * 100)):
        changed = bytearray(raw)
        changed[bit // 8] ^= 1 << bit % 8
        database(home).write_bytes(changed)
        with contextlib.suppress(KnownError), open_store(home) as store:
            assert len(store.labels) == 4


def test_a_log_without_its_database_is_not_written_over(home):
    log = database(home).with_name(database(home).name + "-wal")
    database(home).unlink()
    log.write_bytes(b"labels may be in here")
    assert refused(home).error_code is ErrorCode.DATABASE_DAMAGED
    assert log.read_bytes() == b"labels may be in here"


def test_an_incomplete_database_is_written_again(home):
    fresh = home / "fresh"
    Paths.under(fresh).make()
    database(fresh).with_name("nbmail.sqlite3.new").write_bytes(b"half")
    with open_store(fresh) as store:
        assert len(store.messages) == 0


SECOND = """
import sys
from pathlib import Path
from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.store.store import Store
try:
    with Store(Paths.under(Path(sys.argv[1])), 0.0) as store:
        print("open", flush=True)
        sys.stdin.readline()
except KnownError as error:
    print(error.error_code, error.detail)
"""


def start(home):
    return subprocess.Popen(
        [sys.executable, "-c", SECOND, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_second_process_is_refused_until_the_first_ends(home):
    with open_store(home):
        said, _ = start(home).communicate()
        assert said.startswith("home-in-use ")
        assert str(os.getpid()) in said
    first = start(home)
    assert first.stdout.readline() == "open\n"
    assert refused(home).error_code is ErrorCode.HOME_IN_USE
    first.kill()
    first.communicate()
    with open_store(home) as store:
        assert len(store.labels) == 4


WRITER = """
import sys
import time
from pathlib import Path
from nbmail.store.files.connection import Connection
connection = Connection(Path(sys.argv[1]), durable=False)
number = 0
while True:
    number += 1
    with connection.transaction():
        connection.execute("UPDATE messages SET date = ?", (number,))
    if number == 1:
        print("open", flush=True)
    if number % 40 == 0:
        connection.checkpoint()
    if number % 160 == 0:
        time.sleep(0.3)
"""


FEWEST_COPIES = 20
MOST_COPIES = 5000


def test_a_copy_of_a_database_that_is_written_has_whole_transactions(home, tmp_path):
    """Each transaction of the other process gives all messages another date."""
    path = database(home)
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        try:
            assert writer.stdout.readline() == "open\n"
            dates = []
            # On a loaded machine many copies pass between two transactions of the other process.
            numbers = iter(range(MOST_COPIES))
            while len(dates) < FEWEST_COPIES or len(set(dates)) < 2:
                number = next(numbers)
                folder = tmp_path / str(number)
                folder.mkdir()
                with contextlib.closing(sqlite3.connect(copy_in_use(path, folder))) as copy:
                    assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                    found = copy.execute("SELECT DISTINCT date FROM messages").fetchall()
                    assert len(found) == 1
                    dates += found
        finally:
            writer.kill()
    assert dates == sorted(dates)
    assert len(set(dates)) > 1
