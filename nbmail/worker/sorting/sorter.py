"""Automatic sorting of arriving mail, on the engine's thread: candidates, decisions, and actions on
the server.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from nbmail.core.senders.people import Thread
from nbmail.core.sorting.readiness import readiness
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState, Stay, stay_reason
from nbmail.settings import Account, Sorting
from nbmail.store.actions.sorted_mail import UNDECIDED, Past, has_mark
from nbmail.store.labels.journal import Change
from nbmail.store.mail.folders import Location
from nbmail.store.mail.keywords import labels_in
from nbmail.store.store import Store, Taken
from nbmail.values import (
    AUTOMATIC_CLAIM,
    CLAIMING,
    HAM,
    HAND_CLAIM,
    INBOX,
    JUNK_FOLDER,
    SPAM,
    VERDICTS,
    ActionKind,
    Delivery,
    Outcome,
    ServerAction,
    ServerLocation,
)
from nbmail.worker.engine.jobs import Surroundings
from nbmail.worker.protocol.sorting import SortingChanged, SortingPhase, SortingStatus
from nbmail.worker.scores.changes import Changes
from nbmail.worker.scores.scores import Scoring

# Messages that one set of actions moves at most: the engine plans more when these are completed.
MOST = 250
# A person moves mail out of the spam folder to one of these. "All mail" and the trash say nothing.
_RESCUED_TO = ("", INBOX, "\\Archive")
_SPAM = VERDICTS.index(SPAM)


def for_filing(stays: frozenset[Stay], label: str | None) -> frozenset[Stay]:
    """Return what can keep a message out of a folder: people whom the user writes to have their
    folders, too.
    """
    return stays - {Stay.OWN_THREAD, Stay.WRITTEN_TO, Stay.MARKED} | (
        {Stay.MARKED} if label == SPAM else set()
    )


def with_claims(store: Store, actions: Sequence[ServerAction]) -> tuple[ServerAction, ...]:
    """Return the actions; moves on request get the keyword with which this computer claims
    messages.
    """
    if not any(action.kind is ActionKind.MOVE for action in actions):
        return tuple(actions)
    mark = store.sorted_moves.mark().replace(AUTOMATIC_CLAIM, HAND_CLAIM)
    return tuple(
        action._replace(add=frozenset({mark}))
        if action.kind is ActionKind.MOVE and not action.add
        else action
        for action in actions
    )


class Sorter:
    """Sorts the accounts whose choice is not `Sorting.SHOW`."""

    def __init__(
        self, store: Store, scoring: Scoring, changes: Changes, around: Surroundings
    ) -> None:
        self.store = store
        self._scoring = scoring
        self._changes = changes
        self._around = around
        self._accounts: dict[str, Account] = {}

    def resume(self, account: Account) -> None:
        """Apply the choices of an account. Local mailboxes are never sorted."""
        if account.path:
            account = replace(account, sorting=Sorting.SHOW, automatic_folders=())
        self._accounts[account.name] = account
        targets = _targets(account)
        moving = [each for each in targets if each or account.sorting is Sorting.SORT]
        with self.store.transaction():
            self.store.sorted.resume(
                account.name, targets, moving, filing=bool(account.automatic_folders)
            )

    def announce(self, account: str) -> None:
        """Report a changed list of sorted messages, and have the account run its actions."""
        self._around.emit(SortingChanged(account))
        self._around.wake(account)

    def status(self, name: str) -> SortingStatus:
        """Return the state of sorting, with the held-out figures of the model."""
        account = self.account(name)
        held_out = self._scoring.model.held_out.all
        scores = held_out.scores[~held_out.spam & ~np.isnan(held_out.scores)]
        lost = int(np.count_nonzero(self._scoring.model.verdicts(scores) == _SPAM))
        found = readiness(lost, len(scores), account.sorting_loss)
        phase = (
            SortingPhase.SORTING if account.begun_early or found.is_ready else SortingPhase.WAITING
        )
        if account.sorting is not Sorting.SORT:
            phase = SortingPhase.OFF if account.sorting is Sorting.SHOW else SortingPhase.REHEARSING
        return SortingStatus(account, phase, found, self.store.model.is_exact)

    def account(self, name: str) -> Account:
        return self._accounts.get(name, Account(name))

    def labels_changed(self, changes: Iterable[Change]) -> None:
        """Note that marks as ham put moved messages back, and their undo moves them again. Runs in
        the transaction.

        Spam does not belong where it was filed.
        """
        labels = {change.message: change.after for change in changes}
        journal = self.store.sorted
        ham = {message for message, label in labels.items() if label == HAM}
        journal.put_back(journal.among(Past.IN_JUNK, ham))
        self.store.sorted_moves.move_again(self.store.filed.ever_moved(labels.keys() - ham))
        journal.put_back(
            journal.among(
                Past.FILED, [message for message, label in labels.items() if label == SPAM]
            )
        )
        self._announce_of(labels)

    def undo(
        self, messages: Collection[int], begin: Callable[[], int] | None = None
    ) -> tuple[int, ...]:
        """Put messages back. `begin` returns the undo step of the moves, if any is needed. Return
        the moved ones.
        """
        with self.store.transaction():
            moved, rows = self.store.filed.add(self.store.sorted_moves.returns(messages))
            if moved and begin is not None:
                self.store.filed.join(begin(), rows)
            self.store.sorted.put_back(messages)
        self._announce_of(messages)
        return moved

    def turn(self, messages: Collection[int], *, back: bool) -> None:
        """Note that messages without a label are put back by a redo, or that an undo moves them
        again.
        """
        unmarked = set(messages) - self.store.labels.of(messages).keys()
        if back:
            self.store.sorted.put_back(unmarked)
        else:
            self.store.sorted_moves.move_again(unmarked, filed=True)
        self._announce_of(unmarked)

    def _announce_of(self, messages: Collection[int]) -> None:
        for account in self.store.sorted.accounts(messages):
            self.announce(account)

    def mail_stored(self, delivery: Delivery, taken: Taken) -> None:
        """Note new mail of an inbox, and messages that a person put back. Runs in the transaction
        of the delivery.
        """
        journal = self.store.sorted
        name = delivery.folder
        targets = _targets(self.account(delivery.folder.account))
        known = [message for message in taken.messages if message not in taken.fresh]
        if delivery.special in _RESCUED_TO:
            past = Past.MOVED if delivery.special == INBOX else Past.IN_JUNK
            journal.put_back(journal.among(past, known))
        journal.put_back(journal.corrected(name, [*known, *taken.displaced]))
        if delivery.special == JUNK_FOLDER and delivery.complete:
            self.store.sorted_moves.seen(name.account)
        if delivery.special != INBOX or not targets:
            return
        first = journal.first_uids(name, delivery.validity)
        if "" in first:
            self._add_new(delivery, taken, first.pop(""), "")
        if first:
            self._add_new(delivery, taken, min(first.values()), UNDECIDED)
        if delivery.complete:
            journal.begin_folder(name, delivery.validity, targets)

    def _add_new(self, delivery: Delivery, taken: Taken, first: int, target: str) -> None:
        arrivals = zip(delivery.arrivals, taken.messages, strict=True)
        new = {
            one.uid: message
            for one, message in arrivals
            if message in taken.fresh and one.uid >= first
        }
        incomplete = {
            new[one.uid] for one in delivery.arrivals if one.uid in new and one.size > len(one.raw)
        }
        located = self.store.folders.located(delivery.folder, new)
        self.store.sorted.add(located, self._around.clock(), incomplete=incomplete, target=target)

    def judge(self) -> None:
        rows = self.store.sorted.new()
        if not rows:
            return
        scores = self._scoring.scores_of([row.message for row in rows])
        columns = zip(rows, scores.probabilities.tolist(), scores.verdicts.tolist(), strict=True)
        spam = {row: ("", chance) for row, chance, verdict in columns if verdict == _SPAM}
        accounts = {row.account for row in spam}
        sorting = {
            account for account in accounts if self.status(account).phase is SortingPhase.SORTING
        }
        self.decide(rows, spam, {row for row in spam if row.account in sorting})

    def decide(
        self,
        rows: Iterable[SortedMessage],
        chosen: Mapping[SortedMessage, tuple[str, float]],
        moved: Collection[SortedMessage],
    ) -> None:
        """Decide about arrived messages. `chosen`: target and probability of those to sort.
        `moved`: to move now.
        """
        with self.store.transaction():
            self.store.sorted.drop({row.number for row in rows} - {row.number for row in chosen})
            for row, reason in self.reasons(chosen).items():
                target, probability = chosen[row]
                planned = SortedState.MOVING if row in moved else SortedState.REHEARSED
                state = SortedState.STAYED if reason else planned
                self.store.sorted.decide(row.number, state, probability, reason, target)
        for account in {row.account for row in chosen}:
            self.announce(account)

    def reasons(self, rows: Iterable[SortedMessage]) -> dict[SortedMessage, Stay | None]:
        """Return why each message must stay now; None if it may be moved or has left its
        location.
        """
        listed = list(rows)
        places = self._places(listed)
        candidates = self.candidates(places.values())
        labels = self.store.labels.of({row.message for row in listed if row.target})
        found: dict[SortedMessage, Stay | None] = {}
        for row in listed:
            stays = candidates[places[row.key]] if row.key in places else frozenset()
            if row.target:
                stays = for_filing(stays, labels.get(row.message))
            if row.progress:
                stays -= {Stay.CLAIMED}
            found[row] = stay_reason(
                stays | {Stay.INCOMPLETE} if row.reason is Stay.INCOMPLETE else stays
            )
        return found

    def candidates(self, places: Iterable[Location]) -> dict[Location, frozenset[Stay]]:
        """Return what can keep the messages at these locations. Facts about people are those of
        their arrival.
        """
        located = list(places)
        messages = {one.message for one in located}
        labels = self.store.labels.of(messages)
        put_back = self.store.sorted.among(Past.PUT_BACK, messages)
        people = self.store.people.stored(messages)
        verified = self.store.people.verified(messages)
        found = {}
        for one in located:
            flags = {flag.lower() for flag in one.flags}
            known = people.get(one.message)
            applies = {
                Stay.FLAGGED: "\\flagged" in flags,
                Stay.ANSWERED: "\\answered" in flags,
                Stay.OWN_THREAD: known is not None and known.thread is Thread.MINE,
                Stay.WRITTEN_TO: known is not None
                and known.written > 0
                and one.message in verified,
                Stay.PUT_BACK: one.message in put_back,
                Stay.MARKED: one.message in labels or bool(labels_in(one.flags)),
                Stay.CLAIMED: "\\deleted" in flags or has_mark(one.flags),
            }
            found[one] = frozenset(stay for stay, does in applies.items() if does)
        return found

    def _places(self, rows: Sequence[SortedMessage]) -> dict[tuple[str, str, int, int], Location]:
        """Return the locations at which these messages arrived, if they are still there."""
        wanted = {row.key for row in rows}
        found = self.store.folders.locations({row.message for row in rows})
        return {one.key: one for one in found if one.key in wanted}

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return the next actions of an account. Messages are judged again by their current flags
        and labels.
        """
        self.judge()
        rows = self.store.sorted_moves.open(account, MOST)
        if not rows:
            return ()
        mark = frozenset({self.store.sorted_moves.mark()})
        places = self._places(rows)
        reasons = self.reasons(rows)
        actions = (
            self._move(row, mark, is_there=row.key in places, reason=reasons[row]) for row in rows
        )
        return tuple(action for action in actions if action is not None)

    def _move(
        self, row: SortedMessage, mark: frozenset[str], *, is_there: bool, reason: Stay | None
    ) -> ServerAction | None:
        """Return the action that moves a message, continues its move or withdraws its claim."""
        journal = self.store.sorted_moves
        begun = row.progress
        if not is_there and begun in ("", CLAIMING):
            journal.ended(row.number, SortedState.GONE)
            return None
        if reason is not None:
            journal.stay(row.number, reason)
        withdrawn = reason is not None or row.state is not SortedState.MOVING
        if withdrawn and not begun:
            return None
        return ServerAction(
            row.number,
            ActionKind.SORT,
            row.name,
            row.validity,
            row.uid,
            add=mark,
            remove=mark if withdrawn else frozenset(),
            target=row.to,
            progress=begun,
            modseq=journal.modseq(row.name),
        )

    def complete(
        self,
        action: ServerAction,
        outcome: Outcome,
        detail: str = "",
        new_location: ServerLocation | None = None,
    ) -> None:
        changed = frozenset[int]()
        journal = self.store.sorted_moves
        number = action.number
        with self.store.transaction():
            if outcome is Outcome.DONE:
                changed = journal.left(action, new_location or ServerLocation(action.target, 0, 0))
                journal.ended(number, SortedState.MOVED)
            else:
                if outcome is not Outcome.OBSOLETE:
                    journal.stay(
                        number, Stay.REFUSED if outcome is Outcome.REFUSED else Stay.CLAIMED, detail
                    )
                # Without a move there is nothing to put back.
                journal.ended(number, SortedState.GONE if outcome is Outcome.OBSOLETE else None)
        self._changes.rows_changed(changed)
        self._around.emit(SortingChanged(action.folder.account, tuple(changed)))


def _targets(account: Account) -> tuple[str, ...]:
    spam = () if account.sorting is Sorting.SHOW else ("",)
    return spam + account.automatic_folders
