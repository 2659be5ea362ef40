"""A process that reads mail beside the engine: the same is kept, and nothing is lost when it goes."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.words import Choices
from nbmail.store.connection import Connection
from nbmail.sync.desk import Arrival, Delivery
from nbmail.worker import parcels
from nbmail.worker.parcels import parcels_of
from nbmail.worker.reading_process import WORTH, ReadingProcess
from tests.worker.conftest import INBOX, PATIENCE, Station, arrival

ROOT = Path(__file__).parent.parent.parent
MANY = tuple(arrival(number) for number in range(1, WORTH + 41))
TABLES = ("messages", "samples", "words", "locations", "labels", "counts")


@pytest.fixture
def reading():
    reading = ReadingProcess(Choices())
    yield reading
    reading.close()


def answer_of(reading, arrivals=MANY):
    """What the process says, once it is there."""
    return eventually(lambda: reading.read(arrivals))


def eventually(look):
    deadline = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return found


def process_of(reading):
    return reading._process


def contents(paths):
    """All that is kept of the mail."""
    connection = Connection(paths.database, durable=False)
    try:
        tables = {table: sorted(connection.rows(f"SELECT * FROM {table}")) for table in present(connection)}
    finally:
        connection.close()
    bodies = Connection(paths.cache / "mail.sqlite3", durable=False)
    try:
        return tables | {"bodies": bodies.rows("SELECT identity, size, raw FROM bodies ORDER BY identity")}
    finally:
        bodies.close()


def present(connection):
    found = {row[0] for row in connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {"messages", "samples", "words"} <= found
    return sorted(found & set(TABLES))


@given(st.lists(st.binary(max_size=9), max_size=12), st.integers(1, 5), st.integers(1, 30))
def test_parcels_hold_every_message_once_in_order(raws, most, weight):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parcels, "MESSAGES", most)
        patch.setattr(parcels, "BYTES", weight)
        made = list(parcels_of(raws, Choices()))
    assert [len(raw) for raw in raws] == [heading.size for parcel in made for heading in parcel.headings]
    assert all(1 <= len(parcel) <= most for parcel in made)
    assert all(len(parcel.identities) == len(parcel.packed) == len(parcel.sheaf.lengths) for parcel in made)


@pytest.mark.parametrize("role", ["", "junk"])
def test_what_a_process_read_is_kept_as_if_the_engine_had(tmp_path, role):
    kept = []
    for name, used in (("engine", False), ("process", True)):
        station = Station(tmp_path / name).ready()
        try:
            if used:
                answer_of(station.engine.reading)
            else:
                station.engine.reading.close()
            # The second delivery brings all of the first again, so that one of its parcels is partly known.
            for some in (MANY[:WORTH], MANY[WORTH - 5 :] + MANY[: WORTH - 5]):
                station.engine.desk.deliver(Delivery(INBOX, 1, arrivals=some, role=role))
        finally:
            station.stop()
        kept.append(contents(station.paths))
    assert len(kept[0]["messages"]) == len(MANY)
    assert kept[0] == kept[1]


def test_little_mail_starts_no_process(reading):
    assert reading.read(MANY[: WORTH - 1]) is None
    assert process_of(reading) is None


def test_mail_isnt_waited_for_while_the_process_starts(reading):
    assert reading.read(MANY) is None
    assert sum(map(len, answer_of(reading))) == len(MANY)


@pytest.mark.expects_log
def test_mail_is_read_by_the_engine_when_the_process_is_killed(station, caplog):
    station.ready()
    answer_of(station.engine.reading)
    os.kill(process_of(station.engine.reading).pid, signal.SIGKILL)
    station.engine.desk.deliver(Delivery(INBOX, 1, arrivals=MANY, complete=True))
    assert len(station.engine.desk.remember(INBOX).flags) == len(MANY)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert station.engine.reading.read(MANY) is None


@pytest.mark.expects_log
def test_a_process_that_is_stuck_is_given_up(caplog):
    reading = ReadingProcess(Choices(), patience=0.1)
    try:
        answer_of(reading)
        stuck = process_of(reading)
        os.kill(stuck.pid, signal.SIGSTOP)
        assert reading.read(MANY) is None
        assert "no answer within 0.1 s" in caplog.text
        assert not Path(f"/proc/{stuck.pid}").exists()
    finally:
        reading.close()


@pytest.mark.expects_log
def test_a_process_that_can_t_start_is_not_tried_again(monkeypatch, caplog, reading):
    monkeypatch.setattr("nbmail.worker.reading_process.serve", os._exit)
    assert reading.read(MANY) is None
    eventually(lambda: process_of(reading) is None or not process_of(reading).is_alive())
    assert reading.read(MANY) is None
    assert "it ended with" in caplog.text
    assert process_of(reading) is None
    assert reading.read(MANY) is None
    assert process_of(reading) is None


def test_a_process_without_work_ends_and_another_follows():
    reading = ReadingProcess(Choices(), rest=0.05)
    try:
        answer_of(reading)
        first = process_of(reading)
        eventually(lambda: not first.is_alive())
        assert first.exitcode == 0
        assert answer_of(reading)
        assert process_of(reading).pid != first.pid
    finally:
        reading.close()


def test_the_engine_stops_while_mail_is_being_read(reading):
    answer_of(reading)
    long = tuple(Arrival(number, frozenset(), 0.0, b"\n\n" + b"word " * 10_000, 0) for number in range(4000))
    found = []
    asking = threading.Thread(target=lambda: found.append(reading.read(long)))
    asking.start()
    reading.close()
    asking.join()
    assert found in ([None], [reading.read(long)])


def test_a_busy_process_keeps_no_second_account_waiting(reading):
    answer_of(reading)
    with reading._lock:
        assert reading.read(MANY) is None


ORPHAN = """
import os, time
from nbmail.core.words import Choices
from nbmail.sync.desk import Arrival
from nbmail.worker.reading_process import WORTH, ReadingProcess
if __name__ == "__main__":
    reading, mail = ReadingProcess(Choices()), [Arrival(n, frozenset(), 0.0, b"x", 1) for n in range(WORTH)]
    while reading.read(mail) is None:
        time.sleep(0.01)
    print(reading._process.pid, flush=True)
    os.kill(os.getpid(), 9)
"""


def test_the_process_goes_when_the_program_is_killed(tmp_path):
    (tmp_path / "program.py").write_text(ORPHAN)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, tmp_path / "program.py"], env=environment, capture_output=True, check=False)
    assert ran.returncode == -signal.SIGKILL
    orphan = Path("/proc") / ran.stdout.decode().strip()
    eventually(lambda: not orphan.exists() or " Z " in (orphan / "stat").read_text())
