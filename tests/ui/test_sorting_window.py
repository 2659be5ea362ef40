"""Sorting is chosen after a rehearsal; sorted mail is listed, put back and confirmed."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.folders.filing_record import FilingRecord
from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.readiness import readiness
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.settings import Account, Sorting
from nbmail.ui.sorting.automatic_folders import AutomaticFoldersDialog
from nbmail.ui.sorting.preview_dialog import PreviewDialog
from nbmail.ui.sorting.sorting_texts import result_text, status_text
from nbmail.ui.sorting.sorting_window import SortingWindow
from nbmail.worker.protocol.sorting import (
    SortingChanged,
    SortingPhase,
    SortingPreview,
    SortingStatus,
)
from tests.ui.helpers import trigger
from tests.ui.scenes import settle

ACCOUNT = Account("home", host="imap.example.org", user="anna", suggested_folders=("*",))


def sorted_message(number, state=SortedState.MOVED, **more):
    return SortedMessage(
        number, "home", "INBOX", 1.0, f"prize{number}@example.org", "You won", 0.99, state, **more
    )


@pytest.fixture
def show(open_window):
    """Opens the sorting window. The model was tested on `tested` ham messages, all right."""

    def make(*messages, tested=300):
        window = open_window(accounts=(ACCOUNT,))
        window.ready = readiness(0, tested)
        script = window.script

        def status(name):
            account = window.parts.settings.account(name)
            phases = {Sorting.SHOW: SortingPhase.OFF, Sorting.REHEARSE: SortingPhase.REHEARSING}
            active = window.ready.is_ready or account.begun_early
            phase = phases.get(
                account.sorting, SortingPhase.SORTING if active else SortingPhase.WAITING
            )
            return SortingStatus(account, phase, window.ready)

        def preview(*moving, **more):
            return lambda *_: SortingPreview(50, dict.fromkeys(moving, 0.99), **more)

        script.sorting_status = status
        script.list_sorted = lambda *_: messages
        script.rehearse_sorting = preview(3, 1, 2, ham=frozenset([3]))
        script.preview_sort_now = preview(*(each.message for each in messages), stayed=2)
        script.sort_now = lambda name, messages: messages
        record = FilingRecord(Proportion(212, 212), {"Invoices": Proportion(98, 98)})
        script.filing_status = lambda name: record
        script.rehearse_filing = preview(4)
        trigger(window, "sorting")
        window.sorting = window.findChild(SortingWindow)
        window.bridge.emit_event(SortingChanged("home"))
        settle(window)
        return window

    return make


def choose(window, sorting):
    combo = window.sorting.accounts["home"].combo
    combo.setCurrentIndex(combo.findData(sorting))
    combo.activated.emit(combo.currentIndex())
    settle(window)


def dialog(parent):
    [found] = [each for each in parent.findChildren(PreviewDialog) if each.isVisible()]
    return found


def press(window, text):
    next(
        each for each in dialog(window.sorting).findChildren(QPushButton) if each.text() == text
    ).click()
    settle(window)


def choices(window):
    """The choices of sorting that the engine got."""
    return [
        (account.sorting, account.begun_early)
        for (account,) in window.engine.requests("set_sorting")
    ]


def home(window):
    return window.parts.settings.account("home")


def state(window):
    return window.sorting.accounts["home"].state.text()


def test_a_tested_model_sorts_after_the_rehearsal_was_seen(show):
    window = show()
    choose(window, Sorting.SORT)
    assert choices(window) == []
    box = dialog(window.sorting)
    assert "3 would have been moved. You marked 1 of them as not spam." in box.sentence.text()
    assert [(row.item, row.cells[-1]) for row in box.table.rows] == [
        (3, "Not spam"),
        (1, ""),
        (2, ""),
    ]
    press(window, "Cancel")
    assert (choices(window), home(window)) == ([], ACCOUNT)
    assert window.sorting.accounts["home"].combo.currentData() == Sorting.SHOW
    choose(window, Sorting.SORT)
    press(window, "Sort")
    assert choices(window) == [(Sorting.SORT, False)]
    assert home(window) == replace(ACCOUNT, sorting=Sorting.SORT)
    window.sorting.refresh()
    settle(window)
    assert "is moved to the spam folder" in state(window)


@pytest.mark.parametrize(("button", "early"), [("Wait for more marks", False), ("Begin now", True)])
def test_too_few_marks_are_reported_and_the_user_can_begin_anyway(show, button, early):
    window = show(tested=50)
    choose(window, Sorting.SORT)
    press(window, button)
    assert choices(window) == [(Sorting.SORT, early)]
    window.sorting.refresh()
    settle(window)
    assert (f"about {window.ready.marks_missing} more marks" in state(window)) != early


def test_messages_without_sender_and_subject_are_shown_as_in_the_main_list(show):
    bare = sorted_message(999)._replace(sender="", subject=" \n")
    window = show(bare)
    names = "(no sender)", "(no subject)"
    assert window.sorting.table.rows[0].cells[1:3] == names
    window.sorting.accounts["home"].now.click()
    settle(window)
    assert dialog(window.sorting).table.rows[0].cells[1:3] == names


def test_a_rehearsal_needs_no_question(show):
    window = show(tested=0)
    choose(window, Sorting.REHEARSE)
    assert choices(window) == [(Sorting.REHEARSE, False)]


def test_sorted_messages_are_put_back_and_confirmed_by_one_key(show, qtbot):
    window = show(
        sorted_message(1, near=True), sorted_message(2, SortedState.STAYED, reason=Stay.FLAGGED)
    )
    shown = window.sorting
    assert [row.cells[-1] for row in shown.table.rows] == ["Moved to spam folder", "Stays: flagged"]
    assert shown.note.text() == "1 moved, 1 near the spam threshold."
    with qtbot.waitActive(shown):
        shown.activateWindow()
    for row, key in enumerate((Qt.Key.Key_N, Qt.Key.Key_Exclam)):
        shown.table.go_to(row)
        qtbot.keyClick(shown, key)
    assert window.engine.requests("mark") == [[(1,), "ham"], [(2,), "spam"]]
    with qtbot.waitSignal(shown.destroyed):
        qtbot.keyClick(shown, Qt.Key.Key_Escape)


def test_a_folder_fills_automatically_after_its_rehearsal_was_seen(show):
    window = show()
    window.sorting.accounts["home"].folders.click()
    settle(window)
    chooser = window.sorting.findChild(AutomaticFoldersDialog)
    assert chooser.record.text() == "Of 212 suggestions above 99 %, 212 were right."
    box = chooser.boxes["Invoices"]
    assert (box.text(), box.isChecked()) == ("Invoices: 98 of 98 right", False)
    for filled in (False, True):
        box.click()
        settle(window)
        preview = dialog(chooser)
        assert "1 would have gone to Invoices" in preview.sentence.text()
        preview.accept() if filled else preview.reject()
        assert box.isChecked() == filled
        assert home(window) == replace(ACCOUNT, automatic_folders=("Invoices",) if filled else ())
    box.click()
    assert home(window) == ACCOUNT


def test_filed_messages_are_put_back_and_confirmed_without_a_mark(show):
    window = show(sorted_message(1), sorted_message(2, target="Invoices"))
    shown = window.sorting
    assert [row.cells[-1] for row in shown.table.rows] == [
        "Moved to spam folder",
        "Filed in Invoices",
    ]
    for row, texts in enumerate(
        (("Put back (not spam)", "Right (spam)"), ("Move back", "Right folder"))
    ):
        shown.table.go_to(row)
        assert (shown.back.text(), shown.right.text()) == texts
    shown.back.click()
    shown.right.click()
    assert [window.engine.requests(name) for name in ("undo_sorting", "confirm_filing")] == [
        [[(2,)]],
        [[(2,)]],
    ]
    assert window.engine.requests("mark") == []


def test_the_inbox_is_sorted_after_its_preview(show):
    window = show()
    assert window.sorting.note.text() == "Nothing was sorted in the last 7 days."
    window = show(sorted_message(1), sorted_message(2))
    window.sorting.accounts["home"].now.click()
    settle(window)
    text = "2 messages in the inbox are classified as spam. 2 more stay there."
    assert dialog(window.sorting).sentence.text() == text
    assert window.engine.requests("sort_now") == []
    press(window, "Sort")
    assert window.engine.requests("sort_now") == [["home", (1, 2)]]
    assert window.status.text() == "Sorting 2 messages to Spam."
    assert window.status.undo.isVisible()


def test_every_state_and_reason_has_a_text():
    texts = {
        result_text(sorted_message(1, state))
        for state in SortedState
        if state is not SortedState.STAYED
    }
    texts |= {result_text(sorted_message(1, SortedState.STAYED, reason=reason)) for reason in Stay}
    assert len(texts) == len(SortedState) - 1 + len(Stay)
    ready = readiness(0, 300)
    assert (
        len({status_text(SortingStatus(Account("home"), phase, ready)) for phase in SortingPhase})
        == 4
    )
