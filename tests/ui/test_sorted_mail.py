"""Sorted mail in the main window: its list, putting back a day, and notices."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QMenu

from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.settings import Account, LearnMoves, Sorting
from nbmail.ui.evidence.messages_window import MessagesWindow
from nbmail.ui.list.list_choice import Choice, Column, Kind
from nbmail.ui.sorting.sorting_window import SortingWindow
from nbmail.worker.protocol.events import MovedByOthers
from nbmail.worker.protocol.quality import TrainingReport
from nbmail.worker.protocol.sorting import SortingChanged
from tests.ui.helpers import answer, put_away, said, show_account, trigger
from tests.ui.made import NOW
from tests.ui.real import HOMES, open_mailbox
from tests.ui.scenes import settle

DAY = 86_400.0
SERVER = (Account("home", "imap.example"),)


def moved(number, probability=0.999, days=0, **more):
    state = more.pop("state", SortedState.MOVED)
    texts = ("Prize Department", "You won")
    return SortedMessage(
        number, "home", "INBOX", NOW - days * DAY, *texts, probability, state, **more
    )


@pytest.fixture
def window(open_window):
    return open_window(clock=lambda: NOW + 60)


@pytest.fixture
def sort(window):
    """Have the engine list these messages."""

    def run(*messages):
        window.script.list_sorted = lambda *_: messages
        load(window)
        assert window.parts.sorted.messages == messages

    return run


def load(window):
    window.bridge.emit_event(SortingChanged("home"))
    settle(window)


def listed(window):
    return [window.model.message_at(row) for row in range(window.model.rowCount())]


def test_sorted_mail_is_listed_by_day_and_nearest_to_the_threshold_first(window, sort):
    window.model.mail.label_sources[:] = -1
    sort(
        moved(4, 0.995, 1),
        moved(5),
        moved(6, 0.99),
        moved(7, state=SortedState.STAYED, reason=Stay.FLAGGED),
    )
    trigger(window, "list-sorted")
    assert listed(window) == [6, 5, 4]
    assert (
        window.model.texts.text(int(window.model.mail.order[0]), Column.DECIDED) == "nbmail, moved"
    )
    hint = window.model.texts.hint
    assert hint(int(window.model.mail.find([7])[0]), Column.DECIDED) == "Stays: flagged"
    sort(
        moved(4, 0.995, 1), moved(5), moved(6, 0.99), moved(8, 0.9995, state=SortedState.REHEARSED)
    )
    assert (
        window.model.texts.text(int(window.model.mail.find([8])[0]), Column.DECIDED) == "rehearsed"
    )
    assert listed(window) == [6, 5, 8, 4]


def test_a_whole_day_is_put_back_after_a_question(window, sort, qtbot):
    sort(moved(4, 0.995, 1), moved(5), moved(6, 0.99), moved(7, state=SortedState.CONFIRMED))
    window.script.undo_sorting = lambda messages: messages
    trigger(window, "list-sorted")
    window.parts.put_back_day.button.click()
    [menu] = [each for each in window.findChildren(QMenu) if each.isVisible()]
    assert [action.text() for action in menu.actions()] == [
        "Today: 2 messages",
        "Yesterday: 1 message",
    ]
    menu.actions()[0].trigger()
    menu.close()
    answer(window, yes=True)
    assert window.engine.requests("undo_sorting") == [[(5, 6)]]
    qtbot.waitUntil(lambda: window.status.text() == "2 messages go back.")
    assert window.status.undo.isVisible()


def test_what_was_sorted_while_the_window_was_closed_is_reported_once(tmp_path):
    HOMES.copy(tmp_path, 20, 10)

    def opened(moment=NOW + 60, *more):
        window = open_mailbox(home=tmp_path, accounts=SERVER, clock=lambda: moment).window
        window.script.list_sorted = lambda *_: (*more, moved(7, days=2))
        load(window)
        return window

    first = opened(NOW - DAY)
    assert not first.parts.sorting_notices.banner.isVisible()
    put_away(first)
    arrived = NOW + 60, moved(5, near=True), moved(6)
    # Not dismissed, it is reported again.
    put_away(opened(*arrived))
    window = opened(*arrived)
    notices = window.parts.sorting_notices.banner
    assert (
        said(notices)
        == "While you were away: 2 messages sorted to Spam, 1 near the spam threshold."
    )
    assert notices.remedy.text() == "Show 1 message"
    notices.remedy.click()
    assert [row.item for row in window.findChild(MessagesWindow).table.rows] == [5]
    assert window.model.arrangement.choice == Choice(Kind.SORTED)
    put_away(window)
    again = opened(*arrived)
    assert not again.parts.sorting_notices.banner.isVisible()
    put_away(again)


def test_sorting_is_offered_once_after_the_first_training_unless_an_account_sorts(open_window):
    rehearses = (replace(SERVER[0], sorting=Sorting.REHEARSE),)
    window, other = (open_window(accounts=each) for each in (SERVER, rehearses))
    for each, report, offered in (
        (other, TrainingReport(40, 90, 30), False),
        (window, TrainingReport(40, 0), False),
        (window, TrainingReport(40, 90, 30), True),
    ):
        each.parts.training_result.show_report(report)
        assert each.parts.sorting_notices.banner.isVisible() == offered
    notices = window.parts.sorting_notices.banner
    assert "move spam out of the inbox" in said(notices)
    notices.remedy.click()
    assert window.findChild(SortingWindow) is not None
    again = open_window(accounts=SERVER)
    again.parts.training_result.show_report(TrainingReport(40, 90, 30))
    again.parts.settings.change_account(replace(SERVER[0], sorting=Sorting.SORT))
    assert not again.parts.sorting_notices.banner.isVisible()
    window.parts.training_result.show_report(TrainingReport(40, 90, 30))
    assert not notices.isVisible()


@pytest.mark.parametrize("choice", [LearnMoves.ALWAYS, LearnMoves.NEVER])
def test_the_answer_about_moves_elsewhere_is_remembered(open_window, choice):
    window = open_window(accounts=SERVER)
    window.receive(MovedByOthers((3,), "spam", account="home"))
    window.receive(MovedByOthers((5,), "ham", account="home"))
    window.offers.remember.click()
    (window.offers.remedy if choice is LearnMoves.ALWAYS else window.offers.close_button).click()
    assert window.parts.settings.value.accounts[0].learn_moves is choice
    assert not window.offers.isVisible()
    assert window.engine.requests("set_sorting") == [[replace(SERVER[0], learn_moves=choice)]]
    assert window.engine.requests("mark") == (
        [[(3,), "spam"]] if choice is LearnMoves.ALWAYS else []
    )
    window.receive(MovedByOthers((4,), "spam", account="home"))
    assert not window.offers.remember.isChecked()


def test_a_missing_spam_folder_is_created_on_request(open_window):
    window = open_window(accounts=SERVER)
    show_account(window, error_code="folder-missing", detail="\\Junk")
    assert "no spam folder was found" in said(window.banner)
    window.banner.remedy.click()
    (account,) = window.parts.settings.value.accounts
    assert account.spam_folder == "Junk"
    assert ("change", account, "") in window.calls
