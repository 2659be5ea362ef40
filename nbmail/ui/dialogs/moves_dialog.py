"""Dialog that lists the moves which marks would have caused."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.people import sender_cell
from nbmail.ui.texts.plain_text import join_sentences, subject_cell
from nbmail.worker.protocol.marks import PlannedMove

MAX_MOVES = 500


class MovesDialog(ScrollDialog):
    """Dry run of moving: the moves that the existing marks would have caused."""

    def __init__(self, parent: QWidget, moves: Sequence[PlannedMove]) -> None:
        super().__init__(parent, tr("Move messages on the server?"))
        self.sentence = wrapping_label(_count_text(len(moves)), "title")
        self.table = TextTable[PlannedMove](
            headings=(tr("From"), tr("Subject"), tr("Current folder"), tr("Move to")),
            widths=(170, 200, 100, 110),
            stretch=1,
            name=tr("Messages that would move"),
        )
        self.table.set_rows([_row(move) for move in moves[:MAX_MOVES]])
        self.table.setMinimumHeight(scaled(self, 150))
        self.table.setVisible(bool(moves))
        note = wrapping_label(_note_text(len(moves)), "muted")
        contents = layouts.column(self.sentence, (self.table, 1), note, spacing=12)
        buttons = answer_buttons(self, tr("Turn on"), tr("Cancel"))
        self.default_button = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        self.set_contents(contents, buttons, scaled(self, 760 if moves else 480))


def _count_text(count: int) -> str:
    if count == 0:
        return tr("Your marks so far would not have moved any messages.")
    if count == 1:
        return tr("Your marks so far would have moved this message:")
    text = tr("Your marks so far would have moved these {n} messages:")
    return text.format(n=format_count(count))


def _note_text(count: int) -> str:
    """Return what the table leaves out, and what marks will do."""
    latest = ""
    if count > MAX_MOVES:
        latest = tr("Showing the latest {n}.").format(n=format_count(MAX_MOVES))
    about = tr(
        "From now on, marking as spam moves a message to the spam folder, and marking as "
        "not spam moves it back to the inbox; Undo reverses the move. Messages you have already "
        "marked stay where they are."
    )
    return join_sentences(latest, about)


def _row(move: PlannedMove) -> TextRow[PlannedMove]:
    account = move.folder.account
    subject = subject_cell(move.subject)
    source = folder_name(move.folder)
    target = tr("Inbox") if move.target == "inbox" else tr("Spam folder")
    cells = (sender_cell(move.sender), subject, source, target)
    tips = (move.sender, subject, f"{source} ({account})", f"{target} ({account})")
    return TextRow(cells, move, tips)
