"""Question before messages are moved, with those nearest to the spam threshold."""

from collections.abc import Callable
from itertools import islice

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.list.contents.mail_columns import MailColumns
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import sender_cell
from nbmail.ui.texts.plain_text import subject_cell
from nbmail.worker.protocol.sorting import SortingPreview

NEAREST = 10


class PreviewDialog(ScrollDialog):
    """Question with the messages nearest to the spam threshold.

    `act`: called by the button `yes`. `later`: text and action of a third button. `for_folder`: the
    messages go into a folder that fills automatically, whose suggestions no mark contradicts.
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
        sentence, note = sentences
        self.sentence = wrapping_label(sentence, "title")
        name = tr("Least certain") if for_folder else tr("Nearest to the spam threshold")
        self.table = _folder_table(name) if for_folder else _spam_table(name)
        self.table.set_rows(_rows(preview, mail, has_marks=not for_folder))
        self.table.setMinimumHeight(scaled(self, 240))

        shown: list[layouts.LayoutItem] = [self.sentence, wrapping_label(note, "muted")]
        if self.table.rows:
            shown += [wrapping_label(name), (self.table, 1)]
        width = scaled(self, 720 if self.table.rows else 480)
        self.set_contents(layouts.column(*shown, spacing=10), self._make_buttons(yes, later), width)

    def _make_buttons(
        self, yes: str, later: tuple[str, Callable[[], None]] | None
    ) -> QDialogButtonBox:
        buttons = answer_buttons(self, yes, tr("Cancel"))
        if later is not None:
            text, act = later
            button = buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
            button.clicked.connect(act)
            button.clicked.connect(self.reject)
        self.default_button = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        return buttons


def _spam_table(name: str) -> TextTable[int]:
    headings = (tr("Chance of spam"), tr("From"), tr("Subject"), tr("Your mark"))
    return TextTable(headings, (100, 170, 240, 100), 2, name, numbers=(0,), whole=(3,))


def _folder_table(name: str) -> TextTable[int]:
    headings = (tr("Chance"), tr("From"), tr("Subject"))
    return TextTable(headings, (100, 170, 240), 2, name, numbers=(0,))


def _rows(preview: SortingPreview, mail: MailColumns, *, has_marks: bool) -> list[TextRow[int]]:
    rows = []
    for message, chance in islice(preview.moving.items(), NEAREST):
        sender, subject, _ = mail.heading_of(message)
        cells = [percent(chance), sender_cell(sender), subject_cell(subject)]
        if has_marks:
            cells.append(tr("Not spam") if message in preview.ham else "")
        rows.append(TextRow(tuple(cells), message))
    return rows
