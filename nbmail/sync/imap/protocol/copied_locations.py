"""Parser of COPYUID: the new locations of copied or moved messages."""

from itertools import chain, islice

from nbmail.sync.imap.protocol.uid_sets import uid_ranges
from nbmail.values import ServerLocation

# A range may name four billion UIDs; no command copies more messages than these.
_MOST = 10_000


def read_copied_locations(answer: bytes, target: str) -> dict[int, ServerLocation] | None:
    """Return the locations of copies in the folder `target` by original UID. None without COPYUID.

    `answer`: UIDVALIDITY, UIDs and UIDs of the copies.
    """
    parts = answer.partition(b"]")[0].split()
    if len(parts) < 3 or not parts[0].isdigit():
        return None
    validity = int(parts[0])
    copies = zip(_uids(parts[1]), _uids(parts[2]), strict=False)
    return {before: ServerLocation(target, validity, after) for before, after in copies}


def _uids(text: bytes) -> list[int]:
    return list(islice(chain.from_iterable(uid_ranges(text)), _MOST))
