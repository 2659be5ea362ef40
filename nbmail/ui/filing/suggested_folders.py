"""Suggested folders: controller of buttons, keys and column; preview of a filing, and why one
folder is likelier.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from nbmail.core.scoring.explanation import Reasons
from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.actions.action_table import SUGGESTED
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.evidence.feature_texts import feature_text, place_text
from nbmail.ui.filing.filing_actions import FilingActions
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, SideWindow, answer_buttons, close_button
from nbmail.ui.kit.labels import wrapping_label
from nbmail.ui.kit.sizes import max_text_width, scaled
from nbmail.ui.kit.text_table import TextRow, TextTable, style_table
from nbmail.ui.list.mail_columns import MailColumns
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import percent, signed
from nbmail.ui.texts.people import sender_cell
from nbmail.ui.texts.plain_text import plain_name, plain_tip, subject_cell, visible
from nbmail.ui.window.context import WindowContext
from nbmail.values import FolderName
from nbmail.worker.protocol.folders import (
    FilingPreview,
    FolderChance,
    FolderReasons,
    FoldersSuggested,
)

BOX = 56
"""Pixels of a cell with a box in addition to its text."""
FOLDER, CHANCE, SENDER, SUBJECT = range(4)


class FilingPreviewDialog(ScrollDialog):
    """Proposals to move messages, each with a box to tick."""

    def __init__(self, parent: QWidget, preview: FilingPreview, mail: MailColumns) -> None:
        super().__init__(parent, tr("File messages"))
        self._proposals = tuple(preview.proposals.items())
        self.sentence = wrapping_label("", "title")
        about = tr("There are no past suggestions above 95 % yet.")
        record = preview.record
        if record.count:
            about = tr(
                "Of {count} past suggestions above 95 %, {found} were right. You can undo "
                "this as one step."
            )
            about = about.format(count=format_count(record.count), found=format_count(record.found))
        note = wrapping_label(about, "muted")
        self.table = QTableWidget(len(self._proposals), 4)
        self.table.setAccessibleName(tr("Messages to file"))
        self.table.setHorizontalHeaderLabels(
            [tr("Folder"), tr("Chance"), tr("From"), tr("Subject")]
        )
        style_table(self.table)
        self.table.setMinimumHeight(scaled(self, 260))
        header = self.table.horizontalHeader()
        modes = QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.ResizeToContents)
        header.setSectionResizeMode(SUBJECT, modes.Stretch)
        header.setSectionResizeMode(FOLDER, modes.Interactive)
        header.setMaximumSectionSize(scaled(self, 260))
        for row, (message, chance) in enumerate(self._proposals):
            self._fill(row, chance, *mail.heading_of(message)[:2])
        names = (folder_name(chance.folder) for _, chance in self._proposals)
        header.resizeSection(FOLDER, max_text_width(self.fontMetrics(), names) + BOX)
        buttons = answer_buttons(self, tr("File"), tr("Cancel"))
        self._yes = buttons.button(buttons.StandardButton.Ok)
        self.default_button = buttons.button(buttons.StandardButton.Cancel)
        self.table.itemChanged.connect(self._count)
        self._count()
        self.set_contents(
            layouts.column(self.sentence, note, (self.table, 1), spacing=10),
            buttons,
            scaled(self, 760),
        )

    def ticked(self) -> dict[FolderName, list[int]]:
        """Return the messages to move to each folder."""
        groups: dict[FolderName, list[int]] = {}
        for row, (message, chance) in enumerate(self._proposals):
            box = self.table.item(row, FOLDER)
            if box is not None and box.checkState() == Qt.CheckState.Checked:
                groups.setdefault(chance.folder, []).append(message)
        return groups

    def _fill(self, row: int, chance: FolderChance, sender: str, written: str) -> None:
        folder = folder_name(chance.folder)
        subject = subject_cell(written)
        texts = (folder, percent(chance.probability), sender_cell(sender), subject)
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setToolTip(plain_tip(text))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self.table.setItem(row, column, item)
            if column == FOLDER:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked)
                spoken = tr("Move “{subject}” to {folder}").format(subject=subject, folder=folder)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)

    def _count(self) -> None:
        count = sum(map(len, self.ticked().values()))
        self.sentence.setText(
            tr_count(
                "Move %n message to its suggested folder?",
                "Move %n messages to their suggested folders?",
                count,
            )
        )
        self._yes.setEnabled(count > 0)


MOST_REASONS = 120


class FolderReasonsWindow(SideWindow):
    """The lines add up to the log ratio of the two probabilities."""

    def __init__(self, parent: QWidget, subject: str, found: FolderReasons) -> None:
        one, other, why = found
        names = folder_name(one.folder), folder_name(other.folder)
        super().__init__(
            parent, tr("Why {folder}?").format(folder=visible(names[0], MOST_REASONS)), 640, 520
        )
        about = tr("“{subject}”: {folder} {chance}, {other} {less}. Positive lines favor {folder}.")
        texts = {"subject": visible(subject, MOST_REASONS), "folder": names[0], "other": names[1]}
        about = about.format(
            **texts, chance=percent(one.probability), less=percent(other.probability)
        )
        headings = (
            tr("Reason"),
            tr("Where"),
            *(tr("In {folder}").format(folder=each) for each in names),
            tr("Adds"),
        )
        self.table: TextTable[int] = TextTable(
            headings, (220, 110, 80, 80, 70), 0, tr("Reasons"), numbers=(2, 3, 4)
        )
        self.table.set_rows([TextRow(cells, place) for place, cells in enumerate(_lines(why))])
        head = wrapping_label(about)
        buttons = close_button(self)
        self.setLayout(
            layouts.column(head, (self.table, 1), buttons, spacing=10, margins=(18, 16, 18, 14))
        )


def _lines(why: Reasons) -> list[tuple[str, ...]]:
    """Return the cells of all lines, with the sum as the last one."""
    names = {
        "filed:sender": tr("mail of this sender"),
        "filed:list": tr("mail of this mailing list"),
        "filed:thread": tr("this conversation"),
        "filed:recent": tr("folders used lately"),
        "filed:name": tr("name of the folder"),
    }
    lines = list[tuple[str, ...]]()
    for each in why.contributions:
        texts = (names.get(each.word, ""), tr("your filing"), "", "")
        if each.word not in names:
            counts = format_count(each.spam), format_count(each.ham)
            texts = (feature_text(each.word), place_text(each.place), *counts)
        lines.append((*texts, signed(each.contribution)))
    if why.weaker_count:
        text = tr_count("%n weaker reason together", "%n weaker reasons together", why.weaker_count)
        lines.append((text, "", "", "", signed(why.weaker)))
    if why.prior:
        lines.append((tr("folder without messages"), "", "", "", signed(why.prior)))
    lines.append((tr("adjusted by past suggestions"), "", "", "", signed(why.calibration)))
    return [*lines, (tr("Sum: log ratio of the two chances"), "", "", "", signed(why.log_odds))]


STRONGEST = 40
"""Reasons that are shown one by one."""


class SuggestedFolders(QObject):
    """Queries suggestions for the open message, and moves it when the user accepts one."""

    def __init__(
        self,
        context: WindowContext,
        pane: MessagePane,
        marking: MarkingActions,
        filing: FilingActions,
        actions: Mapping[str, QAction],
    ) -> None:
        super().__init__(pane)
        self._engine = context.engine
        self._table = context.table
        self._report = context.status.report
        self._pane = pane
        self._marking = marking
        self._filing = filing
        self._actions = actions
        self._message = -1
        self._forget: Callable[[], None] = lambda: None
        pane.shown.connect(self._query)
        self._buttons = pane.folders
        self._buttons.accepted.connect(self._accept)
        self._buttons.others_requested.connect(filing.choose_folder)
        self._buttons.reasons_requested.connect(self._show_reasons)
        self._name_actions()

    def handlers(self) -> dict[str, Callable[[], object]]:
        keys = {name: partial(self._buttons.accept, place) for place, name in enumerate(SUGGESTED)}
        return {**keys, "file-sure": self.preview}

    def receive(self, event: FoldersSuggested) -> None:
        self._table.mails.take(event)
        if len(event.names) and self._table.header.empty:
            self._table.header.empty.clear()
            self._table.header.make_room()
        if self._message in event.messages:
            self._query(self._message)

    def preview(self) -> None:
        """List the messages whose folder is nearly sure, before any is moved."""

        def show(preview: FilingPreview) -> None:
            if preview.proposals:
                dialog = FilingPreviewDialog(self._pane.window(), preview, self._table.mails.mail)
                dialog.accepted.connect(
                    lambda: self._filing.move_groups(list(dialog.ticked().items()))
                )
                dialog.open()
            else:
                self._report(tr("No message in the inbox has a folder that is sure enough."))

        self._engine.preview_filing().then(show)

    def _query(self, message: int) -> None:
        self._forget()
        if message != self._message:
            self._show(())
        self._message = message
        if message >= 0:
            self._forget = self._engine.suggest_folders(message).then(self._show).drop

    def _show(self, chances: Sequence[FolderChance]) -> None:
        self._buttons.show_chances(chances)
        self._pane.fit()
        self._name_actions()

    def _name_actions(self) -> None:
        general = (
            tr("Move to first suggestion"),
            tr("Move to second suggestion"),
            tr("Move to third suggestion"),
        )
        for place, name in enumerate(SUGGESTED):
            text = general[place]
            chances = self._buttons.chances[place : place + 1]
            for each in chances:
                text = tr("Move to {folder}").format(folder=folder_name(each.folder))
            self._actions[name].setText(plain_name(text))
            self._actions[name].setEnabled(bool(chances))

    def _accept(self, folder: FolderName) -> None:
        messages = self._marking.target.selected_messages()
        # Otherwise another message was chosen, whose suggestions are not there yet.
        if self._message in messages:
            self._filing.move(messages, folder)

    def _show_reasons(self, place: int) -> None:
        """Explain the suggestion at `place` against the next likeliest folder."""
        folder = self._buttons.chances[place].folder
        subject = self._table.mails.mail.heading_of(self._message)[1]
        show = lambda found: FolderReasonsWindow(self._pane.window(), subject, found).show()  # noqa: E731
        self._engine.explain_folder(self._message, folder, STRONGEST).then(show)
