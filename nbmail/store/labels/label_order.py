"""Places in the order in which labels are learned. None is given twice to different labels."""

from collections.abc import Mapping
from hashlib import blake2b

from nbmail.store.files.connection import Connection, SettingsTable

# Behind 32 bits of chance, the message's number: together within 63 bits.
_MESSAGE_BITS = 30
_NEXT = "next_position"


class LabelOrder:
    """Gives out places: at the end, or shuffled among all that came by the folder."""

    def __init__(self, connection: Connection, settings: SettingsTable) -> None:
        self._connection = connection
        self._settings = settings

    @property
    def next_position(self) -> int:
        """The first place that was never given: behind all others."""
        return int(self._settings.get(_NEXT, 1))

    def last_places(self, many: int) -> range:
        first = self.next_position
        self._settings.set(_NEXT, first + many)
        return range(first, first + many)

    def shuffled_places(self, identities: Mapping[int, bytes]) -> dict[int, int]:
        """Places for labels that came with many others, as if all of them had been shuffled.

        A place depends on the message alone, so it doesn't matter which folder was taught first. Learned a folder at a
        time, first all junk and then all good mail, corrections would teach little more than which came last, and no
        score of the first folder would have been given by a model that knew both.
        """
        places = {message: _shuffled(message, identity) for message, identity in identities.items()}
        highest = max(places.values(), default=0)
        if highest >= self.next_position:
            self._settings.set(_NEXT, highest + 1)
        return places

    def heal(self) -> None:
        given = "SELECT max(position_after) FROM journal UNION ALL SELECT max(position) FROM labels"
        self._settings.set(_NEXT, max(position or 0 for (position,) in self._connection.rows(given)) + 1)


def _shuffled(message: int, identity: bytes) -> int:
    chance = int.from_bytes(blake2b(identity, digest_size=4).digest(), "big")
    return (chance << _MESSAGE_BITS) + message % (1 << _MESSAGE_BITS)
