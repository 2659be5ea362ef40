"""The window over the real engine: keys, marks, undo, lists, states, errors, stored state."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSettings, QStandardPaths, Qt, QTimer, QUrl
from PySide6.QtGui import QAccessible, QMouseEvent, QScreen
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.settings import Account
from nbmail.ui.actions.step_texts import step_text
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.kit.theme import DARK, LIGHT, colors
from nbmail.ui.list.list_choice import USUAL, Choice, Column, Kind
from nbmail.ui.sorting.sorting_window import SortingWindow
from nbmail.ui.texts.error_texts import Notice
from nbmail.ui.window.panes import WindowPage
from nbmail.values import VERDICTS, FolderName, NoteKind, OpeningNote, Phase, Scores, StepTaken
from nbmail.worker.protocol.events import Changed, EngineFailed, Opened
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.model_files import Agreement, Imported, ImportReport
from nbmail.worker.protocol.ticket import Failed
from tests.ui.helpers import answer, question, said, show_account
from tests.ui.real import ACCOUNT, HOMES, Mailbox, settle

KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
COUNT = 60
"""Messages of the mailbox: twenty learned of each kind, and twenty more."""
LETTER = (
    "From: {sender}\r\nSubject: letter {number}\r\nMessage-ID: <{number}@new>\r\n\r\n{text}\r\n"
)


@pytest.fixture
def active(mailbox, qtbot):
    """An active window whose list has focus, with the first message shown."""
    window = mailbox.window
    window.activateWindow()
    window.table.setFocus()
    qtbot.waitUntil(window.isActiveWindow)
    settle(mailbox)
    return window


def press(qtbot, window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(QApplication.focusWidget() or window.table, key, modifiers)


def current(window):
    return window.table.currentIndex().row()


def label_of(window, message):
    return window.model.source_of(message)[0]


def letters(count, sender="Anna <anna@new.example>", text="hello"):
    return [
        LETTER.format(sender=sender, number=number, text=text).encode() for number in range(count)
    ]


def rescored(window, odds):
    """An event with other scores for all messages, in the order of the list."""
    messages = window.model.mail.messages[window.model.mail.order]
    verdicts = np.full(len(messages), VERDICTS.index("ham"), np.int8)
    return Changed(
        scores=Scores(messages, np.asarray(odds, float), 1 / (1 + np.exp(-odds)), verdicts, True)
    )


# --------------------------------------------------------------------------------------------------
# keyboard


def test_arrows_pages_and_ends(active, qtbot):
    press(qtbot, active, KEY.Key_Down)
    assert current(active) == 1
    press(qtbot, active, KEY.Key_End)
    assert current(active) == COUNT - 1
    press(qtbot, active, KEY.Key_Home)
    press(qtbot, active, KEY.Key_PageDown)
    assert current(active) > 2
    press(qtbot, active, KEY.Key_Up)
    assert active.table.selected_messages() == (active.table.current_message(),)


def test_a_key_marks_and_goes_to_the_next_message_and_undo_returns(active, mailbox, qtbot):
    active.show_choice(Choice(folder=FolderName(ACCOUNT, "INBOX")))
    message = active.table.current_message()
    odds = active.model.mail.log_odds.copy()
    qtbot.keyClicks(active.table, "!")
    assert label_of(active, message) == "spam", "before the engine confirms it"
    assert current(active) == 1
    qtbot.waitUntil(lambda: "Learned: 21 spam" in said(active.learning_bar))
    qtbot.waitUntil(lambda: "Marked as spam." in active.status.text())
    settle(mailbox)
    assert (active.model.mail.log_odds != odds).any()
    qtbot.mouseClick(active.status.undo, Qt.MouseButton.LeftButton)
    subject = active.model.mail.heading_of(message)[1]
    undone = f"Undone: “{subject}” is no longer marked as spam."
    qtbot.waitUntil(lambda: undone in active.status.text())
    settle(mailbox)
    assert active.table.current_message() == message
    assert label_of(active, message) is None
    assert active.actions_by_name["redo"].isEnabled()
    press(qtbot, active, KEY.Key_Y, CONTROL)
    redone = f"Redone: “{subject}” is marked as spam again."
    qtbot.waitUntil(lambda: redone in active.status.text())
    settle(mailbox)
    assert label_of(active, message) == "spam"


def test_the_menu_names_the_next_step(active, qtbot):
    """The subject is not that of a mnemonic, and no step has the name of another."""
    undo = active.actions_by_name["undo"]
    redo = active.actions_by_name["redo"]
    subject = active.model.mail.heading_of(active.table.current_message())[1].replace("&", "&&")
    qtbot.keyClicks(active.table, "!")
    name = f"marking “{subject}” as spam"
    qtbot.waitUntil(lambda: undo.text() == f"Undo: {name}")
    undo.trigger()
    qtbot.waitUntil(lambda: redo.text() == f"Redo: {name}")
    assert name not in undo.text()
    assert (undo.iconText(), redo.iconText()) == ("Undo", "Redo")


def test_the_setting_to_stay_after_a_mark(open_mailbox, qtbot):
    window = open_mailbox(after_mark="stay").window
    qtbot.keyClicks(window.table, "!")
    assert current(window) == 0


@pytest.mark.parametrize("place", ["search", "table", "sidebar", "message"])
def test_escape_clears_the_search_from_anywhere(active, qtbot, place):
    press(qtbot, active, KEY.Key_Slash)
    assert active.search.hasFocus()
    qtbot.keyClicks(active.search, "n!j prize")
    assert active.engine.requests("mark") == [], "letters of a search mark nothing"
    qtbot.waitUntil(lambda: active.model.rowCount() == 0)
    places = {"search": active.search, "table": active.table, "sidebar": active.sidebar}
    places.get(place, active.message.body).setFocus()
    press(qtbot, active, KEY.Key_Escape)
    assert active.search.text() == ""
    qtbot.waitUntil(active.table.hasFocus)
    qtbot.waitUntil(lambda: active.model.rowCount() == COUNT)


def test_a_search_states_its_list_and_offers_another(active, qtbot):
    active.show_choice(Choice(folder=FolderName(ACCOUNT, "INBOX")))
    assert not active.head.elsewhere.isVisible()
    for place, offer in (
        ("In Inbox", "Search all mail"),
        ("In All mail", "Search spam"),
        ("In Spam", "Search all mail"),
    ):
        active.search.setText("xyzzy")
        qtbot.waitUntil(active.head.elsewhere.isVisible)
        qtbot.waitUntil(lambda: said(active.head).startswith(place))  # noqa: B023
        qtbot.waitUntil(
            lambda offer=offer: (
                active.table.elsewhere.text() == active.head.elsewhere.text() == offer
            )
        )
        active.table.elsewhere.click()
        assert active.search.text() == active.model.arrangement.choice.words == "xyzzy"
    active.search.clear()
    qtbot.waitUntil(active.head.elsewhere.isHidden)
    assert active.table.elsewhere.isHidden()


def test_sorting_is_reached_from_the_preferences(active, qtbot):
    active.actions_by_name["preferences"].trigger()
    dialog = QApplication.activeModalWidget()
    dialog.sorting.click()
    qtbot.waitUntil(lambda: bool(active.findChildren(SortingWindow)) and not dialog.isVisible())
    active.findChild(SortingWindow).close()


def test_the_search_field_offers_operators(active, qtbot):
    active.search.setFocus()
    qtbot.keyClicks(active.search, "anna ha")
    popup = active.search.completer().popup()
    qtbot.waitUntil(popup.isVisible)
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert active.search.text() == "anna has:attachment"
    qtbot.keyClicks(active.search, " xyzzy")
    assert not popup.isVisible()


def test_texts_are_searched_and_the_open_message_stays_in_view(active, mailbox, qtbot):
    mailbox.deliver("Lists", letters(30, text="the zephyr in the garden"))
    qtbot.waitUntil(lambda: active.model.rowCount() == COUNT + 30)
    active.table.go_to_message(
        next(each for each in range(1, 200) if "letter 7" in active.model.mail.heading_of(each))
    )
    message = active.table.current_message()
    active.search.setText('"zephyr in the"')
    qtbot.waitUntil(lambda: active.model.rowCount() == 30)
    assert active.table.selected_messages() == (message,)
    assert 0 <= active.table.rowViewportPosition(current(active)) < active.table.viewport().height()
    arrived = letters(32, text="another zephyr in the garden")[30:]
    mailbox.deliver("Lists", arrived, first=31)
    qtbot.waitUntil(lambda: active.model.rowCount() == 32)
    assert active.table.selected_messages() == (message,)
    active.search.setText("LETTER 17 anna")
    qtbot.waitUntil(lambda: active.model.rowCount() == 1)
    active.search.clear()
    qtbot.waitUntil(lambda: active.model.rowCount() == COUNT + 32)


def test_the_space_bar_scrolls_the_message(active, qtbot):
    active.message.body.setPlainText("line\n" * 500)
    press(qtbot, active, KEY.Key_Space)
    assert active.message.body.verticalScrollBar().value() > 0
    press(qtbot, active, KEY.Key_Space, SHIFT)
    assert active.message.body.verticalScrollBar().value() == 0


def test_the_other_key_map_applies_at_once(active, qtbot):
    active.parts.settings.change(replace(active.settings, keys="thunderbird"))
    assert "F next" in active.status.text()
    press(qtbot, active, KEY.Key_F)
    assert current(active) == 1
    press(qtbot, active, KEY.Key_J)
    press(qtbot, active, KEY.Key_J, SHIFT)
    assert [label for _, label in active.engine.requests("mark")] == ["spam", "ham"]


def test_every_action_has_a_text_and_no_key_has_two_actions(active):
    keys = [
        key.toString() for action in active.actions_by_name.values() for key in action.shortcuts()
    ]
    assert len(keys) == len(set(keys))
    assert all(action.text() and action.toolTip() for action in active.actions_by_name.values())


def test_without_mail_no_key_does_anything(empty_mailbox, qtbot):
    window = empty_mailbox.window
    for key in (KEY.Key_J, KEY.Key_Down, KEY.Key_N, KEY.Key_End, KEY.Key_X, KEY.Key_Exclam):
        press(qtbot, window, key)
    assert window.engine.requests("mark") == []


# --------------------------------------------------------------------------------------------------
# selection


def click(qtbot, window, row, modifier=Qt.KeyboardModifier.NoModifier):
    place = QPoint(300, window.table.rowViewportPosition(row) + 5)
    qtbot.mouseClick(window.table.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def test_clicks_select_as_everywhere(active, qtbot):
    at = active.model.message_at
    click(qtbot, active, 1)
    assert active.table.selected_messages() == (at(1),)
    click(qtbot, active, 4, SHIFT)
    assert active.table.selected_messages() == tuple(at(row) for row in range(1, 5))
    click(qtbot, active, 2, CONTROL)
    assert active.table.selected_messages() == (at(1), at(3), at(4))
    press(qtbot, active, KEY.Key_Down, SHIFT)
    assert active.table.selected_messages() == (at(2), at(3))


def test_dragging_selects_and_a_right_click_keeps_the_selection(active, qtbot):
    view = active.table.viewport()

    def place(row):
        return QPoint(300, active.table.rowViewportPosition(row) + 5)

    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=place(1))
    left = Qt.MouseButton.LeftButton
    none = Qt.MouseButton.NoButton
    at = QPointF(place(4)), QPointF(view.mapToGlobal(place(4)))
    drag = QMouseEvent(QMouseEvent.Type.MouseMove, *at, none, left, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view, drag)
    qtbot.mouseRelease(view, left, pos=place(4))
    qtbot.mouseClick(view, Qt.MouseButton.RightButton, pos=place(2))
    assert len(active.table.selected_messages()) == 4
    active.parts.open_message_menu(place(2))
    menu = QApplication.activePopupWidget()
    assert "Spam" in [action.text() for action in menu.actions()]
    menu.close()


def test_many_messages_are_marked_in_one_step(active, qtbot):
    active.table.go_to(2)
    active.table.go_to(6, extend=True)
    messages = active.table.selected_messages()
    assert active.head.selected.text() == "5 selected"
    qtbot.keyClicks(active.table, "!")
    qtbot.waitUntil(lambda: "5 messages marked as spam." in active.status.text())
    assert {label_of(active, message) for message in messages} == {"spam"}
    assert current(active) == 7
    active.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: "Undone: marking 5 messages as spam." in active.status.text())


def test_only_messages_of_the_shown_list_are_selected(active):
    active.table.select_all()
    assert active.head.selected.text() == f"{COUNT} selected"
    active.show_choice(Choice(Kind.SPAM))
    shown = {active.model.message_at(row) for row in range(active.model.rowCount())}
    assert set(active.table.selected_messages()) <= shown
    active.show_choice(Choice())
    assert active.table.selected_messages() == (active.table.current_message(),)
    assert not active.head.selected.isVisible()


def test_new_scores_keep_rows_cursor_and_selection_until_the_list_is_sorted(active, qtbot):
    active.table.sort_by(Column.CHANCE)
    active.table.go_to(5)
    message = active.table.current_message()
    rows = [active.model.message_at(row) for row in range(COUNT)]
    active.receive(rescored(active, np.linspace(-9, 9, COUNT)))
    qtbot.waitUntil(active.head.sort.isVisible)
    assert [active.model.message_at(row) for row in range(COUNT)] == rows
    assert active.table.selected_messages() == (message,)
    press(qtbot, active, KEY.Key_F5)
    assert active.table.current_message() == message
    qtbot.waitUntil(lambda: not active.head.sort.isVisible())
    assert (np.diff(active.model.mail.log_odds[active.model.mail.order]) <= 0).all()


def test_sorting_scrolls_to_the_first_row_and_keeps_the_cursor(active):
    active.table.go_to(50)
    assert active.table.verticalScrollBar().value() > 0
    message = active.table.current_message()
    active.table.sort_by(Column.SUBJECT)
    assert active.table.verticalScrollBar().value() == 0
    assert active.table.current_message() == message


def edge(window, row):
    """The color at the left edge of a row."""
    place = QPoint(1, window.table.rowViewportPosition(row) + 8)
    return window.table.viewport().grab().toImage().pixelColor(place).name()


def test_the_edge_of_the_current_row_moves_with_its_message(active, mailbox, qtbot):
    active.table.go_to(2)
    assert edge(active, 2) == LIGHT.accent
    mailbox.deliver("Lists", letters(1))
    qtbot.waitUntil(lambda: current(active) == 3)
    assert edge(active, 3) == LIGHT.accent
    assert edge(active, 2) != LIGHT.accent


# --------------------------------------------------------------------------------------------------
# requests


def test_the_number_of_changed_verdicts_is_reported(active, qtbot):
    active.engine.held.add("mark")
    message = active.table.current_message()
    for result, text in (
        (Marked((message,), "spam", 4), "Marked as spam. 4 other messages changed their verdict."),
        (Marked((), "spam"), "Already marked."),
    ):
        qtbot.keyClicks(active.table, "!")
        active.engine.ticket("mark").finish(result)
        qtbot.waitUntil(lambda text=text: active.status.text() == text)


def test_a_failed_mark_is_removed_and_explained(active, qtbot):
    active.show_choice(Choice(folder=FolderName(ACCOUNT, "INBOX")))
    active.engine.held.add("mark")
    message = active.table.current_message()
    qtbot.keyClicks(active.table, "!")
    active.engine.ticket("mark").fail(KnownError(ErrorCode.DISK_FULL, "no space left"))
    qtbot.waitUntil(active.banner.isVisible)
    assert "The disk is full" in said(active.banner)
    qtbot.waitUntil(lambda: label_of(active, message) is None)


def test_a_message_that_cannot_be_read_has_an_explanation(active, qtbot):
    active.engine.held.add("read_message")
    active.table.go_to(3)
    qtbot.waitUntil(lambda: active.engine.ticket("read_message") is not None)
    active.engine.ticket("read_message").fail(KnownError(ErrorCode.NOT_FOUND, "gone"))
    failure = active.message.failure
    qtbot.waitUntil(lambda: "no longer exists" in said(failure))
    assert failure.manual.isVisibleTo(active)
    active.engine.held.clear()
    active.table.go_to(5)
    qtbot.waitUntil(failure.isHidden)


def test_a_message_is_explained_again_only_if_the_list_shows_another_score(active, mailbox, qtbot):
    mail = active.model.mail
    message = active.table.current_message()
    explained = len(active.engine.requests("explain"))
    read = len(active.engine.requests("read_message"))
    odds = mail.log_odds[mail.order].copy()
    scores = Scores(mail.messages, mail.log_odds, mail.probabilities, mail.verdicts, True)
    active.receive(Changed(scores=scores))
    settle(mailbox)
    assert len(active.engine.requests("explain")) == explained
    active.receive(rescored(active, odds + 1))
    qtbot.waitUntil(lambda: [message, 2000] in active.engine.requests("explain")[explained:])
    assert len(active.engine.requests("read_message")) == read


def test_the_cost_of_lost_mail_changes_the_explained_verdict(active, qtbot):
    active.show_choice(Choice(Kind.UNSURE))
    qtbot.waitUntil(
        lambda: active.evidence.why is not None and active.evidence.why.verdict == "unsure"
    )
    message = active.table.current_message()
    active.parts.settings.change(replace(active.settings, spam_seen_per_lost=1.0))
    qtbot.waitUntil(lambda: active.model.score_of(message)[2] != "unsure")
    verdict = active.model.score_of(message)[2]
    qtbot.waitUntil(lambda: active.evidence.why.verdict == verdict)


def test_a_held_key_reads_only_the_message_at_which_it_stops(active, qtbot):
    read = len(active.engine.requests("read_message"))
    for _ in range(20):
        press(qtbot, active, KEY.Key_Down)
    last = active.table.current_message()
    qtbot.waitUntil(lambda: active.message.shown_message.message == last)
    assert len(active.engine.requests("read_message")) - read < 10


def test_visible_rows_are_reported_to_the_engine(active, qtbot):
    def reported():
        return active.engine.requests("show_rows")[-1][0]

    qtbot.waitUntil(lambda: active.model.message_at(0) in reported())
    active.table.verticalScrollBar().setValue(active.table.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: active.model.message_at(COUNT - 1) in reported())


# --------------------------------------------------------------------------------------------------
# lists


def test_each_smart_list_has_a_key(active, qtbot):
    for kind in USUAL:
        press(qtbot, active, KEY(KEY.Key_1 + kind), CONTROL)
        assert active.model.arrangement.choice.kind == kind
        assert active.model.rowCount() == active.model.mail.count_kinds(None)[kind]
        assert active.sidebar.currentIndex().row() == kind + 1


def test_the_window_opens_on_the_inbox_until_the_user_chooses_a_list(open_mailbox, qtbot):
    mailbox = open_mailbox(0, all_mail=False)
    window = mailbox.window
    inbox = Choice(folder=FolderName(ACCOUNT, "INBOX"))
    assert window.model.arrangement.choice == inbox
    mailbox.deliver("Lists", letters(2))
    qtbot.waitUntil(lambda: window.model.arrangement.choice == Choice())
    mailbox.deliver("INBOX", [LETTER.format(sender="a@b.example", number=9, text="x").encode()])
    qtbot.waitUntil(lambda: window.model.arrangement.choice == inbox)
    qtbot.waitUntil(lambda: window.model.rowCount() == 1)
    window.show_choice(Choice())
    mailbox.deliver("INBOX", letters(3)[2:], first=7)
    qtbot.waitUntil(lambda: window.model.rowCount() == 4)
    assert window.model.arrangement.choice == Choice()


def test_the_list_of_first_time_senders_can_be_switched_on(active, qtbot):
    entries = active.sidebar_model
    settings = active.parts.settings
    press(qtbot, active, KEY.Key_8, CONTROL)
    assert 0 < active.model.rowCount() < COUNT
    first = Choice(Kind.FIRST)
    for shown in (True, False):
        active.parts.sidebar_menu.make(entries.entries[1]).actions()[0].trigger()
        qtbot.waitUntil(lambda: (first in [each.choice for each in entries.entries]) == shown)  # noqa: B023
        assert settings.value.first_senders == shown


def test_a_folder_is_chosen_from_the_sidebar(active, qtbot):
    qtbot.waitUntil(lambda: len(active.sidebar_model.entries) > len(Kind) + 3)
    row = next(
        row for row, entry in enumerate(active.sidebar_model.entries) if entry.text == "Inbox"
    )
    active.sidebar.setCurrentIndex(active.sidebar_model.index(row, 0))
    assert active.model.rowCount() == active.sidebar_model.entries[row].count == 20


def test_a_narrow_window_has_a_menu_of_the_lists(open_mailbox, qtbot):
    window = open_mailbox(size=(760, 560)).window
    qtbot.waitUntil(window.head.button.isVisible)
    assert not window.sidebar.isVisible()
    assert window.head.button.accessibleName()
    menu = window.head.button.menu()
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == "Unsure").trigger()
    assert window.model.arrangement.choice.kind == Kind.UNSURE


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (Choice(Kind.UNREAD), "No unread messages here."),
        (Choice(Kind.ALL, FolderName(ACCOUNT, "Nowhere")), "No messages here yet."),
    ],
)
def test_an_empty_list_gives_its_reason(active, mailbox, qtbot, choice, text):
    active.engine.mark_read([active.model.message_at(row) for row in range(COUNT)])
    settle(mailbox)
    active.show_choice(choice)
    qtbot.waitUntil(lambda: active.table.accessibleDescription() == text)
    active.search.setText("xyzzy")
    qtbot.waitUntil(lambda: active.message.shown_message is None)
    assert not active.actions_by_name["spam"].isEnabled()
    qtbot.waitUntil(lambda: active.table.accessibleDescription() == "No messages match “xyzzy”.")
    active.grab()


def test_a_message_without_a_sender_has_a_text_for_it(empty_mailbox, qtbot):
    window = empty_mailbox.window
    senders = ("", "<>", " ")
    empty_mailbox.deliver(
        "INBOX", [letters(3, sender=sender)[row] for row, sender in enumerate(senders)]
    )
    qtbot.waitUntil(lambda: window.model.rowCount() == 3)
    assert [window.model.index(row, Column.SENDER).data() for row in range(3)] == [
        "(no sender)"
    ] * 3


def test_counts_are_updated_while_mail_arrives_continuously(active, mailbox, qtbot):
    coming = enumerate(letters(100), 1)
    timer = QTimer()

    def deliver():
        number, raw = next(coming)
        mailbox.deliver("Lists", [raw], first=number)

    timer.timeout.connect(deliver)
    timer.start(20)
    qtbot.waitUntil(lambda: active.sidebar_model.entries[Kind.ALL + 1].count > COUNT + 2)
    timer.stop()


def menu_of(window, wanted):
    entry = next(entry for entry in window.sidebar_model.entries if entry.text == wanted)
    return {
        action.text(): action
        for action in window.parts.sidebar_menu.make(entry).actions()
        if action.text()
    }


def test_all_messages_of_a_folder_are_learned(active, mailbox, qtbot):
    mailbox.deliver("Lists", letters(1))
    qtbot.waitUntil(lambda: any(entry.text == "Lists" for entry in active.sidebar_model.entries))
    menu_of(active, "Lists")["Learn all messages as not spam"].trigger()
    qtbot.waitUntil(lambda: active.status.text().startswith("Marked as not spam."))
    assert [*menu_of(active, "Unsure")] == ["First-time senders"]
    assert menu_of(active, "Folders") == {}


def test_the_sidebar_has_two_groups(active, qtbot):
    qtbot.waitUntil(lambda: len(active.sidebar_model.entries) > len(Kind) + 3)
    entries = active.sidebar_model.entries
    groups = [
        (row, entry.text)
        for row, entry in enumerate(entries)
        if entry.choice is None and not entry.account
    ]
    assert groups == [(0, "Smart lists"), (len(USUAL) + 1, "Folders")]
    assert entries[len(USUAL) + 2].text == ACCOUNT


# --------------------------------------------------------------------------------------------------
# accounts


def test_without_an_account_the_welcome_page_is_shown(open_mailbox, qtbot):
    mailbox = open_mailbox(0, accounts=())
    window = mailbox.window
    account = Account("office", "imap.example")
    qtbot.waitUntil(window.welcome.isVisible)
    assert not window.actions_by_name["spam"].isEnabled()
    window.accounts.add(account, "secret")
    assert not window.welcome.isVisible()
    saved = replace(window.settings, accounts=(account,))
    assert mailbox.calls == [("save_settings", saved), ("add", account, "secret")]


def test_an_account_that_needs_the_user_has_a_banner_until_it_works(active, mailbox):
    show_account(active, Phase.NEEDS_YOU, error_code=ErrorCode.WRONG_PASSWORD, detail="refused")
    assert "app password" in said(active.banner)
    active.banner.remedy.click()
    dialog = QApplication.activeModalWidget()
    dialog.field.setText("better")
    dialog.accept()
    assert mailbox.calls == [("set_password", ACCOUNT, "better")]
    show_account(active)
    assert not active.banner.isVisible()


def test_being_offline_is_reported_once_until_it_is_over(active, mailbox):
    show_account(active, Phase.OFFLINE, error_code=ErrorCode.NO_NETWORK)
    assert "Can't reach" in said(active.banner)
    active.banner.remedy.click()
    assert mailbox.calls == [("check_mail",)]
    active.banner.close_button.click()
    show_account(active, Phase.CONNECTING)
    show_account(active, Phase.OFFLINE, error_code=ErrorCode.NO_NETWORK)
    assert not active.banner.isVisible()
    show_account(active)
    show_account(active, Phase.OFFLINE, error_code=ErrorCode.NO_NETWORK)
    assert active.banner.isVisible()


def test_a_working_account_announces_mail(empty_mailbox, qtbot):
    window = empty_mailbox.window
    qtbot.waitUntil(lambda: window.table.accessibleDescription() == "No messages here yet.")
    show_account(window, Phase.WORKING, folder="INBOX")
    assert window.table.accessibleDescription() == "Loading mail…"


def test_the_time_since_the_last_sync_is_updated(open_mailbox):
    now = [1_790_000_000.0]
    window = open_mailbox(clock=lambda: now[0]).window
    show_account(window, at=now[0] - 60)
    assert window.status.account.text() == "Up to date (1 minute ago)"
    now[0] += 540
    window.parts.account_status.update_times()
    assert window.status.account.text() == "Up to date (10 minutes ago)"


def test_an_account_is_removed_after_a_question(active, mailbox):
    for yes in (False, True):
        assert len(active.settings.accounts) == 1
        menu_of(active, ACCOUNT)["Remove account…"].trigger()
        answer(active, yes=yes)
    assert active.settings.accounts == ()
    assert ("remove", ACCOUNT) in mailbox.calls


# ------------------------------------------------------------------------------------------------
# model and dialogs


def test_models_of_other_programs_are_added_or_replaced(open_mailbox, qtbot, tmp_path):
    mailbox = open_mailbox(0)
    other = mailbox.window
    for each, replaces in ((20, False), (10, True)):
        path = tmp_path / f"{each}.txt"
        source = open_mailbox(each).window
        source.model_files.export_to(path, "bogofilter")
        qtbot.waitUntil(lambda source=source: "Exported" in source.status.text())
        other.model_files.import_from(path)
        qtbot.waitUntil(lambda: other.findChild(ImportDialog) is not None)
        dialog = other.findChild(ImportDialog)
        shown = " ".join(line.text() for line in (dialog.heading, *dialog.lines))
        assert f"{each}.txt: bogofilter training. Messages: {each} spam, {each} not spam" in shown
        (dialog.replace_button if replaces else dialog.add_button).click()
        text = f"words from {2 * each} messages."
        qtbot.waitUntil(lambda text=text: text in other.status.text())
        assert ("The previous model was saved as" in other.status.text()) == replaces
        qtbot.waitUntil(lambda: other.findChild(ImportDialog) is None)
        settle(mailbox)
    other.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: other.status.text() == "Undone: importing a model.")
    settle(mailbox)
    other.actions_by_name["drop-imports"].trigger()
    qtbot.waitUntil(lambda: "All imports were removed." in other.status.text())


def test_the_preview_of_an_import_lists_what_nbmail_can_use(active, qtbot, tmp_path):
    active.engine.held |= {"preview_import", "import_model"}
    active.model_files.import_from(tmp_path / "mine.txt")
    report = ImportReport(
        *(
            tmp_path / "mine.txt",
            "bogofilter",
            (("spam", 618), ("ham", 1_382)),
            (),
            69_717,
            27_908,
            41_809,
            3_644,
        ),
        *(False, Agreement(96, 100, 116, 120), False, True),
    )
    active.engine.ticket("preview_import").finish(report)
    qtbot.waitUntil(lambda: active.findChild(ImportDialog) is not None)
    dialog = active.findChild(ImportDialog)
    shown = " ".join(line.text() for line in (dialog.heading, *dialog.lines))
    for text in (
        "mine.txt: bogofilter training. Messages: 618 spam, 1,382 not spam",
        "agrees with 212 of your 220 marks",
        "nbmail can use 27,908 of its 69,717 words",
        "The other 41,809 words have no effect here",
    ):
        assert text in shown
    dialog.add_button.click()
    ((path, options),) = active.engine.requests("import_model")
    assert (path, options["replace"]) == (tmp_path / "mine.txt", False)
    active.engine.ticket("import_model").finish(
        Imported(tmp_path / "mine.txt", 9_876, (("spam", 321),), "logistic")
    )
    qtbot.waitUntil(lambda: active.status.text().endswith("only its word counts were imported."))


def test_an_import_can_be_declined(open_mailbox, qtbot, tmp_path):
    mailbox = open_mailbox()
    path = tmp_path / "mine.nbmodel"
    window = mailbox.window
    window.model_files.export_to(path)
    settle(mailbox)
    window.model_files.import_from(path)
    qtbot.waitUntil(lambda: window.findChild(ImportDialog) is not None)
    qtbot.waitUntil(window.findChild(ImportDialog).leave_button.isDefault)
    window.findChild(ImportDialog).leave_button.click()
    assert window.engine.requests("import_model") == []


def test_the_dialog_for_an_export_selects_the_format(active, qtbot, monkeypatch, tmp_path):
    (tmp_path / "Documents").mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path / "Documents"))
    active.actions_by_name["export"].trigger()
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), QFileDialog))
    dialog = QApplication.activeModalWidget()
    assert dialog.directory().absolutePath() == str(tmp_path / "Documents")
    assert Path(dialog.selectedFiles()[0]).name == "nbmail.nbmodel"
    kind = next(each for each in dialog.nameFilters() if "SpamAssassin" in each)
    dialog.selectNameFilter(kind)
    dialog.filterSelected.emit(kind)
    assert Path(dialog.selectedFiles()[0]).name == "nbmail.txt"
    dialog.fileSelected.emit(str(tmp_path / "mine.txt"))
    dialog.reject()
    assert active.engine.requests("export_model") == [[tmp_path / "mine.txt", "spamassassin"]]
    qtbot.waitUntil(lambda: "as private as the mail" in active.status.text())
    (tmp_path / "Documents").rmdir()
    active.model_files.export_model()
    dialog = active.findChildren(QFileDialog)[-1]
    assert dialog.directory().absolutePath() == str(Path.home())
    dialog.reject()


def test_the_version_is_shown(active, qtbot):
    active.actions_by_name["about"].trigger()
    active.findChild(QMessageBox).buttons()[0].click()
    qtbot.waitUntil(lambda: active.findChildren(QMessageBox) == [])


def test_a_link_is_opened_after_a_question(active, opened_urls):
    active.message.body.anchorClicked.emit(QUrl("http://rewards.example/claim"))
    assert "rewards.example" in question(active).text()
    answer(active, yes=True)
    assert opened_urls == ["http://rewards.example/claim"]


STEPS = {
    StepTaken("user", "spam", 1): "marking 1 message as spam",
    StepTaken("user", "ham", 40): "marking 40 messages as not spam",
    StepTaken("user", None, 2): "clearing 2 marks",
    StepTaken("restore", None, 7): "restoring 7 earlier marks",
    StepTaken("folder", "ham", 3): "learning 3 messages",
}


def test_every_step_has_a_name():
    assert {step: step_text(step) for step in STEPS} == STEPS


def test_bugs_errors_and_notes_have_a_banner(active):
    active.receive(EngineFailed(Failed(None, "IndexError: 3")))
    show_account(active)
    assert "internal error" in said(active.banner), "a working account doesn't dismiss it"
    active.receive(EngineFailed(Failed(ErrorCode.DISK_FULL, "")))
    assert "disk is full" in said(active.banner)
    active.receive(Opened((OpeningNote(NoteKind.LOG_REPLACED, 2, "/damaged"),)))
    assert "kept the damaged file" in said(active.banner)
    assert "/damaged" in said(active.banner)


@pytest.mark.parametrize(
    ("replaced", "sentence"),
    [
        ("", "restored 3 marks from labels.log, which the file with your marks lacked"),
        ("/damaged", "created a new one with 3 marks from labels.log"),
    ],
)
def test_restored_marks_are_reported(active, replaced, sentence):
    refilled = OpeningNote(NoteKind.REFILLED, 3, replaced)
    active.receive(Opened((refilled, OpeningNote(NoteKind.LOG_REPLACED, 1))))
    assert sentence in said(active.banner)
    assert "labels.log, the second copy of your marks, was damaged." in said(active.banner)
    assert replaced in said(active.banner)


# ---------------------------------------------------------------------------------------------
# theme, size, state


def test_theme_and_costs_apply_at_once(active, mailbox):
    light = active.grab().toImage()
    active.parts.settings.change(
        replace(active.settings, theme="dark", spam_seen_per_lost=7.0, move_mail=True)
    )
    assert active.engine.requests("set_cost") == [[7.0, 9.0, 1.0, 1.0]]
    assert active.engine.requests("set_moving") == [[True]]
    assert mailbox.calls == [("save_settings", active.settings)]
    assert active.grab().toImage() != light


def test_the_theme_follows_the_desktop_only_if_set_so(open_mailbox):
    window = open_mailbox(0, theme="dark").window
    window.parts.follow_system()
    assert colors() is DARK
    window.parts.settings.change(replace(window.settings, theme="system"))
    window.parts.follow_system()
    assert colors() is LIGHT


@pytest.mark.parametrize("size", [(800, 600), (1280, 800), (2560, 1440)])
def test_the_window_fits_every_size(open_mailbox, qtbot, size):
    window = open_mailbox(size=size).window
    assert (window.width(), window.height()) == size
    qtbot.waitUntil(lambda: window.evidence.why is not None)
    for part in (
        window.table,
        window.message,
        window.evidence,
        window.learning_bar,
        window.status,
        window.search,
    ):
        corner = part.mapTo(window, QPoint(part.width(), part.height()))
        assert part.isVisible()
        assert corner.x() <= size[0]
        assert corner.y() <= size[1]
    assert window.table.viewport().height() > 4 * window.table.rowHeight(0)


def test_the_window_fits_the_screen_whatever_was_stored(open_mailbox, monkeypatch):
    """The frame is included, whose size is unknown until the window is shown."""
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _: QRect(0, 0, 1280, 800))
    first = open_mailbox(0, size=None)
    assert (first.window.width(), first.window.height()) == (1264, 752)
    first.window.resize(1280, 800)
    first.close()
    again = open_mailbox(home=first.home, size=None).window
    assert again.width() <= 1264
    assert again.height() <= 752


def test_panes_and_columns_are_restored(open_mailbox):
    first = open_mailbox(0, size=(1200, 700))
    window = first.window
    window.panes.message_splitter.setSizes([400, 650])
    window.table.setColumnWidth(Column.SENDER, 250)
    window.table.horizontalHeader().moveSection(
        window.table.horizontalHeader().visualIndex(Column.DATE), 0
    )
    menu = {action.text(): action for action in window.table.header.menu().actions()}
    assert "Subject" not in menu
    assert window.table.isColumnHidden(Column.VERIFIED)
    menu["Verdict"].trigger()
    menu["Verified"].trigger()
    assert not window.table.isColumnHidden(Column.VERIFIED)
    sizes = window.panes.message_splitter.sizes()
    first.close()
    again = open_mailbox(home=first.home, size=(1200, 700)).window
    assert again.sidebar.isVisible()
    assert again.panes.message_splitter.sizes() == sizes
    assert again.table.columnWidth(Column.SENDER) == 250
    assert again.table.isColumnHidden(Column.VERDICT)
    assert not again.table.isColumnHidden(Column.VERIFIED)
    assert again.table.horizontalHeader().visualIndex(Column.DATE) == 0


@pytest.mark.parametrize(("width", "beside"), [(1399, False), (1400, True)])
def test_the_message_is_next_to_the_list_from_1400_pixels(open_mailbox, width, beside):
    assert open_mailbox(0, size=(width, 800)).window.panes.is_beside == beside


def test_the_place_of_the_message_is_restored(open_mailbox):
    first = open_mailbox(0)
    first.window.actions_by_name["beside"].trigger()
    assert first.window.panes.is_beside
    first.close()
    assert open_mailbox(home=first.home).window.panes.is_beside


@pytest.mark.parametrize("stored", [["x", "y"], "7", ["-3", "5"]])
def test_malformed_stored_sizes_are_ignored(open_mailbox, tmp_path, stored):
    paths = Paths.under(tmp_path / "home")
    paths.make()
    state = QSettings(str(paths.state / "window.ini"), QSettings.Format.IniFormat)
    for name in ("geometry", "sidebar", "reading", "list", "columns", "shown"):
        state.setValue(name, stored)
    state.sync()
    window = open_mailbox(home=tmp_path / "home").window
    assert window.table.columnWidth(Column.SENDER) > 100
    assert min(window.panes.message_splitter.sizes()) > 100


def test_before_the_first_rows_neither_mail_nor_welcome_is_shown(qtbot, tmp_path):
    HOMES.copy(tmp_path / "home", 20, 10)
    with closing(Mailbox(tmp_path / "home", accounts=())) as mailbox:
        qtbot.addWidget(mailbox.window)
        pages = mailbox.window.panes.pages
        assert pages.currentIndex() == WindowPage.NOTHING
        qtbot.waitUntil(lambda: pages.currentIndex() == WindowPage.MAIL)


def test_screen_readers_get_sentences_about_the_rows(active):
    table = QAccessible.queryAccessibleInterface(active.table)
    assert table.role() == QAccessible.Role.Table
    assert table.text(QAccessible.Text.Name) == "Messages"
    cells = [
        table.child(number)
        for number in range(table.childCount())
        if table.child(number) is not None
    ][:40]
    texts = [
        cell.text(QAccessible.Text.Name) for cell in cells if cell.role() == QAccessible.Role.Cell
    ]
    assert texts
    assert all("chance of spam" in text for text in texts)


def test_a_closed_window_makes_no_requests_and_receives_no_events(mailbox, qtbot):
    window = mailbox.window
    settle(mailbox)
    window.table.go_to(9)
    window.close()
    calls = len(window.engine.calls)
    mailbox.bridge.emit_event(EngineFailed(Failed(None, "late")))
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in window.findChildren(QTimer)))
    assert not window.banner.isVisible()
    assert len(window.engine.calls) == calls


def test_a_bar_that_closes_moves_nothing_and_sets_focus_to_the_list(active, mailbox, qtbot):
    """Qt would give it to the first button of the tool bar, which marks as spam."""
    places = [active.table.mapToGlobal(QPoint()), active.message.mapToGlobal(QPoint())]
    active.banner.show_notice(Notice("The mail server doesn't answer.", ""))
    qtbot.waitUntil(active.banner.close_button.isVisible)
    active.banner.close_button.setFocus()
    settle(mailbox)
    assert [active.table.mapToGlobal(QPoint()), active.message.mapToGlobal(QPoint())] == places
    press(qtbot, active, KEY.Key_Space)
    assert not active.banner.isVisible()
    qtbot.waitUntil(active.table.hasFocus)
