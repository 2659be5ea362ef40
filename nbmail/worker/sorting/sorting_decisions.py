"""Decisions about arrived mail: spam by the verdict, other mail by suggested folders."""

from collections.abc import Collection, Iterable, Mapping

from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.folders.filing_record import SURE, FilingRecord, filing_record
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.store.actions.sorted_mail import UNDECIDED
from nbmail.store.store import Store
from nbmail.values import SPAM, VERDICTS
from nbmail.worker.folders.folder_models import FolderModels
from nbmail.worker.protocol.folders import FolderChance
from nbmail.worker.protocol.sorting import SortingPhase
from nbmail.worker.scores.scores import Scoring
from nbmail.worker.sorting.sorting_accounts import SortingAccounts
from nbmail.worker.sorting.stay_reasons import StayReasons

_SPAM = VERDICTS.index(SPAM)

Targets = Mapping[SortedMessage, tuple[str, float]]
"""Target folder and probability of messages; "" for the spam folder."""


class SortingDecisions:
    """Decides which arrived messages move, stay, or would be moved."""

    def __init__(
        self,
        store: Store,
        scoring: Scoring,
        accounts: SortingAccounts,
        reasons: StayReasons,
        models: FolderModels,
    ) -> None:
        self._store = store
        self._scoring = scoring
        self._accounts = accounts
        self._reasons = reasons
        self._models = models

    def judge(self) -> None:
        """Decide about all arrived messages that may be spam."""
        rows = self._store.sorted.new()
        if not rows:
            return
        scores = self._scoring.scores_of([row.message for row in rows])
        spam = dict[SortedMessage, tuple[str, float]]()
        columns = zip(rows, scores.probabilities.tolist(), scores.verdicts.tolist(), strict=True)
        for row, chance, verdict in columns:
            if verdict == _SPAM:
                spam[row] = ("", chance)

        sorting = set[str]()
        for account in {row.account for row in spam}:
            if self._accounts.status(account).phase is SortingPhase.SORTING:
                sorting.add(account)
        self._decide(rows, spam, {row for row in spam if row.account in sorting})

    def file_suggested(
        self, messages: Collection[int], suggested: Mapping[int, FolderChance]
    ) -> None:
        """Decide about arrived messages that wait for a suggested folder."""
        rows = list[SortedMessage]()
        for row in self._store.sorted.new(UNDECIDED):
            if row.message in messages and self._models.past(row.account) is not None:
                rows.append(row)
        if not rows:
            return

        targets = dict[SortedMessage, tuple[str, float]]()
        moved = set[SortedMessage]()
        records = dict[str, FilingRecord]()
        for row in rows:
            chance = suggested.get(row.message)
            if chance is None or not self._is_wanted(row, chance):
                continue
            folder = chance.folder.folder
            targets[row] = (folder, chance.probability)
            if row.account not in records:
                records[row.account] = self._record(row.account)
            if records[row.account].carries(folder):
                moved.add(row)
        self._decide(rows, targets, moved)

    def filing_status(self, account: str) -> FilingRecord:
        """Return the record of folders that are, or can be, filled automatically."""
        record = self._record(account)
        shown = {name for name in record.folders if record.carries(name)}
        shown.update(self._accounts.of(account).automatic_folders)
        folders = {name: record.folders.get(name, Proportion(0, 0)) for name in sorted(shown)}
        return record._replace(folders=folders)

    def _decide(
        self,
        rows: Iterable[SortedMessage],
        targets: Targets,
        moved: Collection[SortedMessage],
    ) -> None:
        """Store decisions. `targets`: of the messages to sort. `moved`: those to move now."""
        with self._store.transaction():
            ignored = {row.number for row in rows} - {row.number for row in targets}
            self._store.sorted.drop(ignored)
            for row, reason in self._reasons.of(targets).items():
                target, probability = targets[row]
                state = SortedState.REHEARSED
                if reason:
                    state = SortedState.STAYED
                elif row in moved:
                    state = SortedState.MOVING
                self._store.sorted.decide(row.number, state, probability, reason, target)
        for account in {row.account for row in targets}:
            self._accounts.announce(account)

    def _is_wanted(self, row: SortedMessage, chance: FolderChance) -> bool:
        """True if this folder is chosen and sure, and the message arrived after the choice."""
        account, folder = chance.folder
        if account != row.account or chance.probability < SURE:
            return False
        if folder not in self._accounts.of(row.account).automatic_folders:
            return False
        first = self._store.sorted.first_uids(row.name, row.validity).get(folder)
        return first is not None and row.uid >= first

    def _record(self, account: str) -> FilingRecord:
        past = self._models.past(account) or ()
        return filing_record(past, self._store.sorted.put_back_from(account))
