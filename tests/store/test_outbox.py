"""What the server is told: nothing twice, nothing wrong, and taken back by an undo wherever it stood."""

import itertools
import random

import pytest

from nbmail.store.values import By, Wish
from tests.store.helpers import ACCOUNT, INBOX, SPAM, batch, fill, keywords, open_model, open_store

JUNK, NOT_JUNK = frozenset({"$Junk"}), frozenset({"$NotJunk"})


class Server:
    """Does what it is told, one message with its keywords and its folder."""

    def __init__(self, store):
        self.store = store
        self.model = open_model(store)
        self.message = fill(store, 1)[0]
        self.flags = frozenset()
        self.folder, self.uid = INBOX, 1
        self.moves = 0

    def mark(self, label, moving=False, by=By.USER):
        def wishes(change):
            yield from keywords(self.store)(change)
            for location in self.store.folders.locations([change.message]):
                if moving and change.after == "junk" and location.folder == INBOX:
                    yield Wish("move", location, target="\\Junk")

        self.store.marks.mark(self.model, [self.message], label, by=by, moment=1.0, wishes=wishes)

    def undo(self):
        self.store.marks.undo(self.model, moment=1.0)

    def redo(self):
        self.store.marks.redo(self.model, moment=1.0)

    def tell(self, most=99):
        """The account tells the server, one task after the other."""
        for _ in range(most):
            tasks = self.store.outbox.tasks(ACCOUNT)
            if not tasks:
                return
            self.do(tasks[0])

    def do(self, task):
        here = (task.folder, task.uid) == (self.folder, self.uid)
        if here and task.kind == "keywords":
            self.flags = self.flags - task.remove | task.add
        elif here:
            self.moves += 1
            self.folder, self.uid = {"\\Junk": SPAM}.get(task.target, task.target), self.uid + 1
        self.store.outbox.settle(task.number, "done" if here else "moot")

    def look(self):
        """The account looks at both folders."""
        for folder in (INBOX, SPAM):
            known = self.store.folders.state(ACCOUNT, folder).flags
            gone = frozenset(uid for uid in known if (folder, uid) != (self.folder, self.uid))
            self.store.take(batch(self.store, (), folder, gone=gone), 1.0)
        if self.uid not in self.store.folders.state(ACCOUNT, self.folder).flags:
            arrived = batch(self.store, [1], self.folder)
            (mail,) = arrived.placed
            self.store.take(
                type(arrived)(ACCOUNT, self.folder, 1, 1, placed=(type(mail)(self.uid, self.flags, mail.content),)), 1.0
            )


@pytest.fixture
def server(store):
    return Server(store)


def test_a_mark_is_told(server):
    server.mark("junk")
    assert server.store.outbox.accounts() == (ACCOUNT,)
    assert server.store.outbox.waiting([server.message]) == {server.message}
    server.tell()
    assert server.flags == JUNK
    assert server.store.folders.state(ACCOUNT, INBOX).flags[1] == JUNK
    assert server.store.outbox.waiting([server.message]) == frozenset()
    server.mark("good")
    (task,) = server.store.outbox.tasks(ACCOUNT)
    assert (task.add, task.remove) == (NOT_JUNK, JUNK)


def test_an_undo_withdraws_what_was_not_told_and_takes_back_what_was(server):
    server.mark("junk")
    server.undo()
    assert server.store.outbox.tasks(ACCOUNT) == ()
    server.redo()
    server.tell()
    server.undo()
    server.tell()
    assert server.flags == frozenset()
    server.redo()
    server.tell()
    assert server.flags == JUNK


def test_an_undo_while_it_is_being_told(server):
    server.mark("junk")
    (task,) = server.store.outbox.tasks(ACCOUNT)
    server.undo()
    server.do(task)
    assert server.flags == JUNK
    server.tell()
    assert server.flags == frozenset()


@pytest.mark.parametrize("seed", range(60))
def test_in_the_end_the_server_has_the_labels_keyword(server, seed):
    """Whatever was marked, undone and told in whatever order."""
    chance = random.Random(seed)
    for _ in range(40):
        chance.choice(
            [
                lambda: server.mark(chance.choice(["junk", "good", None]), moving=chance.random() < 0.5),
                server.undo,
                server.redo,
                lambda: server.tell(chance.randint(1, 3)),
                server.look,
            ]
        )()
    for _ in range(4):
        server.tell()
        server.look()
    label = server.store.labels.of([server.message]).get(server.message)
    assert server.flags == {"junk": JUNK, "good": NOT_JUNK, None: frozenset()}[label]
    assert server.store.outbox.tasks(ACCOUNT) == ()


def test_a_move_and_its_way_back(server):
    server.mark("junk", moving=True)
    server.tell()
    assert server.folder == SPAM
    server.undo()
    assert [task.kind for task in server.store.outbox.tasks(ACCOUNT)] != ["move"], "its new place isn't known yet"
    server.look()
    server.tell()
    server.look()
    server.tell()
    assert (server.folder, server.flags, server.moves) == (INBOX, frozenset(), 2)
    assert server.store.outbox.tasks(ACCOUNT) == ()


def test_a_new_label_overtakes_an_untold_move(server):
    server.mark("junk", moving=True)
    server.mark("good", moving=True)
    server.tell()
    assert (server.folder, server.flags, server.moves) == (INBOX, NOT_JUNK, 0)
    server.undo()
    server.tell()
    assert (server.folder, server.flags) == (SPAM, JUNK)


def test_what_someone_moved_back_is_never_moved_again(server):
    server.mark("junk", moving=True)
    server.tell()
    server.look()
    server.folder, server.uid = INBOX, 50
    server.look()
    server.undo()
    server.tell()
    server.redo()
    server.tell()
    assert (server.folder, server.uid, server.moves) == (INBOX, 50, 1)


def test_a_refusal_is_kept_and_not_tried_again(server):
    server.mark("junk")
    (task,) = server.store.outbox.tasks(ACCOUNT)
    server.store.outbox.settle(task.number, "refused", "keywords not allowed")
    assert server.store.outbox.tasks(ACCOUNT) == ()
    assert server.store.outbox.refused() == ((ACCOUNT, INBOX, "keywords not allowed"),)
    server.undo()
    assert server.store.outbox.tasks(ACCOUNT) == ()


def test_the_outbox_survives_a_restart(store, tmp_path):
    server = Server(store)
    server.mark("junk")
    tasks = store.outbox.tasks(ACCOUNT)
    store.close()
    with open_store(tmp_path / "home") as again:
        assert again.outbox.tasks(ACCOUNT) == tasks


def test_what_another_client_set_is_not_told_again(server):
    server.store.take(batch(server.store, (), flags={1: JUNK}), 1.0)
    server.mark("junk", by=By.SERVER)
    assert server.store.outbox.tasks(ACCOUNT) == ()


def test_numbers_are_different(server):
    numbers = []
    for label, _ in itertools.product(["junk", "good"], range(3)):
        server.mark(label)
        numbers += [task.number for task in server.store.outbox.tasks(ACCOUNT)]
        server.tell()
    assert len(set(numbers)) == len(numbers)


def test_what_has_begun_is_noted_until_it_is_over(server):
    server.mark("junk", moving=True)
    move = next(task for task in server.store.outbox.tasks(ACCOUNT) if task.kind == "move")
    assert move.begun == ""
    server.store.outbox.note({move.number: "half way"})
    assert [task.begun for task in server.store.outbox.tasks(ACCOUNT) if task.kind == "move"] == ["half way"]
    server.tell()
    server.look()
    server.undo()
    assert {task.begun for task in server.store.outbox.tasks(ACCOUNT)} == {""}


def test_an_undo_of_what_has_begun_lets_it_end_first(server):
    server.mark("junk", moving=True)
    move = next(task for task in server.store.outbox.tasks(ACCOUNT) if task.kind == "move")
    server.store.outbox.note({move.number: "half way"})
    server.undo()
    server.redo()
    server.undo()
    again = next(task for task in server.store.outbox.tasks(ACCOUNT) if task.kind == "move")
    assert (again.number, again.folder, again.uid, again.begun) == (move.number, INBOX, 1, "half way")
    server.tell()
    server.look()
    assert (server.folder, server.moves) == (SPAM, 1)
    server.tell()
    server.look()
    assert (server.folder, server.moves, server.store.outbox.tasks(ACCOUNT)) == (INBOX, 2, ())
