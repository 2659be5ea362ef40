"""From the start of the process to the first paint: our window beside an empty PySide6 window, in turns, medians.

Ours paints its outlines first and its parts right after: both moments are told.

`--rounds N` (default 7), `--json`. Runs offscreen unless QT_QPA_PLATFORM says otherwise.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

EMPTY = """
import sys, time
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.monotonic(), flush=True)
        QApplication.exit(0)
app = QApplication([])
window = Window()
window.resize(1280, 800)
window.show()
app.exec()
"""

OURS = """
import sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from nbmail.settings import Account, Settings
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.main_window import MainWindow
class Silent:
    def submit(self, command):
        return 1
class Window(MainWindow):
    complete = False
    def paintEvent(self, event):
        super().paintEvent(event)
        if not self.complete:
            print(time.monotonic(), "numpy" in sys.modules, flush=True)
    def furnish(self):
        super().furnish()
        self.complete = True
        QTimer.singleShot(0, self.finish)
    def finish(self):
        self.repaint()
        print(time.monotonic(), flush=True)
        QApplication.exit(0)
app = QApplication([])
window = Window(Silent(), Bridge(), Settings(accounts=(Account("home"),)))
window.show()
app.exec()
"""


def time_to_paint(code):
    """Milliseconds from spawning to the first paint and, of ours, to the complete window; was numpy there early?"""
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    words = done.stdout.split()
    return 1000 * (float(words[0]) - began), 1000 * (float(words[-1]) - began), words[1:2] == ["True"]


def run(arguments):
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="window", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    pairs = [(time_to_paint(EMPTY), time_to_paint(OURS)) for _ in range(options.rounds)]
    empty = statistics.median(pair[0][0] for pair in pairs)
    ours = statistics.median(pair[1][0] for pair in pairs)
    complete = statistics.median(pair[1][1] for pair in pairs)
    early = any(pair[1][2] for pair in pairs)
    figures = {"empty": empty, "nbmail": ours, "ratio": ours / empty, "complete": complete, "numpy early": early}
    if options.json:
        print(json.dumps(figures))
    else:
        print(f"empty PySide6 window {empty:7.1f} ms")
        print(f"nbmail's window      {ours:7.1f} ms, {ours / empty:.2f} times as long")
        print(f"with all its parts   {complete:7.1f} ms, {complete / empty:.2f} times as long")
        print(f"numpy imported before the first paint: {'yes' if early else 'no'}")
    return 0
