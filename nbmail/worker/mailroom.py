"""What happens behind the counter: deliveries are taken apart, numbered, stored, labelled, scored and announced."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from nbmail.core.words import TOKENIZER_VERSION
from nbmail.store.identity import identify
from nbmail.store.values import Batch, By, Marked, Placed, Task
from nbmail.sync.desk import Arrival, Delivery, Errand, ErrandKind, FolderMemory, FolderName, Outcome
from nbmail.worker.agenda import Pause, Slices
from nbmail.worker.keywords import read_news
from nbmail.worker.marking import forget_places
from nbmail.worker.moves import read_moves
from nbmail.worker.office import Office
from nbmail.worker.protocol import MovedByOthers
from nbmail.worker.taking import pass_on, take_apart
from nbmail.worker.wishes import label_in

# Messages parsed between two looks at the agenda: more would cost the window frames, fewer no longer help.
PIECE = 8
# Messages stored and labelled in one transaction: about 25 ms.
LABELLED = 100
# Where a folder brings more labels than this at once, they are only counted; a fold follows the last of them.
FEW = 8


class Mailroom:
    """Works for the accounts, on the engine's thread."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def retain(self, account: str, folders: Collection[str], *, junk: bool) -> None:
        """Forget where the account's mail lay elsewhere."""
        forget_places(self._office, account, folders, junk=junk)

    def remember(self, folder: FolderName) -> FolderMemory:
        """What is known of the folder."""
        state = self._office.store.folders.state(folder.account, folder.folder)
        return FolderMemory(state.validity, state.modseq, state.flags)

    def deliver(self, delivery: Delivery) -> Slices:
        """Take the messages apart piece by piece, then store everything at once.

        Where messages come with labels, each of many small parts is stored together with its labels, since learning
        takes longer than storing; only the last part says that the folder is in step.
        """
        for part in _parts(delivery):
            placed: list[Placed] = []
            for first in range(0, len(part.arrivals), PIECE):
                placed += self._take_apart(part.arrivals[first : first + PIECE])
                yield Pause()
            self._keep(part, tuple(placed))
            yield Pause()

    def errands(self, account: str) -> tuple[Errand, ...]:
        """What the server is still to be told."""
        return tuple(_errand(task) for task in self._office.store.outbox.tasks(account))

    def begin(self, steps: Mapping[int, str]) -> None:
        """Note how far errands have come."""
        self._office.store.outbox.note(steps)

    def settle(self, errand: Errand, outcome: Outcome, detail: str) -> None:
        """Note how it ended."""
        self._office.store.outbox.settle(errand.number, outcome.value, detail)

    def _take_apart(self, arrivals: Sequence[Arrival]) -> list[Placed]:
        identities = [identify(arrival.raw) for arrival in arrivals]
        known = self._office.store.messages.find(identities)
        vocabulary, choices = self._office.model.vocabulary, self._office.choices
        return [
            pass_on(arrival, identity) if identity in known else take_apart(arrival, identity, vocabulary, choices)
            for arrival, identity in zip(arrivals, identities, strict=True)
        ]

    def _keep(self, delivery: Delivery, placed: tuple[Placed, ...]) -> None:
        office, store = self._office, self._office.store
        moment = office.clock()
        with store.transaction():
            news, moves = read_news(store, delivery, placed), read_moves(store, delivery, placed)
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
                office.trained[trained] = marked[-1].step
        return marked


def _parts(delivery: Delivery) -> Iterator[Delivery]:
    arrivals = delivery.arrivals
    if not (delivery.role or any(label_in(arrival.flags) for arrival in arrivals)):
        yield delivery
        return
    whole = max(0, len(arrivals) - 1) // LABELLED * LABELLED
    for first in range(0, whole, LABELLED):
        part = arrivals[first : first + LABELLED]
        yield replace(delivery, arrivals=part, flags={}, gone=frozenset(), complete=False)
    yield replace(delivery, arrivals=arrivals[whole:])


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
