"""The two walks of nbmail/README.md, traced on a real program with a real mail server behind it.

Each line of a walk names a thread and functions as `module.function`. The trace has to meet them in
this order.
"""

import re
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QTimer

import nbmail
from nbmail.app.program import Program
from nbmail.app.run_options import RunOptions
from nbmail.app.scripted.window_driver import WindowDriver
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.worker.engine import engine_thread
from nbmail.worker.engine.jobs import Priority
from tests.dovecot import PASSWORDS, Dovecot
from tests.sync.letters import letters

PACKAGE = Path(nbmail.__file__).parent
WALKS = "A message arrives", "The user marks a message"

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class Trace:
    """Calls of the functions in both walks while `recording`, with their threads."""

    def __init__(self):
        self.calls = []
        self.recording = False
        self._names = {}
        self._steps = {step for title in WALKS for step in written_walk(title)}

    def __call__(self, frame, event, argument):
        if not self.recording or event != "call":
            return
        code = frame.f_code
        name = self._names.get(code)
        if name is None:
            name = self._names[code] = self._name(code)
        if name:
            step = threading.current_thread().name.partition("-")[0], name
            if step in self._steps:
                self.calls.append(step)

    def _name(self, code):
        path = Path(code.co_filename)
        if (
            not path.is_relative_to(PACKAGE)
            or code.co_name.startswith("<")
            or path.stem == "window_driver"
        ):
            return ""
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        return f"{module}:{code.co_qualname}"


@contextmanager
def tracing():
    trace = Trace()
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.fixture
def traced(qtbot, tmp_path, monkeypatch):
    """A program in step with a mailbox of thirty messages, and its trace. Nothing runs that only
    time causes.
    """
    for name in ("REST", "LOOK"):
        monkeypatch.setattr(engine_thread, name, 3600.0)
    mail_server = Dovecot()
    mail_server.put(letters(30))
    paths = Paths.under(tmp_path / "home")
    paths.make()
    account = replace(mail_server.account(), name="mail", poll_seconds=3600.0, watch_spam=False)
    settings = Settings(accounts=(account,), opened_is_read="never")
    with tracing() as trace:
        program = Program(
            RunOptions(paths, settings, {"mail": PASSWORDS["alice"]}, users_home=tmp_path / "user")
        )
        qtbot.addWidget(program.window)
        driver = WindowDriver(program)
        program.start()
        try:
            # Twice: the end of a timer may have caused something during the first wait.
            for _ in range(2):
                qtbot.waitUntil(
                    lambda: (
                        driver.synced
                        and rows(program) == 30
                        and rests(program)
                        and driver.is_quiet()
                    )
                )
            yield program, trace, mail_server
        finally:
            trace.recording = False
            program.stop()
            program.window.close()
            mail_server.close()


def rows(program):
    return len(program.window.parts.model.mail.senders) if program.window.parts.model.loaded else 0


def is_read(program):
    shown = program.window.parts.message.shown_message
    current = program.window.parts.table.current_message()
    return (
        shown is not None
        and shown.message == current
        and program.window.parts.evidence.why is not None
    )


def rests(program):
    """True if the current message is shown, and nothing follows after a while."""
    timers = program.window.findChildren(QTimer)
    return is_read(program) and not any(
        timer.isActive() and timer.isSingleShot() for timer in timers
    )


def written_walk(title):
    """The functions that a walk of the README names, with their threads."""
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    section = text.partition(f"### {title}\n")[2].partition("\n### ")[0].partition("\n## ")[0]
    walk = re.findall(r"^\d+\. `([\w/]+)\.py` `([\w.]+)` \((\w+)\)", section, re.MULTILINE)
    assert walk, title
    return [(thread, f"{path.replace('/', '.')}:{function}") for path, function, thread in walk]


def check_walk(trace, title):
    """Fail while a step is missing; `waitUntil` calls it until it doesn't."""
    calls = iter([*trace.calls])
    missing = next((step for step in written_walk(title) if step not in calls), None)
    assert missing is None, trace.calls


def test_a_message_arrives(traced, qtbot):
    program, trace, server = traced
    trace.recording = True
    server.put(letters(1, first=31))
    qtbot.waitUntil(lambda: rows(program) == 31)
    qtbot.waitUntil(lambda: check_walk(trace, WALKS[0]))


def test_the_user_marks_a_message(traced, qtbot):
    program, trace, server = traced
    table = program.window.parts.table
    table.selectionModel().select(
        table.model().index(0, 0),
        QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows,
    )
    client = server.client()
    client.select_folder("INBOX", readonly=True)
    # The engine begins when the window has done its part, which it may overtake otherwise.
    held = threading.Event()
    release = threading.Event()
    program.engine.start_job(lambda parts, show: held.set() or release.wait(60.0), Priority.MAIL)
    assert held.wait(60.0)
    trace.recording = True
    program.window.parts.actions.by_name["spam"].trigger()
    release.set()
    qtbot.waitUntil(
        lambda: any(b"$Junk" in flags for flags in client.get_flags(client.search()).values())
    )
    qtbot.waitUntil(lambda: check_walk(trace, WALKS[1]))
