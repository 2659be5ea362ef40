"""Previews of sorting and filing."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan

from nbmail.core.folders.filing_record import SURE
from nbmail.core.sorting.exemptions import Stay
from nbmail.values import HAM, INBOX, SPAM, FolderName
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.folders.folder_suggestions import FolderSuggestions
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.sorting import SortingPreview
from nbmail.worker.sorting.spam_in_inbox import SpamInInbox
from nbmail.worker.sorting.stay_reasons import for_filing

_REHEARSED = 30 * 86_400.0
"""Seconds of mail in a rehearsal."""
# Messages judged in one time slice, about 3 ms, and those that a folder is suggested for.
CHUNK = 500
SUGGESTED = 8

Judge = Callable[[Sequence[int]], Mapping[int, float]]
"""Returns the messages to move, with the probability that this is right."""
Adjust = Callable[[frozenset[Stay], int], frozenset[Stay]]
"""Returns what can keep a message in a preview, of all that can keep it."""


class SortingPreviews:
    """Lists what would be moved."""

    def __init__(self, updates: Updates, folders: FolderSuggestions, inbox: SpamInInbox) -> None:
        self._updates = updates
        self._store = updates.store
        self._clock = updates.around.clock
        self._folders = folders
        self._inbox = inbox

    def rehearse_sorting(self, account: str) -> JobSteps[SortingPreview]:
        """List the mail of the last 30 days that sorting would have moved.

        Labelled messages are judged by their held-out scores, whatever was done with them.
        """
        yield from self._updates.make_exact()
        held_out = self._held_out_scores()

        def judge(messages: Sequence[int]) -> dict[int, float]:
            return self._inbox.chances(messages, held_out)

        def adjust(stays: frozenset[Stay], message: int) -> frozenset[Stay]:
            if message in held_out:
                return stays - {Stay.MARKED, Stay.PUT_BACK}
            return stays

        since = self._clock() - _REHEARSED
        return (yield from self._preview(account, since, judge, adjust))

    def preview_sort_now(self, account: str) -> JobSteps[SortingPreview]:
        """List the unlabelled mail in the inbox that `sort_now` would move."""
        return self._preview(account, 0.0, self._inbox.chances, lambda stays, message: stays)

    def rehearse_filing(self, name: FolderName) -> JobSteps[SortingPreview]:
        """List the mail of the last 30 days in the inbox that would be filed into a folder."""

        def judge(messages: Sequence[int]) -> dict[int, float]:
            sure = dict[int, float]()
            for message, chance in self._folders.likeliest(messages).items():
                if chance.folder == name and chance.probability >= SURE:
                    sure[message] = chance.probability
            return sure

        def adjust(stays: frozenset[Stay], message: int) -> frozenset[Stay]:
            return for_filing(stays, self._store.labels.of([message]).get(message))

        since = self._clock() - _REHEARSED
        return self._preview(name.account, since, judge, adjust, at_once=SUGGESTED)

    def _held_out_scores(self) -> dict[int, float]:
        """Return the held-out scores of labelled messages that have one."""
        held_out = self._updates.scoring.model.held_out.all
        latest = self._store.labels.latest((SPAM, HAM), len(held_out))
        scores = held_out.scores[::-1][: len(latest)].tolist()
        pairs = zip(latest, scores, strict=True)
        return {message: score for message, score in pairs if not isnan(score)}

    def _preview(
        self, account: str, since: float, judge: Judge, adjust: Adjust, *, at_once: int = CHUNK
    ) -> JobSteps[SortingPreview]:
        """Judge the mail of the inbox since a moment, `at_once` messages in one time slice."""
        messages = list[int]()
        for name in self._store.folders.names(INBOX):
            if name.account == account:
                messages += self._store.folders.messages(name)

        moving = dict[int, float]()
        stayed = 0
        judged = 0
        for first in range(0, len(messages), at_once):
            chunk = messages[first : first + at_once]
            headings = self._store.messages.headings(chunk)
            recent = [message for message in chunk if headings[message].date >= since]
            judged += len(recent)
            chances = judge(recent) if recent else {}
            for location, stays in self._inbox.stays(account, chances).items():
                if adjust(stays, location.message):
                    stayed += 1
                else:
                    moving[location.message] = chances[location.message]
            yield Pause(first + len(chunk), len(messages))

        in_order = dict(sorted(moving.items(), key=lambda each: each[1]))
        labels = self._store.labels.of(in_order)
        ham = frozenset(message for message, label in labels.items() if label == HAM)
        return SortingPreview(judged, in_order, ham, stayed)
