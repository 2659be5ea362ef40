"""Bar with the accuracy after learning from folders."""

from PySide6.QtCore import Signal

from nbmail.core.evaluation.proportion import Proportion
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.model.accuracy_texts import headline_text
from nbmail.ui.model.mistakes_window import show_mistakes
from nbmail.ui.notices.bars import Bar
from nbmail.ui.texts.language import tr, tr_count
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.quality import TrainingReport

ENOUGH = 50
"""Number of marks of each kind from which on reviewing unsure messages helps most."""
RELOAD_MILLISECONDS = 1000
"""Pause after a change of the list before the shown accuracy is requested again."""


class TrainingResult(Bar):
    """Bar with the accuracy after a training. `review` starts the review of unsure messages.

    Signals: `trained()` after a training of both spam and good mail.
    """

    trained = Signal()

    def __init__(self, engine: Engine, table: MailTable) -> None:
        super().__init__("ham")
        self._engine = engine
        self._report = TrainingReport(0, 0)
        self.result = wrapping_label(kind="title")
        self.next = wrapping_label()
        self.see = quiet_button("", lambda: show_mistakes(self, self._report, table))
        self.review = quiet_button(tr("Suggest messages to mark"), self.hide)
        self.dismiss = quiet_button(tr("Dismiss"), self.hide)
        texts = layouts.column(self.result, self.next, spacing=2)
        self.set_contents(texts, self.see, self.review, self.dismiss)
        # New mail and its share of spam change the verdicts.
        reload = single_shot_timer(self, RELOAD_MILLISECONDS, self._reload)
        table.mails.counted.connect(reload.start)

    def load(self) -> None:
        self._engine.report_training().then(self.show_report)

    def _reload(self) -> None:
        if self.isVisible():
            self._engine.report_training().then(self._show_change)

    def _show_change(self, report: TrainingReport) -> None:
        if self.isVisible() and _report_text(report) != self.result.text():
            self.show_report(report)

    def show_report(self, report: TrainingReport) -> None:
        self._report = report
        self.result.setText(_report_text(report))
        self.next.setText(_advice_text(report))
        mistakes = len(report.false_positives)
        self.see.setText(tr_count("Show %n false alarm", "Show %n false alarms", mistakes))
        self.see.setVisible(bool(mistakes))
        announce(self, f"{self.result.text()} {self.next.text()}")
        self.show()
        if report.spam and report.ham:
            self.trained.emit()


def _report_text(report: TrainingReport) -> str:
    if not (report.spam and report.ham):
        return tr(
            "Training finished. Mark both spam and good messages to see how accurate nbmail is."
        )
    return headline_text(report.recall, Proportion(len(report.false_positives), report.ham))


def _advice_text(report: TrainingReport) -> str:
    """Return what to mark next: more of the rarer kind, or unsure messages."""
    missing = ENOUGH - min(report.spam, report.ham)
    if missing <= 0:
        return tr("Next, review unsure messages. nbmail shows the most useful ones first.")
    what = tr_count("Mark %n more spam message", "Mark %n more spam messages", missing)
    if report.ham <= report.spam:
        what = tr_count("Mark %n more good message", "Mark %n more good messages", missing)
    return tr("{what} for the biggest improvement.").format(what=what)
