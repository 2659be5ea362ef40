"""The self-test: walks the main path offscreen, on the demo's mailbox, and checks every station of it."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nbmail.app.program import Program
from nbmail.app.walkthrough.walk import Wait, Walk, WalkFailed, WalkSteps, Watch, leave
from nbmail.demo.home import DemoHome
from nbmail.paths import Paths
from nbmail.values import Arrival, Delivery, FolderName, Rows
from nbmail.worker.protocol import (
    Command,
    Done,
    Event,
    Explain,
    Explanation,
    Failed,
    ImportModel,
    Learned,
    ListMail,
    ReadMessage,
)

if TYPE_CHECKING:
    from nbmail.worker.engine.engine import Engine

LEAST = 250
"""Messages the inbox must hold; the demo brings more."""
TRAINED = 30
"""Messages of each class that the demo's mailbox has sorted already."""
PATIENCE = 60.0


SAME = 1e-9
"""Scores that differ by less are the same, added up in another order."""
Named = dict[tuple[str, str, float], float]
"""Scores by what is the same in every home: sender, subject and date."""


class SelfTest:
    """Sync, read, explain, mark, undo, export, import into a fresh home: a sentence for each, or for what failed."""

    def __init__(self, home: DemoHome, say: Callable[[str], None]) -> None:
        self._home, self._say = home, say

    def begin(self, program: Program) -> None:
        """Start walking; the program ends when the walk does."""
        self._watch = Watch(program)
        Walk(self._steps(), self._end, program)

    def _end(self, failure: str) -> None:
        self._say(f"The self-test failed: {failure}." if failure else "All is well.")
        leave(1 if failure else 0)

    def _steps(self) -> WalkSteps:
        watch = self._watch
        yield Wait("the mail to arrive", lambda: watch.in_step and len(watch.inbox()) >= LEAST and watch.quiet())
        messages = watch.inbox()
        self._check_arrival(messages)
        yield from self._check_evidence(messages[0])
        yield from self._check_mark_and_undo(messages)
        yield from self._check_model_file(messages)

    def _check_arrival(self, messages: list[int]) -> None:
        watch = self._watch
        _demand(watch.known("junk") >= TRAINED <= watch.known("good"), "the sorted mail taught too little")
        _demand(bool(np.isfinite(watch.scores(messages)).all()), "some messages of the inbox have no score")
        _demand(watch.window.model.rowCount() >= len(messages), "the list does not show all messages")
        self._say(f"{len(messages)} messages arrived in the inbox, and each has a score.")

    def _check_evidence(self, message: int) -> WalkSteps:
        watch = self._watch
        score = float(watch.scores([message])[0])
        text, why = watch.ask(ReadMessage(message)), watch.ask(Explain(message))
        yield Wait("a message's text and evidence", lambda: text() and why())
        explanation = why()[0]
        _demand(bool(text()[0].headers), "the message to read has no headers")
        _demand(isinstance(explanation, Explanation) and bool(explanation.contributions), "a score has no evidence")
        total = explanation.prior + sum(each.contribution for each in explanation.contributions) + explanation.weaker
        gap = abs(total + explanation.calibration - explanation.log_odds)
        _demand(gap < SAME, "the evidence does not add up to the score")
        listed = explanation.probability is not None or abs(explanation.log_odds - score) < SAME
        _demand(listed, "the list and the evidence disagree about a score")
        self._say("A message can be read, and its evidence adds up to its score.")

    def _check_mark_and_undo(self, messages: list[int]) -> WalkSteps:
        watch = self._watch
        for label in ("junk", "good"):
            before, known, learned = watch.scores(messages), watch.known(label), watch.learned
            watch.choose(messages[0])
            watch.press(label)
            yield Wait(f"the mark as {label}", partial(self._knows, label, known + 1))
            yield watch.until_quiet("the new scores")
            changed = float(np.abs(watch.scores(messages) - before).max())
            _demand(changed > SAME, f"a mark as {label} changed no score")
            watch.press("undo")
            yield Wait("the mark to be taken back", partial(self._knows, label, known))
            yield watch.until_quiet("the old scores")
            back = np.allclose(watch.scores(messages), before, rtol=0, atol=SAME)
            _demand(
                back and _same_classes(learned, watch.learned),
                f"undoing a mark as {label} did not restore every count and score",
            )
        self._say("A mark changes the counts and the scores at once; undo restores both exactly.")

    def _knows(self, label: str, count: int) -> bool:
        return self._watch.known(label) == count

    def _check_model_file(self, messages: list[int]) -> WalkSteps:
        path = self._home.folder / "self-test.nbmodel"
        self._watch.window.model_files.export_to(path)
        yield Wait("the export", path.exists)
        yield self._watch.until_quiet("the end of the export")
        ours = self._named(messages, self._watch.scores(messages))
        second = SecondHome(self._home.folder / "second", self._home)
        try:
            theirs = second.scores_with(path)
        finally:
            second.close()
        common = ours.keys() & theirs.keys()
        _demand(len(common) >= LEAST, "the second home lacks messages")
        same = all(abs(ours[name] - theirs[name]) < SAME for name in common)
        _demand(same, "a model file gave other scores in a fresh home")
        self._say(f"Exported and imported into a fresh home, the model gives {len(common)} messages identical scores.")

    def _named(self, messages: list[int], scores: Any) -> Named:
        mail = self._watch.window.model.mail
        assert mail is not None
        places = [int(place) for place in mail.find(messages)]
        names = [(mail.senders[place], mail.subjects[place], float(mail.dates[place])) for place in places]
        return dict(zip(names, map(float, scores), strict=True))


class SecondHome:
    """A fresh home without a window: the inbox of the demo, without anything that teaches."""

    def __init__(self, folder: Path, home: DemoHome) -> None:
        from nbmail.worker.engine.engine import Engine

        paths = Paths.under(folder)
        paths.make()
        self._events: queue.Queue[Event] = queue.Queue()
        self._engine: Engine = Engine(paths, time.time, self._events.put)
        self._engine.start()
        placed = [one for one in home.mailbox() if one.folder == "INBOX" and not one.delay]
        arrivals = tuple(
            Arrival(uid, frozenset(), one.received, one.raw, len(one.raw)) for uid, one in enumerate(placed, 1)
        )
        inbox = FolderName(home.account.name, "INBOX")
        self._engine.desk.deliver(Delivery(inbox, 1, arrivals=arrivals, complete=True))

    def scores_with(self, path: Path) -> Named:
        """The score of every message after importing this model file."""
        self._ask(ImportModel(path))
        rows = self._ask(ListMail())
        assert isinstance(rows, Rows)
        names = zip(rows.senders, rows.subjects, map(float, rows.dates), strict=True)
        return dict(zip(names, map(float, rows.scores.log_odds), strict=True))

    def close(self) -> None:
        """End its thread."""
        self._engine.stop()

    def _ask(self, command: Command) -> Any:
        ticket = self._engine.submit(command)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            event = self._events.get(timeout=PATIENCE)
            if isinstance(event, Done) and event.ticket == ticket:
                return event.result
            if isinstance(event, Failed) and event.ticket == ticket:
                raise WalkFailed(f"{type(command).__name__} failed: {event.trouble or ''} {event.detail}")
        raise WalkFailed(f"{type(command).__name__} took too long")


def _same_classes(before: Learned | None, after: Learned | None) -> bool:
    """Whether both know the same of each class."""
    return before is not None and after is not None and before.classes == after.classes


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise WalkFailed(otherwise)
