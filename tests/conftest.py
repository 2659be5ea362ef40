"""What holds for every test: Qt without a screen, no thread left over, no unexpected log line."""

import logging
import os
import threading
import time

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")

THREADS_END_WITHIN = 5.0


@pytest.fixture(autouse=True)
def no_thread_is_left():
    """Fail a test that leaves a thread behind."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + THREADS_END_WITHIN
    while left := _new_threads(before):
        if time.monotonic() > deadline:
            pytest.fail(f"threads left over: {left}")
        left[0].join(0.05)


def _new_threads(before):
    return [thread for thread in threading.enumerate() if thread not in before and thread.is_alive()]


@pytest.fixture(autouse=True)
def no_unexpected_log_line(request, caplog):
    """Fail a test in which nbmail logs a warning or worse, unless it is marked with `expects_log`."""
    yield
    if request.node.get_closest_marker("expects_log"):
        return
    loud = [
        record.getMessage()
        for phase in ("setup", "call")
        for record in caplog.get_records(phase)
        if record.levelno >= logging.WARNING and record.name.startswith("nbmail")
    ]
    if loud:
        pytest.fail(f"unexpected log lines: {loud}")


def pytest_terminal_summary(terminalreporter):
    """Say loudly what could not be tested, and why."""
    reasons = sorted({str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ())})
    if reasons:
        terminalreporter.section("NOT TESTED HERE", sep="!", red=True, bold=True)
        for reason in reasons:
            terminalreporter.line(reason.removeprefix("Skipped: "))
