"""Moves by other clients into and out of spam folders, and the labels that they imply.

A move is an arrival in one folder and a departure from another, in any order. An arrival alone is
no move: copies are delivered, folders are recreated on the server, mailboxes are removed and added
again. Halves of moves are kept in memory: a move that is missed is only not offered.

What a program moved by itself is no label (`store.actions.sorted_mail`). A message with the mark of
automatic sorting was moved to Spam by a person if it had the mark before that.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from nbmail.settings import Account, LearnMoves
from nbmail.store.actions.sorted_mail import Past, has_mark
from nbmail.store.labels.journal import By
from nbmail.store.labels.offered_moves import OfferedMove
from nbmail.values import HAM, JUNK_FOLDER, SPAM, VERDICTS, Delivery, FolderName
from nbmail.worker.marking.keyword_labels import HAM_FOLDERS, queue_keywords
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.events import MovedByOthers

# Seconds between both halves of a move. A later arrival is a new delivery of the same message.
SAME_MOVE = 600.0


class _Departure(NamedTuple):
    """Time when a message was seen to leave a folder."""

    moment: float
    from_spam: bool


class _Copy(NamedTuple):
    """Time when a message was seen to arrive while the original was still there.

    `label`: what the arrival would imply. It was a copy, or the first half of a move.
    """

    moment: float
    label: str


class ForeignMoves:
    """Detects moves by other clients, and answers them as the user has chosen.

    Their labels may be offered to the user. Offers are stored until the user answers, also without
    a window.
    """

    def __init__(self, updates: Updates, account: Callable[[str], Account]) -> None:
        self._updates = updates
        self._store = updates.store
        self._scoring = updates.scoring
        self._around = updates.around
        self._account = account
        self._departures: dict[int, _Departure] = {}
        self._copies: dict[int, _Copy] = {}
        self._rescued: set[int] = set()
        """Messages that a person moved back: they arrived with a mark of automatic sorting."""
        self._unseen: dict[FolderName, set[int]] = {}
        """Messages of a folder before it was recreated that haven't been seen there again."""

    def read(
        self, delivery: Delivery, numbers: Sequence[int | None], moment: float
    ) -> list[OfferedMove]:
        """Return the labels implied by moves.

        `numbers`: messages of the arrivals, None if not stored before. Messages that were ever
        moved by nbmail, and those that have the label, are left out.
        """
        flags = dict[int, frozenset[str]]()
        for arrival, message in zip(delivery.arrivals, numbers, strict=True):
            if message is not None:
                flags[message] = arrival.flags

        arrived = self._arrived_from_elsewhere(delivery, flags)
        arrived = self._without_sorted(delivery, arrived, flags)
        moved = self._complete_departures(arrived, _implied_label(delivery), moment)
        moved |= self._note_departures(delivery, moment)
        return self._offers(delivery, moved)

    def divide(self, moves: Iterable[OfferedMove]) -> tuple[dict[int, str], list[OfferedMove]]:
        """Return the labels of moves to learn, and those to offer, as the user has chosen."""
        learned = dict[int, str]()
        offered = list[OfferedMove]()
        for move in moves:
            choice = self._account(move.account).learn_moves
            if choice is LearnMoves.ALWAYS and move.certain:
                learned[move.message] = move.label
            elif choice is not LearnMoves.NEVER:
                offered.append(move)
        return learned, offered

    def offer(self, offers: Iterable[OfferedMove]) -> None:
        """Emit the offers, with subjects and the messages whose verdict is the opposite."""
        groups: dict[tuple[str, str], list[int]] = {}
        for move in offers:
            groups.setdefault((move.account, move.label), []).append(move.message)
        for (account, label), messages in sorted(groups.items()):
            headings = self._store.messages.headings(messages)
            subjects = tuple(headings[message].subject for message in messages)
            contradicted = self._contradicted(messages, label)
            event = MovedByOthers(tuple(messages), label, subjects, contradicted, account)
            self._around.emit(event)

    def resume(self) -> None:
        """Learn or forget the stored offers, as the user has chosen since.

        Those without an answer are repeated.
        """
        store = self._store
        with store.transaction():
            pending = store.offered_moves.pending()
            labels, offered = self.divide(pending)
            answered = {each.message for each in pending} - {each.message for each in offered}
            store.offered_moves.drop(answered)
            done = store.marks.mark(labels, by=By.SERVER, moment=self._around.clock())
            queue_keywords(store, labels, ())
        self._updates.labels_changed(done)
        self.offer(offered)

    def _arrived_from_elsewhere(self, delivery: Delivery, known: Iterable[int]) -> list[int]:
        """Return the arrivals that may come from another folder.

        Those of a recreated folder don't.
        """
        name = delivery.folder
        folders = self._store.folders
        if folders.validity(name) not in (0, delivery.validity):
            self._unseen[name] = set(folders.messages(name))
        unseen = self._unseen.get(name, set())
        returned = unseen.intersection(known)
        unseen -= returned
        return [message for message in known if message not in returned]

    def _without_sorted(
        self, delivery: Delivery, arrived: list[int], flags: Mapping[int, frozenset[str]]
    ) -> list[int]:
        """Leave out what a program sorted into the spam folder. Note what a person moved back."""
        marked = {message for message in flags if has_mark(flags[message])}
        if delivery.special != JUNK_FOLDER:
            self._rescued |= marked
            return arrived
        automatic = marked - self._rescued
        for message in automatic:
            self._departures.pop(message, None)
        return [message for message in arrived if message not in automatic]

    def _complete_departures(
        self, arrived: Iterable[int], label: str, moment: float
    ) -> dict[int, str]:
        """Return the labels of moves that arrivals complete. Note the others."""
        moved = dict[int, str]()
        for message in arrived:
            self._copies.pop(message, None)
            departure = self._departures.pop(message, _Departure(float("-inf"), False))
            is_same_move = moment - departure.moment <= SAME_MOVE
            if not label:
                continue
            if is_same_move and departure.from_spam == (label == HAM):
                moved[message] = label
            else:
                self._copies[message] = _Copy(moment, label)
        return moved

    def _note_departures(self, delivery: Delivery, moment: float) -> dict[int, str]:
        """Note departures. Return the labels of moves that they complete."""
        moved = dict[int, str]()
        for location in self._store.folders.located(delivery.folder, delivery.gone):
            if location.validity != delivery.validity:
                continue
            from_spam = location.special == JUNK_FOLDER
            copy = self._copies.pop(location.message, _Copy(float("-inf"), ""))
            is_same_move = moment - copy.moment <= SAME_MOVE
            if is_same_move and from_spam == (copy.label == HAM):
                moved[location.message] = copy.label
            else:
                self._departures[location.message] = _Departure(moment, from_spam)
        return moved

    def _offers(self, delivery: Delivery, moved: Mapping[int, str]) -> list[OfferedMove]:
        """Return the moves to learn or to offer."""
        labels = self._store.labels.of(moved)
        spam = [message for message, label in moved.items() if label == SPAM]
        ours = self._store.filed.ever_moved(moved)
        ours |= self._store.sorted.among(Past.EVER_MOVED, spam)
        offers = list[OfferedMove]()
        for message, label in moved.items():
            if message not in ours and labels.get(message) != label:
                # Without keywords, another computer that sorts leaves no trace.
                is_certain = label == HAM or delivery.keywords
                offers.append(OfferedMove(message, delivery.folder.account, label, is_certain))
        return offers

    def _contradicted(self, messages: Sequence[int], label: str) -> frozenset[int]:
        """Return the messages whose verdict is the opposite of a label."""
        opposite = VERDICTS.index(SPAM if label == HAM else HAM)
        verdicts = self._scoring.scores_of(messages).verdicts
        pairs = zip(messages, verdicts, strict=True)
        return frozenset(message for message, verdict in pairs if verdict == opposite)


def _implied_label(delivery: Delivery) -> str:
    """Return the label that a move into this folder implies, "" for none."""
    if delivery.role:
        return ""
    if delivery.special == JUNK_FOLDER:
        return SPAM
    return HAM if delivery.special in HAM_FOLDERS else ""
