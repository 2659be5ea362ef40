"""The dry run of moving: what the marks given so far would have moved, shown before moving is turned on."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.dialogs.form_dialog import FormDialog, answer_buttons
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.plain_text import wrapping_label
from nbmail.ui.kit.sizes import available_size, scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.worker.protocol import PlannedMove

MOST_SHOWN = 500


class MovesDialog(FormDialog):
    """Lists the moves and asks; `decide` hears whether to turn moving on. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, moves: Sequence[PlannedMove], decide: Callable[[bool], None]) -> None:
        super().__init__(parent, tr("Move mail on the server?"))
        self._decide = decide
        self.sentence = wrapping_label(moves_words(len(moves)), "title")
        headings = (tr("From"), tr("Subject"), tr("Lies in"), tr("Goes to"))
        self.table = TextTable(headings, (170, 200, 100, 110), 1, tr("What would be moved"))
        self.table.set_rows([_line(move) for move in moves[:MOST_SHOWN]])
        self.table.setMinimumHeight(min(scaled(self, 220), available_size(self).height() // 3))
        self.table.setVisible(bool(moves))
        note = wrapping_label(_note_words(len(moves)), "muted")
        contents = layouts.column(self.sentence, (self.table, 1), note, spacing=12)
        buttons = answer_buttons(self, tr("Turn moving on"), tr("Leave it off"))
        self.preferred = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        self.hold(contents, buttons, scaled(self, 760 if moves else 480))

    def done(self, result: int) -> None:
        super().done(result)
        self._decide(result == QDialog.DialogCode.Accepted)


def moves_words(count: int) -> str:
    """What the dry run found."""
    if count == 0:
        return tr("None of your marks so far would have moved a message.")
    if count == 1:
        return tr("With moving on, your marks so far would have moved this message:")
    return tr("With moving on, your marks so far would have moved these {n} messages:").format(n=format_count(count))


def _note_words(count: int) -> str:
    more = tr("Only the latest {n} are shown.").format(n=format_count(MOST_SHOWN)) + " " if count > MOST_SHOWN else ""
    return more + tr(
        "From now on, what you mark as junk goes to the junk folder, and what you mark as not junk comes back to the "
        "inbox. What is marked already stays where it is, and Undo moves back."
    )


def _line(move: PlannedMove) -> TextRow:
    subject = move.subject or tr("(no subject)")
    lies, goes = folder_name(move.folder), tr("Inbox") if move.target == "inbox" else tr("Junk folder")
    tips = (move.sender, subject, *(f"{folder} ({move.folder.account})" for folder in (lies, goes)))
    return TextRow((move.sender, subject, lies, goes), move, tips)
