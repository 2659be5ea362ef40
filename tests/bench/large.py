"""A data folder of 200,000 messages, 20,000 of them labelled: times, speed of training, and freezes
of the window.

Seconds are those of the engine, from the request to its end, and beside them processor time. A
folder's raw mail is learned beside `nbmail learn` of the same messages, which runs in several
processes. A freeze is the longest time that the GUI thread was busy.
"""

import json
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from nbmail.worker.protocol.events import Learned
from tests.bench._big_home import make_home
from tests.bench._frame import child, corpus_mail, new_folder, options_of, running_engine, show
from tests.bench.heartbeat import MESSAGES, Heart, bring

LABELS = 20_000
LEARNED = "a folder of raw mail"
# Maximum of each figure in its unit; the speed of learning is a minimum.
GOALS = {
    "10,000 marked at once": 3.0,
    "10,000 undone": 1.5,
    "back to the beginning": 5.0,
    LEARNED: 3900,
}
LONGEST_FREEZE = 100.0


def run(arguments):
    options = options_of(arguments, __doc__, messages=200_000)
    missed = False
    with new_folder() as folder:
        for name, value, unit, more in (
            *measure(folder / "home", options.messages),
            learning(folder),
        ):
            goal = GOALS.get(name, LONGEST_FREEZE)
            is_missed = value < goal if name == LEARNED else value > goal
            missed |= is_missed
            one = {
                "name": name,
                "value": value,
                "unit": unit,
                "goal": goal,
                "missed": is_missed,
                "more": more,
            }
            words = (
                "{name:28}{value:10.2f} {unit:12}goal {goal:g}"
                + ("  MISSED" if is_missed else "")
                + "  {more}"
            )
            show(options, one, words)
    return int(missed)


def measure(home, messages):
    """Yield the times of requests, then the freezes of a window on the same data folder."""
    make_home(home, messages, labels=min(LABELS, messages // 2))
    first = min(LABELS, messages // 2) + 1
    with running_engine(home) as engine:
        for name, request in (
            ("10,000 marked at once", partial(engine.mark, range(first, first + 10_000), "spam")),
            ("10,000 undone", engine.undo),
            ("back to the beginning", partial(engine.restore, 1)),
        ):
            began = time.perf_counter()
            worked = time.process_time()
            request().result()
            yield (
                name,
                time.perf_counter() - began,
                "s",
                {"processor": round(time.process_time() - worked, 3)},
            )
        engine.undo().result()
    for name, worst in child("large", home).items():
        yield name, worst, "ms", {}


def learning(folder):
    """Return the speed of learning raw mail as an account delivers it, beside that of the command
    line.
    """
    messages, source = corpus_mail(MESSAGES)
    with running_engine(folder / "delivered") as engine:
        seconds = bring(engine.backend, messages)
    for number, (label, raw) in enumerate(messages):
        (folder / "mail" / label).mkdir(parents=True, exist_ok=True)
        (folder / "mail" / label / f"{number}.eml").write_bytes(raw)
    (folder / "index").write_text("".join(f"{label} mail/{label}\n" for label in ("spam", "ham")))
    command = [
        sys.executable,
        "-m",
        "nbmail",
        "learn",
        "--home",
        folder / "learned",
        "--index",
        folder / "index",
    ]
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    peer = round(len(messages) / (time.perf_counter() - began))
    return LEARNED, len(messages) / seconds, "messages/s", {"mail": source, "command_line": peer}


def freezes(home):
    """Print the freezes of a window, one action after another, each while the engine and the list
    are idle.
    """
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from nbmail.ui.list.list_choice import Choice, Column, Kind
    from tests.bench._window_child import start

    application = QApplication([])
    state = {}
    found = {}

    def began(program):
        window = program.window
        actions = [
            ("list", lambda: window.parts.updates.show_choice(Choice(Kind.SPAM))),
            ("list", lambda: window.parts.updates.show_choice(Choice())),
            ("search", lambda: window.parts.search.setText("subject number 77")),
            ("search", lambda: window.parts.search.setText("")),
            *(
                ("sort", lambda each=each: window.parts.table.sort_by(each))
                for each in [*Column, *Column]
            ),
            ("mark 1,000", lambda: program.engine.mark(range(30_001, 31_001), "spam")),
            ("undo", lambda: program.engine.undo()),  # noqa: PLW0108 - not there yet
            ("history", lambda: window.parts.actions.by_name["history"].trigger()),  # noqa: PLW0108 - not there yet
        ]
        state.update(heart=Heart(), left=iter(actions), name="start")
        program.bridge.arrived.connect(lambda event: isinstance(event, Learned) and begin())

    def begin():
        if state.setdefault("waits", True):
            state["waits"] = False
            QTimer.singleShot(4000, go_on)

    def go_on():
        worst = state["heart"].take()["longest_ms"]
        found[state["name"]] = max(worst, found.get(state["name"], 0.0))
        if (following := next(state["left"], None)) is None:
            application.quit()
            return
        state["name"], act = following
        act()
        QTimer.singleShot(3000, go_on)

    start(home, began)
    print(json.dumps(found))


if __name__ == "__main__":
    freezes(Path(sys.argv[1]))
