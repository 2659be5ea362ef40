"""Requests about automatic sorting and filing: previews, the list of sorted messages, putting back
and confirming.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import isnan

import numpy as np

from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.folders.filing_record import SURE, FilingRecord, filing_record
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState, Stay
from nbmail.settings import Account
from nbmail.store.actions.sorted_mail import UNDECIDED
from nbmail.store.labels.journal import By
from nbmail.store.mail.folders import Location
from nbmail.values import HAM, INBOX, SPAM, VERDICTS, FolderName
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.folders.folder_suggestions import FolderSuggestions
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.folders import FolderChance
from nbmail.worker.protocol.sorting import SortingPreview, SortingStatus
from nbmail.worker.sorting.sorter import Sorter, for_filing

DAY = 86_400.0
_REHEARSED = 30 * DAY
# Messages judged in one time slice, about 3 ms, and those that a folder is suggested for.
CHUNK = 500
SUGGESTED = 8
# Messages moved back in one time slice: about 8 ms.
MOVED = 100
# Log-odds above the spam threshold within which a message counts as near.
NEAR = 1.0
_SPAM = VERDICTS.index(SPAM)
Judge = Callable[[Sequence[int]], Mapping[int, float]]
"""Returns the messages to move, with the probability that this is right."""


class SortingControl:
    """Previews and corrections of sorting. It decides about arriving mail when a folder is
    suggested for it.

    `answered`: called after a new choice.
    """

    def __init__(
        self,
        updates: Updates,
        sorter: Sorter,
        folders: FolderSuggestions,
        answered: Callable[[], object],
    ) -> None:
        self._updates = updates
        self._store = updates.store
        self._scoring = updates.scoring
        self._clock = updates.around.clock
        self._changes = updates.changes
        self._sorter = sorter
        self._folders = folders
        self._answered = answered

    def set_sorting(self, account: Account) -> SortingStatus:
        """Apply the choices in the settings of an account, and return the state of sorting.

        Only mail that arrives later is sorted. Callers save the settings.
        """
        self._sorter.resume(account)
        self._sorter.announce(account.name)
        status = self._sorter.status(account.name)
        self._answered()
        return status

    def rehearse_sorting(self, account: str) -> JobSteps[SortingPreview]:
        """List the mail of the last 30 days that sorting would have moved.

        Labelled messages are judged by their held-out scores, whatever was done with them.
        """
        yield from self._updates.make_exact()
        held_out = self._scoring.model.held_out.all
        latest = self._store.labels.latest((SPAM, HAM), len(held_out))
        scores = zip(latest, held_out.scores[::-1][: len(latest)].tolist(), strict=True)
        known = {message: score for message, score in scores if not isnan(score)}

        def judge(messages: Sequence[int]) -> dict[int, float]:
            return self._spam(messages, known)

        def free(stays: frozenset[Stay], message: int) -> frozenset[Stay]:
            return stays - {Stay.MARKED, Stay.PUT_BACK} if message in known else stays

        return (yield from self._preview(account, self._clock() - _REHEARSED, judge, free))

    def preview_sort_now(self, account: str) -> JobSteps[SortingPreview]:
        """List the unlabelled mail in the inbox that `sort_now` would move."""
        return self._preview(account, 0.0, self._spam)

    def rehearse_filing(self, name: FolderName) -> JobSteps[SortingPreview]:
        """List the mail of the last 30 days in the inbox that would be filed into a folder."""

        def judge(messages: Sequence[int]) -> dict[int, float]:
            first = {
                message: chance for message, chance in self._folders.likeliest(messages).items()
            }
            sure = {
                each: one
                for each, one in first.items()
                if one.folder == name and one.probability >= SURE
            }
            return {each: one.probability for each, one in sure.items()}

        def for_folder(stays: frozenset[Stay], message: int) -> frozenset[Stay]:
            return for_filing(stays, self._store.labels.of([message]).get(message))

        since = self._clock() - _REHEARSED
        return self._preview(name.account, since, judge, for_folder, at_once=SUGGESTED)

    def _preview(
        self,
        account: str,
        since: float,
        judge: Judge,
        adjusted: Callable[[frozenset[Stay], int], frozenset[Stay]] = lambda stays, message: stays,
        *,
        at_once: int = CHUNK,
    ) -> JobSteps[SortingPreview]:
        """Judge the mail of the inbox since a moment. `adjusted`: what can keep a message in this
        preview.
        """
        names = [name for name in self._store.folders.names(INBOX) if name.account == account]
        messages = [message for name in names for message in self._store.folders.messages(name)]
        found = dict[int, float]()
        stayed = 0
        judged = 0
        for first in range(0, len(messages), at_once):
            chunk = messages[first : first + at_once]
            headings = self._store.messages.headings(chunk)
            recent = [message for message in chunk if headings[message].date >= since]
            judged += len(recent)
            probabilities = judge(recent) if recent else {}
            for one, stays in (
                self._in_inbox(account, probabilities).items() if probabilities else ()
            ):
                if adjusted(stays, one.message):
                    stayed += 1
                else:
                    found[one.message] = probabilities[one.message]
            yield Pause(first + len(chunk), len(messages))
        moving = dict(sorted(found.items(), key=lambda each: each[1]))
        ham = frozenset(
            message for message, label in self._store.labels.of(moving).items() if label == HAM
        )
        return SortingPreview(judged, moving, ham, stayed)

    def _spam(
        self, messages: Sequence[int], held_out: Mapping[int, float] | None = None
    ) -> dict[int, float]:
        """Return the probabilities of the messages that are classified as spam. `held_out`: scores,
        as log-odds.
        """
        scores = self._scoring.scores_of(messages)
        places = [place for place, message in enumerate(messages) if message in (held_out or {})]
        if held_out and places:
            log_odds = np.array([held_out[messages[place]] for place in places])
            scores.probabilities[places] = self._scoring.model.probabilities(log_odds)
            scores.verdicts[places] = self._scoring.model.verdicts(log_odds)
        columns = zip(
            messages, scores.probabilities.tolist(), scores.verdicts.tolist(), strict=True
        )
        return {message: chance for message, chance, verdict in columns if verdict == _SPAM}

    def _in_inbox(self, account: str, messages: Collection[int]) -> dict[Location, frozenset[Stay]]:
        found = self._store.folders.locations(messages)
        return self._sorter.candidates(
            one for one in found if (one.account, one.special) == (account, INBOX)
        )

    def _is_near(self, probability: float) -> bool:
        line = self._scoring.costs.spam_from
        return bool(probability * (1 - line) <= np.exp(NEAR) * line * (1 - probability))

    def sort_now(self, account: str, messages: Sequence[int]) -> JobSteps[tuple[int, ...]]:
        """Move messages of a preview. Return those that are moved. One undo step."""
        moving = dict[int, None]()
        now = self._clock()
        step = 0
        for first in range(0, len(messages), CHUNK):
            probabilities = self._spam(messages[first : first + CHUNK])
            located = self._in_inbox(account, probabilities).items()
            free = [(one, probabilities[one.message]) for one, stays in located if not stays]
            with self._store.transaction():
                step = step or (self._store.steps.begin(By.SORTING, now) if free else 0)
                self._store.sorted_moves.request(free, now, step)
            moving |= dict.fromkeys(one.message for one, _ in free)
            yield Pause(first + CHUNK, len(messages))
        self._changes.learned()
        self._sorter.announce(account)
        return tuple(moving)

    def decide(self, messages: Collection[int], suggested: Mapping[int, FolderChance]) -> None:
        rows = [row for row in self._store.sorted.new(UNDECIDED) if row.message in set(messages)]
        rows = [row for row in rows if self._folders.models.past(row.account) is not None]
        if not rows:
            return
        chosen = {
            row: suggested[row.message]
            for row in rows
            if self._is_wanted(row, suggested.get(row.message))
        }
        records = {account: self._record(account) for account in {row.account for row in chosen}}
        moved = {
            row
            for row, chance in chosen.items()
            if records[row.account].carries(chance.folder.folder)
        }
        targets = {
            row: (chance.folder.folder, chance.probability) for row, chance in chosen.items()
        }
        self._sorter.decide(rows, targets, moved)

    def _is_wanted(self, row: SortedMessage, chance: FolderChance | None) -> bool:
        """True if this folder is chosen and sure enough, and the message arrived after the
        choice.
        """
        if chance is None or chance.folder.account != row.account or chance.probability < SURE:
            return False
        if chance.folder.folder not in self._sorter.account(row.account).automatic_folders:
            return False
        first = self._store.sorted.first_uids(row.name, row.validity).get(chance.folder.folder)
        return first is not None and row.uid >= first

    def _record(self, account: str) -> FilingRecord:
        return filing_record(
            self._folders.models.past(account) or (), self._store.sorted.put_back_from(account)
        )

    def filing_status(self, account: str) -> FilingRecord:
        """Return the record of folders that are, or can be, filled automatically."""
        record = self._record(account)
        chosen = self._sorter.account(account).automatic_folders
        names = sorted({*filter(record.carries, record.folders), *chosen})
        return record._replace(
            folders={name: record.folders.get(name, Proportion(0, 0)) for name in names}
        )

    def confirm_filing(self, messages: Collection[int]) -> tuple[int, ...]:
        """Learn that automatically filed messages are where they belong.

        Return those that were not confirmed before.
        """
        with self._store.transaction():
            confirmed = self._store.sorted.confirm(messages)
        self._changes.rows_changed(confirmed)
        for account in set(confirmed.values()):
            self._sorter.announce(account)
        return tuple(confirmed)

    def list_sorted(self, since: float = 0.0, limit: int = 1000) -> tuple[SortedMessage, ...]:
        """List sorted messages since a moment, nearest to the spam threshold first."""
        return tuple(
            sorted(
                self._described(self._store.sorted.since(since, limit)),
                key=lambda one: one.probability,
            )
        )

    def find_sorted(self, message: int) -> SortedMessage | None:
        """Return what sorting did with a message.

        None if it was neither spam nor filed on arrival.
        """
        row = self._store.sorted.of(message)
        return self._described([row])[0] if row else None

    def _described(self, rows: Sequence[SortedMessage]) -> list[SortedMessage]:
        labels = self._store.labels.of({row.message for row in rows})
        found = list[SortedMessage]()
        for row in rows:
            confirmed = (
                row.state is SortedState.MOVED
                and not row.target
                and labels.get(row.message) == SPAM
            )
            state = SortedState.CONFIRMED if confirmed else row.state
            near = not row.target and self._is_near(row.probability)
            found.append(
                row._replace(
                    state=state,
                    near=near,
                    reason=row.reason if state is SortedState.STAYED else None,
                )
            )
        return found

    def undo_sorting(self, messages: Sequence[int]) -> JobSteps[tuple[int, ...]]:
        """Move sorted messages back without a label, as one undo step. Return those that go back.

        They are never sorted again.
        """
        found = list[int]()
        step = 0

        def begin() -> int:
            nonlocal step
            step = step or self._store.steps.begin(By.MOVE, self._clock())
            return step

        for first in range(0, len(messages), MOVED):
            moved = self._sorter.undo(messages[first : first + MOVED], begin)
            found += moved
            self._updates.messages_moved(moved)
            yield Pause(first + MOVED, len(messages))
        return tuple(found)
