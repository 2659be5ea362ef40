"""Moves that the user requests: filing, archiving, deleting. The account threads carry them out."""

from collections.abc import Sequence

import numpy as np

from nbmail.chunks import batches
from nbmail.store.actions.filed_moves import WantedMove
from nbmail.store.actions.sorted_mail import Past
from nbmail.store.labels.journal import By
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.mail.folders import FLAGGED, SEEN, Location
from nbmail.values import HAM, INBOX, JUNK_FOLDER, SPAM, TRASH, FolderName
from nbmail.worker.engine.jobs import JobSteps, Pause, Priority
from nbmail.worker.marking.marking import actions_of
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.filing import Moved, SpamPreview

# Messages moved in one transaction: about 8 ms.
CHUNK = 100
# Messages whose flags change in one transaction: about 6 ms.
FLAGGED_AT_ONCE = 50
# Folders in which a message counts as deleted already: only there it may be deleted permanently.
DISCARDED = (JUNK_FOLDER, TRASH)
# Messages shown before the spam folder is emptied.
NEAREST = 3


class Filing:
    """Moves messages for the user. Moves wait in the store until the account is connected."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates
        self._store = updates.store
        self._scoring = updates.scoring
        self._clock = updates.around.clock

    def move(
        self, messages: Sequence[int], folder: FolderName, origin: FolderName | None = None
    ) -> JobSteps[Moved]:
        """Move messages on their server, now or once it is reachable. One undo step.

        `folder`: a folder of one account, or ("", special use) for that folder of each message's
        own account. `origin`: the folder that a message in several folders leaves; by default its
        inbox, otherwise the first. A move to a folder of the user's own marks a message as ham, one
        to the spam folder as spam.
        """
        return self.file_messages([(folder, messages)], origin)

    def file_messages(
        self, groups: Sequence[tuple[FolderName, Sequence[int]]], origin: FolderName | None = None
    ) -> JobSteps[Moved]:
        """Move messages to several folders. One undo step."""
        moved = dict[int, None]()
        missing = set[str]()
        step = 0
        messages = [message for _, each in groups for message in each]
        for folder, chunk in (
            (folder, chunk) for folder, each in groups for chunk in batches(each, CHUNK)
        ):
            if moved:
                yield Pause(len(moved), len(messages), Priority.WORK)
            moves = list[WantedMove]()
            for location in self._locations(chunk, folder.account, origin):
                # A folder is given by its name or its special use, which the account may lack.
                target = folder.folder
                if target.startswith("\\"):
                    target = self._store.server_folders.special(location.account, target)
                if target:
                    moves.append(WantedMove(location, target))
                else:
                    missing.add(location.account)
            done = self._add(moves, step)
            step = done.step
            moved |= dict.fromkeys(done.moved)
            self._updates.labels_changed(done)
        yield from self._updates.apply()
        return Moved(
            tuple(moved),
            tuple(each for each in messages if each not in moved),
            tuple(sorted(missing)),
        )

    def delete(self, messages: Sequence[int]) -> JobSteps[Moved]:
        """Delete messages of the trash and of spam folders permanently. No undo step."""
        deleted = dict[int, None]()
        for first in range(0, len(messages), CHUNK):
            found = self._store.folders.locations(messages[first : first + CHUNK])
            use_of = self._store.server_folders.use_of
            with self._store.transaction():
                deletions = [
                    WantedMove(each, "") for each in found if use_of(each.name) in DISCARDED
                ]
                gone = self._store.filed.add(deletions).messages
            deleted |= dict.fromkeys(gone)
            self._updates.messages_moved(gone)
            yield Pause(first + CHUNK, len(messages))
        return Moved(tuple(deleted), tuple(each for each in messages if each not in deleted))

    def preview_spam(self, folder: FolderName) -> SpamPreview:
        """List what `delete` would remove from a spam folder, and its messages nearest to ham."""
        messages = self._store.folders.messages(folder)
        scores = self._scoring.scores_of(messages)
        nearest = np.argsort(scores.log_odds, kind="stable")[:NEAREST].tolist()
        return SpamPreview(
            folder,
            messages,
            {messages[place]: float(scores.probabilities[place]) for place in nearest},
        )

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
        for first in range(0, len(messages), FLAGGED_AT_ONCE):
            with self._store.transaction():
                places = self._store.flags.mark(
                    messages[first : first + FLAGGED_AT_ONCE], flag, on=on
                )
                found = dict.fromkeys(each.message for each in places)
                if found and is_step:
                    step = step or self._store.steps.begin(By.FLAG, self._clock())
                    self._store.flags.join(step, found, flag, on=on)
            changed |= found
            if found:
                self._updates.messages_moved(found, is_step=is_step)
            yield Pause(first + FLAGGED_AT_ONCE, len(messages))
        return tuple(changed)

    def _locations(
        self, messages: Sequence[int], account: str, origin: FolderName | None
    ) -> list[Location]:
        """Return the location that each message leaves: in `origin`, otherwise in the inbox,
        otherwise the first.

        Only accounts whose server has listed its folders can move mail.
        """
        accounts = self._store.server_folders.accounts()
        found = dict[int, Location]()
        for location in self._store.folders.locations(messages):
            if location.account in accounts and account in ("", location.account):
                found[location.message] = min(
                    found.get(location.message, location),
                    location,
                    key=lambda one: (one.name != origin, one.special != INBOX),
                )
        return list(found.values())

    def _add(self, moves: Sequence[WantedMove], step: int) -> LabelChanges:
        """Queue moves and assign the labels that they imply, in one transaction. `step`: undo step
        to continue.
        """
        store = self._store
        moment = self._clock()
        with store.transaction():
            moved, rows = store.filed.add(moves)
            if not moved:
                return LabelChanges(step=step)
            step = step or store.steps.begin(By.MOVE, moment)
            store.filed.join(step, rows)
            moves = [one for one in moves if one.location.message in moved]
            store.server_folders.use(
                {FolderName(each.account, target) for each, target, _ in moves}, moment
            )
            rescued = {each.message for each, *_ in moves if each.special == JUNK_FOLDER}
            kept = [
                each.message
                for each, to, _ in moves
                if store.server_folders.special(each.account, TRASH) != to
            ]
            store.sorted.put_back(rescued | store.sorted.among(Past.FILED, kept))
            marked = store.marks.mark(
                self._labels(moves),
                by=By.USER,
                moment=moment,
                step=step,
                actions=actions_of(store, moving=False),
            )
        return LabelChanges(marked.changes, step, moved=moved)

    def _labels(self, moves: Sequence[WantedMove]) -> dict[int, str | None]:
        """Return the labels that moves imply: spam in the spam folder, good in a folder of the
        user's own.

        A move out of the spam folder means good mail, but not a deletion.
        """
        labels = self._store.labels.of(each.message for each, *_ in moves)
        found = dict[int, str | None]()
        for location, target, _ in moves:
            special = self._store.server_folders.use_of(FolderName(location.account, target))
            if special == JUNK_FOLDER:
                found[location.message] = SPAM
            elif special != TRASH and (not special or location.special == JUNK_FOLDER):
                # A class of the user's own stays.
                found |= (
                    {location.message: HAM} if labels.get(location.message) in (None, SPAM) else {}
                )
        return found
