"""Decisions about arriving messages, printed once their action is known."""

import json
import sys
import time

from nbmail.cli.output import say
from nbmail.cli.watching.decision import Decision, action_text, decision_of
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.errors import KnownError
from nbmail.values import Rows
from nbmail.worker.engine.engine import Engine

INBOX = "INBOX"
STRONGEST = 3
"""Reasons of each decision."""
WAIT = 60.0
"""Seconds to wait for the engine."""
ENDING_SECONDS = 30.0
"""Seconds that a decision waits for its move."""


class DecisionLog:
    """Decides about new messages of the inbox, and prints each decision with its action."""

    def __init__(self, engine: Engine, *, as_json: bool) -> None:
        self._engine = engine
        self._as_json = as_json
        self._known: set[int] = set()
        # Decisions that are not printed yet, and when they were made.
        self._open: dict[int, tuple[Decision, float]] = {}
        # Numbers of the moves that are printed: each in the journal of sorting.
        self._printed: set[int] = set()

    def skip_stored(self) -> None:
        """Decide nothing about the messages that are stored now."""
        self._known.update(self._engine.list_mail().result().messages.tolist())

    def decide(self, rows: Rows) -> None:
        """Take the decisions about new, unlabelled messages of the inbox."""
        for place, message in enumerate(rows.messages.tolist()):
            folder, _ = rows.folders_of(place)[0]
            if message in self._known or folder.folder != INBOX:
                continue
            self._known.add(message)
            if rows.labels[place] < 0:
                self._take(rows, place, message, folder.account)

    def _take(self, rows: Rows, place: int, message: int, account: str) -> None:
        try:
            why = self._engine.explain(message, STRONGEST).result(WAIT)
        except KnownError:
            return
        reasons = [(one.word, one.contribution) for one in why.contributions[:STRONGEST]]
        decision = Decision(
            message=message,
            account=account,
            sender=rows.senders[place],
            subject=rows.subjects[place],
            verdict=why.verdict,
            probability=why.probability,
            reasons=tuple(reasons),
        )
        self._open[message] = (decision, time.monotonic())

    def open_accounts(self) -> list[str]:
        """Return the accounts of the decisions that are not printed yet."""
        return [decision.account for decision, _ in self._open.values()]

    def report(self, *, is_end: bool = False) -> None:
        """Print each decision once its action is known, at the end, or after `ENDING_SECONDS`."""
        for message, (decision, moment) in list(self._open.items()):
            found = self._find(message)
            is_old = time.monotonic() - moment > ENDING_SECONDS
            if is_end or is_old or not _is_moving(found):
                del self._open[message]
                self._print(self._completed(decision, found))

    def _completed(self, decision: Decision, found: SortedMessage | None) -> Decision:
        """Return the decision with its action, or the filing that replaced it."""
        if found is not None and found.state is SortedState.MOVED:
            self._printed.add(found.number)
            if found.target:
                return decision_of(found)
        return decision._replace(action=action_text(found))

    def report_moves(self, messages: tuple[int, ...]) -> None:
        """Print moves whose decision was printed without them, or in an earlier session."""
        for message in messages:
            found = self._find(message)
            if found is None or message in self._open or found.number in self._printed:
                continue
            self._printed.add(found.number)
            self._print(decision_of(found))

    def _find(self, message: int) -> SortedMessage | None:
        return self._engine.find_sorted(message).result(WAIT)

    def _print(self, decision: Decision) -> None:
        say(json.dumps(decision._asdict()) if self._as_json else decision.text)
        sys.stdout.flush()


def _is_moving(found: SortedMessage | None) -> bool:
    return found is not None and found.state in (SortedState.NEW, SortedState.MOVING)
