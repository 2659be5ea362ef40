"""Filed messages."""

from typing import NamedTuple

from nbmail.core.counting.sample import Sample


class FiledMail(NamedTuple):
    """Evidence of one message.

    `thread`: its Message-ID and those that it refers to, or any other names of them.
    """

    sample: Sample
    thread: tuple[str, ...] = ()
