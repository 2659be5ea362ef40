"""Moves interrupted at any step, and concurrent clients: no message is lost or duplicated."""

import json

import pytest

from nbmail.sync.imap.moving import Fingerprint, MoveProgress, MoveStage
from nbmail.values import Outcome
from tests.fake_imap import once, says
from tests.sync.letters import LETTERS, letter, letters
from tests.sync.memory_backend import leave
from tests.sync.test_profiles import truth
from tests.waiting import wait_for

DELETED = rb"\Deleted"
WITHOUT_MOVE = "IMAP4rev1 IDLE UIDPLUS"
STEPS = ("UID COPY", "UID STORE", "UID SEARCH", "UID EXPUNGE", "STATUS", "UID FETCH", "SELECT")


def break_off(server, command, at=1, before=False):
    """Close the line at the `at`-th command of this kind, before or after running it, without an answer."""
    count = [0]

    def hook(line, tag, arguments):
        count[0] += 1
        if count[0] != at:
            return False
        if not before:
            spoken, line.say = line.say, lambda *chunks, pause=0.0: None
            server.answer(command, line, tag, arguments)
            line.say = spoken
        line.close()
        return True

    server.hooks[command] = hook
    return count


@pytest.mark.parametrize("before", [True, False], ids=["unheard", "unanswered"])
@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("killed", [True, False], ids=["killed", "same run"])
def test_interrupted_at_any_step(fake, backend, watch, synced, *, step, at, before, killed):
    server = fake(abilities=WITHOUT_MOVE)
    thread = synced(server)
    count = break_off(server, step, at, before)
    backend.move(5)
    thread.wake()
    wait_for(lambda: count[0] >= at or backend.completed)
    if killed:
        leave(thread)
        wait_for(lambda: not server.lines)
        server.hooks.clear()
        watch(server.account())
    backend.wait(lambda: backend.outcomes() == [Outcome.DONE])
    assert list(server.folders[b"Junk"].values()) == [LETTERS[5]]
    assert server.folders[b"INBOX"] == {3: LETTERS[3], 8: LETTERS[8]}
    assert not any(DELETED in flags for flags in server.flags.values() if flags) or (b"INBOX", 5) in server.flags


def test_the_answer_to_move_was_lost(fake, move):
    """Proportion as our move, so that an undo moves the message back."""
    server = fake()
    assert move(server, 5, first=lambda: break_off(server, "UID MOVE")) is Outcome.DONE
    assert list(server.folders[b"Junk"].values()) == [LETTERS[5]]


def test_a_server_that_was_still_moving_when_the_line_broke(fake, move):
    """The copy exists and the original is still there."""

    def half(line, tag, arguments):
        with server.changing():
            server._copy(line, b"5", b"Junk")
        line.close()
        return True

    server = fake(hooks={"UID MOVE": once(half)})
    assert move(server, 5) is Outcome.DONE
    assert list(server.folders[b"Junk"].values()) == [LETTERS[5]]
    assert server.folders[b"INBOX"] == {3: LETTERS[3], 8: LETTERS[8]}


def test_expunged_before_the_move(fake, move):
    server = fake()

    def first():
        break_off(server, "UID MOVE", before=True)
        server.hooks["LOGIN"] = lambda line, tag, arguments: server.folders[b"INBOX"].pop(5, None) and False

    assert move(server, 5, first=first) is Outcome.OBSOLETE
    assert server.folders[b"Junk"] == {}


def test_expunged_by_another_program_after_our_mark_is_not_lost(fake, move):
    """Our copy is the only one and must stay."""

    def marked_then_expunged(line, tag, arguments):
        if b"+FLAGS" not in arguments:
            return False
        server.answer("UID STORE", line, tag, arguments)
        server.folders[b"INBOX"].pop(5, None)
        return True

    server = fake(abilities=WITHOUT_MOVE, hooks={"UID STORE": marked_then_expunged})
    assert move(server, 5) is Outcome.DONE
    assert list(server.folders[b"Junk"].values()) == [LETTERS[5]]


def test_a_message_that_another_client_deletes_is_not_moved(fake, move):
    server = fake(abilities=WITHOUT_MOVE)
    server.flags[b"INBOX", 5] = {DELETED}
    assert move(server, 5) is Outcome.OBSOLETE
    assert server.folders[b"Junk"] == {} and 5 in server.folders[b"INBOX"]


def test_where_nothing_may_be_expunged_all_is_as_it_was(fake, move):
    def refuse(line, tag, arguments):
        if line.selected != b"INBOX":
            return False
        return says(b"NO [NOPERM] not yours to delete")(line, tag, arguments)

    server = fake(abilities=WITHOUT_MOVE, hooks={"UID EXPUNGE": refuse})
    assert move(server, 5) is Outcome.REFUSED
    assert server.folders[b"Junk"] == {} and server.folders[b"INBOX"] == LETTERS
    assert DELETED not in server.flags.get((b"INBOX", 5), set())


def test_a_copy_that_someone_took_away_keeps_its_original(fake, move):
    server = fake(abilities=WITHOUT_MOVE)

    def first():
        break_off(server, "UID STORE")
        server.hooks["LOGIN"] = lambda line, tag, arguments: server.folders[b"Junk"].clear()

    assert move(server, 5, first=first) is Outcome.OBSOLETE
    assert server.folders[b"INBOX"] == LETTERS
    assert DELETED not in server.flags[b"INBOX", 5]


def test_moved_to_the_same_place_by_both_leaves_one(fake, move):
    server = fake(abilities=WITHOUT_MOVE)

    def theirs(line, tag, arguments):
        if 5 in server.folders[b"INBOX"]:
            with server.changing():
                server.folders[b"Junk"][max(server.folders[b"Junk"], default=0) + 1] = server.folders[b"INBOX"].pop(5)
        return False

    def first():
        break_off(server, "UID COPY")
        server.hooks["LOGIN"] = theirs

    assert move(server, 5, first=first) is Outcome.OBSOLETE
    assert list(server.folders[b"Junk"].values()) == [LETTERS[5]]


def test_a_recreated_folder_loses_no_message(fake, move):
    """The stored UID belongs to another message now."""
    server = fake(abilities=WITHOUT_MOVE)

    def first():
        break_off(server, "UID STORE")
        server.hooks["LOGIN"] = once(recreate)

    def recreate(line, tag, arguments):
        with server.changing():
            server.validity = 9
            server.folders[b"INBOX"] = {5: letter(55)}
            server.flags.clear()

    move(server, 5, first=first)
    assert server.folders[b"INBOX"] == {5: letter(55)}
    assert not server.flags.get((b"INBOX", 5))


@pytest.mark.parametrize("without", [("MOVE",), ()], ids=["copy", "move"])
def test_a_real_server_and_the_program_killed_in_mid_move(make_dovecot, backend, watch, synced, without):
    server = make_dovecot(without=without)
    server.put(letters(3))
    thread = synced(server)
    leave(thread)
    action = backend.move(2)
    client = server.client()
    client.select_folder("INBOX")
    look = client.fetch([2], ["RFC822.SIZE"])[2]
    junk = client.folder_status("Junk", ["UIDNEXT", "UIDVALIDITY"])
    fingerprint = Fingerprint(look[b"RFC822.SIZE"], 0.0, "<2@letters.example>")
    stage = MoveStage.COPYING if without else MoveStage.MOVING
    origin = ("INBOX", action.validity, 2)
    progress = MoveProgress(stage, origin, "Junk", junk[b"UIDVALIDITY"], junk[b"UIDNEXT"], fingerprint)
    backend.store_progress([action._replace(progress=json.dumps(progress))])
    (client.copy if without else client.move)([2], "Junk")
    watch(server.account())
    backend.wait(lambda: backend.outcomes() == [Outcome.DONE])
    wait_for(lambda: set(truth(client)[0]) == {1, 3})
    assert list(truth(client, "Junk")[0].values()) == [letter(2)]
