"""A window over the scripted engine, closed after the test, with nothing left running."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QSettings

from nbmail.ui.kit.theme import apply_palette
from nbmail.ui.window import services
from tests.ui import helpers
from tests.ui.real import PATIENCE, LearnedHomes, Mailbox, settle


@pytest.fixture(autouse=True, scope="session")
def own_qt_settings(tmp_path_factory):
    """Qt's file dialog keeps its own notes; they stay out of the home."""
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(tmp_path_factory.mktemp("qt")))


@pytest.fixture(autouse=True)
def _light(qapp):
    """Every test begins in the light theme, and without the style sheet of the window before."""
    apply_palette("light", qapp)
    if qapp.styleSheet():
        qapp.setStyleSheet("")


@pytest.fixture(autouse=True)
def opened_urls(monkeypatch):
    """Addresses and files that the window opens in other programs, as text. Nothing is opened."""
    opened = []
    monkeypatch.setattr(
        services, "QDesktopServices", SimpleNamespace(openUrl=lambda url: opened.append(url.toString()))
    )
    return opened


@pytest.fixture
def open_window(qtbot):
    """Opens a window over made-up mail; `engine`, `bridge` and `calls` hang on it."""
    opened = []

    def make(count=60, **more):
        window = helpers.open_window(count, **more)
        qtbot.addWidget(window)
        opened.append(window)
        if count:
            qtbot.waitUntil(lambda: window.model.loaded and helpers.is_idle(window))
        return window

    yield make
    for window in opened:
        window.close()


@pytest.fixture
def window(open_window):
    """A window with sixty messages and the first one current."""
    return open_window()


def pytest_collection_modifyitems(items):
    """Qt's offscreen platform has no window manager to pass wishes on to, and says so each time."""
    for item in (each for each in items if "ui" in each.path.parts):
        item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture(scope="session")
def learned_homes(tmp_path_factory):
    """Data folders with learned demo mail, to be copied."""
    return LearnedHomes(tmp_path_factory.mktemp("learned"))


@pytest.fixture
def open_mailbox(qtbot, tmp_path, learned_homes):
    """Opens a window over the real engine; see `LearnedHomes` for the mail in it."""
    opened = []

    def make(each=20, *, inbox=10, home=None, **more):
        folder = tmp_path / f"home-{len(opened)}" if home is None else home
        if each and home is None:
            learned_homes.copy(folder, each, inbox)
        mailbox = Mailbox(folder, **more)
        qtbot.addWidget(mailbox.window)
        opened.append(mailbox)
        qtbot.waitUntil(mailbox.is_loaded, timeout=PATIENCE)
        settle(mailbox, qtbot)
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
