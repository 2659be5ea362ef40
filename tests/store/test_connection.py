"""A connection waits for the disk unless told not to, and its log can be written into the file at any time."""

import os

import pytest

from nbmail.store.files.connection import Connection


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
