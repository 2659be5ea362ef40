"""Long requests: progress, a button that cancels, and a report at the end."""

import pytest

from tests.ui.helpers import answer


@pytest.fixture
def window(mailbox):
    return mailbox.window


def start(window, action, name):
    """Trigger an action whose request is held, report a third of it, and return the ticket."""
    window.engine.held.add(name)
    window.actions_by_name[action].setEnabled(True)
    window.actions_by_name[action].trigger()
    ticket = window.engine.ticket(name)
    ticket.report(20, 60)
    return ticket


def test_marking_many_messages_shows_progress_and_can_be_cancelled(window, qtbot):
    """Marks committed before that stay and can be undone, and the list shows the stored state."""
    window.table.select_all()
    ticket = start(window, "ham", "mark")
    status = window.status
    qtbot.waitUntil(lambda: status.work.text() == "Marking messages 20 / 60")
    listed = len(window.engine.requests("list_mail"))
    status.cancel.click()
    assert window.engine.cancelled == [ticket]
    ticket.end_cancelled()
    text = "Stopped: 20 of 60 messages were marked. Undo removes these marks."
    qtbot.waitUntil(lambda: status.text() == text)
    assert status.undo.isVisible()
    assert not status.cancel.isVisible()
    assert len(window.engine.requests("list_mail")) == listed + 1


def test_a_step_shows_progress_without_a_button(window, qtbot):
    ticket = start(window, "redo", "redo")
    qtbot.waitUntil(lambda: window.status.work.text() == "Redoing 20 / 60")
    assert not window.status.cancel.isVisible()
    ticket.end_cancelled()
    qtbot.waitUntil(lambda: not window.status.work.isVisible())


def test_a_rebuild_starts_after_a_question(window):
    for count, yes in enumerate((False, True)):
        window.actions_by_name["relearn"].trigger()
        assert window.engine.requests("rebuild") == []
        answer(window, yes=yes)
        assert len(window.engine.requests("rebuild")) == count


@pytest.mark.parametrize(
    ("reached", "text"),
    [((40, 900), "Stopped after 40 of 900."), ((40, 0), "Stopped."), (None, "Stopped.")],
)
def test_texts_of_every_end(window, reached, text):
    window.engine.held.add("rebuild")
    window.status.follow(window.engine.rebuild(), "Rebuilding model", print)
    ticket = window.engine.ticket("rebuild")
    if reached:
        ticket.report(*reached)
    ticket.end_cancelled()
    assert window.status.text() == text
