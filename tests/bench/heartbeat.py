"""Frames of the window in time while 5,000 messages are learned, beside the same window at rest."""

import json
import os
import sys
import threading
import time
from itertools import pairwise

from tests.bench._frame import child, corpus_mail, new_folder, options_of, show

BEAT_MS = 2
FRAME_MS = 16
MESSAGES = 5000
PART = 200
WORDS = """heartbeat, {messages:,} messages learned in {seconds} s ({source}):
{busy[in_time_percent]} % of {busy[frames]} frames of 16 ms in time, longest pause \
{busy[longest_ms]} ms;
at rest {rest[in_time_percent]} %, {rest[longest_ms]} ms"""


def run(arguments):
    options = options_of(arguments, __doc__)
    with new_folder() as folder:
        found = child("heartbeat", folder)
    show(options, found, WORDS)
    return int(found["busy"]["in_time_percent"] < 99.0)


class Heart:
    """A precise timer of the GUI thread. A frame is in time if the thread handled the timer within
    its 16 ms.
    """

    def __init__(self):
        from PySide6.QtCore import Qt, QTimer

        self._beats = [time.perf_counter()]
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(lambda: self._beats.append(time.perf_counter()))
        self._timer.start(BEAT_MS)

    def take(self):
        """Return the figures since the last call."""
        beats = [1000 * (beat - self._beats[0]) for beat in self._beats]
        self._beats = [time.perf_counter()]
        frames = int(beats[-1] / FRAME_MS)
        in_time = len({int(beat / FRAME_MS) for beat in beats} & set(range(frames)))
        return {
            "frames": frames,
            "in_time_percent": round(100 * in_time / frames, 2),
            "longest_ms": round(max(later - beat for beat, later in pairwise(beats)), 1),
        }


def beat(home):
    """Run the program's window with a heart, and deliver labelled mail."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from nbmail.worker.protocol.events import Learned
    from tests.bench._window_child import start

    messages, source = corpus_mail(MESSAGES)
    found = {"messages": len(messages), "source": source}
    state = {}
    application = QApplication([])
    poll = QTimer(application)

    def began(program):
        state["heart"] = Heart()
        program.bridge.arrived.connect(lambda event: isinstance(event, Learned) and begin(program))

    def begin(program):
        if "thread" not in state:

            def deliver():
                seconds = bring(program.engine.backend, messages)
                found.update(seconds=round(seconds, 2))

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
        for label in ("spam", "ham"):
            mine = [
                Arrival(number, frozenset(), 1e9 + number, raw, len(raw))
                for number, (its, raw) in enumerate(messages[first : first + PART], first + 1)
                if its == label
            ]
            backend.submit(
                Delivery(FolderName("bench", label), 1, arrivals=tuple(mine), role=label)
            )
    # Waits for the last one.
    backend.stored_folder(FolderName("bench", "ham"))
    return time.perf_counter() - started


if __name__ == "__main__":
    beat(sys.argv[1])
