"""Permanent deletion of messages."""

from collections.abc import Sequence

import numpy as np

from nbmail.store.actions.filed_moves import WantedMove
from nbmail.values import JUNK_FOLDER, TRASH, FolderName
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.filing import Moved, SpamPreview

# Messages deleted in one transaction: about 8 ms.
CHUNK = 100
# Folders in which a message counts as deleted already: only there it may be deleted permanently.
DISCARDED = (JUNK_FOLDER, TRASH)
# Messages shown before the spam folder is emptied.
NEAREST = 3


class MailDeletion:
    """Deletes messages that were discarded before. The accounts tell their servers."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates
        self._store = updates.store

    def delete(self, messages: Sequence[int]) -> JobSteps[Moved]:
        """Delete messages of the trash and of spam folders permanently. No undo step."""
        deleted = dict[int, None]()
        for first in range(0, len(messages), CHUNK):
            wanted = self._deletions(messages[first : first + CHUNK])
            with self._store.transaction():
                gone = self._store.filed.add(wanted).messages
            deleted |= dict.fromkeys(gone)
            self._updates.messages_moved(gone)
            yield Pause(first + CHUNK, len(messages))
        remaining = tuple(message for message in messages if message not in deleted)
        return Moved(tuple(deleted), remaining)

    def preview_spam(self, folder: FolderName) -> SpamPreview:
        """List what `delete` would remove from a spam folder, and its messages nearest to ham."""
        messages = self._store.folders.messages(folder)
        scores = self._updates.scoring.scores_of(messages)
        chances = dict[int, float]()
        for place in np.argsort(scores.log_odds, kind="stable")[:NEAREST].tolist():
            chances[messages[place]] = float(scores.probabilities[place])
        return SpamPreview(folder, messages, chances)

    def _deletions(self, messages: Sequence[int]) -> list[WantedMove]:
        wanted = list[WantedMove]()
        for location in self._store.folders.locations(messages):
            if self._store.server_folders.use_of(location.name) in DISCARDED:
                wanted.append(WantedMove(location, ""))
        return wanted
