"""Folder model of one account, kept up to date with the folders of its messages."""

from collections.abc import Collection, Iterable

from nbmail.chunks import batches
from nbmail.core.folders.filed_mail import FiledMail
from nbmail.core.folders.folder_model import FolderModel
from nbmail.core.folders.own_folders import ALL_OWN, MOST_FOLDERS, own_folders
from nbmail.store.actions.filed_moves import Filed
from nbmail.store.actions.sorted_mail import Past
from nbmail.store.model.folder_snapshots import FolderState
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause, paused

# Messages whose folders changed, that the model still applies one by one. More of them need a
# rebuild.
MOST_CHANGES = 60
# Messages learned after newer ones, and their share, from which on the model needs a rebuild: whole
# folders were read.
MOST_LATE = 10
LATE_SHARE = 0.1
# Share from which on the model favors the folders that were read last, and suggests nothing until
# it is rebuilt.
BIASED_SHARE = 0.5
# Messages read at once for a rebuild.
_READ = 50


class AccountFolders:
    """A function of messages and their folders.

    `state`: None until the snapshot is read or a rebuild is over. A rebuild learns in the order of
    the dates. Later filings are learned when they happen.
    """

    def __init__(self, store: Store, account: str, chosen: Collection[str]) -> None:
        self._store = store
        self.account = account
        self.chosen = chosen
        self.state: FolderState | None = None
        self.is_stale = False
        """True if a rebuild is needed: too much changed, or too much was learned in another order
        than by date.
        """
        self._newest = 0.0
        self._late = 0
        self._is_incomplete = False
        self._written: Filed = {}
        self._newest_folders: frozenset[str] | None = None

    @property
    def model(self) -> FolderModel | None:
        """The model; None while none can suggest folders."""
        if self.state is None or self._is_incomplete:
            return None
        if self._late > max(MOST_LATE, BIASED_SHARE * len(self.state.filed)):
            return None
        return self.state.model

    def folders(self) -> list[str]:
        """Return the suggested folders: of many, those with the newest mail at the last rebuild."""
        listed = self._store.server_folders.all(self.account)
        own = own_folders(((each.name.folder, each.special) for each in listed), self.chosen)
        if ALL_OWN not in self.chosen or len(own) <= MOST_FOLDERS:
            return own
        if self._newest_folders is None:
            dates = self._store.server_folders.newest_mail(self.account)
            by_date = sorted(own, key=lambda name: -dates.get(name, 0.0))
            self._newest_folders = frozenset(by_date[:MOST_FOLDERS])
        return [name for name in own if name in self._newest_folders]

    def look_for_newer(self) -> None:
        """Note that a rebuild is needed if other folders now have the newest mail."""
        if self._newest_folders is not None:
            before = self._newest_folders
            self._newest_folders = None
            self.folders()
            self.is_stale |= self._newest_folders != before

    def mails(self, messages: Collection[int]) -> dict[int, FiledMail]:
        """Return what the model learns of messages."""
        samples = self._store.samples.of(messages)
        threads = self._store.threads.names(messages)
        found = dict[int, FiledMail]()
        for message in messages:
            if message in samples:
                found[message] = FiledMail(samples[message], threads.get(message, ()))
        return found

    def opening(self) -> JobSteps[None]:
        """Read the snapshot, and learn what changed since. Without one, rebuild."""
        words = self._store.words.vocabulary
        self.state = yield from paused(self._store.folder_snapshots.read(self.account, words))
        if self.state is None:
            yield from self.rebuild()
        else:
            self._written = dict(self.state.filed)
            yield from self.follow({*self.state.filed, *self._filed()})
            if self.is_stale or not self.state.model.is_exact:
                yield from self.rebuild()

    def forget(self) -> None:
        """Suggest nothing until a rebuild."""
        self.state = None
        self._written = {}
        self.is_stale = True

    def rebuild(self) -> JobSteps[None]:
        """Learn everything in the order of the dates, while the former model is in use."""
        filed = self._filed()
        model = FolderModel(self._store.words.vocabulary)
        for chunk in batches(filed, _READ):
            automatic = self._store.sorted.among(Past.FILED, chunk)
            for message, mail in self.mails(chunk).items():
                model.learn(mail, filed[message], recorded=message not in automatic)
                yield Pause()
        self.state = FolderState(model, filed)
        self.is_stale = False
        self._late = 0
        self._is_incomplete = False
        latest = self._store.messages.headings([*filed][-1:])
        self._newest = max((head.date for head in latest.values()), default=0.0)
        yield from self.follow({*filed, *self._filed()})

    def follow(self, messages: Collection[int]) -> JobSteps[bool]:
        """Learn the current folders of these messages. Return True if any changed."""
        if self.state is None:
            return False
        filed = self.state.filed
        now = self._filed(messages)
        changed = [each for each in messages if filed.get(each, ()) != now.get(each, ())]
        if len(changed) > MOST_CHANGES:
            self.is_stale = True
            self._is_incomplete = True
            return False

        mails = self.mails(changed)
        headings = self._store.messages.headings(changed)
        automatic = self._store.sorted.among(Past.FILED, changed)
        removed = [message for message in changed if message not in now]
        in_order = [message for message in now if message in changed]
        for message in removed + in_order:
            folders = now.get(message, ())
            self._refile(message, mails[message], folders, recorded=message not in automatic)
            self._note_date(headings[message].date)
            yield Pause()
        return bool(changed)

    def writing(self) -> JobSteps[None]:
        """Write the snapshot if the model has changed and equals a rebuild."""
        if self.state is None or not self.state.model.is_exact:
            return
        if self._written != self.state.filed:
            self._written = dict(self.state.filed)
            yield from paused(self._store.folder_snapshots.write(self.account, self.state))

    def _note_date(self, date: float) -> None:
        """Note the date of a learned message. Too many late ones need a rebuild."""
        assert self.state is not None
        if date < self._newest:
            self._late += 1
        self._newest = max(self._newest, date)
        if self._late > max(MOST_LATE, LATE_SHARE * len(self.state.filed)):
            self.is_stale = True

    def _filed(self, messages: Iterable[int] | None = None) -> Filed:
        """Return messages with their suggested folders, by date; None for all messages."""
        among = None if messages is None else list(messages)
        return self._store.filed.folders_of(self.account, self.folders(), among)

    def _refile(
        self, message: int, mail: FiledMail, folders: tuple[str, ...], *, recorded: bool
    ) -> None:
        """Learn the folders of a message instead of those it was in. `recorded`: as in `learn`."""
        assert self.state is not None
        model = self.state.model
        before = self.state.filed.pop(message, ())
        for folder in before:
            if folder not in folders:
                model.unlearn(mail, folder)
        new = [folder for folder in folders if folder not in before]
        if new:
            # The first filing of a message by a person tests the suggestion that was made for it.
            model.learn(mail, new, recorded=recorded and not before)
        if folders:
            self.state.filed[message] = folders
