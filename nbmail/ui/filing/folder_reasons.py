"""Window that explains why one folder is likelier than another for a message."""

from PySide6.QtWidgets import QWidget

from nbmail.core.explaining.explanation import Contribution, Reasons
from nbmail.ui.evidence.features.feature_texts import feature_text
from nbmail.ui.evidence.features.place_texts import place_text
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import SideWindow, close_button
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import percent, signed
from nbmail.ui.texts.plain_text import visible
from nbmail.worker.protocol.folders import FolderReasons

LONGEST = 120
"""Maximum number of characters of a shown subject or name."""
Cells = tuple[str, str, str, str, str]
"""Reason, place, numbers of messages in both folders, amount."""


class FolderReasonsWindow(SideWindow):
    """Table of reasons that add up to the log ratio of the two probabilities."""

    def __init__(self, parent: QWidget, subject: str, found: FolderReasons) -> None:
        one, other, why = found
        folder = folder_name(one.folder)
        other_folder = folder_name(other.folder)
        title = tr("Why {folder}?").format(folder=visible(folder, LONGEST))
        super().__init__(parent, title, 640, 520)

        about = tr("“{subject}”: {folder} {chance}, {other} {less}. Positive lines favor {folder}.")
        about = about.format(
            subject=visible(subject, LONGEST),
            folder=folder,
            chance=percent(one.probability),
            other=other_folder,
            less=percent(other.probability),
        )

        counted = tr("In {folder}")
        headings = (
            tr("Reason"),
            tr("Where"),
            counted.format(folder=folder),
            counted.format(folder=other_folder),
            tr("Adds"),
        )
        self.table: TextTable[int] = TextTable(
            headings, (220, 110, 80, 80, 70), 0, tr("Reasons"), numbers=(2, 3, 4)
        )
        self.table.set_rows([TextRow(cells, place) for place, cells in enumerate(_lines(why))])

        parts = (wrapping_label(about), (self.table, 1), close_button(self))
        self.setLayout(layouts.column(*parts, spacing=10, margins=(18, 16, 18, 14)))


def _lines(why: Reasons) -> list[Cells]:
    """Return the cells of all lines, with the sum as the last one."""
    lines = [_reason_line(each) for each in why.contributions]
    if why.weaker_count:
        text = tr_count("%n weaker reason together", "%n weaker reasons together", why.weaker_count)
        lines.append(_sum_line(text, why.weaker))
    if why.prior:
        lines.append(_sum_line(tr("folder without messages"), why.prior))
    lines.append(_sum_line(tr("adjusted by past suggestions"), why.calibration))
    lines.append(_sum_line(tr("Sum: log ratio of the two chances"), why.log_odds))
    return lines


def _sum_line(text: str, amount: float) -> Cells:
    return (text, "", "", "", signed(amount))


def _reason_line(reason: Contribution) -> Cells:
    amount = signed(reason.contribution)
    habit = _habit_text(reason.word)
    if habit:
        return (habit, tr("your filing"), "", "", amount)
    return (
        feature_text(reason.word),
        place_text(reason.place),
        format_count(reason.spam),
        format_count(reason.ham),
        amount,
    )


def _habit_text(feature: str) -> str:
    """Return the text of a reason from the user's earlier moves, "" for words of the message."""
    texts = {
        "filed:sender": tr("mail of this sender"),
        "filed:list": tr("mail of this mailing list"),
        "filed:thread": tr("this conversation"),
        "filed:recent": tr("folders used lately"),
        "filed:name": tr("name of the folder"),
    }
    return texts.get(feature, "")
