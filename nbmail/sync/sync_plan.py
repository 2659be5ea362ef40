"""What is to be done so that a folder is in step: a pure function of what is known and what is there."""

from dataclasses import dataclass, field

from nbmail.values import Delivery, FolderMemory


@dataclass(frozen=True, slots=True)
class Survey:
    """What is there. `whole`: `flags` names every message. Else only what is new or changed, and `gone` what isn't
    there any more. `modseq` is the state that `flags` describes.
    """

    validity: int
    modseq: int = 0
    flags: dict[int, frozenset[str]] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """What to fetch, newest first, what has gone, which flags are other than known. `fresh`: nothing known counts."""

    fetch: tuple[int, ...]
    gone: frozenset[int]
    flags: dict[int, frozenset[str]]
    fresh: bool


def make_plan(memory: FolderMemory, survey: Survey) -> FetchPlan:
    """Compare what is known with what is there. Another UIDVALIDITY makes all that is known worthless."""
    fresh = memory.validity != survey.validity
    known = {} if fresh else memory.flags
    there = survey.flags
    gone = known.keys() - there.keys() if survey.whole else known.keys() & survey.gone
    fetch = sorted(there.keys() - known.keys(), reverse=True)
    changed = {uid: flags for uid, flags in there.items() if known.get(uid, flags) != flags}
    return FetchPlan(tuple(fetch), frozenset(gone), changed, fresh)


def advance(memory: FolderMemory, delivery: Delivery) -> FolderMemory:
    """What is known once the delivery is stored. Takes over the dictionary of `memory`, which is not to be used again.

    A hundred thousand known messages must not be copied for each that arrives.
    """
    flags = memory.flags if memory.validity == delivery.validity else {}
    for uid in delivery.gone:
        flags.pop(uid, None)
    flags.update((uid, each) for uid, each in delivery.flags.items() if uid in flags)
    flags.update((arrival.uid, arrival.flags) for arrival in delivery.arrivals)
    stays = memory.modseq if memory.validity == delivery.validity else 0
    return FolderMemory(delivery.validity, delivery.modseq if delivery.complete else stays, flags)
