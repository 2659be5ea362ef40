"""Dialog that chooses the folders that fill automatically."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QCheckBox, QWidget

from nbmail.core.folders.filing_record import FilingRecord
from nbmail.settings import Account
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, close_button
from nbmail.ui.kit.plain_labels import plain_label, wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.sorting.preview_dialog import PreviewDialog
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.plain_text import plain_name, visible
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import FolderName
from nbmail.worker.protocol.sorting import SortingPreview

LONGEST = 120
"""Characters of a folder's name that are shown."""


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
        self.record = wrapping_label(_record_text(record), "title")
        self.boxes = {folder: self._make_box(folder, record) for folder in record.folders}
        for folder in account.automatic_folders:
            if folder in self.boxes:
                self.boxes[folder].setChecked(True)
        self.state = plain_label("", "muted")
        self._lay_out()

    def _make_box(self, folder: str, record: FilingRecord) -> QCheckBox:
        text = tr("{folder}: {found} of {count} right")
        if not record.carries(folder):
            text = tr("{folder}: {found} of {count} right, not enough to file automatically")
        own = record.folders[folder]
        text = text.format(
            folder=self._shown_name(folder),
            found=format_count(own.found),
            count=format_count(own.count),
        )
        box = QCheckBox(plain_name(text))
        box.clicked.connect(lambda _: self._click(folder))
        return box

    def _shown_name(self, folder: str) -> str:
        return visible(self._full_name(folder), LONGEST)

    def _full_name(self, folder: str) -> str:
        return folder_name(FolderName(self._account, folder))

    def _lay_out(self) -> None:
        about = tr(
            "Mail that arrives from now on goes into a ticked folder if that is suggested "
            "with at least 99 %. Spam, flagged and answered messages are never filed. nbmail "
            "learns nothing from it until you confirm or correct it."
        )
        needed = tr(
            "A folder is offered here once enough of its suggestions above 99 % were right."
        )
        boxes: list[QWidget] = list(self.boxes.values())
        if not boxes:
            none = tr("No folder can be filled automatically yet.")
            boxes = [wrapping_label(none, "title")]
        contents = layouts.column(
            self.record,
            wrapping_label(about, "muted"),
            6,
            *boxes,
            6,
            wrapping_label(needed, "muted"),
            self.state,
            spacing=8,
        )
        self.set_contents(contents, close_button(self), scaled(self, 520))

    def _click(self, folder: str) -> None:
        """Switch a folder off at once, or on after its rehearsal."""
        box = self.boxes[folder]
        if not box.isChecked():
            self._choose(folder, False)
            return

        box.setChecked(False)
        self.state.setText(tr("Looking through the inbox…"))
        ticket = self._engine.rehearse_filing(FolderName(self._account, folder))
        ticket.then(partial(self._ask, folder), ended=self.state.clear)
        self.finished.connect(ticket.drop)

    def _ask(self, folder: str, preview: SortingPreview) -> None:
        title = tr("Fill {folder} automatically?").format(folder=self._shown_name(folder))
        text = tr(
            "Of {all} messages of the last 30 days in the inbox, {moving} would have gone to "
            "{folder}."
        )
        sentence = text.format(
            all=format_count(preview.messages),
            moving=format_count(len(preview.moving)),
            folder=self._full_name(folder),
        )
        PreviewDialog(
            self,
            title,
            (sentence, tr("Messages that are there now stay there.")),
            preview,
            self._mail,
            yes=tr("Fill automatically"),
            act=partial(self._switch_on, folder),
            for_folder=True,
        ).open()

    def _switch_on(self, folder: str) -> None:
        self.boxes[folder].setChecked(True)
        self._choose(folder, True)


def _record_text(record: FilingRecord) -> str:
    total = record.total
    if not total.count:
        return tr("There are no past suggestions above 99 % yet.")
    text = tr_count(
        "Of %n suggestion above 99 %, {found} was right.",
        "Of %n suggestions above 99 %, {found} were right.",
        total.count,
    )
    return text.format(found=format_count(total.found))
