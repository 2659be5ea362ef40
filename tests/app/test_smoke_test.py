"""Smoke test: the runner of its steps ends exactly once."""

import pytest
from PySide6.QtCore import QObject

from nbmail.app import smoke_test
from nbmail.app.smoke_test import CheckFailed, StepRunner, Wait


def fail(error):
    raise error


BUG = "something went wrong inside nbmail"


@pytest.mark.parametrize(
    ("condition", "then", "ended", "bugs"),
    [
        (lambda: True, lambda: None, "", 0),
        (lambda: True, lambda: fail(CheckFailed("the scores are gone")), "the scores are gone", 0),
        (lambda: False, lambda: None, "timed out after 0 seconds waiting for spring", 0),
        (lambda: True, lambda: fail(KeyError()), BUG, 1),
        (lambda: fail(KeyError()), lambda: None, BUG, 1),
    ],
)
def test_the_runner_ends_once_with_the_reason_of_a_failure(qtbot, monkeypatch, condition, then, ended, bugs):
    monkeypatch.setattr(smoke_test, "TIMEOUT", 0.1)

    def steps():
        yield Wait("spring", condition)
        then()

    ends, parent = [], QObject()
    StepRunner(steps(), ends.append, parent)
    with qtbot.captureExceptions() as caught:
        qtbot.waitUntil(lambda: bool(ends))
        qtbot.wait(60)
    assert (ends, len(caught)) == ([ended], bugs)
