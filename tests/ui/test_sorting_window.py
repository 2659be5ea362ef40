"""Sorting is chosen in the window after a rehearsal, and what was sorted is listed, put back and confirmed."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from nbmail.core.scoring.explanation import Proportion
from nbmail.core.scoring.sorting import SortedState, Stay, readiness
from nbmail.settings import Account, Settings, Sorting
from nbmail.ui.sorting.sorting_dialogs import AutomaticFoldersDialog, PreviewDialog
from nbmail.ui.sorting.sorting_texts import result_text, status_text
from nbmail.ui.sorting.sorting_window import SortingWindow
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.worker.protocol.folders import FilingStatus
from nbmail.worker.protocol.sorting import SortedMessage, SortingChoice, SortingPhase, SortingPreview, SortingStatus
from nbmail.worker.protocol.ticket import Ticket
from tests.ui.real import PATIENCE

ACCOUNT = Account("home", host="imap.example.org", user="anna", suggested_folders=("*",))


def ended(value):
    """A ticket that delivers its result as soon as callbacks are registered."""
    made = Ticket(lambda ticket: None, lambda: None)
    register = made.then

    def then(*callbacks, **named):
        register(*callbacks, **named)
        made.finish(value)
        made.deliver(lambda failed: pytest.fail(failed.detail))
        return made

    made.then = then
    return made


class Engine:
    """Answers as an engine does whose model is tested on so many messages."""

    def __init__(self, lost, tested, messages=()):
        self.ready, self.messages, self.calls = readiness(lost, tested), messages, []
        self.choice = SortingChoice()

    def _status(self, account):
        phases = {Sorting.SHOW: SortingPhase.OFF, Sorting.REHEARSE: SortingPhase.REHEARSING}
        active = self.ready.is_ready or self.choice.begun_early
        phase = phases.get(self.choice.sorting, SortingPhase.SORTING if active else SortingPhase.WAITING)
        return SortingStatus(account, self.choice, phase, self.ready)

    def sorting_status(self, account):
        return ended(self._status(account))

    def set_sorting(self, account, choice):
        self.choice = choice
        self.calls.append(("set", account, choice.sorting, choice.begun_early))
        return ended(self._status(account))

    def rehearse_sorting(self, account, days=30.0):
        nearest = tuple(sorted_message(number, SortedState.REHEARSED) for number in (3, 1, 2))
        return ended(SortingPreview(account, 0.0, 50, (3, 1, 2), frozenset([3]), nearest))

    def filing_status(self, account):
        return ended(FilingStatus(account, Proportion(212, 212), {"Invoices": Proportion(98, 98)}, {"Invoices"}))

    def rehearse_filing(self, name, days=30.0):
        nearest = (sorted_message(4, SortedState.REHEARSED, target=name.folder),)
        return ended(SortingPreview(name.account, 0.0, 50, (4,), nearest=nearest))

    def undo_sorting(self, messages):
        self.calls.append(("undo", *messages))
        return ended(tuple(messages))

    def confirm_filing(self, messages):
        self.calls.append(("confirm", *messages))
        return ended(tuple(messages))

    def preview_sort_now(self, account):
        moving = tuple(each.message for each in self.messages)
        return ended(SortingPreview(account, 0.0, 50, moving, nearest=self.messages, stayed=((Stay.FLAGGED, 2),)))

    def sort_now(self, account, messages):
        self.calls.append(("now", *messages))
        return ended(tuple(messages))


class Sorted(QObject):
    """Sorted messages of the window."""

    changed = Signal()
    messages = ()


def sorted_message(number, state=SortedState.MOVED, **more):
    return SortedMessage(number, "home", "INBOX", 1.0, f"prize{number}@example.org", "You won", 0.99, state, **more)


@pytest.fixture
def show(qtbot):
    def make(engine):
        parent = QWidget()
        qtbot.addWidget(parent)
        saved, reports, sorted_ = [], [], Sorted(parent)
        sorted_.messages = engine.messages
        settings = CurrentSettings(Settings(accounts=(ACCOUNT,)), engine, lambda _: None, parent)

        def change(account):
            saved.append(account)
            settings.change_account(account)
            sorted_.changed.emit()

        def mark(messages, label):
            engine.calls.append((label, *messages))

        def report(text, *, undo=False):
            reports.append((text, undo))

        window = SortingWindow(parent, engine, settings, sorted_, change=change, mark=mark, report=report)
        window.show()
        return SimpleNamespace(window=window, saved=saved, parent=parent, reports=reports, sorted=sorted_)

    return make


def choose(window, sorting):
    combo = window.accounts["home"].combo
    combo.setCurrentIndex(combo.findData(sorting))
    combo.activated.emit(combo.currentIndex())


def dialog(window):
    [found] = [each for each in window.findChildren(PreviewDialog) if each.isVisible()]
    return found


def press(window, text):
    [button] = [button for button in dialog(window).findChildren(QPushButton) if button.text() == text]
    button.click()


def test_a_tested_model_sorts_after_the_rehearsal_was_seen(show):
    engine = Engine(0, 300)
    shown = show(engine)
    choose(shown.window, Sorting.SORT)
    assert engine.calls == []
    box = dialog(shown.window)
    assert "3 would have been moved" in box.sentence.text()
    assert "1 of them as not junk" in box.sentence.text()
    assert [(row.item, row.cells[-1]) for row in box.table.rows] == [(3, "Not junk"), (1, ""), (2, "")]
    press(shown.window, "Sort")
    assert engine.calls == [("set", "home", Sorting.SORT, False)]
    assert shown.saved == [replace(ACCOUNT, sorting=Sorting.SORT)]
    assert "is moved to the junk folder" in shown.window.accounts["home"].state.text()


@pytest.mark.parametrize(("button", "early"), [("Wait for more marks", False), ("Begin now", True)])
def test_too_few_marks_are_said_and_may_be_overruled(show, button, early):
    engine = Engine(0, 50)
    shown = show(engine)
    choose(shown.window, Sorting.SORT)
    press(shown.window, button)
    assert engine.calls == [("set", "home", Sorting.SORT, early)]
    missing = f"about {engine.ready.marks_missing} more marks"
    assert (missing in shown.window.accounts["home"].state.text()) != early


def test_cancel_changes_nothing(show):
    engine = Engine(0, 300)
    shown = show(engine)
    choose(shown.window, Sorting.SORT)
    press(shown.window, "Cancel")
    assert (engine.calls, shown.saved) == ([], [])
    assert shown.window.accounts["home"].combo.currentData() == Sorting.SHOW


def test_a_rehearsal_needs_no_question(show):
    engine = Engine(0, 0)
    shown = show(engine)
    choose(shown.window, Sorting.REHEARSE)
    assert engine.calls == [("set", "home", Sorting.REHEARSE, False)]


def test_sorted_messages_are_put_back_and_confirmed_by_one_key(show, qtbot):
    messages = (sorted_message(1, near=True), sorted_message(2, SortedState.STAYED, reason=Stay.FLAGGED))
    engine = Engine(0, 300, messages)
    shown = show(engine)
    window = shown.window
    assert [row.cells[-1] for row in window.table.rows] == ["Moved to junk folder", "Stays: flagged"]
    assert window.note.text() == "1 moved, 1 near the junk threshold."
    with qtbot.waitActive(window, timeout=PATIENCE):
        window.activateWindow()
    window.table.go_to(0)
    qtbot.keyClick(window, Qt.Key.Key_N)
    window.table.go_to(1)
    qtbot.keyClick(window, Qt.Key.Key_Exclam)
    assert engine.calls == [("good", 1), ("junk", 2)]
    with qtbot.waitSignal(window.destroyed):
        qtbot.keyClick(window, Qt.Key.Key_Escape)


def test_a_folder_fills_automatically_after_its_rehearsal_was_seen(show):
    engine = Engine(0, 300)
    shown = show(engine)
    row = shown.window.accounts["home"]
    row.folders.click()
    [chooser] = shown.window.findChildren(AutomaticFoldersDialog)
    assert chooser.record.text() == "Of 212 suggestions above 99 %, 212 were right."
    box = chooser.boxes["Invoices"]
    assert (box.text(), box.isChecked()) == ("Invoices: 98 of 98 right", False)
    box.click()
    [preview] = chooser.findChildren(PreviewDialog)
    assert "1 would have gone to Invoices" in preview.sentence.text()
    preview.reject()
    assert not box.isChecked() and shown.saved == []
    box.click()
    chooser.findChildren(PreviewDialog)[-1].accept()
    assert box.isChecked() and shown.saved == [replace(ACCOUNT, automatic_folders=("Invoices",))]
    box.click()
    assert shown.saved[-1] == ACCOUNT


def test_filed_messages_are_put_back_and_confirmed_without_a_mark(show):
    engine = Engine(0, 300, (sorted_message(1), sorted_message(2, target="Invoices")))
    shown = show(engine)
    window = shown.window
    assert [row.cells[-1] for row in window.table.rows] == ["Moved to junk folder", "Filed in Invoices"]
    window.table.go_to(0)
    assert (window.back.text(), window.right.text()) == ("Put back (not junk)", "Right (junk)")
    window.table.go_to(1)
    assert (window.back.text(), window.right.text()) == ("Move back", "Right folder")
    window.back.click()
    window.right.click()
    assert engine.calls == [("undo", 2), ("confirm", 2)]


def test_the_list_follows_the_engine(show):
    shown = show(Engine(0, 300))
    assert shown.window.note.text() == "Nothing was sorted in the last 7 days."
    shown.sorted.messages = (sorted_message(1),)
    shown.sorted.changed.emit()
    assert shown.window.note.text() == "1 moved, 0 near the junk threshold."


def test_the_inbox_is_sorted_after_its_preview(show):
    engine = Engine(0, 300, (sorted_message(1), sorted_message(2)))
    shown = show(engine)
    shown.window.accounts["home"].now.click()
    text = "2 messages in the inbox are classified as junk. 2 more stay there."
    assert dialog(shown.window).sentence.text() == text
    assert engine.calls == []
    press(shown.window, "Sort")
    assert engine.calls == [("now", 1, 2)]
    assert shown.reports == [("Sorting 2 messages to Junk.", True)]


def test_every_state_and_reason_has_a_text():
    texts = {result_text(sorted_message(1, state)) for state in SortedState if state is not SortedState.STAYED}
    texts |= {result_text(sorted_message(1, SortedState.STAYED, reason=reason)) for reason in Stay}
    assert len(texts) == len(SortedState) - 1 + len(Stay)
    ready = readiness(0, 300)
    assert len({status_text(SortingStatus("home", SortingChoice(), phase, ready)) for phase in SortingPhase}) == 4
