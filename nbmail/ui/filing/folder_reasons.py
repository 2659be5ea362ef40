"""Window with the reasons why one suggested folder is likelier than another, line by line."""

from PySide6.QtWidgets import QWidget

from nbmail.core.scoring.explanation import Contribution, Reasons
from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.evidence.feature_texts import feature_text, place_text
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import SideWindow, close_button
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.ui.kit.phrases import percent, signed
from nbmail.ui.kit.plain_text import visible, wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.worker.protocol.folders import FolderReasons

LONGEST = 120


class FolderReasonsWindow(SideWindow):
    """The lines add up to the log ratio of the two probabilities."""

    def __init__(self, parent: QWidget, subject: str, found: FolderReasons) -> None:
        one, other, why = found
        names = folder_name(one.folder), folder_name(other.folder)
        super().__init__(parent, tr("Why {folder}?").format(folder=visible(names[0], LONGEST)), 640, 520)
        about = tr("“{subject}”: {folder} {chance}, {other} {less}. Positive lines favor {folder}.")
        texts = {"subject": visible(subject, LONGEST), "folder": names[0], "other": names[1]}
        about = about.format(**texts, chance=percent(one.probability), less=percent(other.probability))
        headings = (tr("Reason"), tr("Where"), *(tr("In {folder}").format(folder=each) for each in names), tr("Adds"))
        self.table: TextTable[int] = TextTable(headings, (220, 110, 80, 80, 70), 0, tr("Reasons"), numbers=(2, 3, 4))
        self.table.set_rows([TextRow(cells, place) for place, cells in enumerate(_lines(why))])
        head, buttons = wrapping_label(about), close_button(self)
        self.setLayout(layouts.column(head, (self.table, 1), buttons, spacing=10, margins=(18, 16, 18, 14)))


def _lines(why: Reasons) -> list[tuple[str, ...]]:
    """Return the cells of all lines, with the sum as the last one."""
    lines = [_line(each) for each in why.contributions]
    if why.weaker_count:
        text = tr_count("%n weaker reason together", "%n weaker reasons together", why.weaker_count)
        lines.append((text, "", "", "", signed(why.weaker)))
    if why.prior:
        lines.append((tr("folder without messages"), "", "", "", signed(why.prior)))
    lines.append((tr("adjusted by past suggestions"), "", "", "", signed(why.calibration)))
    return [*lines, (tr("Sum: log ratio of the two chances"), "", "", "", signed(why.log_odds))]


def _line(each: Contribution) -> tuple[str, ...]:
    names = {
        "filed:sender": tr("mail of this sender"),
        "filed:list": tr("mail of this mailing list"),
        "filed:thread": tr("this conversation"),
        "filed:recent": tr("folders used lately"),
        "filed:name": tr("name of the folder"),
    }
    if each.word in names:
        return names[each.word], tr("your filing"), "", "", signed(each.contribution)
    counts = format_count(each.junk), format_count(each.good)
    return feature_text(each.word, each.place), place_text(each.place), *counts, signed(each.contribution)
