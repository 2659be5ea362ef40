"""Icon in the system tray: its menu, and notifications about new mail."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from nbmail.core.sorting.sorted_message import SortedMessage
from nbmail.settings import Sorting
from nbmail.ui.kit.drawing import window_icon
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.list.list_choice import Column
from nbmail.ui.sorting.sorting_texts import result_text
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.people import sender_cell
from nbmail.ui.texts.plain_text import plain_name, subject_cell, visible
from nbmail.ui.window.window_parts import WindowParts
from nbmail.values import VERDICTS

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
