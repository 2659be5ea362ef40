"""What a move in another program says is offered, learned at one press, and never by itself."""

from PySide6.QtCore import Qt

from tests.ui import say
from tests.ui.helpers import heard, said


def marks(window):
    return heard(window, say.Mark)


def test_a_move_into_junk_is_offered_and_learned_at_one_press(window, qtbot):
    window.bridge.emit_event(say.MovedByOthers((3, 4, 5), "junk"))
    qtbot.waitUntil(window.offers.isVisible)
    assert said(window.offers) == "Another mail program moved 3 messages to Junk. Mark them as junk?"
    assert marks(window) == []
    qtbot.waitUntil(lambda: not window.offers.remedy.visibleRegion().isEmpty())
    qtbot.mouseClick(window.offers.remedy, Qt.MouseButton.LeftButton)
    assert marks(window) == [say.Mark((3, 4, 5), "junk")]
    qtbot.waitUntil(lambda: window.status.text().startswith("3 messages marked as junk."))
    assert not window.offers.isVisible()


def test_a_move_out_of_junk_is_offered_as_good(window, qtbot):
    window.hear(say.MovedByOthers((3,), "good"))
    assert said(window.offers) == "Another mail program moved 1 message out of Junk. Mark it as not junk?"
    window.offers.remedy.click()
    assert marks(window) == [say.Mark((3,), "good")]


def test_an_offer_names_the_messages_and_what_the_model_calls_them(window):
    window.hear(say.MovedByOthers((3,), "good", ("Cheap pills",), frozenset({3})))
    asked = "The model calls it junk. Mark it as not junk?"
    assert said(window.offers) == f"Another mail program moved 1 message out of Junk. {asked} “Cheap pills”"
    subjects = ("Minutes", "", "Lunch " * 30, "Agenda", "Invoice")
    window.hear(say.MovedByOthers((1, 2, 4, 5, 6), "good", subjects, frozenset({6})))
    assert "The model calls 2 of them junk." in said(window.offers)
    assert said(window.offers).endswith("“Cheap pills”, “Minutes”, “" + "Lunch " * 9 + "Lunch…”, …")
    window.offers.forget((6,))
    assert "The model calls 1 of them junk." in said(window.offers)
    window.hear(say.MovedByOthers((3, 1), "junk"))
    assert "The model" not in said(window.offers)


def test_what_is_dismissed_is_not_learned(window, qtbot):
    window.hear(say.MovedByOthers((3,), "junk"))
    window.offers.close_button.click()
    assert not window.offers.isVisible()
    assert marks(window) == []


def test_offers_add_up_and_come_one_after_the_other(window):
    window.hear(say.MovedByOthers((1, 2), "junk"))
    window.hear(say.MovedByOthers((3,), "good"))
    window.hear(say.MovedByOthers((4,), "junk"))
    assert "moved 3 messages to Junk" in said(window.offers)
    window.offers.remedy.click()
    assert "Another mail program moved 1 message out of Junk" in said(window.offers)
    window.offers.remedy.click()
    assert marks(window) == [say.Mark((1, 2, 4), "junk"), say.Mark((3,), "good")]
    assert not window.offers.isVisible()


def test_a_message_that_is_moved_back_is_offered_as_what_the_last_move_says(window):
    window.hear(say.MovedByOthers((1,), "junk"))
    window.hear(say.MovedByOthers((1,), "good"))
    assert "out of Junk" in said(window.offers)
    window.offers.remedy.click()
    assert marks(window) == [say.Mark((1,), "good")]


def test_what_the_user_marks_himself_is_offered_no_longer(window):
    message = window.table.current_message()
    window.hear(say.MovedByOthers((message,), "junk"))
    window.actions_by_name["good"].trigger()
    assert not window.offers.isVisible()
    assert marks(window) == [say.Mark((message,), "good")]


def test_a_warning_and_an_offer_stand_beside_each_other(window):
    window.hear(say.InternalError("IndexError: 3"))
    window.hear(say.MovedByOthers((1,), "junk"))
    assert window.banner.isVisible()
    assert window.offers.isVisible()
