"""Panel of the reasons: verdict, one sentence, and the score breakdown. Compact next to the
message, or expanded.
"""

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from nbmail.core.explaining.explanation import Explanation
from nbmail.ui.evidence import reason_texts as texts
from nbmail.ui.evidence.breakdown_table import LEAST_LINES, BreakdownTable
from nbmail.ui.evidence.score_breakdown import (
    COMPACT_WORDS,
    BreakdownLine,
    Group,
    LineKind,
    ScoreBreakdown,
    amount_text,
    break_down,
    part_texts,
)
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.drawing import draw_icon
from nbmail.ui.kit.labels import ElidedLabel, enlarge, plain_label, selectable_label
from nbmail.ui.kit.layouts import Flow, as_widget, column, row, scroll_area
from nbmail.ui.kit.theme import color, set_style
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import join_sentences, plain_name
from nbmail.values import VERDICTS, SourcedLabel

ICON = 22
LARGE = 1.3


class ReasonsPanel(QWidget):
    """Reasons of the current message.

    `spam_per_lost`: cost setting, 0 if unknown. `outside`: the message is in no mailbox; the panel
    is always expanded and has no buttons that query the engine.

    Buttons: `dial` for the cost setting, `expand` for all reasons or back. `if_spam` and `if_ham`
    simulate a mark, and `see` lists the messages of an answer.

    Signals: `word_opened(BreakdownLine)`.
    """

    word_opened = Signal(object)

    def __init__(self, *, outside: bool = False) -> None:
        super().__init__()
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.why: Explanation | None = None
        self.sourced_label: SourcedLabel | None = None
        self.breakdown: ScoreBreakdown | None = None
        self.spam_per_lost = 0.0
        self._outside = outside
        self._icon = plain_label()
        self.verdict = ElidedLabel()
        self.source = ElidedLabel()
        self.held_back = ElidedLabel()
        self.reason, self.change, self.part, self.sum, self.similar, self.answer = (
            selectable_label() for _ in range(6)
        )
        self.change.setProperty("muted", True)
        self.similar.setProperty("muted", True)
        self.similar.setToolTip(tr("Each of them was tested without its own mark."))
        self.sum.setProperty("title", True)
        self.dial = quiet_button(tr("Change threshold…"), flush=True)
        self.see = quiet_button(tr("Show messages"), flush=True)
        self.expand = quiet_button("")
        self.if_spam = quiet_button(tr("Preview as spam"), flush=True)
        self.if_ham = quiet_button(tr("Preview as not spam"), flush=True)
        self.parts = [quiet_button("", flush=True) for _ in range(4)]
        for number, button in enumerate(self.parts):
            button.setCheckable(True)
            button.clicked.connect(
                lambda on, number=number: self._explain_part(number if on else -1)
            )
        self.table = BreakdownTable()
        self.table.set_expanded(outside)
        self.table.opened.connect(self._open)
        if not outside:
            self.verdict.clicked.connect(self.expand.click)
            self.verdict.setCursor(Qt.CursorShape.PointingHandCursor)
        self._lay_out()
        self._soon = single_shot_timer(self, 0, self._scroll)
        self._area.verticalScrollBar().rangeChanged.connect(self._scroll)
        self.setMinimumWidth(300)
        self.clear()

    def _lay_out(self) -> None:
        """Keep the verdict in place; the rest scrolls in a low panel."""
        self._part_row = Flow(*self.parts)
        self._question_row = Flow(self.if_spam, self.if_ham)
        self._held_row = as_widget(
            row((self.held_back, 1), (self.dial, Qt.AlignmentFlag.AlignTop), spacing=4)
        )
        self._answer_row = as_widget(
            row((self.answer, 1), (self.see, Qt.AlignmentFlag.AlignTop), spacing=8)
        )
        title = row(
            self._icon, (self.verdict, 1), (self.expand, Qt.AlignmentFlag.AlignRight), spacing=8
        )
        head = (self.source, self.reason, self.change, self._part_row, self.part)
        foot = (self.sum, self.similar, self._question_row, self._answer_row)
        above = column(*head, spacing=4, margins=(16, 0, 16, 8))
        below = column(*foot, spacing=2, margins=(16, 4, 16, 3))
        self._content = as_widget(column(above, (self.table, 1), below, None))
        self._area = scroll_area(self._content)
        fixed = column(title, self._held_row, spacing=4, margins=(16, 12, 16, 4))
        self.setLayout(column(fixed, (self._area, 1)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._show_verdict()

    def set_expanded(self, expanded: bool) -> None:
        self.table.set_expanded(expanded)
        self.show_answer("")

    def clear(self) -> None:
        self.why = self.breakdown = self.sourced_label = None
        for label in (self.verdict, self.source):
            label.setText("")
        self.table.content.show_breakdown(None)
        self.show_answer("")

    def show_evidence(self, why: Explanation) -> None:
        self.why = why
        self.breakdown = break_down(why)
        self.table.fade(False)
        spam_from = None if why.probability is None else why.spam_from
        self.table.content.show_breakdown(self.breakdown if why.contributions else None, spam_from)
        for button, (name, amount, _) in zip(self.parts, part_texts(self.breakdown), strict=True):
            button.setText(plain_name(f"{name} {amount_text(amount)}"))
        self._fit()

    def expect(self, probability: float | None, verdict: str, log_odds: float) -> None:
        """Show the newer score of the list and fade the outdated reasons."""
        if self.why is not None:
            shown = log_odds + self.why.log_odds - self.why.score
            self.why = replace(
                self.why, probability=probability, verdict=verdict, log_odds=shown, score=log_odds
            )
            self.table.fade(True)
            self._fit()

    def show_label_source(self, sourced: SourcedLabel | None) -> None:
        """Show the source of the message's label, None without a label."""
        if sourced != self.sourced_label:
            self.sourced_label = sourced
            self.source.setText("" if sourced is None else texts.source_sentence(sourced))
            self._fit()

    def show_answer(self, text: str, *, see: bool = False) -> None:
        """Show the answer to a question; `see` adds a button for its messages."""
        self.answer.setText(text)
        self.see.setVisible(see)
        self._explain_part(-1)

    def scroll_to_top(self) -> None:
        """Scroll to the strongest word and remove the answer about another message."""
        self.table.scrollToTop()
        self.show_answer("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _open(self, line: BreakdownLine) -> None:
        """Report an opened word; explain other parts of the score in the panel."""
        is_word = line.kind is LineKind.WORD
        if line.kind in (LineKind.PRIOR, LineKind.CALIBRATION):
            self._explain_part(0 if line.kind is LineKind.PRIOR else 3)
        elif line.kind is LineKind.WEAKER and not self.table.expanded:
            self.expand.click()
        elif is_word and line.features[0].is_word and not self._outside:
            self.word_opened.emit(line)
        elif is_word and line.group is Group.ABSENT:
            self.table.fold(Group.ABSENT, False)
            self.expand.click()

    def _explain_part(self, number: int) -> None:
        """Show the explanation of a part below the buttons, -1 for none."""
        for place, button in enumerate(self.parts):
            button.setChecked(place == number)
        self.part.setText(
            part_texts(self.breakdown)[number][2]
            if self.breakdown is not None and number >= 0
            else ""
        )
        self._fit()

    def _fit(self) -> None:
        """Show the parts that have content: beside the message one sentence, expanded all."""
        expanded = self.table.expanded
        known = bool(self.table.lines)
        why = self.why
        current = why if not self.table.faded else None
        self._show_verdict()
        words = self.breakdown.words if known and self.breakdown is not None else ()
        is_shown = current is not None and (expanded or not self.source.text())
        self.reason.setText(
            texts.reason_text(why, words, compact=not expanded)
            if why is not None and is_shown
            else ""
        )
        for label in (self.change, self.similar, self.sum):
            label.clear()
        if current is not None and expanded:
            self.change.setText(
                join_sentences(texts.change_text(current), texts.unusual_text(current))
            )
        if current is not None and known:
            self.sum.setText(texts.sum_text(current, expanded=expanded))
            self.similar.setText(texts.similar_scores_text(current) if expanded else "")
        for part in (self.source, self.reason, self.change, self.part, self.sum, self.similar):
            part.setVisible(bool(part.text()))
        self.expand.setVisible((known or expanded) and not self._outside)
        self._answer_row.setVisible(bool(self.answer.text()))
        self._part_row.setVisible(known and expanded)
        self._question_row.setVisible(known and expanded and not self._outside)
        # The effect of another label on a labelled message would need a rebuild.
        for button in (self.if_spam, self.if_ham):
            button.setVisible(self.sourced_label is None)
        self.table.setVisible(known)
        self.dial.setVisible(not self._outside)
        for compact in (False, True):
            # In a low panel one line shows why a likely spam message is unsure.
            text = (
                texts.held_back_text(current, self.spam_per_lost, compact=compact)
                if current is not None
                else ""
            )
            self.held_back.setText(text)
            self.held_back.setWordWrap(not compact)
            self._held_row.setVisible(bool(text))
            if not text or not self._lacks_room():
                break
        if not expanded and self._lacks_room():
            # In a low panel the words say more than one line of the sentence.
            self.reason.hide()
        self._soon.start()

    def _lacks_room(self) -> bool:
        """True if a compact table can't show all its words, or the content is too high for an
        expanded one.
        """
        more = 0 if self.table.expanded else COMPACT_WORDS - LEAST_LINES[False]
        wanted = self._content_height() + more * self.table.verticalHeader().defaultSectionSize()
        return wanted > self._area.height()

    def _content_height(self) -> int:
        whole = self.layout()
        assert whole is not None
        whole.activate()
        return self._content.heightForWidth(self._area.viewport().width())

    def _scroll(self) -> None:
        """Scroll to the latest answer if the content doesn't fit, otherwise to the words. No line
        of text is cut.
        """
        latest = self.part if self.part.text() else self.answer
        if latest.text():
            self._area.ensureWidgetVisible(latest, 0, 0)
        elif self._content_height() > self._area.height():
            bar = self._area.verticalScrollBar()
            height = min(self.table.y(), bar.maximum())
            for label in (self.reason, self.change, self.part):
                if label.isVisible() and label.y() <= height < label.geometry().bottom():
                    height -= (height - label.y()) % label.fontMetrics().lineSpacing()
            bar.setValue(height)

    def _show_verdict(self) -> None:
        """Show the verdict in the largest form that fits beside the button."""
        names = (tr("Back"),) * 2 if self.table.expanded else (tr("All reasons"), tr("All"))
        verdict, known = (
            (self.why.verdict, self.why.verdict in VERDICTS)
            if self.why is not None
            else ("", False)
        )
        steps = (
            (False, 0, ICON, LARGE),
            (True, 0, ICON, LARGE),
            (True, 1, ICON, LARGE),
            (True, 1, 0, LARGE),
        )
        for compact, name, icon, size in (*steps, (True, 1, 0, 1.0)):
            self.verdict.setFont(self.font())
            enlarge(self.verdict, size)
            self.expand.setText(names[name])
            self.verdict.setText(
                "" if self.why is None else texts.verdict_text(self.why, compact=compact)
            )
            beside = self.expand.sizeHint().width() * (not self._outside) + icon + 50
            if (
                self.verdict.fontMetrics().horizontalAdvance(self.verdict.text())
                <= self.width() - beside
            ):
                break
        self._icon.setVisible(icon > 0 and known)
        if known:
            self._icon.setPixmap(
                draw_icon(verdict, color(verdict).name(), ICON, self.devicePixelRatioF())
            )
            set_style(self.verdict, "verdict", verdict)
