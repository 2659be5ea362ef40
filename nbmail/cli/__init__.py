"""nbmail without a window: one module a command."""

import os
from collections.abc import Sequence

COMMANDS = {
    "learn": ("learn", "teach it which mail is junk and which is good"),
    "score": ("score", "say how likely messages are junk"),
    "evaluate": ("evaluate", "measure how well a method sorts the messages of an index, or your own"),
    "export": ("models", "write what was learned to a file"),
    "import": ("models", "take what another nbmail or another filter has learned"),
    "labels": ("labels", "write all labels to a table (CSV), or take some in"),
    "doctor": ("doctor", "check that nothing is lost or wrong"),
}
"""Each command's module, and what it does in few words. Only the module of the command that is named is loaded."""


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
