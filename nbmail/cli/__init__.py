"""nbmail without a window: one module a command."""

from __future__ import annotations

from collections.abc import Sequence


def names_command(arguments: Sequence[str]) -> bool:
    """Whether these arguments are for a command rather than for the window, which then need not wait for this room."""
    return bool(arguments) and (arguments[0] in ("-h", "--help") or not arguments[0].startswith("-"))
