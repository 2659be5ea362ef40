"""Claimed moves against servers that answer wrong, break the line, or have another client at the same moment."""

import threading
import time

import pytest

from nbmail.sync.imap import claimed_move
from nbmail.values import ActionKind, Outcome
from tests.fake_imap import hangs_up, once, says
from tests.sync.letters import LETTERS
from tests.sync.memory_backend import leave
from tests.sync.test_moving import break_off
from tests.waiting import wait_for

ABLE = "IMAP4rev1 IDLE UIDPLUS MOVE CONDSTORE"
UNABLE = "IMAP4rev1 IDLE UIDPLUS MOVE"
WITHOUT_MOVE = "IMAP4rev1 IDLE UIDPLUS CONDSTORE"
OWN, LOWER, HIGHER = b"nbmail-auto-555555", b"nbmail-auto-111111", b"nbmail-auto-999999"
STEPS = ("UID STORE", "NOOP", "UID FETCH", "STATUS", "UID MOVE", "UID SEARCH")
COPY_STEPS = ("UID COPY", "UID STORE", "UID EXPUNGE", "UID FETCH")


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch):
    monkeypatch.setattr(claimed_move, "SETTLING", 0.1)
    monkeypatch.setattr(claimed_move, "YIELDING", 0.02)


@pytest.fixture
def sort(backend, synced):
    """Factory: `sort(server)` sorts message 5 and returns the outcome and the detail."""

    def run(server, uid=5, **more):
        thread = synced(server)
        backend.sort(uid, **more)
        thread.wake()
        backend.wait(lambda: backend.completed)
        _, outcome, detail = backend.completed[0]
        return outcome, detail

    return run


def marks(server, uid, folder=b"INBOX"):
    return {flag for flag in server.flags.get((folder, uid), set()) if flag.startswith(b"nbmail")}


def moved(server):
    return list(server.folders[b"Junk"].values())


def is_in_inbox(server):
    return 5 in server.folders[b"INBOX"] and moved(server) == []


def answer_marks(server, *flags):
    """Have the server store these flags of message 5 when this computer marks it, and answer OK."""

    def answer(line, tag, arguments):
        if b"+FLAGS" in arguments and OWN in arguments:
            server.change(5, *flags)
            line.say_line(tag + b" OK stored")
            return True
        return False

    server.hooks["UID STORE"] = answer


def yield_soon(server, *flags):
    """Have the server report these flags of message 5 after three looks: another computer removes its mark."""

    def yields(line, tag, arguments):
        if server.asked("NOOP") >= 3:
            server.flags[b"INBOX", 5] = {*flags}
        return False

    server.hooks["NOOP"] = yields


def test_marked_read_back_and_moved(fake, sort):
    server = fake(abilities=ABLE)
    assert sort(server)[0] is Outcome.DONE
    assert moved(server) == [LETTERS[5]]
    assert sorted(server.folders[b"INBOX"]) == [3, 8]
    order = [each for each in server.commands if each in ("UID STORE", "UID MOVE", "NOOP")]
    assert order[order.index("UID STORE") :][:3] == ["UID STORE", "NOOP", "UID MOVE"]


def test_the_flags_are_never_read_before_the_answer_to_the_mark(fake, sort):
    answered, early = threading.Event(), []

    def slow(line, tag, arguments):
        if OWN in arguments and b"+FLAGS" in arguments:
            count = len(server.commands)
            time.sleep(0.2)
            early.extend(server.commands[count:])
            answered.set()
        return False

    server = fake(abilities=ABLE, hooks={"UID STORE": slow})
    assert sort(server)[0] is Outcome.DONE
    assert answered.is_set() and early == []


def test_a_flag_changed_after_the_look_is_not_marked(fake, backend, synced):
    server = fake(abilities=ABLE)
    thread = synced(server)
    seen = []

    def look(line, tag, arguments):
        if b"UNCHANGEDSINCE" in arguments:
            seen.append(arguments)
        return False

    server.hooks["UID STORE"] = look
    # The account also runs actions when it polls.
    with server.changing():
        stale = backend.known(backend.sort(5).folder).modseq
        server.change(5, b"\\Seen")
    thread.wake()
    backend.wait(lambda: backend.completed)
    # Marked only with the mod-sequence of a look that saw the change.
    assert all(int(each.split(b"UNCHANGEDSINCE ")[1].split(b")")[0]) >= stale for each in seen)
    assert any(rb"\Seen" in (server.flags.get((b"Junk", uid)) or ()) for uid in server.folders[b"Junk"])


@pytest.mark.parametrize("flag", [rb"\Flagged", rb"\Answered", b"$NotJunk", b"$Junk"])
@pytest.mark.parametrize("abilities", [ABLE, UNABLE])
def test_a_decision_of_the_user_at_the_same_moment_wins(fake, backend, synced, flag, abilities):
    """Set between the look and the mark, on a server that marks nevertheless."""
    server = fake(abilities=abilities)
    answer_marks(server, flag, OWN)
    thread = synced(server)
    backend.sort(5)
    thread.wake()
    wait_for(lambda: marks(server, 5) == set() and server.asked("UID STORE") >= 2)
    leave(thread)
    assert is_in_inbox(server) and backend.completed == []


@pytest.mark.parametrize(("abilities", "flags"), [(ABLE, (OWN, LOWER)), (UNABLE, (OWN, LOWER)), (UNABLE, (LOWER,))])
def test_a_lower_mark_wins_and_the_own_one_is_removed(fake, sort, abilities, flags):
    """A server that ignores the condition, or tells both OK; Courier stores the flags of the last client."""
    server = fake(abilities=abilities)
    answer_marks(server, *flags)
    assert sort(server)[0] is Outcome.CLAIMED
    assert is_in_inbox(server) and marks(server, 5) == {LOWER}


@pytest.mark.parametrize("abilities", [ABLE, UNABLE])
def test_a_higher_mark_is_waited_for(fake, sort, abilities):
    server = fake(abilities=abilities)
    answer_marks(server, OWN, HIGHER)
    yield_soon(server, OWN)
    assert sort(server)[0] is Outcome.DONE
    assert server.asked("UID MOVE") == 1 and moved(server) == [LETTERS[5]]


def test_a_higher_mark_that_stays_keeps_the_message(fake, backend, synced):
    def both(line, tag, arguments):
        server.change(5, OWN, HIGHER)
        line.say_line(tag + b" OK stored")
        return True

    server = fake(abilities=ABLE, hooks={"UID STORE": both})
    thread = synced(server)
    backend.sort(5)
    thread.wake()
    wait_for(lambda: server.asked("NOOP") >= 2 * claimed_move.YIELD_CHECKS)
    leave(thread)
    assert is_in_inbox(server) and server.asked("UID MOVE") == 0


def test_without_conditions_only_a_free_message_is_marked(fake, sort):
    server = fake(abilities=UNABLE)
    server.flags[b"INBOX", 5] = {HIGHER}
    assert sort(server)[0] is Outcome.CLAIMED
    assert is_in_inbox(server) and server.asked("UID STORE") == 0


@pytest.mark.parametrize("alone", [False, True])
def test_without_keywords_only_the_chosen_computer_sorts(fake, backend, synced, alone):
    server = fake(abilities=UNABLE)
    server.keywords = False
    thread = synced(server, sorts_alone=alone)
    backend.sort(5)
    thread.wake()
    backend.wait(lambda: backend.completed)
    assert backend.outcomes() == [Outcome.DONE if alone else Outcome.REFUSED]
    assert (moved(server) == [LETTERS[5]]) is alone


REFUSALS = {
    "too many flags": ("UID STORE", b"NO too many flags in mailbox"),
    "no right to move": ("UID MOVE", b"NO [NOPERM] no right to insert"),
    "quota": ("UID MOVE", b"NO [OVERQUOTA] full"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_leaves_the_message_without_a_mark(fake, sort, case):
    command, answer = REFUSALS[case]
    server = fake(abilities=ABLE, hooks={command: once(says(answer))})
    outcome, detail = sort(server)
    assert outcome is Outcome.REFUSED and detail
    assert is_in_inbox(server) and marks(server, 5) == set()


def test_a_folder_that_can_only_be_read(fake, sort):
    server = fake(abilities=ABLE)

    def read_only(line, tag, arguments):
        line.selected = b"INBOX"
        line.say_line(b"* 3 EXISTS")
        line.say_line(b"* OK [UIDVALIDITY 7] valid")
        line.say_line(b"* OK [HIGHESTMODSEQ 1] highest")
        line.say_line(b"* OK [PERMANENTFLAGS ()] none")
        line.say_line(tag + b" OK [READ-ONLY] open")
        return True

    server.hooks["SELECT"] = read_only
    assert sort(server) == (Outcome.REFUSED, "the folder can only be read")


def test_another_uidvalidity(fake, backend, synced):
    server = fake(abilities=ABLE)
    thread = synced(server)
    with server.changing():
        backend.sort(5)
        server.validity = 8
        server.drop()
    thread.wake()
    backend.wait(lambda: backend.completed)
    assert backend.outcomes() == [Outcome.OBSOLETE]
    assert moved(server) == []


def test_a_withdrawn_claim_leaves_no_mark(fake, backend, synced):
    server = fake(abilities=ABLE)
    server.flags[b"INBOX", 5] = {OWN}
    thread = synced(server)
    backend.sort(5, progress=claimed_move.CLAIMING, remove=frozenset({OWN.decode()}))
    thread.wake()
    backend.wait(lambda: backend.completed)
    assert backend.outcomes() == [Outcome.CLAIMED]
    assert is_in_inbox(server) and marks(server, 5) == set()


# ------------------------------------------------------------------------------------------------- interruptions


@pytest.mark.parametrize("killed", [True, False], ids=["killed", "same run"])
@pytest.mark.parametrize("before", [True, False], ids=["unheard", "unanswered"])
@pytest.mark.parametrize(
    ("abilities", "step"), [*((ABLE, step) for step in STEPS), *((WITHOUT_MOVE, step) for step in COPY_STEPS)]
)
@pytest.mark.parametrize("at", [1, 2])
def test_interrupted_at_any_step(fake, backend, watch, synced, *, abilities, step, at, before, killed):
    server = fake(abilities=abilities)
    thread = synced(server)
    count = break_off(server, step, at, before)
    backend.sort(5)
    thread.wake()
    wait_for(lambda: count[0] >= at or backend.completed)
    if killed:
        leave(thread)
        wait_for(lambda: not server.lines)
        server.hooks.clear()
        watch(server.account())
    backend.wait(lambda: backend.outcomes() == [Outcome.DONE])
    assert moved(server) == [LETTERS[5]]
    assert server.folders[b"INBOX"] == {3: LETTERS[3], 8: LETTERS[8]}


def test_a_move_that_still_runs_on_the_old_line_is_waited_for(fake, sort):
    def late(line, tag, arguments):
        server.hooks["NOOP"] = once(finish)
        line.close()
        return True

    def finish(line, tag, arguments):
        with server.changing():
            server.folders[b"Junk"][1] = server.folders[b"INBOX"].pop(5)

    server = fake(abilities=ABLE, hooks={"UID MOVE": once(late)})
    assert sort(server)[0] is Outcome.DONE
    assert moved(server) == [LETTERS[5]] and 5 not in server.folders[b"INBOX"]
    assert server.asked("UID MOVE") == 1


def test_a_move_that_copied_and_did_not_remove(fake, sort):
    def half(line, tag, arguments):
        with server.changing():
            server._copy(line, b"5", b"Junk")
        line.close()
        return True

    server = fake(abilities=ABLE, hooks={"UID MOVE": once(half)})
    assert sort(server)[0] is Outcome.DONE
    assert moved(server) == [LETTERS[5]] and 5 not in server.folders[b"INBOX"]


def test_a_line_that_breaks_again_and_again(fake, sort):
    breaks = [hangs_up] * 4
    server = fake(abilities=ABLE, hooks={"UID MOVE": lambda *call: bool(breaks) and breaks.pop()(*call)})
    assert sort(server)[0] is Outcome.DONE
    assert moved(server) == [LETTERS[5]]


# -------------------------------------------------------------------------------------------- moves of the user

HAND, HAND_LOWER, HAND_HIGHER = b"nbmail-move-555555", b"nbmail-move-111111", b"nbmail-move-999999"


@pytest.fixture
def move_by_hand(backend, synced, monkeypatch):
    """Factory: `move_by_hand(server)` moves message 5 to Junk and returns the outcome."""
    monkeypatch.setattr(claimed_move, "YIELDING", 0.02)

    def run(server):
        thread = synced(server)
        backend.send(ActionKind.MOVE, 5, target="\\Junk", add=frozenset({HAND.decode()}))
        thread.wake()
        backend.wait(lambda: backend.completed)
        return backend.outcomes()[0]

    return run


@pytest.mark.parametrize("mark", [HAND_LOWER, OWN.replace(b"555555", b"888888")])
def test_a_lower_or_automatic_claim_lets_the_other_move(fake, move_by_hand, mark):
    def other_moves(line, tag, arguments):
        if b"+FLAGS" in arguments and HAND in arguments:
            server.change(5, HAND, mark)
        if b"-FLAGS" in arguments and HAND in arguments:
            with server.changing():
                server.folders[b"Junk"][7] = server.folders[b"INBOX"].pop(5)
        return False

    server = fake(abilities=ABLE, hooks={"UID STORE": other_moves})
    assert move_by_hand(server) is Outcome.OBSOLETE
    assert server.asked("UID MOVE") == 0


@pytest.mark.parametrize("mark", [HAND_LOWER, HAND_HIGHER, LOWER])
def test_an_old_claim_of_another_computer_stops_no_move(fake, move_by_hand, mark):
    server = fake(abilities=ABLE)
    server.flags[b"INBOX", 5] = {mark}
    assert move_by_hand(server) is Outcome.DONE
    assert moved(server) == [LETTERS[5]]


def test_a_higher_claim_that_is_removed_is_waited_for(fake, move_by_hand):
    server = fake(abilities=ABLE)
    server.flags[b"INBOX", 5] = {HAND_HIGHER}
    yield_soon(server, HAND)
    assert move_by_hand(server) is Outcome.DONE
    assert server.asked("UID MOVE") == 1 and server.asked("NOOP") == 3


def test_an_automatic_move_leaves_a_message_that_a_user_moves(fake, backend, synced):
    server = fake(abilities=ABLE)
    answer_marks(server, OWN, HAND_HIGHER)
    thread = synced(server)
    backend.sort(5)
    thread.wake()
    wait_for(lambda: server.asked("UID STORE") >= 2)
    leave(thread)
    assert is_in_inbox(server) and server.asked("UID MOVE") == 0
