"""Marks suggested after moves in another program: assigned after a click, never automatically."""

import pytest
from PySide6.QtCore import Qt

from nbmail.worker.protocol.events import EngineFailed, MovedByOthers
from nbmail.worker.protocol.ticket import Failed
from tests.ui.helpers import said


@pytest.fixture
def window(mailbox):
    return mailbox.window


def marks(window):
    return window.engine.requests("mark")


def test_a_move_to_spam_is_suggested_and_learned_after_a_click(window, qtbot):
    window.receive(MovedByOthers((3, 4, 5), "spam"))
    assert (
        said(window.offers) == "Another mail program moved 3 messages to Spam. Mark them as spam?"
    )
    assert marks(window) == []
    qtbot.waitUntil(lambda: not window.offers.remedy.visibleRegion().isEmpty())
    qtbot.mouseClick(window.offers.remedy, Qt.MouseButton.LeftButton)
    assert marks(window) == [[(3, 4, 5), "spam"]]
    qtbot.waitUntil(lambda: not window.engine.pending)
    assert {window.model.source_of(message)[0] for message in (3, 4, 5)} == {"spam"}
    assert not window.offers.isVisible()


def test_a_move_out_of_spam_is_suggested_as_ham(window):
    window.receive(MovedByOthers((3,), "ham"))
    assert (
        said(window.offers)
        == "Another mail program moved 1 message out of Spam. Mark it as not spam?"
    )
    window.offers.remedy.click()
    assert marks(window) == [[(3,), "ham"]]


def test_an_offer_names_the_messages_and_what_the_model_calls_them(window):
    window.receive(MovedByOthers((3,), "ham", ("Cheap pills",), frozenset({3})))
    asked = "nbmail classifies it as spam. Mark it as not spam?"
    assert (
        said(window.offers)
        == f"Another mail program moved 1 message out of Spam. {asked} “Cheap pills”"
    )
    subjects = ("Minutes", "", "Lunch " * 30, "Agenda", "Invoice")
    window.receive(MovedByOthers((1, 2, 4, 5, 6), "ham", subjects, frozenset({6})))
    assert "nbmail classifies 2 of them as spam." in said(window.offers)
    assert said(window.offers).endswith("“Cheap pills”, “Minutes”, “" + "Lunch " * 9 + "Lunch…”, …")
    window.offers.forget((6,))
    assert "nbmail classifies 1 of them as spam." in said(window.offers)
    window.receive(MovedByOthers((3, 1), "spam"))
    assert "The model" not in said(window.offers)


def test_a_dismissed_suggestion_is_not_learned(window):
    window.receive(MovedByOthers((3,), "spam"))
    window.offers.close_button.click()
    assert not window.offers.isVisible()
    assert marks(window) == []
    assert window.engine.requests("decline_moves") == [[(3,)]]


def test_suggestions_of_one_label_add_up_and_appear_one_label_at_a_time(window):
    window.receive(MovedByOthers((1, 2), "spam"))
    window.receive(MovedByOthers((3,), "ham"))
    window.receive(MovedByOthers((4,), "spam"))
    assert "moved 3 messages to Spam" in said(window.offers)
    window.offers.forget((1,))
    window.receive(MovedByOthers((2,), "spam"))
    assert "moved 2 messages to Spam" in said(window.offers), "the offer under the pointer stays"
    window.offers.remedy.click()
    assert "moved 1 message out of Spam" in said(window.offers)
    window.offers.remedy.click()
    assert marks(window) == [[(4, 2), "spam"], [(3,), "ham"]]
    assert not window.offers.isVisible()


def test_the_last_move_of_a_message_determines_the_suggestion(window):
    window.receive(MovedByOthers((1,), "spam"))
    window.receive(MovedByOthers((1,), "ham"))
    assert "out of Spam" in said(window.offers)
    window.offers.remedy.click()
    assert marks(window) == [[(1,), "ham"]]


def test_a_message_that_the_user_marks_is_no_longer_suggested(window):
    message = window.table.current_message()
    window.receive(MovedByOthers((message,), "spam"))
    window.actions_by_name["ham"].trigger()
    assert not window.offers.isVisible()
    assert marks(window) == [[(message,), "ham"]]


def test_a_warning_and_a_suggestion_are_visible_at_the_same_time(window):
    window.receive(EngineFailed(Failed(None, "IndexError: 3")))
    window.receive(MovedByOthers((1,), "spam"))
    assert window.banner.isVisible()
    assert window.offers.isVisible()
