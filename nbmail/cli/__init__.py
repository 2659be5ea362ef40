"""Command line of nbmail. All commands are listed here; each is a module in `cli.commands`."""

import os
from collections.abc import Sequence

COMMANDS = {
    "learn": ("learn", "learn messages as spam, as ham or as a class of your own"),
    "score": ("score", "show the chance of spam of messages"),
    "evaluate": ("evaluate", "measure accuracy on an index or on your own labelled mail"),
    "export": ("export_model", "export the model to a file"),
    "import": ("import_model", "import a model from nbmail or another filter"),
    "labels": ("labels", "export or import all changes of labels"),
    "phrase": ("phrase", "add, list and remove phrases that count like words"),
    "account": ("account", "add, list, change and remove accounts"),
    "watch": ("watch", "synchronize, learn and sort without a window"),
    "doctor": ("doctor", "check the data for errors, and repair them with --repair"),
}
"""Module and help text of each command. Only the module of the given command is imported."""


def command_in(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a command, its name first.

    Empty if they are for the window, as files of mail are.
    `--home DIR` can precede the command. The modules of the command line are not imported for the
    window.
    """
    before: list[str] = []
    behind = list(arguments)
    while behind and behind[0].partition("=")[0] == "--home":
        count = 1 if "=" in behind[0] else 2
        before = [*before, *behind[:count]]
        behind = behind[count:]
    if not behind or (behind[0].startswith("-") and behind[0] not in ("-h", "--help")):
        return []
    if behind[0] not in COMMANDS and os.path.exists(behind[0]):
        return []
    return [behind[0], *before, *behind[1:]]
