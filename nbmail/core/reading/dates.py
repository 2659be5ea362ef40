"""When a message was written, by its own account."""

from __future__ import annotations

from email.utils import mktime_tz, parsedate_tz


def moment_of(date: str) -> float:
    """A date header as seconds since 1970; 0.0 where it says nothing."""
    try:
        parts = parsedate_tz(date)
        return float(mktime_tz(parts)) if parts else 0.0
    except (ValueError, OverflowError, IndexError):
        return 0.0
