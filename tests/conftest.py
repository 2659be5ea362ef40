"""Rules for every test: Qt has no screen; no thread, timer, log line or file is left over."""

import gc
import importlib
import logging
import os
import pkgutil
import shutil
import stat
import sys
import tempfile
import threading
import time
from pathlib import Path

import coverage
import pytest
from hypothesis import HealthCheck, settings
from pytestqt.qtbot import QtBot

from nbmail import core, lab

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["LANGUAGE"] = ""
os.environ.setdefault("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
# No test reaches the user's desktop, and no library starts a bus that leaves files in the home.
os.environ["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"

# Machines are noisy: a slow example is no failure. Examples are not kept, so that a run leaves
# nothing behind. All runs of the suite try the same ones; the torture tries many others.
noisy = settings(
    deadline=None, database=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("suite", noisy, derandomize=True, max_examples=60)
settings.register_profile("torture", noisy, max_examples=1000)
settings.load_profile("torture" if os.environ.get("NBMAIL_TORTURE") else "suite")

# What has to run all of nbmail/core and nbmail/lab. Tracing doubles the time of a test, so that no
# other one is traced, and of these none of the long ones.
COVERED = (core, lab)
COVERING = (
    "tests/core/",
    "tests/lab/",
    *(f"tests/worker/test_{name}.py" for name in ("own_model", "people", "reading", "words")),
    *(f"tests/cli/test_evaluate.py::test_{name}" for name in ("first_marks", "parts_drawn")),
)
LONG = (
    "tests/core/test_calibration.py",
    "tests/core/test_decoding.py::test_any_bytes",
    "tests/core/test_hidden_text.py",
    "tests/core/test_model.py::test_explanations_between",
    "tests/core/test_runs.py",
    "tests/core/test_sample.py",
    "tests/core/test_trials.py::test_figures_of_spam",
    "tests/core/test_trials.py::test_online_scores",
    "tests/lab/test_against_scikit_learn.py",
    "tests/lab/test_tree.py",
)
WAITING = ("tests/e2e/", "tests/sync/")
LONGEST = tuple(f"tests/sync/test_{name}.py" for name in ("filing", "sorting", "convergence"))
THREADS_END_WITHIN = 120.0
COLLECTED_WITHIN = 30.0
# Milliseconds: a busy machine is no failure either.
for wait in (
    QtBot.waitUntil,
    QtBot.waitSignal,
    QtBot.waitSignals,
    QtBot.waitCallback,
    QtBot.waitActive,
):
    wait.__kwdefaults__["timeout"] = 180_000
EMPTY_HOME = pytest.StashKey[Path]()
MEASURED = pytest.StashKey[coverage.Coverage]()
CACHES = pytest.StashKey[list]()


def collected_mark():
    """The file that the first worker makes beside the home when it has collected."""
    return Path(os.environ["HOME"]).with_suffix(".collected")


def pytest_configure(config):
    """Run the whole suite in an empty, read-only home, which the workers of pytest-xdist share."""
    if hasattr(config, "workerinput"):
        if os.environ.get("COVERAGE_RUN"):
            config.stash[MEASURED] = coverage.Coverage(data_suffix=True)
            with config.stash[MEASURED].collect():
                names = [
                    module.name
                    for package in COVERED
                    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
                ]
                values = [
                    value
                    for name in names
                    for value in vars(importlib.import_module(name)).values()
                ]
            config.stash[CACHES] = [value for value in values if hasattr(value, "cache_clear")]
        return
    home = Path(tempfile.mkdtemp(prefix="nbmail-home-"))
    home.chmod(stat.S_IRUSR | stat.S_IXUSR)
    config.stash[EMPTY_HOME] = home
    os.environ["HOME"] = str(home)
    for name in [name for name in os.environ if name.startswith("XDG_") and name.endswith("_HOME")]:
        del os.environ[name]


def pytest_collection(session):
    """Let the first worker compile all modules of a fresh checkout, and the others load them."""
    if (
        getattr(session.config, "workerinput", {}).get("workerid", "gw0") != "gw0"
        and not sys.dont_write_bytecode
    ):
        deadline = time.monotonic() + COLLECTED_WITHIN
        while not collected_mark().exists() and time.monotonic() < deadline:
            time.sleep(0.05)


def pytest_collection_modifyitems(config, items):
    """Mix the files that wait for servers with those that compute, for workers side by side; the
    longest come first.
    """
    if not hasattr(config, "workerinput"):
        return
    names = list(dict.fromkeys(item.nodeid.partition("::")[0] for item in items))
    names.sort(key=lambda name: name not in LONGEST)
    waiting = [name for name in names if name.startswith(WAITING)]
    computing = [name for name in names if not name.startswith(WAITING)]
    place = {
        name: number / len(kind)
        for kind in (waiting, computing)
        for number, name in enumerate(kind)
    }
    items.sort(key=lambda item: place[item.nodeid.partition("::")[0]])


def pytest_collection_finish(session):
    """Leave all that was imported out of later collections of garbage, which would look at it again
    and again.
    """
    if getattr(session.config, "workerinput", {}).get("workerid") == "gw0":
        collected_mark().touch()
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Measure what runs in the tests that have to run all of core and lab, whatever earlier \
tests left
    in caches.
    """
    measured = item.config.stash.get(MEASURED, None)
    if measured is None or not item.nodeid.startswith(COVERING) or item.nodeid.startswith(LONG):
        return (yield)
    for each in item.config.stash[CACHES]:
        each.cache_clear()
    with measured.collect():
        return (yield)


def pytest_sessionfinish(session):
    """Fail a run that left a file in the home; a worker keeps what it measured."""
    if measured := session.config.stash.get(MEASURED, None):
        measured.save()
    if EMPTY_HOME not in session.config.stash:
        return
    home = session.config.stash[EMPTY_HOME]
    left = sorted(str(path.relative_to(home)) for path in home.rglob("*"))
    if left:
        session.config.get_terminal_writer().line(
            f"\nThe tests left files in the home: {left}", red=True
        )
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    shutil.rmtree(home)
    home.with_suffix(".collected").unlink(missing_ok=True)


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
    return [
        thread for thread in threading.enumerate() if thread not in before and thread.is_alive()
    ]


@pytest.fixture(autouse=True)
def no_timer_is_left():
    """Fail a test that leaves a timer of Qt counting or an animation running."""
    yield
    if "PySide6.QtWidgets" in sys.modules and (left := _running()):
        for each in left:
            each.stop()
        pytest.fail(f"timers and animations left over: {[(each, each.parent()) for each in left]}")


def _running():
    """Return timers and animations that Python or an existing widget holds."""
    from PySide6.QtCore import QAbstractAnimation, QTimer
    from PySide6.QtWidgets import QApplication
    from shiboken6 import Shiboken

    kinds = (QTimer, QAbstractAnimation)
    found = [each for each in Shiboken.getAllValidWrappers() if isinstance(each, kinds)]
    application = QApplication.instance()
    for place in (application, *QApplication.topLevelWidgets()) if application is not None else ():
        found += [each for kind in kinds for each in place.findChildren(kind)]
    return list({id(each): each for each in found if _runs(each)}.values())


def _runs(each):
    return each.isActive() if hasattr(each, "isActive") else each.state() == each.State.Running


@pytest.fixture(autouse=True)
def no_unexpected_log_line(request, caplog):
    """Fail a test in which nbmail logs a warning or worse, unless it is marked with
    `expects_log`.
    """
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
    reasons = sorted(
        {str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ())}
    )
    if reasons:
        terminalreporter.section("NOT TESTED HERE", sep="!", red=True, bold=True)
        for reason in reasons:
            terminalreporter.line(reason.removeprefix("Skipped: "))
