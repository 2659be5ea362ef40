"""Window for automatic sorting: how each account sorts, and what was sorted lately."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QWidget

from nbmail.core.folders.filing_record import FilingRecord
from nbmail.core.sorting.sorted_message import SortedMessage
from nbmail.settings import Account, Sorting
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.notices.banner import Banner
from nbmail.ui.sorting import sorting_texts as texts
from nbmail.ui.sorting.account_row import AccountRow
from nbmail.ui.sorting.automatic_folders import AutomaticFoldersDialog
from nbmail.ui.sorting.preview_dialog import PreviewDialog
from nbmail.ui.sorting.sorted_messages import SortedMessages
from nbmail.ui.texts.date_texts import date_text
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import sender_cell
from nbmail.ui.texts.plain_text import subject_cell
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.sorting import SortingPreview, SortingStatus
from nbmail.worker.protocol.ticket import Ticket

T = TypeVar("T")
WIDTH = 860
HEIGHT = 560
Mark = Callable[[tuple[int, ...], str], None]
"""Labels messages."""


class SortingWindow(SideWindow):
    """Lists mail sorted in the last days. `change` saves an account, `mark` labels messages."""

    def __init__(
        self,
        context: WindowContext,
        sorted_: SortedMessages,
        change: Callable[[Account], None],
        mark: Mark,
    ) -> None:
        super().__init__(context.window, tr("Sorting"), WIDTH, HEIGHT)
        self._context = context
        self._mail = context.model.mail
        self._engine = context.engine
        self._settings = context.settings
        self._report = context.status.report
        self._sorted = sorted_
        self._change = change
        self._mark = mark
        self.accounts = {
            account.name: self._make_row(account)
            for account in self._settings.value.accounts
            if not account.path
        }
        self._make_list()
        self._lay_out()
        sorted_.changed.connect(self.refresh)
        self.refresh()

    def _make_row(self, account: Account) -> AccountRow:
        row = AccountRow(
            account,
            choose=partial(self._choose, account.name),
            sort_now=partial(self._preview_now, account.name),
            choose_folders=partial(self._choose_folders, account.name),
        )
        row.stop.clicked.connect(self.refresh)
        self.finished.connect(row.cancel)
        return row

    def _make_list(self) -> None:
        headings = (tr("Date"), tr("From"), tr("Subject"), tr("Chance"), tr("Result"))
        widths = (110, 170, 220, 90, 180)
        self.table = TextTable[int](headings, widths, 2, tr("Sorted messages"), numbers=(3,))
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._name_buttons())
        self.note = wrapping_label("", "muted")
        self.failure = Banner()
        self.back = self._make_mark_button("ham", "N")
        self.right = self._make_mark_button("spam", "!")

    def _make_mark_button(self, label: str, key: str) -> QPushButton:
        button = QPushButton()
        button.setAutoDefault(False)
        button.clicked.connect(lambda _: self.mark(label))
        QShortcut(QKeySequence(key), self, button.click)
        return button

    def _lay_out(self) -> None:
        rows: list[QWidget] = list(self.accounts.values())
        if not rows:
            missing = tr("Sorting needs an account on a mail server. Add one first.")
            rows = [wrapping_label(missing)]
        heading = tr("Sorted in the last 7 days, nearest to the spam threshold first")
        contents = layouts.column(
            *rows,
            12,
            wrapping_label(heading, "title"),
            (self.table, 1),
            self.note,
            self.failure,
            None,
            layouts.row(self.back, self.right, None, spacing=8),
            spacing=8,
            margins=(16, 16, 16, 16),
        )
        self.setLayout(contents)

    def _await(self, ticket: Ticket[T], show: Callable[[T], object]) -> None:
        """Show an answer or a failure, unless this window is closed then."""
        ticket.then(self.while_open(show), failed=self.while_open(self.failure.show_failure))

    # ---------------------------------------------------------------------------------------------
    # how an account sorts

    def _choose(self, name: str) -> None:
        """Apply a choice. Sorting starts only after the user has seen its rehearsal."""
        row = self.accounts[name]
        sorting = Sorting(row.combo.currentData())
        row.cancel()
        if sorting is not Sorting.SORT:
            self._apply(name, sorting)
            return

        self._show_choice(name)
        row.show_work(
            tr("Rehearsing with the mail of the last 30 days…"),
            self._engine.rehearse_sorting(name),
            partial(self._take_rehearsal, name),
        )

    def _take_rehearsal(self, name: str, preview: SortingPreview) -> None:
        self._await(self._engine.sorting_status(name), partial(self._ask, name, preview))

    def _ask(self, name: str, preview: SortingPreview, status: SortingStatus) -> None:
        """Show the rehearsal. A model that was tested too little sorts only if the user insists."""
        self._show_status(status)
        sort = partial(self._apply, name, Sorting.SORT)
        rehearsed = texts.rehearsal_text(preview)
        if status.readiness.is_ready:
            dialog = PreviewDialog(
                self,
                tr("Sort spam automatically?"),
                (rehearsed, texts.tested_text(status)),
                preview,
                self._mail,
                yes=tr("Sort"),
                act=sort,
            )
        else:
            dialog = PreviewDialog(
                self,
                tr("Begin sorting now?"),
                (rehearsed, texts.early_text(status)),
                preview,
                self._mail,
                yes=tr("Begin now"),
                act=partial(sort, early=True),
                later=(tr("Wait for more marks"), sort),
            )
        dialog.open()

    def _apply(self, name: str, sorting: Sorting, *, early: bool = False) -> None:
        account = self._settings.account(name)
        if account is not None:
            self._change(replace(account, sorting=sorting, begun_early=early))
        self._show_choice(name)

    def _show_choice(self, name: str) -> None:
        account = self._settings.account(name)
        if account is not None:
            self.accounts[name].show_choice(account.sorting)

    def _show_status(self, status: SortingStatus) -> None:
        row = self.accounts.get(status.account.name)
        if row is not None:
            row.state.setText(texts.status_text(status))

    # ---------------------------------------------------------------------------------------------
    # folders that fill automatically

    def _choose_folders(self, name: str) -> None:
        self._await(self._engine.filing_status(name), partial(self._show_folders, name))

    def _show_folders(self, name: str, record: FilingRecord) -> None:
        account = self._settings.account(name)
        if account is not None:
            fill = partial(self._fill_folder, name)
            AutomaticFoldersDialog(self, self._context, account, record, fill).open()

    def _fill_folder(self, name: str, folder: str, on: bool) -> None:
        """Switch the automatic filling of a folder on or off."""
        account = self._settings.account(name)
        if account is None:
            return
        folders = tuple(each for each in account.automatic_folders if each != folder)
        if on:
            folders = (*folders, folder)
        self._change(replace(account, automatic_folders=folders))
        self.refresh()

    # ---------------------------------------------------------------------------------------------
    # sorting the inbox now

    def _preview_now(self, name: str) -> None:
        self.accounts[name].show_work(
            tr("Looking through the inbox…"),
            self._engine.preview_sort_now(name),
            partial(self._ask_now, name),
        )

    def _ask_now(self, name: str, preview: SortingPreview) -> None:
        self.refresh()
        if not preview.moving:
            self.note.setText(
                tr(
                    "The inbox has nothing to sort: no unmarked message there is classified "
                    "as spam."
                )
            )
            return

        note = tr(
            "They are moved to the spam folder. You can undo this in one step, and put back "
            "each of them."
        )
        PreviewDialog(
            self,
            tr("Sort the inbox now?"),
            (texts.sort_now_text(preview), note),
            preview,
            self._mail,
            yes=tr("Sort"),
            act=partial(self._sort_now, name, tuple(preview.moving)),
        ).open()

    def _sort_now(self, name: str, messages: tuple[int, ...]) -> None:
        self._engine.sort_now(name, messages).then(self._report_sorted)

    def _report_sorted(self, messages: tuple[int, ...]) -> None:
        text = tr_count(
            "Sorting %n message to Spam.", "Sorting %n messages to Spam.", len(messages)
        )
        self._report(text, undo=bool(messages))

    # ---------------------------------------------------------------------------------------------
    # sorted messages

    def refresh(self) -> None:
        for name, row in self.accounts.items():
            self._show_choice(name)
            if not row.is_working:
                self._await(self._engine.sorting_status(name), self._show_status)

        messages = self._sorted.messages
        now = datetime.now().timestamp()
        self.table.set_rows([_row(each, now) for each in messages])
        self.table.setVisible(bool(messages))
        self.back.setEnabled(bool(messages))
        self.right.setEnabled(bool(messages))
        self._name_buttons()
        self.note.setText(texts.sorted_text(messages))

    def mark(self, label: str) -> None:
        """Mark the current message, or move it back. A filed one gets no mark."""
        message = self._current()
        if message is None:
            return
        if not message.target:
            self._mark((message.message,), label)
            return
        act = self._engine.undo_sorting if label == "ham" else self._engine.confirm_filing
        self._await(act((message.message,)), lambda _: None)

    def _current(self) -> SortedMessage | None:
        message = self.table.current()
        return next((each for each in self._sorted.messages if each.message == message), None)

    def _name_buttons(self) -> None:
        message = self._current()
        if message is not None and message.target:
            self.back.setText(tr("Move back"))
            self.right.setText(tr("Right folder"))
        else:
            self.back.setText(tr("Put back (not spam)"))
            self.right.setText(tr("Right (spam)"))


def _row(message: SortedMessage, now: float) -> TextRow[int]:
    sender = sender_cell(message.sender)
    subject = subject_cell(message.subject)
    date = date_text(message.moment, now)
    chance = percent(message.probability)
    result = texts.result_text(message)
    detailed = f"{result} {message.detail}".strip()
    tips = (date, message.sender, subject, chance, detailed)
    return TextRow((date, sender, subject, chance, result), message.message, tips)
