"""What happens behind the counter: deliveries are taken apart, numbered, stored, labelled, scored and announced."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from nbmail.core.reading.clues import TOKENIZER_VERSION
from nbmail.store.mail.identity import identities
from nbmail.store.values import Batch, By, Marked, Placed, Task
from nbmail.sync.desk import Arrival, Delivery, Errand, ErrandKind, FolderMemory, FolderName, Outcome
from nbmail.worker.engine.engine_state import Office
from nbmail.worker.engine.job_queue import Pause, Slices
from nbmail.worker.intake.foreign_moves import Moves
from nbmail.worker.intake.keyword_labels import read_news
from nbmail.worker.intake.message_parsing import pass_on, take_apart, unpack
from nbmail.worker.intake.parcels import Parcel
from nbmail.worker.marking.marking import forget_places
from nbmail.worker.marking.server_actions import label_in
from nbmail.worker.protocol import MovedByOthers

# Messages parsed between two looks at the agenda, and their bytes: more would cost the window frames, fewer no longer
# help.
PIECE, PIECE_BYTES = 8, 64_000
# As many words are stored, or stored and learned, in one transaction: about 8 ms. Also no more than so many messages,
# of which those known before bring no words.
STORED, LEARNED, MESSAGES = 40_000, 12_000, 200
# After so many messages the databases' logs are written into their files: 5 ms, not 20 in the middle of a transaction.
RELIEF = 400
# Where a folder brings more labels than this at once, they are only counted; a fold follows the last of them.
FEW = 8


class Mailroom:
    """Works for the accounts, on the engine's thread."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._since_relief = 0
        self._moves = Moves(office.store)

    def retain(self, account: str, folders: Collection[str], *, junk: bool) -> None:
        """Forget where the account's mail lay elsewhere."""
        forget_places(self._office, account, folders, junk=junk)

    def remember(self, folder: FolderName) -> FolderMemory:
        """What is known of the folder."""
        state = self._office.store.folders.state(folder.account, folder.folder)
        return FolderMemory(state.validity, state.modseq, state.flags)

    def deliver(self, delivery: Delivery, parcels: Sequence[Parcel] | None = None) -> Slices:
        """Take the messages apart piece by piece and store them part by part, labels together with their messages.

        Only the last part says that the folder is in step. `parcels` hold all messages where they were parsed before.
        """
        arrivals, begin, placed = delivery.arrivals, 0, list[Placed]()
        most = LEARNED if _teaches(delivery) else STORED
        for first, end, parcel in _pieces(arrivals) if parcels is None else _places(parcels):
            placed += self._take_apart(arrivals[first:end], parcel)
            yield Pause()
            if end < len(arrivals) and (_words_of(placed) >= most or len(placed) >= MESSAGES):
                part = replace(delivery, arrivals=arrivals[begin:end], flags={}, gone=frozenset(), complete=False)
                yield from self._keep(part, tuple(placed))
                begin, placed = end, []
        yield from self._keep(replace(delivery, arrivals=arrivals[begin:]), tuple(placed))

    def _keep(self, part: Delivery, placed: tuple[Placed, ...]) -> Slices:
        # The server has it all, and what it is told of us says how far we are: nothing is lost that is not stored yet.
        with self._office.store.connection.relaxed():
            self._store(part, placed)
        yield Pause()
        self._since_relief += len(placed)
        if self._since_relief >= RELIEF:
            self._since_relief = 0
            for file in (self._office.store.connection, self._office.store.bodies):
                file.relieve()
                yield Pause()

    def errands(self, account: str) -> tuple[Errand, ...]:
        """What the user waits to read, then what the server is still to be told."""
        told = tuple(_errand(task) for task in self._office.store.outbox.tasks(account))
        return self._office.fetching.errands(account) + told

    def begin(self, steps: Mapping[int, str]) -> None:
        """Note how far errands have come."""
        self._office.store.outbox.note(steps)

    def settle(self, errand: Errand, outcome: Outcome, detail: str) -> None:
        """Note how it ended. What was moved and still lies elsewhere is in one folder less."""
        if errand.kind is ErrandKind.FETCH:
            self._office.fetching.settle(errand)
            return
        store, whole = self._office.store, (errand.kind, outcome) == (ErrandKind.MOVE, Outcome.DONE)
        left = store.folders.located(errand.folder.account, errand.folder.folder, [errand.uid]) if whole else ()
        away = store.outbox.settle(errand.number, outcome.value, detail)
        self._office.announcer.rows_changed(place.message for place in left if place.message not in away)

    def hand_over(self, errand: Errand, arrival: Arrival) -> Slices:
        """Keep mail that was asked for."""
        return self._office.fetching.take(errand, arrival)

    def _take_apart(self, arrivals: Sequence[Arrival], parcel: Parcel | None) -> list[Placed]:
        messages, vocabulary = self._office.store.messages, self._office.model.vocabulary
        pairs = parcel.identities if parcel else [identities(arrival.raw) for arrival in arrivals]
        names = messages.names(pairs)
        known = messages.find(names)
        if parcel and not known:
            return unpack(arrivals, names, parcel, vocabulary)
        # Words of messages that are known already would join the vocabulary with the others of their parcel.
        packed = parcel.packed if parcel else [b""] * len(arrivals)
        return [
            pass_on(arrival, name, its) if name in known else take_apart(arrival, name, vocabulary)
            for arrival, name, its in zip(arrivals, names, packed, strict=True)
        ]

    def _store(self, delivery: Delivery, placed: tuple[Placed, ...]) -> None:
        office, store = self._office, self._office.store
        moment = office.clock()
        with store.transaction():
            news, moves = read_news(store, delivery, placed), self._moves.read(delivery, placed)
            taken = store.take(_batch(delivery, placed), moment)
            marked = self._label(news.labels(taken.messages), By.SERVER, moment)
            if delivery.role:
                labelled = store.labels.of(taken.messages)
                silent = [message for message in taken.messages if message not in labelled]
                marked += self._label(dict.fromkeys(silent, delivery.role), By.FOLDER, moment, delivery.folder)
        office.took_in(placed, taken)
        if delivery.role and not delivery.complete:
            office.training.add(delivery.folder)
        for each in marked:
            office.took(each)
        if delivery.complete:
            office.trained_whole(delivery.folder)
        self._offer({message: label for message, label in moves.items() if message not in news.known})

    def _offer(self, moves: dict[int, str]) -> None:
        for label in dict.fromkeys(moves.values()):
            self._office.emit(MovedByOthers(tuple(one for one, its in moves.items() if its == label), label))

    def _label(self, labels: dict[int, str], by: By, moment: float, trained: FolderName | None = None) -> list[Marked]:
        """Label messages; a folder's first training is one step, in however many deliveries it comes."""
        office, marked = self._office, []
        for label in dict.fromkeys(labels.values()):
            mine = [message for message, its in labels.items() if its == label]
            step = office.trained.get(trained, 0) if trained else 0
            marked.append(
                office.store.marks.mark(
                    office.model,
                    mine,
                    label,
                    by=by,
                    moment=moment,
                    step=step,
                    mixed=by is By.FOLDER,
                    counted=by is By.FOLDER and len(mine) > FEW,
                )
            )
            if trained and marked[-1].step:
                office.store.steps.note_folder(marked[-1].step, (trained.account, trained.folder))
                # Not before it is on the disk: a number that is rolled back is given to the next mark.
                remember = partial(office.trained.__setitem__, trained, marked[-1].step)
                office.store.connection.when_committed(remember)
        return marked


def _pieces(arrivals: Sequence[Arrival]) -> Iterator[tuple[int, int, None]]:
    """Where pieces begin and end: few messages each, fewer where they are long."""
    first = weight = 0
    for place, arrival in enumerate(arrivals):
        if place - first >= PIECE or weight >= PIECE_BYTES:
            yield first, place, None
            first, weight = place, 0
        weight += len(arrival.raw)
    if arrivals:
        yield first, len(arrivals), None


def _places(parcels: Sequence[Parcel]) -> Iterator[tuple[int, int, Parcel]]:
    """The same where they were parsed before."""
    first = 0
    for parcel in parcels:
        yield first, first + len(parcel), parcel
        first += len(parcel)


def _teaches(delivery: Delivery) -> bool:
    return bool(delivery.role) or any(label_in(arrival.flags) for arrival in delivery.arrivals)


def _words_of(placed: Sequence[Placed]) -> int:
    return sum(len(one.content.sample.words) for one in placed)


def _batch(delivery: Delivery, placed: tuple[Placed, ...]) -> Batch:
    return Batch(
        account=delivery.folder.account,
        folder=delivery.folder.folder,
        validity=delivery.validity,
        tokenizer=TOKENIZER_VERSION,
        modseq=delivery.modseq,
        placed=placed,
        flags=delivery.flags,
        gone=delivery.gone,
        complete=delivery.complete,
        special=delivery.special,
    )


def _errand(task: Task) -> Errand:
    return Errand(
        number=task.number,
        kind=ErrandKind(task.kind),
        folder=FolderName(task.account, task.folder),
        validity=task.validity,
        uid=task.uid,
        add=task.add,
        remove=task.remove,
        target=task.target,
        begun=task.begun,
    )
