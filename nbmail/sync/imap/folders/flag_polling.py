"""When to list flags again, on a server that doesn't report changed flags."""

import time
from dataclasses import dataclass, field

# Up to this size all flags are listed each time: 40 bytes a message.
SMALL_FOLDER = 1000
ALL_EVERY = 300.0


@dataclass(slots=True)
class FlagPolling:
    """When to list the flags of a folder again, on a server that doesn't report changed flags.

    For one folder and one connection. `listed`: the folder was listed completely, so that STATUS
    can replace listing. `listed_at`: time of the latest complete listing. `counts`: result of
    STATUS after the latest synchronization.
    """

    listed: bool = False
    listed_at: float = float("-inf")
    counts: dict[bytes, int] = field(default_factory=dict)

    def can_wait(self, count: int) -> bool:
        """True if a folder of `count` messages needn't be listed completely now."""
        return count > SMALL_FOLDER and time.monotonic() - self.listed_at < ALL_EVERY
