"""Plan of what to fetch: the stored state of a folder compared with the server's. Pure functions."""

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
    """UIDs to fetch, newest first, expunged UIDs and changed flags. `reset`: all stored locations
    are invalid.
    """

    fetch: tuple[int, ...]
    expunged: frozenset[int]
    flags: dict[int, frozenset[str]]
    reset: bool


def make_plan(stored: StoredFolder, state: ServerState, newest: int = 0) -> FetchPlan:
    """Compare the stored state with the server's. Another UIDVALIDITY invalidates everything
    stored.

    `newest`: fetch only messages among that many newest ones, and later arrivals; 0 for all.
    """
    reset = stored.validity != state.validity
    known = {} if reset else stored.flags
    expunged = (
        known.keys() - state.flags.keys() if state.complete else known.keys() & state.expunged
    )
    fetch = sorted(state.flags.keys() - known.keys(), reverse=True)
    if newest:
        first = (
            sorted(state.flags, reverse=True)[:newest]
            if state.complete
            else [max(known, default=0) + 1]
        )
        fetch = [uid for uid in fetch if uid >= min(first, default=0)]
    changed = {uid: flags for uid, flags in state.flags.items() if known.get(uid, flags) != flags}
    return FetchPlan(tuple(fetch), frozenset(expunged), changed, reset)


def apply_delivery(stored: StoredFolder, delivery: Delivery) -> StoredFolder:
    """Return the stored state after a delivery. Takes over the dictionary of `stored`: copies would
    be slow.
    """
    flags = stored.flags if stored.validity == delivery.validity else {}
    for uid in delivery.gone:
        flags.pop(uid, None)
    flags.update((uid, each) for uid, each in delivery.flags.items() if uid in flags)
    flags.update((arrival.uid, arrival.flags) for arrival in delivery.arrivals)
    modseq = stored.modseq if stored.validity == delivery.validity else 0
    return StoredFolder(delivery.validity, delivery.modseq if delivery.complete else modseq, flags)
