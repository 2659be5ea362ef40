"""Main window: geometry, dropped files, and the bridge from other threads. Icon in the system tray
with its menu.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QMimeData, QObject, QSettings, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QSystemTrayIcon

from nbmail.core.scoring.sorting import SortedMessage
from nbmail.paths import Paths
from nbmail.settings import Settings, Sorting
from nbmail.ui.kit.layouts import available_size, single_shot_timer
from nbmail.ui.kit.phrases import tr, tr_count
from nbmail.ui.kit.plain_text import plain_name, sender_cell, subject_cell, visible
from nbmail.ui.kit.theme import window_icon
from nbmail.ui.list.list_choice import Column
from nbmail.ui.message.file_window import FileWindow
from nbmail.ui.sorting.sorting_texts import result_text
from nbmail.ui.window.services import Accounts, Desktop, MailboxSearch
from nbmail.ui.window.window_parts import WindowParts
from nbmail.values import VERDICTS
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.events import Event


class Bridge(QObject):
    """Delivers events and calls on the GUI thread, in order. Signals: `arrived(Event)`, never
    inside `emit_event`.
    """

    _woken = Signal()
    arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = True
        self._waiting: deque[Callable[[], None]] = deque()
        self._awake = False
        self._woken.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def emit_event(self, event: Event) -> None:
        """Emit `arrived(event)` on the GUI thread. Thread-safe; never waits."""
        self.call(lambda: self.arrived.emit(event))

    def call(self, act: Callable[[], None]) -> None:
        """Call `act` on the GUI thread. Thread-safe; never waits. After `close`, calls are
        dropped.
        """
        if not self._open:
            return
        self._waiting.append(act)
        if not self._awake:
            self._awake = True
            self._woken.emit()

    def close(self) -> None:
        self._open = False
        self._waiting.clear()

    @Slot()
    def _deliver(self) -> None:
        # Cleared first: a call submitted from now on emits again, an earlier one is within the
        # range.
        self._awake = False
        for _ in range(len(self._waiting)):
            if not self._waiting:  # Closed, or delivered by a nested event loop.
                return
            self._waiting.popleft()()


NOTIFY_DELAY = 1500
"""Milliseconds in which new messages are collected for one notification, and get their scores."""
RECENT = 3600
"""Seconds. Most mail of a new mailbox is older and causes no notification."""
MAX_NAMES = 3
MAX_TEXT = 120
"""Characters of a name or subject in a notification."""
MAX_LINE = 32
MAX_LINES = 10
"""Characters of a line in the menu, and lines of sorted messages."""
TRAY_LOOKS = 20
TRAY_INTERVAL = 500
"""Looks for a system tray after a login, and milliseconds between two: desktops start programs
before their tray.
"""


class TrayMenu(QMenu):
    """Menu of the tray icon. `sorting`: switch of automatic sorting; `today`: what was sorted
    today. No signals.
    """

    def __init__(self, parts: WindowParts, come_forward: Callable[[], None]) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._come_forward = come_forward
        self._switched_off: frozenset[str] = frozenset()
        actions = parts.actions.by_name
        self.addAction(tr("Show nbmail"), come_forward)
        self.addSeparator()
        self.addAction(actions["check"])
        self.sorting = self.addAction(tr("Sort spam automatically"))
        self.sorting.setCheckable(True)
        self.sorting.triggered.connect(self._switch)
        self.today = self.addMenu("")
        self.addSeparator()
        self.addAction(actions["quit"])
        parts.settings.accounts_changed.connect(self._show_sorting)
        self.aboutToShow.connect(self.refresh)
        self._show_sorting()
        self._show_today(())

    def refresh(self) -> None:
        now = datetime.fromtimestamp(self._parts.context.clock())
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        self._parts.engine.list_sorted(midnight.timestamp()).then(self._show_today)

    def _show_sorting(self) -> None:
        accounts = self._parts.settings.value.accounts
        self.sorting.setChecked(any(account.sorting is Sorting.SORT for account in accounts))

    def _switch(self, on: bool) -> None:
        """Turn sorting off, or on again where it was turned off here. Any other account needs its
        rehearsal first.
        """
        settings = self._parts.settings
        (wanted, before) = (Sorting.SORT, Sorting.SHOW)[:: 1 if on else -1]
        accounts = [each for each in settings.value.accounts if each.sorting is before]
        accounts = [each for each in accounts if not on or each.name in self._switched_off]
        for account in accounts:
            settings.change_account(replace(account, sorting=wanted))
        self._switched_off = frozenset() if on else frozenset(each.name for each in accounts)
        self._show_sorting()
        if on and not accounts:
            self._open_sorting()

    def _show_today(self, messages: Sequence[SortedMessage]) -> None:
        self.today.clear()
        self.today.setTitle(
            tr_count("Sorted today: %n message", "Sorted today: %n messages", len(messages))
        )
        for each in messages[:MAX_LINES]:
            line = visible(
                f"{each.sender or sender_cell('')}: {subject_cell(each.subject)}", MAX_LINE
            )
            self.today.addAction(plain_name(f"{line} – {result_text(each)}"), self._open_sorting)
        self.today.addSeparator()
        self.today.addAction(tr("Show all…"), self._open_sorting)

    def _open_sorting(self) -> None:
        self._come_forward()
        self._parts.show_sorting()


class Tray(QObject):
    """Tray icon, and notifications about new mail that isn't spam. Signals: `notified(str, str)`:
    title and text.
    """

    notified = Signal(str, str)

    def __init__(self, parts: WindowParts, come_forward: Callable[[], None]) -> None:
        super().__init__(parts.window)
        self._window = parts.window
        self._model = parts.model
        self._settings = parts.settings
        self._clock = parts.context.clock
        self._come_forward = come_forward
        self._new: list[int] = []
        self._icon: QSystemTrayIcon | None = None
        self._timer = single_shot_timer(self, NOTIFY_DELAY, self._notify)
        self._looks, self._look_timer = (
            TRAY_LOOKS,
            single_shot_timer(self, TRAY_INTERVAL, self.start_hidden),
        )
        self.menu = TrayMenu(parts, come_forward)
        self.notified.connect(self._show_notification)
        self._settings.tray_changed.connect(self._show)
        self._model.arrived.connect(self._collect)
        self._show()

    def start_hidden(self) -> None:
        """Show only the icon, as soon as there is a tray. Without one in time, show the minimized
        window.
        """
        self._show()
        self._looks -= 1
        if self._icon is None and self._looks:
            self._look_timer.start()
        elif self._icon is None:
            self._window.showMinimized()

    def _show(self) -> None:
        wanted = self._settings.value.tray != "none"
        if wanted and self._icon is None and QSystemTrayIcon.isSystemTrayAvailable():
            self._icon = QSystemTrayIcon(window_icon(), self)
            self._icon.setToolTip("nbmail")
            self._icon.activated.connect(self.activate)
            self._icon.messageClicked.connect(self._come_forward)
            self._icon.setContextMenu(self.menu)
        if self._icon is not None:
            self._icon.setVisible(wanted)

    def activate(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self._come_forward()

    def _collect(self, messages: Sequence[int]) -> None:
        if self._settings.value.tray == "news":
            self._new += messages
            self._timer.start()

    def _notify(self) -> None:
        """Notify the user of recent unread messages that are not spam. A user who sees the window
        needs no notice.
        """
        new = self._new
        self._new = []
        texts = self._model.texts
        mail = self._model.mail
        since = self._clock() - RECENT
        spam = VERDICTS.index("spam")
        known = [
            place
            for place in mail.find(new).tolist()
            if place >= 0 and mail.effective_class[place] != spam
        ]
        places = [place for place in known if mail.unread(place) and mail.dates[place] > since]
        if not places or self._window.isActiveWindow():
            return
        names = list(dict.fromkeys(texts.text(place, Column.SENDER)[:MAX_TEXT] for place in places))
        if len(places) == 1:
            verdict = tr("{verdict}, {chance} chance of spam").format(
                verdict=texts.verdict(places[0]), chance=texts.chance(places[0])
            )
            self.notified.emit(
                names[0], f"{texts.text(places[0], Column.SUBJECT)[:MAX_TEXT]}\n{verdict}"
            )
        else:
            title = tr_count("%n new message", "%n new messages", len(places))
            self.notified.emit(title, ", ".join(names[:MAX_NAMES]) + "…" * (len(names) > MAX_NAMES))

    def _show_notification(self, title: str, text: str) -> None:
        if self._icon is not None:
            self._icon.showMessage(title, text, window_icon())


class MainWindow(QMainWindow):
    """Main window. Events come through `bridge.arrived`. Without `paths` no geometry is stored.
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
            *(self, engine, settings),
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
        if self._state is not None:
            self.parts.panes.restore_state(self._state)
        self.parts.panes.fit(self.width())
        if self._state is not None:
            self.parts.updates.restore_state(
                self._state, [account.name for account in settings.accounts]
            )
            self.parts.sorted.restore_state(self._state)
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
        if paths:
            show = partial(FileWindow, self, self.parts.engine, self.parts.ask_to_open)
            self.parts.context.desktop.read_files(tuple(paths), lambda found: show(found).show())

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.parts.panes.fit(event.size().width())

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._state is not None:
            self._state.setValue("geometry", self.saveGeometry())
            for part in (self.parts.panes, self.parts.updates, self.parts.sorted):
                part.save_state(self._state)
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
