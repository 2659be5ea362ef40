"""Long work over the real engine: taken back, done again, gone back and marked by the hundred."""

import time

import pytest
from PySide6.QtWidgets import QMessageBox

from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.ui.actions.long_work import stopped_words
from nbmail.worker import protocol as say
from tests.ui.real import RealHouse

PATIENCE = 10_000
MANY = 120


@pytest.fixture
def house(qtbot, tmp_path):
    """A folder of 120 messages learned as junk, and thirty good ones."""
    house = RealHouse(tmp_path)
    qtbot.addWidget(house.window)
    mails = demo_mailbox(demo_folder(), time.time())
    good = [mail.raw for mail in mails if not mail.is_junk][:30]
    house.deliver("Sorted", good)
    house.deliver("Junk", [mail.raw for mail in mails if mail.raw not in good][:MANY])
    qtbot.waitUntil(lambda: house.window.model.rowCount() == 30 + MANY, timeout=PATIENCE)
    house.label_folder("Sorted", "good")
    house.label_folder("Junk", "junk")
    settle(house, qtbot)
    yield house
    house.close()


def settle(house, qtbot):
    """Wait until every command has been answered."""
    qtbot.waitUntil(lambda: not house.window.requests.pending, timeout=PATIENCE)


def junk(house):
    """How many messages the list shows as marked junk."""
    mail = house.window.model.mail
    return sum(mail.label_names[label] == "junk" for label in mail.labels.tolist() if label >= 0)


def accept(widget, qtbot):
    """Say yes to the question over this window."""
    qtbot.waitUntil(lambda: widget.findChildren(QMessageBox) != [], timeout=PATIENCE)
    box = widget.findChildren(QMessageBox)[0]
    next(button for button in box.buttons() if button is not box.escapeButton()).click()


def test_a_whole_folder_is_taken_back_and_done_again(house, qtbot):
    status = house.window.status
    house.window.actions_by_name["undo"].trigger()
    accept(house.window, qtbot)
    qtbot.waitUntil(lambda: "Took back: learning 120 messages from Junk" in status.text(), timeout=PATIENCE)
    assert not status._cancel.isVisible()
    settle(house, qtbot)
    assert junk(house) == 0
    status._redo.click()
    qtbot.waitUntil(lambda: "Did again" in status.text(), timeout=PATIENCE)
    settle(house, qtbot)
    assert junk(house) == MANY


def test_marking_many_shows_how_far_it_is_and_can_be_stopped(window, qtbot):
    """What was marked until then stays, can be taken back, and the rows are shown as they are."""
    window.engine.silent = (say.Mark,)
    window.table.choose_all()
    window.actions_by_name["good"].trigger()
    ticket = next(ticket for ticket, each in window.requests.pending.items() if isinstance(each.command, say.Mark))
    window.hear(say.Progress(ticket, 20, 60))
    assert window.status._work.text() == "Marking 20 / 60"
    window.status._cancel.click()
    assert say.Cancel(ticket) in window.engine.heard
    window.hear(say.Cancelled(ticket))
    assert window.status.text() == "Stopped: 20 of 60 messages are marked. Undo takes these marks back."
    assert window.status._undo.isVisible()
    assert not window.status._cancel.isVisible()
    assert isinstance(window.engine.heard[-1], say.ListMail)


def test_what_is_done_as_a_whole_shows_how_far_it_is_and_no_button_to_stop_it(window):
    window.engine.silent = (say.Redo,)
    window.actions_by_name["redo"].setEnabled(True)
    window.actions_by_name["redo"].trigger()
    ticket = next(ticket for ticket, each in window.requests.pending.items() if isinstance(each.command, say.Redo))
    window.hear(say.Progress(ticket, 20, 60))
    assert window.status._work.text() == "Doing again 20 / 60"
    assert not window.status._cancel.isVisible()


def test_words_for_every_end():
    assert stopped_words(say.Progress(1, 40, 900)) == "Stopped at 40 of 900."
    assert stopped_words(say.Progress(1, 40, 0)) == stopped_words(None) == "Stopped."
