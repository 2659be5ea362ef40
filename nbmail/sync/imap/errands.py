"""What the server is to be told: keywords and moves. Each is settled once, and nothing is ever moved twice."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from nbmail.sync.connection.fetch_answers import uid_sets
from nbmail.sync.connection.imap_connection import Refusal
from nbmail.sync.desk import Desk
from nbmail.sync.imap.folder_names import INBOX, JUNK
from nbmail.sync.imap.imap_folder import ImapFolder
from nbmail.sync.imap.moving import MessageMove, MoveProgress, MoveStage, arrived, begin
from nbmail.sync.imap.session import Session
from nbmail.values import Errand, ErrandKind, Outcome

# So many at once: a bulk mark of thousands takes a few round trips and still settles as it goes.
TOGETHER = 100


class ErrandRunner:
    """Runs the errands of one account, over one session after the other.

    `homeless` says that there is mail to move to the junk folder and no such folder: the user has to name one.
    `refused` says why the server won't move something, until that is told.
    """

    def __init__(self, account: str, desk: Desk) -> None:
        self._account = account
        self._desk = desk
        self.homeless = False
        self.refused = ""

    def run(self, session: Session) -> bool:
        """All that wait, oldest first: whether there were any that could be settled."""
        waiting = self._desk.errands(self._account)
        self.homeless = settled = False
        for _, group in groupby(waiting, _likeness):
            alike = list(group)
            for start in range(0, len(alike), TOGETHER):
                done = self._attempt(session, alike[start : start + TOGETHER])
                # What was only fetched changed nothing on the server.
                settled = settled or (done and alike[0].kind is not ErrandKind.FETCH)
        return settled

    def _attempt(self, session: Session, alike: list[Errand]) -> bool:
        if alike[0].target == JUNK and session.junk() is None:
            self.homeless = True
            return False
        attempt = ErrandAttempt(session, self._desk)
        done = attempt.make(alike)
        if alike[0].kind is ErrandKind.MOVE:
            self.refused = attempt.refused or self.refused
        return done


class ErrandAttempt:
    """One attempt at errands that differ in their message alone. `refused` is why the server won't do one of them."""

    def __init__(self, session: Session, desk: Desk) -> None:
        self._session = session
        self._desk = desk
        self._begun: dict[int, str] = {}
        self._settled: set[int] = set()
        self.refused = ""

    def make(self, alike: list[Errand], *, again: bool = True) -> bool:
        """Do them and settle them. A passing refusal leaves them for later."""
        try:
            there = self._present(alike)
            left = [errand for errand in alike if errand.uid in there and not self._resume(errand, there=True)]
            for errand in alike:
                if errand.uid not in there and not self._resume(errand, there=False):
                    self._settle([errand], Outcome.MOOT)
            if left:
                self._act(left)
        except Refusal as refusal:
            # Someone took a message away just now: look once more who is there.
            if refusal.code == "EXPUNGEISSUED" and again:
                return self.make([errand for errand in alike if errand.number not in self._settled], again=False)
            if refusal.passing and refusal.code != "OVERQUOTA":
                return False
            left = [errand for errand in alike if errand.number not in self._settled]
            self._settle(left, Outcome.REFUSED, refusal.detail)
        return True

    def _present(self, alike: list[Errand]) -> set[int]:
        """Which of the messages are still where the errand says: what someone moved is theirs."""
        if not self._session.opens(alike[0].folder.folder, alike[0].validity):
            return set()
        return set(self._session.search(b"UID " + next(uid_sets(errand.uid for errand in alike))))

    def _resume(self, errand: Errand, *, there: bool) -> bool:
        """Bring to its end what an earlier try may have left half done: whether there was anything."""
        begun = MoveProgress.read(self._begun.get(errand.number, errand.begun))
        if begun is None or begun.origin != (errand.folder.folder, errand.validity, errand.uid):
            return False
        if begun.stage is not MoveStage.MOVING:
            self._move_one(errand, begun)
            return True
        # A server moves a message as a whole: where it still is, all is to be done again.
        moved = not there and bool(arrived(self._session, begun))
        if moved:
            self._settle([errand], Outcome.DONE)
        return moved

    def _act(self, errands: list[Errand]) -> None:
        acts = {ErrandKind.KEYWORDS: self._keywords, ErrandKind.MOVE: self._move, ErrandKind.FETCH: self._fetch}
        acts[errands[0].kind](errands)

    def _fetch(self, errands: list[Errand]) -> None:
        asked, first = {errand.uid: errand for errand in errands}, errands[0]
        for arrival in ImapFolder(self._session, first.folder.folder).arrivals(list(asked), first.most):
            self._desk.hand_over(asked[arrival.uid], arrival)
            self._settled.add(asked.pop(arrival.uid).number)
        self._settle(asked.values(), Outcome.MOOT)

    def _keywords(self, errands: list[Errand]) -> None:
        selected = self._session.selected
        add, remove = errands[0].add, errands[0].remove
        allowed = {each for each in add | remove if selected is not None and selected.allows(each)}
        if add and not add & allowed:
            self._settle(errands, Outcome.REFUSED, "the server keeps no keywords in this folder")
            return
        for names, adding in ((remove & allowed, False), (add & allowed, True)):
            if names:
                self._session.store([errand.uid for errand in errands], names, add=adding)
        self._settle(errands, Outcome.DONE)

    def _move(self, errands: list[Errand]) -> None:
        target = self._target(errands[0].target)
        if target == errands[0].folder.folder:
            self._settle(errands, Outcome.DONE)
        elif self._session.can("MOVE"):
            self._move_together(errands, target)
        elif self._session.can("UIDPLUS"):
            for errand in errands:
                self._move_one(errand, target)
        else:
            self._settle(errands, Outcome.REFUSED, "the server can't move a single message")

    def _move_together(self, errands: list[Errand], target: str) -> None:
        self._session.select(errands[0].folder.folder)
        begun = begin(self._session, [errand.uid for errand in errands], target, MoveStage.MOVING)
        self._note({errand.number: begun[errand.uid].text for errand in errands if errand.uid in begun})
        self._session.client.move([errand.uid for errand in errands], self._session.folders.wire(target))
        self._settle(errands, Outcome.DONE)

    def _move_one(self, errand: Errand, goal: str | MoveProgress) -> None:
        """Move it to a folder, or go on with what was begun."""
        place, number = errand.folder.folder, errand.number
        move = MessageMove(self._session, place, errand.validity, errand.uid, lambda text: self._note({number: text}))
        try:
            moved = move.start(goal) if isinstance(goal, str) else move.resume(goal)
        except Refusal as refusal:
            if refusal.passing or refusal.code == "EXPUNGEISSUED":
                raise
            self._settle([errand], Outcome.REFUSED, refusal.detail)
        else:
            self._settle([errand], Outcome.DONE if moved else Outcome.MOOT)

    def _note(self, steps: dict[int, str]) -> None:
        self._begun |= steps
        if steps:
            self._desk.begin(steps)

    def _target(self, target: str) -> str:
        if target == INBOX:
            return "INBOX"
        if target != JUNK:
            return target
        junk = self._session.junk()
        return junk.name if junk is not None else ""

    def _settle(self, errands: Iterable[Errand], outcome: Outcome, detail: str = "") -> None:
        for errand in errands:
            self._desk.settle(errand, outcome, detail)
            self.refused = detail if outcome is Outcome.REFUSED else self.refused
            self._settled.add(errand.number)


def _likeness(errand: Errand) -> tuple[object, ...]:
    words = sorted(errand.add), sorted(errand.remove)
    return errand.kind, errand.folder, errand.validity, *words, errand.target, errand.most
