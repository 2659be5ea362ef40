"""Sets of UIDs in commands and responses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice

from nbmail.values import ServerLocation

# About 6,000 bytes: Dovecot accepts 8,000 UIDs in a command but not 12,000, other servers fewer.
MAX_UIDS_IN_SET = 500
MAX_RANGE_LENGTH = 21
# A range may name four billion UIDs; no command copies more messages than these.
MOST_COPIED = 10_000
_VANISHED = re.compile(rb"(?:\(EARLIER\) )?([\d:,]+)", re.IGNORECASE)


def vanished(text: bytes) -> list[range]:
    """Return the UIDs of a VANISHED response as ranges: it may name four billion UIDs."""
    found = _VANISHED.match(text)
    return list(uid_ranges(found.group(1))) if found else []


def among(known: Collection[int], ranges: Iterable[range]) -> set[int]:
    """Return the `known` UIDs inside the ranges, in O(n log n) for n UIDs and ranges."""
    ordered = sorted(known)
    found = set[int]()
    done = 0
    for each in sorted(ranges, key=lambda each: each.start):
        first = max(done, bisect_left(ordered, each.start))
        done = max(done, bisect_left(ordered, each.stop))
        found.update(ordered[first:done])
    return found


def uid_ranges(text: bytes) -> Iterator[range]:
    for part in text.split(b","):
        low, _, high = part.partition(b":")
        if low.isdigit() and (high.isdigit() or not high) and len(part) <= MAX_RANGE_LENGTH:
            first, last = sorted((int(low), int(high or low)))
            yield range(first, last + 1)


def uid_sets(uids: Iterable[int], limit: int = MAX_UIDS_IN_SET) -> Iterator[bytes]:
    """Yield sets of at most `limit` UIDs, in the given order."""
    listed = list(uids)
    for start in range(0, len(listed), limit):
        yield b",".join(b"%d" % uid for uid in listed[start : start + limit])


def read_copied_locations(answer: bytes, target: str) -> dict[int, ServerLocation] | None:
    """Read COPYUID: the locations of copies in the folder `target` by original UID.

    `answer`: UIDVALIDITY, UIDs and UIDs of the copies. None without COPYUID.
    """
    parts = answer.partition(b"]")[0].split()
    if len(parts) < 3 or not parts[0].isdigit():
        return None
    validity = int(parts[0])
    copies = zip(_uids(parts[1]), _uids(parts[2]), strict=False)
    return {before: ServerLocation(target, validity, after) for before, after in copies}


def _uids(text: bytes) -> list[int]:
    return list(islice(chain.from_iterable(uid_ranges(text)), MOST_COPIED))
