"""Lateness of a 5 ms timer of the window while 5,000 messages are learned, beside the same window at rest."""

import json
import os
import sys
import threading
import time

from tests.bench._frame import child, corpus_mail, new_folder, options_of, show

BEAT_MS = 5
LATE_MS = 5.0
MESSAGES = 5000
PART = 200
WORDS = """heartbeat, {messages:,} messages learned in {seconds} s ({source}):
{busy[in_time_percent]} % of {busy[beats]} beats less than 5 ms late, p99 {busy[p99_ms]} ms, worst {busy[worst_ms]} ms;
at rest {rest[in_time_percent]} %, p99 {rest[p99_ms]} ms"""


def run(arguments):
    options = options_of(arguments, __doc__)
    with new_folder() as folder:
        found = child("heartbeat", folder)
    show(options, found, WORDS)
    return int(found["busy"]["in_time_percent"] < 99.0)


class Heart:
    """A precise timer of the GUI thread that notes how late it is called."""

    def __init__(self):
        from PySide6.QtCore import Qt, QTimer

        self._late, self._due = [], time.perf_counter() + BEAT_MS / 1000
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(BEAT_MS)

    def _beat(self):
        now = time.perf_counter()
        self._late.append(max(0.0, (now - self._due) * 1000))
        self._due = now + BEAT_MS / 1000

    def take(self):
        late, self._late = sorted(self._late), []
        return {
            "beats": len(late),
            "in_time_percent": round(100 * sum(one < LATE_MS for one in late) / len(late), 2),
            "p99_ms": round(late[int(len(late) * 0.99)], 2),
            "worst_ms": round(late[-1], 2),
        }


def beat(home):
    """Run the program's window with a heart, and deliver labelled mail."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from nbmail.worker.protocol.events import Learned
    from tests.bench._window_child import start

    messages, source = corpus_mail(MESSAGES)
    found, state = {"messages": len(messages), "source": source}, {}
    application = QApplication([])
    poll = QTimer(application)

    def began(program):
        state["heart"] = Heart()
        program.bridge.arrived.connect(lambda event: isinstance(event, Learned) and begin(program))

    def begin(program):
        if "thread" not in state:
            deliver = lambda: found.update(seconds=round(bring(program.engine.backend, messages), 2))  # noqa: E731
            state["thread"] = threading.Thread(target=deliver)
            QTimer.singleShot(2000, end_rest)

    def end_rest():
        found["rest"] = state["heart"].take()
        state["thread"].start()
        poll.start(50)

    def end():
        if not state["thread"].is_alive():
            poll.stop()
            found["busy"] = state["heart"].take()
            QApplication.exit(0)

    poll.timeout.connect(end)
    start(home, began)
    print(json.dumps(found))


def bring(backend, messages):
    """Deliver messages as an account does. Return the seconds until all are stored."""
    from nbmail.values import Arrival, Delivery, FolderName

    started = time.perf_counter()
    for first in range(0, len(messages), PART):
        for label in ("junk", "good"):
            mine = [
                Arrival(number, frozenset(), 1e9 + number, raw, len(raw))
                for number, (its, raw) in enumerate(messages[first : first + PART], first + 1)
                if its == label
            ]
            backend.submit(Delivery(FolderName("bench", label), 1, arrivals=tuple(mine), role=label))
    # Waits for the last one.
    backend.stored_folder(FolderName("bench", "good"))
    return time.perf_counter() - started


if __name__ == "__main__":
    beat(sys.argv[1])
