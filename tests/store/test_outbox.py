"""Server actions: none twice, and reverted by an undo wherever the message is."""

import random

import pytest

from nbmail.store.actions.filed_moves import WantedMove
from nbmail.store.labels.journal import By
from nbmail.values import ActionKind, Arrival, Delivery, FolderName, Outcome, ServerLocation
from tests.store.helpers import ACCOUNT, INBOX, SPAM, TOKENIZER, content, fill, take

TRAVEL = FolderName(ACCOUNT, "Travel")
SPAM_KEYWORDS = frozenset({"$Junk", "Junk"})
HAM_KEYWORDS = frozenset({"$NotJunk", "NonJunk"})


class Server:
    """Server with one message, its keywords and its folder."""

    def __init__(self, store, tells=False):
        self.store = store
        self.tells = tells
        self.message = fill(store, 1)[0]
        self.flags = frozenset()
        self.folder = INBOX
        self.uid = 1
        self.moves = 0

    def mark(self, label, moving=False, by=By.USER):
        def actions(changes):
            (change,) = changes
            for location in self.store.folders.locations([change.message]) if moving else ():
                if change.after == "spam" and location.folder != SPAM.folder:
                    yield WantedMove(location, "\\Junk")
                if change.after == "ham" and location.folder == SPAM.folder:
                    yield WantedMove(location, "\\Inbox")

        self.store.marks.mark({self.message: label}, by=by, moment=1.0, actions=actions)

    def file(self, folder):
        with self.store.transaction():
            location = next(iter(self.store.folders.locations([self.message])), None)
            moved, rows = self.store.filed.add(
                [WantedMove(location, folder.folder)] if location else []
            )
            if moved:
                self.store.filed.join(self.store.steps.begin(By.MOVE, 1.0), rows)

    def undo(self):
        self.store.marks.undo(moment=1.0)

    def redo(self):
        self.store.marks.redo(moment=1.0)

    @property
    def pending_actions(self):
        return self.store.outbox.pending_actions(ACCOUNT) + self.store.filed.pending_actions(
            ACCOUNT
        )

    def tell(self, most=99):
        """Run the pending actions, one at a time."""
        for _ in range(most):
            if not self.pending_actions:
                return
            self.do(self.pending_actions[0])

    def do(self, action):
        here = (action.folder, action.uid) == (self.folder, self.uid)
        if here and action.kind is ActionKind.KEYWORDS:
            self.flags = self.flags - action.remove | action.add
        elif here:
            self.moves += 1
            uses = {"\\Junk": SPAM, "\\Inbox": INBOX}
            self.folder = uses.get(action.target) or FolderName(ACCOUNT, action.target)
            self.uid += 1
        new_location = (
            ServerLocation(self.folder.folder, 1, self.uid) if here and self.tells else None
        )
        outcome = Outcome.DONE if here else Outcome.OBSOLETE
        if action.kind is ActionKind.MOVE:
            self.store.filed.complete(action, outcome, "", new_location)
        else:
            self.store.outbox.complete(action, outcome)

    def look(self):
        """Deliver the state of all folders, as an account does."""
        for folder, special in {INBOX: "\\Inbox", SPAM: "\\Junk", TRAVEL: ""}.items():
            known = self.store.folders.memory(folder).flags
            gone = frozenset(uid for uid in known if (folder, uid) != (self.folder, self.uid))
            take(self.store, (), folder, gone=gone, special=special)
        if self.uid not in self.store.folders.memory(self.folder).flags:
            arrived = Delivery(
                self.folder, 1, arrivals=(Arrival(self.uid, self.flags, 0.0, b"", 0),)
            )
            self.store.take(arrived, [content(self.store, 1)], TOKENIZER, 1.0)

    def settle(self):
        for _ in range(8):
            self.tell()
            self.look()
        assert self.pending_actions == ()
        return self.folder, self.flags


@pytest.fixture(params=[True, False], ids=["tells the new place", "keeps it to itself"])
def server(store, request):
    return Server(store, request.param)


@pytest.mark.parametrize("seed", range(8))
def test_undo_and_redo_of_marks_and_moves_bring_back_folder_and_keywords(server, seed):
    """Whatever the server has done between the steps."""
    chance = random.Random(seed)

    def go_on():
        server.tell(chance.choice([0, 0, 1, 2, 99]))
        # The keywords of a mark without a location are queued by the delivery that brings the
        # message.
        if chance.random() < 0.5 or not server.store.folders.locations([server.message]):
            server.look()

    server.look()
    for _ in range(10):
        chance.choice(
            [
                lambda: server.mark(
                    chance.choice(["spam", "ham", None]), moving=chance.random() < 0.8
                ),
                lambda: server.file(chance.choice([INBOX, SPAM, TRAVEL])),
            ]
        )()
        go_on()
    end = server.settle()
    label = server.store.labels.of([server.message]).get(server.message)
    assert end[1] == {"spam": SPAM_KEYWORDS, "ham": HAM_KEYWORDS, None: frozenset()}[label]
    while server.store.steps.next_undo():
        server.undo()
        go_on()
    assert server.settle() == (INBOX, frozenset())
    while server.store.steps.next_redo():
        server.redo()
        go_on()
    assert server.settle() == end


def test_a_new_label_overtakes_a_pending_move(server):
    server.mark("spam", moving=True)
    server.mark("ham", moving=True)
    server.tell()
    assert (server.folder, server.flags, server.moves) == (INBOX, HAM_KEYWORDS, 0)
    server.undo()
    server.tell()
    assert (server.folder, server.flags) == (SPAM, SPAM_KEYWORDS)


def test_a_message_that_another_client_moved_back_is_never_moved_again(server):
    server.mark("spam", moving=True)
    server.tell()
    server.look()
    server.folder = INBOX
    server.uid = 50
    server.look()
    server.undo()
    server.tell()
    server.redo()
    server.tell()
    assert (server.folder, server.uid, server.moves) == (INBOX, 50, 1)


def test_a_refusal_is_stored_and_not_repeated(server):
    server.mark("spam")
    (task,) = server.pending_actions
    server.store.outbox.complete(task, Outcome.REFUSED, "keywords not allowed")
    assert server.pending_actions == ()
    server.undo()
    assert server.pending_actions == ()


def test_an_undo_of_what_has_begun_lets_it_end_first(server):
    server.mark("spam", moving=True)
    move = next(task for task in server.pending_actions if task.kind == "move")
    server.store.filed.store_progress([move._replace(progress="half way")])
    server.undo()
    server.redo()
    server.undo()
    again = next(task for task in server.pending_actions if task.kind == "move")
    assert (again.number, again.folder, again.uid, again.progress) == (
        move.number,
        INBOX,
        1,
        "half way",
    )
    for _ in range(2):
        server.tell()
        server.look()
    assert (server.folder, server.moves, server.pending_actions) == (INBOX, 2, ())


def test_an_undo_finds_the_message_in_a_folder_that_was_recreated(server):
    server.mark("spam", moving=True)
    server.tell()
    server.look()
    take(server.store, (1,), SPAM, 2, special="\\Junk", complete=True)
    server.undo()
    (move,) = [task for task in server.pending_actions if task.kind == "move"]
    assert (move.folder, move.validity, move.uid, move.target) == (SPAM, 2, 1, INBOX.folder)
