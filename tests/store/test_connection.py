"""A connection waits for the disk unless told not to, and its log can be written into the file at any time."""

import os

import pytest

from nbmail.store.connection import Connection


@pytest.fixture
def connection(tmp_path):
    found = Connection(tmp_path / "file.sqlite3", durable=True)
    found.execute("CREATE TABLE things (number INTEGER PRIMARY KEY, body BLOB)")
    yield found
    found.close()


def waits(connection):
    return connection.value("PRAGMA synchronous") == 2


def test_a_connection_waits_for_the_disk_except_while_relaxed(connection):
    assert waits(connection)
    with connection.relaxed():
        assert not waits(connection)
        with connection.transaction():
            connection.execute("INSERT INTO things VALUES (1, 'a')")
    assert waits(connection)
    with pytest.raises(ZeroDivisionError), connection.relaxed(), connection.transaction():
        connection.execute("INSERT INTO things VALUES (2, 'b')")
        raise ZeroDivisionError
    assert waits(connection)
    assert connection.rows("SELECT number FROM things") == [(1,)]


def test_relief_writes_the_log_into_the_file(connection, tmp_path):
    connection.checkpoint()
    before = os.path.getsize(tmp_path / "file.sqlite3")
    connection.execute("INSERT INTO things VALUES (1, zeroblob(1000000))")
    assert os.path.getsize(tmp_path / "file.sqlite3") == before
    connection.relieve()
    assert os.path.getsize(tmp_path / "file.sqlite3") > before + 900_000
    assert connection.value("SELECT length(body) FROM things") == 1_000_000


def test_in_place_no_log_is_written_and_what_fails_leaves_nothing(connection, tmp_path):
    log = tmp_path / "file.sqlite3-wal"
    connection.execute("INSERT INTO things VALUES (1, 'a')")
    with connection.in_place():
        with connection.transaction():
            connection.execute("INSERT INTO things VALUES (2, zeroblob(30000000))")
        assert not log.exists()
        with pytest.raises(ZeroDivisionError), connection.transaction():
            connection.execute("INSERT INTO things VALUES (3, zeroblob(30000000))")
            raise ZeroDivisionError
    assert connection.value("PRAGMA journal_mode") == "wal"
    connection.execute("INSERT INTO things VALUES (4, 'd')")
    assert [number for (number,) in connection.rows("SELECT number FROM things")] == [1, 2, 4]
    assert {file.name for file in tmp_path.iterdir()} == {"file.sqlite3", log.name}


def test_in_place_within_a_transaction_changes_nothing(connection):
    with connection.transaction(), connection.in_place():
        connection.execute("INSERT INTO things VALUES (1, 'a')")
        assert connection.value("PRAGMA journal_mode") == "wal"
    assert connection.rows("SELECT number FROM things") == [(1,)]
