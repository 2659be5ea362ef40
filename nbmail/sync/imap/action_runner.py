"""What the server is to be told: keywords and moves. Each is completed once, and nothing is ever moved twice.

What is alike goes together: first all keywords, so that they are said where the messages are known to lie, then all
moves. After a while of this other things have their turn, new mail above all.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.connection.fetch_answers import uid_sets
from nbmail.sync.connection.imap_connection import Refusal
from nbmail.sync.imap.folder_names import INBOX, JUNK
from nbmail.sync.imap.imap_folder import ImapFolder
from nbmail.sync.imap.moving import MessageMove, MoveProgress, MoveStage, arrived, prepare_move
from nbmail.sync.imap.session import Session
from nbmail.values import ActionKind, Outcome, ServerAction, ServerLocation

# So many at once: a bulk mark of thousands takes a few round trips and still settles as it goes.
TOGETHER = 250
# New mail waits no longer than this for what the server is told.
SPELL = 1.0
_ORDER = [ActionKind.FETCH, ActionKind.KEYWORDS, ActionKind.SEEN, ActionKind.MOVE]


class ActionRunner:
    """Runs the errands of one account, over one session after the other.

    `more` says that some were left for the next turn. `completed` is how those of the latest run ended, with the new
    locations. `homeless`: mail waits for a junk folder that the server lacks; the user has to name one.
    `refused` says why the server won't move something, until that is told, `wordless` where it keeps no keywords.
    """

    def __init__(self, account: str, backend: AccountBackend) -> None:
        self._account = account
        self._backend = backend
        self.completed: list[tuple[ServerAction, Outcome, ServerLocation | None]] = []
        self.more = self.homeless = False
        self.refused = self.wordless = ""

    def run(self, session: Session) -> bool:
        """Those that wait: whether there were any that could be completed."""
        self.more = self.homeless = completed = False
        self.completed.clear()
        began = time.monotonic()
        for batch in self._batches():
            if completed and time.monotonic() - began > SPELL:
                self.more = True
                break
            if batch[0].target == JUNK and session.junk() is None:
                self.homeless = True
            # What was only fetched changed nothing on the server.
            elif ActionBatch(session, self._backend, batch, self).run() and batch[0].kind is not ActionKind.FETCH:
                completed = True
        return completed

    def _batches(self) -> Iterator[list[ServerAction]]:
        """What waits, and then what came of that, as long as there is anything that wasn't tried."""
        tried = set[tuple[int, str, int]]()
        while waiting := [one for one in self._backend.pending_actions(self._account) if _key(one) not in tried]:
            tried.update(map(_key, waiting))
            for _, group in groupby(sorted(waiting, key=_likeness), _likeness):
                alike = list(group)
                for start in range(0, len(alike), TOGETHER):
                    yield alike[start : start + TOGETHER]


class ActionBatch:
    """PendingActions that differ in their message alone."""

    def __init__(
        self, session: Session, backend: AccountBackend, pending_actions: list[ServerAction], runner: ActionRunner
    ) -> None:
        self._session = session
        self._backend = backend
        self._runner = runner
        self._first = pending_actions[0]
        self._place = self._first.folder.folder
        self._left = {action.uid: action for action in pending_actions}
        self._progress = {action.number: action.progress for action in pending_actions}
        self._found: set[int] = set()

    def run(self, *, again: bool = True) -> bool:
        """Do them and settle them: whether all are. A passing refusal leaves them for later."""
        try:
            there = self._present()
            for action in list(self._left.values()):
                if not self._resume(action, there=action.uid in there) and action.uid not in there:
                    self._complete([action], Outcome.OBSOLETE)
            if self._left:
                self._act(list(self._left.values()))
        except Refusal as refusal:
            # Someone took a message away just now: look once more who is there.
            if refusal.code == "EXPUNGEISSUED" and again:
                return self.run(again=False)
            if refusal.passing and refusal.code != "OVERQUOTA":
                return False
            self._complete(list(self._left.values()), Outcome.REFUSED, refusal.detail)
        return True

    def _present(self) -> set[int]:
        """Which of the messages are still where the errand says: what someone moved is theirs."""
        if not self._session.opens(self._place, self._first.validity):
            return set()
        return set(self._session.search(b"UID " + next(uid_sets(self._left))))

    def _resume(self, action: ServerAction, *, there: bool) -> bool:
        """Bring to its end what an earlier try may have left half done: whether there was anything."""
        progress = MoveProgress.read(self._progress[action.number])
        if progress is None or progress.origin != (self._place, action.validity, action.uid):
            return False
        if progress.stage is not MoveStage.MOVING:
            self._move_one(action, progress)
            return True
        # Of two equal messages each has its own copy.
        copies = [uid for uid in arrived(self._session, progress) if uid not in self._found]
        if not copies or (there and not self._session.can("UIDPLUS")):
            return False
        self._found.add(copies[0])
        if there:
            # The server was at it when the connection broke, and may still be: moved again, it would be there twice.
            self._move_one(action, replace(progress, stage=MoveStage.COPYING))
        else:
            self._complete(
                [action], Outcome.DONE, new_location=ServerLocation(progress.target, progress.validity, copies[0])
            )
        return True

    def _act(self, pending_actions: list[ServerAction]) -> None:
        if self._first.kind in (ActionKind.KEYWORDS, ActionKind.SEEN):
            self._flag(pending_actions)
        elif self._first.kind is ActionKind.MOVE:
            self._move(pending_actions)
        else:
            self._fetch({action.uid: action for action in pending_actions})

    def _fetch(self, asked: dict[int, ServerAction]) -> None:
        for arrival in ImapFolder(self._session, self._place).arrivals(list(asked), self._first.most):
            self._backend.complete_fetch(asked.pop(arrival.uid), arrival)
            del self._left[arrival.uid]
        self._complete(asked.values(), Outcome.OBSOLETE)

    def _flag(self, pending_actions: list[ServerAction]) -> None:
        add, remove = self._first.add, self._first.remove
        self._session.opens(self._place, self._first.validity)
        folder = self._session.selected
        allowed = {each for each in add | remove if folder is not None and folder.allows(each)}
        if add and not add & allowed:
            if self._first.kind is ActionKind.KEYWORDS:
                self._runner.wordless = self._place
            self._complete(pending_actions, Outcome.REFUSED, "the server keeps no such flags in this folder")
            return
        # First away, then there: two programs at once may leave both labels' keywords, which all can mend, never none.
        if self._first.kind is ActionKind.KEYWORDS:
            self._backend.store_progress(pending_actions)
        for names, adding in ((remove & allowed, False), (add & allowed, True)):
            if names:
                self._session.store([action.uid for action in pending_actions], names, add=adding)
        # Of what someone took away meanwhile the server says nothing: only what is there still has them for sure.
        there = self._present()
        for action in pending_actions:
            self._complete([action], Outcome.DONE if action.uid in there else Outcome.OBSOLETE)

    def _move(self, pending_actions: list[ServerAction]) -> None:
        target = self._target()
        if target == self._place:
            for action in pending_actions:
                self._complete([action], Outcome.DONE, new_location=ServerLocation(target, action.validity, action.uid))
        elif self._session.can("MOVE"):
            self._move_together(pending_actions, target)
        elif self._session.can("UIDPLUS"):
            for action in pending_actions:
                self._move_one(action, target)
        else:
            self._complete(pending_actions, Outcome.REFUSED, "the server can't move a single message")

    def _target(self) -> str:
        junk = self._session.folders.junk
        return {INBOX: "INBOX", JUNK: junk.name if junk else ""}.get(self._first.target, self._first.target)

    def _move_together(self, pending_actions: list[ServerAction], target: str) -> None:
        if not self._session.opens(self._place, self._first.validity):
            return
        uids = [action.uid for action in pending_actions]
        progress = prepare_move(self._session, uids, target, MoveStage.MOVING)
        self._note({action.number: progress[action.uid].text for action in pending_actions if action.uid in progress})
        moved = self._session.move(uids, target)
        for action in pending_actions:
            outcome = Outcome.DONE if action.uid in moved else Outcome.OBSOLETE
            self._complete([action], outcome, new_location=moved.get(action.uid))

    def _move_one(self, action: ServerAction, goal: str | MoveProgress) -> None:
        """Move it to a folder, or go on with what was progress."""
        number, target = action.number, goal if isinstance(goal, str) else goal.target
        move = MessageMove(
            self._session, self._place, action.validity, action.uid, lambda text: self._note({number: text})
        )
        try:
            uid = move.start(goal) if isinstance(goal, str) else move.resume(goal)
        except Refusal as refusal:
            if refusal.passing or refusal.code == "EXPUNGEISSUED":
                raise
            self._complete([action], Outcome.REFUSED, refusal.detail)
        else:
            noted = MoveProgress.read(self._progress[number])
            new_location = ServerLocation(target, noted.validity, uid) if noted and uid else None
            self._complete([action], Outcome.DONE if uid else Outcome.OBSOLETE, new_location=new_location)

    def _note(self, steps: dict[int, str]) -> None:
        self._progress |= steps
        if steps:
            actions = [each for each in self._left.values() if each.number in steps]
            self._backend.store_progress([replace(each, progress=steps[each.number]) for each in actions])

    def _complete(
        self,
        pending_actions: Iterable[ServerAction],
        outcome: Outcome,
        detail: str = "",
        new_location: ServerLocation | None = None,
    ) -> None:
        for action in pending_actions:
            self._backend.complete(action, outcome, detail, new_location)
            del self._left[action.uid]
            if action.kind is ActionKind.MOVE and outcome is Outcome.REFUSED:
                self._runner.refused = detail
            self._runner.completed.append((action, outcome, new_location))


def _key(action: ServerAction) -> tuple[int, str, int]:
    return action.number, action.folder.folder, action.uid


def _likeness(action: ServerAction) -> tuple[object, ...]:
    where, words = (action.folder.folder, action.validity), (sorted(action.add), sorted(action.remove))
    return _ORDER.index(action.kind), where, words, action.target, action.most
