"""What the tests of the window share."""

import time
from types import MappingProxyType

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMessageBox

from nbmail.settings import Account, Settings
from nbmail.ui.model.model_window import ModelWindow
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.main_window import MainWindow
from nbmail.values import AccountState, Phase
from nbmail.worker.protocol.events import AccountChanged
from tests.ui.scripted import JUNKERS, NOW, ScriptedEngine, make_rows

PARTS = (
    *("engine", "model", "table", "head", "search", "sidebar_model", "sidebar", "message", "evidence", "reader"),
    *("status", "banner", "offers", "learning_bar", "training", "welcome", "panes", "accounts", "model_files"),
    "reasons",
)
MOMENT = 10
"""Seconds in which a dialog opens, however busy the machine is."""


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


def ignore():
    """End a search that has not begun."""


class Calls:
    """Accounts and searches that only note their calls as tuples in `calls`."""

    results = MappingProxyType({"find_settings": ignore, "list_folders": ignore, "open_demo": False})

    def __init__(self, calls):
        self._calls = calls

    def __getattr__(self, name):
        def call(*given):
            self._calls.append((name, *given))
            return self.results.get(name)

        return call


def main_window(engine, bridge, settings, calls=None, **more):
    """A window whose accounts and searches only note their calls in `calls`."""
    noted = Calls([] if calls is None else calls)
    services = {"accounts": noted, "searches": noted, "save_settings": noted.save_settings}
    return MainWindow(engine, bridge, settings, **services, **more)


def build(window):
    """Show the window and make its parts attributes of the window."""
    window.show()
    window.actions_by_name, window.show_choice = window.parts.actions.by_name, window.parts.updates.show_choice
    window.hear = window.parts.receive
    for name in PARTS:
        setattr(window, name, getattr(window.parts, name))
    return window


def open_window(count=60, *, rows=None, settings=None, paths=None, calibrated=True, size=(1280, 800), **engine):
    """A window over made-up mail and a scripted engine; `engine`, `bridge` and `calls` hang on it."""
    bridge, calls = Bridge(), []
    rows = rows if rows is not None else make_rows(count, calibrated=calibrated)
    answering = ScriptedEngine(bridge.emit_event, rows, calibrated=calibrated, **engine)
    settings = settings if settings is not None else Settings(accounts=(Account("home"),), theme="light")
    window = main_window(answering, bridge, settings, calls, paths=paths, clock=lambda: NOW + 60)
    window.engine, window.bridge, window.calls = answering, bridge, calls
    answering.deliver = window.parts.receive
    window.resize(*size)
    return build(window)


def heard(window, kind):
    """The commands of a kind that the engine has heard."""
    return [command for command in window.engine.heard if isinstance(command, kind)]


def ticket_of(window, kind):
    """The ticket of a command of a kind that has not been answered, as soon as there is one."""
    return wait_for(lambda: window.engine.open_ticket(kind))


def show_account(window, phase=Phase.SYNCED, account="home", *, at=NOW, **more):
    """The account is so now."""
    window.hear(AccountChanged(AccountState(account, phase, at, **more)))


def say_yes(box):
    """Give the answer that does something."""
    next(button for button in box.buttons() if button is not box.escapeButton()).click()


def question(parent):
    """The question that waits over a window, as soon as there is one: nothing is done where nobody answers."""
    box = wait_for(lambda: [each for each in parent.findChildren(QMessageBox) if each.isVisible()])[0]
    assert box.defaultButton() is box.escapeButton()
    return box


def answer(parent, *, yes):
    """Answer the question that waits, and wait until it is gone."""
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
    """What is on top of a window: a menu, a question, a window beside it; else the window itself."""
    beside = next((each for each in window.findChildren(QDialog) if each.isVisible()), window)
    return QApplication.activePopupWidget() or QApplication.activeModalWidget() or beside


def put_away(window):
    """Close it with all that is on top of it."""
    for on_top in (QApplication.activePopupWidget, QApplication.activeModalWidget):
        while on_top():
            on_top().close()
            wait(0)
    window.close()
    window.deleteLater()


def trigger(window, action):
    window.actions_by_name[action].trigger()


def model_window(window):
    """The window about the model, once it is there."""
    return wait_for(lambda: window.findChild(ModelWindow))


def junk_row(window):
    """The first row that is junk."""
    senders = window.model.mail.senders
    return next(row for row, place in enumerate(window.model.mail.order) if senders[place] in JUNKERS)


def said(part):
    """All words that a part of the window shows, or would show."""
    return " ".join(label.text() for label in part.findChildren(QLabel) if label.text())
