"""Runs that operate their own window: a failure ends them once, with its reason."""

from types import SimpleNamespace

import pytest

from nbmail.app.scripted import scripted_run, window_driver
from nbmail.app.scripted.self_test import SelfTest
from nbmail.app.scripted.tour import Tour
from nbmail.app.scripted.window_driver import WindowDriver


@pytest.fixture
def run(start_program, monkeypatch):
    """Run on an empty mailbox, for a moment. `said`: what it prints, followed by its exit code."""
    said = []
    # A real end would end the event loops of all tests to come.
    monkeypatch.setattr(scripted_run, "QApplication", SimpleNamespace(exit=said.append))
    monkeypatch.setattr(window_driver, "TIMEOUT", 0.1)
    program = start_program()

    def start(kind, *arguments):
        kind(said.append, *arguments).begin(program)

    start.said = said
    return start


@pytest.mark.parametrize(
    ("kind", "arguments", "failed"),
    [(SelfTest, (), "Self-test failed"), (Tour, ("pictures",), "The tour failed")],
)
def test_a_check_that_is_not_met_in_time_is_named(run, kind, arguments, failed):
    run(kind, *arguments)
    assert run.said == [f"{failed}: timed out after 0 seconds waiting for the mail to arrive.", 1]


def test_a_bug_ends_the_test_and_is_reported_as_any_other(run, monkeypatch):
    monkeypatch.setattr(WindowDriver, "wait", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run(SelfTest)
    assert run.said == ["Self-test failed: something went wrong inside nbmail.", 1]
