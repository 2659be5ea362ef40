"""Dialogs of sorting: the messages that would be moved, and the folders that arriving mail can be filed into."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QWidget

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons, close_button
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.phrases import format_count, percent, tr, tr_count
from nbmail.ui.kit.plain_text import plain_label, plain_name, sender_name, visible, wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.values import FolderName
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.folders import FilingStatus
from nbmail.worker.protocol.sorting import SortingPreview

LONGEST = 120


class PreviewDialog(ScrollDialog):
    """Question with the messages nearest to the junk threshold. `act`: called by `yes`. `later`: a third button."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        sentences: tuple[str, str],
        preview: SortingPreview,
        *,
        yes: str,
        act: Callable[[], None],
        later: tuple[str, Callable[[], None]] | None = None,
        for_folder: bool = False,
    ) -> None:
        super().__init__(parent, title)
        self.accepted.connect(act)
        self.sentence, note = wrapping_label(sentences[0], "title"), wrapping_label(sentences[1], "muted")
        count, chance = (3, tr("Chance")) if for_folder else (4, tr("Chance of junk"))
        name = tr("Least certain") if for_folder else tr("Nearest to the junk threshold")
        headings, widths = (chance, tr("From"), tr("Subject"), tr("Your mark"))[:count], (100, 170, 240, 100)[:count]
        self.table = TextTable[int](headings, widths, 2, name, numbers=(0,), whole=(3,)[: count - 3])
        rows = [
            (percent(each.probability), sender_name(each.sender), each.subject or tr("(no subject)"), mark)
            for each in preview.nearest
            for mark in [tr("Not junk") if each.message in preview.good else ""]
        ]
        self.table.set_rows(
            [TextRow(cells[:count], each.message) for cells, each in zip(rows, preview.nearest, strict=True)]
        )
        self.table.setMinimumHeight(scaled(self, 240))
        shown: list[layouts.LayoutItem] = [wrapping_label(name), (self.table, 1)] if preview.nearest else []
        buttons = answer_buttons(self, yes, tr("Cancel"))
        if later is not None:
            button = buttons.addButton(later[0], QDialogButtonBox.ButtonRole.ActionRole)
            button.clicked.connect(later[1])
            button.clicked.connect(self.reject)
        self.default_button = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        contents = layouts.column(self.sentence, note, *shown, spacing=10)
        self.set_contents(contents, buttons, scaled(self, 720 if preview.nearest else 480))


class AutomaticFoldersDialog(ScrollDialog):
    """A box for each folder that past suggestions carry, or that was chosen before.

    `choose` is called with a folder and True after the user has seen its rehearsal, or with False at once.
    """

    def __init__(
        self,
        parent: QWidget,
        engine: Engine,
        status: FilingStatus,
        chosen: tuple[str, ...],
        choose: Callable[[str, bool], None],
    ) -> None:
        super().__init__(parent, tr("Folders that fill automatically"))
        self._engine, self._account, self._choose = engine, status.account, choose
        text = tr("There are no past suggestions above 99 % yet.")
        if status.record.count:
            text = tr_count(
                "Of %n suggestion above 99 %, {found} was right.",
                "Of %n suggestions above 99 %, {found} were right.",
                status.record.count,
            )
        self.record = wrapping_label(text.format(found=format_count(status.record.found)), "title")
        about = tr(
            "Mail that arrives from now on goes into a ticked folder if that is suggested with at least 99 %. Junk, "
            "flagged and answered messages are never filed. nbmail learns nothing from it until you confirm or correct "
            "it."
        )
        needed = tr("A folder is offered here once enough of its suggestions above 99 % were right.")
        self.boxes = {folder: QCheckBox(self._text(folder, status)) for folder in status.folders}
        for folder, box in self.boxes.items():
            box.setChecked(folder in chosen)
            box.clicked.connect(partial(self._click, folder))
        self.state = plain_label("", "muted")
        none = wrapping_label(tr("No folder can be filled automatically yet."), "title")
        notes = wrapping_label(about, "muted"), wrapping_label(needed, "muted")
        contents = layouts.column(
            self.record, notes[0], 6, *(self.boxes.values() or [none]), 6, notes[1], self.state, spacing=8
        )
        self.set_contents(contents, close_button(self), scaled(self, 520))

    def _text(self, folder: str, status: FilingStatus) -> str:
        own, name = status.folders[folder], visible(folder_name(FolderName(self._account, folder)), LONGEST)
        text = tr("{folder}: {found} of {count} right")
        if folder not in status.carried:
            text = tr("{folder}: {found} of {count} right, not enough to file automatically")
        return plain_name(text.format(folder=name, found=format_count(own.found), count=format_count(own.count)))

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
        text = tr("Of {all} messages of the last 30 days in the inbox, {moving} would have gone to {folder}.")
        counts = {"all": format_count(preview.messages), "moving": format_count(len(preview.moving))}
        texts = text.format(**counts, folder=name), tr("Messages that are there now stay there.")

        def switch_on() -> None:
            self.boxes[folder].setChecked(True)
            self._choose(folder, True)

        PreviewDialog(self, title, texts, preview, yes=tr("Fill automatically"), act=switch_on, for_folder=True).open()
