"""Triage: one message at a time. Either unsure ones, newest first, or the most useful ones."""

from collections.abc import Callable, Sequence
from math import isnan

from PySide6.QtCore import QObject, Signal

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import lean_text, verdict_text
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.triage.triage_end import TriageEnd
from nbmail.ui.triage.triage_head import TriageHead
from nbmail.ui.triage.triage_texts import (
    ending_text,
    improvement_text,
    teaching_place_text,
    unsure_place_text,
)
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.quality import TrainingReport

NEWEST = "newest"
TEACHING = "teaching"
AHEAD = 2
"""Queries selected at once: one to show, and one for the moment after its mark."""
LATEST = 1000
"""Number of latest marks that measure the progress, few enough for a report after each mark."""
SOON = 300
"""Milliseconds without a mark before a report."""


class Triage(QObject):
    """Controller of the triage view, and target of the mark keys while it is open.

    Signals: `toggled(bool)`.
    """

    toggled = Signal(bool)

    def __init__(
        self,
        context: WindowContext,
        reader: OpenMessage,
        marking: MarkingActions,
        *,
        head: TriageHead,
        end: TriageEnd,
        show_end: Callable[[bool], None],
    ) -> None:
        super().__init__(reader)
        self._engine = context.engine
        self._model = context.model
        self._reader = reader
        self._marking = marking
        self._head = head
        self._end = end
        self._show_end = show_end
        self.open = False
        self.current = -1
        self.order = NEWEST
        self._list_target = marking.target
        self._reset()
        self._report_timer = single_shot_timer(self, SOON, self._query_report)
        head.order.activated.connect(lambda: self.choose_order(head.order.currentData()))
        for back in (head.back, end.back):
            back.clicked.connect(self.leave)
        end.more.clicked.connect(lambda: self.choose_order(TEACHING))
        context.model.counted.connect(self._show_figures)

    def _reset(self) -> None:
        self._touched: list[int] = []
        self._passed: list[int] = []
        self._skipped: set[int] = set()
        self._ready: list[int] = []
        self._first_count = 0
        self._learning = False
        self._before: TrainingReport | None = None
        self._now: TrainingReport | None = None

    def teach(self) -> None:
        self.begin()
        self.choose_order(TEACHING)

    def begin(self) -> None:
        if self.open or not self._model.mail.present.any():
            return
        self._reset()
        self.open = True
        self._marking.target = self
        self._first_count = len(self._model.mail.undecided())
        self.toggled.emit(True)
        self._query_report()
        self.choose_order(self.order)

    def leave(self) -> None:
        if not self.open:
            return
        self._report_timer.stop()
        self.open = False
        self._marking.target = self._list_target
        self._show_end(False)
        self.toggled.emit(False)
        if self.current >= 0:
            self._list_target.go_to_message(self.current)
        self.current = -1

    def choose_order(self, order: str) -> None:
        self.order = order
        self._head.show_order(order)
        self._ready.clear()
        if self.open:
            self._go_on()

    def selected_messages(self) -> tuple[int, ...]:
        """Return the shown message.

        None while a mark is being learned: a key would mean the previous message.
        """
        if self.current < 0 or self._learning:
            return ()
        return (self.current,)

    def go_on(self, messages: tuple[int, ...], label: str | None) -> None:
        """Continue after a mark.

        In the order by date the next message is known once the mark is learned.
        """
        if label is None:
            return
        self._touched += [each for each in messages if each not in self._touched]
        self._report_timer.start()
        self._learning = self.order == NEWEST
        if not self._learning:
            self._go_on()

    def skip(self, messages: Sequence[int]) -> None:
        self._skipped.update(messages)
        self._go_on()

    def learned(self) -> None:
        if self._learning:
            self._learning = False
            if self.open:
                self._go_on()

    def go_to_message(self, message: int) -> None:
        self._report_timer.start()
        self._learning = False
        self._show(message)

    def step(self, steps: int) -> None:
        if steps > 0 and self.current >= 0:
            self._skipped.add(self.current)
            self._go_on()
        elif steps < 0 and len(self._passed) > 1:
            self._passed.pop()
            self._show(self._passed.pop())

    def _go_on(self) -> None:
        if self.order == NEWEST:
            unsure = self._model.mail.undecided()
            left = (each for each in unsure if each not in self._skipped)
            self._show(next(left, -1))
        elif self._ready:
            self._show(self._ready.pop(0))
            self._query(tuple({self.current, *self._skipped}), show=False)
        else:
            self._query(tuple(self._skipped), show=True)

    def _query(self, exclude: tuple[int, ...], *, show: bool) -> None:
        """Ask for the most useful messages, and show the first of them if `show`."""

        def take(queries: tuple[int, ...]) -> None:
            if not self.open or self.order != TEACHING:
                return
            self._ready = [each for each in queries if each != self.current or show]
            if show:
                self._show(self._ready.pop(0) if self._ready else -1)
            self._show_figures()

        self._engine.select_queries(AHEAD, exclude).then(take)

    def _show(self, message: int) -> None:
        self.current = message
        self._show_end(message < 0)
        self._reader.go_to(message)
        if message >= 0:
            self._passed.append(message)
        self._show_figures()

    def _show_figures(self) -> None:
        if not self.open:
            return
        labels = self._labels()
        count = len(labels)
        if self.order == NEWEST:
            left = len(self._model.mail.undecided())
            words = unsure_place_text(count, left)
        else:
            left = self._model.mail.unlabelled()
            words = teaching_place_text(count, left)
        self._head.show_place(words, count / max(1, count + left))
        improvement = improvement_text(self._before, self._now)
        self._head.show_improvement(improvement)
        self._show_verdict()
        if self.current < 0:
            self._show_ending(labels, improvement)

    def _labels(self) -> list[str]:
        """Return the labels of this session that still hold."""
        labels = []
        for message in self._touched:
            label, _ = self._model.source_of(message)
            if label is not None:
                labels.append(label)
        return labels

    def _show_ending(self, labels: Sequence[str], improvement: str) -> None:
        undecided = self._model.mail.undecided()
        skipped = len(self._skipped & set(undecided))
        in_order = self.order == NEWEST
        by_model = self._first_count - len(labels) - len(undecided) if in_order else 0
        title = tr("End of the list") if skipped else tr("No unsure messages left")
        summary = ending_text(labels, by_model, skipped)
        self._end.show_ending(title, summary, improvement, more=in_order)

    def _show_verdict(self) -> None:
        log_odds, chance, verdict = self._model.score_of(self.current)
        label, _ = self._model.source_of(self.current)
        words = percent(chance) if not isnan(chance) else lean_text(log_odds)
        text = f"{verdict_text(verdict)} · {words}" if verdict else ""
        if label:
            text = tr("Marked as: {label}").format(label=verdict_text(label))
        self._head.show_verdict(text, label or verdict)

    def _query_report(self) -> None:

        def show(report: TrainingReport) -> None:
            self._before = self._before or report
            self._now = report
            self._show_figures()

        if self.open:
            among = self._before.classified if self._before is not None else ()
            self._engine.report_training(LATEST, among).then(show, failed=lambda _: None)
