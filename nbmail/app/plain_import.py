"""Python's import without what PySide6 adds to it."""

from __future__ import annotations

import builtins


def import_plainly() -> None:
    """Take away, once PySide6 is loaded, what it does at every import from then on.

    It looks for its alternative spellings (`from __feature__ import …`), which nobody uses here, and for that reads
    the source of every module imported after it: an eighth of the time until the window has all its parts.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
