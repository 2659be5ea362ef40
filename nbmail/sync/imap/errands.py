"""What the server is to be told: keywords and moves. Each is settled once, and nothing is ever moved twice.

What is alike goes together: first all keywords, so that they are said where the messages are known to lie, then all
moves. After a while of this other things have their turn, new mail above all.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from nbmail.sync.connection.fetch_answers import uid_sets
from nbmail.sync.connection.imap_connection import Refusal
from nbmail.sync.desk import Desk
from nbmail.sync.imap.folder_names import INBOX, JUNK
from nbmail.sync.imap.imap_folder import ImapFolder
from nbmail.sync.imap.moving import MessageMove, MoveProgress, MoveStage, arrived, begin
from nbmail.sync.imap.session import Session
from nbmail.values import Errand, ErrandKind, Outcome, ServerPlace

# So many at once: a bulk mark of thousands takes a few round trips and still settles as it goes.
TOGETHER = 250
# New mail waits no longer than this for what the server is told.
SPELL = 1.0
_ORDER = [ErrandKind.FETCH, ErrandKind.KEYWORDS, ErrandKind.SEEN, ErrandKind.MOVE]


class ErrandRunner:
    """Runs the errands of one account, over one session after the other.

    `more` says that some were left for the next turn. `settled` is how those of the latest run ended, with where moves
    led to. `homeless` says that there is mail to move to the junk folder and no such folder: the user has to name one.
    `refused` says why the server won't move something, until that is told, `wordless` where it keeps no keywords.
    """

    def __init__(self, account: str, desk: Desk) -> None:
        self._account = account
        self._desk = desk
        self.settled: list[tuple[Errand, Outcome, ServerPlace | None]] = []
        self.more = self.homeless = False
        self.refused = self.wordless = ""

    def run(self, session: Session) -> bool:
        """Those that wait: whether there were any that could be settled."""
        self.more = self.homeless = settled = False
        self.settled.clear()
        began = time.monotonic()
        for batch in self._batches():
            if settled and time.monotonic() - began > SPELL:
                self.more = True
                break
            if batch[0].target == JUNK and session.junk() is None:
                self.homeless = True
            # What was only fetched changed nothing on the server.
            elif ErrandBatch(session, self._desk, batch, self).run() and batch[0].kind is not ErrandKind.FETCH:
                settled = True
        return settled

    def _batches(self) -> Iterator[list[Errand]]:
        """What waits, and then what came of that, as long as there is anything that wasn't tried."""
        tried = set[tuple[int, str, int]]()
        while waiting := [one for one in self._desk.errands(self._account) if _key(one) not in tried]:
            tried.update(map(_key, waiting))
            for _, group in groupby(sorted(waiting, key=_likeness), _likeness):
                alike = list(group)
                for start in range(0, len(alike), TOGETHER):
                    yield alike[start : start + TOGETHER]


class ErrandBatch:
    """Errands that differ in their message alone."""

    def __init__(self, session: Session, desk: Desk, errands: list[Errand], runner: ErrandRunner) -> None:
        self._session = session
        self._desk = desk
        self._runner = runner
        self._first = errands[0]
        self._place = self._first.folder.folder
        self._left = {errand.uid: errand for errand in errands}
        self._begun = {errand.number: errand.begun for errand in errands}
        self._found: set[int] = set()

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
        if not self._session.opens(self._place, self._first.validity):
            return set()
        return set(self._session.search(b"UID " + next(uid_sets(self._left))))

    def _resume(self, errand: Errand, *, there: bool) -> bool:
        """Bring to its end what an earlier try may have left half done: whether there was anything."""
        begun = MoveProgress.read(self._begun[errand.number])
        if begun is None or begun.origin != (self._place, errand.validity, errand.uid):
            return False
        if begun.stage is not MoveStage.MOVING:
            self._move_one(errand, begun)
            return True
        # Of two equal messages each has its own copy.
        copies = [uid for uid in arrived(self._session, begun) if uid not in self._found]
        if not copies or (there and not self._session.can("UIDPLUS")):
            return False
        self._found.add(copies[0])
        if there:
            # The server was at it when the connection broke, and may still be: moved again, it would be there twice.
            self._move_one(errand, replace(begun, stage=MoveStage.COPYING))
        else:
            self._settle([errand], Outcome.DONE, landed=ServerPlace(begun.target, begun.validity, copies[0]))
        return True

    def _act(self, errands: list[Errand]) -> None:
        if self._first.kind in (ErrandKind.KEYWORDS, ErrandKind.SEEN):
            self._flag(errands)
        elif self._first.kind is ErrandKind.MOVE:
            self._move(errands)
        else:
            self._fetch({errand.uid: errand for errand in errands})

    def _fetch(self, asked: dict[int, Errand]) -> None:
        for arrival in ImapFolder(self._session, self._place).arrivals(list(asked), self._first.most):
            self._desk.hand_over(asked.pop(arrival.uid), arrival)
            del self._left[arrival.uid]
        self._settle(asked.values(), Outcome.MOOT)

    def _flag(self, errands: list[Errand]) -> None:
        add, remove = self._first.add, self._first.remove
        self._session.opens(self._place, self._first.validity)
        folder = self._session.selected
        allowed = {each for each in add | remove if folder is not None and folder.allows(each)}
        if add and not add & allowed:
            if self._first.kind is ErrandKind.KEYWORDS:
                self._runner.wordless = self._place
            self._settle(errands, Outcome.REFUSED, "the server keeps no such flags in this folder")
            return
        # First away, then there: two programs at once may leave both labels' keywords, which all can mend, never none.
        for names, adding in ((remove & allowed, False), (add & allowed, True)):
            if names:
                self._session.store([errand.uid for errand in errands], names, add=adding)
        # Of what someone took away meanwhile the server says nothing: only what is there still has them for sure.
        there = self._present()
        for errand in errands:
            self._settle([errand], Outcome.DONE if errand.uid in there else Outcome.MOOT)

    def _move(self, errands: list[Errand]) -> None:
        target = self._target()
        if target == self._place:
            for errand in errands:
                self._settle([errand], Outcome.DONE, landed=ServerPlace(target, errand.validity, errand.uid))
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
        if not self._session.opens(self._place, self._first.validity):
            return
        uids = [errand.uid for errand in errands]
        begun = begin(self._session, uids, target, MoveStage.MOVING)
        self._note({errand.number: begun[errand.uid].text for errand in errands if errand.uid in begun})
        moved = self._session.move(uids, target)
        for errand in errands:
            outcome = Outcome.DONE if errand.uid in moved else Outcome.MOOT
            self._settle([errand], outcome, landed=moved.get(errand.uid))

    def _move_one(self, errand: Errand, goal: str | MoveProgress) -> None:
        """Move it to a folder, or go on with what was begun."""
        number, target = errand.number, goal if isinstance(goal, str) else goal.target
        move = MessageMove(
            self._session, self._place, errand.validity, errand.uid, lambda text: self._note({number: text})
        )
        try:
            uid = move.start(goal) if isinstance(goal, str) else move.resume(goal)
        except Refusal as refusal:
            if refusal.passing or refusal.code == "EXPUNGEISSUED":
                raise
            self._settle([errand], Outcome.REFUSED, refusal.detail)
        else:
            noted = MoveProgress.read(self._begun[number])
            landed = ServerPlace(target, noted.validity, uid) if noted and uid else None
            self._settle([errand], Outcome.DONE if uid else Outcome.MOOT, landed=landed)

    def _note(self, steps: dict[int, str]) -> None:
        self._begun |= steps
        if steps:
            self._desk.begin(steps)

    def _settle(
        self, errands: Iterable[Errand], outcome: Outcome, detail: str = "", landed: ServerPlace | None = None
    ) -> None:
        for errand in errands:
            self._desk.settle(errand, outcome, detail, landed)
            del self._left[errand.uid]
            if errand.kind is ErrandKind.MOVE and outcome is Outcome.REFUSED:
                self._runner.refused = detail
            self._runner.settled.append((errand, outcome, landed))


def _key(errand: Errand) -> tuple[int, str, int]:
    return errand.number, errand.folder.folder, errand.uid


def _likeness(errand: Errand) -> tuple[object, ...]:
    where, words = (errand.folder.folder, errand.validity), (sorted(errand.add), sorted(errand.remove))
    return _ORDER.index(errand.kind), where, words, errand.target, errand.most
