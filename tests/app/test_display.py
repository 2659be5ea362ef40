"""Whether there is a display, told from the environment alone."""

import pytest

from nbmail.app.display import DisplayProbe, missing_library, names_display


@pytest.mark.parametrize(
    ("environment", "platform", "there"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, "linux", False),
        ({"QT_QPA_PLATFORM": "offscreen:size=10x10"}, "linux", False),
        ({"QT_QPA_PLATFORM": "vnc"}, "linux", True),
        ({}, "win32", True),
        ({}, "darwin", True),
    ],
)
def test_the_environment_tells(environment, platform, there):
    assert names_display(environment, platform) is there


def test_nothing_is_missing_where_these_tests_run():
    assert missing_library() == ""


@pytest.mark.parametrize(("platform", "there"), [("offscreen", True), ("no-such-platform", False)])
def test_the_probe_asks_qt_itself(monkeypatch, platform, there):
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    probe = DisplayProbe()
    assert probe.reaches() is there
    probe.release()
    probe.end()
    probe.end()
