"""Deciding one message after the other: a large message, two keys, and the next one that is undecided comes by itself.

Two orders: the messages that nbmail is unsure of, newest first; or the question whose answer teaches most, anew after
each mark.
"""

from collections.abc import Callable, Sequence
from math import isnan

from PySide6.QtCore import QObject, Signal

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.ui.kit.layouts import single_shot_timer
from nbmail.ui.kit.plain_text import join_sentences
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.model.model_texts import junk_caught, share_text
from nbmail.ui.triage.triage_bars import TriageEnd, TriageHead
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.worker.protocol.own_model import Ask, ReportTraining, TrainingReport

NEWEST, TEACHING = "newest", "teaching"
AHEAD = 2
"""Questions asked for at once: one to show now, one for the moment after its mark, so that nobody waits."""
LATEST = 1000
"""Marks by which it is told what they bring: those of yesterday say it too, and it is asked after every mark."""
SOON = 300
"""Milliseconds after a mark in which another may follow, before what they brought is asked for."""


class Triage(QObject):
    """What the keys act on while it is open: the message that is shown.

    Signals: `turned(bool)`, when it begins and when it is left.
    """

    turned = Signal(bool)

    def __init__(
        self,
        requests: EngineRequests,
        model: MailModel,
        reader: OpenMessage,
        marking: MarkingActions,
        *,
        head: TriageHead,
        end: TriageEnd,
        show_end: Callable[[bool], None],
    ) -> None:
        super().__init__(reader)
        self._requests, self._model, self._reader, self._marking = requests, model, reader, marking
        self._head, self._end, self._show_end = head, end, show_end
        self.open, self.current, self.order = False, -1, NEWEST
        self._list_target = marking.target
        self._forget()
        self._look = single_shot_timer(self, SOON, self._ask_report)
        head.order_chosen.connect(self.choose_order)
        head.left.connect(self.leave)
        end.back.clicked.connect(self.leave)
        end.more.clicked.connect(lambda: self.choose_order(TEACHING))
        model.counted.connect(self._show_figures)

    def _forget(self) -> None:
        self._touched: list[int] = []
        self._passed: list[int] = []
        self._skipped: set[int] = set()
        self._ready: list[int] = []
        self._first_count = 0
        self._learning = False
        self._before: TrainingReport | None = None
        self._now: TrainingReport | None = None

    # ------------------------------------------------------------------------------------------ begin and leave

    def teach(self) -> None:
        self.begin()
        self.choose_order(TEACHING)

    def begin(self) -> None:
        """Show the first one."""
        if self.open or not self._model.mail.present.any():
            return
        self._forget()
        self.open, self._marking.target = True, self
        self._first_count = len(self._model.mail.undecided())
        self.turned.emit(True)
        self._ask_report()
        self.choose_order(self.order)

    def leave(self) -> None:
        """Back to the list."""
        if not self.open:
            return
        self._look.stop()
        self.open, self._marking.target = False, self._list_target
        self._show_end(False)
        self.turned.emit(False)
        if self.current >= 0:
            self._list_target.go_to_message(self.current)
        self.current = -1

    def choose_order(self, order: str) -> None:
        """Choose by this order from now on."""
        self.order = order
        self._head.show_order(order)
        self._ready.clear()
        if self.open:
            self._go_on()

    # --------------------------------------------------------------------------------------- what the keys act on

    def selected_messages(self) -> tuple[int, ...]:
        """The message that is shown; none while a mark is being learned, for a key would be about the one before."""
        return (self.current,) if self.current >= 0 and not self._learning else ()

    def go_on(self, messages: tuple[int, ...], label: str | None) -> None:
        """It has been marked. Which message is undecided is known once the mark has been learned."""
        if label is not None:
            self._touched += [each for each in messages if each not in self._touched]
            self._look.start()
            self._learning = self.order == NEWEST
            if not self._learning:
                self._go_on()

    def learned(self) -> None:
        """The list has its new scores: show the next."""
        if self._learning:
            self._learning = False
            if self.open:
                self._go_on()

    def go_to_message(self, message: int) -> None:
        """A mark was taken back or given again: show what it is about."""
        self._look.start()
        self._learning = False
        self._show(message)

    def step(self, steps: int) -> None:
        """Skip this one, or go back to the one before."""
        if steps > 0 and self.current >= 0:
            self._skipped.add(self.current)
            self._go_on()
        elif steps < 0 and len(self._passed) > 1:
            self._passed.pop()
            self._show(self._passed.pop())

    # ------------------------------------------------------------------------------------------------ which is next

    def _go_on(self) -> None:
        if self.order == NEWEST:
            self._show(next((each for each in self._undecided() if each not in self._skipped), -1))
        elif self._ready:
            self._show(self._ready.pop(0))
            self._ask(tuple({self.current, *self._skipped}), show=False)
        else:
            self._ask(tuple(self._skipped), show=True)

    def _undecided(self) -> list[int]:
        return self._model.mail.undecided()

    def _ask(self, besides: tuple[int, ...], *, show: bool) -> None:
        order = self.order

        def answer(questions: tuple[int, ...]) -> None:
            if not self.open or self.order != order:
                return
            self._ready = [each for each in questions if each != self.current or show]
            if show:
                self._show(self._ready.pop(0) if self._ready else -1)
            self._show_figures()

        self._requests.ask(Ask(AHEAD, besides), answer)

    def _show(self, message: int) -> None:
        self.current = message
        self._show_end(message < 0)
        self._reader.go_to(message)
        if message >= 0:
            self._passed.append(message)
        self._show_figures()

    # ------------------------------------------------------------------------------------------------- what is said

    def labels(self) -> list[str]:
        """What was decided in this sitting and holds."""
        given = (self._model.source_of(message)[0] for message in self._touched)
        return [label for label in given if label is not None]

    def _show_figures(self) -> None:
        if not self.open:
            return
        labels, undecided = self.labels(), self._undecided()
        total = len(labels) + len(undecided)
        if self.order == NEWEST:
            place = min(len(labels) + 1, total)
            self._head.show_place(progress_words(place, total), len(labels) / max(1, total))
        else:
            unlabelled = self._model.mail.unlabelled()
            share = len(labels) / max(1, len(labels) + unlabelled)
            self._head.show_place(asked_words(len(labels), unlabelled), share)
        brought = brought_words(self._before, self._now)
        self._head.show_brought(brought)
        self._show_verdict()
        if self.current < 0:
            self._say_end(labels, undecided, brought)

    def _show_verdict(self) -> None:
        log_odds, chance, verdict = self._model.score_of(self.current)
        words = phrases.percent(chance) if not isnan(chance) else phrases.lean_text(log_odds)
        label, _ = self._model.source_of(self.current)
        told = tr("You said: {label}").format(label=phrases.verdict_text(label)) if label else ""
        self._head.show_verdict(told or f"{phrases.verdict_text(verdict)} · {words}" * bool(verdict), label or verdict)

    def _say_end(self, labels: list[str], undecided: list[int], brought: str) -> None:
        skipped = len(self._skipped & set(undecided))
        by_themselves = self._first_count - len(labels) - len(undecided) if self.order == NEWEST else 0
        words = ending_words(labels, by_themselves, skipped)
        title = tr("Nothing left to decide") if not skipped else tr("That was the last one")
        self._end.show_ending(title, words, brought, more=self.order == NEWEST)

    def _ask_report(self) -> None:
        """What the marks brought: the difference to the first look, at the messages that were judged then."""

        def answer(report: TrainingReport) -> None:
            self._before, self._now = self._before or report, report
            self._show_figures()

        if self.open:
            among = self._before.judged if self._before is not None else ()
            self._requests.ask(ReportTraining(LATEST, among), answer, failed=lambda _: None)


FEWEST = 5
"""Checked junk messages below which a share of what is caught says nothing."""


def progress_words(place: int, total: int) -> str:
    """Which one this is of those that nbmail is unsure of."""
    return tr("{place} of {total} unsure").format(place=format_count(place), total=format_count(total))


def asked_words(marks: int, unlabelled: int) -> str:
    """How many questions were answered; there are always more."""
    return f"{tr_count('%n answer', '%n answers', marks)} · {tr_count('%n unmarked', '%n unmarked', unlabelled)}"


def brought_words(before: TrainingReport | None, now: TrainingReport | None) -> str:
    """What the marks brought, by messages that were judged by models that had not learned them.

    A change that chance may have made is none: then it is said how far the share can be trusted.
    """
    if now is None or now.junk < FEWEST:
        return ""
    if before is None or before.junk < FEWEST or before.rate.lowest <= now.rate.share <= before.rate.highest:
        return tr("Junk it would catch: {share}").format(share=share_text(junk_caught(now)))
    return tr("Junk it would catch: {before} → {after}").format(before=_share(before), after=_share(now))


def _share(report: TrainingReport) -> str:
    return f"{round(100 * report.rate.share)}{phrases.THIN}%"


def marks_words(labels: Sequence[str]) -> str:
    """What was decided."""
    if not labels:
        return ""
    junk = sum(label == "junk" for label in labels)
    text = tr_count(
        "You decided %n message: {junk} junk, {good} good.",
        "You decided %n messages: {junk} junk, {good} good.",
        len(labels),
    )
    return text.format(junk=format_count(junk), good=format_count(len(labels) - junk))


def ending_words(labels: Sequence[str], by_themselves: int, skipped: int) -> str:
    """What came of it."""
    learned = tr_count(
        "%n other got its verdict from what you taught.",
        "%n others got their verdict from what you taught.",
        by_themselves,
    )
    left = tr_count("%n was skipped and stays unsure.", "%n were skipped and stay unsure.", skipped)
    return join_sentences(marks_words(labels), learned if by_themselves > 0 else "", left if skipped else "")
