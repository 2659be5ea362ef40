"""A home of 200,000 messages, 20,000 of them labelled: what takes long where there is much.

Beside each figure stands its goal. Seconds are of the engine alone, from the command to its end, and beside them those
of the processor, from which other programs take nothing. A folder's raw mail is learned beside `nbmail learn` of the
same messages, which reads with several processes. Freezes are the longest that a window's thread was busy with itself.
"""

import json
import random
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from nbmail.chunks import drain
from nbmail.store.mail.derived_mail import RawMail
from nbmail.values import FolderName
from nbmail.worker.protocol.events import Learned
from tests.bench._corpus_mail import corpus_mail
from tests.bench._frame import child, new_folder, options_of, running_engine, show
from tests.bench.big_home import make_home
from tests.bench.heartbeat import MESSAGES, Heart, bring

LABELS = 20_000
# What it may take at most: seconds, messages a second (at least so many), milliseconds, times its cap.
GOALS = {
    "1,000 marked at once": 0.5,
    "1,000 undone": 1.5,
    "10,000 marked at once": 3.0,
    "10,000 undone": 1.5,
    "10,000 marked again": 3.0,
    "suspicious labels": 8.0,
    "back to the beginning": 5.0,
    "a folder of stored mail": 3900,
    "a folder of raw mail": 3900,
    "cache on the disk": 1.01,
}
LONGEST_FREEZE = 100.0


def run(arguments):
    options = options_of(arguments, __doc__, messages=200_000)
    with new_folder() as folder:
        found = [*measure(folder / "home", options.messages), *learning(folder), cache(folder)]
    for one in found:
        show(options, one, told(one))
    return int(any(one["missed"] for one in found))


def figure(name, value, unit, **more):
    """One figure with its goal; of messages a second, more is better."""
    goal = GOALS.get(name, LONGEST_FREEZE)
    missed = value < goal if unit == "messages/s" else value > goal
    return {"name": name, "value": value, "unit": unit, "goal": goal, "missed": missed, "more": more}


def told(one):
    more = ", ".join(f"{name} {value}" for name, value in one["more"].items())
    line = f"{one['name']:28}{one['value']:10.2f} {one['unit']:12}goal {one['goal']:g}"
    return f"{line}{'  MISSED' if one['missed'] else ''}{f'  ({more})' if more else ''}"


def measure(home, messages):
    """The engine's commands, then a window on the same home."""
    make_home(home, messages, labels=min(LABELS, messages // 2))
    first = min(LABELS, messages // 2) + 1
    with running_engine(home, lambda event: None) as engine:
        requests = (
            ("1,000 marked at once", partial(engine.mark, range(first, first + 1000), "junk")),
            ("1,000 undone", engine.undo),
            ("10,000 marked at once", partial(engine.mark, range(first, first + 10_000), "junk")),
            ("10,000 undone", engine.undo),
            ("10,000 marked again", engine.redo),
            ("suspicious labels", engine.find_suspicious_labels),
            ("back to the beginning", partial(engine.restore, 1)),
        )
        for name, request in requests:
            seconds, worked = timed(request)
            yield figure(name, seconds, "s", processor=worked)
        seconds, _ = timed(partial(engine.label_folder, FolderName("home", "INBOX"), "good"))
        yield figure("a folder of stored mail", messages / seconds, "messages/s")
        engine.undo().result()
        engine.undo().result()
    for name, worst in child("large", home).items():
        yield figure(name, worst, "ms")


def timed(request):
    """Seconds until the ticket of a request ends, and of them those in which the processor worked."""
    began, worked = time.perf_counter(), time.process_time()
    request().result()
    return round(time.perf_counter() - began, 3), round(time.process_time() - worked, 3)


def learning(folder):
    """Raw mail learned as an account brings it, and by the command line."""
    messages, source = corpus_mail(MESSAGES)
    found = {}
    with running_engine(folder / "brought") as engine:
        bring(engine.backend, messages, found)
    for number, (label, raw) in enumerate(messages):
        (folder / "mail" / label).mkdir(parents=True, exist_ok=True)
        (folder / "mail" / label / f"{number}.eml").write_bytes(raw)
    (folder / "index").write_text("".join(f"{label} mail/{label}\n" for label in ("junk", "good")))
    command = [sys.executable, "-m", "nbmail", "learn", "--home", folder / "learned", "--index", folder / "index"]
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    peer = round(len(messages) / (time.perf_counter() - began))
    name, speed = "a folder of raw mail", len(messages) / found["seconds"]
    yield figure(name, speed, "messages/s", mail=source, command_line=peer)


def cache(folder, allowed=20_000_000):
    """How much of what it may the cache of mail takes on the disk, after twice as much came."""
    bodies = RawMail(folder / "mail.sqlite3")
    raw = random.Random(1).randbytes(5000)
    for number in range(2 * allowed // len(raw)):
        bodies.put([(number.to_bytes(16, "big"), raw)], float(number))
    drain(bodies.evicting(allowed))
    bodies.tidy()
    share = bodies.path.stat().st_size / allowed
    bodies.close()
    return figure("cache on the disk", share, "of its cap")


def freezes(home):
    """The window on this home: one action after the other, each while the engine and the list are at rest."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from nbmail.ui.list.list_choice import Choice, Column, Kind
    from tests.bench.window_child import start

    application, state, found = QApplication([]), {}, {}

    def began(program):
        window = program.window
        actions = [
            ("list", lambda: window.parts.updates.show_choice(Choice(Kind.JUNK))),
            ("list", lambda: window.parts.updates.show_choice(Choice())),
            ("search", lambda: window.parts.search.setText("subject number 77")),
            ("search", lambda: window.parts.search.setText("")),
            *(("sort", lambda each=each: window.parts.table.sort_by(each)) for each in [*Column, *Column]),
            ("mark 1,000", lambda: program.engine.mark(range(30_001, 31_001), "junk")),
            ("undo", lambda: program.engine.undo()),  # noqa: PLW0108 - not there yet
            ("history", lambda: window.parts.actions.by_name["history"].trigger()),  # noqa: PLW0108 - not there yet
        ]
        state.update(heart=Heart(), left=iter(actions), name="start")
        program.bridge.arrived.connect(lambda event: isinstance(event, Learned) and begin())

    def begin():
        if "begun" not in state:
            state["begun"] = True
            QTimer.singleShot(4000, go_on)

    def go_on():
        worst = state["heart"].take()["worst_ms"]
        found[state["name"]] = max(worst, found.get(state["name"], 0.0))
        following = next(state["left"], None)
        if following is None:
            application.quit()
            return
        state["name"], act = following
        act()
        QTimer.singleShot(3000, go_on)

    start(home, began)
    print(json.dumps(found))


if __name__ == "__main__":
    freezes(Path(sys.argv[1]))
