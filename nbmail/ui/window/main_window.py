"""Main window: geometry, dropped files."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QMimeData, QSettings, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow

from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import available_size
from nbmail.ui.message.file_window import FileWindow
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.services import Accounts, FoundMail, MailboxSearch
from nbmail.ui.window.tray import Tray
from nbmail.ui.window.window_parts import WindowParts
from nbmail.worker.protocol.client import Engine


class MainWindow(QMainWindow):
    """Main window. All events arrive through `bridge.arrived`. Without `paths` the geometry is not stored.

    Signals: `closed()`.
    """

    closed = Signal()

    def __init__(
        self,
        engine: Engine,
        bridge: Bridge,
        settings: Settings,
        *,
        accounts: Accounts,
        searches: MailboxSearch,
        save_settings: Callable[[Settings], None],
        paths: Paths | None = None,
        demo: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._bridge = bridge
        self._state = _stored_state(paths) if paths is not None else None
        self._searches = searches
        self.parts = WindowParts(
            *(self, engine, settings), accounts=accounts, searches=searches, save_settings=save_settings, clock=clock
        )
        self.setWindowTitle(tr("nbmail – Demo") if demo else "nbmail")
        self.parts.demo_bar.setVisible(demo)
        self.resize(1280, 800)
        self.setMinimumSize(640, 440)
        self.setAcceptDrops(True)
        self._restore_geometry()
        self.parts.use_theme()
        self._restore_parts()
        self.parts.table.setFocus()
        self.tray = Tray(self, self.come_forward, self.parts, clock)
        bridge.arrived.connect(self.parts.receive)
        self.parts.updates.list_mail()

    @property
    def settings(self) -> Settings:
        return self.parts.settings.value

    def come_forward(self) -> None:
        """Show the window on top: after a second start, or a click on the tray icon."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def open_files(self, paths: Sequence[Path]) -> None:
        """Show the mail in these files."""
        if paths:
            self._searches.read_files(tuple(paths), self._show_files)

    def _show_files(self, found: FoundMail) -> None:
        FileWindow(self, self.parts.engine, self.parts.ask_to_open, found).show()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.open_files(_dropped_files(event.mimeData()))

    def _restore_geometry(self) -> None:
        """Restore the stored geometry, bounded by the available screen size."""
        geometry = self._state.value("geometry") if self._state is not None else None
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if not self.isMaximized() and not self.isFullScreen():
            self.resize(self.size().boundedTo(available_size(self)))

    def _restore_parts(self) -> None:
        parts, state = self.parts, self._state
        if state is not None:
            parts.panes.restore_state(state)
        parts.panes.fit(self.width())
        if state is not None:
            parts.updates.restore_state(state, [account.name for account in self.settings.accounts])
            parts.sorted.restore_state(state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.parts.panes.fit(event.size().width())

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._state is not None:
            self._state.setValue("geometry", self.saveGeometry())
            self.parts.panes.save_state(self._state)
            self.parts.updates.save_state(self._state)
            self.parts.sorted.save_state(self._state)
            self._state.sync()
        self._bridge.close()
        self.parts.close()
        super().closeEvent(event)
        self.closed.emit()


def _dropped_files(data: QMimeData) -> list[Path]:
    """Return the local files among dragged data."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _stored_state(paths: Paths) -> QSettings:
    """Return the stored geometry of the window."""
    # Qt's file dialog stores its own state, which belongs into the data folder as well.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(paths.state))
    return QSettings(str(paths.state / "window.ini"), QSettings.Format.IniFormat)
