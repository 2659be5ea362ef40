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


def test_a_move_to_junk_is_suggested_and_learned_after_a_click(window, qtbot):
    window.receive(MovedByOthers((3, 4, 5), "junk"))
    assert (
        said(window.offers) == "Another mail program moved 3 messages to Junk. Mark them as junk?"
    )
    assert marks(window) == []
    qtbot.waitUntil(lambda: not window.offers.remedy.visibleRegion().isEmpty())
    qtbot.mouseClick(window.offers.remedy, Qt.MouseButton.LeftButton)
    assert marks(window) == [[(3, 4, 5), "junk"]]
    qtbot.waitUntil(lambda: not window.engine.pending)
    assert {window.model.source_of(message)[0] for message in (3, 4, 5)} == {"junk"}
    assert not window.offers.isVisible()


def test_a_move_out_of_junk_is_suggested_as_good(window):
    window.receive(MovedByOthers((3,), "good"))
    assert (
        said(window.offers)
        == "Another mail program moved 1 message out of Junk. Mark it as not junk?"
    )
    window.offers.remedy.click()
    assert marks(window) == [[(3,), "good"]]


def test_an_offer_names_the_messages_and_what_the_model_calls_them(window):
    window.receive(MovedByOthers((3,), "good", ("Cheap pills",), frozenset({3})))
    asked = "nbmail classifies it as junk. Mark it as not junk?"
    assert (
        said(window.offers)
        == f"Another mail program moved 1 message out of Junk. {asked} “Cheap pills”"
    )
    subjects = ("Minutes", "", "Lunch " * 30, "Agenda", "Invoice")
    window.receive(MovedByOthers((1, 2, 4, 5, 6), "good", subjects, frozenset({6})))
    assert "nbmail classifies 2 of them as junk." in said(window.offers)
    assert said(window.offers).endswith("“Cheap pills”, “Minutes”, “" + "Lunch " * 9 + "Lunch…”, …")
    window.offers.forget((6,))
    assert "nbmail classifies 1 of them as junk." in said(window.offers)
    window.receive(MovedByOthers((3, 1), "junk"))
    assert "The model" not in said(window.offers)


def test_a_dismissed_suggestion_is_not_learned(window):
    window.receive(MovedByOthers((3,), "junk"))
    window.offers.close_button.click()
    assert not window.offers.isVisible()
    assert marks(window) == []
    assert window.engine.requests("decline_moves") == [[(3,)]]


def test_suggestions_of_one_label_add_up_and_appear_one_label_at_a_time(window):
    window.receive(MovedByOthers((1, 2), "junk"))
    window.receive(MovedByOthers((3,), "good"))
    window.receive(MovedByOthers((4,), "junk"))
    assert "moved 3 messages to Junk" in said(window.offers)
    window.offers.forget((1,))
    window.receive(MovedByOthers((2,), "junk"))
    assert "moved 2 messages to Junk" in said(window.offers), "the offer under the pointer stays"
    window.offers.remedy.click()
    assert "moved 1 message out of Junk" in said(window.offers)
    window.offers.remedy.click()
    assert marks(window) == [[(4, 2), "junk"], [(3,), "good"]]
    assert not window.offers.isVisible()


def test_the_last_move_of_a_message_determines_the_suggestion(window):
    window.receive(MovedByOthers((1,), "junk"))
    window.receive(MovedByOthers((1,), "good"))
    assert "out of Junk" in said(window.offers)
    window.offers.remedy.click()
    assert marks(window) == [[(1,), "good"]]


def test_a_message_that_the_user_marks_is_no_longer_suggested(window):
    message = window.table.current_message()
    window.receive(MovedByOthers((message,), "junk"))
    window.actions_by_name["good"].trigger()
    assert not window.offers.isVisible()
    assert marks(window) == [[(message,), "good"]]


def test_a_warning_and_a_suggestion_are_visible_at_the_same_time(window):
    window.receive(EngineFailed(Failed(None, "IndexError: 3")))
    window.receive(MovedByOthers((1,), "junk"))
    assert window.banner.isVisible()
    assert window.offers.isVisible()
