"""Rules that decide the verdict for a sender or a domain: dialogs and actions."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons, close_button
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import changed_verdicts_text
from nbmail.ui.texts.people import addresses_of
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import SenderRule
from nbmail.worker.protocol.marks import Marked


def rule_text(verdict: str) -> str:
    if verdict == "spam":
        return tr("Always spam")
    if verdict == "ham":
        return tr("Always not spam")
    return tr("No rule")


class RuleDialog(ScrollDialog):
    """Dialog for a rule for one address or its whole domain. `decide` is called with the rule."""

    def __init__(self, parent: QWidget, address: str, decide: Callable[[SenderRule], None]) -> None:
        super().__init__(parent, tr("Rule for this sender"))
        domain = address.rpartition("@")[2]
        everybody = tr("Everybody at {domain}").format(domain=domain)
        scope = combo_of(((address, address), (everybody, domain)), tr("Sender"))

        verdicts = [(rule_text(each), each) for each in ("spam", "ham", "")]
        verdict = combo_of(verdicts, tr("Verdict"))

        note = tr(
            "A rule decides the verdict, and nbmail learns nothing from it. “Always not spam” "
            "counts only for messages whose sender your mail server verified."
        )
        contents = layouts.column(scope, verdict, wrapping_label(note, "muted"), spacing=10)
        self.set_contents(contents, answer_buttons(self, tr("Set rule")), scaled(self, 440))

        self.accepted.connect(
            lambda: decide(SenderRule(scope.currentData(), verdict.currentData()))
        )


class RulesDialog(ScrollDialog):
    """List of all rules. `remove` is called with the rule to remove."""

    def __init__(
        self, parent: QWidget, rules: tuple[SenderRule, ...], remove: Callable[[SenderRule], None]
    ) -> None:
        super().__init__(parent, tr("Rules for senders"))
        self._remove_rule = remove
        self.table: TextTable[SenderRule] = TextTable(
            (tr("Sender"), tr("Verdict")), (260, 140), 0, self.windowTitle()
        )
        rows = [TextRow((each.sender, rule_text(each.verdict)), each) for each in rules]
        self.table.set_rows(rows)
        self.table.setMinimumHeight(scaled(self, 160))
        self.table.setVisible(bool(rules))

        none = wrapping_label(
            tr("There are no rules. Set one from the menu of a message."), "muted"
        )
        none.setVisible(not rules)

        self.button = make_button(tr("Remove rule"), self._remove_current)
        self.button.setEnabled(bool(rules))

        contents = layouts.column(
            (self.table, 1), none, (self.button, Qt.AlignmentFlag.AlignLeft), spacing=10
        )
        self.set_contents(contents, close_button(self), scaled(self, 460))

    def _remove_current(self) -> None:
        rule = self.table.current()
        if rule is None:
            return
        self._remove_rule(rule)
        self.table.set_rows([row for row in self.table.rows if row.item != rule])
        self.button.setEnabled(bool(self.table.rows))


class RuleActions:
    """Actions on rules: set one for the sender of the selected message, list and remove them."""

    def __init__(self, context: WindowContext, marking: MarkingActions) -> None:
        self._window = context.window
        self._engine = context.engine
        self._mail = context.model.mail
        self._status = context.status
        self._marking = marking

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"rule": self._ask_rule, "rules": self._list_rules}

    def _ask_rule(self) -> None:
        sender = self._selected_sender()
        if sender:
            RuleDialog(self._window, sender, self._set_rule).open()
        else:
            self._status.report(tr("Select one message with a sender."))

    def _selected_sender(self) -> str:
        """Return the address of the only selected message's sender, "" without one."""
        messages = self._marking.target.selected_messages()
        if len(messages) != 1:
            return ""
        sender, _, _ = self._mail.heading_of(messages[0])
        addresses = addresses_of(sender)
        return addresses[0] if addresses else ""

    def _list_rules(self) -> None:
        def show(rules: tuple[SenderRule, ...]) -> None:
            RulesDialog(self._window, rules, self._remove).open()

        self._engine.list_rules().then(show)

    def _remove(self, rule: SenderRule) -> None:
        self._set_rule(rule._replace(verdict=""))

    def _set_rule(self, rule: SenderRule) -> None:
        def report(done: Marked) -> None:
            text = tr("{sender}: {rule}.").format(sender=rule.sender, rule=rule_text(rule.verdict))
            changed = changed_verdicts_text(done.changed_verdicts)
            self._status.report(join_sentences(text, changed), undo=True)

        self._marking.begun()
        self._status.follow(self._engine.set_rule(rule), tr("Applying rule"), report)
