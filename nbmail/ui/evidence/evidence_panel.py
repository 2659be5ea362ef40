"""Why: the verdict in one line, the reason in one sentence, and the ledger of words that adds up to it.

Beside the message it is a glance; `be_whole` makes it the place where every line of the score can be looked at.
"""

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from nbmail.ui.evidence.evidence_ledger import Ledger, LedgerLine, LineKind, amount_words, make_ledger, part_words
from nbmail.ui.evidence.evidence_model import EvidenceModel
from nbmail.ui.evidence.evidence_sentences import (
    alike_words,
    change_words,
    held_back_words,
    reason_words,
    sum_words,
    verdict_words,
)
from nbmail.ui.evidence.evidence_table import EvidenceTable
from nbmail.ui.evidence.giver_texts import given_words
from nbmail.ui.kit.icons import draw_icon
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import column, grid, row
from nbmail.ui.kit.plain_text import plain_label, plain_name, selectable_label
from nbmail.ui.kit.short_label import ShortLabel
from nbmail.ui.kit.theme import give_look, shade
from nbmail.ui.window.notices import quiet_button
from nbmail.values import Given
from nbmail.worker.protocol import Explanation

ICON = 22


class EvidencePanel(QWidget):
    """The evidence of the current message. `junk_per_lost` is where the cost dial stands, 0 where nobody knows.

    Buttons ask for what is behind it: `dial` for the cost dial, `whole` for all reasons or back, `then` for the score
    when the message came, `if_junk` and `if_good` for what a mark would move, `see` for what an answer speaks of.

    Signals: `word_opened(LedgerLine)`.
    """

    word_opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.why: Explanation | None = None
        self.given: Given | None = None
        self.ledger: Ledger | None = None
        self.junk_per_lost = 0.0
        self._icon = plain_label()
        self._verdict = ShortLabel()
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 1.3)
        font.setWeight(QFont.Weight.DemiBold)
        self._verdict.setFont(font)
        self._given = ShortLabel()
        self._held, self._reason, self._change, self._sum, self._alike, self._told = (
            selectable_label() for _ in range(6)
        )
        for label in (self._change, self._alike):
            label.setProperty("muted", True)
        self._alike.setToolTip(tr("Each of them was scored before nbmail learned what it is."))
        self._sum.setProperty("title", True)
        self.dial, self.whole = quiet_button(tr("Change…")), quiet_button("")
        self.then, self.see = quiet_button(tr("When it came?")), quiet_button(tr("See them"))
        self.if_junk, self.if_good = quiet_button(tr("If it were junk?")), quiet_button(tr("If it were good?"))
        self._parts = [quiet_button("") for _ in range(4)]
        self.model = EvidenceModel(self)
        self.table = EvidenceTable(self.model)
        self.table.opened.connect(self._open)
        self.setMinimumWidth(300)
        self._lay_out()
        self.clear()

    def _lay_out(self) -> None:
        """Head, ledger, foot; what only the whole ledger has stands in two rows of its own."""
        for number, button in enumerate(self._parts):
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, number=number: self._explain_part(number))
        title = row(self._icon, (self._verdict, 1), (self.whole, Qt.AlignmentFlag.AlignRight), spacing=8)
        self._held_row, self._part_row, self._question_row = QWidget(), QWidget(), QWidget()
        self._held_row.setLayout(row((self._held, 1), (self.dial, Qt.AlignmentFlag.AlignTop), spacing=8))
        self._part_row.setLayout(grid(*self._parts))
        self._question_row.setLayout(grid(self.then, self.if_junk, self.if_good, columns=3))
        self._told_row = QWidget()
        self._told_row.setLayout(row((self._told, 1), (self.see, Qt.AlignmentFlag.AlignTop), spacing=8))
        head = column(
            title,
            self._given,
            self._held_row,
            self._reason,
            self._change,
            self._part_row,
            spacing=4,
            margins=(16, 12, 16, 8),
        )
        foot = column(self._sum, self._alike, self._question_row, self._told_row, spacing=2, margins=(16, 6, 16, 10))
        self.setLayout(column(head, (self.table, 1), foot, None))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._show_icon()

    def be_whole(self, whole: bool) -> None:
        """Show all there is to the score, or a glance of it."""
        self.model.be_whole(whole)
        self.table.share_width()
        self.table.fit_height()
        self.tell("")
        self._fit()

    def clear(self, text: str = "") -> None:
        """Show no evidence."""
        self.why = self.ledger = None
        self._verdict.setText(text)
        for label in (self._held, self._reason, self._change, self._sum, self._alike):
            label.clear()
        self.model.show_ledger(None)
        self.show_given(None)
        self.tell("")
        self._show_icon()

    def show_evidence(self, why: Explanation) -> None:
        """Show why."""
        self.why, known = why, bool(why.contributions)
        self.table.fade(False)
        self.ledger = ledger = make_ledger(why)
        self._held.setText(held_back_words(why, self.junk_per_lost))
        self._reason.setText(reason_words(why, ledger.words if known else ()))
        self._change.setText(change_words(why))
        self._alike.setText(alike_words(why) if known else "")
        self.model.show_ledger(ledger if known else None, None if why.probability is None else why.junk_from)
        for button, (name, amount, _) in zip(self._parts, part_words(ledger), strict=True):
            button.setText(plain_name(f"{name} {amount_words(amount)}"))
        self.table.fit_height()
        self._fit()
        self._show_icon()

    def expect(self, probability: float | None, verdict: str, log_odds: float) -> None:
        """The list has another score already: say that one, and let the reasons of the old one fade."""
        if self.why is not None:
            log_odds += self.why.calibration
            self.why = replace(self.why, probability=probability, verdict=verdict, log_odds=log_odds)
            for label in (self._held, self._reason, self._change, self._alike):
                label.clear()
            self.table.fade(True)
            self._fit()
            self._show_icon()

    def show_given(self, given: Given | None) -> None:
        """Say who gave the message its label, if it has one."""
        if given is not None and given == self.given:
            return
        self.given = given
        self._given.setText("" if given is None else given_words(given))
        self._fit()

    def tell(self, words: str, *, see: bool = False) -> None:
        """Answer a question; with `see` there is something to be seen."""
        self._told.setText(words)
        self.see.setVisible(see)
        self._fit()

    def scroll_to_top(self) -> None:
        """Begin with the strongest word, and with no answer about another message."""
        self.table.scrollToTop()
        self.tell("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _open(self, line: LedgerLine) -> None:
        """A word is for others to show; the other parts of a score are explained here."""
        part = {LineKind.PRIOR: 0, LineKind.CALIBRATION: 3}.get(line.kind)
        if line.kind is LineKind.WEAKER and not self.model.whole:
            self.whole.click()
        elif part is not None:
            self._explain_part(part)
        elif line.kind is LineKind.WORD:
            self.word_opened.emit(line)

    def _explain_part(self, number: int) -> None:
        for place, button in enumerate(self._parts):
            button.setChecked(place == number)
        if self.ledger is not None:
            self.tell(part_words(self.ledger)[number][2])

    def _fit(self) -> None:
        """Where there is no room for all sentences the lesser ones give way, rather than lie over one another."""
        whole, known = self.model.whole, bool(self.model.lines)
        self._say_verdict()
        current = known and not self.table.faded
        self._sum.setText(sum_words(self.why, whole=whole) if self.why is not None and current else "")
        self.whole.setVisible(known or whole)
        self._held_row.setVisible(bool(self._held.text()))
        self._told_row.setVisible(bool(self._told.text()))
        self._part_row.setVisible(known and whole)
        self._question_row.setVisible(known and whole)
        # Of a message that has a label only a fold could tell what another one would move.
        for button in (self.if_junk, self.if_good):
            button.setVisible(self.given is None)
        lesser: tuple[QLabel, ...] = (self._change, self._alike, self._sum, self._given, self._reason)
        for label in lesser:
            label.setVisible(bool(label.text()))
        self.table.setVisible(known)
        for part in (*lesser[:3], self._question_row, self._part_row, *lesser[3:], self._held_row):
            if self._fits():
                return
            part.hide()

    def _say_verdict(self) -> None:
        """In short where there is no room for more, and the button beside it too."""
        names = (tr("Back to the list"), tr("Back")) if self.model.whole else (tr("All reasons"), tr("All"))
        for brief, name in ((False, names[0]), (True, names[0]), (True, names[1])):
            self.whole.setText(name)
            words = "" if self.why is None else verdict_words(self.why, brief=brief)
            beside = self.whole.sizeHint().width() + ICON + 50
            if self._verdict.fontMetrics().horizontalAdvance(words) <= self.width() - beside:
                break
        if self.why is not None:
            self._verdict.setText(words)

    def _fits(self) -> bool:
        layout = self.layout()
        assert layout is not None
        layout.activate()
        return layout.minimumHeightForWidth(self.width()) <= self.height()

    def _show_icon(self) -> None:
        verdict = self.why.verdict if self.why is not None else ""
        self._icon.setVisible(verdict in ("junk", "good", "unsure"))
        if verdict in ("junk", "good", "unsure"):
            self._icon.setPixmap(draw_icon(verdict, shade(verdict).name(), ICON, self.devicePixelRatioF()))
            give_look(self._verdict, "verdict", verdict)
