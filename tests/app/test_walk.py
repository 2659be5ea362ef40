"""A walk ends exactly once, and never in praise of what went wrong."""

import pytest
from PySide6.QtCore import QObject

from nbmail.app.walkthrough import walk as app_walk
from nbmail.app.walkthrough.walk import Wait, Walk, WalkFailed


def walk(qtbot, steps):
    """Walk, and return all that was said at the end."""
    ended = []
    parent = QObject()
    Walk(steps, ended.append, parent)
    with qtbot.captureExceptions() as faults:
        qtbot.waitUntil(lambda: bool(ended), timeout=5000)
        qtbot.wait(60)
    return ended, [type(fault[1]) for fault in faults]


def test_steps_wait_for_the_program(qtbot):
    looked = []

    def steps():
        yield Wait("three looks", lambda: len(looked) == 3 or looked.append(1))
        looked.append("on")

    assert walk(qtbot, steps()) == ([""], [])
    assert looked == [1, 1, 1, "on"]


def test_a_station_that_is_wrong_ends_the_walk(qtbot):
    def steps():
        yield Wait("nothing", lambda: True)
        raise WalkFailed("the scores are gone")

    assert walk(qtbot, steps()) == (["the scores are gone"], [])


def test_waiting_has_an_end(qtbot, monkeypatch):
    monkeypatch.setattr(app_walk, "PATIENCE", 0.1)

    def steps():
        yield Wait("spring", lambda: False)

    (said,), _ = walk(qtbot, steps())
    assert "in vain for spring" in said


@pytest.mark.parametrize("where", ["step", "wait"])
def test_a_fault_of_ours_is_no_success(qtbot, where):
    def steps():
        yield Wait("trouble", lambda: 1 / 0 if where == "wait" else True)
        raise KeyError("a fault")

    said, faults = walk(qtbot, steps())
    assert said == ["something went wrong inside nbmail"]
    assert len(faults) == 1
