"""Requests about automatic sorting: previews, the list of sorted messages, putting back and confirming."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from math import isnan
from typing import NamedTuple

import numpy as np

from nbmail.core.reading.mail import Heading
from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.core.scoring.sorting import SortedState, Stay, stay_reason
from nbmail.store.labels.journal import By
from nbmail.store.mail.filed_moves import WantedMove
from nbmail.store.mail.folders import Location
from nbmail.store.mail.sorted_mail import SortedRow
from nbmail.values import INBOX, VERDICTS
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.model.scores import Scoring
from nbmail.worker.model.updates import Changes, Updates
from nbmail.worker.protocol.sorting import SortedMessage, SortingChoice, SortingPreview, SortingStatus
from nbmail.worker.sorting.sorter import Sorter

DAY = 86_400.0
# Messages judged in one time slice: about 3 ms.
CHUNK = 500
# Messages moved back in one time slice: about 8 ms.
MOVED = 100
NEAREST = 10
# Log-odds above the junk threshold within which a message counts as near.
NEAR = 1.0
_JUNK = VERDICTS.index(JUNK)


class _Found(NamedTuple):
    """Message that a preview would move."""

    location: Location
    probability: float
    sender: str
    subject: str


class SortingControl:
    """Previews and corrections of sorting, on the engine's thread. `answered`: called after a new choice."""

    def __init__(
        self,
        sorter: Sorter,
        scoring: Scoring,
        updates: Updates,
        changes: Changes,
        *,
        answered: Callable[[], object],
        clock: Callable[[], float],
    ) -> None:
        self._answered = answered
        self._store, self._scoring, self._updates, self._clock = sorter.store, scoring, updates, clock
        self._sorter, self._changes = sorter, changes

    def set_sorting(self, account: str, choice: SortingChoice) -> SortingStatus:
        status = self._sorter.choose(account, choice)
        self._answered()
        return status

    # ------------------------------------------------------------------------------------------------------ previews

    def rehearse_sorting(self, account: str, days: float = 30.0) -> JobSteps[SortingPreview]:
        """Judge the mail of the last `days` in the inbox. Labelled messages are judged by held-out scores."""
        yield from self._updates.make_exact()
        return (yield from self._preview(account, self._clock() - days * DAY, self._held_out()))

    def preview_sort_now(self, account: str) -> JobSteps[SortingPreview]:
        """Judge the unlabelled mail in the inbox."""
        return (yield from self._preview(account, 0.0, {}))

    def _preview(self, account: str, since: float, held_out: Mapping[int, float]) -> JobSteps[SortingPreview]:
        """Judge the inbox. `held_out`: held-out scores in log-odds by labelled message; others with a label stay."""
        messages = self._inbox(account)
        found, stayed, judged = list[_Found](), Counter[Stay](), 0
        for first in range(0, len(messages), CHUNK):
            chunk = messages[first : first + CHUNK]
            headings = self._store.messages.headings(chunk)
            recent = [message for message in chunk if headings[message].date >= since]
            probabilities = self._junk(recent, held_out)
            judged += len(recent)
            locations = self._inbox_locations(account, probabilities)
            candidates = self._sorter.candidates(locations)
            for one in locations:
                candidate = candidates[one.account, one.folder, one.validity, one.uid]
                if one.message in held_out:
                    candidate = candidate._replace(marked=False, put_back=False)
                if (reason := stay_reason(candidate)) is not None:
                    stayed[reason] += 1
                    continue
                heading = headings[one.message]
                found.append(_Found(one, probabilities[one.message], heading.sender, heading.subject))
            yield Pause(first + len(chunk), len(messages))
        found.sort(key=lambda one: one.probability)
        moving = tuple(dict.fromkeys(one.location.message for one in found))
        labels = self._store.labels.of(moving)
        return SortingPreview(
            account,
            since,
            judged,
            moving,
            frozenset(message for message, label in labels.items() if label == GOOD),
            tuple(map(self._planned, islice(found, NEAREST))),
            tuple(stayed.items()),
        )

    def _junk(self, messages: Sequence[int], held_out: Mapping[int, float]) -> dict[int, float]:
        """Return the probabilities of the messages that are classified as junk."""
        scores = self._scoring.scores_of(messages)
        places = [place for place, message in enumerate(messages) if message in held_out]
        if places:
            log_odds = np.array([held_out[messages[place]] for place in places])
            scores.probabilities[places] = self._scoring.model.probabilities(log_odds)
            scores.verdicts[places] = self._scoring.model.verdicts(log_odds)
        columns = zip(messages, scores.probabilities.tolist(), scores.verdicts.tolist(), strict=True)
        return {message: chance for message, chance, verdict in columns if verdict == _JUNK}

    def _held_out(self) -> dict[int, float]:
        held_out = self._scoring.model.held_out
        latest = self._store.labels.latest((JUNK, GOOD), len(held_out))
        scores = held_out.scores[::-1][: len(latest)].tolist()
        return {message: score for message, score in zip(latest, scores, strict=True) if not isnan(score)}

    def _inbox(self, account: str) -> list[int]:
        names = [name for name in self._store.folders.names() if name.account == account]
        return [
            message for name in names if self._is_inbox(name.folder) for message in self._store.folders.messages(name)
        ]

    def _is_inbox(self, folder: str) -> bool:
        return folder.upper() == "INBOX"

    def _inbox_locations(self, account: str, messages: Collection[int]) -> list[Location]:
        found = self._store.folders.locations(messages)
        return [one for one in found if one.account == account and one.special == INBOX]

    def _planned(self, one: _Found) -> SortedMessage:
        place, now = one.location, self._clock()
        state, near = SortedState.REHEARSED, self._is_near(one.probability)
        return SortedMessage(
            place.message, place.account, place.folder, now, one.sender, one.subject, one.probability, state, near
        )

    def sort_now(self, account: str, messages: Sequence[int]) -> JobSteps[tuple[int, ...]]:
        """Plan the moves of the messages that are still classified as junk and that no exception keeps."""
        moving, now, step = list[int](), self._clock(), 0
        for first in range(0, len(messages), CHUNK):
            probabilities = self._junk(messages[first : first + CHUNK], {})
            locations = self._inbox_locations(account, probabilities)
            candidates = self._sorter.candidates(locations)
            free = [
                (one, probabilities[one.message])
                for one in locations
                if stay_reason(candidates[one.account, one.folder, one.validity, one.uid]) is None
            ]
            with self._store.transaction():
                step = step or (self._store.steps.begin(By.SORTING, now) if free else 0)
                self._store.sorted_moves.request(free, now, step)
            moving += [one.message for one, _ in free]
            yield Pause(first + CHUNK, len(messages))
        self._changes.learned()
        self._sorter.announce(account)
        return tuple(dict.fromkeys(moving))

    # ---------------------------------------------------------------------------------------------------------- list

    def list_sorted(self, since: float = 0.0, limit: int = 1000) -> tuple[SortedMessage, ...]:
        rows = self._store.sorted.since(since, limit)
        headings = self._store.messages.headings(row.message for row in rows)
        labels = self._store.labels.of({row.message for row in rows})
        found = [self._sorted(row, headings[row.message], labels) for row in rows]
        return tuple(sorted(found, key=lambda one: one.probability))

    def find_sorted(self, message: int) -> SortedMessage | None:
        row = self._store.sorted.of(message)
        if row is None:
            return None
        heading = self._store.messages.headings([message])[message]
        return self._sorted(row, heading, self._store.labels.of([message]))

    def _sorted(self, row: SortedRow, heading: Heading, labels: Mapping[int, str]) -> SortedMessage:
        confirmed = row.state is SortedState.MOVED and not row.target and labels.get(row.message) == JUNK
        return SortedMessage(
            row.message,
            row.account,
            row.folder,
            row.moment,
            heading.sender,
            heading.subject,
            row.probability,
            SortedState.CONFIRMED if confirmed else row.state,
            near=not row.target and self._is_near(row.probability),
            reason=row.reason if row.state is SortedState.STAYED else None,
            detail=row.detail,
            received=heading.date,
            target=row.target,
        )

    def _is_near(self, probability: float) -> bool:
        line = self._scoring.costs.junk_from
        return bool(probability * (1 - line) <= np.exp(NEAR) * line * (1 - probability))

    # --------------------------------------------------------------------------------------------------- corrections

    def undo_sorting(self, messages: Sequence[int]) -> JobSteps[tuple[int, ...]]:
        """Move back without labels, as one undo step.

        Messages whose new location is unknown yet are moved back as well, but not by an undoable move.
        """
        store, found, step = self._store, list[int](), 0
        for first in range(0, len(messages), MOVED):
            chunk = messages[first : first + MOVED]
            with store.transaction():
                moved, rows = store.filed.add(self._moves_back(chunk))
                if moved:
                    step = step or store.steps.begin(By.MOVE, self._clock())
                    store.filed.join(step, rows)
                    store.sorted.put_back(moved, move=False)
                found += [*moved, *self._sorter.undo([each for each in chunk if each not in moved])]
            self._updates.messages_moved(moved)
            for account in store.sorted.accounts(moved):
                self._sorter.announce(account)
            yield Pause(first + MOVED, len(messages))
        return tuple(found)

    def _moves_back(self, messages: Sequence[int]) -> list[WantedMove]:
        """Return moves of the moved messages whose location is known."""
        found = list[WantedMove]()
        for row in filter(None, map(self._store.sorted.of, messages)):
            location = self._store.sorted_moves.location(row) if row.state is SortedState.MOVED else None
            if location is not None and not row.progress:
                found.append(WantedMove(location, row.folder))
        return found
