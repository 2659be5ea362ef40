"""Mail that comes in: deliveries are taken apart, numbered, stored, labelled, scored and announced."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from nbmail.core.counting.sample import Sample, Vocabulary, sample_of
from nbmail.core.reading.mail import Heading, heading_of, parse
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.store.labels.journal import By
from nbmail.store.labels.label_rows import HandedIn
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.mail.identity import identify
from nbmail.store.mail.keywords import label_in
from nbmail.store.mail.messages import Content
from nbmail.values import VERDICTS, ActionKind, Arrival, Delivery, Outcome, ServerAction, ServerLocation
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.intake.foreign_moves import ForeignMoves
from nbmail.worker.intake.keyword_labels import read_keyword_labels, tell_again
from nbmail.worker.protocol import MovedByOthers

# Messages parsed between two looks at the queue, and their bytes: more would cost the window frames, fewer no longer
# help.
PIECE, PIECE_BYTES = 8, 64_000
# As many words are stored, or stored and learned, in one transaction: about 8 ms. Also no more than so many messages,
# of which those known before bring no words.
STORED, LEARNED, MESSAGES = 40_000, 20_000, 200
# After so many messages the databases' logs are written into their files: 5 ms, not 20 in the middle of a transaction.
RELIEF = 400
_NO_HEADING = Heading("", "", 0.0, 0, False)
_NO_SAMPLE = Sample(np.empty(0, np.int32), np.empty(0, np.int32), ())


class Intake:
    """Works for the accounts, on the engine's thread."""

    def __init__(self, state: EngineState) -> None:
        self.state = state
        self._since_relief = 0
        self._moves = ForeignMoves(state.store)

    def deliver(self, delivery: Delivery, packed: Sequence[bytes]) -> JobSteps:
        """Take the messages apart piece by piece and store them part by part, labels together with their messages.

        Only the last part says that the folder is in step. `packed` are the messages as the cache keeps them.
        """
        arrivals, begin, contents = delivery.arrivals, 0, list[Content]()
        most = LEARNED if _teaches(delivery) else STORED
        for first, end in _pieces(arrivals):
            contents += self._take_apart(arrivals[first:end], packed[first:end])
            yield Pause()
            if end < len(arrivals) and (_words_of(contents) >= most or len(contents) >= MESSAGES):
                part = delivery._replace(arrivals=arrivals[begin:end], flags={}, gone=frozenset(), complete=False)
                yield from self._keep(part, contents)
                begin, contents = end, []
        yield from self._keep(delivery._replace(arrivals=arrivals[begin:]), contents)

    def _keep(self, part: Delivery, contents: list[Content]) -> JobSteps:
        # The server has it all, and what it is told of us says how far we are: nothing is lost that is not stored yet.
        with self.state.store.connection.relaxed():
            self._store(part, contents)
        yield Pause()
        self._since_relief += len(contents)
        if self._since_relief >= RELIEF:
            self._since_relief = 0
            for file in (self.state.store.connection, self.state.store.raw_mail):
                file.relieve()
                yield Pause()

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """What the user waits to read, then what the server is still to be told."""
        return self.state.body_requests.pending_actions(account) + self.state.store.outbox.pending_actions(account)

    def complete(
        self, action: ServerAction, outcome: Outcome, detail: str, new_location: ServerLocation | None
    ) -> None:
        """Note how it ended, and show what was moved where it lies now."""
        if action.kind is ActionKind.FETCH:
            self.state.body_requests.complete(action)
            return
        done = self.state.store.outbox.complete(action, outcome, detail, new_location)
        self.state.announcer.rows_changed(done.changed - done.away)
        if outcome is Outcome.OBSOLETE:
            self.state.announcer.gone(done.away)

    def _take_apart(self, arrivals: Sequence[Arrival], packed: Sequence[bytes]) -> list[Content]:
        store = self.state.store
        identities = [identify(arrival.raw) for arrival in arrivals]
        known = store.messages.find(identities)
        return [
            # Of a known one heading and sample are kept as they are, so nothing is parsed.
            Content(identity, _NO_HEADING, _NO_SAMPLE, stored)
            if identity in known
            else _content_of(arrival, identity, store.words.vocabulary, stored)
            for arrival, identity, stored in zip(arrivals, identities, packed, strict=True)
        ]

    def _store(self, delivery: Delivery, contents: list[Content]) -> None:
        state, store = self.state, self.state.store
        moment = state.clock()
        identities = [content.identity for content in contents]
        before = store.outbox.newest()
        with store.transaction():
            numbers = store.messages.find(identities)
            known = [numbers.get(identity) for identity in identities]
            keywords = read_keyword_labels(store, delivery, known)
            moves = self._moves.read(delivery, [message for message in known if message is not None], moment)
            taken = store.take(delivery, contents, TOKENIZER_VERSION, moment)
            labels = keywords.labels(taken.messages)
            marked = [store.marks.mark(labels, by=By.SERVER, moment=moment)]
            tell_again(store, labels, keywords.lost)
            marked.append(self._give_waiting(dict(zip(identities, taken.messages, strict=True))))
            if delivery.role:
                marked.append(self._train(delivery, taken.messages, moment))
        if store.outbox.newest() > before:
            state.wake(delivery.folder.account)
        state.mail_stored(contents, taken)
        if delivery.role and not delivery.complete:
            state.refolding.training.add(delivery.folder)
        for each in marked:
            state.labels_changed(each)
        if delivery.complete:
            state.end_training(delivery.folder)
        self._offer({message: label for message, label in moves.items() if message not in keywords.known})

    def _give_waiting(self, messages: Mapping[bytes, int]) -> LabelChanges:
        """Labels that were handed in before their messages came, but where a server says something else."""
        store, came = self.state.store, self.state.store.waiting_labels.take(messages)
        labelled = store.labels.of(messages[identity] for identity in came)
        runs: dict[HandedIn, list[int]] = {}
        for identity, given in came.items():
            if messages[identity] not in labelled:
                runs.setdefault(given, []).append(messages[identity])
        done = [
            store.marks.mark(
                dict.fromkeys(numbers, given.label),
                by=given.by,
                moment=given.moment,
                step=store.steps.past(given.by, given.moment, folder=given.folder),
            )
            for given, numbers in runs.items()
        ]
        return LabelChanges(tuple(change for each in done for change in each.changes))

    def _train(self, delivery: Delivery, messages: Sequence[int], moment: float) -> LabelChanges:
        """Label what has no label yet; a folder's first training is one step, in however many deliveries it comes."""
        state, store, folder = self.state, self.state.store, delivery.folder
        labelled = store.labels.of(messages)
        labels = {message: delivery.role for message in messages if message not in labelled}
        step = state.trained.get(folder, 0)
        done = store.marks.mark(labels, by=By.FOLDER, moment=moment, step=step, shuffled=True, folder=folder)
        if done.step:
            # Not before it is on the disk: a number that is rolled back is given to the next mark.
            store.connection.when_committed(partial(state.trained.__setitem__, folder, done.step))
        return done

    def _offer(self, moves: dict[int, str]) -> None:
        """Offer the labels of moves, with subjects and the messages whose verdict is the opposite."""
        subjects = self.state.store.messages.headings(moves)
        for label in dict.fromkeys(moves.values()):
            moved = tuple(message for message, to in moves.items() if to == label)
            opposite = VERDICTS.index(JUNK if label == GOOD else GOOD)
            verdicts = self.state.scores.scores(moved).verdicts
            self.state.emit(
                MovedByOthers(
                    moved,
                    label,
                    tuple(subjects[message].subject for message in moved),
                    frozenset(each for each, verdict in zip(moved, verdicts, strict=True) if verdict == opposite),
                )
            )


def _content_of(arrival: Arrival, identity: bytes, vocabulary: Vocabulary, packed: bytes) -> Content:
    """Parse, gather, number the words: all that needs no transaction."""
    mail = parse(arrival.raw)
    said = heading_of(mail)
    # The server's date is believed before the sender's.
    heading = said._replace(date=arrival.received or said.date, size=arrival.size or said.size)
    return Content(identity, heading, sample_of(mail, vocabulary), packed)


def _pieces(arrivals: Sequence[Arrival]) -> Iterator[tuple[int, int]]:
    """Where pieces begin and end: few messages each, fewer where they are long."""
    first = weight = 0
    for place, arrival in enumerate(arrivals):
        if place - first >= PIECE or weight >= PIECE_BYTES:
            yield first, place
            first, weight = place, 0
        weight += len(arrival.raw)
    if arrivals:
        yield first, len(arrivals)


def _teaches(delivery: Delivery) -> bool:
    return bool(delivery.role) or any(label_in(arrival.flags) for arrival in delivery.arrivals)


def _words_of(contents: Sequence[Content]) -> int:
    return sum(len(content.sample.words) for content in contents)
