"""A process that reads mail beside the engine: the same is kept, and nothing is lost when it goes."""

import contextlib
import logging
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from multiprocessing import util
from multiprocessing.connection import Connection as PipeEnd
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.reading.clues import gather
from nbmail.core.reading.mail import parse
from nbmail.errors import KnownError, Trouble
from nbmail.store.files.connection import Connection
from nbmail.store.mail.folders import Folders
from nbmail.store.mail.identity import identities
from nbmail.sync.desk import Arrival, Delivery, FolderName
from nbmail.worker.intake import intake, parcels
from nbmail.worker.intake.parcels import parcels_of
from nbmail.worker.intake.reading_process import LIVES, WORTH, ReadingProcess
from nbmail.worker.protocol import CheckUp
from tests.worker.conftest import INBOX, LONGER, PATIENCE, Station, arrival

ROOT = Path(__file__).parent.parent.parent
MANY = tuple(arrival(number) for number in range(1, WORTH + 41))
# Longer than a process takes to begin on a busy machine.
SHORT = 1.0
TABLES = ("messages", "samples", "words", "locations", "labels", "counts")


@pytest.fixture
def reading():
    reading = ReadingProcess()
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
    return reading._reader and reading._reader.process


def of_size(size):
    """As much mail as is worth a process, of which each has so many bytes."""
    return tuple(Arrival(number, frozenset(), 0.0, (b"\n\n" + b"word " * size)[:size], size) for number in range(WORTH))


def sizes(parcels):
    return {heading.size for parcel in parcels for heading in parcel.headings}


def is_gone(process):
    """Neither running nor a zombie that nobody has waited for."""
    return not Path(f"/proc/{process}").exists()


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
        made = list(parcels_of(raws))
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


def refuse_once(monkeypatch, part):
    """Let the disk be full when all of this part of a delivery is written."""
    close, parts = Folders.close, iter(range(1, 1000))

    def look_at(folders, *rest):
        if next(parts) == part:
            raise KnownError(Trouble.DISK_FULL, "the home")
        close(folders, *rest)

    monkeypatch.setattr(Folders, "close", look_at)


@pytest.mark.parametrize("part", [1, 2, 3])
@pytest.mark.parametrize("between", [False, True], ids=["tried again at once", "after another account's"])
def test_what_was_read_and_not_stored_leaves_the_same_behind(tmp_path, monkeypatch, part, between):
    """A vocabulary grows before the words are stored: they wait there for the next transaction, whosever it is."""
    monkeypatch.setattr(intake, "PIECE", parcels.MESSAGES)
    monkeypatch.setattr(intake, "STORED", 300)
    kept = []
    for name, used in (("engine", False), ("process", True)):
        station = Station(tmp_path / name).ready()
        try:
            desk = station.engine.desk
            answer_of(station.engine.reading) if used else station.engine.reading.close()
            with monkeypatch.context() as patch, pytest.raises(KnownError):
                refuse_once(patch, part)
                desk.deliver(Delivery(INBOX, 1, arrivals=MANY))
            if between:
                others = tuple(arrival(number, uid=number) for number in range(1001, 1006))
                desk.deliver(Delivery(FolderName("work", "INBOX"), 7, arrivals=others))
            desk.deliver(Delivery(INBOX, 1, arrivals=MANY, complete=True))
            assert [finding for finding in station.do(CheckUp()).findings if not finding.sound] == []
            vocabulary = station.engine._office.model.vocabulary.words_from(0)
        finally:
            station.stop()
        kept.append(contents(station.paths))
        assert [word for _, word in sorted(kept[-1]["words"])] == vocabulary
    assert kept[0] == kept[1]


def test_two_accounts_at_the_same_time_lose_nothing(station):
    """The process reads for one of them, the engine for the other, in whatever order."""
    station.ready()
    answer_of(station.engine.reading)
    names = [FolderName(name, "INBOX") for name in ("home", "work", "club")]

    def hand_in(folder, first):
        for start in range(first, first + 400, 100):
            some = tuple(arrival(number, uid=number) for number in range(start, start + 100))
            station.engine.desk.hand_in(Delivery(folder, 1, arrivals=some))
        station.engine.desk.deliver(Delivery(folder, 1, complete=True))

    accounts = [threading.Thread(target=hand_in, args=(name, 200 * place)) for place, name in enumerate(names)]
    for account in accounts:
        account.start()
    for account in accounts:
        account.join()
    assert [sorted(station.engine.desk.remember(name).flags) for name in names] == [
        list(range(first, first + 400)) for first in (0, 200, 400)
    ]
    assert [finding for finding in station.do(CheckUp()).findings if not finding.sound] == []
    station.stop()
    assert len(contents(station.paths)["messages"]) == 800


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
    killed = process_of(station.engine.reading).pid
    os.kill(killed, signal.SIGKILL)
    station.engine.desk.deliver(Delivery(INBOX, 1, arrivals=MANY, complete=True))
    assert len(station.engine.desk.remember(INBOX).flags) == len(MANY)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert is_gone(killed)
    assert answer_of(station.engine.reading)


@pytest.mark.expects_log
@pytest.mark.parametrize("size", [10, 20_000], ids=["while it reads", "before it takes all that is sent"])
def test_a_process_that_is_stuck_is_given_up(caplog, size):
    reading = ReadingProcess(patience=SHORT)
    try:
        answer_of(reading)
        stuck = process_of(reading).pid
        os.kill(stuck, signal.SIGSTOP)
        assert reading.read(of_size(size)) is None
        assert "no answer within 1 s" in caplog.text
        assert is_gone(stuck)
    finally:
        reading.close()


@pytest.mark.expects_log
def test_a_process_that_is_stuck_as_it_begins_is_given_up(caplog):
    reading = ReadingProcess(patience=SHORT)
    try:
        assert reading.read(MANY) is None
        stuck = process_of(reading).pid
        os.kill(stuck, signal.SIGSTOP)
        eventually(lambda: is_gone(stuck))
        assert "no answer within 1 s" in caplog.text
        assert answer_of(reading)
    finally:
        reading.close()


def test_a_process_that_has_said_that_it_is_there_may_wait():
    reading = ReadingProcess(patience=SHORT)
    try:
        assert reading.read(MANY) is None
        process = process_of(reading)
        eventually(reading._reader._channel.poll)
        time.sleep(1.5 * SHORT)
        assert reading.read(MANY)
        assert process_of(reading) is process
    finally:
        reading.close()


@pytest.mark.expects_log
def test_an_answer_that_was_not_read_is_never_taken_for_another(monkeypatch, reading):
    """Without memory for it, say: mail would be kept under the names of other mail."""
    answer_of(reading)

    def fail(channel):
        monkeypatch.undo()
        raise MemoryError

    monkeypatch.setattr(PipeEnd, "recv", fail)
    assert reading.read(of_size(10)) is None
    assert sizes(answer_of(reading, of_size(20))) == {20}


def test_a_fault_of_ours_leaves_no_answer_behind_either(monkeypatch, reading):
    answer_of(reading)

    def fail(channel):
        monkeypatch.undo()
        raise ZeroDivisionError

    monkeypatch.setattr(PipeEnd, "recv", fail)
    with pytest.raises(ZeroDivisionError):
        reading.read(of_size(10))
    assert sizes(answer_of(reading, of_size(20))) == {20}


@pytest.mark.expects_log
@pytest.mark.parametrize(
    "error",
    [BlockingIOError(11, "no more processes"), OSError(24, "no more files"), RuntimeError("still being imported")],
)
def test_a_process_that_isnt_given_by_the_system_is_done_without(monkeypatch, caplog, reading, error):
    def refuse(*arguments):
        raise error

    monkeypatch.setattr("multiprocessing.util.spawnv_passfds", refuse)
    assert [reading.read(MANY) for _ in range(LIVES + 1)] == [None] * (LIVES + 1)
    assert len(caplog.records) == LIVES
    monkeypatch.undo()
    assert reading.read(MANY) is None
    assert process_of(reading) is None


@pytest.mark.expects_log
def test_a_thread_that_isnt_given_by_the_system_leaves_no_process(monkeypatch, reading):
    begun, begin = [], threading.Thread.start

    def refuse(thread):
        begun.append(multiprocessing.active_children()[0].pid)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert reading.read(MANY) is None
    monkeypatch.setattr(threading.Thread, "start", begin)
    assert is_gone(begun[0])
    assert answer_of(reading)


@pytest.mark.expects_log
def test_a_process_that_can_t_start_is_tried_a_few_times(monkeypatch, caplog, reading):
    monkeypatch.setattr("nbmail.worker.intake.reader.serve", os._exit)
    for _ in range(LIVES):
        assert reading.read(MANY) is None
        eventually(reading._reader.has_ended)
        assert reading.read(MANY) is None
        assert process_of(reading) is None
    assert caplog.text.count("it ended with") == LIVES
    assert reading.read(MANY) is None
    assert process_of(reading) is None


@pytest.mark.expects_log
def test_a_process_of_another_version_reads_nothing(monkeypatch, caplog, reading):
    """The program was replaced while it ran: its words would be stored as those of the version that runs."""
    monkeypatch.setattr(parcels, "TOKENIZER_VERSION", parcels.TOKENIZER_VERSION + 1)
    assert eventually(lambda: reading.read(MANY) or "in another way" in caplog.text) is True
    assert process_of(reading) is None


@pytest.mark.expects_log
def test_mail_that_defeats_the_process_is_left_to_the_engine(capfd, caplog, reading):
    answer_of(reading)
    process = process_of(reading)
    assert reading.read([Arrival(1, frozenset(), 0.0, None, 0)] * WORTH) is None
    assert "the engine reads it: TypeError" in caplog.text
    assert sizes(reading.read(of_size(20))) == {20}
    assert process_of(reading) is process
    assert capfd.readouterr() == ("", "")


def test_an_interrupt_ends_no_process_and_prints_nothing(capfd, reading):
    """Ctrl+C in a terminal reaches all its processes, also while they begin."""
    reading.read(MANY)
    process = process_of(reading)
    while not reading.read(MANY):
        os.kill(process.pid, signal.SIGINT)
        time.sleep(0.002)
    assert process_of(reading) is process
    assert capfd.readouterr() == ("", "")


def test_a_process_without_work_ends_and_another_follows():
    reading = ReadingProcess(rest=0.05)
    try:
        answer_of(reading)
        first = process_of(reading)
        eventually(lambda: is_gone(first.pid))
        assert first.exitcode == 0
        assert answer_of(reading)
        assert process_of(reading).pid != first.pid
    finally:
        reading.close()


def test_closing_waits_for_no_mail_that_is_being_read(reading):
    answer_of(reading)
    stopped, found = process_of(reading).pid, []
    os.kill(stopped, signal.SIGSTOP)
    asking = threading.Thread(target=lambda: found.append(reading.read(of_size(20_000))))
    asking.start()
    eventually(reading._lock.locked)
    reading.close()
    asking.join()
    assert found == [None]
    assert is_gone(stopped)
    assert reading.read(MANY) is None


def test_closing_while_the_process_starts_leaves_none(monkeypatch, reading):
    starting, go_on, begun, begin = threading.Event(), threading.Event(), [], util.spawnv_passfds

    def begin_slowly(*arguments):
        starting.set()
        assert go_on.wait(PATIENCE)
        begun.append(begin(*arguments))
        return begun[0]

    monkeypatch.setattr(util, "spawnv_passfds", begin_slowly)
    asking = threading.Thread(target=lambda: reading.read(MANY))
    asking.start()
    assert starting.wait(PATIENCE)
    closing = threading.Thread(target=reading.close)
    closing.start()
    eventually(lambda: reading._closed)
    go_on.set()
    closing.join()
    asking.join()
    assert is_gone(begun[0])


def test_a_busy_process_keeps_no_second_account_waiting(reading):
    answer_of(reading)
    with reading._lock:
        assert reading.read(MANY) is None


ORPHAN = """
import os, time
from nbmail.sync.desk import Arrival
from nbmail.worker.intake.reading_process import LIVES, WORTH, ReadingProcess
if __name__ == "__main__":
    reading, mail = ReadingProcess(), [Arrival(n, frozenset(), 0.0, b"x", 1) for n in range(WORTH)]
    while reading.read(mail) is None:
        time.sleep(0.01)
    print(reading._reader.process.pid, flush=True)
    os.kill(os.getpid(), 9)
"""


def test_the_process_goes_when_the_program_is_killed(tmp_path):
    (tmp_path / "program.py").write_text(ORPHAN)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, tmp_path / "program.py"], env=environment, capture_output=True, check=False)
    assert ran.returncode == -signal.SIGKILL
    orphan = Path("/proc") / ran.stdout.decode().strip()
    eventually(lambda: not orphan.exists() or " Z " in (orphan / "stat").read_text())


def on_engine(station, look):
    """What is seen of the office on its own thread."""
    return station.engine._queue(lambda mailroom: look(intake._office)).result(PATIENCE)


def test_known_mail_brings_no_words_and_its_raw_mail_back(station):
    def kept(office):
        return office.model.vocabulary.words_from(0), [office.store.bodies.get(name) for name in names]

    station.ready()
    answer_of(station.engine.reading)
    station.engine.desk.deliver(Delivery(INBOX, 1, arrivals=MANY, complete=True))
    names = on_engine(station, lambda office: office.store.messages.names([identities(each.raw) for each in MANY]))
    before = on_engine(station, kept)
    assert before[1] == [each.raw for each in MANY]
    # The cache let all of it go, and the server gave its mail other numbers.
    assert on_engine(station, lambda office: office.store.bodies.evict(0)) == len(MANY)
    station.engine.desk.deliver(Delivery(INBOX, 2, arrivals=MANY, complete=True))
    assert on_engine(station, kept) == before


class Storm:
    """Accounts hand in random mail, known and new, while all goes wrong that can; what was refused comes again."""

    def __init__(self, home, chance):
        self.station, self.chance, self.stored = Station(home), chance, set()
        self.unpacked = self.refused = 0

    def begin(self):
        self.station.ready()
        self.station.engine.reading._patience = SHORT

    def await_process(self):
        """Have it ready, as it is from the second delivery on where much mail comes."""
        reading = self.station.engine.reading
        reading._lives = LIVES
        eventually(lambda: not reading._lives or reading.read(MANY) is not None)

    def hand_in(self):
        """One delivery, until it is stored."""
        first, some = self.chance.randrange(1, 5000), self.chance.randrange(40, 160)
        numbers = [*range(first, first + some), *self.chance.choices(range(1, 5000), k=self.chance.randrange(5))]
        mail = tuple(arrival(number, uid=uid) for uid, number in enumerate(numbers, self.chance.randrange(1, 5000)))
        role = self.chance.choice(["", "", "junk", "good"])
        folder = FolderName(self.chance.choice(["home", "work"]), role or "INBOX")
        while True:
            try:
                self.station.engine.desk.deliver(Delivery(folder, 1, arrivals=mail, role=role))
                self.stored.update(numbers)
                return
            except KnownError as error:
                assert error.trouble is Trouble.DISK_FULL
                self.refused += 1

    def kill(self):
        self._signal(signal.SIGKILL)

    def stop(self):
        self._signal(signal.SIGSTOP)

    def begin_again(self):
        self.station.stop()
        self.begin()

    def _signal(self, number):
        if (process := process_of(self.station.engine.reading)) is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, number)


@pytest.mark.expects_log
@pytest.mark.parametrize("seed", range(LONGER))
def test_a_storm(tmp_path, monkeypatch, seed):
    monkeypatch.setattr(intake, "STORED", 2000)
    storm, unpack = Storm(tmp_path / "home", chance := random.Random(seed)), intake.unpack

    def counted(*arguments):
        storm.unpacked += 1
        return unpack(*arguments)

    monkeypatch.setattr(intake, "unpack", counted)
    storm.begin()
    try:
        for _ in range(10 if LONGER == 1 else 20):
            if chance.random() < 0.8:
                storm.await_process()
            fault = chance.choice([None, None, None, storm.kill, storm.stop, storm.begin_again, "refuse", "late"])
            if callable(fault):
                fault()
            late = threading.Timer(chance.uniform(0, 0.02), chance.choice([storm.kill, storm.stop]))
            with monkeypatch.context() as patch:
                if fault == "refuse":
                    refuse_once(patch, chance.randrange(1, 4))
                if fault == "late":
                    late.start()
                storm.hand_in()
                late.cancel()
        assert [finding for finding in storm.station.do(CheckUp()).findings if not finding.sound] == []
        on_engine(storm.station, lambda office: is_kept_exactly(office, storm.stored))
    finally:
        storm.station.stop()
    assert storm.unpacked > 10


def is_kept_exactly(office, numbers):
    """Each message is there with its own words and its own raw mail, on the shelf too."""
    store, vocabulary = office.store, office.model.vocabulary
    assert len(store.messages) == len(numbers)
    for raw in (arrival(number).raw for number in numbers):
        (name,) = store.messages.names([identities(raw)])
        ((_, message),) = store.messages.find([name]).items()
        (sample,) = store.messages.samples([message]).values()
        assert sample == vocabulary.known_sample(gather(parse(raw)))
        assert len(sample.words) == len(gather(parse(raw)).words)
        assert office.shelf.pick(office.shelf.places([message])).words.tolist() == sample.words.tolist()
        assert store.bodies.get(name) == raw
