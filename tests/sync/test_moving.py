"""Moves interrupted at any step, and concurrent clients: no message is lost or duplicated."""

import pytest

from nbmail.values import Outcome
from tests.fake_imap import break_off, does, hangs_up, once, says, when
from tests.sync.letters import LETTERS, letter

DELETED = rb"\Deleted"
WITHOUT_MOVE = "IMAP4rev1 IDLE UIDPLUS"
STEPS = ("UID COPY", "UID STORE", "UID SEARCH", "UID EXPUNGE", "STATUS", "UID FETCH", "SELECT")


@pytest.mark.parametrize("answered", [False, True], ids=["unheard", "unanswered"])
@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("killed", [True, False], ids=["killed", "same run"])
def test_interrupted_at_any_step(fake, backend, interrupted, *, step, at, answered, killed):
    server = fake(abilities=WITHOUT_MOVE)
    interrupted(server, backend.move, step, at, answered=answered, killed=killed)
    assert (
        not any(DELETED in flags for flags in server.flags.values())
        or (b"INBOX", 5) in server.flags
    )


def test_a_move_whose_answer_was_lost_can_be_undone(fake, move):
    """The new location is found nevertheless, so that an undo moves the message back."""
    server = fake()
    assert move(server, 5, first=lambda: break_off(server, "UID MOVE")) is Outcome.DONE
    assert server.folders[b"Junk"] == {1: LETTERS[5]}


@pytest.mark.parametrize("kind", ["move", "sort"])
def test_a_move_that_only_copied_before_the_line_broke_is_completed(fake, backend, move, kind):
    server = fake()
    server.hooks["UID MOVE"] = once(
        lambda line, *call: server._copy(line, b"5", b"Junk") or hangs_up(line, *call)
    )
    assert move(server, 5, send=getattr(backend, kind)) is Outcome.DONE
    assert server.folders[b"Junk"] == {1: LETTERS[5]}
    assert server.folders[b"INBOX"] == {3: LETTERS[3], 8: LETTERS[8]}


@pytest.mark.parametrize("kind", ["move", "sort"])
def test_a_message_expunged_before_the_move_makes_it_obsolete(fake, backend, move, kind):
    server = fake()

    def first():
        break_off(server, "UID MOVE", answered=False)
        server.hooks["LOGIN"] = does(lambda: server.carry(5, None))

    assert move(server, 5, first=first, send=getattr(backend, kind)) is Outcome.OBSOLETE
    assert server.folders[b"Junk"] == {}


def test_a_message_expunged_by_another_client_after_the_copy_is_kept(fake, move):
    """The own copy is the only one and must stay."""
    server = fake(abilities=WITHOUT_MOVE)

    def marked_then_expunged(line, tag, arguments):
        server.answer("UID STORE", line, tag, arguments)
        server.carry(5, None)
        return True

    server.hooks["UID STORE"] = when(b"+FLAGS", marked_then_expunged)
    assert move(server, 5) is Outcome.DONE
    assert server.folders[b"Junk"] == {1: LETTERS[5]}


def test_a_copy_is_withdrawn_when_another_client_was_first(fake, move):
    server = fake(abilities=WITHOUT_MOVE)
    server.hooks["UID STORE"] = once(
        does(lambda: server.carry(5, None), says(b"OK nothing to store"))
    )
    assert move(server, 5) is Outcome.OBSOLETE
    assert server.folders[b"Junk"] == {}


def test_the_copy_of_another_client_that_was_first_stays(fake, move):
    """The other move ended just before the own COPY, which copied nothing."""
    server = fake(abilities=WITHOUT_MOVE)
    server.hooks["UID COPY"] = once(does(lambda: server.carry(5), says(b"OK nothing to copy")))
    assert move(server, 5) is Outcome.OBSOLETE
    assert server.folders[b"Junk"] == {1: LETTERS[5]}


def test_a_message_that_another_client_deletes_is_not_moved(fake, move):
    server = fake(abilities=WITHOUT_MOVE)
    server.flags[b"INBOX", 5] = {DELETED}
    assert move(server, 5) is Outcome.OBSOLETE
    assert server.folders == {b"INBOX": LETTERS, b"Junk": {}}


def test_a_refused_expunge_leaves_the_message_unchanged(fake, move):
    refuse = says(b"NO [NOPERM] not yours to delete")
    server = fake(abilities=WITHOUT_MOVE)
    server.hooks["UID EXPUNGE"] = lambda line, *call: (
        line.selected == b"INBOX" and refuse(line, *call)
    )
    assert move(server, 5) is Outcome.REFUSED
    assert server.folders == {b"INBOX": LETTERS, b"Junk": {}}
    assert DELETED not in server.flags.get((b"INBOX", 5), set())


def test_a_copy_that_another_client_removed_keeps_its_original(fake, move):
    server = fake(abilities=WITHOUT_MOVE)

    def first():
        break_off(server, "UID STORE")
        server.hooks["LOGIN"] = does(server.folders[b"Junk"].clear)

    assert move(server, 5, first=first) is Outcome.OBSOLETE
    assert server.folders == {b"INBOX": LETTERS, b"Junk": {}}
    assert DELETED not in server.flags[b"INBOX", 5]


def test_two_moves_to_one_folder_leave_one_copy(fake, move):
    server = fake(abilities=WITHOUT_MOVE)

    def first():
        break_off(server, "UID COPY")
        server.hooks["LOGIN"] = does(lambda: server.carry(5))

    assert move(server, 5, first=first) is Outcome.OBSOLETE
    assert list(server.folders[b"Junk"].values()) == [LETTERS[5]]


def test_a_recreated_folder_loses_no_message(fake, move):
    """The stored UID belongs to another message now."""
    server = fake(abilities=WITHOUT_MOVE)

    def recreate():
        with server.changing():
            server.validity, server.folders[b"INBOX"] = 9, {5: letter(55)}
            server.flags.clear()

    def first():
        break_off(server, "UID STORE")
        server.hooks["LOGIN"] = once(does(recreate))

    move(server, 5, first=first)
    assert server.folders[b"INBOX"] == {5: letter(55)}
    assert not server.flags.get((b"INBOX", 5))


# --------------------------------------------------------------------------------------------
# refusals


def test_over_quota_refuses_the_action_with_the_reason(fake, backend, move):
    server = fake(hooks={"UID MOVE": says(b"NO [OVERQUOTA] no room")})
    assert move(server, 3) is Outcome.REFUSED
    assert backend.completed[0][2] == "[OVERQUOTA] no room"
    assert server.connections == 1 and backend.messages() == LETTERS


def test_an_expunged_message_makes_only_its_action_obsolete(fake, move):
    server = fake()
    late = says(b"* 2 EXPUNGE", b"NO [EXPUNGEISSUED] some no longer exist")
    server.hooks["UID MOVE"] = once(does(lambda: server.carry(5, None), late))
    assert move(server, *LETTERS) == {3: Outcome.DONE, 5: Outcome.OBSOLETE, 8: Outcome.DONE}


def test_without_move_one_refusal_concerns_one_message(fake, move):
    server = fake(
        abilities=WITHOUT_MOVE, hooks={"UID COPY": when(b"5 ", says(b"NO [CANNOT] never"))}
    )
    assert move(server, *LETTERS) == {3: Outcome.DONE, 5: Outcome.REFUSED, 8: Outcome.DONE}
    assert sorted(server.folders[b"Junk"].values()) == sorted([letter(3), letter(8)])


def test_a_server_without_move_and_uidplus_moves_nothing(fake, move):
    server = fake(abilities="IMAP4rev1 IDLE")
    assert move(server, 5) is Outcome.REFUSED
    assert server.folders[b"INBOX"] == LETTERS
    assert not {"EXPUNGE", "UID COPY"} & set(server.commands)


def test_a_message_in_its_target_is_not_moved(fake, backend, synced):
    server = fake()
    server.folders[b"Junk"] = {1: letter(1)}
    thread = synced(server, watch_spam=True)
    backend.move(1, folder="Junk")
    thread.wake()
    backend.wait(lambda: backend.outcomes() == [Outcome.DONE])
    assert server.asked("UID MOVE") == 0
