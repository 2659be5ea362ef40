"""Keywords without an answer, or overtaken by a move: never labels of another client."""

import multiprocessing
import os
import random
import threading
import time

import pytest

from nbmail.settings import Security
from nbmail.values import Phase
from tests.fake_imap import PATIENCE, break_off, does, when
from tests.sync.homes import Home, Thunderbird, wait_agreed
from tests.sync.letters import letter, letters
from tests.waiting import wait_for

TORTURE = bool(os.environ.get("NBMAIL_TORTURE"))
STORM_SECONDS, MANY, KILLS = (60.0, 60, 200) if TORTURE else (3.0, 3, 8)
KEYWORDS = {"spam": {b"$Junk", b"Junk"}, "ham": {b"$NotJunk", b"NonJunk"}, None: set()}


class Interruption:
    """Stores keywords and hangs up instead of an answer.

    No client can log in until `over` is set.
    """

    def __init__(self, server):
        self.server = server
        self.stored = threading.Event()
        self.over = threading.Event()

    def start(self):
        """Interrupt at the next STORE that adds keywords."""
        self.stored.clear()
        self.over.clear()
        self.server.hooks["UID STORE"] = self._store

    def _store(self, line, tag, arguments):
        if b"+FLAGS" not in arguments:
            return False
        self.server.hooks["LOGIN"] = self._log_in
        break_off(self.server, "UID STORE")
        self.server.hooks.pop("UID STORE")(line, tag, arguments)
        self.stored.set()
        return True

    def _log_in(self, line, tag, arguments):
        self.over.wait(PATIENCE)
        self.server.hooks.pop("LOGIN", None)
        return False


@pytest.fixture
def server(fake):
    return fake({1: letter(1), 2: letter(2)})


@pytest.fixture
def home(server, install):
    made = install(server.account(name="home", watch_spam=True))
    wait_for(lambda: made.count() == 2)
    made.look()
    return made


def keywords(server, uid=1):
    return server.flags.get((b"INBOX", uid), set())


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("before", [None, "ham"])
def test_an_undo_after_a_broken_line_stays_undone(server, home, before, restart):
    if before:
        home.mark([1], before)
        wait_for(lambda: not home.is_pending())
    interruption = Interruption(server)
    interruption.start()
    home.mark([1], "spam")
    assert interruption.stored.wait(PATIENCE)
    home.undo()
    if restart:
        home.restart()
    interruption.over.set()
    home.look()
    assert home.labels() == ({1: before} if before else {})
    assert home.labels_by_server() == 0
    assert keywords(server) == KEYWORDS[before]
    assert not home.is_pending()


def test_another_clients_label_counts_once_the_own_one_is_answered(server, home):
    interruption = Interruption(server)
    interruption.start()
    home.mark([1], "spam")
    assert interruption.stored.wait(PATIENCE)
    home.undo()
    interruption.over.set()
    home.look()
    server.flags[b"INBOX", 1] = {b"$Junk", b"Junk"}
    home.look()
    assert home.labels() == {1: "spam"}
    assert home.labels_by_server() == 1


def test_an_undo_on_the_way_to_another_folder_stays_undone(server, home):
    """Another client moved the message with keywords whose STORE was not answered."""
    may_open = threading.Event()
    interruption = Interruption(server)
    interruption.start()
    home.mark([1], "ham")
    assert interruption.stored.wait(PATIENCE)
    home.undo()
    with server.changing():
        server.folders[b"Junk"][7] = server.folders[b"INBOX"].pop(1)
        server.flags[b"Junk", 7] = server.flags.pop((b"INBOX", 1))
        server.hooks["SELECT"] = when(b"Junk", lambda *call: not may_open.wait(PATIENCE))
        server.hooks["EXAMINE"] = server.hooks["SELECT"]
    interruption.over.set()
    wait_for(lambda: home.count() == 1)
    home.mark([1], "spam")
    home.undo()
    may_open.set()
    wait_for(lambda: home.count() == 2)
    home.look()
    assert home.labels() == {} and home.labels_by_server() == 0
    assert not server.flags[b"Junk", 7] and not home.is_pending()


def test_a_mark_that_a_move_of_another_computer_overtook_is_set_again(server, home):
    """Without MOVE, the other computer copied the message before the keywords were set."""
    server.hooks["SELECT"] = does(lambda: keywords(server) == KEYWORDS["ham"] and server.carry(1))
    home.mark([1], "ham")
    wait_for(lambda: server.flags.get((b"Junk", 1)) == KEYWORDS["ham"])
    home.look()
    assert home.labels() == {1: "ham"} and home.labels_by_server() == 0


# ------------------------------------------------------------------------------------------ storms
# on a real server


@pytest.fixture
def line(make_dovecot, faulty_line, request):
    """A line to a Dovecot without the given abilities, that loses some answers."""
    server = make_dovecot(without=getattr(request, "param", ()))
    server.put(letters(30))
    made = faulty_line(server.port)
    made.server = server
    made.unanswered = {b"STORE": 0.25, b"MOVE": 0.25}
    return made


def account_at(line):
    return line.server.account(
        name="home", security=Security.PLAIN, port=line.port, poll_seconds=0.3
    )


def act(chance, home):
    marked = chance.sample(range(1, 31), chance.choice([1, 1, 2, 8]))
    label = chance.choice(["spam", "ham", "spam", "ham", None])
    chance.choice([*[lambda: home.mark(marked, label)] * 3, home.undo, home.undo, home.redo])()


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize(
    ("line", "command"), [((), b"MOVE"), (("MOVE",), b"COPY")], indirect=["line"]
)
def test_an_undo_after_an_unanswered_move_stays_undone(line, install, command, restart):
    """In its new folder the message has the keywords of the undone label."""
    line.unanswered = {}
    home = install(account_at(line), moving=True)
    wait_for(lambda: home.count() == 30)
    home.mark([1], "spam")
    wait_for(lambda: not home.is_pending())
    line.unanswered = {command: 1.0}
    home.thread.waits = (PATIENCE, PATIENCE)
    home.mark([1], "ham")
    wait_for(lambda: home.phase is Phase.OFFLINE)
    line.unanswered = {}
    home.undo()
    if restart:
        home.restart()
    else:
        home.thread.retry()
    wait_agreed([home], Thunderbird(line.server), {1: "spam"})
    assert home.labels_by_server() == 0


@pytest.mark.parametrize("moving", [False, True])
def test_a_storm_of_lost_answers_changes_no_label(line, install, moving):
    """Another client moves messages in the meantime."""
    chance = random.Random(1)
    home = install(account_at(line), moving=moving)
    wait_for(lambda: home.count() == 30)
    other = Thunderbird(line.server)
    begun = time.monotonic()
    # A slow machine takes longer until answers are lost.
    while (lasted := time.monotonic() - begun) < STORM_SECONDS or (
        line.connections <= MANY and lasted < PATIENCE
    ):
        act(chance, home)
        if chance.random() < 0.3:
            other.carry(chance.randint(1, 30), chance.choice(["Junk", "INBOX"]))
        time.sleep(chance.choice([0, 0, 0.02, 0.1]))
    line.unanswered = {}
    wait_agreed([home], other)
    assert line.connections > MANY, "answers were lost"
    assert home.labels_by_server() == 0


@pytest.mark.parametrize("moving", [False, True])
def test_kills_between_a_keyword_and_its_answer_change_no_label(line, install, tmp_path, moving):
    context = multiprocessing.get_context("forkserver")
    chance = random.Random(1)
    context.set_forkserver_preload(["tests.sync.test_unanswered_keywords"])
    for seed in range(KILLS // 2):
        begun = context.Event()
        program = context.Process(
            target=run_until_killed,
            args=(tmp_path / "home 0", account_at(line), seed, moving, begun),
        )
        program.start()
        assert begun.wait(PATIENCE), "the program marks"
        time.sleep(chance.uniform(0.0, 1.0))
        program.kill()
        program.join()
    line.unanswered = {}
    home = install(account_at(line), moving=moving)
    wait_for(lambda: home.count() == 30)
    wait_agreed([home], Thunderbird(line.server))
    assert changes(home), "messages were marked"
    assert home.labels_by_server() == 0


def changes(home):
    """Return how often a label was assigned or removed."""
    return home.read("SELECT count(*) FROM journal")[0][0]


def run_until_killed(folder, account, seed, moving, begun):
    chance = random.Random(seed)
    home = Home(folder, account, moving)
    while True:
        act(chance, home)
        if changes(home):
            begun.set()
        time.sleep(chance.choice([0, 0.02, 0.1]))
