"""Samples that another tokenizer made, or that knew less of their senders."""

from collections.abc import Mapping

from nbmail.core.counting.sample import Sample
from nbmail.core.mail.parser import parse
from nbmail.core.senders.trusted_servers import NO_TRUST
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.scores.changes import Changes
from nbmail.worker.senders.sender_checks import sample_and_check
from nbmail.worker.senders.trusted_servers import TrustedServers

# Messages parsed in one time slice, as many as of newly arrived mail.
PARSED = 8


class OutdatedSamples:
    """Makes outdated samples again from the cache of raw mail."""

    def __init__(self, store: Store, changes: Changes, trust: TrustedServers) -> None:
        self._store = store
        self._changes = changes
        self._trust = trust

    def replace(self) -> JobSteps[list[int]]:
        """Replace all outdated samples. Return the labelled messages that aren't cached."""
        store = self._store
        uncached = list[int]()
        last = 0
        while outdated := store.samples.outdated(TOKENIZER_VERSION, last, PARSED):
            last = max(outdated)
            raws = dict[int, bytes]()
            for message, identity in outdated.items():
                raw = store.raw_mail.get(identity)
                if raw:
                    raws[message] = raw
            if raws:
                store.replace_samples(self._read(raws), TOKENIZER_VERSION)
            uncached += store.labels.of(outdated.keys() - raws.keys())
            yield Pause()
        return uncached

    def _read(self, raws: Mapping[int, bytes]) -> dict[int, Sample]:
        """Return the samples of messages, with what was known of their senders at arrival."""
        store = self._store
        samples = dict[int, Sample]()
        verified = dict[int, bool | None]()
        trust = self._trust.of_messages(raws)
        known = store.people.stored(raws)
        headings = store.messages.headings(raws)
        accounts = {place.message: place.account for place in store.folders.locations(raws)}

        for message, raw in raws.items():
            mail = parse(raw)
            account = accounts.get(message, "")
            if message not in known and store.people.is_complete(account):
                known[message] = store.people.acquaintance(mail, headings[message].date)
            samples[message], verified[message] = sample_and_check(
                mail,
                store.words.vocabulary,
                trust.get(message, NO_TRUST),
                known.get(message),
            )

        with store.transaction():
            store.people.store(known)
            store.people.set_verified(verified)
        self._changes.rows_changed(raws)
        return samples
