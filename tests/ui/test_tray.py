"""Notifications by choice: who wrote and how sure nbmail is; junk, old mail and read mail come in silence."""

from dataclasses import replace

import numpy as np

from nbmail.settings import Account, Settings
from nbmail.worker.protocol import Changed
from tests.ui.scripted import NOW, make_rows, pick_rows


def arrive(window, count, **columns):
    """So many new messages, unread and of this minute unless told otherwise."""
    rows = make_rows(60 + count)
    places = np.arange(60, 60 + count)
    rows.dates[places], rows.unread[places], rows.scores.verdicts[places] = NOW, True, 1
    for name, value in columns.items():
        getattr(rows.scores if name == "verdicts" else rows, name)[places] = value
    window.hear(Changed(rows=pick_rows(rows, places, np.full(len(rows.labels), -1, np.int16), rows.scores)))


def test_new_mail_is_told_of_only_where_that_is_wished_and_never_junk(open_window, qtbot):
    window = open_window(settings=Settings((Account("home"),), theme="light", tray="news"))
    told = []
    window.tray.tell = lambda *words: told.append(words)
    window.tray._pause.setInterval(30)
    window.search.window().clearFocus()
    window.isActiveWindow = lambda: False
    for columns in ({"verdicts": 2}, {"unread": False}, {"dates": NOW - 90_000}):
        arrive(window, 1, **columns)
        qtbot.wait(60)
        window.model.take(Changed(gone=(61,)))
    assert told == []
    arrive(window, 1)
    qtbot.waitUntil(lambda: len(told) == 1)
    assert told[0][0] == window.model.texts.text(int(window.model.mail.find([61])[0]), 3)
    assert "Good, chance of junk" in told[0][1]
    window.model.take(Changed(gone=(61,)))
    arrive(window, 4)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told[1][0] == "4 new messages"
    window.parts.settings.change(replace(window.settings, tray="none"))
    window.model.take(Changed(gone=(61, 62, 63, 64)))
    arrive(window, 2)
    qtbot.wait(100)
    assert len(told) == 2


def test_coming_to_the_front_leaves_the_window_as_large_as_it_was(open_window):
    window = open_window()
    window.showMaximized()
    window.showMinimized()
    window.tray._come_forward()
    assert window.isMaximized()
    assert not window.isMinimized()
