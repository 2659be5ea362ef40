"""A window over the real engine, closed after the test, with nothing left running."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QSettings

from nbmail.settings import Account
from nbmail.ui.kit.theme import apply_palette
from nbmail.ui.window import services
from tests.ui import real
from tests.ui.helpers import delete_closed_windows


@pytest.fixture(autouse=True, scope="session")
def own_qt_settings(tmp_path_factory):
    """Qt's file dialog keeps its own notes; they stay out of the home."""
    QSettings.setPath(
        QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(tmp_path_factory.mktemp("qt"))
    )


@pytest.fixture(autouse=True)
def _light(qapp):
    """Every test begins in the light theme, without the window before and its style sheet."""
    delete_closed_windows()
    apply_palette("light", qapp)
    if qapp.styleSheet():
        qapp.setStyleSheet("")


@pytest.fixture(autouse=True)
def opened_urls(monkeypatch):
    """Addresses and files that the window opens in other programs, as text. Nothing is opened."""
    opened = []
    monkeypatch.setattr(
        services,
        "QDesktopServices",
        SimpleNamespace(openUrl=lambda url: opened.append(url.toString())),
    )
    return opened


@pytest.fixture
def open_mailbox(qtbot):
    """Opens a window over the real engine; see `LearnedHomes` for the mail in it."""
    opened = []

    def make(each=20, **more):
        mailbox = real.open_mailbox(each, **more)
        qtbot.addWidget(mailbox.window)
        opened.append(mailbox)
        return mailbox

    yield make
    for mailbox in opened:
        mailbox.close()


@pytest.fixture
def mailbox(open_mailbox):
    """Sixty messages of demo mail, forty of them learned, and the first one current."""
    return open_mailbox()


@pytest.fixture
def empty_mailbox(open_mailbox):
    """A window over the real engine without mail."""
    return open_mailbox(0)


@pytest.fixture
def open_window(open_mailbox):
    """Opens the window of a mailbox of an account on a server."""
    return lambda each=20, **more: (
        open_mailbox(each, **{"accounts": (Account("home"),)} | more).window
    )


@pytest.fixture
def window(open_window):
    """A window with sixty messages."""
    return open_window()


def pytest_collection_modifyitems(items):
    """Qt's offscreen platform has no window manager to pass wishes on to, and says so each time."""
    for item in (each for each in items if "ui" in each.path.parts):
        item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))
