"""Start conditions: a display in the environment, Qt libraries, plain imports."""

import subprocess
import sys

import pytest

from nbmail.app.main import DisplayProbe, missing_library, names_display


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
def test_the_environment_names_a_display(environment, platform, there):
    assert names_display(environment, platform) is there


def test_no_library_is_missing_here():
    assert missing_library() == ""


@pytest.mark.parametrize(("platform", "there"), [("offscreen", True), ("no-such-platform", False)])
def test_the_probe_opens_the_display_with_qt(monkeypatch, platform, there):
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    probe = DisplayProbe()
    assert probe.can_open() is there
    probe.release()
    probe.end()
    probe.end()


IMPORTS = """
import builtins
from PySide6.QtCore import QObject, Signal
import PySide6.support.feature as feature
import base64
assert "base64" in feature.pyside_feature_dict, "PySide6 reads no sources: nothing is to be undone any more"
from nbmail.app.main import import_plainly
import_plainly()
import_plainly()
import colorsys
assert "colorsys" not in feature.pyside_feature_dict, "its source was read"
class Bell(QObject):
    rung = Signal(int)
heard = []
bell = Bell()
bell.rung.connect(heard.append)
bell.rung.emit(3)
bell.setObjectName("bell")
assert heard == [3] and bell.objectName() == "bell"
from PySide6.QtWidgets import QPushButton
QPushButton.setText
"""


def test_the_import_hook_of_pyside_is_removed_and_pyside_still_works():
    subprocess.run([sys.executable, "-c", IMPORTS], check=True, timeout=60)
