"""Labels of many messages, set at once and undone until the model is exact again, and a rebuild
from all labels.
"""

import time

from nbmail.chunks import drain
from nbmail.core.scoring.model import Model
from nbmail.paths import Paths
from nbmail.store.labels.journal import By
from nbmail.store.store import Store
from tests.bench._big_home import make_home
from tests.bench._frame import new_folder, options_of, show

LABELS = 6800
GOAL = 1000.0
WORDS = """{messages:,} messages: {labels:,} marked at once {marked_ms:.0f} ms, undone \
{undone_ms:.0f} ms
(goal {goal:.0f}), model rebuilt {rebuilt_ms:.0f} ms"""


def run(arguments):
    options = options_of(arguments, __doc__, messages=100_000)
    half = options.messages // 2
    with new_folder() as folder:
        make_home(folder, options.messages)
        with Store(Paths.under(folder), 0.0) as store:
            drain(store.model.opening(Model(store.words.vocabulary)))
            bulk = dict.fromkeys(range(half, half + LABELS), "spam")
            found = {
                "marked_ms": timed(
                    lambda: (
                        store.marks.mark(bulk, by=By.USER, moment=3.0),
                        store.model.make_exact(),
                    )
                ),
                "undone_ms": timed(
                    lambda: (store.marks.undo(moment=4.0), store.model.make_exact())
                ),
                "rebuilt_ms": timed(lambda: rebuild(store)),
            }
    show(options, {"messages": options.messages, "labels": LABELS, "goal": GOAL, **found}, WORDS)
    return int(found["undone_ms"] > GOAL)


def rebuild(store):
    fold = store.model.begin_rebuild()
    while fold.advance():
        pass
    store.model.adopt(fold)


def timed(action):
    began = time.perf_counter()
    action()
    return round((time.perf_counter() - began) * 1000, 2)
