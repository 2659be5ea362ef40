"""Marks that all the others contradict: turn them, or say that they are right."""

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import plain_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.model.model_page import ModelPage, PageContext
from nbmail.ui.past.past_texts import doubt_words, label_word
from nbmail.ui.window.notices import make_button
from nbmail.worker.protocol import Failed, FindSuspicious, Suspicion


class DoubtsPage(ModelPage):
    """Doubtful marks, the strongest doubt first. Has no signals of its own."""

    def __init__(self, context: PageContext, marking: MarkingActions) -> None:
        super().__init__(context)
        self._marking = marking
        self.right: set[tuple[int, str]] = set()
        headings = (tr("Subject"), tr("Mark"), tr("The others say"))
        self.table: TextTable[Suspicion] = TextTable(
            headings, (300, 120, 240), 0, tr("Doubtful marks, the strongest doubt first")
        )
        self.again = make_button(tr("&Look again"), self.load)
        self.turn = make_button(tr("&Mark the other way"), self.turn_current)
        self.keep = make_button(tr("It is &right"), self.keep_current)
        hint = plain_label(tr("Each mark is checked against what other marks teach, without itself."))
        self.hold(self.table, hint, self.again, self.keep, self.turn)
        self._ended()

    def load(self) -> None:
        """Look through all marks."""
        mail = self.mails.mail
        if not (mail.labels >= 0).any():
            self.say(tr("Not enough yet: mark some junk and some good mail first."))
        else:
            self.ask(FindSuspicious(), self._show_found, tr("Checking each mark against all the others…"))
        self._ended()

    def _show_found(self, found: tuple[Suspicion, ...]) -> None:
        listed = [one for one in found if (one.message, one.label) not in self.right]
        self.table.set_rows([self._line(one) for one in listed])
        self._show_rest()

    def _line(self, one: Suspicion) -> TextRow[Suspicion]:
        place, mail = self.place_of(one.message), self.mails.mail
        subject = tr("a message that is in no folder any more")
        if place >= 0:
            subject = mail.subjects[place] or tr("no subject")
        return TextRow((subject, label_word(one.label), doubt_words(one.log_odds, one.probability)), one)

    def _show_rest(self) -> None:
        if self.table.rows:
            self.show_content()
        else:
            self.say(tr("No mark is contradicted by the others."))
        self._ended()

    def _ended(self) -> None:
        listed = self.stack.currentWidget() is self.table
        for button in (self.turn, self.keep):
            button.setEnabled(listed)
        self.again.setEnabled(not self.is_asking)

    def keep_current(self) -> None:
        """The mark is right: don't list it again as long as nbmail runs."""
        one = self.table.selected()
        self.right.add((one.message, one.label))
        self._take_away()

    def turn_current(self) -> None:
        """Mark it the other way."""
        one = self.table.selected()
        other = "good" if one.label == "junk" else "junk"
        self._marking.mark((one.message,), other, say=self.tell, failed=self._say_failed)
        self._take_away()

    def _take_away(self) -> None:
        self.table.remove_current()
        self._show_rest()

    def _say_failed(self, failure: Failed) -> None:
        self.tell_failure(failure)
        self.load()
