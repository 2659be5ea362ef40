"""All messages of the demo, with their folders, times and flags."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

from nbmail.demo.composing import compose
from nbmail.demo.notes import read_notes, read_senders
from nbmail.paths import resources


class PlacedMail(NamedTuple):
    """Raw message with folder, time and flags.

    `delay`: seconds after the start at which it arrives; 0 for before.
    """

    folder: str
    received: float
    delay: float
    flags: frozenset[str]
    raw: bytes
    is_spam: bool


def demo_folder() -> Path:
    return resources() / "demo"


def demo_mailbox(folder: Path, now: float, zone: timezone | None = None) -> list[PlacedMail]:
    """Return all messages of the demo, oldest first, dated relative to `now`."""
    moment = datetime.fromtimestamp(now, zone)
    today = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    senders = read_senders(folder / "senders.ini")
    notes = sorted(read_notes(folder, today.timestamp(), now), key=lambda note: -note.age)
    threads: dict[str, str] = {}
    placed = []
    for note in notes:
        received = now - note.age
        raw = compose(note, senders, received, threads)
        delay = max(0.0, -note.age)
        placed.append(PlacedMail(note.folder, received, delay, note.flags, raw, note.is_spam))
    return placed
