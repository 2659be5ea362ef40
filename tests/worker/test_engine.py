"""What the engine promises whatever it is asked: one ending for each command, who goes first, and how it stops."""

import shutil
import sys
import threading
from operator import methodcaller as request
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.account_backend import BackendClosed
from nbmail.values import FolderName
from nbmail.worker.protocol.events import Changed, EngineFailed, HomeRefused, InternalError, Learned, Opened
from nbmail.worker.protocol.results import Body
from tests.store.helpers import open_store
from tests.worker.conftest import (
    CLOSING,
    INBOX,
    LONGER,
    Cancelled,
    Done,
    Failed,
    Station,
    delivery,
    first_progress,
    wait_until_ready,
)

MESSAGES = st.lists(st.integers(1, 110), max_size=6).map(tuple)
LABELS = st.sampled_from(["junk", "good", None, "family"])
MOMENTS = st.floats(1_000_000, 1_010_000)


def requests(folder: Path):
    """Requests with any arguments, as functions of an engine."""

    def any_of(name, *arguments):
        return st.tuples(*arguments).map(lambda found: request(name, *found))

    return st.one_of(
        any_of("mark", MESSAGES, LABELS),
        any_of("mark", st.just(tuple(range(1, 101))), LABELS),
        any_of("undo"),
        any_of("redo"),
        any_of("explain", st.integers(1, 110)),
        any_of("read_message", st.integers(1, 110)),
        any_of("show_rows", MESSAGES),
        any_of("list_mail"),
        any_of("rebuild"),
        any_of("find_suspicious_labels"),
        any_of("score_at", MOMENTS, MESSAGES),
        any_of("restore", st.integers(1, 200)),
        any_of("trace_sender", st.integers(1, 110)),
        any_of("set_cost", st.floats(1, 1000)),
        any_of("set_moving", st.booleans()),
        any_of("label_folder", st.sampled_from([INBOX, FolderName("no", "where")]), st.just("good")),
        any_of("export_model", st.sampled_from([folder / "a.nbmodel", folder / "no" / "b.nbmodel"])),
        any_of("import_model", st.sampled_from([folder / "a.nbmodel", folder / "none.nbmodel"])),
        any_of("list_journal"),
        any_of("find_text", st.sampled_from(["meeting", "no such word", ""])),
        any_of("draw_learning_curve"),
        any_of("reset"),
    )


@settings(max_examples=25 * LONGER, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), stop_after=st.one_of(st.none(), st.integers(0, 20)))
def test_every_command_ends_exactly_once(tmp_path_factory, data, stop_after):
    folder = tmp_path_factory.mktemp("storm")
    wanted = data.draw(st.lists(requests(folder), max_size=20))
    with Station(folder / "home").start() as station:
        station.deliver(range(1, 101))
        tickets = []
        for number, wanted_request in enumerate(wanted):
            if number == stop_after:
                break
            tickets.append(wanted_request(station.tell))
            if data.draw(st.integers(0, 9)) == 0:
                data.draw(st.sampled_from(tickets)).cancel()
        if stop_after is None:
            for ticket in tickets:
                station.ending(ticket)
            found = station.check_up()
            assert found.sound, found
    for ticket in tickets:
        assert len(station.endings(ticket)) == 1
    assert not [event for event in station.events if isinstance(event, InternalError)]
    assert not [event for event in station.events if isinstance(event, Failed) and event.error_code is None]


def test_cancel_ends_the_running_and_the_waiting_and_nothing_else(backend_station):
    station = backend_station
    station.hold_at(first_progress)
    running = station.tell.rebuild()
    station.is_held()
    waiting = [station.tell.find_suspicious_labels() for _ in range(3)]
    for ticket in (running, waiting[1]):
        ticket.cancel()
    station.release()
    assert isinstance(station.ending(running), Cancelled)
    assert [type(station.ending(ticket)) for ticket in waiting] == [Done, Cancelled, Done]
    order = [event.ticket for event in station.events if isinstance(event, CLOSING)]
    # The cancelled ones end before anything else is done: nothing runs on between the cancel and its end.
    assert order[:2] == [running, waiting[1]]


def test_a_click_goes_before_a_long_job_and_before_mail(backend_station):
    station = backend_station
    station.hold_at(first_progress)
    long = station.tell.rebuild()
    station.is_held()
    handing_in = threading.Thread(target=station.deliver, args=(range(101, 181),))
    handing_in.start()
    click = station.tell.explain(50)
    mark = station.tell.mark((50,), "good")
    station.release()
    station.ending(long)
    handing_in.join()
    station.ending(mark)
    order = [event.ticket for event in station.events if isinstance(event, CLOSING)]
    assert order.index(click) < order.index(long)
    shown = next(event for event in station.events if isinstance(event, Changed) and event.rows is not None)
    assert shown.rows.messages.tolist() == [50]
    assert len(station.do.list_mail().messages) == 180


def test_stop_in_the_middle_cancels_what_runs_and_leaves_the_delivery_unstored(backend_station):
    station = backend_station
    station.hold_at(first_progress)
    running = station.tell.rebuild()
    station.is_held()
    turned_away = []

    def submit():
        try:
            station.deliver(range(200, 300))
        except BackendClosed:
            turned_away.append(True)

    handing_in = threading.Thread(target=submit)
    handing_in.start()
    waiting = station.tell.list_mail()
    stopping = threading.Thread(target=station.engine.stop)
    stopping.start()
    station.release()
    stopping.join()
    handing_in.join()
    assert turned_away == [True]
    assert [type(station.ending(ticket)) for ticket in (running, waiting)] == [Cancelled, Cancelled]
    assert not [thread for thread in threading.enumerate() if thread.name == "engine"]
    station.ready()
    assert len(station.do.list_mail().messages) == 100
    assert station.check_up().sound


@pytest.mark.expects_log
def test_a_fault_of_ours_fails_the_command_and_nothing_else(backend_station, monkeypatch):
    station = backend_station
    monkeypatch.setattr("nbmail.core.scoring.model.Model.explain", lambda *_: 1 / 0)
    failed = station.ask.explain(1)
    assert isinstance(failed, Failed)
    assert failed.error_code is None
    assert "ZeroDivisionError" in failed.detail
    assert station.do.mark((50,), "junk").messages == (50,)


@pytest.mark.expects_log
def test_a_fault_of_ours_outside_any_command_is_told_and_outlived(backend_station, monkeypatch):
    station = backend_station
    with monkeypatch.context() as broken:
        broken.setattr("nbmail.store.mail.listing.Listing.some", lambda *_: 1 / 0)
        station.engine.backend.deliver(delivery([101]))
        station.until(lambda event: isinstance(event, InternalError))
    assert station.do.mark((101,), "junk").messages == (101,)


def is_told_of_deletion(event):
    return isinstance(event, EngineFailed) and event.failed.error_code is ErrorCode.HOME_DELETED


@pytest.mark.skipif(sys.platform == "win32", reason="open files can't be deleted there")
def test_a_home_deleted_under_the_engine_is_told_and_written_anew(backend_station):
    station = backend_station
    shutil.rmtree(station.paths.data)
    assert station.do.mark((50,), "good").messages == (50,)
    assert station.until(is_told_of_deletion)
    station.deliver([101])
    rows = station.again().do.list_mail()
    assert len(rows.messages) == 101
    assert len(rows.messages[rows.labels >= 0]) == 41
    assert station.check_up().sound


@pytest.mark.skipif(sys.platform == "win32", reason="open files can't be deleted there")
def test_a_home_deleted_while_nothing_happens_is_written_anew_before_anybody_asks(backend_station, monkeypatch):
    """With the second copy of the labels: a kill may come before the next mark."""
    monkeypatch.setattr("nbmail.worker.engine.engine.REST", 0.01)
    monkeypatch.setattr("nbmail.worker.engine.engine.LOOK", 0.01)
    data = backend_station.paths.data
    for deleted in (backend_station.paths.database.unlink, lambda: shutil.rmtree(data)):
        backend_station.events.clear()
        deleted()
        backend_station.until(is_told_of_deletion)
    assert len((data / "labels.log").read_bytes().splitlines()) == 40
    shutil.copytree(data, data.parent / "killed" / "data")
    with open_store(data.parent / "killed") as store:
        assert len(store.labels) == 40


def test_a_home_in_use_is_said_once_and_to_every_command(backend_station, tmp_path):
    with Station(tmp_path / "home").start() as second:
        with pytest.raises(KnownError, match="home-in-use"):
            wait_until_ready(second.engine)
        assert second.ask.list_mail().error_code is ErrorCode.HOME_IN_USE
        with pytest.raises(KnownError, match="home-in-use"):
            second.deliver([1])
        opening = [event for event in second.events if isinstance(event, HomeRefused)]
        assert [event.failed.error_code for event in opening] == [ErrorCode.HOME_IN_USE]


def test_the_list_is_there_before_the_model(backend_station):
    station = backend_station
    station.stop()
    station.events.clear()
    station.hold_at(lambda event: isinstance(event, Opened))
    station.start()
    station.is_held()
    listing = station.tell.list_mail()
    reading = station.tell.read_message(7)
    station.release()
    rows = station.ending(listing).result
    assert station.ending(reading).result.body is Body.WHOLE
    assert len(rows.messages) == 100
    first = [type(event) for event in station.events[:2]]
    assert first == [Opened, Changed]
    station.until(lambda event: isinstance(event, Learned))
    kinds = [type(event) for event in station.events]
    assert kinds.index(Done) < kinds.index(Learned)
    scored = station.until(lambda event: isinstance(event, Changed) and event.scores is not None)
    assert len(scored.scores.messages) == 100


def test_floods_are_merged(station, monkeypatch):
    """With a clock that stands still while there is work, a flood comes as one event when it is over."""
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    station.ready()
    station.events.clear()
    station.hold_at(lambda event: isinstance(event, Done))
    held = station.tell.list_journal()
    station.is_held()
    threads = [threading.Thread(target=station.deliver, args=([n],)) for n in range(1, 21)]
    for thread in threads:
        thread.start()
    while len(station.engine._jobs) < 21:
        threading.Event().wait(0.001)
    station.release()
    for thread in threads:
        thread.join()
    assert station.ending(held)
    station.do.list_mail()
    changes = [event for event in station.events if isinstance(event, Changed)]
    assert len(changes) <= 2
    assert sorted(n for event in changes for n in event.rows.messages.tolist()) == list(range(1, 21))


def test_between_two_looks_at_the_queue_only_so_much_is_done(backend_station, monkeypatch):
    """Work is counted, not timed: messages parsed, labels learned, rows read, scores given in one slice.

    What is announced meanwhile is bounded by time and not counted.
    """
    station, done, worst = backend_station, {}, {}
    from nbmail.core.scoring.model import Model
    from nbmail.store.mail.listing import Listing
    from nbmail.worker.engine.announcer import Announcer
    from nbmail.worker.engine.job_queue import Job
    from nbmail.worker.mailbox import intake

    def counted(owner, name, size=lambda *_: 1):
        inner = getattr(owner, name)

        def counting(*arguments, **more):
            done[name] = done.get(name, 0) + size(*arguments)
            return inner(*arguments, **more)

        monkeypatch.setattr(owner, name, counting)

    counted(intake, "parse")
    counted(Model, "learn_many", lambda model, samples, *_: len(samples))
    counted(Model, "unlearn")
    counted(Model, "log_odds", lambda model, rows: len(rows))
    counted(Listing, "some", lambda listing, messages: len(list(messages)))
    flush, work = Announcer.flush, Job.run_slice

    def uncounted(announcer):
        counts = dict(done)
        flush(announcer)
        done.clear()
        done.update(counts)

    def watched(job):
        done.clear()
        try:
            return work(job)
        finally:
            for name, count in done.items():
                worst[name] = max(worst.get(name, 0), count)

    monkeypatch.setattr(Announcer, "flush", uncounted)
    monkeypatch.setattr(Job, "run_slice", watched)
    monkeypatch.setattr("nbmail.worker.mailbox.mail_rows.CHUNK", 100)
    station.deliver(range(101, 401))
    station.deliver(range(401, 481), role="good", folder=FolderName("home", "Archive"))
    station.do.mark(tuple(range(50, 250)), "good")
    station.do.undo()
    station.do.redo()
    station.do.restore(1)
    station.do.undo()
    station.do.rebuild()
    station.do.find_suspicious_labels()
    station.do.trace_sender(7)
    station.do.score_at(2e6, (1, 2))
    station.do.list_mail()
    assert worst["parse"] == 8
    assert worst["learn_many"] <= 256
    assert worst.get("unlearn", 0) <= 128
    assert worst["some"] <= 100
    assert worst["log_odds"] <= 8192 + 480


def test_what_changes_while_all_is_listed_is_told_behind_the_list(backend_station, monkeypatch):
    station = backend_station
    monkeypatch.setattr("nbmail.worker.mailbox.mail_rows.CHUNK", 10)
    station.hold_at(first_progress)
    listing = station.tell.list_mail()
    station.is_held()
    marking = station.tell.mark((1,), "good")
    handing_in = threading.Thread(target=station.deliver, args=([101],), kwargs={"gone": frozenset({2})})
    handing_in.start()
    station.release()
    station.ending(listing)
    station.ending(marking)
    handing_in.join()
    station.do.list_journal()
    place = station.events.index(station.ending(listing))
    behind = [event for event in station.events[place:] if isinstance(event, Changed)]
    assert 1 in {message for event in behind if event.rows for message in event.rows.messages.tolist()}
    shown = set(station.ending(listing).result.messages.tolist())
    for event in behind:
        shown |= set(event.rows.messages.tolist()) if event.rows else set()
        shown -= set(event.gone)
    assert shown == set(range(1, 102)) - {2}


def test_deliveries_while_marking_lose_neither(station):
    station.ready().deliver(range(1, 41))
    threads = [
        threading.Thread(
            target=station.deliver, args=(range(first, first + 20),), kwargs={"folder": FolderName(name, "INBOX")}
        )
        for name, first in (("a", 100), ("b", 200), ("c", 300))
    ]
    for thread in threads:
        thread.start()
    for message in range(1, 41):
        station.do.mark((message,), "junk" if message % 2 else "good")
    for thread in threads:
        thread.join()
    station.until_exact()
    rows = station.do.list_mail()
    assert len(rows.messages) == 100
    assert sorted(rows.messages[rows.labels >= 0].tolist()) == list(range(1, 41))
    assert station.check_up().sound
    shown = {
        n for event in station.events if isinstance(event, Changed) and event.rows for n in event.rows.messages.tolist()
    }
    assert shown == set(range(1, 101))
