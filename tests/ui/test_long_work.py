"""Long work over the real engine: taken back, done again, gone back and marked by the hundred, and stopped midway."""

import contextlib
import re
import time

import pytest
from PySide6.QtWidgets import QMessageBox

from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.ui.actions import user_actions
from nbmail.ui.actions.long_work import stopped_words
from nbmail.ui.actions.undo_redo import turning_stopped_words
from nbmail.ui.past.past_window import HistoryDialog
from nbmail.worker import protocol as say
from nbmail.worker.marking.label_job import Bulk
from nbmail.worker.marking.undo_redo import Journey
from tests.ui.real import RealHouse

PATIENCE = 10_000
MANY = 120


@pytest.fixture
def house(qtbot, tmp_path, monkeypatch):
    """A folder of 120 messages learned as junk, and thirty good ones; steps are turned four labels at a time."""
    monkeypatch.setattr("nbmail.worker.marking.undo_redo.PIECE", 4)
    monkeypatch.setattr("nbmail.worker.marking.undo_redo.TOGETHER", 1)
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
    qtbot.waitUntil(lambda: not house.window.talk.questions, timeout=PATIENCE)


def junk(house):
    """How many messages the list shows as marked junk."""
    mail = house.window.model.mail
    return sum(mail.label_names[label] == "junk" for label in mail.labels.tolist() if label >= 0)


@pytest.fixture
def wait(house):
    """From the third piece on the engine does nothing before somebody presses Cancel."""

    @contextlib.contextmanager
    def waiting(owner, name):
        inner, pieces = getattr(owner, name), []

        def wait_and_go(*arguments):
            pieces.append(arguments)
            ends = time.monotonic() + PATIENCE / 1000
            while len(pieces) > 2 and not house.engine._agenda.is_urged() and time.monotonic() < ends:
                time.sleep(0.001)
            return inner(*arguments)

        setattr(owner, name, wait_and_go)
        try:
            yield
        finally:
            setattr(owner, name, inner)

    return waiting


def press_undo(house, qtbot):
    user_actions.undo(house.window)
    qtbot.waitUntil(lambda: house.window.findChildren(QMessageBox) != [], timeout=PATIENCE)
    accept(house.window)


def accept(widget):
    box = widget.findChildren(QMessageBox)[0]
    next(button for button in box.buttons() if button is not box.escapeButton()).click()


def stop(house, qtbot):
    """Press Cancel in the status line once it is there; what is said then."""
    status = house.window.status
    qtbot.waitUntil(status._cancel.isVisible, timeout=PATIENCE)
    shown = status._work.text()
    status._cancel.click()
    qtbot.waitUntil(lambda: status.text().startswith("Stopped"), timeout=PATIENCE)
    settle(house, qtbot)
    assert not status._cancel.isVisible()
    return shown, status.text()


def figures(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def test_a_stopped_undo_says_how_far_it_came_and_the_next_goes_on(house, qtbot, wait):
    status = house.window.status
    with wait(Journey, "go"):
        press_undo(house, qtbot)
        shown, said = stop(house, qtbot)
    assert re.fullmatch(r"Taking back \d+ / 120", shown)
    assert "Undo takes back the rest" in said
    done, total = figures(said)
    assert (0 < done < total, total) == (True, MANY)
    qtbot.waitUntil(lambda: junk(house) == MANY - done, timeout=PATIENCE)
    assert status._undo.isVisible()
    status._undo.click()
    qtbot.waitUntil(lambda: house.window.findChildren(QMessageBox) != [], timeout=PATIENCE)
    accept(house.window)
    qtbot.waitUntil(lambda: "Took back: learning 120 messages from Junk" in status.text(), timeout=PATIENCE)
    assert junk(house) == 0
    status._redo.click()
    qtbot.waitUntil(lambda: "Did again" in status.text(), timeout=PATIENCE)
    assert junk(house) == MANY


def test_a_stopped_redo_can_be_taken_back(house, qtbot, wait):
    press_undo(house, qtbot)
    qtbot.waitUntil(lambda: "Took back" in house.window.status.text(), timeout=PATIENCE)
    qtbot.waitUntil(lambda: house.window.findChildren(QMessageBox) == [], timeout=PATIENCE)
    with wait(Journey, "go"):
        user_actions.redo(house.window)
        shown, said = stop(house, qtbot)
    assert shown.startswith("Doing again ")
    done, _ = figures(said)
    qtbot.waitUntil(lambda: junk(house) == done, timeout=PATIENCE)
    press_undo(house, qtbot)
    qtbot.waitUntil(lambda: junk(house) == 0, timeout=PATIENCE)
    settle(house, qtbot)


def test_a_journey_is_shown_and_stopped_in_its_own_window(house, qtbot, wait):
    house.window.actions_by_name["history"].trigger()
    dialog = house.window.findChild(HistoryDialog)
    settle(house, qtbot)
    dialog.marks.table.go_to(dialog.marks.table.list.rowCount() - 1)
    with wait(Journey, "go"):
        dialog.marks.ask_to_go_back()
        accept(dialog)
        qtbot.waitUntil(dialog.cancel_button.isVisible, timeout=PATIENCE)
        assert re.fullmatch(r"Going back… \d+ / 150", dialog.said.text())
        dialog.cancel_button.click()
        qtbot.waitUntil(lambda: dialog.said.text().startswith("Stopped after "), timeout=PATIENCE)
    settle(house, qtbot)
    assert not dialog.cancel_button.isVisible()
    assert dialog.undo_button.isVisible()
    assert not house.window.status._cancel.isVisible()
    done, total = figures(dialog.said.text())
    assert (0 < done < total, total) == (True, 150)
    # The question is gone for good only once the loop has turned.
    qtbot.waitUntil(lambda: dialog.findChildren(QMessageBox) == [], timeout=PATIENCE)
    dialog.undo_button.click()
    qtbot.waitUntil(lambda: dialog.said.text().startswith("Took back: going back to"), timeout=PATIENCE)
    qtbot.waitUntil(lambda: junk(house) == MANY, timeout=PATIENCE)


def test_marking_many_shows_how_far_it_is_and_its_rows_are_true_when_it_is_stopped(house, qtbot, wait):
    house.window.table.choose_all()
    with wait(Bulk, "next_piece"):
        user_actions.mark_good(house.window)
        shown, said = stop(house, qtbot)
    assert re.fullmatch(r"Marking \d+ / 150", shown)
    done, total = figures(said)
    assert (0 < done < total, total) == (True, 150)
    settle(house, qtbot)
    listed = []
    house.window.talk.ask(say.ListMail(), listed.append)
    settle(house, qtbot)
    (rows,) = listed
    assert junk(house) == rows.labels.tolist().count(rows.label_names.index("junk")) > 0
    user_actions.undo(house.window)
    qtbot.waitUntil(lambda: junk(house) == MANY, timeout=PATIENCE)


def test_words_for_every_end():
    some, whole = say.Progress(1, 40, 900), say.Progress(1, 900, 900)
    for command in (say.Undo(), say.Redo(), say.GoBack(1.0)):
        assert turning_stopped_words(command, None) == "Stopped before anything was changed."
        assert "40 of 900" in turning_stopped_words(command, some)
        assert turning_stopped_words(command, whole) == "All 900 marks were changed before it could be stopped."
    assert stopped_words(some) == "Stopped at 40 of 900."
    assert stopped_words(None) == "Stopped."


def test_too_late_to_stop_offers_the_way_that_leads_on(window, qtbot):
    """The engine had turned everything and was only scoring anew."""
    window.engine.silent = (say.Redo, say.Undo)
    for command, act in ((say.Redo, user_actions.redo), (say.Undo, user_actions.undo)):
        act(window)
        ticket = next(t for t, question in window.talk.questions.items() if isinstance(question.command, command))
        window.bridge.emit_event(say.Progress(ticket, 90, 90))
        window.bridge.emit_event(say.Cancelled(ticket))
        qtbot.waitUntil(lambda: window.status.text().startswith("All 90 marks"), timeout=PATIENCE)
        assert window.status._undo.isVisible() == (command is say.Redo)
        assert window.status._redo.isVisible() == (command is say.Undo)
        window.status.settle()
