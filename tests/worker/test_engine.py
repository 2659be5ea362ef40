"""Requests of any kind: one end for each, priorities, cancellation, stopping."""

import inspect
import shutil
import sys
import threading
from collections import Counter
from operator import methodcaller as request
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.account_backend import BackendClosed
from nbmail.values import FolderName
from nbmail.worker.engine.engine import Engine
from nbmail.worker.engine.job_queue import TURN, JobQueue
from nbmail.worker.engine.jobs import Job, Pause, Priority
from nbmail.worker.protocol.events import Changed, EngineFailed, HomeRefused, Learned, Opened
from nbmail.worker.protocol.messages import Body
from tests.store.helpers import open_store
from tests.waiting import wait_for
from tests.worker.conftest import (
    CLOSING,
    INBOX,
    LONGER,
    Cancelled,
    Done,
    EngineHarness,
    Failed,
    delivery,
    first_progress,
    wait_until_ready,
)

MESSAGES = st.lists(st.integers(1, 110), max_size=6).map(tuple)
LABELS = st.sampled_from(["spam", "ham", None, "family"])


def requests(folder: Path):
    """Requests with any arguments, as functions of an engine."""

    def any_of(name, *arguments):
        return st.tuples(*arguments).map(lambda found: request(name, *found))

    message = st.integers(1, 110)
    files = [
        st.sampled_from([folder / "a.nbmodel", folder / "no" / name])
        for name in ("b.nbmodel", "none.nbmodel")
    ]
    without = (
        "undo",
        "redo",
        "list_mail",
        "rebuild",
        "find_suspicious_labels",
        "list_journal",
        "draw_learning_curve",
    )
    return st.one_of(
        any_of("mark", MESSAGES | st.just(tuple(range(1, 101))), LABELS),
        *(any_of(name, message) for name in ("explain", "read_message")),
        any_of("show_rows", MESSAGES),
        any_of("restore", st.integers(1, 200)),
        any_of("set_cost", st.floats(1, 1000)),
        any_of("set_moving", st.booleans()),
        any_of("label_folder", st.sampled_from([INBOX, FolderName("no", "where")]), st.just("ham")),
        *(
            any_of(name, path)
            for name, path in zip(("export_model", "import_model"), files, strict=True)
        ),
        any_of("find_text", st.sampled_from(["meeting", "no such word", ""])),
        *map(any_of, (*without, "reset")),
    )


@settings(max_examples=25 * LONGER, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), stop_after=st.one_of(st.none(), st.integers(0, 20)))
def test_every_request_ends_exactly_once(tmp_path_factory, data, stop_after):
    folder = tmp_path_factory.mktemp("storm")
    wanted = data.draw(st.lists(requests(folder), max_size=20))
    with EngineHarness(folder / "home").start() as harness:
        harness.deliver(range(1, 101))
        tickets = []
        for number, wanted_request in enumerate(wanted):
            if number == stop_after:
                break
            tickets.append(wanted_request(harness.engine))
            if data.draw(st.integers(0, 9)) == 0:
                data.draw(st.sampled_from(tickets)).cancel()
        if stop_after is None:
            for ticket in tickets:
                harness.end_of(ticket)
            found = harness.check_up()
            assert found.sound, found
    for ticket in tickets:
        assert len(harness.ends_of(ticket)) == 1
    assert not [event for event in harness.events if is_bug(event)]
    assert not [
        event for event in harness.events if isinstance(event, Failed) and event.error_code is None
    ]


def test_cancel_ends_running_and_waiting_requests_and_no_others(labelled_harness):
    harness = labelled_harness
    running = harness.hold(first_progress, harness.engine.rebuild)
    waiting = [harness.engine.find_suspicious_labels() for _ in range(3)]
    for ticket in (running, waiting[1]):
        ticket.cancel()
    harness.release()
    assert isinstance(harness.end_of(running), Cancelled)
    assert [type(harness.end_of(ticket)) for ticket in waiting] == [Done, Cancelled, Done]
    order = [event.ticket for event in harness.events if isinstance(event, CLOSING)]
    # Cancelled requests end before any other: nothing runs between a cancellation and its end.
    assert order[:2] == [running, waiting[1]]


def test_a_click_runs_before_a_long_job_and_before_mail(labelled_harness):
    harness = labelled_harness
    long = harness.hold(first_progress, harness.engine.rebuild)
    handing_in = threading.Thread(target=harness.deliver, args=(range(101, 181),))
    handing_in.start()
    click = harness.engine.explain(50)
    mark = harness.engine.mark((50,), "ham")
    harness.release()
    harness.end_of(long)
    handing_in.join()
    harness.end_of(mark)
    order = [event.ticket for event in harness.events if isinstance(event, CLOSING)]
    assert order.index(click) < order.index(long)
    shown = next(
        event for event in harness.events if isinstance(event, Changed) and event.rows is not None
    )
    assert shown.rows.messages.tolist() == [50]
    assert len(harness.do.list_mail().messages) == 180


def test_stop_cancels_running_jobs_and_refuses_deliveries(labelled_harness):
    harness = labelled_harness
    running = harness.hold(first_progress, harness.engine.rebuild)
    turned_away = []

    def submit():
        try:
            harness.deliver(range(200, 300))
        except BackendClosed:
            turned_away.append(True)

    handing_in = threading.Thread(target=submit)
    handing_in.start()
    waiting = harness.engine.list_mail()
    stopping = threading.Thread(target=harness.engine.stop)
    stopping.start()
    wait_for(lambda: harness.engine._jobs.closed)
    harness.release()
    stopping.join()
    handing_in.join()
    assert turned_away == [True]
    assert [type(harness.end_of(ticket)) for ticket in (running, waiting)] == [Cancelled, Cancelled]
    assert not [thread for thread in threading.enumerate() if thread.name == "engine"]
    harness.ready()
    assert len(harness.do.list_mail().messages) == 100
    assert harness.check_up().sound


@pytest.mark.expects_log
def test_a_bug_in_a_request_or_outside_is_reported_and_survived(labelled_harness, monkeypatch):
    harness = labelled_harness
    monkeypatch.setattr("nbmail.worker.reading.explanations.explain", lambda *_: 1 / 0)
    failed = harness.attempt.explain(1)
    assert (type(failed), failed.error_code) == (Failed, None)
    assert "ZeroDivisionError" in failed.detail
    with monkeypatch.context() as broken:
        broken.setattr("nbmail.worker.scores.changes.rows_of_arrived", lambda *_: 1 / 0)
        harness.engine.backend.deliver(delivery([101]))
        harness.until(is_bug)
    assert harness.do.mark((101,), "spam").messages == (101,)


def is_bug(event):
    return isinstance(event, EngineFailed) and event.failed.error_code is None


def is_told_of_deletion(event):
    return isinstance(event, EngineFailed) and event.failed.error_code is ErrorCode.HOME_DELETED


@pytest.mark.skipif(sys.platform == "win32", reason="open files can't be deleted there")
def test_a_data_folder_deleted_in_idle_time_is_written_again_before_the_next_request(
    labelled_harness, quick_idle
):
    """Including the second copy of the labels: a kill may come before the next mark."""
    data = labelled_harness.paths.data
    for delete in (
        lambda _: labelled_harness.paths.database.unlink(),
        lambda _: shutil.rmtree(data),
    ):
        labelled_harness.events.clear()
        labelled_harness.on_engine(delete)
        labelled_harness.until(is_told_of_deletion)
    copy = data.parent / "killed"
    labelled_harness.on_engine(lambda _: shutil.copytree(data, copy / "data"))
    assert len((copy / "data" / "labels.log").read_bytes().splitlines()) == 40
    with open_store(copy) as store:
        assert len(store.labels) == 40
    labelled_harness.on_engine(lambda _: shutil.rmtree(data))
    assert labelled_harness.do.mark((50,), "ham").messages == (50,)
    rows = labelled_harness.again().do.list_mail()
    assert (len(rows.messages), len(rows.messages[rows.labels >= 0])) == (100, 41)
    assert labelled_harness.check_up().sound


def test_a_data_folder_in_use_is_reported_once_and_to_every_request(labelled_harness, tmp_path):
    with EngineHarness(tmp_path / "home").start() as second:
        with pytest.raises(KnownError, match="home-in-use"):
            wait_until_ready(second.engine)
        assert second.attempt.list_mail().error_code is ErrorCode.HOME_IN_USE
        with pytest.raises(KnownError, match="home-in-use"):
            second.deliver([1])
        opening = [event for event in second.events if isinstance(event, HomeRefused)]
        assert [event.failed.error_code for event in opening] == [ErrorCode.HOME_IN_USE]


def test_the_list_is_available_before_the_model(labelled_harness):
    harness = labelled_harness
    harness.stop()
    harness.events.clear()
    harness.hold(lambda event: isinstance(event, Opened), harness.start)
    listing = harness.engine.list_mail()
    reading = harness.engine.read_message(7)
    harness.release()
    rows = harness.end_of(listing).result
    assert harness.end_of(reading).result.body is Body.WHOLE
    assert len(rows.messages) == 100
    first = [type(event) for event in harness.events[:2]]
    assert first == [Opened, Changed]
    harness.until(lambda event: isinstance(event, Learned))
    kinds = [type(event) for event in harness.events]
    assert kinds.index(Done) < kinds.index(Learned)
    scored = harness.until(lambda event: isinstance(event, Changed) and event.scores is not None)
    assert len(scored.scores.messages) == 100


def test_floods_are_merged(harness, monkeypatch):
    """With a clock that stands still during work, a flood is announced in one event at its end."""
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    harness.ready().settle()
    harness.events.clear()
    held = harness.hold(lambda event: isinstance(event, Done), harness.engine.list_journal)
    # Each account delivers on a thread of its own.
    folders = {n: FolderName(f"account {n}", "INBOX") for n in range(1, 21)}
    threads = [
        threading.Thread(target=harness.deliver, args=([n], folder))
        for n, folder in folders.items()
    ]
    for thread in threads:
        thread.start()
    wait_for(lambda: len(harness.engine._jobs) == 21)
    harness.release()
    for thread in threads:
        thread.join()
    assert harness.end_of(held)
    harness.settle()
    changes = [event for event in harness.events if isinstance(event, Changed)]
    assert len(changes) <= 2
    assert sorted(n for event in changes for n in event.rows.messages.tolist()) == list(
        range(1, 21)
    )


def test_the_work_of_a_time_slice_is_limited(labelled_harness, monkeypatch):
    """Slices are limited by parsed messages, learned labels, rows and scores; events by time."""
    harness = labelled_harness
    done = {}
    worst = {}
    from nbmail.core.scoring.model import Model
    from nbmail.store.mail.listing import Listing
    from nbmail.worker.intake import arrival_parser
    from nbmail.worker.scores.changes import Changes

    def counted(owner, name, size=lambda *_: 1):
        inner = getattr(owner, name)

        def counting(*arguments, **more):
            done[name] = done.get(name, 0) + size(*arguments)
            return inner(*arguments, **more)

        monkeypatch.setattr(owner, name, counting)

    counted(arrival_parser, "parse")
    counted(Model, "learn_many", lambda model, samples, *_: len(samples))
    counted(Model, "unlearn")
    counted(Model, "log_odds", lambda model, rows: len(rows))
    counted(Listing, "some", lambda listing, messages: len(list(messages)))
    flush = Changes.flush
    work = Job.run_slice

    def uncounted(changes):
        counts = dict(done)
        flush(changes)
        done.clear()
        done.update(counts)

    def watched(job):
        done.clear()
        try:
            return work(job)
        finally:
            for name, count in done.items():
                worst[name] = max(worst.get(name, 0), count)

    monkeypatch.setattr(Changes, "flush", uncounted)
    monkeypatch.setattr(Job, "run_slice", watched)
    monkeypatch.setattr("nbmail.worker.mailbox.mail_rows.CHUNK", 100)
    harness.deliver(range(101, 401))
    harness.deliver(range(401, 481), role="ham", folder=FolderName("home", "Archive"))
    harness.do.mark(tuple(range(50, 250)), "ham")
    for name in ("undo", "redo", "undo", "rebuild", "find_suspicious_labels", "list_mail"):
        request(name)(harness.do)
    request("restore", 1)(harness.do)
    assert worst["parse"] == 8
    assert worst["learn_many"] <= 256
    assert worst.get("unlearn", 0) <= 128
    assert worst["some"] <= 100
    assert worst["log_odds"] <= 8192 + 480


def test_changes_during_a_listing_are_announced_after_it(labelled_harness, monkeypatch):
    harness = labelled_harness
    monkeypatch.setattr("nbmail.worker.mailbox.mail_rows.CHUNK", 10)
    listing = harness.hold(first_progress, harness.engine.list_mail)
    marking = harness.engine.mark((1,), "ham")
    handing_in = threading.Thread(
        target=harness.deliver, args=([101],), kwargs={"gone": frozenset({2})}
    )
    handing_in.start()
    harness.release()
    harness.end_of(listing)
    harness.end_of(marking)
    handing_in.join()
    harness.settle()
    place = harness.events.index(harness.end_of(listing))
    behind = [event for event in harness.events[place:] if isinstance(event, Changed)]
    assert 1 in {
        message for event in behind if event.rows for message in event.rows.messages.tolist()
    }
    shown = set(harness.end_of(listing).result.messages.tolist())
    for event in behind:
        shown |= set(event.rows.messages.tolist()) if event.rows else set()
        shown -= set(event.gone)
    assert shown == set(range(1, 102)) - {2}


def test_deliveries_during_marks_lose_neither(harness):
    harness.ready().deliver(range(1, 41))
    threads = [
        threading.Thread(
            target=harness.deliver,
            args=(range(first, first + 20),),
            kwargs={"folder": FolderName(name, "INBOX")},
        )
        for name, first in (("a", 100), ("b", 200), ("c", 300))
    ]
    for thread in threads:
        thread.start()
    for message in range(1, 41):
        harness.do.mark((message,), "spam" if message % 2 else "ham")
    for thread in threads:
        thread.join()
    harness.until_exact()
    rows = harness.do.list_mail()
    assert len(rows.messages) == 100
    assert sorted(rows.messages[rows.labels >= 0].tolist()) == list(range(1, 41))
    assert harness.check_up().sound
    shown = {
        n
        for event in harness.events
        if isinstance(event, Changed) and event.rows
        for n in event.rows.messages.tolist()
    }
    assert shown == set(range(1, 101))


def endless():
    while True:
        yield Pause()


def test_no_priority_starves_and_clicks_run_first():
    jobs = JobQueue()
    taken = Counter()
    for priority in (Priority.WORK, Priority.MAIL, Priority.SCORES, Priority.IDLE):
        jobs.add(Job(endless(), priority, print))
    for _ in range(3 * 100 * TURN):
        first = jobs.first(0)
        taken[first.priority] += 1
        first.run_slice()
    assert taken[Priority.WORK] == 3 * 100 * (TURN - 1)
    assert {taken[priority] for priority in (Priority.MAIL, Priority.SCORES, Priority.IDLE)} == {
        100
    }
    for priority in (Priority.USER, Priority.URGENT):
        jobs.add(Job(endless(), priority, print))
        assert jobs.first(0).priority == priority


def test_every_request_names_a_handler_with_a_docstring(harness):
    """The docstrings of the handlers are the reference of the requests."""
    requests = {name: each for name, each in vars(Engine).items() if not name.startswith("_")}
    assert len(requests) > 50

    def undocumented(parts):
        finders = {
            name: inspect.getclosurevars(each).nonlocals["find"] for name, each in requests.items()
        }
        return [name for name, find in finders.items() if not find(parts).__doc__]

    assert harness.ready().on_engine(undocumented) == []
