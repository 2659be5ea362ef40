"""Main window: its geometry, and files dropped on it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QMimeData, QSettings, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow

from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.ui.kit.sizes import available_size
from nbmail.ui.message.file_window import FileWindow
from nbmail.ui.texts.language import tr
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.services import Accounts, Desktop, FoundMail, MailboxSearch
from nbmail.ui.window.tray import Tray
from nbmail.ui.window.window_parts import WindowParts
from nbmail.worker.engine.engine import Engine


class MainWindow(QMainWindow):
    """Main window. Signals: `closed()`.

    Events come through `bridge.arrived`. Without `paths` no geometry is stored.
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
        desktop: Desktop,
        save_settings: Callable[[Settings], None],
        paths: Paths | None = None,
        demo: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._bridge = bridge
        self._state = _stored_state(paths) if paths is not None else None
        self.parts = WindowParts(
            self,
            engine,
            settings,
            accounts=accounts,
            searches=searches,
            desktop=desktop,
            save_settings=save_settings,
            clock=clock,
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
        self.tray = Tray(self.parts, self.come_forward)
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
        """Show the mail in files and folders in a window of its own."""

        def show(found: FoundMail) -> None:
            window = FileWindow(self, self.parts.engine, self.parts.ask_to_open, found)
            window.show()

        if paths:
            self.parts.context.desktop.read_files(tuple(paths), show)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.open_files(_dropped_files(event.mimeData()))

    def _restore_geometry(self) -> None:
        """Restore the stored geometry, bounded by the available screen size."""
        if self._state is not None:
            geometry = self._state.value("geometry")
            if isinstance(geometry, QByteArray):
                self.restoreGeometry(geometry)
        if not self.isMaximized() and not self.isFullScreen():
            self.resize(self.size().boundedTo(available_size(self)))

    def _restore_parts(self) -> None:
        """Fit the panes to the width. Stored ones come first, the list after them."""
        if self._state is None:
            self.parts.panes.fit(self.width())
            return
        self.parts.panes.restore_state(self._state)
        self.parts.panes.fit(self.width())
        names = [account.name for account in self.settings.accounts]
        self.parts.updates.restore_state(self._state, names)
        self.parts.sorting_notices.restore_state(self._state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.parts.panes.fit(event.size().width())

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._state is not None:
            self._state.setValue("geometry", self.saveGeometry())
            self.parts.panes.save_state(self._state)
            self.parts.updates.save_state(self._state)
            self.parts.sorting_notices.save_state(self._state)
            self._state.sync()
        self._bridge.close()
        self.parts.close()
        super().closeEvent(event)
        self.closed.emit()


def _dropped_files(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _stored_state(paths: Paths) -> QSettings:
    # Qt's file dialog stores its own state, which belongs into the data folder as well.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(paths.state))
    return QSettings(str(paths.state / "window.ini"), QSettings.Format.IniFormat)
