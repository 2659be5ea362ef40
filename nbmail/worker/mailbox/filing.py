"""Moves that the user requests: filing, archiving, discarding."""

from collections.abc import Sequence

from nbmail.chunks import batches
from nbmail.store.actions.filed_moves import WantedMove
from nbmail.store.actions.sorted_mail import Past
from nbmail.store.labels.journal import By
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.mail.folders import Location
from nbmail.values import HAM, INBOX, JUNK_FOLDER, SPAM, TRASH, FolderName
from nbmail.worker.engine.jobs import JobSteps, Pause, Priority
from nbmail.worker.marking.moves_of_marks import actions_of
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.filing import Moved

# Messages moved in one transaction: about 8 ms.
CHUNK = 100


class Filing:
    """Moves messages for the user. Moves wait in the store until the account is connected."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates
        self._store = updates.store
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
        messages = [message for _, each in groups for message in each]
        moved = dict[int, None]()
        missing = set[str]()
        step = 0
        for folder, group in groups:
            for chunk in batches(group, CHUNK):
                if moved:
                    yield Pause(len(moved), len(messages), Priority.WORK)
                locations = self._locations(chunk, folder.account, origin)
                moves = self._moves(locations, folder.folder, missing)
                done = self._add(moves, step)
                step = done.step
                moved |= dict.fromkeys(done.moved)
                self._updates.labels_changed(done)
        yield from self._updates.apply()
        remaining = tuple(message for message in messages if message not in moved)
        return Moved(tuple(moved), remaining, tuple(sorted(missing)))

    def _locations(
        self, messages: Sequence[int], account: str, origin: FolderName | None
    ) -> list[Location]:
        """Return the location that each message leaves.

        It is in `origin`, otherwise in the inbox, otherwise the first. Only accounts whose server
        has listed its folders can move mail.
        """

        def rank(location: Location) -> tuple[bool, bool]:
            return location.name != origin, location.special != INBOX

        accounts = self._store.server_folders.accounts()
        found = dict[int, Location]()
        for location in self._store.folders.locations(messages):
            if location.account in accounts and account in ("", location.account):
                best = found.get(location.message, location)
                found[location.message] = min(best, location, key=rank)
        return list(found.values())

    def _moves(
        self, locations: Sequence[Location], target: str, missing: set[str]
    ) -> list[WantedMove]:
        """Return the moves to a folder, given by its name or its special use.

        Accounts that lack the folder are added to `missing`.
        """
        moves = list[WantedMove]()
        for location in locations:
            folder = target
            if target.startswith("\\"):
                folder = self._store.server_folders.special(location.account, target)
            if folder:
                moves.append(WantedMove(location, folder))
            else:
                missing.add(location.account)
        return moves

    def _add(self, moves: Sequence[WantedMove], step: int) -> LabelChanges:
        """Queue moves and assign the labels that they imply, in one transaction.

        `step`: undo step to continue.
        """
        store = self._store
        moment = self._clock()
        with store.transaction():
            moved, rows = store.filed.add(moves)
            if not moved:
                return LabelChanges(step=step)
            step = step or store.steps.begin(By.MOVE, moment)
            store.filed.join(step, rows)
            queued = [move for move in moves if move.location.message in moved]
            targets = {FolderName(move.location.account, move.target) for move in queued}
            store.server_folders.use(targets, moment)
            self._note_put_back(queued)
            marked = store.marks.mark(
                self._labels(queued),
                by=By.USER,
                moment=moment,
                step=step,
                actions=actions_of(store, moving=False),
            )
        return LabelChanges(marked.changes, step, moved=moved)

    def _note_put_back(self, moves: Sequence[WantedMove]) -> None:
        """Note that moves correct automatic sorting and filing. A deletion corrects no filing."""
        rescued = set[int]()
        kept = list[int]()
        for move in moves:
            location = move.location
            if location.special == JUNK_FOLDER:
                rescued.add(location.message)
            if move.target != self._store.server_folders.special(location.account, TRASH):
                kept.append(location.message)
        self._store.sorted.put_back(rescued | self._store.sorted.among(Past.FILED, kept))

    def _labels(self, moves: Sequence[WantedMove]) -> dict[int, str | None]:
        """Return the labels that moves imply.

        They are spam in the spam folder, and ham in a folder of the user's own. A move out of the
        spam folder means ham, but not a deletion. A class of the user's own stays.
        """
        before = self._store.labels.of(move.location.message for move in moves)
        labels = dict[int, str | None]()
        for move in moves:
            location = move.location
            target = FolderName(location.account, move.target)
            special = self._store.server_folders.use_of(target)
            is_kept = not special or location.special == JUNK_FOLDER
            if special == JUNK_FOLDER:
                labels[location.message] = SPAM
            elif special != TRASH and is_kept and before.get(location.message) in (None, SPAM):
                labels[location.message] = HAM
        return labels
