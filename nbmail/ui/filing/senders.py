"""Selected message in other programs, rules for its sender, and unsubscribing. What is permanent is
confirmed first.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from email.utils import getaddresses
from pathlib import Path
from urllib.parse import quote, urlsplit

from PySide6.QtCore import QProcess, QSettings, QStandardPaths, Qt
from PySide6.QtWidgets import QWidget

from nbmail.errors import ErrorCode
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons, close_button
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.text_table import TextRow, TextTable
from nbmail.ui.list.mail_columns import SPAM
from nbmail.ui.texts.date_texts import moment_in_full
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import changed_verdicts_text
from nbmail.ui.texts.people import addresses_of
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.context import WindowContext
from nbmail.ui.window.services import open_address, open_file
from nbmail.values import SenderRule
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.messages import MessageFile
from nbmail.worker.protocol.senders import UnsubscribeOffer

MID = "x-scheme-handler/mid"
MAIL_FILE = "message/rfc822"
OWN = "nbmail"
"""Part of the name under which nbmail is registered itself."""
MESSAGE_KEYS = {
    MID: r"HKEY_CLASSES_ROOT\mid\shell\open\command",
    MAIL_FILE: r"HKEY_CLASSES_ROOT\.eml",
}


def message_address(message_id: str, platform: str = sys.platform) -> str:
    """Return the address of a message by its Message-ID, for programs on this system."""
    name = message_id.strip().removeprefix("<").removesuffix(">")
    return (
        f"message://%3C{quote(name, safe='')}%3E"
        if platform == "darwin"
        else f"mid:{quote(name, safe='')}"
    )


def reply_address(headers: Mapping[str, str]) -> str:
    """Return the address that starts an answer: recipient, subject and In-Reply-To; empty without a
    sender.
    """
    people = getaddresses([headers.get("reply-to", "")]) + getaddresses([headers.get("from", "")])
    recipient = next((address for _, address in people if "@" in address), "")
    subject = headers.get("subject", "").strip()
    fields = {"subject": subject if subject[:3].casefold() == "re:" else f"Re: {subject}"}
    if message_id := headers.get("message-id", "").strip():
        fields["In-Reply-To"] = message_id
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in fields.items())
    return f"mailto:{quote(recipient, safe='@')}?{query}" if recipient else ""


def programs_for(kind: str) -> list[str]:
    """Return the programs that open this kind, the user's choice first. Not on macOS, which has
    none to read.
    """
    if sys.platform == "win32":
        found = str(QSettings(MESSAGE_KEYS[kind], QSettings.Format.NativeFormat).value(".") or "")
        return [found] if found else []
    places = (
        (QStandardPaths.StandardLocation.GenericConfigLocation, "mimeapps.list"),
        (QStandardPaths.StandardLocation.ApplicationsLocation, "mimeapps.list"),
        (QStandardPaths.StandardLocation.ApplicationsLocation, "mimeinfo.cache"),
    )
    files = (path for place, name in places for path in QStandardPaths.locateAll(place, name))
    return list(dict.fromkeys(each for path in files for each in _registered(Path(path), kind)))


def _registered(path: Path, kind: str) -> Iterator[str]:
    """Yield the programs that a list of the desktop names for this kind, except removed ones."""
    section = ""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("["):
            section = line
        elif line.startswith(f"{kind}=") and section != "[Removed Associations]":
            yield from filter(None, line.partition("=")[2].strip().split(";"))


def rule_text(verdict: str) -> str:
    return {"spam": tr("Always spam"), "ham": tr("Always not spam")}.get(verdict, tr("No rule"))


class RuleDialog(ScrollDialog):
    """Rule for the sender of a message, or for all senders of the domain. `decide` is called with
    it.
    """

    def __init__(self, parent: QWidget, address: str, decide: Callable[[SenderRule], None]) -> None:
        super().__init__(parent, tr("Rule for this sender"))
        domain = address.rpartition("@")[2]
        everybody = tr("Everybody at {domain}").format(domain=domain)
        scope = combo_of(((address, address), (everybody, domain)), tr("Sender"))
        verdict = combo_of(((rule_text(each), each) for each in ("spam", "ham", "")), tr("Verdict"))
        note = tr(
            "A rule decides the verdict, and nbmail learns nothing from it. “Always not "
            "spam” counts only for messages "
            "whose sender your mail server verified."
        )
        contents = layouts.column(scope, verdict, wrapping_label(note, "muted"), spacing=10)
        self.accepted.connect(
            lambda: decide(SenderRule(scope.currentData(), verdict.currentData()))
        )
        self.set_contents(contents, answer_buttons(self, tr("Set rule")), scaled(self, 440))


class RulesDialog(ScrollDialog):
    """All rules. `remove` is called with the rule to remove."""

    def __init__(
        self, parent: QWidget, rules: tuple[SenderRule, ...], remove: Callable[[SenderRule], None]
    ) -> None:
        super().__init__(parent, tr("Rules for senders"))
        self._remove_rule = remove
        self.table: TextTable[SenderRule] = TextTable(
            (tr("Sender"), tr("Verdict")), (260, 140), 0, self.windowTitle()
        )
        self.table.set_rows(
            [TextRow((each.sender, rule_text(each.verdict)), each) for each in rules]
        )
        self.table.setMinimumHeight(scaled(self, 160))
        none = wrapping_label(
            tr("There are no rules. Set one from the menu of a message."), "muted"
        )
        none.setVisible(not rules)
        self.table.setVisible(bool(rules))
        self.button = make_button(tr("Remove rule"), self._remove_current)
        self.button.setEnabled(bool(rules))
        contents = layouts.column(
            (self.table, 1), none, (self.button, Qt.AlignmentFlag.AlignLeft), spacing=10
        )
        self.set_contents(contents, close_button(self), scaled(self, 460))

    def _remove_current(self) -> None:
        rule = self.table.current()
        if rule is not None:
            self._remove_rule(rule)
            self.table.set_rows([row for row in self.table.rows if row.item != rule])
            self.button.setEnabled(bool(self.table.rows))


class SenderActions:
    """Opens and answers the selected message in another program, sets rules, and unsubscribes,
    never from spam.
    """

    def __init__(self, context: WindowContext, marking: MarkingActions) -> None:
        self._window = context.window
        self._engine = context.engine
        self._model = context.model
        self._status = context.status
        self._report = context.status.report
        self._desktop = context.desktop
        self._marking = marking

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "open": lambda: self._with_selected(
                lambda message: self._engine.write_message(message).then(self._open)
            ),
            "reply": lambda: self._with_selected(
                lambda message: self._engine.write_message(message).then(self._reply)
            ),
            "unsubscribe": lambda: self._with_selected(self._unsubscribe),
            "rule": self._ask_rule,
            "rules": self._list_rules,
        }

    def _with_selected(self, use: Callable[[int], object]) -> None:
        messages = self._marking.target.selected_messages()
        use(messages[0]) if len(messages) == 1 else self._report(tr("Select one message."))

    def _open(self, found: MessageFile) -> None:
        """Open the message by its Message-ID where another program is registered for that,
        otherwise as a file.
        """
        message_id = found.headers.get("message-id", "")
        is_mac = sys.platform == "darwin"
        if message_id and (is_mac or any(OWN not in each for each in programs_for(MID))):
            open_address(message_address(message_id))
            return
        programs = [] if is_mac else programs_for(MAIL_FILE)
        other = next((each for each in programs if OWN not in each), "")
        if not programs or programs[0] == other:
            open_file(found.path)
        elif not (
            other
            and QProcess.startDetached(
                "gtk-launch", [other.removesuffix(".desktop"), str(found.path)]
            )[0]
        ):
            self._report(tr("No other program on this computer opens messages."))

    def _reply(self, found: MessageFile) -> None:
        address = reply_address(found.headers)
        open_address(address) if address else self._report(
            tr("This message has no sender to answer.")
        )

    # --------------------------------------------------------------------------------------------------------
    # rules

    def _ask_rule(self) -> None:
        """Ask for a rule for the sender of the selected message."""
        messages = self._marking.target.selected_messages()
        senders = (
            addresses_of(self._model.mail.heading_of(messages[0])[0]) if len(messages) == 1 else []
        )
        if senders and senders[0]:
            RuleDialog(self._window, senders[0], self._set_rule).open()
        else:
            self._report(tr("Select one message with a sender."))

    def _list_rules(self) -> None:
        remove = lambda rule: self._set_rule(rule._replace(verdict=""))  # noqa: E731
        self._engine.list_rules().then(
            lambda rules: RulesDialog(self._window, rules, remove).open()
        )

    def _set_rule(self, rule: SenderRule) -> None:
        def report(done: Marked) -> None:
            text = tr("{sender}: {rule}.").format(sender=rule.sender, rule=rule_text(rule.verdict))
            self._report(
                join_sentences(text, changed_verdicts_text(done.changed_verdicts)),
                undo=True,
            )

        self._marking.begun()
        self._status.follow(self._engine.set_rule(rule), tr("Applying rule"), report)

    # ------------------------------------------------------------------------------------------------
    # unsubscribing

    def _unsubscribe(self, message: int) -> None:
        if self._model.mail.effective_class[self._model.mail.find([message])[0]] == SPAM:
            self._report(
                tr("nbmail doesn't unsubscribe from spam: it would tell the sender that you exist.")
            )
        else:
            self._engine.read_unsubscribe(message).then(self.ask_to_unsubscribe)

    def ask_to_unsubscribe(self, offer: UnsubscribeOffer) -> None:
        """Ask whether to send one request to the server of the list, or to open a message to its
        address.
        """
        if not (offer.one_click or offer.mail):
            self._report(
                tr("This message offers no way to unsubscribe that your mail server could verify.")
            )
            return
        text = tr("Unsubscribe from messages of {sender}?").format(sender=offer.sender)
        more = tr(
            "Your mail program opens with a message to {address}. Send it to unsubscribe."
        ).format(address=urlsplit(offer.mail).path)
        if offer.one_click:
            more = tr(
                "nbmail sends one request to {host}, without cookies. The server learns your "
                "IP address and which "
                "message you received."
            ).format(host=urlsplit(offer.one_click).hostname)
        if offer.moment:
            earlier = tr("You unsubscribed on {date}. The answer was: {answer}")
            more = f"{earlier.format(date=moment_in_full(offer.moment), answer=offer.answer)}\n\n{more}"
        box = question_box(self._window, tr("Unsubscribe?"), text, more)
        open_question(box, tr("Unsubscribe"), tr("Cancel"), lambda: self._send(offer))

    def _send(self, offer: UnsubscribeOffer) -> None:
        def report(answer: int | ErrorCode) -> None:
            """Report the status that the server answered, or the reason why there is none."""
            if isinstance(answer, ErrorCode):
                self._report(
                    tr("Not unsubscribed. {reason}").format(reason=error_notice(answer).sentence)
                )
                return
            accepted = tr("{host} accepted the request to unsubscribe (status {status}).")
            refused = tr("{host} did not accept the request to unsubscribe (status {status}).")
            text = accepted if 200 <= answer < 300 else refused
            text = text.format(host=urlsplit(offer.one_click).hostname, status=answer)
            self._engine.note_unsubscribed(offer.message, text)
            self._report(text)

        if offer.one_click:
            self._report(tr("Unsubscribing…"))
            self._desktop.unsubscribe(offer.one_click, report)
        else:
            open_address(offer.mail)
            self._engine.note_unsubscribed(offer.message, tr("handed to your mail program"))
