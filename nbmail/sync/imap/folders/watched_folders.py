"""Timetable of the folders that an account synchronizes."""

from nbmail.core.folders.own_folders import own_folders
from nbmail.settings import Account, Sorting
from nbmail.sync.accounts.folder_training import FolderTraining
from nbmail.sync.imap.folders.server_folders import ServerFolders

# Messages fetched of a folder that is only suggested for moves.
NEWEST_SUGGESTED = 300
# Of many such folders fewer each, so that all have the total.
LEAST_SUGGESTED = 15
MOST_OF_ALL_SUGGESTED = 30_000
# Suggested folders that are synchronized between two looks at the inbox.
SUGGESTED_AT_ONCE = 100


class WatchedFolders:
    """Watched folders of one account.

    - `names`: those on the server, the one to idle in first, those in `suggested` last.
    - `missing`: those that the server lacks.
    - `suggested`: folders that are only suggested for moves.
    """

    def __init__(self, account: Account, training: FolderTraining) -> None:
        self._account = account
        self._training = training
        self.names: list[str] = []
        self.missing: list[str] = []
        self.suggested: list[str] = []
        # Number of the pass in which each suggested folder was synchronized last.
        self._passes: dict[str, int] = {}

    def update(self, folders: ServerFolders) -> None:
        """Choose again among the folders on the server."""
        wanted = self._wanted(folders)
        self.suggested = self._suggested(folders, wanted)
        self.names = [name for name in wanted if name in folders] + self.suggested
        self.missing = [name for name in wanted if name not in folders]

    def due(self, names: list[str]) -> list[str]:
        """Return the folders to synchronize in this pass: of suggested ones a limited number."""
        by_age = sorted(self.suggested, key=lambda name: self._passes.get(name, 0))
        now = by_age[:SUGGESTED_AT_ONCE]
        number = max(self._passes.values(), default=0) + 1
        self._passes.update(dict.fromkeys(now, number))
        later = set(self.suggested).difference(now)
        return [name for name in names if name not in later]

    def are_all_synced(self) -> bool:
        """True if every suggested folder was synchronized once."""
        return self._passes.keys() >= set(self.suggested)

    def newest(self, name: str) -> int:
        """Return how many of the newest messages to fetch, 0 for all."""
        if name not in self.suggested:
            return 0
        share = max(LEAST_SUGGESTED, MOST_OF_ALL_SUGGESTED // len(self.suggested))
        return min(NEWEST_SUGGESTED, share)

    def with_idle(self) -> list[str]:
        """Return the folders, except the first, that deserve a connection of their own."""
        trained = {*self.suggested, *self._training.folders()} - set(self._account.folders)
        return [name for name in self.names[1:] if name not in trained]

    def _wanted(self, folders: ServerFolders) -> list[str]:
        wanted = dict.fromkeys((*self._account.folders, *self._training.folders()))
        # What sorting moved is put back from there, by any client.
        watches_spam = self._account.watch_spam or self._account.sorting is not Sorting.SHOW
        if watches_spam and folders.spam is not None:
            wanted[folders.spam.name] = None
        return [name for name in wanted if not self._training.is_paused(name)]

    def _suggested(self, folders: ServerFolders, wanted: list[str]) -> list[str]:
        if not self._account.suggested_folders or self._training.paused:
            return []
        usable = [each.name for each in folders.all if each.selectable]
        listed = ((name, folders.special(name)) for name in usable)
        own = own_folders(listed, self._account.suggested_folders)
        return [name for name in own if name not in wanted and not self._training.label(name)]
