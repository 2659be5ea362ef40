"""Claims of messages that the user moves by hand.

Several computers may run the same move at the same moment. Each marks the messages with a keyword
of its own and reads their flags back. The lowest mark wins: its computer moves, the others remove
their marks and wait until the message is gone. A mark stays on the moved message. So a lower mark
that is still there after this wait is an old one, or its computer ended: it is ignored.
"""

from collections.abc import Collection, Sequence

from nbmail.sync.imap.session import Session
from nbmail.values import AUTOMATIC_CLAIM, HAND_CLAIM

# Seconds between two looks at flags, and looks until a computer has removed its mark or moved the
# message.
YIELDING = 0.1
YIELD_CHECKS = 5
_CLAIMS = (AUTOMATIC_CLAIM, HAND_CLAIM)
# After the second one, lower marks are old ones.
_ROUNDS = 2


def claim_by_hand(session: Session, uids: Sequence[int], mark: str) -> list[int]:
    """Claim messages of the open folder.

    Return those that this computer may move; the others are gone. Without CONDSTORE servers
    overwrite marks: nothing is claimed.
    """
    folder = session.selected
    keeps_mark = bool(mark) and folder is not None and folder.allows(mark)
    if not keeps_mark or not session.can("CONDSTORE"):
        return list(uids)
    claim = _HandClaim(session, uids, mark)
    for _ in range(_ROUNDS):
        if claim.left:
            claim.compete()
    return claim.won + claim.left


class _HandClaim:
    """Claim of messages with one mark. `won`: this computer may move them. `left`: undecided."""

    def __init__(self, session: Session, uids: Sequence[int], mark: str) -> None:
        self._session = session
        self._mark = mark
        self._own_marks = {mark, mark.replace(HAND_CLAIM, AUTOMATIC_CLAIM)}
        # Old marks of other computers.
        self._ignored = {uid: set[str]() for uid in uids}
        self.left = list(uids)
        self.won: list[int] = []

    def compete(self) -> None:
        """Mark the messages, and leave those with lower marks to their computers."""
        self._session.claim(self.left, self._mark, 0)
        lost = self._read_back()
        if lost:
            self._session.store(lost, [self._mark], add=False)
        self.left = self._wait_until_moved(lost)

    def _read_back(self) -> list[int]:
        """Return the messages with a lower mark, in order. The others are won."""
        lost = set[int]()
        waiting = set(self.left)
        for attempt in range(YIELD_CHECKS):
            if attempt:
                self._session.wait(YIELDING)
            undecided = set[int]()
            for uid, marks in self._other_marks(waiting).items():
                new = marks - self._ignored[uid]
                if not new:
                    self.won.append(uid)
                # Claims of automatic moves are below those of moves by hand.
                elif min(new) < self._mark:
                    lost.add(uid)
                else:
                    # A higher mark is removed by its computer.
                    undecided.add(uid)
            waiting = undecided
            if not waiting:
                break
        self.won += waiting
        return sorted(lost)

    def _wait_until_moved(self, uids: list[int]) -> list[int]:
        """Return the messages that no other computer moved. Marks on them are old ones."""
        remaining = uids
        for _ in range(YIELD_CHECKS):
            if not remaining:
                break
            self._session.wait(YIELDING)
            marks = self._other_marks(remaining)
            self._ignored |= marks
            remaining = sorted(marks)
        return remaining

    def _other_marks(self, uids: Collection[int]) -> dict[int, set[str]]:
        """Return the marks of other computers by message, without messages that are gone."""
        flags = self._session.flags(sorted(uids)) if uids else {}
        found: dict[int, set[str]] = {}
        for uid in uids:
            # The server may report other messages as well.
            if uid in flags:
                lower = {flag.lower() for flag in flags[uid]} - self._own_marks
                found[uid] = {flag for flag in lower if flag.startswith(_CLAIMS)}
        return found
