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
"""Characters of a line in the menu."""
MAX_LINES = 10
"""Lines of sorted messages in the menu."""
TRAY_LOOKS = 20
"""Looks for a system tray after a login: desktops start programs before their tray."""
TRAY_INTERVAL = 500
"""Milliseconds between two looks."""


class TrayMenu(QMenu):
    """Menu of the tray icon. Has no signals.

    `sorting`: switch of automatic sorting. `today`: what was sorted today.
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
        """Turn sorting off, or on again where it was turned off here.

        Any other account needs its rehearsal first.
        """
        if on:
            was_off = self._switched_off
            self._switched_off = frozenset()
            changed = self._change_sorting(Sorting.SHOW, Sorting.SORT, was_off)
        else:
            changed = self._change_sorting(Sorting.SORT, Sorting.SHOW)
            self._switched_off = changed
        self._show_sorting()
        if on and not changed:
            self._open_sorting()

    def _change_sorting(
        self, before: Sorting, after: Sorting, among: frozenset[str] | None = None
    ) -> frozenset[str]:
        """Change all accounts that sort in one way, and return their names.

        `among`: change only these.
        """
        settings = self._parts.settings
        changed = set()
        for account in settings.value.accounts:
            if account.sorting is before and (among is None or account.name in among):
                settings.change_account(replace(account, sorting=after))
                changed.add(account.name)
        return frozenset(changed)

    def _show_today(self, messages: Sequence[SortedMessage]) -> None:
        self.today.clear()
        self.today.setTitle(
            tr_count("Sorted today: %n message", "Sorted today: %n messages", len(messages))
        )
        for each in messages[:MAX_LINES]:
            sender = each.sender or sender_cell("")
            line = visible(f"{sender}: {subject_cell(each.subject)}", MAX_LINE)
            text = plain_name(f"{line} – {result_text(each)}")
            self.today.addAction(text, self._open_sorting)
        self.today.addSeparator()
        self.today.addAction(tr("Show all…"), self._open_sorting)

    def _open_sorting(self) -> None:
        self._come_forward()
        self._parts.show_sorting()


class Tray(QObject):
    """Tray icon, and notifications about new mail that isn't spam.

    Signals: `notified(str, str)`: title and text.
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
        self._looks = TRAY_LOOKS
        self._look_timer = single_shot_timer(self, TRAY_INTERVAL, self.start_hidden)
        self.menu = TrayMenu(parts, come_forward)
        self.notified.connect(self._show_notification)
        self._settings.tray_changed.connect(self._show)
        self._model.arrived.connect(self._collect)
        self._show()

    def start_hidden(self) -> None:
        """Show only the icon, as soon as there is a tray.

        Without a tray in time, show the minimized window.
        """
        self._show()
        self._looks -= 1
        if self._icon is not None:
            return
        if self._looks:
            self._look_timer.start()
        else:
            self._window.showMinimized()

    def _show(self) -> None:
        wanted = self._settings.value.tray != "none"
        if wanted and self._icon is None and QSystemTrayIcon.isSystemTrayAvailable():
            self._icon = self._make_icon()
        if self._icon is not None:
            self._icon.setVisible(wanted)

    def _make_icon(self) -> QSystemTrayIcon:
        icon = QSystemTrayIcon(window_icon(), self)
        icon.setToolTip("nbmail")
        icon.activated.connect(self.activate)
        icon.messageClicked.connect(self._come_forward)
        icon.setContextMenu(self.menu)
        return icon

    def activate(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self._come_forward()

    def _collect(self, messages: Sequence[int]) -> None:
        if self._settings.value.tray == "news":
            self._new += messages
            self._timer.start()

    def _notify(self) -> None:
        """Notify the user of new messages. A user who sees the window needs no notice."""
        new = self._new
        self._new = []
        arrived = self._model.mail.find(new).tolist()
        places = [place for place in arrived if self._is_news(place)]
        if not places or self._window.isActiveWindow():
            return
        if len(places) == 1:
            self._notify_of_one(places[0])
        else:
            self._notify_of_many(places)

    def _is_news(self, place: int) -> bool:
        """True for a recent unread message that is not spam. `place`: -1 for one that left."""
        mail = self._model.mail
        if place < 0 or mail.effective_class[place] == VERDICTS.index("spam"):
            return False
        is_recent = mail.dates[place] > self._clock() - RECENT
        return bool(is_recent and mail.unread(place))

    def _notify_of_one(self, place: int) -> None:
        texts = self._model.texts
        sender = texts.text(place, Column.SENDER)[:MAX_TEXT]
        subject = texts.text(place, Column.SUBJECT)[:MAX_TEXT]
        verdict = tr("{verdict}, {chance} chance of spam").format(
            verdict=texts.verdict(place), chance=texts.chance(place)
        )
        self.notified.emit(sender, f"{subject}\n{verdict}")

    def _notify_of_many(self, places: Sequence[int]) -> None:
        texts = self._model.texts
        senders = [texts.text(place, Column.SENDER)[:MAX_TEXT] for place in places]
        names = list(dict.fromkeys(senders))
        text = ", ".join(names[:MAX_NAMES])
        if len(names) > MAX_NAMES:
            text += "…"
        title = tr_count("%n new message", "%n new messages", len(places))
        self.notified.emit(title, text)

    def _show_notification(self, title: str, text: str) -> None:
        if self._icon is not None:
            self._icon.showMessage(title, text, window_icon())
