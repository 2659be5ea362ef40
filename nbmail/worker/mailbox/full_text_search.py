"""Search in the texts of stored mail."""

from collections.abc import Callable

from nbmail.store.mail.search_terms import sought
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause, Priority
from nbmail.worker.mailbox.text_indexing import index_next, is_index_behind
from nbmail.worker.scores.changes import Changes

# Messages indexed between two partial results.
SHOWN = 1000


class FullTextSearch:
    """Searches the full-text index, and completes it before a search ends."""

    def __init__(self, store: Store, changes: Changes) -> None:
        self._store = store
        self._changes = changes

    def find_text(
        self, show: Callable[[tuple[int, ...]], object], words: str
    ) -> JobSteps[tuple[int, ...]]:
        """Find the messages that contain all words, in no particular order.

        Words in quotes must be adjacent; the last word may be the beginning of one. The search
        covers texts, subjects, names of people and of attachments, and ignores case and accents.
        Texts that are not indexed yet are indexed meanwhile: `show` gets the messages found up to
        then.
        """
        self._changes.untidy = True
        terms = sought(words)
        if not terms:
            return ()
        store = self._store
        found = dict[int, None]()
        searched = 0
        shown = -SHOWN
        while True:
            for last, messages in store.texts.find(terms, searched):
                searched = last
                found |= dict.fromkeys(messages)
                yield Pause()
            if not is_index_behind(store):
                return tuple(found)
            indexed = store.texts.upto
            if indexed - shown >= SHOWN:
                shown = indexed
                show(tuple(found))
            yield Pause(indexed, store.messages.last(), Priority.WORK)
            yield from index_next(store)
