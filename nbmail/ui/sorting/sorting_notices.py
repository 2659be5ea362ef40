"""Notices about automatic sorting above the list: the offer, and what was sorted meanwhile."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QSettings, Signal

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.settings import Sorting
from nbmail.ui.evidence.messages_window import MessagesWindow
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.notices.banner import Banner, Remedy
from nbmail.ui.sorting.sorted_messages import SortedMessages
from nbmail.ui.sorting.sorting_texts import away_text
from nbmail.ui.texts.error_texts import Notice
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.window.window_context import WindowContext


class SortingNotices(QObject):
    """Banner that offers sorting once, and reports what was sorted while the window was closed.

    Signals: `window_requested()` if the user accepts the offer.
    """

    window_requested = Signal()

    def __init__(
        self, context: WindowContext, sorted_: SortedMessages, show: Callable[[Choice], None]
    ) -> None:
        super().__init__(context.window)
        self._parent = context.window
        self._settings = context.settings
        self._table = context.table
        self._clock = context.clock
        self._sorted = sorted_
        self._show = show
        self.banner = Banner(icon="sorted")
        self._opened = context.clock()
        self._closed = self._opened
        context.settings.accounts_changed.connect(self._withdraw_offer)
        sorted_.changed.connect(self._report_away)

    # ---------------------------------------------------------------------------------------------
    # the offer

    def offer(self) -> None:
        """Offer automatic sorting once, if no account sorts and one could."""
        settings = self._settings.value
        if settings.sorting_offered or not self._is_possible():
            return

        self._settings.change(replace(settings, sorting_offered=True))
        notice = Notice(
            tr("nbmail can move spam out of the inbox as it arrives."),
            tr(
                "First you see what it would have moved in the last 30 days. Each message "
                "can be put back."
            ),
        )
        self.banner.show_notice(notice, "offer", Remedy(tr("Sorting…"), self._accept))

    def _accept(self) -> None:
        self.banner.dismiss()
        self.window_requested.emit()

    def _is_possible(self) -> bool:
        sorting = {account.sorting for account in self._settings.value.accounts if not account.path}
        return sorting == {Sorting.SHOW}

    def _withdraw_offer(self) -> None:
        if not self._is_possible():
            self.banner.dismiss("offer")

    # ---------------------------------------------------------------------------------------------
    # what was sorted while the window was closed

    def _report_away(self) -> None:
        """Report what arrived and was sorted since the window was closed."""
        away = [each for each in self._sorted.messages if self._was_sorted_meanwhile(each)]
        if not away:
            self.banner.dismiss("away")
            return

        near = [each for each in away if each.near]
        filed = sum(bool(each.target) for each in away)
        show_label = tr("Show all")
        if near:
            show_label = tr_count("Show %n message", "Show %n messages", len(near))
        self.banner.show_notice(
            Notice(away_text(len(away) - filed, len(near), filed), ""),
            "away",
            Remedy(show_label, partial(self._show_near, near)),
            self._forget_away,
        )

    def _was_sorted_meanwhile(self, message: SortedMessage) -> bool:
        return (
            message.state is SortedState.MOVED
            and message.moment > self._closed
            and message.received < self._opened
        )

    def _forget_away(self) -> None:
        self._closed = self._clock()

    def _show_near(self, near: list[SortedMessage]) -> None:
        self._forget_away()
        self.banner.dismiss("away")
        self._show(Choice(Kind.SORTED))
        if near:
            MessagesWindow(
                self._parent,
                tr("Near the spam threshold"),
                tr("These messages were sorted to Spam with the lowest chance of spam."),
                {each.message: (percent(each.probability),) for each in near},
                self._table,
                headings=(tr("Chance of spam"),),
            ).show()

    def save_state(self, notes: QSettings) -> None:
        """Save the moment up to which sorted messages were reported."""
        is_unread = self.banner.about == "away"
        moment = self._closed if is_unread else self._clock()
        notes.setValue("sorted_seen", str(moment))

    def restore_state(self, notes: QSettings) -> None:
        """Restore the saved moment. A malformed value is ignored."""
        saved = notes.value("sorted_seen")
        if isinstance(saved, str) and saved.replace(".", "", 1).isdecimal():
            self._closed = min(float(saved), self._opened)
