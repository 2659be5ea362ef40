"""The program walks its own main path on the demo's mailbox: it checks every station, and for a tour shows each."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from nbmail.app.program import Program
from nbmail.app.walk import PATIENCE, Wait, Walk, WalkFailed, WalkSteps, Watch, leave
from nbmail.demo.home import DemoHome
from nbmail.paths import Paths
from nbmail.ui.evidence.feature_texts import feature_text, place_text
from nbmail.ui.list.list_choice import Column
from nbmail.values import Arrival, Delivery, FolderName
from nbmail.worker.protocol import (
    Contribution,
    Explain,
    Explanation,
    ReadMessage,
)

LEAST = 250
"""Messages the inbox must hold; the demo brings more."""
TRAINED = 30
"""Messages of each class that the demo's mailbox has sorted already."""
SAME = 1e-9
"""Scores that differ by less are the same, added up in another order."""
SHOWN = 36
"""Messages of a tour's table: the newest, as a window shows them first."""
COLUMNS = {Column.CHANCE: 17, Column.VERDICT: 8, Column.SENDER: 20, Column.SUBJECT: 42}
"""What the table shows of a message, and how wide."""
JUNK_SUBJECT = "lovely to bump into you"
GOOD_SUBJECT = "You have won!!! (raffle, second prize)"
"""Two that nobody could tell by their looks: an investment swindle in a friend's voice, and the choir's own raffle."""

Named = dict[tuple[str, str, float], float]
"""Scores by what is the same in every home: sender, subject and date."""


class MainPath:
    """Sync, read, explain, mark, undo, export: a sentence for each, or for what failed.

    A self-test, where no folder for `pictures` is given, imports into a fresh home as well. Where one is, it is a tour:
    it shows the inbox before and after the marks, and leaves pictures of the window and the model file.
    """

    def __init__(self, home: DemoHome, say: Callable[[str], None], pictures: Path | None = None) -> None:
        self._home, self._say, self._pictures = home, say, pictures
        self._chances: dict[int, str] = {}

    def begin(self, program: Program) -> None:
        """Start walking; the program ends when the walk does."""
        self._watch = Watch(program)
        Walk(self._steps(), self._end, program)

    def _end(self, failure: str) -> None:
        self._say(f"Something is wrong: {failure}." if failure else "All is well.")
        leave(1 if failure else 0)

    def _steps(self) -> WalkSteps:
        watch = self._watch
        yield Wait("the mail to arrive", lambda: watch.synced and len(watch.inbox()) >= LEAST and watch.quiet())
        inbox = watch.inbox()
        self._check_arrival(inbox)
        yield from self._check_evidence(inbox[0])
        marked = {"junk": self._find(JUNK_SUBJECT), "good": self._find(GOOD_SUBJECT)}
        shown = list(dict.fromkeys([*inbox[:SHOWN], *marked.values()]))
        yield from self._show("The inbox, before any mark of yours:", shown)
        self._picture("1-inbox")
        for label, message in marked.items():
            yield from self._check_mark_and_undo(inbox, label, message)
        yield from self._show("The same messages after these two marks (in brackets: before):", shown)
        yield from self._check_model_file(inbox)

    def _check_arrival(self, inbox: list[int]) -> None:
        watch = self._watch
        junk, good = watch.known("junk"), watch.known("good")
        _demand(junk >= TRAINED <= good, "the sorted mail taught too little")
        _demand(bool(np.isfinite(watch.scores(inbox)).all()), "some messages of the inbox have no score")
        _demand(watch.window.parts.model.rowCount() >= len(inbox), "the list does not show all messages")
        folders = {name.folder: held for name, (held, _) in watch.mail.count_folders().items()}
        parts = ", ".join(f"{held} in {name}" for name, held in folders.items())
        self._say(f"Synced {sum(folders.values())} messages ({parts}); each has a score.")
        self._say(f"Learned from {junk} junk and {good} good messages that were already sorted.")

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

    def _check_mark_and_undo(self, inbox: list[int], label: str, message: int) -> WalkSteps:
        """Mark it in the window, take the mark back, and mark it again."""
        watch = self._watch
        before, known, learned = watch.scores(inbox), watch.known(label), watch.learned
        watch.choose(message)
        yield watch.until_quiet("the message's text")
        yield from self._act(label, label, known + 1)
        said = watch.window.parts.status.text()
        _demand(float(np.abs(watch.scores(inbox) - before).max()) > SAME, f"a mark as {label} changed no score")
        yield from self._act("undo", label, known)
        same = watch.learned is not None and learned is not None and watch.learned.classes == learned.classes
        same = same and np.allclose(watch.scores(inbox), before, rtol=0, atol=SAME)
        _demand(same, f"undoing a mark as {label} did not restore every count and score")
        yield from self._act("redo", label, known + 1)
        watch.choose(message)
        yield watch.until_quiet("the message's evidence")
        self._say(f"“{self._cell(message, Column.SUBJECT)}”: {said} Undo restored every count and score exactly.")
        self._picture("2-marked-junk" if label == "junk" else "3-marked-good")

    def _act(self, action: str, label: str, count: int) -> WalkSteps:
        """Trigger an action after which so many messages of this label are known."""
        self._watch.press(action)
        yield Wait(f"{action} ({label})", lambda: self._watch.known(label) == count)
        yield self._watch.until_quiet("the new scores")

    def _check_model_file(self, inbox: list[int]) -> WalkSteps:
        path = (self._pictures or self._home.folder) / "demo.nbmodel"
        path.unlink(missing_ok=True)
        self._watch.window.parts.model_files.export_to(path)
        yield Wait("the export", path.exists)
        yield self._watch.until_quiet("the end of the export")
        if self._pictures is not None:
            self._say(f"Exported what was learned: {path} ({path.stat().st_size:,} bytes)")
            self._say(f"Pictures of the window: {self._pictures}")
            return
        mail, scores = self._watch.mail, map(float, self._watch.scores(inbox))
        places = [int(place) for place in mail.find(inbox)]
        names = [(mail.senders[place], mail.subjects[place], float(mail.dates[place])) for place in places]
        ours, theirs = dict(zip(names, scores, strict=True)), scores_in_fresh_home(self._home, path)
        common = ours.keys() & theirs.keys()
        _demand(len(common) >= LEAST, "the second home lacks messages")
        same = all(abs(ours[name] - theirs[name]) < SAME for name in common)
        _demand(same, "a model file gave other scores in a fresh home")
        self._say(f"Exported and imported into a fresh home, the model gives {len(common)} messages identical scores.")

    # ------------------------------------------------------------------------------------- what a tour shows

    def _show(self, title: str, messages: list[int]) -> WalkSteps:
        """Print these messages with their strongest words."""
        if self._pictures is None:
            return
        answers = {message: self._watch.ask(Explain(message, strongest=3)) for message in messages}
        yield Wait("the words behind the scores", lambda: all(answer() for answer in answers.values()))
        self._say(f"\n{title}\n")
        self._say(_row(["chance", "verdict", "from", "subject", "what spoke loudest (+ for junk, - for good)"]))
        for message in messages:
            cells = [self._cell(message, column) for column in COLUMNS]
            before = self._chances.setdefault(message, cells[0])
            if before != cells[0]:
                cells[0] += f" ({before})"
            self._say(_row([*cells, "  ".join(map(_spoken, answers[message]()[0].contributions[:3]))]))
        self._say("")

    def _cell(self, message: int, column: Column) -> str:
        words = self._watch.window.parts.model.texts
        assert words is not None
        return words.text(int(self._watch.mail.find([message])[0]), column)

    def _find(self, subject: str) -> int:
        mail = self._watch.mail
        found = [one for one in self._watch.inbox() if mail.subjects[int(mail.find([one])[0])] == subject]
        _demand(bool(found), f"there is no message “{subject}” in the inbox")
        return found[0]

    def _picture(self, name: str) -> None:
        if self._pictures is not None:
            self._pictures.mkdir(parents=True, exist_ok=True)
            path = self._pictures / f"{name}.png"
            _demand(self._watch.window.grab().save(str(path)), f"the picture {path} could not be written")


def scores_in_fresh_home(home: DemoHome, model: Path) -> Named:
    """The scores of the demo's inbox in a home without a window that knows nothing but this model file."""
    from nbmail.worker.engine.engine import Engine

    paths = Paths.under(home.folder / "second")
    paths.make()
    placed = [one for one in home.mailbox() if one.folder == "INBOX" and not one.delay]
    mail = tuple(Arrival(uid, frozenset(), one.received, one.raw, len(one.raw)) for uid, one in enumerate(placed, 1))
    engine = Engine(paths, time.time, lambda event: None)
    engine.start()
    try:
        engine.backend.deliver(Delivery(FolderName(home.account.name, "INBOX"), 1, arrivals=mail, complete=True))
        engine.import_model(model).result(PATIENCE)
        rows = engine.list_mail().result(PATIENCE)
    finally:
        engine.stop()
    names = zip(rows.senders, rows.subjects, map(float, rows.dates), strict=True)
    return dict(zip(names, map(float, rows.scores.log_odds), strict=True))


def _row(cells: list[str]) -> str:
    fixed = [f"{cell:<{width}.{width}}" for cell, width in zip(cells, COLUMNS.values(), strict=False)]
    return "  ".join([*fixed, cells[-1]])


def _spoken(one: Contribution) -> str:
    """A word with the sign of what it speaks for, and where it stood if that was not the text."""
    bare, place = feature_text(one.word, one.place), place_text(one.place)
    where = "" if place in ("", place_text("body")) else f" ({place})"
    return f"{'+' if one.contribution > 0 else '-'}{bare}{where}"


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise WalkFailed(otherwise)
