"""Marks that all the others contradict: turn them, or say that they are right."""

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.lines_table import LinesTable, TableLine
from nbmail.ui.kit.plain_text import plain_label
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.past.past_page import PastPage, make_button
from nbmail.ui.past.past_texts import doubt_words, label_word
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.notices import Say
from nbmail.worker.protocol import Failed, FindSuspicious, Suspicion


class DoubtsPage(PastPage):
    """Doubtful marks, the strongest doubt first. Has no signals of its own."""

    def __init__(self, requests: EngineRequests, table: MailTable, tell: Say, marking: MarkingActions) -> None:
        super().__init__(requests, table, tell)
        self._marking = marking
        self.right: set[tuple[int, str]] = set()
        headings = (tr("Subject"), tr("Mark"), tr("The others say"))
        self.table = LinesTable(headings, (300, 120, 240), 0, tr("Doubtful marks, the strongest doubt first"))
        self.again = make_button(tr("&Look again"), self.load)
        self.turn = make_button(tr("&Mark the other way"), self.turn_current)
        self.keep = make_button(tr("It is &right"), self.keep_current)
        hint = plain_label(tr("Each mark is checked against what other marks teach, without itself."))
        self.hold(self.table, hint, self.again, self.keep, self.turn)
        self._enable()

    def load(self) -> None:
        """Look through all marks."""
        if self._has_marks():
            self.ask(FindSuspicious(), self._show_found, tr("Checking each mark against all the others…"))
            self._enable()
        else:
            self._show_rest()

    def _has_marks(self) -> bool:
        mail = self.mails.mail
        return mail is not None and bool((mail.labels >= 0).any())

    def _show_found(self, found: tuple[Suspicion, ...]) -> None:
        listed = [one for one in found if (one.message, one.label) not in self.right]
        self.table.show_lines([self._line(one) for one in listed])
        self._show_rest()

    def _line(self, one: Suspicion) -> TableLine:
        others = doubt_words(one.log_odds, one.probability)
        return TableLine((self._subject(one.message), label_word(one.label), others), one)

    def _subject(self, message: int) -> str:
        mail = self.mails.mail
        place = int(mail.find([message])[0]) if mail is not None else -1
        if mail is None or place < 0:
            return tr("a message that is in no folder any more")
        return mail.subjects[place] or tr("no subject")

    def _show_rest(self) -> None:
        if not self._has_marks():
            self.say(tr("Not enough yet: mark some junk and some good mail first."))
        elif not self.table.list.lines:
            self.say(tr("No mark is contradicted by the others."))
        else:
            self.show_content()
        self._enable()

    def _enable(self) -> None:
        listed = self.stack.currentWidget() is self.table
        for button in (self.turn, self.keep):
            button.setEnabled(listed)
        self.again.setEnabled(not self.is_asking)

    def _ended(self) -> None:
        self._enable()

    def keep_current(self) -> None:
        """The mark is right: don't list it again as long as nbmail runs."""
        one = self.table.current()
        if one is not None:
            self.right.add((one.message, one.label))
            self.table.remove_current()
            self._show_rest()

    def turn_current(self) -> None:
        """Mark it the other way."""
        one = self.table.current()
        if one is None:
            return
        other = "good" if one.label == "junk" else "junk"
        self._marking.mark((one.message,), other, say=self.tell, failed=self._say_failed)
        self.table.remove_current()
        self._show_rest()

    def _say_failed(self, failure: Failed) -> None:
        self.tell_failure(failure)
        self.load()
