"""The order in which labels were given, which is the order in which the model learns them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from nbmail.store.files.connection import Connection
from nbmail.store.files.settings_table import SettingsTable

# Behind 32 bits of chance, the message's number: together within 63 bits.
_MESSAGE_BITS = 30


class LabelOrder:
    """Gives out places in the order. None is given twice to different labels, so that an undone one keeps its own."""

    def __init__(self, connection: Connection, settings: SettingsTable) -> None:
        self._connection = connection
        self._settings = settings

    def last(self) -> int:
        """The place of the latest label, 0 without one."""
        return int(self._connection.value("SELECT max(position) FROM labels") or 0)

    def latest(self, many: int) -> list[int]:
        """The places of so many latest labels, the last first."""
        rows = self._connection.rows("SELECT position FROM labels ORDER BY position DESC LIMIT ?", (many,))
        return [position for (position,) in rows]

    def next(self, many: int = 1) -> int:
        """The first of so many new last places; never given twice: an undone label can come back to its own."""
        position = int(self._settings.get("next_position", 1))
        self._settings.set("next_position", position + many)
        return position

    def mixed(self, message: int, identity: bytes) -> int:
        """A place for a label that came with many others, as if all of them had been shuffled; no other label has it.

        It depends on the message alone, so it doesn't matter which folder was taught first.
        """
        return self.mixed_places({message: identity})[message]

    def mixed_places(self, identities: Mapping[int, bytes]) -> dict[int, int]:
        """The same for many messages."""
        places = {message: _shuffled(message, identity) for message, identity in identities.items()}
        self._begin_behind(max(places.values(), default=0))
        return places

    def _begin_behind(self, position: int) -> None:
        if position >= int(self._settings.get("next_position", 1)):
            self._settings.set("next_position", position + 1)

    def heal(self) -> None:
        """Make sure that the next place is behind all that were ever given."""
        highest = self._connection.value("SELECT max(coalesce(position_after, 0)) FROM journal") or 0
        self._settings.set("next_position", max(highest, self.last()) + 1)


def _shuffled(message: int, identity: bytes) -> int:
    chance = int.from_bytes(blake2b(identity, digest_size=4).digest(), "big")
    return (chance << _MESSAGE_BITS) + message % (1 << _MESSAGE_BITS)
