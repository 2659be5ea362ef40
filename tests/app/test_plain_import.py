"""PySide6's own way to import is undone, and PySide6 works on without it."""

import subprocess
import sys

CODE = """
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


def test_python_imports_by_itself_again():
    subprocess.run([sys.executable, "-c", CODE], check=True, timeout=60)
