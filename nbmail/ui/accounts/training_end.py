"""The end of a first training: how good nbmail is by now, the evidence for it, and what to do next."""

from nbmail.ui.evidence.messages_window import MessagesWindow
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.ui.kit.plain_text import wrapping_label
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.model.model_texts import junk_caught, share_text
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.notices import Bar, announce, quiet_button
from nbmail.worker.protocol.own_model import ReportTraining, TrainingReport

ENOUGH = 50
"""So many labels of each kind are enough to go on with what is unsure."""


class TrainingEnd(Bar):
    """A bar that stays until it is dismissed; `ask_button` lets nbmail ask for what helps. Has no signals."""

    def __init__(self, requests: EngineRequests, table: MailTable) -> None:
        super().__init__("good")
        self._requests, self._table = requests, table
        self._misjudged: tuple[int, ...] = ()
        self.words, self.next = wrapping_label(kind="title"), wrapping_label()
        self.see, self.ask_button = quiet_button(""), quiet_button(tr("Let nbmail ask"))
        self.dismiss = quiet_button(tr("Dismiss"))
        self.see.clicked.connect(self._show_misjudged)
        for button in (self.ask_button, self.dismiss):
            button.clicked.connect(self.hide)
        texts = layouts.column(self.words, self.next, spacing=2)
        self.hold(texts, self.see, self.ask_button, self.dismiss)

    def ask(self) -> None:
        self._requests.ask(ReportTraining(), self.show_report)

    def show_report(self, report: TrainingReport) -> None:
        """Say how good nbmail is by now."""
        self._misjudged = report.misjudged
        self.words.setText(report_words(report))
        self.next.setText(next_words(report))
        self.see.setText(tr_count("See the %n misjudged", "See the %n misjudged", len(report.misjudged)))
        self.see.setVisible(bool(report.misjudged))
        announce(self, f"{self.words.text()} {self.next.text()}")
        self.show()

    def _show_misjudged(self) -> None:
        about = tr(
            "By what nbmail learned from the others, each would have been called junk. The surest mistake first."
        )
        MessagesWindow(self, tr("Good mail called junk"), about, dict.fromkeys(self._misjudged, ()), self._table).show()


def report_words(report: TrainingReport) -> str:
    """What a training came to, in one sentence."""
    if not (report.junk and report.good):
        return tr("Learned. It takes some junk and some good mail to say how good nbmail is by now.")
    text = tr(
        "Of {messages} messages, each judged by what nbmail learned from the others, it caught {caught} of the junk "
        "and misjudged {lost} of {good} good ones."
    )
    figures = {"messages": report.messages, "lost": len(report.misjudged), "good": report.good}
    return text.format(
        caught=share_text(junk_caught(report)), **{name: format_count(each) for name, each in figures.items()}
    )


def next_words(report: TrainingReport) -> str:
    """What would help most now."""
    fewest = min(report.junk, report.good)
    if fewest >= ENOUGH:
        return tr("Now decide what it is unsure about: nbmail asks about those that teach most.")
    if report.good <= report.junk:
        words = tr_count("%n more good one would help most", "%n more good ones would help most", ENOUGH - fewest)
    else:
        words = tr_count(
            "%n more junk message would help most", "%n more junk messages would help most", ENOUGH - fewest
        )
    return tr("{what}: let nbmail ask.").format(what=words)
