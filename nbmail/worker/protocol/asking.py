"""What the engine asks the user: the few messages whose marks would teach most."""

from dataclasses import dataclass

from nbmail.worker.protocol import Command


@dataclass(frozen=True, slots=True)
class Ask(Command):
    """Which unlabelled messages of the inbox should be marked next? Result: `Questions`.

    `besides` are not asked about: what is on the table already, or was skipped. A mark of a message that was asked
    about (`Mark`, as any other) is remembered as one. Ask anew after each mark: what teaches most is then another.
    """

    most: int = 2
    besides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Questions:
    """Messages to be marked, the one that teaches most first; fewer than asked for where fewer are unlabelled.

    `unlabelled` is how many there were to choose from.
    """

    messages: tuple[int, ...]
    unlabelled: int
