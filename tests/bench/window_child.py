"""What the benches start as processes of their own: the program by its front door, and an empty window beside it.

Prints one line of JSON: moments in milliseconds since the process was asked for, and the memory it holds.
"""

import json
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def memory():
    """Resident megabytes of this process, and those of them that no file stands behind."""
    text = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    held = {line.split(":")[0]: int(line.split()[1]) / 1000 for line in text.splitlines()[1:]}
    return {"resident_mb": round(held["Rss"], 1), "anonymous_mb": round(held["Anonymous"], 1)}


def empty_window(asked, rest_seconds):
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QMainWindow

    class Window(QMainWindow):
        def paintEvent(self, event):
            super().paintEvent(event)
            QTimer.singleShot(0, painted)

    def painted():
        found.setdefault("painted_ms", since(asked))
        QTimer.singleShot(int(rest_seconds * 1000), application.quit)

    found = {}
    application = QApplication([])
    window = Window()
    window.resize(1200, 800)
    window.show()
    application.exec()
    print(json.dumps(found | memory()))


def program(asked, rest_seconds, home):
    """nbmail on this home, until its first rows are painted and it has rested (with rest: until all is scored)."""
    found = {}
    start(home, lambda running: watch(running, asked, rest_seconds, found))
    print(json.dumps(found | memory()))


def start(home, began):
    """The program by its front door; `began` is called once its event loop turns."""
    from nbmail.app.main import main

    main(["--home", str(home)], began)


def watch(running, asked, rest_seconds, found):
    """Note when the window's outlines are painted, when all its parts are, and when its first rows are."""
    from PySide6.QtCore import QEvent, QObject, QTimer
    from PySide6.QtWidgets import QApplication

    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint:
                QTimer.singleShot(0, painted)
            return False

    def painted():
        found.setdefault("painted_ms", since(asked))
        if hasattr(running.window, "parts"):
            found.setdefault("parts_painted_ms", since(asked))
        if "rows" in state:
            found.setdefault("rows_painted_ms", since(asked))
            if not rest_seconds:
                QApplication.exit(0)

    def hear(event):
        from nbmail.worker.protocol import Changed, Learned

        if isinstance(event, Changed) and event.rows is not None:
            state.add("rows")
            running.window.update()
        if isinstance(event, Learned) and rest_seconds:
            QTimer.singleShot(int(rest_seconds * 1000), lambda: QApplication.exit(0))

    state = set()
    running.watch = Watch()
    running.window.installEventFilter(running.watch)
    running.bridge.arrived.connect(hear)


def since(asked):
    return round((time.time() - asked) * 1000, 1)


if __name__ == "__main__":
    {"empty": empty_window, "program": program}[sys.argv[1]](float(sys.argv[2]), float(sys.argv[3]), *sys.argv[4:])
