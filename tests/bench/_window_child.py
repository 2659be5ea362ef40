"""Child processes of the benches: the program, and an empty window. Prints its times and its memory
as JSON.
"""

import json
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def memory():
    """Return resident and anonymous megabytes of this process."""
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
    """Run nbmail on `home` until its first rows are painted; with `rest_seconds`, that long after
    all is scored.
    """
    found = {}
    start(home, lambda running: watch(running, asked, rest_seconds, found))
    print(json.dumps(found | memory()))


def start(home, began):
    """Run the program; `began` is called once its event loop runs."""
    from nbmail.app.main import main

    main(["--home", str(home)], began)


def watch(running, asked, rest_seconds, found):
    """Note when the list is painted first, and when it is painted with rows."""
    from PySide6.QtCore import QEvent, QObject, QTimer
    from PySide6.QtWidgets import QApplication

    from nbmail.worker.protocol.events import Learned

    parts = running.window.parts
    view = parts.table.viewport()

    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint:
                QTimer.singleShot(0, painted)
            return False

    def painted():
        found.setdefault("painted_ms", since(asked))
        if parts.model.rowCount():
            found.setdefault("rows_painted_ms", since(asked))
            if not rest_seconds:
                QApplication.exit(0)

    def receive(event):
        if isinstance(event, Learned) and rest_seconds:
            QTimer.singleShot(int(rest_seconds * 1000), lambda: QApplication.exit(0))

    running.watch = Watch()
    view.installEventFilter(running.watch)
    view.update()
    running.bridge.arrived.connect(receive)


def since(asked):
    return round((time.time() - asked) * 1000, 1)


if __name__ == "__main__":
    {"empty": empty_window, "program": program}[sys.argv[1]](
        float(sys.argv[2]), float(sys.argv[3]), *sys.argv[4:]
    )
