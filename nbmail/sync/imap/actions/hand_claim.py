"""Claims of messages that the user moves by hand."""

from collections.abc import Collection, Sequence

from nbmail.sync.imap.session import Session
from nbmail.values import AUTOMATIC_CLAIM, HAND_CLAIM

# Seconds between two looks at flags, and looks until a computer has removed its mark or moved the
# message.
YIELDING = 0.1
YIELD_CHECKS = 5
CLAIMS = AUTOMATIC_CLAIM, HAND_CLAIM


def claim_by_hand(session: Session, uids: Sequence[int], mark: str) -> list[int]:
    """Claim messages of the open folder. Return those that this computer may move; the others are
    gone.

    Without CONDSTORE servers overwrite marks: nothing is claimed.
    """
    folder = session.selected
    if not (mark and folder is not None and folder.allows(mark) and session.can("CONDSTORE")):
        return list(uids)
    free = list[int]()
    left = list(uids)
    # Marks of other computers by message.
    ignored = {uid: set[str]() for uid in uids}
    own = {mark, mark.replace(HAND_CLAIM, AUTOMATIC_CLAIM)}

    def look(uids: Collection[int], *, wait: bool) -> dict[int, set[str]]:
        """Return the marks of other computers by message, without messages that are gone."""
        if wait:
            session.client.wake_signal.wait(YIELDING)
        flags = session.flags(sorted(uids)) if uids else {}
        # The server may report other messages as well.
        lower = {uid: {flag.lower() for flag in flags[uid]} - own for uid in uids if uid in flags}
        return {
            uid: {flag for flag in found if flag.startswith(CLAIMS)} for uid, found in lower.items()
        }

    for _ in range(2):
        if not left:
            break
        session.claim(left, mark, 0)
        lost = set[int]()
        waiting = set(left)
        for attempt in range(YIELD_CHECKS):
            new = {
                uid: found - ignored[uid] for uid, found in look(waiting, wait=attempt > 0).items()
            }
            # Claims of automatic moves are below those of moves by hand.
            lost |= {uid for uid, found in new.items() if found and min(found) < mark}
            free += [uid for uid, found in new.items() if not found]
            # A higher mark is removed by its computer.
            waiting = {uid for uid, found in new.items() if found} - lost
            if not waiting:
                break
        free += waiting
        # Other computers move the lost messages. Marks on those that are still there then are old
        # ones.
        left = sorted(lost)
        if left:
            session.store(left, [mark], add=False)
        for _ in range(YIELD_CHECKS):
            if left:
                found = look(left, wait=True)
                ignored |= found
                left = sorted(found)
    return free + left
