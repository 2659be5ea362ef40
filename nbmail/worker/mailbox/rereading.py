"""Parses mail again whose words another version of the tokenizer found, or without the trusted servers."""

from collections.abc import Callable, Collection, Iterable

from nbmail.core.counting.sample import Sample
from nbmail.core.reading.authentication import NO_TRUST
from nbmail.core.reading.mail import parse
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.store.mail.messages import VERSION, identify
from nbmail.store.model.word_ids import WordIds
from nbmail.store.store import Store
from nbmail.worker.engine.job_queue import AddJob, JobSteps, Pause, Priority
from nbmail.worker.mailbox.refetching import TrainingFetches
from nbmail.worker.mailbox.trusted_servers import TrustedServers, sample_and_check

# Messages parsed again in one time slice: as many as of newly arrived mail.
REREAD = 8
# Messages whose words are copied in one time slice: about 5 ms.
COPIED = 500


class Rereading:
    """Background job that replaces outdated samples. Labelled mail that is not cached is fetched first.

    `changed` is called with the messages of each time slice, `replaced` once after each pass with any.
    """

    def __init__(
        self,
        store: Store,
        trust: TrustedServers,
        fetches: TrainingFetches,
        *,
        add_job: AddJob,
        changed: Callable[[Iterable[int]], None],
        replaced: Callable[[], None],
    ) -> None:
        self._store, self._trust, self._add_job = store, trust, add_job
        self._changed, self._replaced = changed, replaced
        self.fetches, fetches.read = fetches, self.schedule
        self._is_running = self._is_requested = False

    def schedule(self) -> None:
        """Read outdated mail again when there is time."""
        self._is_requested = True
        if not self._is_running:
            self._is_running = True
            self._add_job(self._run(), Priority.IDLE)

    def schedule_account(self, account: str) -> None:
        """Read the mail of an account again, because other servers are trusted or its sent mail is known."""
        folders = self._store.folders
        self.schedule_messages(
            [message for name in folders.names() if name.account == account for message in folders.messages(name)]
        )

    def schedule_messages(self, messages: Collection[int]) -> None:
        """Read messages again."""
        if messages:
            self._store.messages.outdate(messages)
            self.schedule()

    def learn_servers(self) -> JobSteps[None]:
        """Learn the trusted servers of all accounts that have none, then read outdated mail again."""
        for account in sorted({name.account for name in self._store.folders.names()}):
            yield from self.learn_servers_of(account)
        self.schedule()

    def learn_servers_of(self, account: str) -> JobSteps[None]:
        """Learn the trusted servers of an account, if its inbox has enough mail."""
        if self._trust.is_due(account) and (yield from self._trust.learn(account)):
            self.schedule_account(account)

    def _run(self) -> JobSteps[None]:
        try:
            while self._is_requested:
                self._is_requested = False
                yield from self._reread()
        finally:
            self._is_running = False

    def _reread(self) -> JobSteps[None]:
        store, after, before, missing = self._store, 0, self._store.samples_revision, list[int]()
        while outdated := store.messages.outdated(TOKENIZER_VERSION, after, REREAD):
            after = max(outdated)
            raws = {message: store.raw_mail.get(identity) for message, identity in outdated.items()}
            samples = self._read({message: raw for message, raw in raws.items() if raw})
            if samples:
                self._add_identities({message: (outdated[message], raws[message]) for message in samples})
                store.replace_samples(samples, TOKENIZER_VERSION)
            missing += store.labels.of([message for message, raw in raws.items() if not raw])
            yield Pause()
        self.fetches.request(missing)
        if store.samples_revision != before:
            word_ids = WordIds(store.word_ids.path, store.samples_revision)
            yield from append_missing(store, word_ids)
            store.word_ids.become(word_ids)
            self._replaced()

    def _read(self, raws: dict[int, bytes]) -> dict[int, Sample]:
        """Return the samples of messages, with what was known of their senders when they arrived."""
        people, samples, verified = self._store.people, dict[int, Sample](), dict[int, bool | None]()
        trust, known, headings = self._trust.of_messages(raws), people.stored(raws), self._store.messages.headings(raws)
        places = {place.message: place.account for place in self._store.folders.locations(raws)}
        for message, raw in raws.items():
            mail = parse(raw)
            if message not in known and people.is_complete(places.get(message, "")):
                known[message] = people.acquaintance(mail, headings[message].date)
            samples[message], verified[message] = sample_and_check(
                mail, self._store.words.vocabulary, trust.get(message, NO_TRUST), known.get(message)
            )
        with self._store.transaction():
            people.store(known)
            people.set_verified(verified)
        self._changed(raws)
        return samples

    def _add_identities(self, mail: dict[int, tuple[bytes, bytes | None]]) -> None:
        """Store the current identity of messages that are stored under the former one."""
        with self._store.transaction():
            for message, (stored, raw) in mail.items():
                if raw and (identity := identify(raw)) != stored:
                    self._store.messages.add_identity(message, identity, VERSION)


def append_missing(store: Store, word_ids: WordIds) -> JobSteps[None]:
    """Append the messages that the word ids don't contain yet."""
    while (first := int(word_ids.messages[-1]) + 1 if len(word_ids) else 1) <= store.messages.last():
        samples = store.messages.samples(range(first, first + COPIED))
        numbers = sorted(samples)
        word_ids.append(numbers, [samples[number] for number in numbers])
        if not numbers:
            return
        yield Pause()
