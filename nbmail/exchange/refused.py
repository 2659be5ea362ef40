"""Files that are known and can't be read: why, and what to do instead."""

from pathlib import Path

_FROM_FOLDERS = "no word comes back from them; let nbmail learn from the folders of sorted mail instead"
_KNOWN: tuple[tuple[tuple[bytes, ...], str], ...] = (
    (
        (b"** This file contains an SQLite 2",),
        "it is POPFile's database of SQLite 2: start POPFile 1.1 or later once, which converts it",
    ),
    ((b"__CORPUS__ __VERSION__",), "it is a bucket of POPFile before 0.20: start POPFile 1.1 or later once"),
    (
        (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"(dp", b"(lp", b"(i", b"ccopy_reg", b"cspambayes"),
        "it is a Python pickle, which runs what it holds, so nbmail never opens one; export SpamBayes' words as CSV",
    ),
)
_HASHED: tuple[tuple[tuple[bytes, ...], str], ...] = (
    ((b'"learns_spam"', b'"learns_ham"', b'"elts"'), "rspamd"),
    ((b"dspam_token_data", b"dspam_stats"), "DSPAM"),
    ((b"CRM114",), "CRM114"),
)


def reason_against(path: Path, start: bytes) -> str:
    """Why a file that begins like this is not read; empty where nothing is known against it."""
    for starts, reason in _KNOWN:
        if start.startswith(starts):
            return reason
    owner = next((owner for marks, owner in _HASHED if any(mark in start for mark in marks)), "")
    if not owner and path.suffix.lower() == ".css" and b"\0" in start:
        owner = "CRM114 or DSPAM"
    return f"it is a store of {owner}, which keeps hashes: {_FROM_FOLDERS}" if owner else ""
