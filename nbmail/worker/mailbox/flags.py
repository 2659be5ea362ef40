"""Flags that the user sets and clears."""

from collections.abc import Sequence

from nbmail.store.labels.journal import By
from nbmail.store.mail.folders import FLAGGED, SEEN
from nbmail.values import FolderName
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.model.updates import Updates

# Messages whose flags change in one transaction: about 6 ms.
CHUNK = 50


class FlagRequests:
    """Changes flags of messages. The accounts tell their servers."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates
        self._store = updates.store
        self._clock = updates.around.clock

    def mark_read(self, messages: Sequence[int], *, read: bool = True) -> JobSteps[tuple[int, ...]]:
        """Mark messages as read or unread, on their servers too. Return those that changed."""
        return self._set_flag(messages, SEEN, on=read, is_step=False)

    def flag(self, messages: Sequence[int], *, on: bool = True) -> JobSteps[tuple[int, ...]]:
        """Flag messages, or remove their flags, on their servers too. One undo step.

        Return the messages that changed.
        """
        return self._set_flag(messages, FLAGGED, on=on)

    def read_folder(self, folder: FolderName) -> JobSteps[tuple[int, ...]]:
        """Mark all messages of a folder as read. One undo step. Return those that changed."""
        return self._set_flag(self._store.folders.messages(folder), SEEN, on=True)

    def _set_flag(
        self, messages: Sequence[int], flag: str, *, on: bool, is_step: bool = True
    ) -> JobSteps[tuple[int, ...]]:
        """Set or clear a flag in chunks that form one undo step, or none."""
        changed = dict[int, None]()
        step = 0
        for first in range(0, len(messages), CHUNK):
            with self._store.transaction():
                locations = self._store.flags.mark(messages[first : first + CHUNK], flag, on=on)
                marked = dict.fromkeys(location.message for location in locations)
                if marked and is_step:
                    step = step or self._store.steps.begin(By.FLAG, self._clock())
                    self._store.flags.join(step, marked, flag, on=on)
            changed |= marked
            if marked:
                self._updates.messages_moved(marked, is_step=is_step)
            yield Pause(first + CHUNK, len(messages))
        return tuple(changed)
