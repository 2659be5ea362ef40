"""Schedule of the jobs that read stored mail again."""

from collections.abc import Collection

from nbmail.worker.engine.jobs import JobSteps, Priority
from nbmail.worker.folders.folder_updates import FolderUpdates
from nbmail.worker.model.updates import Updates
from nbmail.worker.reading.fetches import Fetches
from nbmail.worker.rereading.missing_threads import MissingThreads
from nbmail.worker.rereading.outdated_samples import OutdatedSamples
from nbmail.worker.rereading.phrase_counts import update_phrases
from nbmail.worker.scores.word_array import renew_word_ids
from nbmail.worker.senders.trusted_servers import TrustedServers


class Rereading:
    """Reads mail again after its samples became outdated, or trusted servers were learned."""

    def __init__(self, updates: Updates, trust: TrustedServers, folders: FolderUpdates) -> None:
        self._updates = updates
        self._store = updates.store
        self._add_job = updates.around.add_job
        self.trust = trust
        self._folders = folders
        self._samples = OutdatedSamples(self._store, updates.changes, trust)
        self.fetches = Fetches(self._store, updates.around, self._read_fetched)
        self._is_running = False
        self._is_requested = False

    def schedule(self) -> None:
        """Read outdated mail again when there is time."""
        self._is_requested = True
        if not self._is_running:
            self._is_running = True
            self._add_job(self._run(), Priority.IDLE)

    def schedule_account(self, account: str) -> None:
        """Read the mail of an account again: its trusted servers or its sent mail changed."""
        messages = list[int]()
        for name in self._store.folders.names():
            if name.account == account:
                messages += self._store.folders.messages(name)
        self.schedule_messages(messages)

    def schedule_messages(self, messages: Collection[int]) -> None:
        """Read messages again when there is time."""
        if messages:
            self._store.samples.outdate(messages)
            self.schedule()

    def learn_servers(self) -> JobSteps[None]:
        """Count phrases, learn the trusted servers of all accounts, then read outdated mail."""
        yield from self.count_phrases()
        for account in sorted({name.account for name in self._store.folders.names()}):
            yield from self.learn_servers_of(account)
        self.schedule()

    def learn_servers_of(self, account: str, arrived: int | None = None) -> JobSteps[None]:
        """Learn the trusted servers of an account, if enough mail has `arrived` in its inbox."""
        is_learned = yield from self.trust.learn(account, arrived)
        if is_learned:
            self.schedule_account(account)

    def count_phrases(self) -> JobSteps[int]:
        """Run `update_phrases`; if the job is cancelled, when there is time.

        Return its number of messages.
        """
        revision = self._store.samples_revision
        uncached = -1
        try:
            uncached = yield from update_phrases(self._store)
        finally:
            if self._store.samples_revision != revision:
                self._learn_again()
            if uncached:
                self.schedule()
        return uncached

    def read_threads(self) -> JobSteps[None]:
        """Store missing threads of cached messages, and fetch messages in suggested folders.

        Suggested folders are learned again with the threads.
        """
        threads = MissingThreads(self._store)
        yield from threads.read()
        self.fetches.background.request(
            sorted(threads.uncached.intersection(self._folders.models.filed()))
        )
        if threads.found:
            self._folders.rebuild_stale(threads=True)

    def _read_fetched(self) -> None:
        self.schedule()
        self._add_job(self.read_threads(), Priority.IDLE)

    def _run(self) -> JobSteps[None]:
        try:
            while self._is_requested:
                self._is_requested = False
                yield from self._reread()
        finally:
            self._is_running = False

    def _reread(self) -> JobSteps[None]:
        revision = self._store.samples_revision
        yield from update_phrases(self._store)
        uncached = yield from self._samples.replace()
        self.fetches.background.request(uncached)
        if self._store.samples_revision != revision:
            yield from renew_word_ids(self._store)
            self._learn_again()

    def _learn_again(self) -> None:
        """Learn everything again from the new samples."""
        self._folders.models.forget_samples()
        self._updates.model_changed()
