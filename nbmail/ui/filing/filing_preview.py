"""Dialog with the messages that would be filed together, each with a box to untick."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from nbmail.core.scoring.explanation import Proportion
from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.ui.kit.layouts import max_text_width, scaled
from nbmail.ui.kit.people import sender_name
from nbmail.ui.kit.phrases import percent
from nbmail.ui.kit.plain_text import plain_tip, visible, wrapping_label
from nbmail.ui.kit.text_table import style_table
from nbmail.values import FolderName
from nbmail.worker.protocol.folders import FilingPreview, FilingProposal

LONGEST = 200
BOX = 56
"""Pixels of a cell with a box in addition to its text."""
FOLDER, CHANCE, SENDER, SUBJECT = range(4)


class FilingPreviewDialog(ScrollDialog):
    """Calls `file` with the folders and the ticked messages of each, if the user agrees."""

    def __init__(
        self,
        parent: QWidget,
        preview: FilingPreview,
        file: Callable[[Sequence[tuple[FolderName, Sequence[int]]]], None],
    ) -> None:
        super().__init__(parent, tr("File messages"))
        self._proposals, self._file = preview.proposals, file
        self.sentence = wrapping_label("", "title")
        note = wrapping_label(record_text(preview.record), "muted")
        self.table = QTableWidget(len(self._proposals), 4)
        self.table.setAccessibleName(tr("Messages to file"))
        self.table.setHorizontalHeaderLabels([tr("Folder"), tr("Chance"), tr("From"), tr("Subject")])
        style_table(self.table)
        self.table.setMinimumHeight(scaled(self, 260))
        header, modes = self.table.horizontalHeader(), QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.ResizeToContents)
        header.setSectionResizeMode(SUBJECT, modes.Stretch)
        header.setSectionResizeMode(FOLDER, modes.Interactive)
        header.setMaximumSectionSize(scaled(self, 260))
        for row, proposal in enumerate(self._proposals):
            self._fill(row, proposal)
        names = (folder_name(each.suggested.folder) for each in self._proposals)
        header.resizeSection(FOLDER, max_text_width(self.fontMetrics(), names) + BOX)
        buttons = answer_buttons(self, tr("File"), tr("Cancel"))
        self._yes = buttons.button(buttons.StandardButton.Ok)
        self.default_button = buttons.button(buttons.StandardButton.Cancel)
        self.table.itemChanged.connect(lambda _: self._count())
        self._count()
        self.set_contents(layouts.column(self.sentence, note, (self.table, 1), spacing=10), buttons, scaled(self, 760))

    def ticked(self) -> list[FilingProposal]:
        """Return the messages to file."""
        boxes = [self.table.item(row, FOLDER) for row in range(self.table.rowCount())]
        pairs = zip(self._proposals, boxes, strict=True)
        return [one for one, box in pairs if box is not None and box.checkState() == Qt.CheckState.Checked]

    def done(self, result: int) -> None:
        super().done(result)
        if result == QDialog.DialogCode.Accepted:
            groups: dict[FolderName, list[int]] = {}
            for each in self.ticked():
                groups.setdefault(each.suggested.folder, []).append(each.message)
            self._file(list(groups.items()))

    def _fill(self, row: int, proposal: FilingProposal) -> None:
        folder = folder_name(proposal.suggested.folder)
        subject = " ".join(visible(proposal.subject, LONGEST).split()) or tr("(no subject)")
        texts = (folder, percent(proposal.suggested.probability), sender_name(proposal.sender), subject)
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
        count = len(self.ticked())
        self.sentence.setText(
            tr_count("Move %n message to its suggested folder?", "Move %n messages to their suggested folders?", count)
        )
        self._yes.setEnabled(count > 0)


def record_text(record: Proportion) -> str:
    """Return how many past suggestions as probable as these were right."""
    if not record.count:
        return tr("There are no past suggestions above 95 % yet.")
    text = tr("Of {count} past suggestions above 95 %, {found} were right. You can undo this as one step.")
    return text.format(count=format_count(record.count), found=format_count(record.found))
