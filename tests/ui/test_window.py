"""The window as a user meets it: keys, marks, undo, lists, states, troubles, closing."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSettings, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QAccessible, QKeyEvent, QMouseEvent, QScreen
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from nbmail import values
from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.settings import Account, Settings
from nbmail.ui.actions.undo_redo import step_text
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.kit.theme import DARK, LIGHT, colors
from nbmail.ui.list.list_choice import Choice, Column, Kind
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.window_layout import WindowPage
from tests.ui import say
from tests.ui.helpers import answer, build, heard, main_window, question, said, show_account, ticket_of, wait_for
from tests.ui.say import LeaveLabels, TakeBackLabels
from tests.ui.scripted import JUNKERS, NOW, ScriptedEngine, make_explanation, make_rows, make_scores, pick_rows

KEY = Qt.Key


def press(qtbot, window, key, *modifiers):
    keys = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        keys |= modifier
    target = QApplication.focusWidget() or window.table
    qtbot.keyClick(target, key, keys)


def current(window):
    return window.table.currentIndex().row()


@pytest.fixture
def active(window, qtbot):
    window.activateWindow()
    window.table.setFocus()
    qtbot.waitUntil(lambda: window.table.currentIndex().isValid())
    return window


@pytest.fixture
def paths(tmp_path):
    """Where the window notes down its shape."""
    paths = Paths.under(tmp_path)
    paths.make()
    return paths


# --------------------------------------------------------------------------------------------------- keyboard


def test_arrows_pages_and_ends(active, qtbot):
    press(qtbot, active, KEY.Key_Down)
    assert current(active) == 1
    press(qtbot, active, KEY.Key_End)
    assert current(active) == 59
    press(qtbot, active, KEY.Key_Home)
    press(qtbot, active, KEY.Key_PageDown)
    assert current(active) > 2
    press(qtbot, active, KEY.Key_Up)
    assert active.table.selected_messages() == (active.table.current_message(),)


def test_an_exclamation_mark_is_junk_and_goes_on_to_the_next(active, qtbot):
    message, odds = active.table.current_message(), active.model.mail.log_odds.copy()
    qtbot.keyClicks(active.table, "!")
    assert heard(active, say.Mark) == [say.Mark((message,), "junk")]
    assert current(active) == 1
    qtbot.waitUntil(lambda: "Learned: 41 junk" in said(active.learning_bar))
    assert (active.model.mail.log_odds != odds).any()
    qtbot.waitUntil(lambda: "Marked as junk." in active.status.text())
    assert active.model.texts.verdict(int(active.model.mail.order[0])) == "Junk"


def test_undo_and_redo_say_what_they_did_and_return_to_the_message(active, qtbot):
    message = active.table.current_message()
    qtbot.keyClicks(active.table, "!")
    qtbot.waitUntil(active.status.undo.isVisible)
    qtbot.mouseClick(active.status.undo, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Undone." in active.status.text())
    assert active.table.current_message() == message
    assert active.model.mail.labels[active.model.mail.find([message])[0]] == -1
    qtbot.waitUntil(active.actions_by_name["redo"].isEnabled)
    press(qtbot, active, KEY.Key_Y, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "Redone." in active.status.text())
    assert active.model.mail.labels[active.model.mail.find([message])[0]] == 1


def test_the_evidence_is_asked_for_again_only_when_the_list_shows_another_score(active, qtbot):
    qtbot.waitUntil(lambda: active.evidence.why is not None)
    asked = len(heard(active, say.Explain))
    active.hear(say.Changed(scores=active.engine.scores()))
    qtbot.wait(60)
    assert len(heard(active, say.Explain)) == asked
    active.engine.calibrated = False
    active.hear(say.Changed(scores=active.engine.scores()))
    qtbot.waitUntil(lambda: active.evidence.why.probability is None)
    active.engine.calibrated = True
    active.hear(say.Changed(scores=active.engine.scores()))
    qtbot.waitUntil(lambda: active.evidence.why.probability is not None)
    # What a lost message costs turns verdicts and leaves scores as they are.
    before = active.evidence.why.verdict
    scores = active.engine.scores()
    other = next(each for each in ("good", "junk") if each != before)
    active.engine.do_Explain = lambda command: replace(make_explanation(0.0), verdict=other)
    active.hear(
        say.Changed(scores=replace(scores, verdicts=np.full_like(scores.verdicts, values.VERDICTS.index(other))))
    )
    qtbot.waitUntil(lambda: active.evidence.why.verdict == other)


def test_the_window_fits_the_screen_whatever_was_noted(qtbot, paths, monkeypatch):
    """Also with the frame around it, whose size is known only once it is shown."""
    room = QRect(0, 0, 1280, 800)
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _: room)
    bridge = Bridge()
    window = main_window(ScriptedEngine(bridge.emit_event, make_rows(3)), bridge, Settings(), paths=paths)
    qtbot.addWidget(window)
    assert (window.width(), window.height()) == (1264, 752)
    window.resize(1280, 800)
    window.close()
    again = main_window(ScriptedEngine(bridge.emit_event, make_rows(3)), Bridge(), Settings(), paths=paths)
    qtbot.addWidget(again)
    assert again.width() <= 1264
    assert again.height() <= 752
    again.close()


def test_escape_clears_the_search_then_leaves_it(active, qtbot):
    active.search.setFocus()
    qtbot.keyClicks(active.search, "choir")
    press(qtbot, active, KEY.Key_Escape)
    assert active.search.text() == ""
    assert active.search.hasFocus()
    press(qtbot, active, KEY.Key_Escape)
    qtbot.waitUntil(active.table.hasFocus)


def test_words_are_found_in_texts_too_and_the_open_message_stays_in_view(active, qtbot):
    active.table.go_to(50)
    message = active.table.current_message()
    junk = active.model.mail.senders[active.model.mail.find([message])[0]] in JUNKERS
    active.search.setText('"claim your"' if junk else '"garden"')
    qtbot.waitUntil(lambda: 0 < active.model.rowCount() < 60)
    qtbot.waitUntil(lambda: message in active.table.selected_messages())
    top = active.table.rowViewportPosition(active.table.currentIndex().row())
    assert 0 <= top < active.table.viewport().height()


def test_what_a_list_does_not_show_is_not_selected_in_it(active, qtbot):
    active.table.select_all()
    active.show_choice(Choice(Kind.JUNK))
    junk = active.table.selected_messages()
    assert set(junk) <= {active.model.message_at(row) for row in range(active.model.rowCount())}
    active.show_choice(Choice())
    assert len(active.table.selected_messages()) == 1
    active.search.setText("invoice")
    qtbot.waitUntil(lambda: 1 < active.model.rowCount() < 60)
    active.table.select_all()
    assert len(active.table.selected_messages()) == active.model.rowCount()
    active.search.clear()
    qtbot.waitUntil(lambda: active.model.rowCount() == 60)
    assert active.table.selected_messages() == (active.table.current_message(),)
    assert not active.head.selected.isVisible()


def test_columns_can_be_moved_and_hidden_and_stay_so(open_window, paths):
    window = open_window(paths=paths)
    window.table.horizontalHeader().moveSection(window.table.horizontalHeader().visualIndex(Column.DATE), 0)
    menu = {action.text(): action for action in window.table.header.menu().actions()}
    assert "Subject" not in menu
    menu["Verdict"].trigger()
    window.actions_by_name["beside"].trigger()
    assert window.panes.is_beside
    window.close()
    again = open_window(paths=paths)
    assert again.table.isColumnHidden(Column.VERDICT)
    assert again.table.horizontalHeader().visualIndex(Column.DATE) == 0
    assert again.panes.is_beside


def test_the_space_bar_turns_the_pages_of_the_message(active, qtbot):
    qtbot.waitUntil(lambda: active.message.shown_message is not None)
    active.message.body.setPlainText("line\n" * 500)
    press(qtbot, active, KEY.Key_Space)
    assert active.message.body.verticalScrollBar().value() > 0
    press(qtbot, active, KEY.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    assert active.message.body.verticalScrollBar().value() == 0


def test_sorting_shows_what_comes_first(active):
    active.table.go_to(50)
    assert active.table.verticalScrollBar().value() > 0
    message = active.table.current_message()
    active.table.sort_by(Column.SUBJECT)
    assert active.table.verticalScrollBar().value() == 0
    assert active.table.current_message() == message


def test_a_message_without_a_sender_says_so(open_window):
    window = open_window(rows=replace(make_rows(3), senders=("", "<>", " ")))
    assert [window.model.index(row, Column.SENDER).data() for row in range(3)] == ["(no sender)"] * 3


def test_about_and_export_are_at_hand(active, qtbot, monkeypatch, tmp_path):
    (tmp_path / "Documents").mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path / "Documents"))
    active.actions_by_name["about"].trigger()
    active.findChild(QMessageBox).buttons()[0].click()
    qtbot.waitUntil(lambda: active.findChildren(QMessageBox) == [])
    active.model_files.export_model()
    dialog = active.findChildren(QFileDialog)[0]
    assert dialog.directory().absolutePath() == str(tmp_path / "Documents")
    dialog.reject()
    (tmp_path / "Documents").rmdir()
    active.model_files.export_model()
    dialog = active.findChildren(QFileDialog)[-1]
    assert dialog.directory().absolutePath() == str(Path.home())
    dialog.reject()


def test_the_dial_counts_what_is_in_the_list(active):
    mail = active.model.mail
    above, known = active.model.mail.count_above(0.9)
    unmarked = mail.labels < 0
    assert (above, known) == (int((mail.probabilities[unmarked] > 0.9).sum()), int(unmarked.sum()))
    assert above > 0


def test_undoing_an_import_is_told(active, qtbot):
    active.engine.do_Undo = lambda _: say.Marked((), None, imported=True, step=values.StepTaken("import", None, 0))
    active.parts.undoing.undo()
    qtbot.waitUntil(lambda: active.status.text() == "Undone: importing a model.")
    qtbot.mouseClick(active.status.redo, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: active.status.text() == "There is nothing to redo.")
    assert not active.status.redo.isVisible()


STEPS = {
    values.StepTaken("user", "junk", 1): "marking 1 message as junk",
    values.StepTaken("user", "good", 40): "marking 40 messages as not junk",
    values.StepTaken("user", None, 2): "clearing 2 marks",
    values.StepTaken("travel", None, 7): "restoring 7 earlier marks",
    values.StepTaken("folder", "good", 3): "learning 3 messages",
}


def test_every_step_has_a_name():
    assert {step: step_text(step) for step in STEPS} == STEPS


def test_slash_searches_and_letters_typed_there_mark_nothing(active, qtbot):
    press(qtbot, active, KEY.Key_Slash)
    assert active.search.hasFocus()
    qtbot.keyClicks(active.search, "n!j prize")
    assert heard(active, say.Mark) == []
    mail = active.model.mail
    wanted = mail.subjects[7], mail.senders[7]
    active.search.setText(f"{wanted[0].upper()} {wanted[1][:4]}")
    qtbot.waitUntil(lambda: 0 < active.model.rowCount() < 60)
    assert {(mail.subjects[place], mail.senders[place]) for place in mail.order.tolist()} == {wanted}
    active.search.clear()
    qtbot.waitUntil(lambda: active.model.rowCount() == 60)


def test_other_keys_hold_at_once(active, qtbot):
    active.parts.settings.change(replace(active.settings, keys="thunderbird"))
    assert "F next" in active.status.text()
    press(qtbot, active, KEY.Key_F)
    assert current(active) == 1
    press(qtbot, active, KEY.Key_J)
    press(qtbot, active, KEY.Key_J, Qt.KeyboardModifier.ShiftModifier)
    assert [command.label for command in heard(active, say.Mark)] == ["junk", "good"]


def test_the_list_and_the_open_message_are_there_again(open_window, paths, qtbot):
    window = open_window(paths=paths)
    window.show_choice(Choice(Kind.ALL, values.FolderName("home", "Lists")))
    window.table.go_to(3)
    message = window.table.current_message()
    window.close()
    again = open_window(paths=paths)
    qtbot.waitUntil(lambda: again.table.current_message() == message)
    assert again.model.arrangement.choice.folder == values.FolderName("home", "Lists")


def test_every_action_has_a_text_and_no_key_does_two_things(active):
    keys = [key.toString() for action in active.actions_by_name.values() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert all(action.text() and action.toolTip() for action in active.actions_by_name.values())


def test_the_setting_to_stay_after_a_mark(open_window, qtbot):
    window = open_window(settings=Settings(accounts=(Account("home"),), theme="light", after_mark="stay"))
    qtbot.waitUntil(lambda: window.table.currentIndex().isValid())
    qtbot.keyClicks(window.table, "!")
    assert current(window) == 0


# -------------------------------------------------------------------------------------------------- selection


def click(qtbot, window, row, modifier=Qt.KeyboardModifier.NoModifier):
    place = QPoint(300, window.table.rowViewportPosition(row) + 5)
    qtbot.mouseClick(window.table.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def test_clicks_select_as_everywhere(active, qtbot):
    at = active.model.message_at
    click(qtbot, active, 1)
    assert active.table.selected_messages() == (at(1),)
    click(qtbot, active, 4, Qt.KeyboardModifier.ShiftModifier)
    assert active.table.selected_messages() == tuple(at(row) for row in range(1, 5))
    click(qtbot, active, 2, Qt.KeyboardModifier.ControlModifier)
    assert active.table.selected_messages() == (at(1), at(3), at(4))
    press(qtbot, active, KEY.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert active.table.selected_messages() == (at(2), at(3))


def test_many_messages_are_marked_in_one_step(active, qtbot):
    active.table.go_to(2)
    active.table.go_to(6, extend=True)
    messages = active.table.selected_messages()
    assert active.head.selected.text() == "5 selected"
    qtbot.keyClicks(active.table, "!")
    assert heard(active, say.Mark) == [say.Mark(messages, "junk")]
    qtbot.waitUntil(lambda: "5 messages marked as junk." in active.status.text())
    assert current(active) == 7


def test_everything_shown_can_be_selected_and_the_marked_rows_keep_their_place(active, qtbot):
    before = [active.model.message_at(row) for row in range(60)]
    press(qtbot, active, KEY.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(active.table.selected_messages()) == 60
    active.bridge.emit_event(say.Changed(scores=make_scores(np.arange(1, 61), np.full(60, 9.0))))
    qtbot.waitUntil(lambda: active.model.mail.log_odds[0] == 9.0)
    assert [active.model.message_at(row) for row in range(60)] == before
    assert len(active.table.selected_messages()) == 60


def test_new_scores_keep_cursor_and_selection(active, qtbot):
    active.table.sort_by(Column.CHANCE)
    active.table.go_to(5)
    message = active.table.current_message()
    active.bridge.emit_event(say.Changed(scores=make_scores(np.arange(1, 61), np.linspace(-9, 9, 60))))
    qtbot.waitUntil(active.head.sort.isVisible)
    assert current(active) == 5
    assert active.table.selected_messages() == (message,)
    press(qtbot, active, KEY.Key_F5)
    assert active.table.current_message() == message
    qtbot.waitUntil(lambda: not active.head.sort.isVisible())
    odds = active.model.mail.log_odds[active.model.mail.order]
    assert (np.diff(odds) <= 0).all()


# ----------------------------------------------------------------------------------------- learning is visible


def test_how_many_other_messages_turned_is_said(active, qtbot):
    active.engine.do_Mark = lambda command: say.Marked(command.messages, "junk", 4)
    qtbot.keyClicks(active.table, "!")
    qtbot.waitUntil(lambda: active.status.text() == "Marked as junk. 4 other messages changed their verdict.")
    active.engine.do_Mark = lambda command: say.Marked((), command.label)
    qtbot.keyClicks(active.table, "!")
    qtbot.waitUntil(lambda: active.status.text() == "Already marked.")


def test_a_mark_that_fails_is_taken_back_and_explained(active, qtbot):
    active.engine.silent = (say.Mark,)
    message = active.table.current_message()
    qtbot.keyClicks(active.table, "!")
    ticket = ticket_of(active, say.Mark)
    ticket.fail(KnownError(ErrorCode.DISK_FULL, "no space left"))
    qtbot.waitUntil(active.banner.isVisible)
    assert "The disk is full" in said(active.banner)
    place = active.model.mail.find([message])[0]
    qtbot.waitUntil(lambda: active.model.mail.labels[place] == -1)


def test_the_message_and_its_evidence_follow_the_cursor(active, qtbot):
    active.table.go_to(4)
    message = active.table.current_message()
    qtbot.waitUntil(
        lambda: active.message.shown_message is not None and active.message.shown_message.message == message
    )
    qtbot.waitUntil(lambda: active.evidence.why is not None)
    asked = len(heard(active, say.ReadMessage))
    active.bridge.emit_event(say.Changed(scores=make_scores([message], np.array([1.0]))))
    explained = len(heard(active, say.Explain))
    qtbot.waitUntil(lambda: len(heard(active, say.Explain)) > explained)
    assert len(heard(active, say.ReadMessage)) == asked


def test_holding_a_key_asks_only_for_the_message_it_stops_at(active, qtbot):
    qtbot.waitUntil(lambda: active.evidence.why is not None)
    asked = len(heard(active, say.ReadMessage))
    for _ in range(20):
        press(qtbot, active, KEY.Key_Down)
    last = active.table.current_message()
    qtbot.waitUntil(lambda: active.message.shown_message.message == last)
    assert len(heard(active, say.ReadMessage)) - asked < 10


def test_what_is_on_the_screen_is_scored_first(active, qtbot):
    qtbot.waitUntil(lambda: len(heard(active, say.ShowRows)) > 0)
    assert active.model.message_at(0) in heard(active, say.ShowRows)[-1].messages
    active.table.verticalScrollBar().setValue(active.table.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: active.model.message_at(59) in heard(active, say.ShowRows)[-1].messages)


# ------------------------------------------------------------------------------------------------------ lists


def test_each_smart_list_has_a_key(active, qtbot):
    for kind in Kind:
        press(qtbot, active, KEY(KEY.Key_1 + kind), Qt.KeyboardModifier.ControlModifier)
        assert active.model.arrangement.choice.kind == kind
        assert active.model.rowCount() == active.model.mail.count_kinds(None)[kind]
        assert active.sidebar.currentIndex().row() == kind


def test_a_folder_is_chosen_from_the_sidebar(active, qtbot):
    qtbot.waitUntil(lambda: len(active.sidebar_model.entries) > len(Kind) + 1)
    row = next(i for i, entry in enumerate(active.sidebar_model.entries) if entry.text == "Inbox")
    active.sidebar.setCurrentIndex(active.sidebar_model.index(row, 0))
    entry = active.sidebar_model.entries[row]
    assert active.model.rowCount() == entry.count > 0


def test_a_narrow_window_offers_the_lists_as_a_menu(open_window, qtbot):
    window = open_window(size=(760, 560))
    qtbot.waitUntil(window.head.button.isVisible)
    assert not window.sidebar.isVisible()
    assert window.head.button.accessibleName()
    window.head._fill_menu()
    texts = [action.text() for action in window.head.button.menu().actions()]
    assert "Unsure" in texts
    next(action for action in window.head.button.menu().actions() if action.text() == "Unsure").trigger()
    assert window.model.arrangement.choice.kind == Kind.UNSURE


@pytest.mark.parametrize("size", [(800, 600), (1280, 800), (2560, 1440)])
def test_every_size_shows_the_whole_window(open_window, qtbot, size):
    window = open_window(size=size)
    assert (window.width(), window.height()) == size
    qtbot.waitUntil(lambda: window.evidence.why is not None)
    for part in (window.table, window.message, window.evidence, window.learning_bar, window.status, window.search):
        corner = part.mapTo(window, QPoint(part.width(), part.height()))
        assert part.isVisible()
        assert corner.x() <= size[0]
        assert corner.y() <= size[1]
    assert window.table.viewport().height() > 4 * window.table.rowHeight(0)


# ----------------------------------------------------------------------------------------------------- states


def test_without_an_account_the_window_says_how_to_begin(open_window, qtbot):
    window = open_window(0, rows=None, settings=Settings(theme="light"), learned=(0, 0))
    qtbot.waitUntil(window.welcome.isVisible)
    assert not window.actions_by_name["junk"].isEnabled()
    window.accounts.add(Account("home", "imap.example"), "secret")
    assert not window.welcome.isVisible()
    assert window.calls == [
        ("save_settings", replace(window.settings, accounts=(Account("home", "imap.example"),))),
        ("add", Account("home", "imap.example"), "secret"),
    ]


def test_an_account_that_needs_the_user_says_why_until_it_is_well(active, qtbot):
    show_account(active, values.Phase.NEEDS_YOU, error_code=ErrorCode.WRONG_PASSWORD, detail="refused")
    assert active.banner.isVisible()
    assert "app password" in said(active.banner)
    active.banner.remedy.click()
    dialog = QApplication.activeModalWidget()
    dialog.field.setText("better")
    dialog.accept()
    assert active.calls == [("set_password", "home", "better")]
    show_account(active)
    assert not active.banner.isVisible()


def test_a_fault_of_ours_and_notes_are_shown(active):
    active.hear(say.InternalError("IndexError: 3"))
    show_account(active)
    assert "internal error" in said(active.banner), "that an account is well is no answer to it"
    active.hear(say.Opened((values.OpeningNote(values.NoteKind.UPGRADED, path="/backup"),)))
    assert "The old one is kept as a backup." in said(active.banner)
    assert "/backup" in said(active.banner)


@pytest.mark.parametrize("take", [False, True])
def test_marks_that_only_the_log_has_can_be_taken_back_or_left(active, take):
    upgraded = values.OpeningNote(values.NoteKind.UPGRADED)
    active.hear(say.Opened((upgraded, values.OpeningNote(values.NoteKind.LABELS_MISSING, 3))))
    assert "3 marks are missing in the file" in said(active.banner)
    assert "nbmail has upgraded" in said(active.banner)
    (active.banner.remedy if take else active.banner.close_button).click()
    assert not active.banner.isVisible()
    assert len(heard(active, TakeBackLabels)) == take
    if take:
        wait_for(lambda: "3 marks are back." in active.status.text())
    assert len(heard(active, LeaveLabels)) == (not take)


def test_a_message_that_cannot_be_read_says_so(active, qtbot):
    qtbot.waitUntil(lambda: active.message.shown_message is not None)
    active.engine.silent = (say.ReadMessage,)
    active.table.go_to(3)
    ticket_of(active, say.ReadMessage).fail(KnownError(ErrorCode.NOT_FOUND, "gone"))
    qtbot.waitUntil(lambda: "no longer exists" in active.message.body.toPlainText())


def test_export_and_import(active, qtbot, tmp_path):

    active.model_files.export_to(tmp_path / "mine.nbmodel")
    qtbot.waitUntil(lambda: "Exported 12,345 words" in active.status.text())
    for number, replaces in enumerate((False, True)):
        active.model_files.import_from(tmp_path / "mine.txt")
        qtbot.waitUntil(lambda: active.findChild(ImportDialog) is not None)
        report = active.findChild(ImportDialog)
        shown = " ".join(line.text() for line in (report.heading, *report.lines))
        for text in (
            "mine.txt: bogofilter training. Messages: 618 junk, 1,382 good",
            "agrees with 212 of your 220 marks",
            "nbmail can use 27,908 of its 69,717 words",
            "The other 41,809 words have no effect here",
        ):
            assert text in shown
        assert len(heard(active, say.ImportModel)) == number
        assert [row.cells for row in report.words.rows] == [
            ("eve@evil.example", "sender", "−51.0", "0 junk, 40 not junk", "none"),
            ("prize", "text", "+1.4", "0 junk, 40 not junk", "20 junk, 0 not junk"),
        ]
        assert report.leave_out.text() == "Leave out these and all such words (1,234)"
        report.leave_out.setChecked(replaces)
        qtbot.waitUntil(report.leave_button.isDefault)
        (report.replace_button if replaces else report.add_button).click()
        qtbot.waitUntil(lambda: "Imported 9,876 words" in active.status.text())
        assert active.status.text().endswith("only its word counts were imported.")
        sent = heard(active, say.ImportModel)[-1]
        assert sent == say.ImportModel(tmp_path / "mine.txt", replace=replaces, format="bogofilter", leave_out=replaces)
        qtbot.waitUntil(lambda: active.findChild(ImportDialog) is None)
    active.model_files.import_from(tmp_path / "mine.txt")
    qtbot.waitUntil(lambda: active.findChild(ImportDialog) is not None)
    active.findChild(ImportDialog).leave_button.click()
    assert len(heard(active, say.ImportModel)) == 2
    active.actions_by_name["drop-imports"].trigger()
    qtbot.waitUntil(lambda: "All imports were removed." in active.status.text())
    active.model_files.export_to(tmp_path / "words.txt", "bogofilter", 3)
    qtbot.waitUntil(
        lambda: (
            "With 1 in 200 good messages lost, the full model catches 93 % of junk and this one 92 %."
            in active.status.text()
        )
    )
    active.actions_by_name["export-redacted"].trigger()
    dialog = QApplication.activeModalWidget()
    assert Path(dialog.selectedFiles()[0]).name == "nbmail.nbmodel"
    kind = next(each for each in dialog.nameFilters() if "SpamBayes" in each)
    dialog.selectNameFilter(kind)
    dialog.filterSelected.emit(kind)
    assert Path(dialog.selectedFiles()[0]).name == "nbmail.csv"
    dialog.fileSelected.emit(str(tmp_path / "mine.csv"))
    assert heard(active, say.ExportModel)[-1] == say.ExportModel(tmp_path / "mine.csv", "spambayes", 3)
    dialog.reject()


def test_theme_and_costs_take_effect_at_once(active, qtbot):
    light = active.grab().toImage()
    active.parts.settings.change(replace(active.settings, theme="dark", junk_seen_per_lost=7.0, move_mail=True))
    assert heard(active, say.SetCost) == [say.SetCost(7.0)]
    assert heard(active, say.SetMoving) == [say.SetMoving(True)]
    assert active.calls == [("save_settings", active.settings)]
    assert active.grab().toImage() != light


# ------------------------------------------------------------------------------------------------ being heard


def test_screen_readers_get_sentences_of_the_list(active):
    table = QAccessible.queryAccessibleInterface(active.table)
    assert table.role() == QAccessible.Role.Table
    assert table.text(QAccessible.Text.Name) == "Messages"
    cells = [table.child(number) for number in range(table.childCount()) if table.child(number) is not None][:40]
    spoken = [cell.text(QAccessible.Text.Name) for cell in cells if cell.role() == QAccessible.Role.Cell]
    assert spoken
    assert all("chance of junk" in text for text in spoken)


# ---------------------------------------------------------------------------------------------------- closing


def test_panes_and_columns_stay_where_they_were_put(open_window, paths):
    window = open_window(paths=paths)
    window.panes.reading.setSizes([400, 650])
    window.table.setColumnWidth(Column.SENDER, 250)
    window.resize(1200, 700)
    kept = window.panes.reading.sizes()
    window.close()
    again = open_window(paths=paths, size=(1200, 700))
    assert again.size() == window.size()
    assert again.sidebar.isVisible(), "there is room for it"
    assert again.panes.reading.sizes() == kept
    assert again.table.columnWidth(Column.SENDER) == 250


@pytest.mark.parametrize("noted", [["x", "y"], "7", ["-3", "5"]])
def test_broken_notes_of_the_shape_do_no_harm(open_window, paths, noted):
    notes = QSettings(str(paths.state / "window.ini"), QSettings.Format.IniFormat)
    for name in ("geometry", "sidebar", "reading", "list", "columns"):
        notes.setValue(name, noted)
    notes.sync()
    window = open_window(paths=paths)
    assert window.table.columnWidth(Column.SENDER) > 100
    assert min(window.panes.reading.sizes()) > 100


def test_after_closing_nothing_is_asked_and_no_event_is_heard(open_window, qtbot):
    window = open_window()
    qtbot.waitUntil(lambda: window.evidence.why is not None)
    window.table.go_to(9)
    window.close()
    asked = len(window.engine.heard)
    window.bridge.emit_event(say.InternalError("late"))
    qtbot.wait(200)
    assert not window.banner.isVisible()
    assert len(window.engine.heard) == asked


def test_an_empty_mailbox_is_fine(open_window, qtbot):
    window = open_window(0, rows=make_rows(0), learned=(0, 0))
    qtbot.waitUntil(lambda: window.model.loaded)
    for key in (KEY.Key_J, KEY.Key_Down, KEY.Key_N, KEY.Key_End):
        press(qtbot, window, key)
    qtbot.keyClicks(window.table, "!")
    assert heard(window, say.Mark) == []
    event = QKeyEvent(QEvent.Type.KeyPress, KEY.Key_X, Qt.KeyboardModifier.NoModifier, "x")
    QApplication.sendEvent(window.table, event)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Choice(Kind.MARKED), "No marked messages here yet."),
        (Choice(Kind.ALL, values.FolderName("home", "Nowhere")), "No messages here yet."),
    ],
)
def test_an_empty_list_says_why(active, qtbot, choice, words):
    active.show_choice(choice)
    qtbot.waitUntil(lambda: active.table.accessibleDescription() == words)
    active.search.setText("xyzzy")
    qtbot.waitUntil(lambda: active.message.shown_message is None)
    assert not active.actions_by_name["junk"].isEnabled()
    qtbot.waitUntil(lambda: active.table.accessibleDescription() == "No messages match “xyzzy”.")
    active.grab()


def menu_of(window, wanted):
    entry = next(entry for entry in window.sidebar_model.entries if entry.text == wanted)
    return {action.text(): action for action in window.parts.sidebar_menu.make(entry).actions() if action.text()}


def test_a_folder_can_be_learned_as_a_whole(active, qtbot):
    qtbot.waitUntil(lambda: len(active.sidebar_model.entries) > len(Kind) + 1)
    active.engine.do_LabelFolder = lambda command: say.Marked((1, 2, 3), command.label, 1)
    menu_of(active, "Lists")["Learn all messages as not junk"].trigger()
    qtbot.waitUntil(lambda: active.status.text().startswith("3 messages marked as not junk."))
    assert heard(active, say.LabelFolder) == [say.LabelFolder(values.FolderName("home", "Lists"), "good")]
    assert menu_of(active, "Unsure") == {}


def test_a_mailbox_can_be_removed_after_a_question(active, qtbot):
    for yes in (False, True):
        assert len(active.settings.accounts) == 1
        menu_of(active, "home")["Remove account…"].trigger()
        answer(active, yes=yes)
    assert active.settings.accounts == ()
    assert ("remove", "home") in active.calls


def test_the_theme_follows_the_system_only_if_asked_to(open_window):
    window = open_window(settings=Settings(accounts=(Account("home"),), theme="dark"))
    assert colors() is DARK
    window.parts.follow_system()
    assert colors() is DARK
    window.parts.settings.change(replace(window.settings, theme="system"))
    window.parts.follow_system()
    assert colors() is LIGHT


def test_a_link_in_a_mail_is_asked_about_before_it_is_opened(active, opened_urls):
    active.message.body.anchorClicked.emit(QUrl("http://rewards.example/claim"))
    assert "rewards.example" in question(active).text()
    answer(active, yes=True)
    assert opened_urls == ["http://rewards.example/claim"]


def test_an_account_at_work_promises_mail(open_window, qtbot):
    window = open_window(0, rows=make_rows(0), learned=(0, 0))
    qtbot.waitUntil(lambda: window.table.accessibleDescription() == "No messages here yet.")
    show_account(window, values.Phase.WORKING, folder="INBOX")
    assert window.table.accessibleDescription() == "Fetching your mail…"


def test_figures_keep_up_while_changes_never_pause(active, qtbot):
    """Changes every 20 ms must not put the sidebar's figures off for ever."""
    rows = make_rows(90)
    unread = active.sidebar_model.entries[Kind.UNREAD].count
    for number in range(60, 90):
        active.hear(say.Changed(rows=pick_rows(rows, np.array([number]), np.array(rows.labels), rows.scores)))
        qtbot.wait(20)
        if active.sidebar_model.entries[Kind.ALL].count > 62:
            break
    else:
        pytest.fail("the figures stood still")
    assert active.sidebar_model.entries[Kind.UNREAD].count >= unread


def edge(window, row):
    """The colour at the left edge of a row: the cursor's mark or the row's own."""
    place = QPoint(1, window.table.rowViewportPosition(row) + 8)
    return window.table.viewport().grab().toImage().pixelColor(place).name()


def test_the_mark_of_the_cursor_stays_with_its_message(active, qtbot):
    active.table.go_to(2)
    assert edge(active, 2) == LIGHT.accent
    rows = make_rows(61)
    rows.dates[60] = NOW + 5
    active.hear(say.Changed(rows=pick_rows(rows, np.array([60]), np.array(rows.labels), rows.scores)))
    assert current(active) == 3
    assert edge(active, 3) == LIGHT.accent
    assert edge(active, 2) != LIGHT.accent


def test_the_clock_goes_on(active):
    show_account(active)
    assert active.status.account.text() == "Up to date (1 minute ago)"
    active.parts.account_status._clock = lambda: NOW + 600
    active.parts.account_status.update_times()
    assert active.status.account.text() == "Up to date (10 minutes ago)"


def test_being_offline_is_said_once_and_forgotten_when_it_is_over(active):
    show_account(active, values.Phase.OFFLINE, error_code=ErrorCode.NO_NETWORK)
    assert "Can't reach" in said(active.banner)
    active.banner.remedy.click()
    assert active.calls == [("check_mail",)]
    active.banner.close_button.click()
    show_account(active, values.Phase.CONNECTING)
    show_account(active, values.Phase.OFFLINE, error_code=ErrorCode.NO_NETWORK)
    assert not active.banner.isVisible()
    show_account(active)
    show_account(active, values.Phase.OFFLINE, error_code=ErrorCode.NO_NETWORK)
    assert active.banner.isVisible()


def test_dragging_selects_and_a_right_click_keeps_the_selection(active, qtbot):
    view = active.table.viewport()

    def place(row):
        return QPoint(300, active.table.rowViewportPosition(row) + 5)

    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=place(1))
    drag = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(place(4)),
        QPointF(view.mapToGlobal(place(4))),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view, drag)
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=place(4))
    assert len(active.table.selected_messages()) == 4
    qtbot.mouseClick(view, Qt.MouseButton.RightButton, pos=place(2))
    assert len(active.table.selected_messages()) == 4
    active.parts.open_message_menu(place(2))
    menu = QApplication.activePopupWidget()
    assert "Junk" in [action.text() for action in menu.actions()]
    menu.close()


def test_the_window_shows_no_page_before_the_first_rows(qtbot):
    bridge = Bridge()
    window = build(main_window(ScriptedEngine(bridge.emit_event, make_rows(3)), bridge, Settings(theme="dark")))
    qtbot.addWidget(window)
    assert window.panes.pages.currentIndex() == WindowPage.NOTHING
    qtbot.waitUntil(lambda: window.panes.pages.currentIndex() == WindowPage.MAIL)
    window.hear(say.EngineFailed(say.Failed(ErrorCode.DISK_FULL, "")))
    assert "disk is full" in said(window.banner)
    window.close()
