"""Moves that users request, of which several computers may run the same at the same moment.

Each computer sets its mark, a keyword, on the messages and reads their flags back. The lowest mark wins: its computer
moves, the others remove their marks and wait until the message is gone. A mark stays on the moved message. So a lower
mark that is still there after this wait is an old one, or its computer ended: it is ignored.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from nbmail.sync.imap.session import Session
from nbmail.values import AUTOMATIC_CLAIM, HAND_CLAIM

# Seconds between two looks at flags, and looks until a computer has removed its mark or moved the message.
YIELDING, YIELD_CHECKS = 0.1, 5


class HandClaims(NamedTuple):
    """Claims with the keyword `mark` on messages of the open folder. Without CONDSTORE, servers overwrite marks."""

    session: Session
    mark: str

    @property
    def is_possible(self) -> bool:
        folder = self.session.selected
        return bool(self.mark) and folder is not None and folder.allows(self.mark) and self.session.can("CONDSTORE")

    def claim(self, uids: Collection[int]) -> list[int]:
        """Return those of the messages that this computer may move. The others are gone."""
        free, left = list[int](), list(uids)
        ignored = dict.fromkeys(left, frozenset[str]())
        for _ in range(2):
            if left:
                self.session.claim(left, self.mark, 0)
                won, lost = self._compare(left, ignored)
                free += won
                left = self._left_after_yielding(lost, ignored)
        return free + left

    def _compare(
        self, uids: Collection[int], ignored: Mapping[int, frozenset[str]]
    ) -> tuple[Collection[int], Collection[int]]:
        """Return the messages without a lower mark, and those with one. Wait for higher marks to be removed."""
        won, lost, waiting = set[int](), set[int](), set(uids)
        for attempt in range(YIELD_CHECKS):
            others = self._others(waiting, wait=attempt > 0)
            waiting = set()
            for uid, marks in others.items():
                new = marks - ignored[uid]
                yields = any(mark.startswith(AUTOMATIC_CLAIM) or mark < self.mark for mark in new)
                (lost if yields else waiting if new else won).add(uid)
            if not waiting:
                break
        return won | waiting, lost

    def _left_after_yielding(self, uids: Collection[int], ignored: dict[int, frozenset[str]]) -> list[int]:
        """Let other computers move messages. Return those that are still there, and ignore their marks from now on."""
        if uids:
            self.session.store(uids, [self.mark], add=False)
        for _ in range(YIELD_CHECKS):
            if uids:
                others = self._others(uids, wait=True)
                ignored |= others
                uids = others.keys()
        return sorted(uids)

    def _others(self, uids: Collection[int], *, wait: bool) -> dict[int, frozenset[str]]:
        """Return the marks of other computers by message, without messages that are gone."""
        if wait:
            self.session.client.wake_signal.wait(YIELDING)
        found = self.session.flags(sorted(uids)) if uids else {}
        # The server may report other messages as well.
        return {uid: self._marks(found[uid]) for uid in uids if uid in found}

    def _marks(self, flags: Iterable[str]) -> frozenset[str]:
        own = (self.mark, self.mark.replace(HAND_CLAIM, AUTOMATIC_CLAIM))
        marks = (flag.lower() for flag in flags)
        return frozenset(mark for mark in marks if mark.startswith((AUTOMATIC_CLAIM, HAND_CLAIM)) and mark not in own)
