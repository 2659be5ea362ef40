"""Known files that nbmail doesn't read: what they are, and what helps instead."""

import re
import struct
from pathlib import Path

_PICKLE = (
    "it is a Python pickle, which can run code, so nbmail never opens one; export the words of "
    "SpamBayes as CSV"
)
_REFUSED = {
    rb"\*\* This file contains an SQLite 2": (
        "it is POPFile's database of SQLite 2: start POPFile 1.1 or later once, which converts it"
    ),
    rb"__CORPUS__ __VERSION__": (
        "it is a bucket of POPFile before 0.20: start POPFile 1.1 or later once"
    ),
    # Protocol 2 or later, or the first instruction of an older one.
    rb"\x80[\x02-\x05]|[(\]}]+(dp\d|lp\d|q.|I\d+\n|K.|i\w|c\w)|c[\w.]+\n\w+\n": _PICKLE,
}
"""Reasons by the pattern of a file's beginning."""
_WITH_HASHES = {
    "rspamd": (b'"learns_spam"', b'"learns_ham"', b'"elts"', b"_lrnspam", b"_lrnham"),
    "DSPAM": (b"dspam_token_data", b"dspam_stats"),
    "CRM114": (b"CRM114",),
}
"""Texts at the beginning of databases that contain hashes instead of words."""
_CDB_TABLES = 256
# Default sizes of CRM114's files: twelve bytes for each feature.
_CRM114_SIZES = {12 * (1 << 20) + 12, 12 * 524_287, 12 * 1_000_003}


def reason_to_refuse(path: Path, start: bytes, size: int) -> str:
    """Return why a file with this beginning and size is not read; empty without a reason."""
    for pattern, reason in _REFUSED.items():
        if re.match(pattern, start, re.DOTALL):
            return reason

    owner = _owner_of_hashes(path, start, size)
    if not owner:
        return ""
    advice = "words can't be recovered from them; let nbmail learn from your mail folders instead"
    return f"it is a database of {owner}, which contains hashes: {advice}"


def _owner_of_hashes(path: Path, start: bytes, size: int) -> str:
    """Return the filter that made a database of hashes; empty for other files."""
    for owner, marks in _WITH_HASHES.items():
        if any(mark in start for mark in marks):
            return owner
    if _is_constant_database(start, size):
        return "rspamd"
    if b"\0" in start and (size in _CRM114_SIZES or path.suffix.lower() == ".css"):
        return "CRM114 or DSPAM"
    return ""


def _is_constant_database(start: bytes, size: int) -> bool:
    """True for a CDB.

    It begins with the positions and lengths of its tables, which follow each other up to the end of
    the file.
    """
    padded = start.ljust(8 * _CDB_TABLES, b"\xff")
    numbers = struct.unpack_from(f"<{2 * _CDB_TABLES}I", padded)
    positions = numbers[::2]
    lengths = numbers[1::2]
    ends = [position + 8 * length for position, length in zip(positions, lengths, strict=True)]
    return ends[-1] == size and list(positions[1:]) == ends[:-1]
