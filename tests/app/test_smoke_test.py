"""Smoke test: a failure ends it once, with its reason."""

from types import SimpleNamespace

import pytest

from nbmail.app import smoke_test
from nbmail.app.smoke_test import SmokeTest, WindowDriver


@pytest.fixture
def ended(start_program, monkeypatch):
    """Run the test on an empty mailbox, for a moment. Return what it says, followed by its exit
    code.
    """
    said = []
    # A real end would end the event loops of all tests to come.
    monkeypatch.setattr(smoke_test, "QApplication", SimpleNamespace(exit=said.append))
    monkeypatch.setattr(smoke_test, "TIMEOUT", 0.1)
    program = start_program()

    def run():
        SmokeTest(None, said.append).begin(program)

    run.said = said
    return run


def test_a_check_that_is_not_met_in_time_is_named(ended):
    ended()
    assert ended.said == [
        "Self-test failed: timed out after 0 seconds waiting for the mail to arrive.",
        1,
    ]


def test_a_bug_ends_the_test_and_is_reported_as_any_other(ended, monkeypatch):
    monkeypatch.setattr(WindowDriver, "wait", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ended()
    assert ended.said == ["Self-test failed: something went wrong inside nbmail.", 1]
