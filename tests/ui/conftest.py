"""A window over the scripted engine, closed after the test, with nothing left running."""

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from nbmail.settings import Account, Settings
from nbmail.ui.kit.theme import wear
from nbmail.ui.window.app_services import AppServices
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.main_window import MainWindow
from tests.ui.real import RealHouse
from tests.ui.scripted import NOW, ScriptedEngine, make_rows


@pytest.fixture(autouse=True, scope="session")
def own_qt_settings(tmp_path_factory):
    """Qt's file dialog keeps its own notes; they stay out of the home."""
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(tmp_path_factory.mktemp("qt")))


@pytest.fixture(autouse=True)
def _light(qapp):
    """Every test begins in the light theme."""
    wear("light", qapp)


@pytest.fixture
def open_window(qtbot):
    """Opens a window over made-up mail; `engine`, `bridge` and `calls` hang on it."""
    opened = []

    def make(count=60, *, rows=None, settings=None, paths=None, calibrated=True, size=(1280, 800), **engine):
        bridge = Bridge()
        rows = rows if rows is not None else make_rows(count, labelled=0.0, calibrated=calibrated)
        answering = ScriptedEngine(bridge.emit_event, rows, calibrated=calibrated, **engine)
        settings = settings if settings is not None else Settings(accounts=(Account("home"),), theme="light")
        calls = []
        services = AppServices(
            *(lambda *given, name=name: calls.append((name, *given)) for name in AppServices.__slots__)
        )
        window = MainWindow(answering, bridge, settings, paths=paths, services=lambda: services, clock=lambda: NOW + 60)
        window.engine, window.bridge, window.calls = answering, bridge, calls
        window.resize(*size)
        qtbot.addWidget(window)
        opened.append(window)
        window.show()
        window.furnish()
        if count or rows is not None:
            qtbot.waitUntil(lambda: window.model.mail is not None)
        return window

    yield make
    for window in opened:
        window.close()
    QApplication.instance().setStyleSheet("")


@pytest.fixture
def window(open_window):
    """A window with sixty messages and the first one current."""
    return open_window()


def pytest_collection_modifyitems(items):
    """Qt's offscreen platform has no window manager to pass wishes on to, and says so each time."""
    for item in (each for each in items if "ui" in each.path.parts):
        item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture
def house(qtbot, tmp_path):
    """A window over the real engine."""
    house = RealHouse(tmp_path)
    qtbot.addWidget(house.window)
    yield house
    house.close()
