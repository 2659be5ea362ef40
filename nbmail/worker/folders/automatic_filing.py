"""Automatic filing: arriving mail goes into folders that the user chose, as far as past suggestions carry that."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice

from nbmail.core.folders.suggestions import SURE, FilingRecord, filing_record
from nbmail.core.scoring.explanation import Proportion
from nbmail.core.scoring.sorting import SortedState, stay_reason
from nbmail.store.mail.folders import Location
from nbmail.store.mail.sorted_mail import UNDECIDED, SortedRow
from nbmail.values import INBOX, FolderName
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.folders.folder_suggestions import FolderSuggestions
from nbmail.worker.model.updates import Changes
from nbmail.worker.protocol.folders import FilingStatus, FolderChance
from nbmail.worker.protocol.sorting import SortedMessage, SortingPreview
from nbmail.worker.sorting.sorter import Sorter, for_filing
from nbmail.worker.sorting.sorting_control import DAY, NEAREST

# Messages suggested in one time slice.
_CHUNK = 8


class AutomaticFiling:
    """Decides about newly arrived messages when a folder is suggested for them. The sorter moves them."""

    def __init__(
        self, sorter: Sorter, folders: FolderSuggestions, changes: Changes, clock: Callable[[], float]
    ) -> None:
        self._store, self._sorter, self._folders = sorter.store, sorter, folders
        self._changes, self._clock = changes, clock
        folders.suggested = self.decide

    def decide(self, messages: Collection[int], suggested: Mapping[int, FolderChance]) -> None:
        """Decide about those of the messages that have arrived since the user chose the folders."""
        rows = [row for row in self._store.sorted.new(UNDECIDED) if row.message in set(messages)]
        rows = [row for row in rows if self._folders.past(row.account) is not None]
        if not rows:
            return
        chosen = {row: suggested[row.message] for row in rows if self._is_wanted(row, suggested.get(row.message))}
        records = {account: self._record(account) for account in {row.account for row in chosen}}
        with self._store.transaction():
            self._store.sorted.drop({row.number for row in rows} - {row.number for row in chosen})
            for row, reason in self._sorter.reasons(chosen).items():
                target, probability = chosen[row].folder.folder, chosen[row].probability
                planned = SortedState.MOVING if records[row.account].carries(target) else SortedState.REHEARSED
                state = SortedState.STAYED if reason else planned
                self._store.sorted.decide(row.number, state, probability, reason, target)
        for account in records:
            self._sorter.announce(account)

    def filing_status(self, account: str) -> FilingStatus:
        """Return the record of sure suggestions, and the folders that it carries."""
        record = self._record(account)
        carried = frozenset(filter(record.carries, record.folders))
        names = sorted(carried.union(self._sorter.choice(account).folders))
        folders = {name: record.folders.get(name, Proportion(0, 0)) for name in names}
        return FilingStatus(account, record.total, folders, carried)

    def rehearse_filing(self, name: FolderName, days: float = 30.0) -> JobSteps[SortingPreview]:
        """List the mail of the last `days` in the inbox that would be filed into a folder."""
        since, found = self._clock() - days * DAY, dict[Location, float]()
        inbox = self._recent_inbox(name.account, since)
        for first in range(0, len(inbox), _CHUNK):
            found |= self._sure(inbox[first : first + _CHUNK], name)
            yield Pause(first, len(inbox))
        nearest = sorted(found.items(), key=lambda each: each[1])
        moving = tuple(dict.fromkeys(place.message for place, _ in nearest))
        shown = tuple(self._planned(place, name, chance) for place, chance in islice(nearest, NEAREST))
        return SortingPreview(name.account, since, len(inbox), moving, nearest=shown)

    def confirm_filing(self, messages: Collection[int]) -> tuple[int, ...]:
        """Learn that filed messages are where they belong. Return those that were not confirmed before."""
        with self._store.transaction():
            confirmed = self._store.automatic_filings.confirm(messages)
        self._changes.rows_changed(confirmed)
        for account in set(confirmed.values()):
            self._sorter.announce(account)
        return tuple(confirmed)

    def _is_wanted(self, row: SortedRow, chance: FolderChance | None) -> bool:
        """True if this folder is chosen and sure enough, and the message arrived after the choice."""
        if chance is None or chance.folder.account != row.account or chance.probability < SURE:
            return False
        if chance.folder.folder not in self._sorter.choice(row.account).folders:
            return False
        first = self._store.sorting_start.first_uids(row.name, row.validity).get(chance.folder.folder)
        return first is not None and row.uid >= first

    def _record(self, account: str) -> FilingRecord:
        return filing_record(self._folders.past(account) or (), self._store.automatic_filings.put_back_from(account))

    def _recent_inbox(self, account: str, since: float) -> list[int]:
        names = [name for name in self._store.folders.names(INBOX) if name.account == account]
        messages = [message for name in names for message in self._store.folders.messages(name)]
        headings = self._store.messages.headings(messages)
        return [message for message in messages if headings[message].date >= since]

    def _sure(self, messages: Sequence[int], name: FolderName) -> Iterator[tuple[Location, float]]:
        """Yield the messages to file into a folder, without those that an exception keeps."""
        chances = {message: chances[0] for message, chances in self._folders.suggestions(messages)}
        sure = {each for each, chance in chances.items() if chance.folder == name and chance.probability >= SURE}
        located = self._store.folders.locations(sure)
        places = [one for one in located if (one.account, one.special) == (name.account, INBOX)]
        labels, candidates = self._store.labels.of(sure), self._sorter.candidates(places)
        for one in places:
            candidate = candidates[one.account, one.folder, one.validity, one.uid]
            if stay_reason(for_filing(candidate, labels.get(one.message))) is None:
                yield one, chances[one.message].probability

    def _planned(self, place: Location, name: FolderName, probability: float) -> SortedMessage:
        sender, subject, *_ = self._store.messages.headings([place.message])[place.message]
        now, state = self._clock(), SortedState.REHEARSED
        return SortedMessage(place.message, *place.name, now, sender, subject, probability, state, target=name.folder)
