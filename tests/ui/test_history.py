"""What nbmail has learned: the journal and the way back, doubtful marks, one sender over time."""

import math
import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QDateTime, Qt
from PySide6.QtWidgets import QAbstractButton, QMessageBox

from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.errors import Trouble
from nbmail.ui.kit import phrases
from nbmail.ui.past import marks_page
from nbmail.ui.past import past_texts as words
from nbmail.ui.past.chance_chart import _steps
from nbmail.ui.past.past_window import PastWindow
from nbmail.worker import protocol as say
from tests.ui.scripted import NOW, make_scores

PATIENCE = 10_000
EACH = 30


@pytest.fixture
def learned(house, qtbot):
    """The demo's mail, thirty messages of each kind learned from folders. `kinds` tells which message is junk."""
    mails = demo_mailbox(demo_folder(), time.time())
    folders = {"Junk": [mail for mail in mails if mail.is_junk][:EACH]}
    folders["Sorted"] = [mail for mail in mails if not mail.is_junk][:EACH]
    for folder, here in folders.items():
        house.deliver(folder, [mail.raw for mail in here], received=[mail.received for mail in here])
    window = house.window
    qtbot.waitUntil(lambda: window.model.rowCount() == 2 * EACH, timeout=PATIENCE)
    house.label_folder("Junk", "junk")
    house.label_folder("Sorted", "good")
    qtbot.waitUntil(lambda: "Learned 30 junk · 30 good" in window.learning_bar.text(), timeout=PATIENCE)
    settle(house, qtbot)
    return house


def settle(house, qtbot):
    """Wait until every command has been answered."""
    qtbot.waitUntil(lambda: not house.window.requests.pending, timeout=PATIENCE)


def open_dialog(house, qtbot, tab=0):
    """The window, at one of its tabs, with its answers there."""
    house.window.actions_by_name["history"].trigger()
    dialog = house.window.findChild(PastWindow)
    dialog.tabs.setCurrentIndex(tab)
    settle(house, qtbot)
    return dialog


def labels(window):
    """The label of every message."""
    mail = window.model.mail
    return dict(zip(mail.messages.tolist(), mail.labels.tolist(), strict=True))


def press(box, role):
    """Press the button of this role."""
    next(each for each in box.buttons() if box.buttonRole(each) == role).click()


def question(dialog):
    """The open question."""
    return next(box for box in dialog.findChildren(QMessageBox) if box.isVisible())


def test_going_back_changes_the_marks_and_undo_restores_them(learned, qtbot):
    window = learned.window
    before = labels(window)
    message = next(each for each, label in before.items() if window.model.mail.label_names[label] == "good")
    learned.mark([message], "junk")
    settle(learned, qtbot)
    turned = labels(window)
    dialog = open_dialog(learned, qtbot)
    newest = dialog.marks.table.current()
    assert (newest.message, newest.before, newest.after, newest.by) == (message, "good", "junk", "user")
    assert dialog.marks.table.list.lines[0].cells[2:] == ("not junk → junk", "you")
    qtbot.mouseClick(dialog.marks.button, Qt.MouseButton.LeftButton)
    assert "Undo brings all of them back" in question(dialog).informativeText()
    press(question(dialog), QMessageBox.ButtonRole.AcceptRole)
    qtbot.waitUntil(lambda: labels(window) == before, timeout=PATIENCE)
    qtbot.waitUntil(lambda: "1 mark changed." in dialog.said.text(), timeout=PATIENCE)
    settle(learned, qtbot)
    assert dialog.marks.table.list.lines[0].about.by == "travel"
    dialog.undo_button.click()
    qtbot.waitUntil(lambda: labels(window) == turned, timeout=PATIENCE)
    qtbot.waitUntil(lambda: dialog.said.text().startswith("Took back: "), timeout=PATIENCE)


def test_going_back_before_a_whole_folder_takes_all_of_it_back(learned, qtbot):
    dialog = open_dialog(learned, qtbot)
    oldest = dialog.marks.table.list.rowCount() - 1
    assert oldest == 2 * EACH - 1
    dialog.marks.table.go_to(oldest)
    dialog.marks.ask_to_go_back()
    press(question(dialog), QMessageBox.ButtonRole.AcceptRole)
    qtbot.waitUntil(lambda: set(labels(learned.window).values()) == {-1}, timeout=PATIENCE)
    qtbot.waitUntil(lambda: f"{2 * EACH} marks changed." in dialog.said.text(), timeout=PATIENCE)


def test_leaving_the_marks_is_the_default(learned, qtbot):
    dialog = open_dialog(learned, qtbot)
    before, lines = labels(learned.window), dialog.marks.table.list.rowCount()
    dialog.marks.ask_to_go_back()
    box = question(dialog)
    assert box.defaultButton() is box.escapeButton()
    box.defaultButton().click()
    settle(learned, qtbot)
    dialog.marks.load()
    settle(learned, qtbot)
    assert labels(learned.window) == before
    assert dialog.marks.table.list.rowCount() == lines


def test_a_new_mark_appears_in_the_open_journal(learned, qtbot):
    dialog = open_dialog(learned, qtbot)
    first = dialog.marks.table.list.lines[0].about
    learned.mark([first.message], None)
    qtbot.waitUntil(lambda: dialog.marks.table.list.lines[0].about.by == "user", timeout=PATIENCE)
    assert dialog.marks.table.list.lines[0].about.after is None


def test_new_lines_do_not_move_what_is_looked_at(learned, qtbot):
    table = open_dialog(learned, qtbot).marks.table
    table.go_to(40)
    current, top = table.current(), table.rowAt(1)
    looked_at = table.list.lines[top].about
    learned.mark([current.message], None)
    qtbot.waitUntil(lambda: table.list.rowCount() == 2 * EACH + 1, timeout=PATIENCE)
    assert table.current() == current
    assert table.list.lines[table.rowAt(1)].about == looked_at


def test_older_marks_come_when_asked_for_and_stay_while_new_ones_come(learned, qtbot, monkeypatch):
    monkeypatch.setattr(marks_page, "MOST", 25)
    page = open_dialog(learned, qtbot).marks
    table, all_of_them = page.table, 2 * EACH
    assert table.list.rowCount() == 25
    assert page.older.isVisible()
    assert "The latest 25 changes" in page.hint.text()
    page.older.click()
    settle(learned, qtbot)
    assert table.list.rowCount() == 50
    learned.mark([table.list.lines[0].about.message], None)
    qtbot.waitUntil(lambda: table.list.rowCount() == 51, timeout=PATIENCE)
    page.older.click()
    settle(learned, qtbot)
    assert table.list.rowCount() == all_of_them + 1
    assert page.older.isHidden()
    numbers = [line.about.number for line in table.list.lines]
    assert numbers == sorted(set(numbers), reverse=True)
    page.load()
    settle(learned, qtbot)
    assert (table.list.rowCount(), page.older.isHidden()) == (all_of_them + 1, True)


@pytest.fixture
def planted(learned, qtbot):
    """One piece of junk is marked good; `planted` is its number."""
    window = learned.window
    names = window.model.mail.label_names
    junk = [each for each, label in labels(window).items() if names[label] == "junk"]
    scores = {each: window.model.score_of(each) for each in junk}
    learned.planted = max(scores, key=scores.get)
    learned.mark([learned.planted], "good")
    settle(learned, qtbot)
    return learned


def test_a_planted_wrong_mark_is_listed_and_can_be_turned(planted, qtbot):
    window = planted.window
    dialog = open_dialog(planted, qtbot, tab=1)
    table = dialog.doubts.table
    listed = [line.about.message for line in table.list.lines]
    assert planted.planted in listed
    table.go_to(listed.index(planted.planted))
    assert table.list.lines[listed.index(planted.planted)].cells[1] == "not junk"
    assert "junk" in table.list.lines[listed.index(planted.planted)].cells[2]
    dialog.doubts.turn.click()
    qtbot.waitUntil(lambda: "Marked junk." in dialog.said.text(), timeout=PATIENCE)
    settle(planted, qtbot)
    names = window.model.mail.label_names
    assert names[labels(window)[planted.planted]] == "junk"
    dialog.doubts.load()
    settle(planted, qtbot)
    assert planted.planted not in [line.about.message for line in table.list.lines]


def test_a_mark_that_is_right_stays_and_is_not_listed_again(planted, qtbot):
    dialog = open_dialog(planted, qtbot, tab=1)
    table, before = dialog.doubts.table, labels(planted.window)
    while table.list.lines:
        dialog.doubts.keep.click()
    assert dialog.doubts.note.text.text() == "No mark is contradicted by the others."
    assert not dialog.doubts.turn.isEnabled()
    dialog.doubts.again.click()
    settle(planted, qtbot)
    assert table.list.lines == []
    assert labels(planted.window) == before


def test_a_double_click_selects_the_message_in_the_main_list(planted, qtbot):
    dialog = open_dialog(planted, qtbot, tab=1)
    table = dialog.doubts.table
    table.go_to(0)
    planted.window.table.go_to(0 if planted.window.model.message_at(0) != table.current().message else 1)
    middle = table.visualRect(table.currentIndex()).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert planted.window.table.current_message() == table.current().message
    dialog.doubts._show_message(replace(table.current(), message=987_654))
    assert "isn't in the list" in dialog.said.text()


def test_a_sender_is_traced_and_the_past_answers(learned, qtbot):
    window = learned.window
    names = window.model.mail.label_names
    message = next(each for each, label in labels(window).items() if names[label] == "junk")
    window.table.go_to_message(message)
    dialog = open_dialog(learned, qtbot, tab=2)
    page = dialog.one_sender
    chances = [chance for _, chance in page.chart.points]
    assert chances[-1] > 0.8
    assert "Not enough yet" in page.answer.text()
    page.when.setDateTime(QDateTime.currentDateTime())
    qtbot.waitUntil(lambda: "junk" in page.answer.text(), timeout=PATIENCE)
    page.chart.setFocus()
    qtbot.keyClick(page.chart, Qt.Key.Key_Home)
    assert page.chart.current == 0
    assert page.chart.accessibleDescription() == page.chart.words() != ""


def test_the_sender_follows_the_main_list(learned, qtbot):
    window = learned.window
    window.table.go_to(0)
    dialog = open_dialog(learned, qtbot, tab=2)
    window.table.go_to(5)
    qtbot.waitUntil(lambda: dialog.one_sender.message == window.table.current_message(), timeout=PATIENCE)
    settle(learned, qtbot)


def test_nothing_marked_yet(house, qtbot):
    dialog = open_dialog(house, qtbot)
    assert "Nothing has been marked yet" in dialog.marks.note.text.text()
    assert not dialog.marks.button.isEnabled()
    dialog.tabs.setCurrentIndex(1)
    assert "Not enough yet" in dialog.doubts.note.text.text()
    dialog.tabs.setCurrentIndex(2)
    assert dialog.one_sender.note.text.text() == "Choose a message in the main window."


# ------------------------------------------------------------------------------------- faults, by a scripted engine


@pytest.fixture
def silent(open_window):
    """A window whose engine never answers questions about the past, and its dialog."""
    window = open_window()
    window.engine.silent = (say.ShowJournal, say.FindSuspicious, say.TraceSender, say.LookBack)
    window.model.mail.labels[:] = 0
    window.actions_by_name["history"].trigger()
    return window, window.findChild(PastWindow)


def ticket_of(window, kind):
    """The ticket of the open question of this kind."""
    return next(ticket for ticket, each in window.requests.pending.items() if isinstance(each.command, kind))


def test_progress_shows_and_cancel_ends_it(silent, qtbot):
    window, dialog = silent
    dialog.tabs.setCurrentIndex(1)
    note = dialog.doubts.note
    ticket = ticket_of(window, say.FindSuspicious)
    window.hear(say.Progress(ticket, 16, 60))
    assert (note.bar.value(), note.bar.maximum()) == (16, 60)
    note.button.click()
    assert say.Cancel(ticket) in window.engine.heard
    window.hear(say.Cancelled(ticket))
    assert note.text.text() == "Stopped."
    assert note.button.text() == "Look again"
    assert dialog.doubts.again.isEnabled()


def test_a_failure_is_told_and_can_be_tried_again(silent, qtbot):
    window, dialog = silent
    window.hear(say.Failed(ticket_of(window, say.ShowJournal), Trouble.DISK_ERROR, "detail"))
    assert dialog.marks.note.button.text() == "Try again"
    assert dialog.marks.note.text.text()
    dialog.marks.note.button.click()
    assert ticket_of(window, say.ShowJournal)


def test_leaving_a_tab_or_closing_ends_its_question(silent, qtbot):
    window, dialog = silent
    dialog.tabs.setCurrentIndex(1)
    ticket = ticket_of(window, say.FindSuspicious)
    dialog.tabs.setCurrentIndex(2)
    assert say.Cancel(ticket) in window.engine.heard
    ticket = ticket_of(window, say.TraceSender)
    dialog.close()
    assert say.Cancel(ticket) in window.engine.heard
    window.actions_by_name["history"].trigger()
    assert window.findChildren(PastWindow) == [dialog]


def test_what_was_said_then_comes_while_the_line_is_still_being_drawn(silent):
    window, dialog = silent
    window.table.go_to(0)
    dialog.tabs.setCurrentIndex(2)
    window.hear(say.Done(ticket_of(window, say.LookBack), make_scores([1], [5.0])))
    assert dialog.one_sender.answer.text().startswith("Junk, with a chance of 99.3")
    assert dialog.one_sender.is_asking
    assert "Looking back mark by mark" in dialog.one_sender.note.text.text()


def test_the_line_grows_while_it_is_drawn(silent):
    window, dialog = silent
    window.table.go_to(0)
    dialog.tabs.setCurrentIndex(2)
    page, ticket = dialog.one_sender, ticket_of(window, say.TraceSender)
    window.hear(say.Progress(ticket, 0, 90, ((1.0, 0.5),)))
    assert page.stack.currentWidget() is page.note
    window.hear(say.Progress(ticket, 5, 90, ((9.0, 0.7),)))
    window.hear(say.Progress(ticket, 9, 90, ((1.0, 0.2), (9.0, 0.7))))
    assert page.stack.currentWidget() is not page.note
    assert page.chart.points == ((1.0, 0.2), (9.0, 0.7))
    assert "Looking back" in page.summary.text()
    window.hear(say.Done(ticket, ((1.0, 0.2), (5.0, 0.4), (9.0, 0.7))))
    assert len(page.chart.points) == 3
    assert "rose from" in page.summary.text()


def test_a_line_of_nothing_but_halves_is_not_enough_yet(silent):
    window, dialog = silent
    window.table.go_to(0)
    dialog.tabs.setCurrentIndex(2)
    window.hear(say.Done(ticket_of(window, say.TraceSender), ((1.0, 0.5), (2.0, 0.5))))
    assert dialog.one_sender.note.text.text().startswith("Not enough yet")


def test_it_goes_with_the_main_window(silent):
    window, dialog = silent
    assert dialog.isVisible()
    window.close()
    assert not dialog.isVisible()


def test_every_control_has_a_name_and_enter_presses_none(silent):
    _, dialog = silent
    for table in (dialog.marks.table, dialog.doubts.table, dialog.one_sender.chart, dialog.one_sender.when):
        assert table.accessibleName()
    for button in dialog.findChildren(QAbstractButton):
        assert not getattr(button, "autoDefault", lambda: False)()


def test_the_line_goes_in_steps_up_to_now(silent):
    _, dialog = silent
    chart = dialog.one_sender.chart
    chart.resize(400, 200)
    now = NOW + 60
    chart.show_trace([(now - 100, 0.5), (now - 50, 0.9)])
    first, second = chart.spots()
    field = chart._field()
    assert first.x() == pytest.approx(field.left())
    assert second.x() == pytest.approx(field.center().x())
    line = _steps([first, second], field.right())
    assert [spot.y() for spot in line] == [first.y(), first.y(), second.y(), second.y()]
    assert line[-1].x() == field.right()


def test_words():
    assert words.doubt_words(-9) == "very clearly not junk"
    assert words.doubt_words(2.5) == "rather junk"
    assert words.doubt_words(5.0, 0.9933) == f"clearly junk: {phrases.percent(0.9933)} junk"
    assert words.said_words("unsure", 0.0, math.nan).startswith("Not enough yet")
    assert words.said_words("good", -2.0, math.nan).startswith("Good. An honest percentage")
    assert words.said_words("unsure", 2.0, math.nan).startswith("Unsure; it leans junk.")
    assert "rose from" in words.trace_words([(0, 0.2), (9, 0.9)], 10)
    assert "fell from" in words.trace_words([(0, 0.9), (9, 0.2)], 10)
    assert "about what it was at first" in words.trace_words([(0, 0.9)], 10)
    assert "as high as 99" in words.trace_words([(0, 0.5), (4, 0.99), (9, 0.03)], 10)
    assert "as low as 20" in words.trace_words([(0, 0.5), (4, 0.2), (9, 0.5)], 10)
    assert "In between" not in words.trace_words([(0, 0.2), (4, 0.5), (9, 0.9)], 10)
