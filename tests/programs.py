"""The program with its window, in the process of a test."""

import pytest

from nbmail.app.program import Program
from nbmail.app.run_options import RunOptions
from nbmail.app.scripted.window_driver import WindowDriver
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.sync.accounts.account_thread import AccountThread
from tests.dovecot import PASSWORDS


@pytest.fixture
def start_program(qtbot, tmp_path, monkeypatch):
    """Starts the program. `end` ends it. `events`: of the program; `paths`: of the usual data
    folder.
    """
    monkeypatch.setattr(AccountThread, "waits", (0.1, 0.5))
    running = []

    def start(*, home=tmp_path / "home", **options):
        paths = Paths.under(home)
        paths.make()
        program = Program(RunOptions(paths, users_home=tmp_path / "user", **options))
        program.events = []
        program.bridge.arrived.connect(program.events.append)
        qtbot.addWidget(program.window)
        program.start()
        running.append(program)
        return program

    def end():
        while running:
            program = running.pop()
            program.stop()
            program.window.close()

    start.end, start.paths = end, Paths.under(tmp_path / "home")
    yield start
    end()


@pytest.fixture
def open_program(start_program):
    """Starts the program with some accounts, and returns its driver."""

    def start(*accounts, passwords=PASSWORDS, **options):
        given = {account.name: passwords.get(account.user, "") for account in accounts}
        return WindowDriver(
            start_program(settings=Settings(accounts=accounts), passwords=given, **options)
        )

    start.end = start_program.end
    return start
