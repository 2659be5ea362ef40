"""Start conditions: a display in the environment, Qt libraries, plain imports."""

import io
import re
import subprocess
import sys

import pytest

from nbmail.app import main as main_module
from nbmail.app.qt_display import names_display, probe_display
from nbmail.app.single_instance import socket_path
from nbmail.paths import Paths
from nbmail.text.terminal_text import encodable


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


def test_windows_gets_a_pipe_and_no_advice_about_packages_of_linux(tmp_path, monkeypatch, capsys):
    """Names of pipes have no backslash. Each data folder has its own."""
    homes = [Paths.under(tmp_path / name) for name in ("a", "b")]
    names = {socket_path(paths, "win32") for paths in homes}
    assert len(names) == 2
    assert all(re.fullmatch(r"nbmail-[0-9a-f]{24}", name) for name in names)
    monkeypatch.setattr(main_module, "missing_library", lambda: "DLL load failed")
    monkeypatch.setattr(sys, "platform", "win32")
    assert main_module.main([]) == 2
    said = capsys.readouterr().err
    assert "Windows 10" in said
    assert "apt" not in said
    # Without a console there are no streams.
    monkeypatch.setattr(sys, "stderr", None)
    assert main_module.main([]) == 2


def test_a_console_shows_what_its_encoding_has():
    console = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    assert encodable("“日”", console) == "“\\u65e5”"


@pytest.mark.parametrize(("platform", "there"), [("offscreen", True), ("no-such-platform", False)])
def test_the_probe_opens_the_display_with_qt(monkeypatch, platform, there):
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    with probe_display() as release:
        assert (release is not None) == there
        if there:
            release()


IMPORTS = """
import builtins
from PySide6.QtCore import QObject, Signal
import PySide6.support.feature as feature
import base64
assert "base64" in feature.pyside_feature_dict, "PySide6 reads no sources: nothing is to be \
undone any more"
from nbmail.app.qt_display import import_plainly
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
    subprocess.run([sys.executable, "-c", IMPORTS], check=True, timeout=120)
