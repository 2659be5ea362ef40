"""Controller of the open message: text and reasons follow the current row of the list."""

from collections.abc import Callable, Iterable, Mapping
from math import isnan, nan
from typing import TypeVar

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from nbmail.core.explaining.explanation import Explanation
from nbmail.ui.evidence.reasons_panel import ReasonsPanel
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.message.missing_text import missing_text
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.values import AccountState, LabelSource, Phase, SourcedLabel
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.events import BodyFetched
from nbmail.worker.protocol.messages import Body, MessageText
from nbmail.worker.protocol.ticket import Failed, Ticket

T = TypeVar("T")

PAUSE_MILLISECONDS = 25
"""Delay of queries. While an arrow key is held down only the last message is read."""
FLOOD_MILLISECONDS = 1000
"""Minimum interval of explanations while scores change all the time. Each one costs a frame."""
ALL_WORDS = 2_000
"""Maximum number of explained words, more than nearly all messages have. 2,000 words take 80 ms."""
EQUAL = 1e-6
"""Maximum difference of equal scores: the list and the explanation add in a different order."""


class OpenMessage(QObject):
    """Queries text and explanation of one message at a time.

    `states`: states of the accounts, which determine whether a missing text can be fetched.
    `_wanted`: message under the cursor. `_read` and `_explained`: messages whose text and
    explanation are shown.

    Signals: `chosen(int)`: the message to show, -1 if there is none or the user has not chosen it.
    """

    chosen = Signal(int)

    def __init__(
        self,
        engine: Engine,
        message: MessagePane,
        evidence: ReasonsPanel,
        states: Mapping[str, AccountState],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._message = message
        self._evidence = evidence
        self._states = states
        self._body = Body.WHOLE
        self._accounts = tuple[str, ...]()
        self._wanted = -1
        self._read = -1
        self._explained = -1
        self._forget: dict[str, Callable[[], None]] = {}
        self._timer = single_shot_timer(self, PAUSE_MILLISECONDS, self._query)
        self._since_explained = QElapsedTimer()
        message.notes.load_whole.clicked.connect(self._load_whole)

    def go_to(self, message: int, *, chosen: bool = True) -> None:
        """Show a message, -1 for none. `chosen`: by the user, not by default."""
        self._wanted = message
        self.chosen.emit(message if chosen else -1)
        if message < 0:
            self._show_nothing()
        else:
            self._timer.start(PAUSE_MILLISECONDS)

    def _show_nothing(self) -> None:
        self._timer.stop()
        for forget in self._forget.values():
            forget()
        self._read = -1
        self._body = Body.WHOLE
        self._message.clear()
        self._evidence.clear()

    @property
    def message(self) -> int:
        """The message that is shown or about to be shown, -1 for none."""
        return self._wanted

    def compare_score(self, log_odds: float, probability: float, verdict: str) -> None:
        """Explain the message again if the list shows another score.

        That happens after a pause, at most once a second.
        """
        if self._wanted < 0:
            return
        why = self._evidence.why
        if why is not None and not _differs(why, log_odds, probability, verdict):
            return
        if why is not None and self._explained == self._wanted:
            self._evidence.expect(None if isnan(probability) else probability, verdict, log_odds)
        if not self._timer.isActive():
            self._timer.start(self._flood_pause())

    def _flood_pause(self) -> int:
        """Return the milliseconds until the next explanation."""
        if not self._since_explained.isValid():
            return PAUSE_MILLISECONDS
        return max(PAUSE_MILLISECONDS, FLOOD_MILLISECONDS - self._since_explained.elapsed())

    def explain_again(self) -> None:
        """Explain the message again although its score in the list is unchanged."""
        if self._wanted >= 0:
            self._timer.start(PAUSE_MILLISECONDS)

    def compare_label(self, label: str | None, label_source: LabelSource | None) -> None:
        """Query the label source again if the list shows another label or source."""
        known = self._evidence.sourced_label
        shown = (known.label, known.label_source) if known else (None, None)
        if self._wanted >= 0 and (label, label_source) != shown:
            self._query_label_source()

    def take_body(self, came: BodyFetched) -> None:
        """Read the text again after it was fetched, or show that it is missing."""
        if came.message != self._wanted or came.message != self._read:
            return
        if came.found:
            self._read = -1
            self._timer.start(PAUSE_MILLISECONDS)
        else:
            missing = Body.PART if self._body is Body.PART else Body.ABSENT
            self._note_body(missing, ())

    def update_missing(self) -> None:
        """Update the note on a missing text after a change of the accounts."""
        text = missing_text(self._body, self._accounts, self._states)
        can_load = self._body is Body.PART and not self._accounts
        self._message.show_missing(text, offer=can_load)

    def _note_body(self, body: Body, accounts: Iterable[str]) -> None:
        self._body = body
        self._accounts = tuple(accounts)
        self.update_missing()

    def _load_whole(self) -> None:
        message = self._read

        def note_accounts(accounts: tuple[str, ...]) -> None:
            if message == self._read:
                self._note_body(Body.PART, accounts)

        if message >= 0:
            self._engine.fetch_whole(message).then(note_accounts)

    def _query(self) -> None:
        if self._read != self._wanted:
            self._request("text", self._engine.read_message(self._wanted), self._show_text)
        else:
            self._since_explained.start()
        self._query_label_source()
        self._request("why", self._engine.explain(self._wanted, ALL_WORDS), self._show_why)

    def _query_label_source(self) -> None:
        message = self._wanted

        def show(sourced: SourcedLabel | None) -> None:
            # Another message may be wanted, whose query waits for the pause.
            if message == self._wanted:
                self._evidence.show_label_source(sourced)

        self._request("source", self._engine.find_label_source(message), show)

    def _request(self, name: str, ticket: Ticket[T], show: Callable[[T], object]) -> None:
        """Show the result of a query, and forget the previous one of this name."""
        if name in self._forget:
            self._forget[name]()
        self._forget[name] = ticket.then(show, failed=self._show_failure).forget

    def _show_text(self, text: MessageText) -> None:
        self._read = text.message
        phases = {state.phase for state in self._states.values()}
        if phases & {Phase.CONNECTING, Phase.WORKING}:
            # Earlier messages of the sender may be among those that are still to come.
            text = text._replace(sender=text.sender._replace(first=False))
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
        self._message.clear()
        self._message.failure.show_failure(failure)
        self._evidence.clear()


def _differs(why: Explanation, log_odds: float, probability: float, verdict: str) -> bool:
    """True if the list shows another score than the explanation.

    The list's log-odds are not calibrated.
    """
    if isnan(log_odds):
        return False
    if abs(why.score - log_odds) > EQUAL or why.verdict != verdict:
        return True
    shown = nan if why.probability is None else why.probability
    return isnan(shown) != isnan(probability) or abs(shown - probability) > EQUAL
