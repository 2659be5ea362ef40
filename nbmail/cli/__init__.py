"""nbmail without a window: one module a command."""

from collections.abc import Sequence


def command_in(arguments: Sequence[str]) -> list[str]:
    """The arguments as a command takes them, its name first; empty if they are for the window.

    A home may be named before the command as well. The window then need not wait for this room to be loaded.
    """
    before: list[str] = []
    behind = list(arguments)
    while behind and behind[0].partition("=")[0] == "--home":
        count = 1 if "=" in behind[0] else 2
        before, behind = [*before, *behind[:count]], behind[count:]
    if not behind or (behind[0].startswith("-") and behind[0] not in ("-h", "--help")):
        return []
    return [behind[0], *before, *behind[1:]]
