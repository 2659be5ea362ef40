"""Page of marks that other marks contradict."""

from collections.abc import Sequence

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.model.model_page import ModelPage, page_footer
from nbmail.ui.notices.status_line import Report
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import label_name
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.marks import SuspiciousLabel
from nbmail.worker.protocol.ticket import Failed

CLEAR = 4.0
VERY_CLEAR = 8.0
"""Log-odds from which on other marks contradict a mark clearly (98 %) and very clearly (99.97
%).
"""


class DoubtfulMarksPage(ModelPage):
    """Marks that a model without them contradicts, strongest first."""

    def __init__(self, context: WindowContext, say: Report, marking: MarkingActions) -> None:
        super().__init__(context, say)
        self._marking = marking
        self._confirmed: set[tuple[int, str]] = set()
        headings = (tr("Subject"), tr("Mark"), tr("Suggested by other marks"))
        self.table = TextTable[SuspiciousLabel](
            headings, (300, 120, 240), 0, tr("Doubtful marks, most doubtful first")
        )
        self.table.activated.connect(lambda _: self.go_to_message(self.table.selected().message))
        self.again = make_button(tr("&Check again"), self.load)
        self.reverse = make_button(tr("&Reverse mark"), self.reverse_current)
        self.keep = make_button(tr("&Keep mark"), self.keep_current)
        hint = plain_label(tr("nbmail tests each mark with a model that has not learned it."))
        self.lay_out(self.table, page_footer(hint, self.again, self.keep, self.reverse))
        self._ended()

    def load(self) -> None:
        if (self.mails.mail.labels >= 0).any():
            self.request(
                self.engine.find_suspicious_labels(), self._show, tr("Checking all marks…")
            )
        else:
            self.show_note(tr("Mark some spam and some good messages first."))
        self._ended()

    def _show(self, found: Sequence[SuspiciousLabel]) -> None:
        listed = [one for one in found if (one.message, one.label) not in self._confirmed]
        self.table.set_rows([self._row(one) for one in listed])
        self._show_rows()

    def _row(self, one: SuspiciousLabel) -> TextRow[SuspiciousLabel]:
        mail = self.mails.mail
        place = mail.position_of(one.message)
        subject = tr("(message no longer in any folder)")
        if place >= 0:
            subject = mail.subjects[place] or tr("no subject")
        doubt = doubt_text(one.log_odds, one.probability)
        return TextRow((subject, label_name(one.label), doubt), one)

    def _show_rows(self) -> None:
        if self.table.rows:
            self.show_content()
        else:
            self.show_note(tr("No doubtful marks found."))
        self._ended()

    def _ended(self) -> None:
        listed = self.stack.currentWidget() is self.table
        self.reverse.setEnabled(listed)
        self.keep.setEnabled(listed)
        self.again.setEnabled(not self.is_loading)

    def keep_current(self) -> None:
        """Keep the selected mark, and don't list it again while the program runs."""
        one = self.table.selected()
        self._confirmed.add((one.message, one.label))
        self._remove_current()

    def reverse_current(self) -> None:
        one = self.table.selected()
        other = "ham" if one.label == "spam" else "spam"
        self._marking.mark((one.message,), other, report=self.say, failed=self._show_failure)
        self._remove_current()

    def _show_failure(self, failure: Failed) -> None:
        self.say_failure(failure)
        self.load()

    def _remove_current(self) -> None:
        self.table.remove_current()
        self._show_rows()


def doubt_text(log_odds: float, probability: float) -> str:
    """Return what all other marks indicate for a doubtful mark, with the chance of spam."""
    text = tr("probably {name}")
    if abs(log_odds) >= VERY_CLEAR:
        text = tr("very clearly {name}")
    elif abs(log_odds) >= CLEAR:
        text = tr("clearly {name}")
    said = text.format(name=label_name("spam" if log_odds > 0 else "ham"))
    return tr("{said}: {chance} chance of spam").format(said=said, chance=percent(probability))
