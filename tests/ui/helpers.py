"""Helpers of the tests of the window."""

import time
from collections import deque
from types import MappingProxyType, SimpleNamespace

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMessageBox, QPushButton

from nbmail.ui.accounts.training_result import TrainingResult
from nbmail.ui.list.table.mail_model import MailModel
from nbmail.ui.model.model_window import ModelWindow
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.main_window import MainWindow
from nbmail.values import VERDICTS, AccountState, Phase
from nbmail.worker.protocol.events import TicketChanged
from nbmail.worker.protocol.ticket import Ticket

PARTS = (
    *(
        "engine",
        "model",
        "table",
        "head",
        "search",
        "sidebar_model",
        "sidebar",
        "message",
        "evidence",
        "reader",
    ),
    *(
        "status",
        "banner",
        "offers",
        "learning_bar",
        "training",
        "welcome",
        "panes",
        "accounts",
        "model_files",
    ),
    "reasons",
)
MOMENT = 60
"""Seconds in which a dialog opens, however busy the machine is."""
LONGEST_PAUSE = 1000
"""Milliseconds that a change of what the window shows is put off, at most."""


def wait(milliseconds):
    """Let the window live for a moment."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def wait_for(there):
    """Wait until this gives something, and give it."""
    end = time.monotonic() + MOMENT
    while not (found := there()):
        if time.monotonic() > end:
            raise TimeoutError(there)
        wait(10)
    return found


def is_idle(window):
    """True if all answers have arrived, except held ones, and no timer will change the window."""
    return _has_arrived(window) and not _due_timers(window)


def end_pauses(window):
    """Run out the timers that are about to change the window, and return whether there was none.

    The window waits for them so that it redraws once for many events. A test has no reason to wait.
    """
    if not _has_arrived(window):
        return False
    due = _due_timers(window)
    for timer in due:
        timer.stop()
        timer.timeout.emit()
    return not due


def _has_arrived(window):
    """True if all events, and all results but held ones, have arrived."""
    return not window.engine.is_waiting and not window.bridge.is_waiting


def _due_timers(window):
    return [timer for timer in window.findChildren(QTimer) if _is_due(timer)]


def _is_due(timer):
    """True if the timer runs and will change what the window shows."""
    parent = timer.parent()
    is_unseen = isinstance(parent, MailModel) or (
        isinstance(parent, TrainingResult) and not parent.isVisible()
    )
    return (
        timer.isActive()
        and timer.isSingleShot()
        and timer.interval() <= LONGEST_PAUSE
        and not is_unseen
    )


class WatchedBridge(Bridge):
    """The bridge of the program. `is_waiting`: calls are not delivered yet."""

    def __init__(self):
        super().__init__()
        self._calls = deque()

    @property
    def is_waiting(self):
        return bool(self._calls)

    def call(self, act):
        self._calls.append(act)
        super().call(self._deliver_next)

    def _deliver_next(self):
        self._calls.popleft()()

    def close(self):
        super().close()
        self._calls.clear()


def ignore():
    """End a search that has not begun."""


class WatchedEngine:
    """The engine as the window sees it. Notes requests, answers some of them, and can hold them.

    `script`: functions whose results replace those of the engine's methods of the same names.
    `calls`: names and arguments of the requests, named arguments as a last dictionary. `held`:
    names of requests that only the test ends, by their tickets. `deliver`: called with the events
    of held tickets; None for `emit`.
    """

    def __init__(self, engine, emit):
        self._engine = engine
        self._emit = emit
        self.deliver = None
        self.script = SimpleNamespace()
        self.calls = []
        self.held = set()
        self.cancelled = []
        self._tickets = []

    def __getattr__(self, name):
        def request(*given, **more):
            self.calls.append((name, *given, more) if more else (name, *given))
            if name in self.held:
                ticket = self._open(self.deliver or self._emit)
            elif answer := getattr(self.script, name, None):
                ticket = self._open(self._emit)
                ticket.finish(answer(*given, **more))
            else:
                ticket = getattr(self._engine, name)(*given, **more)
            self._tickets.append((name, ticket))
            return ticket

        return request

    def _open(self, emit):
        ticket = Ticket(
            lambda each: emit(TicketChanged(each)), lambda: self.cancelled.append(ticket)
        )
        return ticket

    def requests(self, name):
        return [given for called, *given in self.calls if called == name]

    @property
    def is_waiting(self):
        """True if any request but the held ones has not ended."""
        return any(ticket.is_pending and name not in self.held for name, ticket in self._tickets)

    @property
    def pending(self):
        """The tickets whose end is not delivered yet."""
        return [ticket for _, ticket in self._tickets if ticket.is_pending]

    def ticket(self, name):
        """The first ticket of a request of this name that has not ended, None without one."""
        return next(
            (ticket for called, ticket in self._tickets if called == name and ticket.is_pending),
            None,
        )


class Calls:
    """Accounts, searches and desktop that only note their calls as tuples in `calls`."""

    results = MappingProxyType(
        {
            "find_settings": ignore,
            "test_account": ignore,
            "sign_in": ignore,
            "load_pictures": ignore,
            "open_program": False,
        }
    )

    def __init__(self, calls):
        self._calls = calls

    def __getattr__(self, name):
        def call(*given, **named):
            self._calls.append((name, *given, *named.items()))
            return self.results.get(name)

        return call


def main_window(engine, bridge, settings, calls, *, size=None, **more):
    """Show a window whose services only note their calls. Its parts are its attributes."""
    if QApplication.instance().styleSheet():
        # With the style sheet of the window before, each change of the layout would be slow.
        QApplication.instance().setStyleSheet("")
    noted = Calls(calls)
    services = {
        "accounts": noted,
        "searches": noted,
        "desktop": noted,
        "save_settings": noted.save_settings,
    }
    window = MainWindow(engine, bridge, settings, **services, **more)
    if size is not None:
        window.resize(*size)
    window.show()
    window.script = engine.script
    window.bridge = bridge
    window.calls = calls
    engine.deliver = window.parts.receive
    window.actions_by_name = window.parts.actions.by_name
    window.show_choice = window.parts.updates.show_choice
    window.receive = window.parts.receive
    for name in PARTS:
        setattr(window, name, getattr(window.parts, name))
    return window


def ticket_of(window, name):
    """Wait for a request of this name that has not ended, and return its ticket."""
    return wait_for(lambda: window.engine.ticket(name))


def show_account(window, phase=Phase.SYNCED, account="home", *, at=None, **more):
    window.receive(AccountState(account, phase, time.time() - 60 if at is None else at, **more))


def say_yes(box):
    """Give the answer that does something."""
    next(button for button in box.buttons() if button is not box.escapeButton()).click()


def question(parent):
    """Wait for the question over a window. Its default does nothing."""
    box = wait_for(lambda: [each for each in parent.findChildren(QMessageBox) if each.isVisible()])[
        0
    ]
    assert box.defaultButton() is box.escapeButton()
    return box


def answer(parent, *, yes):
    box = question(parent)
    if yes:
        say_yes(box)
    else:
        box.defaultButton().click()
    wait_for(lambda: not parent.findChildren(QMessageBox))


def dialog(kind=QDialog):
    """The dialog on top, once it is there."""

    def on_top():
        top = QApplication.activeModalWidget()
        return top if isinstance(top, kind) else None

    return wait_for(on_top)


def place_of(window):
    """Return what is on top: a menu, a question, a window beside it, or the window itself."""
    beside = next((each for each in window.findChildren(QDialog) if each.isVisible()), window)
    return QApplication.activePopupWidget() or QApplication.activeModalWidget() or beside


def printer_to(path):
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(path))
    return printer


def put_away(window):
    for on_top in (QApplication.activePopupWidget, QApplication.activeModalWidget):
        while on_top():
            on_top().close()
            wait(0)
    window.close()
    window.deleteLater()
    delete_closed_windows()


def delete_closed_windows():
    """Delete the windows that Qt would delete in its next event loop.

    A style sheet is applied to every window that still exists.
    """
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def trigger(window, action):
    window.actions_by_name[action].trigger()


def model_window(window):
    """The window about the model, once it is there."""
    return wait_for(lambda: window.findChild(ModelWindow))


def row_called(window, verdict):
    """The first unmarked message with this verdict."""
    mail = window.model.mail
    wanted = VERDICTS.index(verdict)
    rows = (
        row
        for row, place in enumerate(mail.order)
        if mail.verdicts[place] == wanted and mail.labels[place] < 0
    )
    return next(rows)


def offers(window):
    """The buttons beside the message, by their words."""
    return {
        button.text(): button
        for button in window.message.notes.offers.findChildren(QPushButton)
        if not button.isHidden()
    }


def said(part):
    """All words that a part of the window shows, or would show."""
    return " ".join(label.text() for label in part.findChildren(QLabel) if label.text())
