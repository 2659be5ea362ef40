"""Decisions of the user about senders: rules, the list of all rules, and unsubscribing after a question."""

from collections.abc import Callable, Sequence
from functools import partial
from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QWidget

from nbmail.errors import ErrorCode
from nbmail.ui.actions.action_table import LongWork
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons, close_button
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.phrases import moment_in_full, tr
from nbmail.ui.kit.plain_text import addresses_of, join_sentences, wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.list.mail_columns import JUNK
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.window.notices import StatusLine, make_button
from nbmail.ui.window.services import MailboxSearch, open_address
from nbmail.values import SenderRule
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.filing import UnsubscribeOffer
from nbmail.worker.protocol.results import Marked


def rule_text(verdict: str) -> str:
    """Return what a rule decides."""
    return {"junk": tr("Always junk"), "good": tr("Always not junk")}.get(verdict, tr("No rule"))


class RuleDialog(ScrollDialog):
    """Rule for the sender of a message, or for all senders of the domain. `decide` is called with it."""

    def __init__(self, parent: QWidget, address: str, decide: Callable[[SenderRule], None]) -> None:
        super().__init__(parent, tr("Rule for this sender"))
        self._decide = decide
        domain = address.rpartition("@")[2]
        self.scope = QComboBox()
        self.scope.addItem(address, address)
        self.scope.addItem(tr("Everybody at {domain}").format(domain=domain), domain)
        layouts.name_combo(self.scope, tr("Sender"))
        self.verdict = QComboBox()
        for verdict in ("junk", "good", ""):
            self.verdict.addItem(rule_text(verdict), verdict)
        layouts.name_combo(self.verdict, tr("Verdict"))
        note = tr(
            "A rule decides the verdict, and nbmail learns nothing from it. “Always not junk” counts only for messages "
            "whose sender your mail server verified."
        )
        contents = layouts.column(self.scope, self.verdict, wrapping_label(note, "muted"), spacing=10)
        self.set_contents(contents, answer_buttons(self, tr("Set rule")), layouts.scaled(self, 440))

    def accept(self) -> None:
        self._decide(SenderRule(self.scope.currentData(), self.verdict.currentData()))
        super().accept()


class RulesDialog(ScrollDialog):
    """All rules. `remove` is called with the rule to remove."""

    def __init__(self, parent: QWidget, rules: Sequence[SenderRule], remove: Callable[[SenderRule], object]) -> None:
        super().__init__(parent, tr("Rules for senders"))
        self._remove_rule = remove
        self.table: TextTable[SenderRule] = TextTable((tr("Sender"), tr("Verdict")), (260, 140), 0, self.windowTitle())
        self.table.set_rows([TextRow((each.sender, rule_text(each.verdict)), each) for each in rules])
        self.table.setMinimumHeight(layouts.scaled(self, 160))
        self.none = wrapping_label(tr("There are no rules. Set one from the menu of a message."), "muted")
        self.none.setVisible(not rules)
        self.table.setVisible(bool(rules))
        self.button = make_button(tr("Remove rule"), self._remove_current)
        self.button.setEnabled(bool(rules))
        button = self.button, Qt.AlignmentFlag.AlignLeft
        contents = layouts.column((self.table, 1), self.none, button, spacing=10)
        self.set_contents(contents, close_button(self), layouts.scaled(self, 460))

    def _remove_current(self) -> None:
        rule = self.table.current()
        if rule is not None:
            self._remove_rule(rule)
            self.table.set_rows([row for row in self.table.rows if row.item != rule])
            self.button.setEnabled(bool(self.table.rows))


class SenderRuleActions:
    """Makes and removes rules."""

    def __init__(
        self, engine: Engine, work: LongWork, marking: MarkingActions, status: StatusLine, window: QWidget
    ) -> None:
        self._engine, self._work, self._marking, self._status, self._window = engine, work, marking, status, window

    def ask(self, model: MailModel) -> None:
        """Ask for a rule for the sender of the selected message."""
        messages = self._marking.target.selected_messages()
        address = next(iter(addresses_of(model.mail.heading_of(messages[0])[0])), "") if len(messages) == 1 else ""
        if address:
            RuleDialog(self._window, address, self.set).open()
        else:
            self._status.report(tr("Select one message with a sender."))

    def set(self, rule: SenderRule) -> None:
        self._marking.begun()
        self._work.show(self._engine.set_rule(rule), tr("Applying rule"), partial(self._report, rule))

    def show(self) -> None:
        remove = lambda rule: self.set(rule._replace(verdict=""))  # noqa: E731
        self._engine.list_rules().then(lambda rules: RulesDialog(self._window, rules, remove).open())

    def _report(self, rule: SenderRule, done: Marked) -> None:
        text = tr("{sender}: {rule}.").format(sender=rule.sender, rule=rule_text(rule.verdict))
        self._status.report(join_sentences(text, phrases.changed_verdicts_text(done.changed_verdicts)), undo=True)


class UnsubscribeActions:
    """Asks, sends one request to the list's server, and reports its answer. Never for junk."""

    def __init__(
        self,
        engine: Engine,
        marking: MarkingActions,
        model: MailModel,
        status: StatusLine,
        window: QWidget,
        *,
        searches: MailboxSearch,
    ) -> None:
        self._engine, self._marking, self._model = engine, marking, model
        self._status, self._window, self._searches = status, window, searches

    def begin(self) -> None:
        """Ask whether to unsubscribe from the list of the selected message."""
        messages = self._marking.target.selected_messages()
        if len(messages) != 1:
            self._status.report(tr("Select one message."))
        elif self._model.mail.effective_class[self._model.mail.find(messages)[0]] == JUNK:
            self._status.report(tr("nbmail doesn't unsubscribe from junk: it would tell the sender that you exist."))
        else:
            self._engine.read_unsubscribe(messages[0]).then(self._ask)

    def _ask(self, offer: UnsubscribeOffer) -> None:
        if not (offer.one_click or offer.mail):
            self._status.report(tr("This message offers no way to unsubscribe that your mail server could verify."))
            return
        text = tr("Unsubscribe from messages of {sender}?").format(sender=offer.sender)
        more = tr("Your mail program opens with a message to {address}. Send it to unsubscribe.").format(
            address=urlsplit(offer.mail).path
        )
        if offer.one_click:
            more = tr(
                "nbmail sends one request to {host}, without cookies. The server learns your IP address and which "
                "message you received."
            ).format(host=urlsplit(offer.one_click).hostname)
        if offer.moment:
            earlier = tr("You unsubscribed on {date}. The answer was: {answer}")
            more = f"{earlier.format(date=moment_in_full(offer.moment), answer=offer.answer)}\n\n{more}"
        box = question_box(self._window, tr("Unsubscribe?"), text, more)
        open_question(box, tr("Unsubscribe"), tr("Cancel"), lambda: self._send(offer))

    def _send(self, offer: UnsubscribeOffer) -> None:
        if not offer.one_click:
            open_address(offer.mail)
            self._engine.note_unsubscribed(offer.message, tr("handed to your mail program"))
            return
        self._status.report(tr("Unsubscribing…"))
        host = str(urlsplit(offer.one_click).hostname)
        self._searches.unsubscribe(offer.one_click, lambda answer: self._report(offer, host, answer))

    def _report(self, offer: UnsubscribeOffer, host: str, answer: int | ErrorCode) -> None:
        """Report the answer of the server: its status, or the reason why there is none."""
        if isinstance(answer, ErrorCode):
            self._status.report(tr("Not unsubscribed. {reason}").format(reason=error_notice(answer).sentence))
            return
        accepted = tr("{host} accepted the request to unsubscribe (status {status}).")
        refused = tr("{host} did not accept the request to unsubscribe (status {status}).")
        text = (accepted if 200 <= answer < 300 else refused).format(host=host, status=answer)
        self._engine.note_unsubscribed(offer.message, text)
        self._status.report(text)
