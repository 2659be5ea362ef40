"""Senders and subjects of all messages, folded for comparison."""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nbmail.ui.list.contents.positions import Mask, Positions, with_room
from nbmail.ui.list.contents.sort_keys import KEYS, LONGEST, ranks, sort_key
from nbmail.ui.list.search_words import fold

_ADDRESS = re.compile(r"[^\s<>()\",;:@]++@[^\s<>()\",;:@]++")


class TextColumns:
    """Sort keys and addresses, by position. They are made on first use, or in steps by `prepare`.

    `senders` and `subjects`: lists of the columns, which grow and change. `count`: number of
    messages whose texts were folded.
    """

    def __init__(self, senders: Sequence[str], subjects: Sequence[str]) -> None:
        self._senders = senders
        self._subjects = subjects
        self.count = 0
        self._sender_keys = np.zeros(0, KEYS)
        self._subject_keys = np.zeros(0, KEYS)
        self._addresses = np.zeros(0, np.int32)
        """Numbers of the senders' addresses."""
        self._address_numbers: dict[str, int] = {}
        self._sender_ranks: Positions | None = None
        self._subject_ranks: Positions | None = None

    def prepare(self, limit: int) -> bool:
        """Fold the texts of at most `limit` more messages. True if some remain."""
        end = min(self.count + limit, len(self._senders))
        if end > self.count:
            self._fold(self.count, end)
            self.count = end
        return end < len(self._senders)

    def prepare_all(self) -> None:
        self.prepare(len(self._senders))

    def update(self, position: int) -> None:
        """Fold the changed texts of a message again that was folded before."""
        self._fold(position, position + 1)

    def sender_ranks(self) -> Positions:
        self.prepare_all()
        if self._sender_ranks is None:
            self._sender_ranks = ranks(self._sender_keys[: self.count])
        return self._sender_ranks

    def subject_ranks(self) -> Positions:
        self.prepare_all()
        if self._subject_ranks is None:
            self._subject_ranks = ranks(self._subject_keys[: self.count])
        return self._subject_ranks

    def first_from_sender(self, dates: npt.NDArray[np.float64]) -> Mask:
        """Return for each position whether the message is the earliest one from its sender."""
        self.prepare_all()
        addresses = self._addresses[: self.count]
        earliest = np.full(len(self._address_numbers), np.inf)
        np.minimum.at(earliest, addresses, dates)
        return np.asarray(dates <= earliest[addresses], bool)

    def _fold(self, first: int, end: int) -> None:
        self._sender_keys = with_room(self._sender_keys, len(self._senders))
        self._subject_keys = with_room(self._subject_keys, len(self._senders))
        self._addresses = with_room(self._addresses, len(self._senders))

        senders = [fold(text) for text in self._senders[first:end]]
        subjects = [fold(text) for text in self._subjects[first:end]]
        self._sender_keys[first:end] = [sort_key(text) for text in senders]
        self._subject_keys[first:end] = [sort_key(text) for text in subjects]
        numbers = self._address_numbers
        self._addresses[first:end] = [
            numbers.setdefault(_address_in(text), len(numbers)) for text in senders
        ]
        self._sender_ranks = None
        self._subject_ranks = None


def _address_in(sender: str) -> str:
    """Return the last address of a folded sender, or the sender if it has none."""
    found = _ADDRESS.findall(sender[:LONGEST])
    return str(found[-1]) if found else sender
