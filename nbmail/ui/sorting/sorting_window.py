"""Window for automatic sorting, with its dialogs: the messages that would be moved, and the folders
that fill.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TypeVar

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QPushButton, QWidget

from nbmail.core.folders.filing_record import FilingRecord
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.settings import Account, Sorting
from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.dialogs import ScrollDialog, SideWindow, answer_buttons, close_button
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.labels import plain_label, wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.list.contents.mail_columns import MailColumns
from nbmail.ui.notices.banner import Banner
from nbmail.ui.sorting import sorting_texts as texts
from nbmail.ui.sorting.sorted_messages import SortedMessages
from nbmail.ui.texts.date_texts import date_text
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import sender_cell
from nbmail.ui.texts.plain_text import plain_name, subject_cell, visible
from nbmail.ui.window.context import WindowContext
from nbmail.values import FolderName
from nbmail.worker.protocol.sorting import SortingPreview, SortingStatus
from nbmail.worker.protocol.ticket import Progress, Ticket

LONGEST = 120
NEAREST = 10


class PreviewDialog(ScrollDialog):
    """Question with the messages nearest to the spam threshold. `act`: called by `yes`. `later`: a
    third button.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        sentences: tuple[str, str],
        preview: SortingPreview,
        mail: MailColumns,
        *,
        yes: str,
        act: Callable[[], None],
        later: tuple[str, Callable[[], None]] | None = None,
        for_folder: bool = False,
    ) -> None:
        super().__init__(parent, title)
        self.accepted.connect(act)
        self.sentence = wrapping_label(sentences[0], "title")
        note = wrapping_label(sentences[1], "muted")
        count, chance = (3, tr("Chance")) if for_folder else (4, tr("Chance of spam"))
        name = tr("Least certain") if for_folder else tr("Nearest to the spam threshold")
        headings = (chance, tr("From"), tr("Subject"), tr("Your mark"))[:count]
        widths = (100, 170, 240, 100)[:count]
        self.table = TextTable[int](
            headings, widths, 2, name, numbers=(0,), whole=(3,)[: count - 3]
        )
        rows = [
            TextRow(
                (percent(chance), sender_cell(sender), subject_cell(subject), mark)[:count], message
            )
            for message, chance in islice(preview.moving.items(), NEAREST)
            for sender, subject, _ in [mail.heading_of(message)]
            for mark in [tr("Not spam") if message in preview.ham else ""]
        ]
        self.table.set_rows(rows)
        self.table.setMinimumHeight(scaled(self, 240))
        shown: list[layouts.LayoutItem] = [wrapping_label(name), (self.table, 1)] if rows else []
        buttons = answer_buttons(self, yes, tr("Cancel"))
        if later is not None:
            button = buttons.addButton(later[0], QDialogButtonBox.ButtonRole.ActionRole)
            button.clicked.connect(later[1])
            button.clicked.connect(self.reject)
        self.default_button = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        contents = layouts.column(self.sentence, note, *shown, spacing=10)
        self.set_contents(contents, buttons, scaled(self, 720 if rows else 480))


class AutomaticFoldersDialog(ScrollDialog):
    """A box for each folder that past suggestions carry, or that was chosen before.

    `choose` is called with a folder and True after the user has seen its rehearsal, or with False
    at once.
    """

    def __init__(
        self,
        parent: QWidget,
        context: WindowContext,
        account: Account,
        record: FilingRecord,
        choose: Callable[[str, bool], None],
    ) -> None:
        super().__init__(parent, tr("Folders that fill automatically"))
        self._engine = context.engine
        self._mail = context.model.mail
        self._account = account.name
        self._choose = choose
        text = tr("There are no past suggestions above 99 % yet.")
        total = record.total
        if total.count:
            text = tr_count(
                "Of %n suggestion above 99 %, {found} was right.",
                "Of %n suggestions above 99 %, {found} were right.",
                total.count,
            )
        self.record = wrapping_label(text.format(found=format_count(total.found)), "title")
        about = tr(
            "Mail that arrives from now on goes into a ticked folder if that is suggested "
            "with at least 99 %. Spam, "
            "flagged and answered messages are never filed. nbmail learns nothing from it "
            "until you confirm or correct "
            "it."
        )
        needed = tr(
            "A folder is offered here once enough of its suggestions above 99 % were right."
        )
        self.boxes = {folder: QCheckBox(self._text(folder, record)) for folder in record.folders}
        for folder, box in self.boxes.items():
            box.setChecked(folder in account.automatic_folders)
            box.clicked.connect(partial(self._click, folder))
        self.state = plain_label("", "muted")
        none = wrapping_label(tr("No folder can be filled automatically yet."), "title")
        notes = wrapping_label(about, "muted"), wrapping_label(needed, "muted")
        contents = layouts.column(
            self.record,
            notes[0],
            6,
            *(self.boxes.values() or [none]),
            6,
            notes[1],
            self.state,
            spacing=8,
        )
        self.set_contents(contents, close_button(self), scaled(self, 520))

    def _text(self, folder: str, record: FilingRecord) -> str:
        own = record.folders[folder]
        name = visible(folder_name(FolderName(self._account, folder)), LONGEST)
        text = tr("{folder}: {found} of {count} right")
        if not record.carries(folder):
            text = tr("{folder}: {found} of {count} right, not enough to file automatically")
        return plain_name(
            text.format(folder=name, found=format_count(own.found), count=format_count(own.count))
        )

    def _click(self, folder: str, _: bool = False) -> None:
        if not self.boxes[folder].isChecked():
            self._choose(folder, False)
            return
        self.boxes[folder].setChecked(False)
        self.state.setText(tr("Looking through the inbox…"))
        ticket = self._engine.rehearse_filing(FolderName(self._account, folder))
        ticket.then(partial(self._ask, folder), ended=self.state.clear)
        self.finished.connect(ticket.drop)

    def _ask(self, folder: str, preview: SortingPreview) -> None:
        name = folder_name(FolderName(self._account, folder))
        title = tr("Fill {folder} automatically?").format(folder=visible(name, LONGEST))
        text = tr(
            "Of {all} messages of the last 30 days in the inbox, {moving} would have gone to "
            "{folder}."
        )
        counts = {
            "all": format_count(preview.messages),
            "moving": format_count(len(preview.moving)),
        }
        texts = text.format(**counts, folder=name), tr("Messages that are there now stay there.")

        def switch_on() -> None:
            self.boxes[folder].setChecked(True)
            self._choose(folder, True)

        yes = tr("Fill automatically")
        PreviewDialog(
            self, title, texts, preview, self._mail, yes=yes, act=switch_on, for_folder=True
        ).open()


T = TypeVar("T")
WIDTH = 860
HEIGHT = 560
Mark = Callable[[tuple[int, ...], str], None]
"""Labels messages."""


class AccountRow(QWidget):
    """Setting of one account, with its state and buttons that sort the inbox now, and choose
    folders. No signals.
    """

    def __init__(
        self,
        account: Account,
        choose: Callable[[], None],
        sort_now: Callable[[], None],
        choose_folders: Callable[[], None],
    ) -> None:
        super().__init__()
        entries = (
            (tr("Only show"), Sorting.SHOW),
            (tr("Rehearse: list what would be moved"), Sorting.REHEARSE),
            (tr("Sort: move spam to the spam folder"), Sorting.SORT),
        )
        self.combo = combo_of(entries, tr("Sorting of {account}").format(account=account.name))
        self.state = wrapping_label("", "muted")
        self.combo.activated.connect(lambda _: choose())
        self.now = quiet_button(tr("Sort what is here now…"), sort_now)
        self.stop = quiet_button(tr("Cancel"), self.cancel)
        self.folders = quiet_button(tr("Folders…"), choose_folders)
        self.folders.setToolTip(tr("Folders that fill automatically"))
        self.folders.setVisible(bool(account.suggested_folders))
        self.stop.hide()
        self._work: Ticket[SortingPreview] | None = None
        choices = layouts.Flow(self.combo, self.now, self.folders, self.stop, gap=10)
        self.setLayout(
            layouts.column(plain_label(account.name, "title"), choices, self.state, spacing=4)
        )

    def show_work(
        self, text: str, ticket: Ticket[SortingPreview], done: Callable[[SortingPreview], None]
    ) -> None:
        """Show the progress of a preview, with a button that cancels it. A running one is
        canceled.
        """

        def progressed(progress: Progress[SortingPreview]) -> None:
            share = 100 * progress.done // max(1, progress.total)
            self.state.setText(tr("{work} {share} %").format(work=text, share=share))

        self.cancel()
        self._work = ticket
        self.state.setText(text)
        self.now.hide()
        self.stop.show()
        ticket.then(done, progressed=progressed, ended=self.cancel)

    def cancel(self) -> None:
        """Cancel the running preview, if there is one."""
        if self._work is not None:
            self._work.drop()
            self._work = None
            self.stop.hide()
            self.now.show()


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
        choices = (self._choose, self._preview_now, self._choose_folders)
        self.accounts = {
            account.name: AccountRow(
                account, *(partial(choice, account.name) for choice in choices)
            )
            for account in self._settings.value.accounts
            if not account.path
        }
        missing = wrapping_label(tr("Sorting needs an account on a mail server. Add one first."))
        headings = (tr("Date"), tr("From"), tr("Subject"), tr("Chance"), tr("Result"))
        self.table = TextTable[int](
            headings, (110, 170, 220, 90, 180), 2, tr("Sorted messages"), numbers=(3,)
        )
        self.note = wrapping_label("", "muted")
        self.failure = Banner()
        self.back = QPushButton()
        self.right = QPushButton()
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._name_buttons())
        for button, key, label in ((self.back, "N", "ham"), (self.right, "!", "spam")):
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, label=label: self.mark(label))
            QShortcut(QKeySequence(key), self, button.click)
        heading = plain_label(
            tr("Sorted in the last 7 days, nearest to the spam threshold first"), "title"
        )
        buttons = layouts.row(self.back, self.right, None, spacing=8)
        below = (12, heading, (self.table, 1), self.note, self.failure, None, buttons)
        self.setLayout(
            layouts.column(
                *(self.accounts.values() or [missing]), *below, spacing=8, margins=(16, 16, 16, 16)
            )
        )
        sorted_.changed.connect(self.refresh)
        for row in self.accounts.values():
            self.finished.connect(row.cancel)
            row.stop.clicked.connect(self.refresh)
        self.refresh()

    def _await(self, ticket: Ticket[T], show: Callable[[T], object]) -> None:
        """Show an answer or a failure, unless this window is closed then."""
        ticket.then(self.while_open(show), failed=self.while_open(self.failure.show_failure))

    # -------------------------------------------------------------------------------------------------
    # the setting

    def _choose(self, name: str) -> None:
        """Apply a choice. Moving starts only after the user has seen the rehearsal of the last 30
        days.
        """
        row = self.accounts[name]
        sorting = Sorting(row.combo.currentData())
        row.cancel()
        if sorting is not Sorting.SORT:
            self._apply(name, sorting)
            return

        def ask(preview: SortingPreview) -> None:
            self._await(self._engine.sorting_status(name), partial(self._ask, name, preview))

        self._show_choice(name)
        row.show_work(
            tr("Rehearsing with the mail of the last 30 days…"),
            self._engine.rehearse_sorting(name),
            ask,
        )

    def _ask(self, name: str, preview: SortingPreview, status: SortingStatus) -> None:
        self._show_status(status)
        ready = status.readiness.is_ready
        text = texts.rehearsal_text(preview)
        wait = (tr("Wait for more marks"), lambda: self._apply(name, Sorting.SORT))
        PreviewDialog(
            self,
            tr("Sort spam automatically?") if ready else tr("Begin sorting now?"),
            (text, texts.tested_text(status) if ready else texts.early_text(status)),
            preview,
            self._mail,
            yes=tr("Sort") if ready else tr("Begin now"),
            act=lambda: self._apply(name, Sorting.SORT, early=not ready),
            later=None if ready else wait,
        ).open()

    def _apply(self, name: str, sorting: Sorting, *, early: bool = False) -> None:
        account = self._settings.account(name)
        if account is not None:
            self._change(replace(account, sorting=sorting, begun_early=early))
        self._show_choice(name)

    def _show_choice(self, name: str) -> None:
        account = self._settings.account(name)
        combo = self.accounts[name].combo
        if account is not None:
            combo.setCurrentIndex(combo.findData(account.sorting))

    def _show_status(self, status: SortingStatus) -> None:
        if status.account.name in self.accounts:
            self.accounts[status.account.name].state.setText(texts.status_text(status))

    def _choose_folders(self, name: str) -> None:
        """Let the user choose the folders that fill automatically."""

        def fill(folder: str, on: bool) -> None:
            account = self._settings.account(name)
            if account is not None:
                others = tuple(each for each in account.automatic_folders if each != folder)
                self._change(
                    replace(account, automatic_folders=(*others, folder) if on else others)
                )
                self.refresh()

        def show(record: FilingRecord) -> None:
            account = self._settings.account(name)
            if account is not None:
                AutomaticFoldersDialog(self, self._context, account, record, fill).open()

        self._await(self._engine.filing_status(name), show)

    # ---------------------------------------------------------------------------------------------
    # the inbox now

    def _preview_now(self, name: str) -> None:
        def report(messages: tuple[int, ...]) -> None:
            text = tr_count(
                "Sorting %n message to Spam.", "Sorting %n messages to Spam.", len(messages)
            )
            self._report(text, undo=bool(messages))

        def sort(preview: SortingPreview) -> None:
            self._engine.sort_now(name, tuple(preview.moving)).then(report)

        def ask(preview: SortingPreview) -> None:
            self.refresh()
            if not preview.moving:
                text = tr(
                    "The inbox has nothing to sort: no unmarked message there is classified "
                    "as spam."
                )
                self.note.setText(text)
                return
            note = tr(
                "They are moved to the spam folder. You can undo this in one step, and put "
                "back each of them."
            )
            title = tr("Sort the inbox now?")
            sentences = (texts.sort_now_text(preview), note)
            act = partial(sort, preview)
            PreviewDialog(
                self, title, sentences, preview, self._mail, yes=tr("Sort"), act=act
            ).open()

        self.accounts[name].show_work(
            tr("Looking through the inbox…"), self._engine.preview_sort_now(name), ask
        )

    # ---------------------------------------------------------------------------------------------
    # sorted messages

    def refresh(self) -> None:
        for name in self.accounts:
            self._show_choice(name)
            if self.accounts[name].stop.isHidden():
                self._await(self._engine.sorting_status(name), self._show_status)
        messages = self._sorted.messages
        now = datetime.now().timestamp()
        self.table.set_rows([_row(each, now) for each in messages])
        self.table.setVisible(bool(messages))
        for button in (self.back, self.right):
            button.setEnabled(bool(messages))
        self._name_buttons()
        moved = sum(each.state is SortedState.MOVED for each in messages)
        text = (
            tr("{moved} moved, {near} near the spam threshold.")
            if messages
            else tr("Nothing was sorted in the last 7 days.")
        )
        near = sum(each.near for each in messages)
        self.note.setText(text.format(moved=format_count(moved), near=format_count(near)))

    def mark(self, label: str) -> None:
        """Mark the current message. One that is not spam is moved back. A filed one gets no
        mark.
        """
        done = self._current()
        if done is not None and done.target:
            act = self._engine.undo_sorting if label == "ham" else self._engine.confirm_filing
            self._await(act((done.message,)), lambda _: None)
        elif done is not None:
            self._mark((done.message,), label)

    def _current(self) -> SortedMessage | None:
        message = self.table.current()
        return next((each for each in self._sorted.messages if each.message == message), None)

    def _name_buttons(self) -> None:
        done = self._current()
        filed = done is not None and bool(done.target)
        self.back.setText(tr("Move back") if filed else tr("Put back (not spam)"))
        self.right.setText(tr("Right folder") if filed else tr("Right (spam)"))


def _row(message: SortedMessage, now: float) -> TextRow[int]:
    sender = sender_cell(message.sender)
    subject = subject_cell(message.subject)
    date = date_text(message.moment, now)
    chance = percent(message.probability)
    result = texts.result_text(message)
    tips = (date, message.sender, subject, chance, f"{result} {message.detail}".strip())
    return TextRow((date, sender, subject, chance, result), message.message, tips)
