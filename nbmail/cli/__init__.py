"""nbmail without a window: one module a command."""

import os
from collections.abc import Sequence

COMMANDS = {
    "learn": ("nbmail.cli.learn", "add_learn"),
    "score": ("nbmail.cli.score", "add_score"),
    "evaluate": ("nbmail.cli.evaluate", "add_evaluate"),
    "export": ("nbmail.cli.models", "add_export"),
    "import": ("nbmail.cli.models", "add_import"),
    "labels": ("nbmail.cli.labels", "add_labels"),
    "doctor": ("nbmail.cli.doctor", "add_doctor"),
}
"""Each command's module and the function in it that adds it; only the module of the command that is named is loaded."""


def command_in(arguments: Sequence[str]) -> list[str]:
    """The arguments as a command takes them, its name first; empty if they are for the window, as files of mail are.

    A home may be named before the command as well. The window then need not wait for this room to be loaded.
    """
    before: list[str] = []
    behind = list(arguments)
    while behind and behind[0].partition("=")[0] == "--home":
        count = 1 if "=" in behind[0] else 2
        before, behind = [*before, *behind[:count]], behind[count:]
    if not behind or (behind[0].startswith("-") and behind[0] not in ("-h", "--help")):
        return []
    if behind[0] not in COMMANDS and os.path.exists(behind[0]):
        return []
    return [behind[0], *before, *behind[1:]]
