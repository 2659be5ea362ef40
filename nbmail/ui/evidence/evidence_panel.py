"""Why: the verdict in one line, the reason in one sentence, and the ledger of words that adds up to it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QWidget

from nbmail.ui.evidence.evidence_ledger import EvidenceModel, ledger
from nbmail.ui.evidence.evidence_sentences import alike_words, change_words, reason_words, sum_words, verdict_words
from nbmail.ui.evidence.evidence_table import EvidenceTable
from nbmail.ui.evidence.giver_texts import given_words
from nbmail.ui.kit.icons import draw_icon
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import column, row
from nbmail.ui.kit.plain_text import plain_label, selectable_label
from nbmail.ui.kit.short_label import ShortLabel
from nbmail.ui.kit.theme import Shades
from nbmail.values import Given
from nbmail.worker.protocol import Explanation

ICON = 22


class EvidencePanel(QWidget):
    """The evidence of the current message. Has no signals of its own."""

    def __init__(self, shades: Shades, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.why: Explanation | None = None
        self.given: Given | None = None
        self._icon = plain_label()
        self._verdict = ShortLabel()
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 1.3)
        font.setWeight(QFont.Weight.DemiBold)
        self._verdict.setFont(font)
        self._given = ShortLabel()
        self._reason, self._change, self._sum, self._alike = (selectable_label() for _ in range(4))
        self._change.setProperty("muted", True)
        self._alike.setProperty("muted", True)
        self._alike.setToolTip(tr("Each of them was scored before nbmail learned what it is."))
        self._sum.setProperty("title", True)
        self.model = EvidenceModel(self)
        self.table = EvidenceTable(self.model, shades)
        self.setMinimumWidth(300)
        title = row(self._icon, (self._verdict, 1), spacing=8)
        head = column(title, self._given, self._reason, self._change, spacing=4, margins=(16, 12, 16, 8))
        foot = column(self._sum, self._alike, spacing=2, margins=(16, 6, 16, 10))
        self.setLayout(column(head, (self.table, 1), foot, None))
        self.wear(shades)
        self.clear()

    def wear(self, shades: Shades) -> None:
        """Take on a theme."""
        self._shades = shades
        self.table.wear(shades)
        self._show_icon()

    def clear(self, text: str = "") -> None:
        """Show no evidence."""
        self.why = None
        self._verdict.setText(text)
        for label in (self._reason, self._change, self._sum, self._alike):
            label.clear()
        self.model.show_ledger([])
        self.show_given(None)
        self._show_icon()

    def show_evidence(self, why: Explanation) -> None:
        """Show why."""
        self.why = why
        known = bool(why.contributions)
        self._verdict.setText(verdict_words(why))
        self._reason.setText(reason_words(why))
        self._change.setText(change_words(why))
        self._sum.setText(sum_words(why) if known else "")
        self._alike.setText(alike_words(why) if known else "")
        self.model.show_ledger(ledger(why) if known else [])
        self.table.fit_height()
        self._fit()
        self._show_icon()

    def show_given(self, given: Given | None) -> None:
        """Say who gave the message its label, if it has one."""
        if given is not None and given == self.given:
            return
        self.given = given
        self._given.setText("" if given is None else given_words(given))
        self._fit()

    def scroll_to_top(self) -> None:
        """Begin with the strongest word."""
        self.table.scrollToTop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where there is no room for all sentences the lesser ones give way, rather than lie over one another."""
        lesser = (self._change, self._alike, self._sum, self._given, self._reason)
        for label in lesser:
            label.setVisible(bool(label.text()))
        self.table.setVisible(bool(self.model.lines))
        for label in lesser:
            if self._fits():
                return
            label.hide()

    def _fits(self) -> bool:
        layout = self.layout()
        assert layout is not None
        layout.activate()
        return layout.minimumHeightForWidth(self.width()) <= self.height()

    def _show_icon(self) -> None:
        verdict = self.why.verdict if self.why is not None else ""
        self._icon.setVisible(verdict in ("junk", "good", "unsure"))
        if verdict in ("junk", "good", "unsure"):
            colour = getattr(self._shades, verdict)
            self._icon.setPixmap(draw_icon(verdict, colour, ICON, self.devicePixelRatioF()))
            style = f"color: {colour};"
            # Setting the same one again would lay the whole panel out anew.
            if self._verdict.styleSheet() != style:
                self._verdict.setStyleSheet(style)
