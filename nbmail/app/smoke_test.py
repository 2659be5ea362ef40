"""Smoke test: the program operates its own window on the demo's mailbox and checks each result."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication

from nbmail.app.run import Program
from nbmail.core.counting.arrays import FloatArray
from nbmail.core.explaining.explanation import Contribution
from nbmail.demo.home import DemoHome
from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.ui.evidence.feature_texts import feature_text, place_text
from nbmail.ui.list.contents.mail_list import MailList
from nbmail.ui.list.list_choice import Choice, Column, Kind
from nbmail.values import INBOX, AccountState, Arrival, Delivery, FolderName, Phase
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.events import Event, Learned
from nbmail.worker.protocol.ticket import Ticket

T = TypeVar("T")

TIMEOUT = 60.0
POLL_MILLISECONDS = 20
MIN_INBOX = 250
"""Messages in the inbox; the demo has more."""
MIN_TRAINED = 30
"""Messages of each class in the sorted folders of the demo."""
TOLERANCE = 1e-9
"""Difference of equal scores: the order of a sum can differ."""
SHOWN = 36
"""Newest messages that the tour lists."""
COLUMNS = {Column.CHANCE: 17, Column.VERDICT: 8, Column.SENDER: 20, Column.SUBJECT: 42}
"""Columns of the tour's table and their widths."""
SPAM_SUBJECT = "lovely to bump into you"
HAM_SUBJECT = "You have won!!! (raffle, second prize)"
"""Subjects that mislead: an investment fraud in a friend's tone, and a raffle of the user's
choir.
"""

Scores = dict[tuple[str, str, float], float]
"""Scores by sender, subject and date, which are the same in every data folder."""


class CheckFailed(Exception):
    """Failure or timeout of a check, named in the text."""


class WindowDriver(QObject):
    """Operates and inspects the window of a running program. Has no signals."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.program = program
        self.window = program.window
        self.parts = program.window.parts
        self.learned: Learned | None = None
        self.synced = False
        self._idle: Ticket[bool] | None = None
        program.bridge.arrived.connect(self._receive)

    def _receive(self, event: Event) -> None:
        if isinstance(event, Learned):
            self.learned = event
        if isinstance(event, AccountState):
            self.synced = event.phase == Phase.SYNCED

    def wait(self, what: str, condition: Callable[[], object]) -> None:
        """Run the event loop until `condition` is true. `what` names it in the message after a
        timeout.
        """
        loop = QEventLoop()
        deadline = time.monotonic() + TIMEOUT
        while not condition():
            if time.monotonic() > deadline:
                raise CheckFailed(f"timed out after {TIMEOUT:.0f} seconds waiting for {what}")
            QTimer.singleShot(POLL_MILLISECONDS, loop.quit)
            if loop.exec() < 0:
                raise CheckFailed("nbmail was closed")

    def result(self, ticket: Ticket[T], what: str) -> T:
        self.wait(what, lambda: not ticket.is_pending)
        return ticket.result(0)

    def is_quiet(self) -> bool:
        """True once the window shows all effects of earlier actions. Asks the engine, until it is
        idle.
        """
        if self._idle is None:
            self._idle = self.program.engine.is_idle()
        if self._idle.is_pending:
            return False
        asked = self._idle
        self._idle = None
        return asked.result(0)

    def known(self, label: str) -> int:
        classes = self.learned.classes if self.learned else ()
        return sum(each.messages for each in classes if each.name == label)

    @property
    def mail(self) -> MailList:
        return self.parts.model.mail

    def inbox(self) -> list[int]:
        inbox = next((name for name in self.mail.folder_names if name.folder == "INBOX"), None)
        if inbox is None:
            return []
        here = np.flatnonzero(self.mail.mask(Choice(folder=inbox)))
        order = here[np.argsort(-self.mail.dates[here], kind="stable")]
        return [int(number) for number in self.mail.messages[order]]

    def scores(self, messages: list[int]) -> FloatArray:
        return np.array(self.mail.log_odds[self.mail.find(messages)])

    def trigger(self, action: str) -> None:
        self.parts.actions.by_name[action].trigger()

    def select(self, message: int) -> None:
        self.parts.updates.show_choice(Choice(Kind.ALL))
        self.parts.table.go_to_message(message)

    def has_read(self, message: int) -> bool:
        """True if the window shows the text and the current reasons of a message."""
        shown = self.parts.message.shown_message
        reasons = self.parts.evidence
        return (
            shown is not None
            and shown.message == message
            and reasons.why is not None
            and not reasons.table.faded
        )


class SmokeTest:
    """Syncs, reads, explains, marks, undoes and exports. Prints a sentence about each check.

    Without `pictures`, a self-test: it also imports the model into a second data folder. With this
    folder, a tour: it prints the inbox before and after the marks, and stores pictures and the
    model file there.
    """

    def __init__(
        self, home: DemoHome, print_line: Callable[[str], None], pictures: Path | None = None
    ) -> None:
        self._home = home
        self._print = print_line
        self._pictures = pictures
        self._chances: dict[int, str] = {}

    def begin(self, program: Program) -> None:
        self._driver = WindowDriver(program)
        failure = "something went wrong inside nbmail"
        try:
            self._run()
            failure = ""
        except (CheckFailed, KnownError) as error:
            failure = str(error)
        finally:
            self._print(f"Self-test failed: {failure}." if failure else "All checks passed.")
            QApplication.exit(1 if failure else 0)

    def _run(self) -> None:
        driver = self._driver
        driver.wait(
            "the mail to arrive",
            lambda: driver.synced and len(driver.inbox()) >= MIN_INBOX and driver.is_quiet(),
        )
        inbox = driver.inbox()
        self._check_arrival(inbox)
        self._check_evidence(inbox[0])
        marked = {"spam": self._find(SPAM_SUBJECT), "ham": self._find(HAM_SUBJECT)}
        shown = list(dict.fromkeys([*inbox[:SHOWN], *marked.values()]))
        self._show("The inbox before your marks:", shown)
        self._picture("1-inbox")
        for label, message in marked.items():
            self._check_mark_and_undo(inbox, label, message)
        self._show("The same messages after two marks (earlier chance in brackets):", shown)
        self._check_model_file(inbox)

    def _check_arrival(self, inbox: list[int]) -> None:
        driver = self._driver
        spam = driver.known("spam")
        ham = driver.known("ham")
        _demand(spam >= MIN_TRAINED <= ham, "too little was learned from the sorted mail")
        _demand(
            bool(np.isfinite(driver.scores(inbox)).all()),
            "some messages of the inbox have no score",
        )
        _demand(driver.parts.model.rowCount() >= len(inbox), "the list does not show all messages")
        folders = {name.folder: count for name, (count, _) in driver.mail.count_folders().items()}
        parts = ", ".join(f"{count} in {name}" for name, count in folders.items())
        self._print(f"Synced {sum(folders.values())} messages ({parts}); each has a score.")
        self._print(f"Learned from {spam} spam and {ham} good messages that were already sorted.")

    def _check_evidence(self, message: int) -> None:
        driver = self._driver
        engine = self._driver.program.engine
        score = float(driver.scores([message])[0])
        text = engine.read_message(message)
        why = engine.explain(message)
        read = driver.result(text, "a message's text")
        explanation = driver.result(why, "a message's reasons")
        _demand(bool(read.headers), "the message to read has no headers")
        _demand(bool(explanation.contributions), "a score has no reasons")
        total = (
            explanation.prior
            + sum(each.contribution for each in explanation.contributions)
            + explanation.weaker
        )
        gap = abs(total + explanation.calibration - explanation.log_odds)
        _demand(gap < TOLERANCE, "the reasons do not add up to the score")
        listed = (
            explanation.probability is not None or abs(explanation.log_odds - score) < TOLERANCE
        )
        _demand(listed, "the list and the reasons disagree about a score")
        self._print("A message opens, and its reasons add up to its score.")

    def _check_mark_and_undo(self, inbox: list[int], label: str, message: int) -> None:
        driver = self._driver
        before = driver.scores(inbox)
        known = driver.known(label)
        learned = driver.learned
        self._select(message)
        self._trigger(label, label, known + 1)
        reported = driver.parts.status.text()
        _demand(
            float(np.abs(driver.scores(inbox) - before).max()) > TOLERANCE,
            f"a mark as {label} changed no score",
        )
        self._trigger("undo", label, known)
        same = (
            driver.learned is not None
            and learned is not None
            and driver.learned.classes == learned.classes
        )
        same = same and np.allclose(driver.scores(inbox), before, rtol=0, atol=TOLERANCE)
        _demand(same, f"undoing a mark as {label} did not restore every count and score")
        self._trigger("redo", label, known + 1)
        self._select(message)
        driver.wait("the message's reasons", driver.is_quiet)
        self._print(
            f"“{self._cell(message, Column.SUBJECT)}”: {reported} Undo restored every count "
            f"and score exactly."
        )
        self._picture("2-marked-spam" if label == "spam" else "3-marked-good")

    def _select(self, message: int) -> None:
        self._driver.select(message)
        self._driver.wait(
            "the text and the reasons of a message", lambda: self._driver.has_read(message)
        )

    def _trigger(self, action: str, label: str, count: int) -> None:
        """Trigger an action, after which `count` messages with this label are learned."""
        self._driver.trigger(action)
        self._driver.wait(f"{action} ({label})", lambda: self._driver.known(label) == count)
        self._driver.wait("the new scores", self._driver.is_quiet)

    def _check_model_file(self, inbox: list[int]) -> None:
        path = (self._pictures or self._home.folder) / "demo.nbmodel"
        path.unlink(missing_ok=True)
        parts = self._driver.parts
        parts.model_files.export_to(path)
        self._driver.wait("the export", lambda: path.exists() and path.name in parts.status.text())
        if self._pictures is not None:
            self._print(f"Exported the model: {path} ({path.stat().st_size:,} bytes)")
            self._print(f"Pictures of the window: {self._pictures}")
            return
        mail = self._driver.mail
        scores = map(float, self._driver.scores(inbox))
        places = [int(place) for place in mail.find(inbox)]
        names = [
            (mail.senders[place], mail.subjects[place], float(mail.dates[place]))
            for place in places
        ]
        common = check_in_new_home(self._home, path, dict(zip(names, scores, strict=True)))
        self._print(
            f"Exported and imported into an empty data folder, the model gives {common} "
            f"messages identical scores."
        )

    # ------------------------------------------------------------------------------------- output
    # of the tour

    def _show(self, title: str, messages: list[int]) -> None:
        if self._pictures is None:
            return
        whys = {
            message: self._driver.program.engine.explain(message, strongest=3)
            for message in messages
        }
        self._print(f"\n{title}\n")
        self._print(
            _row(["chance", "verdict", "from", "subject", "strongest reasons (+ spam, - good)"])
        )
        for message, why in whys.items():
            cells = [self._cell(message, column) for column in COLUMNS]
            before = self._chances.setdefault(message, cells[0])
            if before != cells[0]:
                cells[0] += f" ({before})"
            strongest = self._driver.result(why, "the reasons of the scores").contributions[:3]
            self._print(_row([*cells, "  ".join(map(_contribution, strongest))]))
        self._print("")

    def _cell(self, message: int, column: Column) -> str:
        return self._driver.parts.model.texts.text(
            int(self._driver.mail.find([message])[0]), column
        )

    def _find(self, subject: str) -> int:
        mail = self._driver.mail
        found = [
            one
            for one in self._driver.inbox()
            if mail.subjects[int(mail.find([one])[0])] == subject
        ]
        _demand(bool(found), f"there is no message “{subject}” in the inbox")
        return found[0]

    def _picture(self, name: str) -> None:
        if self._pictures is not None:
            self._pictures.mkdir(parents=True, exist_ok=True)
            path = self._pictures / f"{name}.png"
            _demand(
                self._driver.window.grab().save(str(path)),
                f"the picture {path} could not be written",
            )


def check_in_new_home(home: DemoHome, model: Path, expected: Scores) -> int:
    """Compare scores with those of the demo's inbox in a data folder that has learned from a model
    file only.

    Return the number of compared messages. The new engine needs time to learn which servers to
    trust.
    """
    paths = Paths.under(home.folder / "second")
    paths.make()
    placed = [one for one in home.mailbox() if one.folder == "INBOX" and not one.delay]
    mail = tuple(
        Arrival(uid, frozenset(), one.received, one.raw, len(one.raw))
        for uid, one in enumerate(placed, 1)
    )
    inbox = FolderName(home.account.name, "INBOX")
    engine = Engine(paths, time.time, lambda event: None, settings=home.settings)
    engine.start()
    try:
        engine.backend.deliver(Delivery(inbox, 1, arrivals=mail, complete=True, special=INBOX))
        engine.import_model(model).result(TIMEOUT)
        deadline = time.monotonic() + TIMEOUT
        agree = False
        while not agree and time.monotonic() < deadline:
            time.sleep(POLL_MILLISECONDS / 1000)
            rows = engine.list_mail().result(TIMEOUT)
            names = zip(rows.senders, rows.subjects, map(float, rows.dates), strict=True)
            found = dict(zip(names, map(float, rows.scores.log_odds), strict=True))
            common = expected.keys() & found.keys()
            agree = all(abs(expected[name] - found[name]) < TOLERANCE for name in common)
    finally:
        engine.stop()
    _demand(len(common) >= MIN_INBOX, "the second data folder lacks messages")
    _demand(agree, "a model file gave other scores in an empty data folder")
    return len(common)


def _row(cells: list[str]) -> str:
    fixed = [
        f"{cell:<{width}.{width}}" for cell, width in zip(cells, COLUMNS.values(), strict=False)
    ]
    return "  ".join([*fixed, cells[-1]])


def _contribution(one: Contribution) -> str:
    """Return a word with the sign of its contribution, and its place if that is not the text."""
    bare = feature_text(one.word)
    place = place_text(one.place)
    where = "" if place in ("", place_text("body")) else f" ({place})"
    return f"{'+' if one.contribution > 0 else '-'}{bare}{where}"


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise CheckFailed(otherwise)
