"""Keeps the message and its evidence in step with the row under the cursor."""

from collections.abc import Callable, Iterable, Mapping
from math import isnan, nan
from typing import Any

from PySide6.QtCore import QElapsedTimer, QObject

from nbmail.ui.evidence.reasons_panel import ReasonsPanel
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import single_shot_timer
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.values import AccountState, LabelSource, Phase, SourcedLabel
from nbmail.worker.protocol import (
    Body,
    BodyCame,
    Command,
    Explain,
    Explanation,
    Failed,
    FetchWhole,
    FindLabelSource,
    MessageText,
    ReadMessage,
)

PAUSE_MILLISECONDS = 25
"""Holding an arrow key down shall ask for one message, not for every one passed."""
CALM_MILLISECONDS = 1000
"""While mail floods in the evidence changes with every message learned; each look at it costs the window a frame."""
ALL = 2_000
"""Words of a message that are asked for: each can be looked at. More than these few messages have; they take 80 ms."""
SAME = 1e-6
"""Scores that differ by less are the same score, added up in another order."""
AWAY = (Phase.OFFLINE, Phase.NEEDS_YOU, Phase.STOPPED)
"""Phases in which an account fetches nothing. One that has none yet isn't running."""


class OpenMessage(QObject):
    """Asks for the text and the evidence of one message at a time. Has no signals of its own.

    `states` are those of the accounts: they say whether a text that isn't kept can come. `_wanted` is the message under
    the cursor, `_read` and `_explained` are those whose text and evidence are on the screen.
    """

    def __init__(
        self,
        requests: EngineRequests,
        message: MessagePane,
        evidence: ReasonsPanel,
        states: Mapping[str, AccountState],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._states = states
        self._body, self._asked = Body.WHOLE, tuple[str, ...]()
        message.whole.clicked.connect(self._load_whole)
        self._requests, self._message, self._evidence = requests, message, evidence
        self._wanted = -1
        self._read = self._explained = -1
        self._tickets: dict[str, Any] = {}
        self._timer = single_shot_timer(self, PAUSE_MILLISECONDS, self._ask)
        self._looked = QElapsedTimer()

    def go_to(self, message: int) -> None:
        """Show this message, -1 for none."""
        self._wanted = message
        if message < 0:
            self._timer.stop()
            self._read = -1
            self._body = Body.WHOLE
            self._message.clear()
            self._evidence.clear()
        else:
            self._timer.start(PAUSE_MILLISECONDS)

    @property
    def message(self) -> int:
        """The message that is shown, or about to be, -1 for none."""
        return self._wanted

    def look_again(self, log_odds: float, probability: float, verdict: str) -> None:
        """The list says this now: ask why anew if that is news, at once after a pause and now and then in a flood."""
        why = self._evidence.why
        if self._wanted < 0 or not (why is None or _differs(why, log_odds, probability, verdict)):
            return
        if why is not None and self._explained == self._wanted:
            self._evidence.expect(None if isnan(probability) else probability, verdict, log_odds)
        if not self._timer.isActive():
            since = self._looked.elapsed() if self._looked.isValid() else CALM_MILLISECONDS
            self._timer.start(max(PAUSE_MILLISECONDS, CALM_MILLISECONDS - since))

    def ask_again(self) -> None:
        """What is said of the score is old, whatever the list says."""
        if self._wanted >= 0:
            self._timer.start(PAUSE_MILLISECONDS)

    def show_source(self, label: str | None, label_source: LabelSource | None) -> None:
        """The list says that this is the label and who gave it: ask anew if that is news."""
        given = self._evidence.given
        if self._wanted >= 0 and (label, label_source) != (
            (given.label, given.label_source) if given else (None, None)
        ):
            self._request_source()

    def take_body(self, came: BodyCame) -> None:
        """A text has come, or won't."""
        if came.message != self._wanted or came.message != self._read:
            return
        if came.found:
            self._read = -1
            self._timer.start(PAUSE_MILLISECONDS)
        else:
            self._note_body(Body.PART if self._body is Body.PART else Body.ABSENT, ())

    def look_at_accounts(self) -> None:
        """They are other than they were: what is said of a text that is to come may be, too."""
        offer = self._body is Body.PART and not self._asked
        self._message.say_lack(_body_words(self._body, self._asked, self._states), offer=offer)

    def _note_body(self, body: Body, asked: Iterable[str]) -> None:
        self._body, self._asked = body, tuple(asked)
        self.look_at_accounts()

    def _load_whole(self) -> None:
        message = self._read

        def note_asked(asked: tuple[str, ...]) -> None:
            if message == self._read:
                self._note_body(Body.PART, asked)

        if message >= 0:
            self._requests.ask(FetchWhole(message), note_asked)

    def _ask(self) -> None:
        if self._read != self._wanted:
            self._question("text", ReadMessage(self._wanted), self._show_text)
        else:
            self._looked.start()
        self._request_source()
        self._question("why", Explain(self._wanted, ALL), self._show_why)

    def _request_source(self) -> None:
        message = self._wanted
        self._question("who", FindLabelSource(message), lambda given: self._show_source(message, given))

    def _show_source(self, message: int, given: SourcedLabel | None) -> None:
        if message == self._wanted:
            self._evidence.show_given(given)

    def _question(self, name: str, command: Command, answered: Callable[[Any], None]) -> None:
        if name in self._tickets:
            self._requests.forget(self._tickets.pop(name))
        self._tickets[name] = self._requests.ask(command, answered, failed=self._show_failure)

    def _show_text(self, text: MessageText) -> None:
        self._read = text.message
        self._message.show_message(text)
        self._note_body(text.body, text.accounts)
        if self._evidence.why is not None:
            self._message.tint_words(self._evidence.why)

    def _show_why(self, why: Explanation) -> None:
        self._evidence.show_evidence(why)
        if self._explained != self._wanted:
            self._explained = self._wanted
            self._evidence.scroll_to_top()
        self._message.tint_words(why)

    def _show_failure(self, failure: Failed) -> None:
        advice = error_notice(failure.error_code, failure.detail)
        self._message.clear(f"{advice.sentence} {advice.advice}")
        self._evidence.clear()


def _differs(why: Explanation, log_odds: float, probability: float, verdict: str) -> bool:
    """Whether the list shows another score than the evidence; the list's log-odds are not calibrated."""
    if isnan(log_odds):
        return False
    shown = nan if why.probability is None else why.probability
    same = abs(why.log_odds - why.calibration - log_odds) <= SAME
    return not same or why.verdict != verdict or (isnan(shown) != isnan(probability)) or abs(shown - probability) > SAME


def _body_words(body: Body, asked: Iterable[str], states: Mapping[str, AccountState]) -> str:
    """One line on what is missing of a text; empty where nothing is. `asked` are the accounts it is fetched from."""
    if body is Body.WHOLE:
        return ""
    names = list(asked)
    if body is Body.PART and not names:
        return tr("Only the first part of this large message was fetched.")
    if body is Body.ABSENT or not names:
        return tr("The text of this message isn't kept any more, and its mailbox doesn't have it either.")
    if all(name not in states or states[name].phase in AWAY for name in names):
        text = tr("{account} can't be reached just now. The rest is fetched as soon as it can.")
        if body is Body.COMING:
            text = tr("The text isn't kept any more and {account} can't be reached now. It is fetched when it can.")
        return text.format(account=names[0])
    return tr("Fetching it again…") if body is Body.COMING else tr("Fetching all of it…")
