"""Texts about model files that several commands print."""

from collections.abc import Sequence


def learned_from(classes: Sequence[tuple[str, int]]) -> str:
    """Return the numbers of messages that a model learned, by class."""
    if not classes:
        return "no messages"
    return ", ".join(f"{messages} {name}" for name, messages in classes)
