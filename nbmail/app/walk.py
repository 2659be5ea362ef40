"""Walks through the window as a user would, by its own actions, inside the real event loop."""

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from nbmail.app.program import Program
from nbmail.core.counting.sample import FloatArray
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.list.mail_list import MailList
from nbmail.values import Phase
from nbmail.worker.protocol import AccountChanged, Changed, Command, Event, Failed, Learned

PATIENCE = 60.0
LOOK_MILLISECONDS = 20
QUIET = 0.3
"""Seconds without a change after which everything that follows from an action has arrived."""


class WalkFailed(Exception):
    """A station was not reached, or was not as it should be: the text says which."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Go on when `come` answers something true; `what` is said where that takes too long."""

    what: str
    come: Callable[[], Any]


WalkSteps = Generator[Wait, None, None]


class Walk(QObject):
    """Runs steps: a generator that acts, and yields a `Wait` wherever the program has to catch up.

    Has no signals of its own. When the steps are over, `ended` gets what went wrong, empty if nothing did.
    """

    def __init__(self, steps: WalkSteps, ended: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self._steps, self._ended = steps, ended
        self._wait: Wait | None = None
        self._deadline = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MILLISECONDS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        ended: str | None = "something went wrong inside nbmail"
        try:
            self._step()
            ended = None
        except StopIteration:
            ended = ""
        except WalkFailed as failure:
            ended = str(failure)
        finally:
            if ended is not None:
                self._end(ended)

    def _step(self) -> None:
        if self._wait is None or self._wait.come():
            self._wait = next(self._steps)
            self._deadline = time.monotonic() + PATIENCE
        elif time.monotonic() > self._deadline:
            raise WalkFailed(f"waited {PATIENCE:.0f} seconds in vain for {self._wait.what}")

    def _end(self, failure: str) -> None:
        self._timer.stop()
        self._ended(failure)


class Watch(QObject):
    """What is going on in a running program, to wait for and to look at. Has no signals of its own."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.program = program
        self.window = program.window
        self.learned: Learned | None = None
        self.synced = False
        self._changed = time.monotonic()
        program.bridge.arrived.connect(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Learned):
            self.learned = event
        if isinstance(event, AccountChanged):
            self.synced = event.state.phase == Phase.SYNCED
        if isinstance(event, Learned | Changed):
            self._changed = time.monotonic()

    def quiet(self) -> bool:
        """Whether nothing has changed for a little while, and no question is open."""
        return not self.window.parts.requests.pending and time.monotonic() - self._changed > QUIET

    def until_quiet(self, what: str) -> Wait:
        """Wait until all that follows from the latest action has arrived."""
        self._changed = time.monotonic()
        return Wait(what, self.quiet)

    def known(self, label: str) -> int:
        classes = self.learned.classes if self.learned else ()
        return sum(each.messages for each in classes if each.name == label)

    @property
    def mail(self) -> MailList:
        return self.window.parts.model.mail

    def inbox(self) -> list[int]:
        """The numbers of the inbox's messages, newest first."""
        mail = self.mail
        inbox = next((name for name in mail.folder_names if name.folder == "INBOX"), None)
        if inbox is None:
            return []
        here = np.flatnonzero(mail.mask(Choice(folder=inbox)))
        order = here[np.argsort(-mail.dates[here], kind="stable")]
        return [int(number) for number in mail.messages[order]]

    def scores(self, messages: list[int]) -> FloatArray:
        """Their log-odds of junk, as the window has them."""
        return np.array(self.mail.log_odds[self.mail.find(messages)])

    def press(self, action: str) -> None:
        self.window.parts.actions.by_name[action].trigger()

    def choose(self, message: int) -> None:
        """Put the cursor on a message, in the list of all mail."""
        self.window.parts.updates.show_choice(Choice(Kind.ALL))
        self.window.parts.table.go_to_message(message)

    def ask(self, command: Command) -> Callable[[], Any]:
        """Ask the engine; what is returned answers None until the engine has, then a tuple of its one answer."""
        answers: list[tuple[Any]] = []

        def fail(failure: Failed) -> None:
            answers.append((failure,))

        self.window.parts.requests.ask(command, lambda result: answers.append((result,)), failed=fail)
        return lambda: answers[0] if answers else None


def leave(code: int) -> None:
    """End the event loop with this exit code."""
    QApplication.exit(code)
