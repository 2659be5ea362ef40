"""Dialog with the messages that sorting would move, before it moves any."""

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.people import sender_name
from nbmail.ui.kit.phrases import percent
from nbmail.ui.kit.plain_text import wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.worker.protocol.sorting import SortedMessage, SortingPreview


class PreviewDialog(ScrollDialog):
    """A question with the messages nearest to the junk threshold. `act`: called after a click on `yes`.

    `later`: text and callback of a third button.
    """

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
    ) -> None:
        super().__init__(parent, title)
        self._act = act
        self.sentence, note = wrapping_label(sentences[0], "title"), wrapping_label(sentences[1], "muted")
        headings = (tr("Chance of junk"), tr("From"), tr("Subject"), tr("Your mark"))
        name = tr("Nearest to the junk threshold")
        self.table: TextTable[int] = TextTable(headings, (100, 170, 240, 100), 2, name, numbers=(0,), whole=(3,))
        self.table.set_rows([_row(each, good=each.message in preview.good) for each in preview.nearest])
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

    def done(self, result: int) -> None:
        super().done(result)
        if result == QDialog.DialogCode.Accepted:
            self._act()


def _row(message: SortedMessage, *, good: bool) -> TextRow[int]:
    subject = message.subject or tr("(no subject)")
    mark = tr("Not junk") if good else ""
    return TextRow((percent(message.probability), sender_name(message.sender), subject, mark), message.message)
