"""Operation and inspection of the window of a running program."""

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QEventLoop, QObject, QTimer

from nbmail.app.program import Program
from nbmail.ui.list.contents.mail_list import MailList
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.values import AccountState, Phase
from nbmail.worker.protocol.events import Event, Learned
from nbmail.worker.protocol.ticket import Ticket

T = TypeVar("T")

TIMEOUT = 60.0
POLL_MILLISECONDS = 20


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
        """Run the event loop until `condition` is true.

        `what` names it in the message after a timeout.
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
        """True once the window shows all effects of earlier actions.

        Asks the engine, until it is idle.
        """
        if self._idle is None:
            self._idle = self.program.engine.is_idle()
        if self._idle.is_pending:
            return False
        asked = self._idle
        self._idle = None
        return asked.result(0)

    def known(self, label: str) -> int:
        """Return the number of learned messages with a label."""
        if self.learned is None:
            return 0
        return sum(each.messages for each in self.learned.classes if each.name == label)

    @property
    def mail(self) -> MailList:
        return self.parts.model.mail

    def inbox(self) -> list[int]:
        """Return the messages of the inbox, the newest first."""
        inboxes = [name for name in self.mail.folder_names if name.folder == "INBOX"]
        if not inboxes:
            return []
        here = np.flatnonzero(self.mail.mask(Choice(folder=inboxes[0])))
        order = here[np.argsort(-self.mail.dates[here], kind="stable")]
        return [int(number) for number in self.mail.messages[order]]

    def wait_for_mail(self, messages: int) -> None:
        """Wait until the inbox has at least this many messages and all work is done."""
        self.wait(
            "the mail to arrive",
            lambda: self.synced and len(self.inbox()) >= messages and self.is_quiet(),
        )

    def mark(self, action: str, label: str, change: int) -> None:
        """Trigger an action on the selected message.

        Wait until the number of learned messages with `label` has changed by `change`.
        """
        count = self.known(label) + change
        self.trigger(action)
        self.wait(f"{action} ({label})", lambda: self.known(label) == count)
        self.wait("the new scores", self.is_quiet)

    def trigger(self, action: str) -> None:
        self.parts.actions.by_name[action].trigger()

    def open_message(self, message: int) -> None:
        """Select a message, and wait for its text and reasons."""
        self.parts.updates.show_choice(Choice(Kind.ALL))
        self.parts.table.go_to_message(message)
        self.wait("the text and the reasons of a message", lambda: self.has_read(message))

    def has_read(self, message: int) -> bool:
        """True if the window shows the text and the current reasons of a message."""
        shown = self.parts.message.shown_message
        if shown is None or shown.message != message:
            return False
        reasons = self.parts.evidence
        return reasons.why is not None and not reasons.table.faded
