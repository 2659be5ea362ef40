"""A walk ends exactly once, and never in praise of what went wrong."""

import pytest
from PySide6.QtCore import QObject

from nbmail.app import walk as app_walk
from nbmail.app.walk import Wait, Walk, WalkFailed


def fail(what):
    raise what


FAULT = "something went wrong inside nbmail"


@pytest.mark.parametrize(
    ("waited", "then", "said", "faults"),
    [
        (lambda: True, lambda: None, "", 0),
        (lambda: True, lambda: fail(WalkFailed("the scores are gone")), "the scores are gone", 0),
        (lambda: False, lambda: None, "waited 0 seconds in vain for spring", 0),
        (lambda: True, lambda: fail(KeyError()), FAULT, 1),
        (lambda: fail(KeyError()), lambda: None, FAULT, 1),
    ],
)
def test_a_walk_ends_once_and_says_how(qtbot, monkeypatch, waited, then, said, faults):
    monkeypatch.setattr(app_walk, "PATIENCE", 0.1)

    def steps():
        yield Wait("spring", waited)
        then()

    ended, parent = [], QObject()
    Walk(steps(), ended.append, parent)
    with qtbot.captureExceptions() as caught:
        qtbot.waitUntil(lambda: bool(ended), timeout=5000)
        qtbot.wait(60)
    assert (ended, len(caught)) == ([said], faults)
