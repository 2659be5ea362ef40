"""Triage: two keys, the next undecided message, undo, and the summary."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from nbmail.ui.evidence.word.word_window import WordWindow
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.window.panes import WindowPage
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.quality import TrainingReport
from tests.ui.helpers import is_idle, said
from tests.ui.real import HOMES, settle


@pytest.fixture
def window(open_window, qtbot):
    """Return a window in triage on the newest of four unsure messages. Marks change no verdict."""
    window = open_window()
    mail = window.model.mail
    unmarked = [place for place in mail.order if mail.labels[place] < 0]
    mail.verdicts[:] = 2
    mail.verdicts[unmarked[2:6]] = 0
    mail.effective_class[unmarked] = mail.verdicts[unmarked]
    window.script.mark = Marked
    window.script.undo = lambda limit=None: Marked((window.engine.requests("mark")[-1][0]), None)
    window.script.report_training = report
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClicks(window.table, "t")
    qtbot.waitUntil(lambda: is_idle(window))
    return window


def report(limit=0, among=()):
    """Return a recall of 60 % at first and of 75 % later."""
    if among:
        return TrainingReport(40, 90, 30 if tuple(among) == (1, 2) else 0)
    return TrainingReport(40, 90, 24, classified=(1, 2))


def shown(window):
    return window.reader.message


def press(qtbot, keys):
    qtbot.keyClicks(QApplication.focusWidget(), keys)


def test_each_key_shows_the_next_undecided_message_and_the_last_one_the_summary(window, qtbot):
    unsure = window.model.mail.undecided()
    assert len(unsure) == 4
    assert shown(window) == unsure[0]
    assert not window.table.isVisible()
    assert "1 of 4 unsure" in said(window.parts.triage_head)
    for keys, follower in (("!n", unsure[1]), ("n", unsure[2]), ("j", unsure[3])):
        press(qtbot, keys)
        qtbot.waitUntil(lambda follower=follower: shown(window) == follower)
    assert "3 of 4 unsure" in said(window.parts.triage_head)
    press(qtbot, "!")
    qtbot.waitUntil(lambda: shown(window) == -1)
    marks = window.engine.requests("mark")
    assert marks == [[(unsure[0],), "spam"], [(unsure[1],), "ham"], [(unsure[3],), "spam"]]
    assert window.panes.pages.currentIndex() == WindowPage.ENDING
    ending = said(window.parts.triage_end)
    assert "You marked 3 messages: 2 spam, 1 not spam." in ending
    assert "1 skipped message is still unsure" in ending
    qtbot.waitUntil(lambda: "60\u202f% → 75\u202f%" in said(window.parts.triage_end))
    window.parts.triage_end.back.click()
    assert window.table.isVisible()


def test_undo_shows_the_message_again(window, qtbot):
    first, second, *_ = window.model.mail.undecided()
    press(qtbot, "!")
    qtbot.waitUntil(lambda: shown(window) == second)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: shown(window) == first)
    window.model.label((first,), None)
    assert "1 of 4 unsure" in said(window.parts.triage_head)
    press(qtbot, "n")
    qtbot.waitUntil(lambda: shown(window) == second)
    press(qtbot, "k")
    assert shown(window) == first


def test_space_scrolls_and_escape_or_another_list_ends_triage(window, qtbot):
    current = shown(window)
    window.message.body.setPlainText("line\n" * 500)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert window.message.body.verticalScrollBar().value() > 0
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    qtbot.waitUntil(window.table.isVisible)
    assert window.table.current_message() == current
    press(qtbot, "t")
    window.show_choice(Choice(Kind.UNSURE))
    assert window.table.isVisible()
    assert not window.parts.triage_head.isVisible()
    qtbot.waitUntil(window.head.decide.isVisible)
    window.head.decide.click()
    assert window.parts.triage_head.isVisible()


def test_choosing_an_order_focuses_the_message_and_escape_ends_triage(window, qtbot):
    window.message.body.setPlainText("line\n" * 500)
    order = window.parts.triage_head.order
    order.setFocus()
    qtbot.keyClick(order, Qt.Key.Key_Space)
    view = order.view()
    qtbot.waitUntil(view.isVisible)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(window.message.body.hasFocus)
    assert window.parts.triage.order == "teaching"
    order.setFocus()
    qtbot.keyClick(order, Qt.Key.Key_Escape)
    assert window.table.isVisible()


def test_reasons_in_triage_are_those_of_the_shown_message(window, qtbot):
    press(qtbot, "j")
    message = shown(window)
    assert message != window.table.current_message()
    press(qtbot, "e")
    qtbot.waitUntil(lambda: window.evidence.why is not None and window.evidence.if_spam.isVisible())
    window.evidence.if_spam.click()
    window.parts.reasons.open_words(["now"])
    qtbot.waitUntil(lambda: bool(window.engine.requests("describe_word")))
    window.window().findChild(WordWindow).simulate.click()
    ((simulated, _),), ((_, without),) = map(
        window.engine.requests, ("simulate_mark", "simulate_without")
    )
    assert [simulated, without] == [message] * 2
    window.evidence.table.setFocus()
    for _ in range(2):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert window.table.isVisible()


def test_a_missing_mark_cannot_be_removed(window, qtbot):
    press(qtbot, "u")
    assert window.engine.requests("mark") == []


def label_correctly(mailbox, qtbot, messages, spam):
    """Label `messages` messages correctly. Return their verdicts at the time they were shown."""
    window = mailbox.window
    seen = list[str]()
    while len(seen) < messages and (message := shown(window)) >= 0:
        seen.append(window.model.score_of(message)[2])
        press(qtbot, "!" if window.model.mail.heading_of(message)[1] in spam else "n")
        qtbot.waitUntil(lambda message=message: shown(window) != message)
        settle(mailbox)
    return seen


def test_triage_skips_messages_that_the_model_has_decided_and_shows_the_improvement(
    open_mailbox, qtbot
):
    mailbox = open_mailbox(30, inbox=200)
    window = mailbox.window
    head = mailbox.window.parts.triage_head
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert len(window.model.mail.undecided()) > 30
    qtbot.keyClicks(window.table, "t")
    assert label_correctly(mailbox, qtbot, 12, HOMES.spam) == ["unsure"] * 12
    assert "→" in said(head)
    before, now = (
        int(share) for share in re.findall(r"(\d+)\u202f%", said(head).partition("learned:")[2])
    )
    assert now > before + 30
    window.parts.triage.leave()
    settle(mailbox)


def test_active_learning_order(open_mailbox, qtbot):
    mailbox = open_mailbox(20, inbox=200)
    window = mailbox.window
    head = mailbox.window.parts.triage_head
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClicks(window.table, "t")
    window.parts.triage.choose_order("teaching")
    settle(mailbox)
    asked = []
    unmarked = window.model.mail.count_above(0)[1]
    assert (shown(window),) == mailbox.engine.select_queries(1).result(60)
    for count in range(3):
        qtbot.waitUntil(lambda: shown(window) not in (-1, *asked))
        qtbot.waitUntil(lambda left=unmarked - count: f"· {left} unmarked" in said(head))
        asked.append(shown(window))
        press(qtbot, "!")
    qtbot.waitUntil(lambda: "3 marked" in said(head) and "of spam caught" in said(head))
    excluded = [given[1] for given in mailbox.engine.requests("select_queries") if len(given) > 1]
    assert all(len(set(exclude)) == len(exclude) for exclude in excluded)
    press(qtbot, "e")
    assert not window.table.isVisible()
    window.parts.triage.leave()
    settle(mailbox)
