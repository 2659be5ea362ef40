"""Notifications about new mail, if the user wants them: not about junk, old mail or read mail."""

from dataclasses import replace

import numpy as np
import pytest

from nbmail.settings import Account, Settings
from nbmail.ui.window import main_window
from nbmail.worker.protocol.events import Changed
from tests.ui.scripted import NOW, make_rows, pick_rows

QUIET = 200
"""Milliseconds in which a notification would have appeared."""


@pytest.fixture
def window(open_window, monkeypatch):
    """A window in the background that notifies of news after 30 ms."""
    monkeypatch.setattr(main_window, "NOTIFY_DELAY", 30)
    window = open_window(settings=Settings((Account("home"),), theme="light", tray="news"))
    monkeypatch.setattr(window, "isActiveWindow", lambda: False)
    return window


def arrive(window, count, **columns):
    """Deliver new messages: unread, of the last minute and good, except for these columns."""
    rows = make_rows(60 + count)
    places = np.arange(60, 60 + count)
    rows.dates[places], rows.unread[places], rows.scores.verdicts[places] = NOW, True, 1
    for name, value in columns.items():
        getattr(rows.scores if name == "verdicts" else rows, name)[places] = value
    window.receive(Changed(rows=pick_rows(rows, places, np.full(len(rows.labels), -1, np.int16), rows.scores)))


@pytest.mark.parametrize("columns", [{"verdicts": 2}, {"unread": False}, {"dates": NOW - 90_000}])
def test_junk_read_mail_and_old_mail_cause_no_notification(window, qtbot, columns):
    with qtbot.assertNotEmitted(window.tray.notified, wait=QUIET):
        arrive(window, 1, **columns)


def test_a_notification_names_the_sender_of_one_message_or_the_number_of_several(window, qtbot):
    with qtbot.waitSignal(window.tray.notified) as one:
        arrive(window, 1)
    title, text = one.args
    assert title == window.model.texts.text(int(window.model.mail.find([61])[0]), 3)
    assert "Not junk, " in text
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
