"""Notifications about new mail that is neither spam nor old nor read; the tray's menu."""

import time
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QSystemTrayIcon

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.settings import Account, Sorting
from nbmail.ui.sorting.sorting_window import SortingWindow
from nbmail.worker.protocol.events import Changed
from tests.ui.made import make_rows, pick_rows

QUIET = 200
"""Milliseconds in which a notification would have appeared."""


@pytest.fixture
def window(open_window, monkeypatch):
    """A window in the background that notifies of news after 30 ms."""
    monkeypatch.setattr("nbmail.ui.window.tray.NOTIFY_DELAY", 30)
    monkeypatch.setattr("nbmail.ui.window.tray.TRAY_INTERVAL", 1)
    window = open_window(tray="news")
    monkeypatch.setattr(window, "isActiveWindow", lambda: False)
    return window


def arrive(window, count, **columns):
    """Deliver new messages: unread, of the last minute and not spam, except for these columns."""
    rows = make_rows(60 + count)
    places = np.arange(60, 60 + count)
    rows.dates[places] = time.time()
    rows.scores.verdicts[places] = 1
    rows.locations[places] |= 1  # Unread.
    for name, value in columns.items():
        getattr(rows.scores if name == "verdicts" else rows, name)[places] = value
    window.receive(
        Changed(rows=pick_rows(rows, places, np.full(len(rows.labels), -1, np.int16), rows.scores))
    )


@pytest.mark.parametrize(
    "columns", [{"verdicts": 2}, {"locations": 0}, {"dates": time.time() - 90_000}]
)
def test_spam_read_mail_and_old_mail_cause_no_notification(window, qtbot, columns):
    with qtbot.assertNotEmitted(window.tray.notified, wait=QUIET):
        arrive(window, 1, **columns)


def test_a_notification_names_the_sender_of_one_message_or_the_number_of_several(window, qtbot):
    with qtbot.waitSignal(window.tray.notified) as one:
        arrive(window, 1)
    title, text = one.args
    assert title == window.model.texts.text(int(window.model.mail.find([61])[0]), 3)
    assert "Not spam, " in text
    window.receive(Changed(gone=(61,)))
    with qtbot.waitSignal(window.tray.notified) as several:
        arrive(window, 4)
    assert several.args[0] == "4 new messages"


def test_without_a_tray_there_are_no_notifications(window, qtbot):
    window.parts.settings.change(replace(window.settings, tray="none"))
    with qtbot.assertNotEmitted(window.tray.notified, wait=QUIET):
        arrive(window, 2)


def test_coming_to_the_front_keeps_the_window_maximized(open_window):
    window = open_window()
    window.showMaximized()
    window.showMinimized()
    window.come_forward()
    assert window.isMaximized()
    assert not window.isMinimized()


def sorting_of(window):
    return [account.sorting for account in window.settings.accounts]


@pytest.fixture
def sorting(open_window):
    """A window with an account that sorts, one that rehearses and one that only shows."""
    accounts = tuple(
        Account(str(each), host="imap.example.org", sorting=each) for each in reversed(Sorting)
    )
    return open_window(accounts=accounts)


def test_sorting_is_switched_off_and_on_again_where_it_was_on(sorting):
    switch = sorting.tray.menu.sorting
    assert switch.isChecked()
    switch.trigger()
    assert not switch.isChecked()
    assert sorting_of(sorting) == [Sorting.SHOW, Sorting.REHEARSE, Sorting.SHOW]
    switch.trigger()
    assert switch.isChecked()
    assert sorting_of(sorting) == [Sorting.SORT, Sorting.REHEARSE, Sorting.SHOW]
    changes = [
        (account.name, account.sorting) for (account,) in sorting.engine.requests("set_sorting")
    ]
    assert changes == [("sort", Sorting.SHOW), ("sort", Sorting.SORT)]


def test_sorting_begins_only_after_its_rehearsal_was_seen(window):
    window.engine.held |= {"list_sorted", "sorting_status"}
    window.tray.menu.sorting.trigger()
    assert not window.tray.menu.sorting.isChecked()
    assert sorting_of(window) == [Sorting.SHOW]
    assert window.findChild(SortingWindow).isVisible()


def test_the_menu_lists_what_was_sorted_since_midnight(window, qtbot):
    found = tuple(
        SortedMessage(
            number, "home", "INBOX", time.time(), "a & b", "You won" * 20, 0.99, SortedState.MOVED
        )
        for number in range(14)
    )
    asked = []
    window.script.list_sorted = lambda since: asked.append(since) or found
    menu = window.tray.menu
    assert menu.today.title() == "Sorted today: 0 messages"
    menu.refresh()
    qtbot.waitUntil(lambda: menu.today.title() == "Sorted today: 14 messages")
    assert time.time() - 86_400 < asked[0] <= time.time()
    *lines, _, last = menu.today.actions()
    assert len(lines) == 10
    assert lines[0].text().startswith("a && b: You won")
    assert lines[0].text().endswith("… – Moved to spam folder")
    assert last.text() == "Show all…"


def test_a_click_shows_the_window_and_opening_the_menu_does_not(window):
    reasons = QSystemTrayIcon.ActivationReason
    window.hide()
    window.tray.activate(reasons.Context)
    assert not window.isVisible()
    window.tray.activate(reasons.Trigger)
    assert window.isVisible()


def test_without_a_tray_the_window_is_minimized_in_time(window, qtbot):
    window.hide()
    window.tray.start_hidden()
    assert not window.isVisible()
    qtbot.waitUntil(window.isMinimized)
    assert window.isVisible()
