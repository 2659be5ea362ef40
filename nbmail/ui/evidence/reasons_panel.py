"""Why: the verdict in one line, the reason in one sentence, and the ledger of words that adds up to it.

Beside the message it is a glance; `set_expanded` makes it the place where every line of the score can be looked at.
"""

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from nbmail.ui.evidence.breakdown_table import BreakdownModel, BreakdownTable
from nbmail.ui.evidence.label_source_texts import source_sentence
from nbmail.ui.evidence.reason_texts import (
    change_text,
    held_back_text,
    reason_text,
    similar_scores_text,
    sum_text,
    verdict_text,
)
from nbmail.ui.evidence.score_breakdown import (
    BreakdownLine,
    LineKind,
    ScoreBreakdown,
    amount_text,
    break_down,
    part_texts,
)
from nbmail.ui.kit.icons import draw_icon
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import Flow, as_widget, column, row, scroll_area, single_shot_timer
from nbmail.ui.kit.plain_text import ElidedLabel, enlarge, plain_label, plain_name, selectable_label
from nbmail.ui.kit.theme import color, set_style
from nbmail.ui.window.notices import quiet_button
from nbmail.values import VERDICTS, SourcedLabel
from nbmail.worker.protocol import Explanation

ICON, LARGE = 22, 1.3


class ReasonsPanel(QWidget):
    """The evidence of the current message. `junk_per_lost` is where the cost dial stands, 0 where nobody knows.

    Of a message `outside` the mailbox all reasons are shown at once, and nothing is asked.

    Buttons ask for what is behind it: `dial` for the cost dial, `whole` for all reasons or back, `then` for the score
    when the message came, `if_junk` and `if_good` for what a mark would move, `see` for what an answer speaks of.

    Signals: `word_opened(BreakdownLine)`.
    """

    word_opened = Signal(object)

    def __init__(self, *, outside: bool = False) -> None:
        super().__init__()
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.why: Explanation | None = None
        self.given: SourcedLabel | None = None
        self.breakdown: ScoreBreakdown | None = None
        self.junk_per_lost, self._outside = 0.0, outside
        self._icon = plain_label()
        self._verdict = ElidedLabel()
        self._given, self._held = ElidedLabel(), ElidedLabel()
        self._reason, self._change, self._part, self._sum, self._alike, self._told = (
            selectable_label() for _ in range(6)
        )
        for label in (self._change, self._alike):
            label.setProperty("muted", True)
        self._alike.setToolTip(tr("Each of them was scored before nbmail learned what it is."))
        self._sum.setProperty("title", True)
        self.dial, self.see = (quiet_button(text, flush=True) for text in (tr("Change…"), tr("See them")))
        self.whole = quiet_button("")
        self.then, self.if_junk, self.if_good = (
            quiet_button(text, flush=True)
            for text in (tr("When it came?"), tr("If it were junk?"), tr("If it were good?"))
        )
        self._parts = [quiet_button("", flush=True) for _ in range(4)]
        self.model = BreakdownModel(self)
        self.model.set_expanded(outside)
        self.table = BreakdownTable(self.model)
        self.table.opened.connect(self._open)
        self._lay_out()
        self._soon = single_shot_timer(self, 0, self._scroll)
        self._area.verticalScrollBar().rangeChanged.connect(self._scroll)
        self.setMinimumWidth(300)
        self.clear()

    def _lay_out(self) -> None:
        """The verdict stays where it is; all that follows can be scrolled where there is little room."""
        for number, button in enumerate(self._parts):
            button.setCheckable(True)
            button.clicked.connect(lambda on, number=number: self._explain_part(number if on else -1))
        if not self._outside:
            self._verdict.clicked.connect(self.whole.click)
            self._verdict.setCursor(Qt.CursorShape.PointingHandCursor)
        self._part_row, self._question_row = Flow(*self._parts), Flow(self.then, self.if_junk, self.if_good)
        self._held_row = as_widget(row((self._held, 1), (self.dial, Qt.AlignmentFlag.AlignTop), spacing=4))
        self._told_row = as_widget(row((self._told, 1), (self.see, Qt.AlignmentFlag.AlignTop), spacing=8))
        title = row(self._icon, (self._verdict, 1), (self.whole, Qt.AlignmentFlag.AlignRight), spacing=8)
        head = (self._given, self._reason, self._change, self._part_row, self._part)
        foot = (self._sum, self._alike, self._question_row, self._told_row)
        self._content = as_widget(
            column(
                column(*head, spacing=4, margins=(16, 0, 16, 8)),
                (self.table, 1),
                column(*foot, spacing=2, margins=(16, 6, 16, 10)),
                None,
            )
        )
        self._area = scroll_area(self._content)
        fixed = column(title, self._held_row, spacing=4, margins=(16, 12, 16, 4))
        self.setLayout(column(fixed, (self._area, 1)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._show_icon()

    def set_expanded(self, whole: bool) -> None:
        """Show all there is to the score, or a glance of it."""
        self.model.set_expanded(whole)
        self.tell("")

    def clear(self, text: str = "") -> None:
        """Show no evidence."""
        self.why = self.breakdown = None
        self._verdict.setText(text)
        for label in (self._reason, self._change, self._sum, self._alike):
            label.clear()
        self.model.show_breakdown(None)
        self.show_given(None)
        self.tell("")
        self._show_icon()

    def show_evidence(self, why: Explanation) -> None:
        """Show why."""
        self.why, known = why, bool(why.contributions)
        self.table.fade(False)
        self.breakdown = breakdown = break_down(why)
        self._reason.setText(reason_text(why, breakdown.words if known else ()))
        self._change.setText(change_text(why))
        self._alike.setText(similar_scores_text(why) if known else "")
        self.model.show_breakdown(breakdown if known else None, None if why.probability is None else why.junk_from)
        for button, (name, amount, _) in zip(self._parts, part_texts(breakdown), strict=True):
            button.setText(plain_name(f"{name} {amount_text(amount)}"))
        self._fit()
        self._show_icon()

    def expect(self, probability: float | None, verdict: str, log_odds: float) -> None:
        """The list has another score already: say that one, and let the reasons of the old one fade."""
        if self.why is not None:
            log_odds += self.why.calibration
            self.why = replace(self.why, probability=probability, verdict=verdict, log_odds=log_odds)
            for label in (self._reason, self._change, self._alike):
                label.clear()
            self.table.fade(True)
            self._fit()
            self._show_icon()

    def show_given(self, given: SourcedLabel | None) -> None:
        """Say who gave the message its label, if it has one."""
        if given is not None and given == self.given:
            return
        self.given = given
        self._given.setText("" if given is None else source_sentence(given))
        self._fit()

    def tell(self, words: str, *, see: bool = False) -> None:
        """Answer a question; with `see` there is something to be seen."""
        self._told.setText(words)
        self.see.setVisible(see)
        self._explain_part(-1)

    def scroll_to_top(self) -> None:
        """Begin with the strongest word, and with no answer about another message."""
        self.table.scrollToTop()
        self.tell("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _open(self, line: BreakdownLine) -> None:
        """A word is for others to show; the other parts of a score are explained here."""
        part = {LineKind.PRIOR: 0, LineKind.CALIBRATION: 3}.get(line.kind)
        if line.kind is LineKind.WEAKER and not self.model.whole:
            self.whole.click()
        elif part is not None:
            self._explain_part(part)
        elif line.kind is LineKind.WORD and not self._outside:
            self.word_opened.emit(line)

    def _explain_part(self, number: int) -> None:
        """Right below the buttons, of which none is pressed where nothing is explained."""
        for place, button in enumerate(self._parts):
            button.setChecked(place == number)
        self._part.setText(part_texts(self.breakdown)[number][2] if self.breakdown is not None and number >= 0 else "")
        self._fit()

    def _fit(self) -> None:
        """Show what there is to be said; in a low panel what holds the message back is told in one line."""
        whole, known = self.model.whole, bool(self.model.rows)
        self._say_verdict()
        current = known and not self.table.faded
        self._sum.setText(sum_text(self.why, whole=whole) if self.why is not None and current else "")
        self.whole.setVisible((known or whole) and not self._outside)
        for part in (self._given, self._reason, self._change, self._part, self._sum, self._alike):
            part.setVisible(bool(part.text()))
        self._told_row.setVisible(bool(self._told.text()))
        self._part_row.setVisible(known and whole)
        self._question_row.setVisible(known and whole and not self._outside)
        # Of a message that has a label only a fold could tell what another one would move.
        for button in (self.if_junk, self.if_good):
            button.setVisible(self.given is None)
        self.table.setVisible(known)
        self.dial.setVisible(not self._outside)
        self._say_held_back()
        self._soon.start()

    def _say_held_back(self) -> None:
        """In a few words where there is no room for the reasons below."""
        current = self.why if self.why is not None and not self.table.faded else None
        for brief in (False, True):
            words = held_back_text(current, self.junk_per_lost, brief=brief) if current is not None else ""
            self._held.setText(words)
            self._held.setWordWrap(not brief)
            self._held_row.setVisible(bool(words))
            if not words or self._content_height() <= self._area.height():
                break

    def _content_height(self) -> int:
        whole = self.layout()
        assert whole is not None
        whole.activate()
        return self._content.heightForWidth(self._area.viewport().width())

    def _scroll(self) -> None:
        """Where not all of it has room: what was just told comes first, else the words."""
        latest = self._part if self._part.text() else self._told
        if latest.text():
            self._area.ensureWidgetVisible(latest, 0, 0)
        elif self._content_height() > self._area.height():
            bar = self._area.verticalScrollBar()
            bar.setValue(self._whole_line(min(self.table.y(), bar.maximum())))

    def _whole_line(self, height: int) -> int:
        """The beginning of the line of words at this height: no line is cut in its middle."""
        for label in (self._reason, self._change, self._part):
            if label.isVisible() and label.y() <= height < label.geometry().bottom():
                return height - (height - label.y()) % label.fontMetrics().lineSpacing()
        return height

    def _say_verdict(self) -> None:
        """In short and smaller where there is no room for more, and the button beside it too."""
        names = (tr("Back"),) * 2 if self.model.whole else (tr("All reasons"), tr("All"))
        verdict = self.why.verdict if self.why is not None else ""
        steps = ((False, 0, ICON, LARGE), (True, 0, ICON, LARGE), (True, 1, ICON, LARGE), (True, 1, 0, LARGE))
        for brief, name, icon, size in (*steps, (True, 1, 0, 1.0)):
            self._verdict.setFont(self.font())
            enlarge(self._verdict, size)
            self.whole.setText(names[name])
            words = "" if self.why is None else verdict_text(self.why, brief=brief)
            beside = self.whole.sizeHint().width() * (not self._outside) + icon + 50
            if self._verdict.fontMetrics().horizontalAdvance(words) <= self.width() - beside:
                break
        self._icon.setVisible(icon > 0 and verdict in VERDICTS)
        if self.why is not None:
            self._verdict.setText(words)

    def _show_icon(self) -> None:
        verdict = self.why.verdict if self.why is not None else ""
        if verdict in VERDICTS:
            self._icon.setPixmap(draw_icon(verdict, color(verdict).name(), ICON, self.devicePixelRatioF()))
            set_style(self._verdict, "verdict", verdict)
