"""Newly arrived mail: deliveries are parsed, stored, labelled, scored and announced."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

import numpy as np

from nbmail.core.counting.sample import Sample
from nbmail.core.folders.own_folders import ALL_OWN, own_folders
from nbmail.core.mail.message import Heading, heading_of
from nbmail.core.mail.parser import parse
from nbmail.core.senders.people import thread_of
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.store.labels.journal import By
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.mail.identity import identify
from nbmail.store.mail.keywords import label_in
from nbmail.store.mail.messages import Content
from nbmail.sync.account_backend import NONE_RENAMED, SentMail
from nbmail.values import (
    INBOX,
    ActionKind,
    Arrival,
    Delivery,
    FolderName,
    Outcome,
    ServerAction,
    ServerFolderUse,
    ServerLocation,
)
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.marking.server_labels import ForeignMoves, queue_keywords, read_keyword_labels
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.events import FolderRenamed, MoveRefused
from nbmail.worker.rereading.rereading import Rereading
from nbmail.worker.scores.chances import chances_of
from nbmail.worker.senders.sender_checks import sample_and_check
from nbmail.worker.sorting.automatic_sorting import AutomaticSorting
from nbmail.worker.sorting.sorting_actions import with_claims

# Messages parsed in one time slice, and their bytes: more would cost the window frames, fewer no
# longer help.
CHUNK = 8
CHUNK_BYTES = 64_000
# Words stored, or stored and learned, in one transaction: about 8 ms. Messages are limited as well:
# known ones bring no words.
STORED = 40_000
LEARNED = 20_000
MESSAGES = 200
# After so many messages the write-ahead logs are written into the files: 5 ms, not 20 in the middle
# of a transaction.
CHECKPOINT = 400
FILING = {ActionKind.MOVE, ActionKind.EXPUNGE}
_NO_HEADING = Heading("", "", 0.0, 0, False)
_NO_SAMPLE = Sample(np.empty(0, np.int32), np.empty(0, np.int32), ())


class Intake:
    """Engine side of `sync.account_backend.AccountBackend`, with the store: on the engine's
    thread.
    """

    def __init__(
        self,
        updates: Updates,
        rereading: Rereading,
        offers: ForeignMoves,
        sorting: AutomaticSorting,
    ) -> None:
        self._updates = updates
        self._store = updates.store
        self._changes = updates.changes
        self._around = updates.around
        self._rereading = rereading
        self._trust = rereading.trust
        self._fetches = rereading.fetches
        self._sorting = sorting
        self._offers = offers
        self._since_checkpoint = 0

    def deliver(self, delivery: Delivery, packed: Sequence[bytes]) -> JobSteps[None]:
        """Parse messages in chunks and store them in parts, with their labels. `packed`: as the
        cache stores them.
        """
        arrivals = delivery.arrivals
        begin = 0
        contents = list[Content]()
        has_labels = bool(delivery.role) or any(label_in(arrival.flags) for arrival in arrivals)
        most = LEARNED if has_labels else STORED
        for first, end in _chunks(arrivals):
            parsed = list(self._parse(delivery, arrivals[first:end], packed[first:end]))
            contents += self._with_chances(delivery, parsed)
            yield Pause()
            words = sum(len(content.sample.words) for content in contents)
            if end < len(arrivals) and (words >= most or len(contents) >= MESSAGES):
                part = delivery._replace(
                    arrivals=arrivals[begin:end], flags={}, gone=frozenset(), complete=False
                )
                yield from self._store_part(part, contents)
                begin = end
                contents = []
        yield from self._store_part(delivery._replace(arrivals=arrivals[begin:]), contents)

    def trust(self, account: str, servers: tuple[str, ...] | None) -> JobSteps[None]:
        if self._trust.name(account, servers):
            self._rereading.schedule_account(account)
        yield from self._rereading.learn_servers_of(account)

    def take_sent(self, sent: SentMail) -> None:
        people = self._store.people
        account = sent.folder.account
        before = people.is_complete(account)
        with self._store.transaction():
            people.add_own(sent.own)
            people.add_sent(
                sent.folder, sent.validity, sent.upto, sent.messages, complete=sent.complete
            )
        if sent.complete and not before:
            self._rereading.schedule_account(account)

    def forget_account(self, account: str) -> None:
        """Remove the account's mail from the list and close its pending server actions.

        Labels stay.
        """
        self.retain(account, (), spam=False)

    def retain(self, account: str, folders: Collection[str], *, spam: bool) -> None:
        """Remove the account's locations except in `folders`. Without any, forget the account.

        `ALL_OWN` among `folders` keeps all folders of the user's own.
        """
        if ALL_OWN in folders:
            listed = (
                (each.name.folder, each.special) for each in self._store.server_folders.all(account)
            )
            folders = {*folders, *own_folders(listed)}
        messages = [
            each
            for name in self._store.folders.names()
            if name.account == account and name.folder not in folders
            for each in self._store.folders.messages(name)
        ]
        with self._store.transaction():
            if not folders:
                self._trust.forget(account)
                self._store.forget_account(account)
            unlocated = self._store.folders.forget(account, folders, spam=spam)
        self._changes.untidy = True
        self._changes.rows_changed(message for message in messages if message not in unlocated)
        self._changes.gone(unlocated)

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return the messages to fetch for the user, queued actions, automatic moves, and mail to
        read again.
        """
        queued = self._store.outbox.pending_actions(account) + self._store.filed.pending_actions(
            account
        )
        queued = with_claims(self._store, queued)
        sorting = self._sorting.actions.pending_actions(account)
        background = self._fetches.background.pending_actions(account)
        return self._fetches.pending_actions(account) + queued + sorting + background

    def list_folders(
        self,
        account: str,
        folders: Sequence[ServerFolderUse],
        renamed: Mapping[str, str] = NONE_RENAMED,
    ) -> None:
        with self._store.transaction():
            for old, new in renamed.items():
                self._store.server_folders.rename(account, old, new)
        for old, new in renamed.items():
            self._changes.rows_changed(self._store.folders.messages(FolderName(account, new)))
            self._around.emit(FolderRenamed(account, old, new))
        before = {each.name for each in self._store.server_folders.all(account)}
        self._store.server_folders.replace(account, folders)
        removed = {name.folder for name in before - {each.name for each in folders}}
        stored = {name.folder for name in self._store.folders.names() if name.account == account}
        if stored & removed and stored - removed:
            self.retain(account, stored - removed, spam=False)

    def store_progress(self, actions: Sequence[ServerAction]) -> None:
        for kind, group in groupby(actions, lambda action: action.kind):
            store = self._store
            is_sorting = kind is ActionKind.SORT
            table = (
                store.sorted_moves
                if is_sorting
                else store.filed
                if kind in FILING
                else store.outbox
            )
            table.store_progress(list(group))

    def complete(
        self,
        action: ServerAction,
        outcome: Outcome,
        detail: str = "",
        new_location: ServerLocation | None = None,
    ) -> None:
        if action.kind is ActionKind.FETCH:
            self._fetches.complete_without(action)
            return
        if action.kind is ActionKind.SORT:
            self._sorting.actions.complete(action, outcome, detail, new_location)
        elif action.kind in FILING:
            messages = self._store.filed.complete(action, outcome, detail, new_location)
            self._changes.rows_changed(messages)
            if outcome is Outcome.REFUSED:
                account = action.folder.account
                special = self._store.server_folders.special
                target = FolderName(account, special(account, action.target) or action.target)
                self._around.emit(MoveRefused(len(messages), target, detail))
        else:
            changed, away = self._store.outbox.complete(action, outcome, detail)
            self._changes.rows_changed(changed - away)
            self._changes.gone(away)

    def _store_part(self, part: Delivery, contents: list[Content]) -> JobSteps[None]:
        # The server has it all, and the stored state of the folder shows what is missing: a crash
        # loses nothing.
        with self._store.connection.relaxed():
            self._store_in_transaction(part, contents)
        yield Pause()
        if part.special == INBOX:
            yield from self._rereading.learn_servers_of(part.folder.account, len(contents))
        self._since_checkpoint += len(contents)
        if self._since_checkpoint >= CHECKPOINT:
            self._since_checkpoint = 0
            for file in (self._store.connection, self._store.raw_mail):
                file.relieve()
                yield Pause()

    def _parse(
        self, delivery: Delivery, arrivals: Sequence[Arrival], packed: Sequence[bytes]
    ) -> Iterator[Content]:
        """Parse messages and number their words: everything that needs no transaction."""
        trust = self._trust.of(delivery.folder.account)
        people = self._store.people
        is_complete = people.is_complete(delivery.folder.account)
        identities = [identify(arrival.raw) for arrival in arrivals]
        known = self._store.messages.find(identities)
        for arrival, identity, stored in zip(arrivals, identities, packed, strict=True):
            if identity in known:
                # Heading and sample of a known message stay unchanged, so nothing is parsed.
                yield Content(identity, _NO_HEADING, _NO_SAMPLE, stored)
                continue
            mail = parse(arrival.raw)
            heading = heading_of(mail)
            # The server's date is trusted more than the sender's.
            heading = heading._replace(
                date=arrival.received or heading.date, size=arrival.size or heading.size
            )
            sender = people.acquaintance(mail, heading.date) if is_complete else None
            sample, verified = sample_and_check(mail, self._store.words.vocabulary, trust, sender)
            thread = thread_of(mail)
            yield Content(identity, heading, sample, stored, sender, verified, thread)

    def _with_chances(self, delivery: Delivery, contents: Sequence[Content]) -> list[Content]:
        """Return the contents of new messages with their chance of spam at arrival.

        Messages of a training folder, and those that arrive during a first training, have none.
        """
        if delivery.role or self._updates.trainings:
            return list(contents)
        samples = [content.sample for content in contents]
        chances = chances_of(self._updates.scoring.model, samples)
        return [
            content._replace(chance=chance)
            for content, chance in zip(contents, chances, strict=True)
        ]

    def _store_in_transaction(self, delivery: Delivery, contents: list[Content]) -> None:
        store = self._store
        moment = self._around.clock()
        before = store.outbox.newest()
        with store.transaction():
            identities = [content.identity for content in contents]
            numbers = store.messages.find(identities)
            known = [numbers.get(identity) for identity in identities]
            keywords = read_keyword_labels(store, delivery, known, moment)
            found = self._offers.read(delivery, known, moment)
            moves = [each for each in found if each.message not in keywords.known]
            taken = store.take(delivery, contents, TOKENIZER_VERSION, moment)
            self._sorting.arrived.mail_stored(delivery, taken)
            labels = dict[int, str | None](keywords.labels(taken.messages))
            learned, offered = self._offers.divide(moves)
            later = labels.keys() | store.outbox.waiting(learned)
            labels.update(
                (message, label) for message, label in learned.items() if message not in later
            )
            marked = [store.marks.mark(labels, by=By.SERVER, moment=moment)]
            queue_keywords(store, labels, keywords.lost)
            marked.append(self._assign_waiting(delivery, identities, taken.messages))
            if delivery.role:
                marked.append(self._train(delivery, taken.messages, moment))
            store.offered_moves.add(offered)
        if store.outbox.newest() > before or store.filed.waiting(taken.messages):
            self._around.wake(delivery.folder.account)
        known_before = [message for message in taken.messages if message not in taken.fresh]
        if known_before and store.people.is_complete(delivery.folder.account):
            # Another account, without a folder of sent mail, brought them.
            self._rereading.schedule_messages(
                set(known_before) - store.people.stored(known_before).keys()
            )
        self._updates.mail_stored(contents, taken)
        if delivery.role and not delivery.complete:
            self._updates.trainings.add(delivery.folder)
        for each in marked:
            self._updates.labels_changed(each)
        if delivery.complete:
            self._updates.training_ended(delivery.folder)
        self._sorting.decisions.judge()
        self._offers.offer(offered)

    def _assign_waiting(
        self, delivery: Delivery, identities: Sequence[bytes], messages: Sequence[int]
    ) -> LabelChanges:
        """Assign the labels that waited for arrived messages."""
        raws = (arrival.raw for arrival in delivery.arrivals)
        names = self._store.earlier_names(zip(messages, raws, strict=True))
        names.update(zip(identities, messages, strict=True))
        return self._store.assign_waiting(names)

    def _train(self, delivery: Delivery, messages: Sequence[int], moment: float) -> LabelChanges:
        """Label the unlabelled messages. A folder's first training is one step, in however many
        deliveries it comes.
        """
        store = self._store
        steps = self._updates.training_steps
        folder = delivery.folder
        labelled = store.labels.of(messages)
        labels = {message: delivery.role for message in messages if message not in labelled}
        step = steps.get(folder, 0)
        done = store.marks.mark(
            labels, by=By.FOLDER, moment=moment, step=step, shuffled=True, folder=folder
        )
        if done.step:
            # Only after the commit: the next mark gets the number of a step that is rolled back.
            store.connection.when_committed.append(partial(steps.__setitem__, folder, done.step))
        return done


def _chunks(arrivals: Sequence[Arrival]) -> Iterator[tuple[int, int]]:
    first = weight = 0
    for place, arrival in enumerate(arrivals):
        if place - first >= CHUNK or weight >= CHUNK_BYTES:
            yield first, place
            first = place
            weight = 0
        weight += len(arrival.raw)
    if arrivals:
        yield first, len(arrivals)
