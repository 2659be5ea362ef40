"""What the server is to be told: keywords and moves. Each is settled once, and nothing is ever moved twice."""

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
                batch = alike[start : start + TOGETHER]
                if batch[0].target == JUNK and session.junk() is None:
                    self.homeless = True
                # What was only fetched changed nothing on the server.
                elif ErrandBatch(session, self._desk, batch, self).run() and batch[0].kind is not ErrandKind.FETCH:
                    settled = True
        return settled


class ErrandBatch:
    """Errands that differ in their message alone."""

    def __init__(self, session: Session, desk: Desk, errands: list[Errand], runner: ErrandRunner) -> None:
        self._session = session
        self._desk = desk
        self._runner = runner
        self._first = errands[0]
        self._left = {errand.number: errand for errand in errands}
        self._begun = {errand.number: errand.begun for errand in errands}

    def run(self, *, again: bool = True) -> bool:
        """Do them and settle them: whether all are. A passing refusal leaves them for later."""
        try:
            there = self._present()
            for errand in list(self._left.values()):
                if not self._resume(errand, there=errand.uid in there) and errand.uid not in there:
                    self._settle([errand], Outcome.MOOT)
            if self._left:
                self._act(list(self._left.values()))
        except Refusal as refusal:
            # Someone took a message away just now: look once more who is there.
            if refusal.code == "EXPUNGEISSUED" and again:
                return self.run(again=False)
            if refusal.passing and refusal.code != "OVERQUOTA":
                return False
            self._settle(list(self._left.values()), Outcome.REFUSED, refusal.detail)
        return True

    def _present(self) -> set[int]:
        """Which of the messages are still where the errand says: what someone moved is theirs."""
        if not self._session.opens(self._first.folder.folder, self._first.validity):
            return set()
        return set(self._session.search(b"UID " + next(uid_sets(errand.uid for errand in self._left.values()))))

    def _resume(self, errand: Errand, *, there: bool) -> bool:
        """Bring to its end what an earlier try may have left half done: whether there was anything."""
        begun = MoveProgress.read(self._begun[errand.number])
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
        if self._first.kind in (ErrandKind.KEYWORDS, ErrandKind.SEEN):
            self._keywords(errands)
        elif self._first.kind is ErrandKind.MOVE:
            self._move(errands)
        else:
            self._fetch({errand.uid: errand for errand in errands})

    def _fetch(self, asked: dict[int, Errand]) -> None:
        for arrival in ImapFolder(self._session, self._first.folder.folder).arrivals(list(asked), self._first.most):
            self._desk.hand_over(asked[arrival.uid], arrival)
            del self._left[asked.pop(arrival.uid).number]
        self._settle(asked.values(), Outcome.MOOT)

    def _keywords(self, errands: list[Errand]) -> None:
        add, remove, folder = self._first.add, self._first.remove, self._session.selected
        allowed = {each for each in add | remove if folder is not None and folder.allows(each)}
        if add and not add & allowed:
            self._settle(errands, Outcome.REFUSED, "the server keeps no such flags in this folder")
            return
        for names, adding in ((remove & allowed, False), (add & allowed, True)):
            if names:
                self._session.store([errand.uid for errand in errands], names, add=adding)
        self._settle(errands, Outcome.DONE)

    def _move(self, errands: list[Errand]) -> None:
        target = self._target()
        if target == self._first.folder.folder:
            self._settle(errands, Outcome.DONE)
        elif self._session.can("MOVE"):
            self._move_together(errands, target)
        elif self._session.can("UIDPLUS"):
            for errand in errands:
                self._move_one(errand, target)
        else:
            self._settle(errands, Outcome.REFUSED, "the server can't move a single message")

    def _target(self) -> str:
        junk = self._session.folders.junk
        return {INBOX: "INBOX", JUNK: junk.name if junk else ""}.get(self._first.target, self._first.target)

    def _move_together(self, errands: list[Errand], target: str) -> None:
        self._session.select(self._first.folder.folder)
        uids = [errand.uid for errand in errands]
        begun = begin(self._session, uids, target, MoveStage.MOVING)
        self._note({errand.number: begun[errand.uid].text for errand in errands if errand.uid in begun})
        self._session.client.move(uids, self._session.folders.wire(target))
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

    def _settle(self, errands: Iterable[Errand], outcome: Outcome, detail: str = "") -> None:
        for errand in errands:
            self._desk.settle(errand, outcome, detail)
            del self._left[errand.number]
            if outcome is Outcome.REFUSED and errand.kind is ErrandKind.MOVE:
                self._runner.refused = detail


def _likeness(errand: Errand) -> tuple[object, ...]:
    words = sorted(errand.add), sorted(errand.remove)
    return errand.kind, errand.folder, errand.validity, *words, errand.target, errand.most
