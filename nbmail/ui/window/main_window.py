"""The main window: its outlines, painted first, then its parts; its size and place; the way of events into it.

Only what the outlines need is imported here: the parts cost more than all of Qt's start.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEventLoop, QRect, QSettings, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from nbmail.ui.kit.layouts import available_size
from nbmail.ui.kit.theme import apply_first_colors, colors

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QMimeData

    from nbmail.paths import Paths
    from nbmail.settings import Settings
    from nbmail.ui.window.app_services import AppServices, FoundMail
    from nbmail.ui.window.bridge import Bridge
    from nbmail.worker.protocol import Event
    from nbmail.worker.protocol.client import Engine

LATEST_BEGINNING = 200
"""Milliseconds after which mail is asked for even if nothing was painted: the window may be hidden."""
BARS = (74, 100)
"""Where menu and tool bar, and the learning bar below them, end."""


class MainWindow(QMainWindow):
    """The window. Everything it hears comes through `bridge.arrived`.

    Its parts are made after the first paint, in steps between which all but keys and clicks goes on; at the first event
    at the latest.

    Signals: `built()`, once they are made and painted.
    """

    built = Signal()

    def __init__(
        self,
        engine: Engine,
        bridge: Bridge,
        settings: Settings,
        *,
        paths: Paths | None = None,
        services: Callable[[], AppServices] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._first_settings, self._engine, self._bridge = settings, engine, bridge
        self._make_services, self._clock = services, clock
        self._has_parts = self._closed = False
        self._steps = self._building()
        self._asked_to_build = False
        self._notes = _notes_of(paths) if paths is not None else None
        self._beginning = QTimer(self)
        self._beginning.setSingleShot(True)
        self._beginning.timeout.connect(self._begin)
        apply_first_colors(settings.theme, _application())
        self.setWindowTitle("nbmail")
        self.resize(1280, 800)
        self.setMinimumSize(640, 440)
        self._recall_place()
        self.setAcceptDrops(True)
        self.setCentralWidget(FirstOutline())
        bridge.arrived.connect(self.hear)

    def build(self, between: Callable[[], object] = lambda: None) -> None:
        """Make all parts now, and do this between the steps."""
        while not self._closed and next(self._steps, None) is not None:
            between()

    def _build_and_live(self) -> None:
        """Keys and clicks wait until there is what they are for; all else goes on between the steps."""
        self.build(lambda: QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents))

    def _building(self) -> Iterator[str]:
        """Make the parts; what each step is to have done."""
        import nbmail.ui.message.message_pane  # noqa: F401 - half of all there is to import

        yield "first imports"
        from nbmail.ui.window.app_services import AppServices
        from nbmail.ui.window.build_window import WindowParts

        yield "imports"
        # The outlines stay on the screen until all is in its place.
        self.setUpdatesEnabled(False)
        self.services = self._make_services() if self._make_services is not None else AppServices()
        self.parts = WindowParts(self, self._engine, self._first_settings, self.services, self._clock)
        self._has_parts = True
        yield "parts"
        self.parts.use_theme()
        if self._notes is not None:
            self.parts.panes.recall(self._notes)
        self.parts.panes.fit(self.width())
        if self._notes is not None:
            self.parts.updates.restore_state(self._notes, [account.name for account in self.settings.accounts])
        self.setUpdatesEnabled(True)
        self.parts.table.setFocus()
        self._beginning.start(LATEST_BEGINNING)

    def _begin(self) -> None:
        """Ask for mail, once all parts are painted: what follows is mostly imports, which would delay the paint."""
        self.built.emit()
        if not self._closed:
            from nbmail.ui.window.tray import Tray

            self.tray = Tray(self, self.come_forward, self.parts.model, self.parts.settings, self._clock)
            self.parts.updates.list_mail()

    @property
    def settings(self) -> Settings:
        return self.parts.settings.value if self._has_parts else self._first_settings

    def hear(self, event: Event) -> None:
        self.build()
        self.parts.hear(event)

    def come_forward(self) -> None:
        """Be seen, as large as it was: somebody has started the program once more, or pressed its icon."""
        from PySide6.QtCore import Qt

        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def open_files(self, paths: Sequence[Path]) -> None:
        """Show the mail in these files, which belongs to no mailbox."""
        if paths:
            self.build()
            self.services.read_files(tuple(paths), self._show_files)

    def _show_files(self, found: FoundMail) -> None:
        from nbmail.ui.message.file_window import FileWindow

        FileWindow(self, self.parts.requests, self.parts.ask_to_open, found).show()

    # ------------------------------------------------------------------------------------------- Qt's handlers

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.open_files(_dropped_files(event.mimeData()))

    def _recall_place(self) -> None:
        """Stand where the window stood, no larger than the screen leaves room for."""
        geometry = self._notes.value("geometry") if self._notes is not None else None
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if not self.isMaximized() and not self.isFullScreen():
            self.resize(self.size().boundedTo(available_size(self)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._has_parts:
            if not self._asked_to_build:
                self._asked_to_build = True
                QTimer.singleShot(0, self, self._build_and_live)
        elif self._beginning.isActive():
            self._beginning.start(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._has_parts:
            self.parts.panes.fit(event.size().width())

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._notes is not None:
            self._notes.setValue("geometry", self.saveGeometry())
            if self._has_parts:
                self.parts.panes.remember(self._notes)
                self.parts.updates.save_state(self._notes)
            self._notes.sync()
        self._closed = True
        self._bridge.close()
        self._beginning.stop()
        if self._has_parts:
            self.parts.close()
        super().closeEvent(event)


class FirstOutline(QWidget):
    """The window before its parts are made. Has no signals of its own."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawImage(self.rect(), _paint_chip(colors().window))
        for line in BARS:
            painter.drawImage(QRect(0, line, self.width(), 1), _paint_chip(colors().line))
        painter.end()


def _paint_chip(colour: str) -> QImage:
    """One pixel of this colour, to be stretched.

    Filling with a colour would do the same, but Qt's overloads for it load all the names of its namespace: 10 ms.
    """
    return QImage(bytes.fromhex(colour.removeprefix("#")), 1, 1, 3, QImage.Format.Format_RGB888).copy()


def _dropped_files(data: QMimeData) -> list[Path]:
    """The files of this computer among what is dragged."""
    from pathlib import Path

    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _notes_of(paths: Paths) -> QSettings:
    """What the window remembers of its shape from one start to the next."""
    # Qt's file dialog keeps notes of its own, which belong into our home as well.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(paths.state))
    return QSettings(str(paths.state / "window.ini"), QSettings.Format.IniFormat)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
