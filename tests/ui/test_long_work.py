"""Work that takes a while: how far it is, a button to stop it where it can be, and a word on where it stopped."""

from nbmail.ui.actions.long_work import stopped_text
from tests.ui import say
from tests.ui.helpers import answer, heard, ticket_of


def start(window, action, kind):
    """Begin something the engine does not finish, and bring it to a third. Its ticket."""
    window.engine.silent = (kind,)
    window.actions_by_name[action].setEnabled(True)
    window.actions_by_name[action].trigger()
    ticket = ticket_of(window, kind)
    ticket.report(20, 60)
    return ticket


def test_marking_many_shows_how_far_it_is_and_can_be_stopped(window):
    """What was marked until then stays, can be taken back, and the rows are shown as they are."""
    window.table.select_all()
    ticket, status = start(window, "good", say.Mark), window.status
    assert status.work.text() == "Marking messages 20 / 60"
    status.cancel.click()
    assert ticket in window.engine.cancelled
    ticket.end_cancelled()
    assert status.text() == "Stopped: 20 of 60 messages were marked. Undo removes these marks."
    assert status.undo.isVisible()
    assert not status.cancel.isVisible()
    assert isinstance(window.engine.heard[-1], say.ListMail)


def test_what_is_done_as_a_whole_shows_how_far_it_is_and_no_button_to_stop_it(window):
    start(window, "redo", say.Redo)
    assert window.status.work.text() == "Redoing 20 / 60"
    assert not window.status.cancel.isVisible()


def test_learning_anew_is_asked_about_first(window):
    for count, yes in enumerate((False, True)):
        window.actions_by_name["relearn"].trigger()
        assert heard(window, say.Relearn) == []
        answer(window, yes=yes)
        assert len(heard(window, say.Relearn)) == count


def test_words_for_every_end():
    assert stopped_text(say.Progress(40, 900)) == "Stopped after 40 of 900."
    assert stopped_text(say.Progress(40, 0)) == stopped_text(None) == "Stopped."
