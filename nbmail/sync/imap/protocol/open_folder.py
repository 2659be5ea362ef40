"""Data of the open folder: the responses to SELECT."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from nbmail.errors import ErrorCode, KnownError

FolderCounts = dict[bytes, int]
"""Numbers of a STATUS response by item in capitals, such as `b"UIDNEXT"`."""

# A modseq has 63 bits.
_LONGEST_NUMBER = 18
_PERMANENT = re.compile(rb"\[PERMANENTFLAGS \(([^()]*)\)\]", re.IGNORECASE)
_STATUS_ITEM = re.compile(rb"([A-Z]+) (\d{1,18})(?!\d)", re.IGNORECASE)


class OpenFolder(NamedTuple):
    """Data of the open folder.

    - `permanent`: flags that the server stores, in lower case.
    - `resumed`: the changes of QRESYNC were requested.
    - `responses`: all responses by kind, including these changes.
    - `other_state`: state of another folder that was requested together; empty if refused.
    """

    name: str
    validity: int
    exists: int
    modseq: int
    permanent: frozenset[str]
    writable: bool
    resumed: bool
    responses: dict[str, list[Any]]
    other_state: FolderCounts

    def allows(self, keyword: str) -> bool:
        """True if the server stores this keyword permanently."""
        return self.writable and ("\\*" in self.permanent or keyword.lower() in self.permanent)


def read_opened(name: str, responses: dict[str, list[Any]], *, resumed: bool) -> OpenFolder:
    """Parse the responses to SELECT. Raise `KnownError` without a UIDVALIDITY."""
    validity = _number(responses, "UIDVALIDITY")
    if not validity:
        raise KnownError(ErrorCode.SERVER_BROKEN, f"{name}: no UIDVALIDITY")
    return OpenFolder(
        name,
        validity,
        exists=_number(responses, "EXISTS"),
        modseq=_number(responses, "HIGHESTMODSEQ"),
        permanent=_permanent_flags(responses),
        writable="READ-ONLY" not in responses,
        resumed=resumed,
        responses=responses,
        other_state=_status(responses),
    )


def _number(responses: dict[str, list[Any]], kind: str) -> int:
    """Return the number of the last response of a kind, 0 if there is none."""
    text = responses.get(kind, [b""])[-1].partition(b"]")[0]
    return int(text) if text.isdigit() and len(text) <= _LONGEST_NUMBER else 0


def _permanent_flags(responses: dict[str, list[Any]]) -> frozenset[str]:
    flags = set[str]()
    for line in responses.get("OK", []):
        found = _PERMANENT.match(line)
        if found is not None:
            flags.update(found.group(1).decode("ascii", "replace").lower().split())
    return frozenset(flags)


def _status(responses: dict[str, list[Any]]) -> FolderCounts:
    lines = responses.get("STATUS", [])
    if not lines or not isinstance(lines[-1], bytes):
        return {}
    # The name of the folder is before the last bracket.
    items = lines[-1].rpartition(b"(")[2]
    matches = _STATUS_ITEM.finditer(items)
    return {found[1].upper(): int(found[2]) for found in matches}
