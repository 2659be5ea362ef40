"""Plan of what to fetch: a comparison of the stored state of a folder with the server's."""

from collections.abc import Collection
from typing import NamedTuple

from nbmail.values import Delivery, StoredFolder


class ServerState(NamedTuple):
    """State of a folder on the server, or its changes.

    `complete`: `flags` contains all messages. Otherwise it contains the new and changed ones, and
    `expunged` those that were removed. `modseq`: mod-sequence described by `flags`. `keywords`: as
    in `Delivery`.
    """

    validity: int
    modseq: int
    flags: dict[int, frozenset[str]]
    expunged: frozenset[int] = frozenset()
    complete: bool = True
    keywords: bool = True


class FetchPlan(NamedTuple):
    """UIDs to fetch, newest first, expunged UIDs and changed flags.

    `reset`: all stored locations are invalid.
    """

    fetch: tuple[int, ...]
    expunged: frozenset[int]
    flags: dict[int, frozenset[str]]
    reset: bool


def make_plan(stored: StoredFolder, state: ServerState, newest: int = 0) -> FetchPlan:
    """Compare the stored state with the server's.

    Another UIDVALIDITY invalidates everything stored. `newest`: fetch only messages among that many
    newest ones, and later arrivals; 0 for all.
    """
    reset = stored.validity != state.validity
    known = {} if reset else stored.flags
    if state.complete:
        expunged = known.keys() - state.flags.keys()
    else:
        expunged = known.keys() & state.expunged

    fetch = sorted(state.flags.keys() - known.keys(), reverse=True)
    if newest:
        oldest = _oldest_wanted(known, state, newest)
        fetch = [uid for uid in fetch if uid >= oldest]
    changed = {uid: flags for uid, flags in state.flags.items() if known.get(uid, flags) != flags}
    return FetchPlan(tuple(fetch), frozenset(expunged), changed, reset)


def _oldest_wanted(known: Collection[int], state: ServerState, newest: int) -> int:
    if not state.complete:
        # Only later arrivals: the changes don't show how many messages there are.
        return max(known, default=0) + 1
    return min(sorted(state.flags, reverse=True)[:newest], default=0)


def apply_delivery(stored: StoredFolder, delivery: Delivery) -> StoredFolder:
    """Return the stored state after a delivery.

    The dictionary of `stored` is changed and used further: copies would be slow.
    """
    is_valid = stored.validity == delivery.validity
    flags = stored.flags if is_valid else {}
    for uid in delivery.gone:
        flags.pop(uid, None)
    for uid, changed in delivery.flags.items():
        if uid in flags:
            flags[uid] = changed
    for arrival in delivery.arrivals:
        flags[arrival.uid] = arrival.flags

    modseq = stored.modseq if is_valid else 0
    if delivery.complete:
        modseq = delivery.modseq
    return StoredFolder(delivery.validity, modseq, flags)
