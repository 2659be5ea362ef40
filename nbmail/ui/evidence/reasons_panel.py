"""Panel of the reasons: verdict, one sentence, and the score breakdown."""

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from nbmail.core.explaining.explanation import Explanation
from nbmail.ui.evidence import reason_texts, score_texts
from nbmail.ui.evidence.breakdown.breakdown_lines import BreakdownLine, Group, LineKind, amount_text
from nbmail.ui.evidence.breakdown.breakdown_table import LEAST_LINES_COMPACT, BreakdownTable
from nbmail.ui.evidence.breakdown.score_breakdown import (
    COMPACT_WORDS,
    ScoreBreakdown,
    break_down,
    part_texts,
)
from nbmail.ui.evidence.label_source_texts import source_sentence
from nbmail.ui.evidence.verdict_line import VerdictLine
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.layouts import Flow, as_widget, column, row, scroll_area
from nbmail.ui.kit.plain_labels import ElidedLabel, selectable_label
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import join_sentences, plain_name
from nbmail.values import SourcedLabel

PRIOR_PART = 0
CALIBRATION_PART = 3
"""Positions of parts of the score in `part_texts`."""
PARTS = 4


class ReasonsPanel(QWidget):
    """Reasons of the current message, compact next to the message, or expanded.

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
        self._verdict_line = VerdictLine(has_button=not outside)
        self.verdict = self._verdict_line.verdict
        self.expand = self._verdict_line.expand
        self._make_texts()
        self._make_buttons()
        self.table = BreakdownTable()
        self.table.set_expanded(outside)
        self.table.opened.connect(self._open)
        self._lay_out()
        self._soon = single_shot_timer(self, 0, self._scroll)
        self._area.verticalScrollBar().rangeChanged.connect(self._scroll)
        self.setMinimumWidth(300)
        self.clear()

    def _make_texts(self) -> None:
        self.source = ElidedLabel()
        self.held_back = ElidedLabel()
        self.reason = selectable_label()
        self.change = selectable_label()
        self.change.setProperty("muted", True)
        self.part = selectable_label()
        self.sum = selectable_label()
        self.sum.setProperty("title", True)
        self.similar = selectable_label()
        self.similar.setProperty("muted", True)
        self.similar.setToolTip(tr("Each of them was tested without its own mark."))
        self.answer = selectable_label()

    def _make_buttons(self) -> None:
        self.dial = quiet_button(tr("Change threshold…"), flush=True)
        self.see = quiet_button(tr("Show messages"), flush=True)
        self.if_spam = quiet_button(tr("Preview as spam"), flush=True)
        self.if_ham = quiet_button(tr("Preview as not spam"), flush=True)
        self.parts = [self._make_part_button(number) for number in range(PARTS)]

    def _make_part_button(self, number: int) -> QPushButton:
        button = quiet_button("", flush=True)
        button.setCheckable(True)
        button.clicked.connect(lambda on: self._explain_part(number if on else -1))
        return button

    def _lay_out(self) -> None:
        """Keep the verdict in place; the rest scrolls in a low panel."""
        top = Qt.AlignmentFlag.AlignTop
        self._part_row = Flow(*self.parts)
        self._question_row = Flow(self.if_spam, self.if_ham)
        self._held_row = as_widget(row((self.held_back, 1), (self.dial, top), spacing=4))
        self._answer_row = as_widget(row((self.answer, 1), (self.see, top), spacing=8))
        above = column(
            self.source,
            self.reason,
            self.change,
            self._part_row,
            self.part,
            spacing=4,
            margins=(16, 0, 16, 8),
        )
        below = column(
            self.sum,
            self.similar,
            self._question_row,
            self._answer_row,
            spacing=2,
            margins=(16, 4, 16, 3),
        )
        self._content = as_widget(column(above, (self.table, 1), below, None))
        self._area = scroll_area(self._content)
        title = self._verdict_line.layout()
        fixed = column(title, self._held_row, spacing=4, margins=(16, 12, 16, 4))
        self.setLayout(column(fixed, (self._area, 1)))

    # ---------------------------------------------------------------------------------------------
    # the message

    def clear(self) -> None:
        self.why = None
        self.breakdown = None
        self.sourced_label = None
        self.verdict.setText("")
        self.source.setText("")
        self.table.content.show_breakdown(None)
        self.show_answer("")

    def show_evidence(self, why: Explanation) -> None:
        self.why = why
        self.breakdown = break_down(why)
        self.table.fade(False)
        spam_from = None if why.probability is None else why.spam_from
        self.table.content.show_breakdown(self.breakdown if why.contributions else None, spam_from)
        for button, part in zip(self.parts, part_texts(self.breakdown), strict=True):
            button.setText(plain_name(f"{part.name} {amount_text(part.adds)}"))
        self._fit()

    def expect(self, probability: float | None, verdict: str, log_odds: float) -> None:
        """Show the newer score of the list and fade the outdated reasons."""
        if self.why is None:
            return
        calibrated = log_odds + self.why.log_odds - self.why.score
        self.why = replace(
            self.why,
            probability=probability,
            verdict=verdict,
            log_odds=calibrated,
            score=log_odds,
        )
        self.table.fade(True)
        self._fit()

    def show_label_source(self, sourced: SourcedLabel | None) -> None:
        """Show the source of the message's label, None without a label."""
        if sourced != self.sourced_label:
            self.sourced_label = sourced
            self.source.setText("" if sourced is None else source_sentence(sourced))
            self._fit()

    # ---------------------------------------------------------------------------------------------
    # what the user asked for

    def set_expanded(self, expanded: bool) -> None:
        self.table.set_expanded(expanded)
        self.show_answer("")

    def show_answer(self, text: str, *, see: bool = False) -> None:
        """Show the answer to a question; `see` adds a button for its messages."""
        self.answer.setText(text)
        self.see.setVisible(see)
        self._explain_part(-1)

    def scroll_to_top(self) -> None:
        """Scroll to the strongest word and remove the answer about another message."""
        self.table.scrollToTop()
        self.show_answer("")

    def _open(self, line: BreakdownLine) -> None:
        """Report an opened word; explain other parts of the score in the panel."""
        is_word = line.kind is LineKind.WORD
        if line.kind is LineKind.PRIOR:
            self._explain_part(PRIOR_PART)
        elif line.kind is LineKind.CALIBRATION:
            self._explain_part(CALIBRATION_PART)
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
        self.part.clear()
        if self.breakdown is not None and number >= 0:
            self.part.setText(part_texts(self.breakdown)[number].meaning)
        self._fit()

    # ---------------------------------------------------------------------------------------------
    # the parts that are shown

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._show_verdict()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the parts that have content: beside the message one sentence, expanded all."""
        expanded = self.table.expanded
        known = bool(self.table.lines)
        current = None if self.table.faded else self.why
        self._show_verdict()
        self._show_reason()
        self._show_score(current, known=known)
        for part in (self.source, self.reason, self.change, self.part, self.sum, self.similar):
            part.setVisible(bool(part.text()))
        self.expand.setVisible((known or expanded) and not self._outside)
        self._answer_row.setVisible(bool(self.answer.text()))
        self._part_row.setVisible(known and expanded)
        self._question_row.setVisible(known and expanded and not self._outside)
        # The effect of another label on a labelled message would need a rebuild.
        self.if_spam.setVisible(self.sourced_label is None)
        self.if_ham.setVisible(self.sourced_label is None)
        self.table.setVisible(known)
        self.dial.setVisible(not self._outside)
        self._show_held_back(current)
        if not expanded and self._lacks_room():
            # In a low panel the words say more than one line of the sentence.
            self.reason.hide()
        self._soon.start()

    def _show_verdict(self) -> None:
        self._verdict_line.show(self.why, expanded=self.table.expanded, width=self.width())

    def _show_reason(self) -> None:
        """Show the reasons in a sentence. Beside the message, the source of a label replaces it."""
        self.reason.clear()
        expanded = self.table.expanded
        is_hidden = self.table.faded or (self.source.text() and not expanded)
        if self.why is None or is_hidden:
            return
        words: list[BreakdownLine] = []
        if self.table.lines and self.breakdown is not None:
            words = self.breakdown.words
        self.reason.setText(reason_texts.reason_text(self.why, words, compact=not expanded))

    def _show_score(self, why: Explanation | None, *, known: bool) -> None:
        """Show what would change the verdict, the sum, and similar scores."""
        self.change.clear()
        self.sum.clear()
        self.similar.clear()
        if why is None:
            return
        expanded = self.table.expanded
        if expanded:
            change = reason_texts.change_text(why)
            self.change.setText(join_sentences(change, score_texts.unusual_text(why)))
        if known:
            self.sum.setText(score_texts.sum_text(why, expanded=expanded))
        if known and expanded:
            self.similar.setText(score_texts.similar_scores_text(why))

    def _show_held_back(self, why: Explanation | None) -> None:
        """Show why a likely spam message is unsure: one line in a low panel."""
        self._show_held_text(why, compact=False)
        if self.held_back.text() and self._lacks_room():
            self._show_held_text(why, compact=True)

    def _show_held_text(self, why: Explanation | None, *, compact: bool) -> None:
        text = ""
        if why is not None:
            text = reason_texts.held_back_text(why, self.spam_per_lost, compact=compact)
        self.held_back.setText(text)
        self.held_back.setWordWrap(not compact)
        self._held_row.setVisible(bool(text))

    def _lacks_room(self) -> bool:
        """True if a compact table can't show all its words, or the content is too high."""
        missing_lines = 0 if self.table.expanded else COMPACT_WORDS - LEAST_LINES_COMPACT
        wanted = self._content_height() + missing_lines * self.table.line_height()
        return wanted > self._area.height()

    def _content_height(self) -> int:
        whole = self.layout()
        assert whole is not None
        whole.activate()
        return self._content.heightForWidth(self._area.viewport().width())

    # ---------------------------------------------------------------------------------------------
    # scrolling

    def _scroll(self) -> None:
        """Scroll to the latest answer if the content doesn't fit, otherwise to the words."""
        latest = self.part if self.part.text() else self.answer
        if latest.text():
            self._area.ensureWidgetVisible(latest, 0, 0)
        elif self._content_height() > self._area.height():
            self._scroll_to_words()

    def _scroll_to_words(self) -> None:
        """Scroll to the table, but cut no line of the text above it."""
        bar = self._area.verticalScrollBar()
        height = min(self.table.y(), bar.maximum())
        for label in (self.reason, self.change, self.part):
            if _is_cut(label, height):
                height -= (height - label.y()) % label.fontMetrics().lineSpacing()
        bar.setValue(height)


def _is_cut(label: QLabel, height: int) -> bool:
    """True if a label is visible above and below a height."""
    return label.isVisible() and label.y() <= height < label.geometry().bottom()
