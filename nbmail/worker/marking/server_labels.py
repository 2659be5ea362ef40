"""Labels that deliveries imply: keywords set by other clients, and moves into spam folders and out
of them.

A message gets the label that was set last. Keywords carry no time: the order in which the servers
got them counts. A mark made offline is set at the next connection and is the last one then. A
client that marked nothing adopts the labels of the others.

The outbox (`store.mail.outbox`) sets a mark of the user on the server wherever the message is by
then, and removes contradicting keywords. A keyword that differs from the stored one, and was not
set by this client, changes the label. While a mark of the user is queued it does not: that mark is
the later one. Where keywords contradict each other (`store.mail.folders.KEYWORDS`), the resulting
label is set again, so that all agree.

A move without the command MOVE copies the keywords before it removes the message: those set
meanwhile at the old location are lost. If the user marked the message shortly before, they are set
again at the new location.

What a program moved by itself is no label (`store.mail.sorted_mail`). A message with the mark of
automatic sorting was moved to Spam by a person if it had the mark before that. Spam keywords on a
freshly marked copy count for nothing: some servers set them on a move.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from nbmail.settings import Account, LearnMoves
from nbmail.store.actions.sorted_mail import Past, has_mark
from nbmail.store.labels.journal import By
from nbmail.store.labels.offered_moves import OfferedMove
from nbmail.store.mail.folders import Location
from nbmail.store.mail.keywords import agree, label_given, label_in, labels_in
from nbmail.store.store import Store
from nbmail.values import HAM, INBOX, JUNK_FOLDER, SPAM, VERDICTS, Arrival, Delivery, FolderName
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.events import MovedByOthers

# Arrivals in other special folders imply no label: trash, sent mail and "all mail".
_HAM_FOLDERS = ("", INBOX, "\\Archive")
# Seconds between both halves of a move. A later arrival is a new delivery of the same message.
SAME_MOVE = 600.0
# Seconds after a mark in which a move that began before it may end.
OVERTAKEN = 60.0


@dataclass(frozen=True, slots=True)
class KeywordLabels:
    """Labels implied by keywords: `known` by message, `fresh` by index in the arrivals of the
    delivery.

    An empty label was removed. Messages in `lost` lost their keywords, or never had them on the
    server. Those in `lifted` lost them on the way into the spam folder or out of it.
    """

    known: dict[int, str] = field(default_factory=dict)
    fresh: dict[int, str] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    lifted: set[int] = field(default_factory=set)

    def labels(self, messages: Sequence[int]) -> dict[int, str | None]:
        found = {**self.known, **{messages[place]: label for place, label in self.fresh.items()}}
        return {message: label or None for message, label in found.items()}


def read_keyword_labels(
    store: Store, delivery: Delivery, known: Sequence[int | None], moment: float
) -> KeywordLabels:
    """Read the labels that a delivery implies, before it is stored. `known`: its arrivals' numbers,
    None for new.
    """
    found = KeywordLabels()
    if store.folders.validity(delivery.folder) == delivery.validity:
        locations = store.folders.located(delivery.folder, delivery.flags)
        unseen = store.sorted.among(Past.UNSEEN, {location.message for location in locations})
        for location in locations:
            if location.special == JUNK_FOLDER and location.message in unseen:
                continue
            _note(
                found, location.message, label_given(location.flags, delivery.flags[location.uid])
            )
        for location in store.folders.located(delivery.folder, delivery.gone):
            # Keywords of a moved message whose new location is already known.
            for other in _here(store, delivery, [location.message]).get(location.message, []):
                if (other.folder, other.uid) != (location.folder, location.uid):
                    _compare(found, location, other)
    _read_arrivals(store, delivery, known, found)
    overtaken = {
        message for message in found.lifted if _is_users(store, message, moment - OVERTAKEN)
    }
    found.lost.update(overtaken)
    found.known.update(dict.fromkeys(found.lifted - overtaken, ""))
    for message in store.outbox.waiting(found.known):
        del found.known[message]
    return found


def queue_keywords(store: Store, labels: Mapping[int, str | None], lost: Collection[int]) -> None:
    unlike = {
        location.message
        for location in store.folders.locations(labels)
        if labels_in(location.flags) - {labels[location.message]}
    }
    if unlike or lost:
        store.outbox.tell(unlike.union(lost))


def _note(found: KeywordLabels, message: int, label: str | None) -> None:
    if label is not None:
        found.known[message] = label


def _read_arrivals(
    store: Store, delivery: Delivery, known: Sequence[int | None], found: KeywordLabels
) -> None:
    numbers = {message for message in known if message is not None}
    here = _here(store, delivery, numbers)
    left = store.folders.departed(numbers - here.keys(), delivery.folder.account)
    labelled = store.labels.of(numbers - here.keys() - left.keys())
    for place, (arrival, message) in enumerate(zip(delivery.arrivals, known, strict=True)):
        label = label_in(arrival.flags)
        if (
            label
            and delivery.special == JUNK_FOLDER
            and _is_freshly_marked(arrival, message, here, left)
        ):
            continue
        if message is None:
            if label:
                found.fresh[place] = label
        elif message in here:
            given = [
                _given(location, delivery.special, arrival.flags) for location in here[message]
            ]
            _note(found, message, next(filter(None, given), None) if None not in given else None)
        elif message in left:
            before = left[message]
            now = arrival.flags
            _note(found, message, _given(before, delivery.special, now) or None)
            _compare(found, before, before._replace(special=delivery.special, flags=now))
        elif message not in labelled:
            _note(found, message, label)
        elif not agree(labelled[message], arrival.flags) and _is_users(store, message):
            # Marked while it had no location, so that no server has its keyword.
            found.lost.add(message)


def _is_freshly_marked(
    arrival: Arrival,
    message: int | None,
    here: Mapping[int, list[Location]],
    left: Mapping[int, Location],
) -> bool:
    """True if the message may have got its mark of automatic sorting just before it was moved
    here.
    """
    if not has_mark(arrival.flags):
        return False
    before = [] if message is None else [*here.get(message, ()), *filter(None, [left.get(message)])]
    return not any(has_mark(location.flags) for location in before)


def _given(before: Location, special: str, now: Collection[str]) -> str | None:
    """Return the label that another client assigned by moving a message with keywords `now` into
    this folder.

    A move copies the keywords before it removes the message: the copy may be older than keywords
    set meanwhile at the old location. If both labels are set, the label that the move implies
    counts.
    """
    into = special == JUNK_FOLDER
    out = before.special == JUNK_FOLDER
    meant = SPAM if into and not out else HAM if out and special in _HAM_FOLDERS else ""
    return label_given(before.flags, now, meant)


def _is_users(store: Store, message: int, since: float = float("-inf")) -> bool:
    """True if the user assigned the label, or restored it, after this moment."""
    given = store.label_sources.find(message)
    return (
        given is not None
        and given.label_source.by == By.USER
        and max(given.moment, given.back_moment) > since
    )


def _here(store: Store, delivery: Delivery, messages: Collection[int]) -> dict[int, list[Location]]:
    found: dict[int, list[Location]] = {}
    for location in store.folders.locations(messages):
        if location.account == delivery.folder.account:
            found.setdefault(location.message, []).append(location)
    return found


def _compare(found: KeywordLabels, before: Location, after: Location) -> None:
    """Note the lost keywords of a moved message: some programs write the message again without
    them.

    Keywords may be removed on purpose only if the message was moved into the spam folder or out of
    it.
    """
    if labels_in(before.flags) and not labels_in(after.flags):
        if JUNK_FOLDER in {before.special, after.special} and before.special != after.special:
            found.lifted.add(before.message)
        else:
            found.lost.add(before.message)


class ForeignMoves:
    """Detects moves by other clients into and out of spam folders, and answers them as the user has
    chosen.

    Their labels may be offered to the user. Offers are stored until the user answers, also without
    a window.

    A move is an arrival in one folder and a departure from another, in any order. An arrival alone
    is no move: copies are delivered, folders are recreated on the server, mailboxes are removed and
    added again. Halves of moves are kept in memory: a move that is missed is only not offered.
    """

    def __init__(self, updates: Updates, account: Callable[[str], Account]) -> None:
        self._updates = updates
        self._store = updates.store
        self._scoring = updates.scoring
        self._around = updates.around
        self._account = account
        # When messages were seen to leave a folder, and whether that was a spam folder.
        self._departures: dict[int, tuple[float, bool]] = {}
        # When messages were seen to arrive while the original was still there, by a copy or by the
        # first half of a move, and the label that it would imply.
        self._copies: dict[int, tuple[float, str]] = {}
        # Messages that a person moved back: they had a mark of automatic sorting when they arrived.
        self._rescued: set[int] = set()
        # Messages of a folder before it was recreated that haven't been seen there again.
        self._unseen: dict[FolderName, set[int]] = {}

    def read(
        self, delivery: Delivery, numbers: Sequence[int | None], moment: float
    ) -> list[OfferedMove]:
        """Return the labels implied by moves. `numbers`: those of the arrivals, None if not stored
        before.

        Messages that were ever moved by nbmail, and those that have the label, are left out.
        """
        flags = {
            message: arrival.flags
            for arrival, message in zip(delivery.arrivals, numbers, strict=True)
            if message is not None
        }
        marked = {message for message in flags if has_mark(flags[message])}
        arrived = self._arrived_from_elsewhere(delivery, flags)
        label = ""
        if delivery.special == JUNK_FOLDER:
            automatic = marked - self._rescued
            for message in automatic:
                self._departures.pop(message, None)
            arrived = [message for message in arrived if message not in automatic]
        else:
            self._rescued |= marked
        if not delivery.role:
            label = (
                SPAM
                if delivery.special == JUNK_FOLDER
                else HAM
                if delivery.special in _HAM_FOLDERS
                else ""
            )
        moved = dict[int, str]()
        for message in arrived:
            left, from_spam = self._departures.pop(message, (float("-inf"), False))
            self._copies.pop(message, None)
            if label and from_spam is (label == HAM) and moment - left <= SAME_MOVE:
                moved[message] = label
            elif label:
                self._copies[message] = moment, label
        moved |= self._departed(delivery, moment)
        labels = self._store.labels.of(moved)
        ours = self._store.filed.ever_moved(moved)
        spam = [message for message, to in moved.items() if to == SPAM]
        ours |= self._store.sorted.among(Past.EVER_MOVED, spam)
        new = {
            message: to
            for message, to in moved.items()
            if message not in ours and labels.get(message) != to
        }
        # Without keywords, another computer that sorts leaves no trace.
        is_certain = delivery.keywords
        account = delivery.folder.account
        return [
            OfferedMove(message, account, to, to == HAM or is_certain)
            for message, to in new.items()
        ]

    def _arrived_from_elsewhere(self, delivery: Delivery, known: Iterable[int]) -> list[int]:
        """Return the arrivals that may come from another folder, without those of a recreated
        folder.
        """
        name = delivery.folder
        folders = self._store.folders
        if folders.validity(name) not in (0, delivery.validity):
            self._unseen[name] = set(folders.messages(name))
        unseen = self._unseen.get(name, set())
        returned = unseen.intersection(known)
        unseen -= returned
        return [message for message in known if message not in returned]

    def _departed(self, delivery: Delivery, moment: float) -> dict[int, str]:
        """Note departures. Return the labels of moves that they complete."""
        moved = {}
        for location in self._store.folders.located(delivery.folder, delivery.gone):
            if location.validity != delivery.validity:
                continue
            from_spam = location.special == JUNK_FOLDER
            arrived, label = self._copies.pop(location.message, (float("-inf"), ""))
            if from_spam is (label == HAM) and moment - arrived <= SAME_MOVE:
                moved[location.message] = label
            else:
                self._departures[location.message] = moment, from_spam
        return moved

    def offer(self, offers: Iterable[OfferedMove]) -> None:
        """Emit the offers, with subjects and the messages whose verdict is the opposite."""
        groups: dict[tuple[str, str], list[int]] = {}
        for each in offers:
            groups.setdefault((each.account, each.label), []).append(each.message)
        for (account, label), moved in sorted(groups.items()):
            headings = self._store.messages.headings(moved)
            opposite = VERDICTS.index(SPAM if label == HAM else HAM)
            verdicts = zip(moved, self._scoring.scores_of(moved).verdicts, strict=True)
            contradicted = frozenset(
                message for message, verdict in verdicts if verdict == opposite
            )
            texts = tuple(headings[message].subject for message in moved)
            self._around.emit(MovedByOthers(tuple(moved), label, texts, contradicted, account))

    def resume(self) -> None:
        """Learn or forget the stored offers, as the user has chosen since, and repeat those without
        an answer.
        """
        store = self._store
        with store.transaction():
            pending = store.offered_moves.pending()
            labels, offered = self.divide(pending)
            store.offered_moves.drop(
                {each.message for each in pending} - {each.message for each in offered}
            )
            done = store.marks.mark(labels, by=By.SERVER, moment=self._around.clock())
            queue_keywords(store, labels, ())
        self._updates.labels_changed(done)
        self.offer(offered)

    def divide(self, moves: Iterable[OfferedMove]) -> tuple[dict[int, str], list[OfferedMove]]:
        """Return the labels of moves to learn, and those to offer, as the user has chosen."""
        learned = dict[int, str]()
        offered = list[OfferedMove]()
        for each in moves:
            choice = self._account(each.account).learn_moves
            if choice is LearnMoves.ALWAYS and each.certain:
                learned[each.message] = each.label
            elif choice is not LearnMoves.NEVER:
                offered.append(each)
        return learned, offered
