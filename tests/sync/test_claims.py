"""Claims of moves against servers with faults, and other clients at the same moment."""

import time

import pytest

from nbmail.sync.imap.actions import automatic_move
from nbmail.values import CLAIMING, Outcome
from tests.fake_imap import does, hangs_up, once, says, when
from tests.sync.letters import LETTERS
from tests.sync.memory_backend import leave
from tests.waiting import wait_for

ABLE = "IMAP4rev1 IDLE UIDPLUS MOVE CONDSTORE"
UNABLE = "IMAP4rev1 IDLE UIDPLUS MOVE"
WITHOUT_MOVE = "IMAP4rev1 IDLE UIDPLUS CONDSTORE"
OWN = b"nbmail-auto-555555"
LOWER = b"nbmail-auto-111111"
HIGHER = b"nbmail-auto-999999"
HAND = b"nbmail-move-555555"
HAND_LOWER = b"nbmail-move-111111"
HAND_HIGHER = b"nbmail-move-999999"
STEPS = ("UID STORE", "NOOP", "UID FETCH", "STATUS", "UID MOVE", "UID SEARCH")
COPY_STEPS = ("UID COPY", "UID STORE", "UID EXPUNGE", "UID FETCH")


@pytest.fixture
def move_by_hand(move):
    return lambda server: move(server, 5, add=frozenset({HAND.decode()}))


@pytest.fixture
def undecided(backend, synced):
    """Factory: starts to sort message 5, waits for a condition, and ends without a move."""

    def run(server, condition):
        thread = synced(server)
        backend.sort(5)
        thread.wake()
        wait_for(condition)
        leave(thread)
        assert is_in_inbox(server) and backend.completed == [] and server.asked("UID MOVE") == 0

    return run


def marks(server):
    return {flag for flag in server.flags.get((b"INBOX", 5), set()) if flag.startswith(b"nbmail")}


def is_in_inbox(server):
    return server.folders == {b"INBOX": LETTERS, b"Junk": {}}


def is_moved(server):
    return server.folders == {b"INBOX": {3: LETTERS[3], 8: LETTERS[8]}, b"Junk": {1: LETTERS[5]}}


def answer_marks(server, *flags):
    """Have the server store these flags of message 5 when this computer marks it, and answer OK."""
    answer = does(lambda: server.change(5, *flags), says(b"OK stored"))
    server.hooks["UID STORE"] = when(b"+FLAGS", when(OWN, answer))


def yield_soon(server, *flags):
    """Report these flags of message 5 after three looks: another mark is removed then."""
    server.hooks["NOOP"] = lambda *call: server.asked("NOOP") >= 3 and server.change(5, *flags)


def test_a_message_is_marked_read_back_and_moved(fake, sort):
    server = fake(abilities=ABLE)
    assert sort(server) is Outcome.DONE
    assert is_moved(server)
    order = [each for each in server.commands if each in ("UID STORE", "UID MOVE", "NOOP")]
    assert order[order.index("UID STORE") :][:3] == ["UID STORE", "NOOP", "UID MOVE"]


def test_the_flags_are_never_read_before_the_answer_to_the_mark(fake, sort):
    early = []

    def slow(*call):
        count = len(server.commands)
        time.sleep(0.2)
        early.append(server.commands[count:])
        return False

    server = fake(abilities=ABLE, hooks={"UID STORE": when(b"+FLAGS", when(OWN, slow))})
    assert sort(server) is Outcome.DONE
    assert early == [[]]


def test_a_flag_changed_after_the_look_is_not_marked(fake, backend, synced):
    server = fake(abilities=ABLE)
    seen = []
    thread = synced(server)
    server.hooks["UID STORE"] = lambda line, tag, arguments: (
        b"UNCHANGEDSINCE" in arguments and seen.append(arguments)
    )
    # The account also runs actions when it polls.
    with server.changing():
        stale = backend.known(backend.sort(5).folder).modseq
        server.change(5, b"\\Seen")
    thread.wake()
    backend.wait(lambda: backend.completed)
    # Marked only with the mod-sequence of a look that saw the change.
    assert all(int(each.split(b"UNCHANGEDSINCE ")[1].split(b")")[0]) >= stale for each in seen)
    assert any(
        rb"\Seen" in (server.flags.get((b"Junk", uid)) or ()) for uid in server.folders[b"Junk"]
    )


@pytest.mark.parametrize("flag", [rb"\Flagged", rb"\Answered", b"$NotJunk", b"$Junk", HAND_HIGHER])
@pytest.mark.parametrize("abilities", [ABLE, UNABLE])
def test_a_decision_of_the_user_at_the_same_moment_wins(fake, undecided, flag, abilities):
    """The decision is a flag between the look and the mark, or a move by hand."""
    server = fake(abilities=abilities)
    answer_marks(server, flag, OWN)
    undecided(server, lambda: OWN not in marks(server) and server.asked("UID STORE") >= 2)


@pytest.mark.parametrize(
    ("abilities", "flags"), [(ABLE, (OWN, LOWER)), (UNABLE, (OWN, LOWER)), (UNABLE, (LOWER,))]
)
def test_a_lower_mark_wins_and_the_own_one_is_removed(fake, sort, abilities, flags):
    """The server ignores the condition, or accepts both marks."""
    server = fake(abilities=abilities)
    answer_marks(server, *flags)
    assert sort(server) is Outcome.CLAIMED
    assert is_in_inbox(server) and marks(server) == {LOWER}


@pytest.mark.parametrize("abilities", [ABLE, UNABLE])
def test_a_higher_mark_is_waited_for(fake, sort, abilities):
    server = fake(abilities=abilities)
    answer_marks(server, OWN, HIGHER)
    yield_soon(server, OWN)
    assert sort(server) is Outcome.DONE
    assert server.asked("UID MOVE") == 1 and is_moved(server)


def test_a_higher_mark_that_stays_keeps_the_message(fake, undecided):
    server = fake(abilities=ABLE)
    server.hooks["UID STORE"] = does(lambda: server.change(5, OWN, HIGHER), says(b"OK stored"))
    undecided(server, lambda: server.asked("NOOP") >= 2 * automatic_move.YIELD_CHECKS)


def test_without_conditions_only_a_free_message_is_marked(fake, sort):
    server = fake(abilities=UNABLE)
    server.flags[b"INBOX", 5] = {HIGHER}
    assert sort(server) is Outcome.CLAIMED
    assert is_in_inbox(server) and server.asked("UID STORE") == 0


@pytest.mark.parametrize("alone", [False, True])
def test_without_keywords_only_the_chosen_computer_sorts(fake, backend, synced, alone):
    server = fake(abilities=UNABLE)
    server.keywords = False
    thread = synced(server, sorts_alone=alone)
    backend.sort(5)
    thread.wake()
    backend.wait(lambda: backend.outcomes() == [Outcome.DONE if alone else Outcome.REFUSED])
    assert is_moved(server) is alone


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("UID STORE", b"NO too many flags in mailbox"),
        ("UID MOVE", b"NO [NOPERM] no right to insert"),
        ("UID MOVE", b"NO [OVERQUOTA] full"),
    ],
)
def test_a_refusal_leaves_the_message_without_a_mark(fake, backend, sort, command, answer):
    server = fake(abilities=ABLE, hooks={command: once(says(answer))})
    assert sort(server) is Outcome.REFUSED and backend.completed[0][2]
    assert is_in_inbox(server) and marks(server) == set()


def test_another_uidvalidity_ends_an_automatic_move(fake, sort):
    server = fake(abilities=ABLE)

    def recreate():
        server.validity = 8
        server.drop()

    server.hooks["UID STORE"] = does(recreate, hangs_up)
    assert sort(server) is Outcome.OBSOLETE
    assert server.folders[b"Junk"] == {}


def test_a_withdrawn_claim_leaves_no_mark(fake, sort):
    server = fake(abilities=ABLE)
    server.flags[b"INBOX", 5] = {OWN}
    assert sort(server, progress=CLAIMING, remove=frozenset({OWN.decode()})) is Outcome.CLAIMED
    assert is_in_inbox(server) and marks(server) == set()


# -------------------------------------------------------------------------------------------------
# interruptions


@pytest.mark.parametrize("killed", [True, False], ids=["killed", "same run"])
@pytest.mark.parametrize("answered", [False, True], ids=["unheard", "unanswered"])
@pytest.mark.parametrize(
    ("abilities", "step"),
    [*((ABLE, step) for step in STEPS), *((WITHOUT_MOVE, step) for step in COPY_STEPS)],
)
@pytest.mark.parametrize("at", [1, 2])
def test_interrupted_at_any_step(
    fake, backend, interrupted, *, abilities, step, at, answered, killed
):
    interrupted(fake(abilities=abilities), backend.sort, step, at, answered=answered, killed=killed)


def test_a_move_that_still_runs_on_the_old_line_is_waited_for(fake, sort):
    server = fake(abilities=ABLE)

    def late():
        server.hooks["NOOP"] = once(does(lambda: server.carry(5)))

    server.hooks["UID MOVE"] = once(does(late, hangs_up))
    assert sort(server) is Outcome.DONE
    assert is_moved(server) and server.asked("UID MOVE") == 1


# -------------------------------------------------------------------------------------------- moves
# of the user


@pytest.mark.parametrize("mark", [HAND_LOWER, OWN.replace(b"555555", b"888888")])
def test_a_lower_or_automatic_claim_lets_the_other_move(fake, move_by_hand, mark):
    server = fake(abilities=ABLE)

    def other_moves(line, tag, arguments):
        server.change(5, HAND, mark) if b"+FLAGS" in arguments else server.carry(5)

    server.hooks["UID STORE"] = when(HAND, other_moves)
    assert move_by_hand(server) is Outcome.OBSOLETE
    assert server.asked("UID MOVE") == 0


@pytest.mark.parametrize("mark", [HAND_LOWER, HAND_HIGHER, LOWER])
def test_an_old_claim_of_another_computer_stops_no_move(fake, move_by_hand, mark):
    server = fake(abilities=ABLE)
    server.flags[b"INBOX", 5] = {mark}
    assert move_by_hand(server) is Outcome.DONE
    assert is_moved(server)


def test_a_higher_claim_that_is_removed_is_waited_for(fake, move_by_hand):
    server = fake(abilities=ABLE)
    server.flags[b"INBOX", 5] = {HAND_HIGHER}
    yield_soon(server, HAND)
    assert move_by_hand(server) is Outcome.DONE
    assert server.asked("UID MOVE") == 1 and server.asked("NOOP") == 3
