"""Rules about senders: the dialog that makes one, and the list of all of them."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QWidget

from nbmail.ui.actions.long_work import LongWork
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons, close_button
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.people import addresses_of
from nbmail.ui.kit.plain_text import join_sentences, wrapping_label
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.window.notices import StatusLine, make_button
from nbmail.values import SenderRule
from nbmail.worker.protocol.client import Engine
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
        """List all rules."""
        remove = lambda rule: self.set(rule._replace(verdict=""))  # noqa: E731
        self._engine.list_rules().then(lambda rules: RulesDialog(self._window, rules, remove).open())

    def _report(self, rule: SenderRule, done: Marked) -> None:
        text = tr("{sender}: {rule}.").format(sender=rule.sender, rule=rule_text(rule.verdict))
        self._status.report(join_sentences(text, phrases.changed_verdicts_text(done.changed_verdicts)), undo=True)
