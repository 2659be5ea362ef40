"""Mail taken apart in a process of its own. Without numpy, so that the process starts quickly."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

from nbmail import __version__
from nbmail.core.reading.mail import parse
from nbmail.core.reading.tokenized_mail import Binder, Heading, Sheaf, heading_of
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.core.reading.word_table import new_table
from nbmail.store.mail.identity import identities
from nbmail.store.mail.raw_mail import pack

# Messages in a parcel, and their bytes, which join a vocabulary in one go: under a millisecond.
MESSAGES, BYTES = 12, 100_000
# The window goes before it, and so does the engine: of two processors each wants one. Of the window's heartbeats 1.9 %
# were late at 2, 1.0 % at 10, 0.7 % at 19.
NICENESS = 19


@dataclass(frozen=True, slots=True)
class Parcel:
    """Some messages: who they are, what a list shows, what the cache keeps, and their words."""

    identities: list[tuple[bytes, bytes]]
    headings: list[Heading]
    packed: list[bytes]
    sheaf: Sheaf

    def __len__(self) -> int:
        """How many messages."""
        return len(self.headings)


def parcels_of(raws: Sequence[bytes]) -> Iterator[Parcel]:
    """These messages in their order; each parcel numbers its words for itself, so that none needs another."""
    first = weight = 0
    for place, raw in enumerate(raws, 1):
        weight += len(raw)
        if place - first >= MESSAGES or weight >= BYTES or place == len(raws):
            yield _parcel(raws[first:place])
            first, weight = place, 0


def _parcel(raws: Sequence[bytes]) -> Parcel:
    binder, headings = Binder(), list[Heading]()
    for raw in raws:
        mail = parse(raw)
        binder.add(mail)
        headings.append(heading_of(mail))
    return Parcel([identities(raw) for raw in raws], headings, [pack(raw) for raw in raws], binder.bind())


def manner() -> tuple[str, int, str]:
    """How mail is read here: by which program and words, numbered by which table.

    A process that is started after the program on the disk became another one reads otherwise.
    """
    return __version__, TOKENIZER_VERSION, type(new_table()).__name__


def serve(channel: Connection, rest: float) -> None:
    """What the process does: say that it is there, then answer mail with parcels, until `rest` seconds bring none."""
    # Ctrl+C reaches every process of a terminal; the program says what becomes of this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(NICENESS)
    # The other end is gone when the program is, in whatever way it ended.
    with suppress(EOFError, OSError, MemoryError):
        channel.send(manner())
        while channel.poll(rest):
            channel.send(_answer(channel.recv()))


def _answer(raws: Sequence[bytes]) -> list[Parcel] | str:
    """The mail in parcels; or what fault it met, whose trace would only confuse whoever sits at the terminal."""
    try:
        return list(parcels_of(raws))
    except Exception as error:  # noqa: BLE001 - the top of the process
        return type(error).__name__
