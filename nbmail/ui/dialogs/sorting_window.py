"""Window for automatic sorting: the setting of each account, and the messages that were sorted."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from PySide6.QtCore import QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

from nbmail.settings import Account, Settings, Sorting
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.ui.kit.phrases import date_text, percent
from nbmail.ui.kit.plain_text import plain_label, wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.sorting import (
    SortedMessage,
    SortedState,
    SortingChoice,
    SortingPhase,
    SortingPreview,
    SortingStatus,
    Stay,
)
from nbmail.worker.protocol.ticket import Failed

WIDTH, HEIGHT = 860, 560
DAYS = 7
REFRESH = 3000
"""Milliseconds between two looks for newly sorted messages."""


class SortingWindow(SideWindow):
    """Lists what was sorted in the last days. Has no signals.

    `change` saves changed settings. The engine gets the choice of an account here.
    """

    def __init__(self, parent: QWidget, engine: Engine, settings: Settings, change: Callable[[Account], None]) -> None:
        super().__init__(parent, tr("Sorting"), WIDTH, HEIGHT)
        self._engine, self._change = engine, change
        self._accounts = {account.name: account for account in settings.accounts if not account.path}
        self.combos: dict[str, QComboBox] = {}
        self.states: dict[str, QLabel] = {}
        rows = [self._account_row(account) for account in self._accounts.values()]
        if not rows:
            rows = [wrapping_label(tr("Sorting needs an account on a mail server. Add one first."))]
        headings = (tr("Date"), tr("From"), tr("Subject"), tr("Chance of junk"), tr("Result"))
        widths = (110, 170, 220, 90, 180)
        self.table: TextTable[int] = TextTable(headings, widths, 2, tr("Sorted messages"), numbers=(3,), whole=(4,))
        self.note = wrapping_label("", "muted")
        self.back, self.right = QPushButton(tr("Put back (not junk)")), QPushButton(tr("Right (junk)"))
        self.back.clicked.connect(self.put_back)
        self.right.clicked.connect(self.confirm)
        for key, act in (("N", self.put_back), ("!", self.confirm)):
            QShortcut(QKeySequence(key), self, act)
        heading = plain_label(tr("Sorted in the last 7 days, nearest to the junk threshold first"), "title")
        buttons = layouts.row(self.back, self.right, None, spacing=8)
        self.setLayout(
            layouts.column(*rows, 12, heading, (self.table, 1), self.note, buttons, spacing=8, margins=(16, 16, 16, 16))
        )
        self._timer = QTimer(self, interval=REFRESH)
        self._timer.timeout.connect(self.refresh)
        self._timer.start()
        self.refresh()

    def _account_row(self, account: Account) -> QWidget:
        combo, state = QComboBox(), wrapping_label("", "muted")
        for value, text in (
            (Sorting.SHOW, tr("Only show")),
            (Sorting.REHEARSE, tr("Rehearse: list what would be moved")),
            (Sorting.SORT, tr("Sort: move junk to the junk folder")),
        ):
            combo.addItem(text, value)
        combo.setCurrentIndex(combo.findData(account.sorting))
        combo.setAccessibleName(tr("Sorting of {account}").format(account=account.name))
        combo.activated.connect(lambda _: self._choose(account.name))
        self.combos[account.name], self.states[account.name] = combo, state
        row = QWidget()
        line = layouts.row(plain_label(account.name, "title"), combo, None, spacing=10)
        column = layouts.column(line, state, spacing=2)
        column.setContentsMargins(0, 0, 0, 0)
        row.setLayout(column)
        return row

    # ------------------------------------------------------------------------------------------------- the setting

    def _choose(self, name: str) -> None:
        """Apply a choice. Moving starts only after the user has seen the rehearsal of the last 30 days."""
        sorting = Sorting(self.combos[name].currentData())
        if sorting is not Sorting.SORT:
            self._apply(replace(self._accounts[name], sorting=sorting))
            return
        self._engine.rehearse_sorting(name).then(lambda preview: self._ask(name, preview), failed=self._show_error)

    def _ask(self, name: str, preview: SortingPreview) -> None:
        self._engine.sorting_status(name).then(
            lambda status: self._ask_with(name, preview, status), failed=self._show_error
        )

    def _ask_with(self, name: str, preview: SortingPreview, status: SortingStatus) -> None:
        account, ready = self._accounts[name], status.readiness
        self._show_choice(name)
        text = rehearsal_text(preview)
        if ready.is_ready:
            box = question_box(self, tr("Sort junk automatically?"), text, status_text(status))
            yes = tr("Sort")
        else:
            box = question_box(self, tr("Begin sorting now?"), text, early_text(status))
            later = tr("Wait for more marks")
            button = box.addButton(later, box.ButtonRole.ActionRole)
            button.clicked.connect(lambda: self._apply(replace(account, sorting=Sorting.SORT, begun_early=False)))
            yes = tr("Begin now")
        chosen = replace(account, sorting=Sorting.SORT, begun_early=not ready.is_ready)
        open_question(box, yes, tr("Cancel"), lambda: self._apply(chosen))

    def _apply(self, account: Account) -> None:
        self._accounts[account.name] = account
        self._change(account)
        self._show_choice(account.name)
        self._engine.set_sorting(account.name, SortingChoice.of(account)).then(
            self._show_status, failed=self._show_error
        )

    def _show_choice(self, name: str) -> None:
        combo = self.combos[name]
        combo.setCurrentIndex(combo.findData(self._accounts[name].sorting))

    def _show_status(self, status: SortingStatus) -> None:
        if status.account in self.states:
            choice = status.choice
            self._accounts[status.account] = replace(
                self._accounts[status.account], sorting=choice.sorting, begun_early=choice.begun_early
            )
            self._show_choice(status.account)
            self.states[status.account].setText(status_text(status))

    # -------------------------------------------------------------------------------------------- sorted messages

    def refresh(self) -> None:
        """Request the state of each account and the list."""
        for name in self._accounts:
            self._engine.sorting_status(name).then(self._show_status, failed=self._show_error)
        since = (datetime.now() - timedelta(days=DAYS)).timestamp()
        self._engine.list_sorted(since).then(self._show_list, failed=self._show_error)

    def _show_list(self, messages: tuple[SortedMessage, ...]) -> None:
        now = datetime.now().timestamp()
        self.table.set_rows([_row(each, now) for each in messages])
        self.table.setVisible(bool(messages))
        for button in (self.back, self.right):
            button.setEnabled(bool(messages))
        moved = sum(each.state is SortedState.MOVED for each in messages)
        near = sum(each.near for each in messages)
        self.note.setText(summary_text(len(messages), moved, near))

    def put_back(self) -> None:
        """Mark the current message as not junk and move it back."""
        message = self.table.current()
        if message is not None:
            self._engine.put_back((message,)).then(lambda _: self.refresh(), failed=self._show_error)

    def confirm(self) -> None:
        """Mark the current message as junk."""
        message = self.table.current()
        if message is not None:
            self._engine.confirm_sorted((message,)).then(lambda _: self.refresh(), failed=self._show_error)

    def _show_error(self, failed: Failed) -> None:
        notice = error_notice(failed.error_code, failed.detail)
        self.note.setText(f"{notice.sentence} {notice.advice}")


def status_text(status: SortingStatus) -> str:
    """Return what sorting does now, with the test result that it rests on."""
    ready = status.readiness
    tested = tr("Tested on {tested} good messages: {lost} classified as junk (95 % interval: up to {high}).").format(
        tested=format_count(ready.tested), lost=format_count(ready.lost), high=percent(ready.high)
    )
    if status.phase is SortingPhase.OFF:
        return tr("Junk stays in the inbox and is only shown as junk.")
    if status.phase is SortingPhase.REHEARSING:
        return tr("Nothing is moved. The list shows what would be moved.") + " " + tested
    if status.phase is SortingPhase.WAITING:
        missing = tr_count(
            "Sorting begins after about %n more mark.",
            "Sorting begins after about %n more marks.",
            ready.marks_missing,
        )
        return missing + " " + tested
    return tr("Arriving junk is moved to the junk folder.") + " " + tested


def early_text(status: SortingStatus) -> str:
    """Return the question whether to sort before the model is tested well enough."""
    ready = status.readiness
    return tr(
        "The model was tested on {tested} good messages so far, and {lost} of them were classified as junk. In the "
        "worst case, {high} of your good mail could be moved. About {marks} more marks make this safer."
    ).format(
        tested=format_count(ready.tested),
        lost=format_count(ready.lost),
        high=percent(ready.high),
        marks=format_count(ready.marks_missing),
    )


def rehearsal_text(preview: SortingPreview) -> str:
    """Return what sorting would have done in the last 30 days."""
    return tr(
        "Of {all} messages of the last 30 days, {moving} would have been moved. You marked {good} of them as not junk."
    ).format(
        all=format_count(preview.messages),
        moving=format_count(len(preview.moving)),
        good=format_count(len(preview.good)),
    )


def summary_text(count: int, moved: int, near: int) -> str:
    """Return the line below the list."""
    if not count:
        return tr("No message was classified as junk on arrival in the last 7 days.")
    return tr("{moved} moved, {near} near the junk threshold.").format(
        moved=format_count(moved), near=format_count(near)
    )


def result_text(message: SortedMessage) -> str:
    """Return what happened to a message."""
    states = {
        SortedState.NEW: tr("Waiting"),
        SortedState.MOVING: tr("Moving…"),
        SortedState.REHEARSED: tr("Would be moved"),
        SortedState.MOVED: tr("Moved to junk folder"),
        SortedState.PUT_BACK: tr("Put back"),
        SortedState.CONFIRMED: tr("Confirmed as junk"),
        SortedState.GONE: tr("Removed by another program"),
    }
    reasons = {
        Stay.FLAGGED: tr("Stays: flagged"),
        Stay.ANSWERED: tr("Stays: answered"),
        Stay.OWN_THREAD: tr("Stays: answers your message"),
        Stay.WRITTEN_TO: tr("Stays: you wrote to this sender"),
        Stay.PUT_BACK: tr("Stays: was put back before"),
        Stay.MARKED: tr("Stays: marked"),
        Stay.INCOMPLETE: tr("Stays: not loaded completely"),
        Stay.CLAIMED: tr("Stays: another program sorts it"),
    }
    if message.reason is not None:
        return reasons.get(message.reason, tr("Stays"))
    return states.get(message.state, tr("Stays"))


def _row(message: SortedMessage, now: float) -> TextRow[int]:
    subject = message.subject or tr("(no subject)")
    date, chance, result = date_text(message.moment, now), percent(message.probability), result_text(message)
    tips = (date, message.sender, subject, chance, f"{result} {message.detail}".strip())
    return TextRow((date, message.sender, subject, chance, result), message.message, tips)
