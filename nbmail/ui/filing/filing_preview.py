"""Preview of messages whose suggested folder is nearly sure, before they are moved."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import max_text_width, scaled
from nbmail.ui.kit.table_style import style_table
from nbmail.ui.list.contents.mail_columns import MailColumns
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import sender_cell
from nbmail.ui.texts.plain_text import plain_tip, subject_cell
from nbmail.values import FolderName
from nbmail.worker.protocol.folders import FilingPreview, FolderChance

BOX = 56
"""Pixels of a cell with a box in addition to its text."""
FOLDER, CHANCE, SENDER, SUBJECT = range(4)


class FilingPreviewDialog(ScrollDialog):
    """Proposals to move messages, each with a box to tick."""

    def __init__(self, parent: QWidget, preview: FilingPreview, mail: MailColumns) -> None:
        super().__init__(parent, tr("File messages"))
        self._mail = mail
        self._proposals = tuple(preview.proposals.items())
        self.sentence = wrapping_label("", "title")
        self.table = self._make_table()

        buttons = answer_buttons(self, tr("File"), tr("Cancel"))
        self._yes = buttons.button(buttons.StandardButton.Ok)
        self.default_button = buttons.button(buttons.StandardButton.Cancel)

        self.table.itemChanged.connect(self._count)
        self._count()
        record = wrapping_label(_record_text(preview), "muted")
        contents = layouts.column(self.sentence, record, (self.table, 1), spacing=10)
        self.set_contents(contents, buttons, scaled(self, 760))

    def ticked(self) -> dict[FolderName, list[int]]:
        """Return the messages to move to each folder."""
        groups: dict[FolderName, list[int]] = {}
        for row, (message, chance) in enumerate(self._proposals):
            box = self.table.item(row, FOLDER)
            if box is not None and box.checkState() == Qt.CheckState.Checked:
                groups.setdefault(chance.folder, []).append(message)
        return groups

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(len(self._proposals), 4)
        table.setAccessibleName(tr("Messages to file"))
        table.setHorizontalHeaderLabels([tr("Folder"), tr("Chance"), tr("From"), tr("Subject")])
        style_table(table)
        table.setMinimumHeight(scaled(self, 260))
        for row, (message, chance) in enumerate(self._proposals):
            self._fill(table, row, message, chance)

        header = table.horizontalHeader()
        modes = QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.ResizeToContents)
        header.setSectionResizeMode(SUBJECT, modes.Stretch)
        header.setSectionResizeMode(FOLDER, modes.Interactive)
        header.setMaximumSectionSize(scaled(self, 260))
        names = (folder_name(chance.folder) for _, chance in self._proposals)
        header.resizeSection(FOLDER, max_text_width(self.fontMetrics(), names) + BOX)
        return table

    def _fill(self, table: QTableWidget, row: int, message: int, chance: FolderChance) -> None:
        sender, written, _ = self._mail.heading_of(message)
        folder = folder_name(chance.folder)
        subject = subject_cell(written)

        box = _cell(folder)
        box.setFlags(box.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        box.setCheckState(Qt.CheckState.Checked)
        spoken = tr("Move “{subject}” to {folder}").format(subject=subject, folder=folder)
        box.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)

        table.setItem(row, FOLDER, box)
        table.setItem(row, CHANCE, _cell(percent(chance.probability)))
        table.setItem(row, SENDER, _cell(sender_cell(sender)))
        table.setItem(row, SUBJECT, _cell(subject))

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


def _cell(text: str) -> QTableWidgetItem:
    item = QTableWidgetItem(text)
    item.setToolTip(plain_tip(text))
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
    return item


def _record_text(preview: FilingPreview) -> str:
    """Return how many past suggestions of this kind were right."""
    record = preview.record
    if not record.count:
        return tr("There are no past suggestions above 95 % yet.")
    text = tr(
        "Of {count} past suggestions above 95 %, {found} were right. You can undo this as one step."
    )
    return text.format(count=format_count(record.count), found=format_count(record.found))
