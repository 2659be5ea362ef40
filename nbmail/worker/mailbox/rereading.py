"""Parsing stored mail again: for another version of the tokenizer, other servers, phrases or
threads.
"""

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from nbmail.core.counting.sample import Sample
from nbmail.core.mail.parser import parse
from nbmail.core.senders.people import thread_of
from nbmail.core.senders.trusted_servers import NO_TRUST
from nbmail.core.words.phrases import PHRASE, count_phrases
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.core.words.word_table import LONGEST_WORD
from nbmail.store.mail.identity import VERSION, identify
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause, Priority
from nbmail.worker.folders.folder_suggestions import FolderSuggestions
from nbmail.worker.mailbox.message_reader import Fetches
from nbmail.worker.mailbox.senders import HEADERS, TrustedServers, sample_and_check
from nbmail.worker.model.scores import places_of, renew_word_ids
from nbmail.worker.model.updates import Updates

# Messages parsed again in one time slice, as many as of newly arrived mail, and those without a
# thread looked up.
REREAD = 8
THREADS = 500


class Rereading:
    """Background jobs that read stored mail again: for outdated samples, missing threads and
    trusted servers.
    """

    def __init__(self, updates: Updates, trust: TrustedServers, folders: FolderSuggestions) -> None:
        self._updates = updates
        self._store = updates.store
        self._changes = updates.changes
        self._add_job = updates.around.add_job
        self.trust = trust
        self._folders = folders
        self.fetches = Fetches(self._store, updates.around, self._read_fetched)
        self._is_running = self._is_requested = False

    def schedule(self) -> None:
        self._is_requested = True
        if not self._is_running:
            self._is_running = True
            self._add_job(self._run(), Priority.IDLE)

    def schedule_account(self, account: str) -> None:
        """Read the mail of an account again, because other servers are trusted or its sent mail is
        known.
        """
        names = [name for name in self._store.folders.names() if name.account == account]
        self.schedule_messages(
            [message for name in names for message in self._store.folders.messages(name)]
        )

    def schedule_messages(self, messages: Collection[int]) -> None:
        if messages:
            self._store.messages.outdate(messages)
            self.schedule()

    def learn_servers(self) -> JobSteps[None]:
        """Count phrases, learn the trusted servers of all accounts that have none, then read
        outdated mail again.
        """
        yield from self.count_phrases()
        for account in sorted({name.account for name in self._store.folders.names()}):
            yield from self.learn_servers_of(account)
        self.schedule()

    def learn_servers_of(self, account: str, arrived: int | None = None) -> JobSteps[None]:
        """Learn the trusted servers of an account, if enough messages have `arrived` in its
        inbox.
        """
        if (yield from self.trust.learn(account, arrived)):
            self.schedule_account(account)

    def _read_fetched(self) -> None:
        self.schedule()
        self._add_job(self.read_threads(), Priority.IDLE)

    def read_threads(self) -> JobSteps[None]:
        """Store the threads of messages that an earlier version stored, if they are cached.

        The others are fetched if they lie in suggested folders, which are learned again with their
        threads.
        """
        store = self._store
        before = 1 << 62
        uncached = set[int]()
        any_found = False
        while messages := store.threads.missing(THREADS, before):
            before = min(messages)
            identities = store.messages.identities(messages)
            cached = store.raw_mail.cached(identities.values())
            read = [message for message in messages if identities[message] in cached]
            uncached.update(set(messages).difference(read))
            for first in range(0, len(read), REREAD):
                raws = {
                    message: store.raw_mail.get(identities[message])
                    for message in read[first : first + REREAD]
                }
                found = {
                    message: thread_of(parse(raw[:HEADERS])) for message, raw in raws.items() if raw
                }
                with store.connection.relaxed(), store.transaction():
                    store.threads.put(found)
                any_found = True
                yield Pause()
            yield Pause()
        self.fetches.request_in_background(sorted(uncached.intersection(self._folders.filed())))
        if any_found:
            self._folders.rebuild_stale(threads=True)

    def _replaced(self) -> None:
        """Learn everything again from the new samples."""
        self._folders.forget_samples()
        self._updates.model_changed()

    def _run(self) -> JobSteps[None]:
        try:
            while self._is_requested:
                self._is_requested = False
                yield from self._reread()
        finally:
            self._is_running = False

    def _reread(self) -> JobSteps[None]:
        store = self._store
        after = 0
        before = self._store.samples_revision
        missing = list[int]()
        yield from update_phrases(store)
        while outdated := store.messages.outdated(TOKENIZER_VERSION, after, REREAD):
            after = max(outdated)
            raws = {message: store.raw_mail.get(identity) for message, identity in outdated.items()}
            samples = self._read({message: raw for message, raw in raws.items() if raw})
            if samples:
                with store.transaction():
                    for message in samples:
                        # Messages may be stored under their former identity.
                        if (identity := identify(raws[message] or b"")) != outdated[message]:
                            store.messages.add_identity(message, identity, VERSION)
                store.replace_samples(samples, TOKENIZER_VERSION)
            missing += store.labels.of([message for message, raw in raws.items() if not raw])
            yield Pause()
        self.fetches.request_in_background(missing)
        if store.samples_revision != before:
            yield from renew_word_ids(store)
            self._replaced()

    def count_phrases(self) -> JobSteps[int]:
        """Run `update_phrases`; if the job is cancelled, when there is time. Return its number of
        messages.
        """
        before = self._store.samples_revision
        unread = -1
        try:
            unread = yield from update_phrases(self._store)
        finally:
            if self._store.samples_revision != before:
                self._replaced()
            if unread:
                self.schedule()
        return unread

    def _read(self, raws: dict[int, bytes]) -> dict[int, Sample]:
        """Return the samples of messages, with what was known of their senders when they
        arrived.
        """
        people = self._store.people
        samples = dict[int, Sample]()
        verified = dict[int, bool | None]()
        trust = self.trust.of_messages(raws)
        known = people.stored(raws)
        headings = self._store.messages.headings(raws)
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
        self._changes.rows_changed(raws)
        return samples


def update_phrases(store: Store) -> JobSteps[int]:
    """Count new phrases in all stored mail, and remove the counts of removed ones.

    Return the number of labelled messages that contain the words of a new phrase and whose text
    isn't cached. They become outdated, so that they are fetched and read again.
    """
    vocabulary = store.words.vocabulary
    wanted = store.phrases.now()
    counted = store.words.counted_phrases
    changed = sorted({*wanted} ^ {*counted})
    if not changed:
        return 0
    # Mail that arrives meanwhile is counted already.
    vocabulary.phrases = wanted
    before = store.samples_revision
    known = vocabulary.numbers_of([PHRASE + phrase for phrase in changed])
    numbers = dict(zip(changed, known, strict=True))
    messages = sorted((yield from _candidates(store, changed)))
    unread = list[int]()
    for first in range(0, len(messages), REREAD):
        unread += _recount(store, messages[first : first + REREAD], numbers)
        yield Pause(first + REREAD, len(messages))
    with store.transaction():
        store.messages.outdate(unread)
        store.words.write()
        store.words.note_counted(wanted)
    if store.samples_revision != before:
        yield from renew_word_ids(store)
    return len(store.labels.of(unread))


def _candidates(store: Store, changed: Iterable[str]) -> JobSteps[set[int]]:
    """Return the messages that contain all words of a new phrase, or a removed phrase."""
    vocabulary = store.words.vocabulary
    messages = set[int]()
    for phrase in changed:
        is_new = phrase in vocabulary.phrases
        words = (
            {word for word in phrase.split() if len(word) <= LONGEST_WORD}
            if is_new
            else {PHRASE + phrase}
        )
        found = np.arange(len(store.word_ids))
        for number in vocabulary.known_numbers_of(words):
            found = np.intersect1d(found, (yield from places_of(store.word_ids, number)))
        messages.update(store.word_ids.messages[found].tolist())
    return messages


def _recount(store: Store, messages: list[int], numbers: Mapping[str, int]) -> list[int]:
    """Store the counts of changed phrases in these messages. Return those whose text isn't
    cached.
    """
    before = store.messages.samples(messages)
    changed = dict[int, Sample]()
    unread = list[int]()
    wanted = [phrase for phrase in numbers if phrase in store.words.vocabulary.phrases]
    for message, identity in store.messages.identities(messages).items():
        raw = store.raw_mail.get(identity) if wanted else None
        found = count_phrases(parse(raw), wanted) if raw else {}
        if wanted and not raw:
            unread.append(message)
        counts = {number: found.get(phrase, 0) for phrase, number in numbers.items()}
        if (sample := before[message].with_counts(counts)) != before[message]:
            changed[message] = sample
    if changed:
        store.replace_samples(changed)
    return unread
