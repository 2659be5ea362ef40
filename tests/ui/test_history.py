"""History of marks with restore, and doubtful marks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from nbmail.errors import ErrorCode, KnownError
from nbmail.ui.model import history_page
from nbmail.ui.model.doubtful_marks_page import doubt_text
from nbmail.ui.model.model_window import ModelWindow
from nbmail.ui.texts.number_texts import THIN
from nbmail.worker.protocol.marks import Marked
from tests.ui.helpers import answer, ticket_of
from tests.ui.made import NOW
from tests.ui.real import settle
from tests.ui.scenes import open_doubtful

EACH = 30


@pytest.fixture
def learned(open_mailbox):
    """Demo mail with thirty messages of each kind learned from folders."""
    return open_mailbox(EACH, inbox=0)


def open_past(mailbox, page="history"):
    mailbox.window.actions_by_name["history"].trigger()
    past = mailbox.window.findChild(ModelWindow)
    past.go_to(getattr(past, page))
    settle(mailbox)
    return past


def labels(window):
    mail = window.model.mail
    return dict(zip(mail.messages.tolist(), mail.labels.tolist(), strict=True))


def test_going_back_changes_the_marks_and_undo_restores_them(learned, qtbot):
    window = learned.window
    before = labels(window)
    message = next(
        each for each, label in before.items() if window.model.mail.label_names[label] == "ham"
    )
    learned.engine.mark([message], "spam")
    settle(learned)
    turned = labels(window)
    past = open_past(learned)
    newest = past.history.table.current()
    shown = past.history.table
    assert (newest.message, newest.before, newest.after, newest.by) == (
        message,
        "ham",
        "spam",
        "user",
    )
    assert shown.rows[0].cells[2:] == ("not spam → spam", "you")
    past.history.restore.click()
    answer(past, yes=False)
    settle(learned)
    assert labels(window) == turned
    past.history.restore.click()
    answer(past, yes=True)
    qtbot.waitUntil(lambda: labels(window) == before)
    qtbot.waitUntil(lambda: "1 mark changed." in past.status.text())
    settle(learned)
    assert shown.rows[0].item.by == "restore"
    past.undo_button.click()
    qtbot.waitUntil(lambda: labels(window) == turned)
    qtbot.waitUntil(lambda: past.status.text().startswith("Undone: "))


def test_a_restore_to_before_a_folder_was_learned_reverts_it_and_a_large_undo_asks_first(
    learned, qtbot
):
    past = open_past(learned)
    before = labels(learned.window)
    past.history.table.go_to(2 * EACH - 1)
    past.history.confirm_restore()
    answer(past, yes=True)
    qtbot.waitUntil(lambda: set(labels(learned.window).values()) == {-1})
    qtbot.waitUntil(lambda: f"{2 * EACH} marks changed." in past.status.text())
    past.undo_button.click()
    answer(past, yes=True)
    qtbot.waitUntil(lambda: past.status.text().startswith("Undone: restoring"))
    qtbot.waitUntil(lambda: labels(learned.window) == before)


def test_new_marks_come_without_moving_what_is_looked_at(learned, qtbot):
    table = open_past(learned).history.table
    table.go_to(40)
    current = table.current()
    top = table.rowAt(1)
    looked_at = table.rows[top].item
    learned.engine.mark([current.message], None)
    qtbot.waitUntil(lambda: table.model().rowCount() == 2 * EACH + 1)
    assert (table.rows[0].item.by, table.rows[0].item.after) == ("user", None)
    assert table.current() == current
    assert table.rows[table.rowAt(1)].item == looked_at


def test_older_marks_are_loaded_on_request_and_stay_when_new_ones_arrive(
    learned, qtbot, monkeypatch
):
    monkeypatch.setattr(history_page, "BATCH", 25)
    page = open_past(learned).history
    table = page.table
    all_of_them = 2 * EACH
    assert table.model().rowCount() == 25
    assert page.older.isVisible()
    assert "Showing the latest 25 changes" in page.hint.text()
    page.older.click()
    settle(learned)
    assert table.model().rowCount() == 50
    learned.engine.mark([table.rows[0].item.message], None)
    qtbot.waitUntil(lambda: table.rows[0].item.by == "user")
    page.older.click()
    settle(learned)
    numbers = [line.item.number for line in table.rows]
    assert numbers == sorted(set(numbers), reverse=True)
    assert (table.model().rowCount(), page.older.isHidden()) == (all_of_them + 1, True)


def test_nothing_marked_yet(empty_mailbox):
    past = open_past(empty_mailbox)
    assert "No marks yet" in past.history.note.text.text()
    assert not past.history.restore.isEnabled()
    past.go_to(past.doubtful)
    assert "Mark some spam and some good messages" in past.doubtful.note.text.text()


@pytest.fixture
def doubtful(open_window, qtbot):
    """A window with three doubtful marks, and the page that lists them."""
    window = open_window()
    window.script.mark = Marked
    page = open_doubtful(window)
    qtbot.waitUntil(lambda: len(page.table.rows) == 3)
    window.model.label(range(1, 61), "ham")
    return window, window.findChild(ModelWindow)


def test_a_doubtful_mark_can_be_turned_and_one_that_is_right_stays_and_is_not_listed_again(
    doubtful, qtbot
):
    window, past = doubtful
    page = past.doubtful
    table = past.doubtful.table
    before = labels(window)
    one = table.rows[1]
    assert one.cells[1:] == ("not spam", f"clearly spam: 99.5{THIN}% chance of spam")
    table.go_to(1)
    page.reverse.click()
    assert [(one.item.message,), "spam"] in window.engine.requests("mark")
    qtbot.waitUntil(lambda: "Marked as spam." in past.status.text())
    assert past.undo_button.isVisible()
    assert one not in table.rows
    kept = {line.item.message for line in table.rows}
    for _ in kept:
        page.keep.click()
    assert page.note.text.text() == "No doubtful marks found."
    assert not page.reverse.isEnabled()
    page.again.click()
    qtbot.waitUntil(lambda: not page.is_loading)
    assert not kept & {line.item.message for line in table.rows}
    assert {message for message, label in labels(window).items() if label != before[message]} == {
        one.item.message
    }


def test_a_double_click_selects_the_message_in_the_main_list(doubtful, qtbot):
    window, past = doubtful
    table = past.doubtful.table
    table.go_to(1)
    middle = table.visualRect(table.currentIndex()).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert window.table.current_message() == table.current().message
    past.doubtful.go_to_message(987_654)
    assert "isn't in the current list" in past.status.text()


@pytest.fixture
def silent(open_window):
    """A window whose engine never answers requests about marks, with the model window."""
    window = open_window(clock=lambda: NOW)
    window.engine.held |= {"list_journal", "find_suspicious_labels"}
    window.table.go_to(0)
    window.actions_by_name["history"].trigger()
    past = window.findChild(ModelWindow)
    past.go_to(past.history)
    return window, past


def test_progress_shows_cancel_ends_it_and_what_failed_can_be_tried_again(silent):
    window, past = silent
    ticket_of(window, "list_journal").fail(KnownError(ErrorCode.DISK_ERROR, "detail"))
    assert past.history.note.text.text()
    assert past.history.note.button.text() == "Try again"
    past.history.note.button.click()
    assert ticket_of(window, "list_journal")
    past.go_to(past.doubtful)
    note = past.doubtful.note
    ticket = ticket_of(window, "find_suspicious_labels")
    ticket.report(16, 60)
    assert (note.bar.value(), note.bar.maximum()) == (16, 60)
    note.button.click()
    assert ticket in window.engine.cancelled
    ticket.end_cancelled()
    assert (note.text.text(), note.button.text()) == ("Stopped.", "Check again")
    assert past.doubtful.again.isEnabled()
    for part in (past.history.table, past.doubtful.table):
        assert part.accessibleName()
    assert not any(
        getattr(button, "autoDefault", lambda: False)()
        for button in past.findChildren(QAbstractButton)
    )


def test_leaving_a_tab_or_closing_ends_its_question(silent):
    window, past = silent
    past.go_to(past.doubtful)
    ticket = ticket_of(window, "find_suspicious_labels")
    past.go_to(past.history)
    assert ticket in window.engine.cancelled
    ticket = ticket_of(window, "list_journal")
    past.close()
    assert ticket in window.engine.cancelled
    window.actions_by_name["history"].trigger()
    assert window.findChildren(ModelWindow) == [past]
    window.close()
    assert not past.isVisible()


def test_texts_of_doubtful_marks():
    assert doubt_text(-9, 0.0001).startswith("very clearly not spam: ")
    assert doubt_text(2.5, 0.92).startswith("probably spam: ")
