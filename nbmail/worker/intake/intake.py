"""Intake of deliveries: newly arrived mail is parsed, stored, labelled, scored and announced."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.store.labels.journal import By
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.labels.offered_moves import OfferedMove
from nbmail.store.mail.keywords import label_in
from nbmail.store.mail.messages import Content
from nbmail.store.store import Taken
from nbmail.values import INBOX, Arrival, Delivery
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.intake.arrival_parser import ArrivalParser
from nbmail.worker.marking.foreign_moves import ForeignMoves
from nbmail.worker.marking.keyword_labels import queue_keywords, read_keyword_labels
from nbmail.worker.model.updates import Updates
from nbmail.worker.rereading.rereading import Rereading
from nbmail.worker.scores.arrived_rows import ArrivedMessage
from nbmail.worker.sorting.automatic_sorting import AutomaticSorting

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


class Intake:
    """Takes deliveries of all accounts."""

    def __init__(
        self,
        updates: Updates,
        rereading: Rereading,
        offers: ForeignMoves,
        sorting: AutomaticSorting,
    ) -> None:
        self._updates = updates
        self._store = updates.store
        self._around = updates.around
        self._rereading = rereading
        self._parser = ArrivalParser(updates.store, updates.scoring, rereading.trust)
        self._sorting = sorting
        self._offers = offers
        self._since_checkpoint = 0

    def deliver(self, delivery: Delivery, packed: Sequence[bytes]) -> JobSteps[None]:
        """Parse messages in chunks and store them in parts, with their labels.

        `packed`: as the cache stores them.
        """
        arrivals = delivery.arrivals
        most_words = _most_words(delivery)
        begin = 0
        contents = list[Content]()
        for first, end in _chunks(arrivals):
            contents += self._parser.parse(
                delivery.folder.account, arrivals[first:end], packed[first:end]
            )
            yield Pause()
            words = sum(len(content.sample.words) for content in contents)
            is_full = words >= most_words or len(contents) >= MESSAGES
            if is_full and end < len(arrivals):
                part = delivery._replace(
                    arrivals=arrivals[begin:end], flags={}, gone=frozenset(), complete=False
                )
                yield from self._store_part(part, contents)
                begin = end
                contents = []
        yield from self._store_part(delivery._replace(arrivals=arrivals[begin:]), contents)

    def _store_part(self, part: Delivery, contents: Sequence[Content]) -> JobSteps[None]:
        # What is learned at once, or during a first training, has no chance at arrival.
        if not part.role and not self._updates.trainings:
            contents = self._parser.with_chances(contents)
            yield Pause()
        # The server has it all, and the stored state of the folder shows what is missing: a crash
        # loses nothing.
        with self._store.connection.relaxed():
            self._store_and_announce(part, contents)
        yield Pause()
        if part.special == INBOX:
            yield from self._rereading.learn_servers_of(part.folder.account, len(contents))

        self._since_checkpoint += len(contents)
        if self._since_checkpoint >= CHECKPOINT:
            self._since_checkpoint = 0
            for file in (self._store.connection, self._store.raw_mail):
                file.relieve()
                yield Pause()

    def _store_and_announce(self, delivery: Delivery, contents: Sequence[Content]) -> None:
        store = self._store
        queued_before = store.outbox.newest()
        was_calibrated = store.model.model.calibrated
        with store.transaction():
            taken, marked, offered = self._take(delivery, contents)
        if store.outbox.newest() > queued_before or store.filed.waiting(taken.messages):
            self._around.wake(delivery.folder.account)

        self._reread_known(delivery, taken)
        self._updates.mail_stored(contents, taken)
        self._updates.changes.arrived(_arrived(delivery, contents, taken))
        if delivery.role and not delivery.complete:
            self._updates.training_began(delivery.folder, is_calibrated=was_calibrated)
        for changes in marked:
            self._updates.labels_changed(changes)
        if delivery.complete:
            self._updates.training_ended(delivery.folder)
        self._sorting.decisions.judge()
        self._offers.offer(offered)

    def _take(
        self, delivery: Delivery, contents: Sequence[Content]
    ) -> tuple[Taken, list[LabelChanges], list[OfferedMove]]:
        """Store messages and the labels that their delivery implies. Runs in a transaction.

        Return the labels, and those that other clients' moves imply and the user is asked about.
        """
        store = self._store
        moment = self._around.clock()
        identities = [content.identity for content in contents]
        numbers = store.messages.find(identities)
        known = [numbers.get(identity) for identity in identities]
        keywords = read_keyword_labels(store, delivery, known, moment)
        found = self._offers.read(delivery, known, moment)
        moves = [move for move in found if move.message not in keywords.known]

        taken = store.take(delivery, contents, TOKENIZER_VERSION, moment)
        self._sorting.arrived.mail_stored(delivery, taken)

        labels = dict[int, str | None](keywords.labels(taken.messages))
        learned, offered = self._offers.divide(moves)
        later = labels.keys() | store.outbox.waiting(learned)
        for message, label in learned.items():
            if message not in later:
                labels[message] = label

        marked = list[LabelChanges]()
        if labels:
            marked.append(store.marks.mark(labels, by=By.SERVER, moment=moment))
        queue_keywords(store, labels, keywords.lost)
        marked.append(self._assign_waiting(delivery, identities, taken.messages))
        if delivery.role:
            marked.append(self._train(delivery, taken.messages, moment))
        if offered:
            store.offered_moves.add(offered)
        return taken, marked, offered

    def _reread_known(self, delivery: Delivery, taken: Taken) -> None:
        """Read known messages again that another account, without sent mail, had brought."""
        known = [message for message in taken.messages if message not in taken.fresh]
        if known and self._store.people.is_complete(delivery.folder.account):
            with_sender = self._store.people.stored(known)
            self._rereading.schedule_messages(set(known).difference(with_sender))

    def _assign_waiting(
        self, delivery: Delivery, identities: Sequence[bytes], messages: Sequence[int]
    ) -> LabelChanges:
        """Assign the labels that waited for arrived messages."""
        raws = (arrival.raw for arrival in delivery.arrivals)
        names = self._store.earlier_names(zip(messages, raws, strict=True))
        names.update(zip(identities, messages, strict=True))
        return self._store.assign_waiting(names)

    def _train(self, delivery: Delivery, messages: Sequence[int], moment: float) -> LabelChanges:
        """Label the unlabelled messages of a training folder.

        A folder's first training is one step, in however many deliveries it comes.
        """
        store = self._store
        steps = self._updates.training_steps
        folder = delivery.folder
        labelled = store.labels.of(messages)
        labels = {message: delivery.role for message in messages if message not in labelled}
        done = store.marks.mark(
            labels,
            by=By.FOLDER,
            moment=moment,
            step=steps.get(folder, 0),
            shuffled=True,
            folder=folder,
        )
        if done.step:
            # Only after the commit: the next mark gets the number of a step that is rolled back.
            store.connection.when_committed.append(partial(steps.__setitem__, folder, done.step))
        return done


def _most_words(delivery: Delivery) -> int:
    """Return the number of words that are stored in one transaction."""
    has_labels = any(label_in(arrival.flags) for arrival in delivery.arrivals)
    return LEARNED if delivery.role or has_labels else STORED


def _chunks(arrivals: Sequence[Arrival]) -> Iterator[tuple[int, int]]:
    """Yield the ends of the chunks that are parsed at once."""
    first = 0
    weight = 0
    for place, arrival in enumerate(arrivals):
        if place - first >= CHUNK or weight >= CHUNK_BYTES:
            yield first, place
            first = place
            weight = 0
        weight += len(arrival.raw)
    if arrivals:
        yield first, len(arrivals)


def _arrived(
    delivery: Delivery, contents: Sequence[Content], taken: Taken
) -> dict[int, ArrivedMessage]:
    """Return the new messages that a delivery contains once."""
    copies = Counter(taken.messages)
    arrived = dict[int, ArrivedMessage]()
    for number, content, arrival in zip(taken.messages, contents, delivery.arrivals, strict=True):
        is_single = copies[number] == 1 and number not in taken.flagged
        if number in taken.fresh and is_single:
            arrived[number] = ArrivedMessage(
                content.heading, content.verified, delivery.folder, arrival.flags
            )
    return arrived
