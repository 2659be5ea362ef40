"""Servers with more and fewer capabilities: the stored state becomes equal to the server's."""

import os
import random

import pytest

from nbmail.values import Outcome, Phase
from tests.sync.letters import letter, letters
from tests.sync.memory_backend import leave
from tests.waiting import wait_for

TORTURE = bool(os.environ.get("NBMAIL_TORTURE"))
PROFILES = pytest.mark.parametrize(
    "running_server", ["dovecot", "no QRESYNC", "poorest"], indirect=True
)


def truth(client, folder="INBOX"):
    """Return raw mail and flags on the server by UID."""
    client.select_folder(folder, readonly=True)
    uids = client.search("ALL")
    fetched = client.fetch(uids, ["BODY.PEEK[]", "FLAGS"]) if uids else {}
    raws = {uid: data[b"BODY[]"] for uid, data in fetched.items()}
    flags = {
        uid: {flag.decode() for flag in data[b"FLAGS"]} - {"\\Recent"}
        for uid, data in fetched.items()
    }
    return raws, flags


def known(backend, folder="INBOX"):
    return backend.messages(folder=folder), {
        uid: set(flags) for uid, flags in backend.flags(folder=folder).items()
    }


def wait_equal(backend, client, folder="INBOX"):
    wait_for(lambda: known(backend, folder) == truth(client, folder))


@PROFILES
def test_changes_between_two_connections_are_delivered(server, backend, watch, synced):
    server.put(letters(80))
    first = synced(server)
    leave(first)
    client = server.client()
    client.select_folder("INBOX")
    client.add_flags(list(range(1, 20)), ["\\Flagged"])
    client.delete_messages([10, 30, 80])
    client.expunge()
    client.append("INBOX", letter(90))
    fetched = len([each for delivery in backend.deliveries for each in delivery.arrivals])
    watch(server.account())
    wait_equal(backend, client)
    assert (
        len([each for delivery in backend.deliveries for each in delivery.arrivals]) == fetched + 1
    )


@PROFILES
def test_a_message_is_moved_once_with_any_capabilities(server, backend, synced):
    server.put(letters(6))
    thread = synced(server, poll_seconds=0.2)
    client = server.client()
    client.select_folder("INBOX")
    # The deletion flag of another client must survive: only one UID may be expunged.
    client.delete_messages([5])
    for uid in (2, 3):
        backend.move(uid)
    thread.wake()
    backend.wait(lambda: backend.outcomes() == [Outcome.DONE] * 2)
    wait_equal(backend, client)
    wait_equal(backend, client, "Junk")
    assert set(truth(client)[0]) == {1, 4, 5, 6}
    raws, flags = truth(client, "Junk")
    assert sorted(raws.values()) == sorted([letter(2), letter(3)])
    assert all("\\Deleted" not in each for each in flags.values())


@PROFILES
def test_a_recreated_folder_is_fetched_again(server, backend, watch, synced):
    client = server.client()
    client.create_folder("Box")
    for number in range(5):
        client.append("Box", letter(number))
    first = synced(server, folders=("Box",))
    old = backend.folders["alice", "Box"].validity
    leave(first)
    # Dovecot, still closing the folder for us, would write into the new one of the same name that
    # it was deleted.
    wait_for(lambda: server.serving() == 1)
    client.delete_folder("Box")
    client.create_folder("Box")
    client.append("Box", letter(77))
    watch(server.account(folders=("Box",)))
    backend.wait(lambda: list(backend.messages(folder="Box").values()) == [letter(77)])
    assert backend.folders["alice", "Box"].validity != old


@pytest.mark.parametrize("how", ["restart", "kill", "drop"])
def test_a_server_that_dies_during_a_sync_loses_nothing(make_dovecot, backend, watch, how):
    server = make_dovecot()
    server.put(letters(1500))
    watch(server.account())
    backend.wait(lambda: len(backend.flags()) >= 400)
    if how == "drop":
        server.drop_connections()
    else:
        server.stop() if how == "restart" else server.kill()
        server.start()
    backend.wait(lambda: len(backend.flags()) == 1500)
    arrivals = [each.uid for delivery in backend.deliveries for each in delivery.arrivals]
    assert len(arrivals) == len(set(arrivals)) == 1500


@PROFILES
@pytest.mark.parametrize("seed", range(20 if TORTURE else 2))
def test_a_mailbox_that_changes_meanwhile_is_synced(server, backend, watch, seed):
    """Another client changes it during own actions. In the end both have the same state."""
    chance = random.Random(seed)
    server.put(letters(120))
    thread = watch(server.account(poll_seconds=0.1))
    client = server.client()
    moved = []
    for number in range(60):
        client.select_folder("INBOX")
        there = client.search("ALL")
        act = chance.randrange(5)
        if act == 0 or not there:
            client.append("INBOX", letter(1000 + number))
        elif act == 1:
            client.add_flags(
                chance.sample(there, min(3, len(there))),
                [chance.choice(["\\Seen", "$Junk", "work"])],
            )
        elif act == 2:
            client.delete_messages([chance.choice(there)])
            client.expunge()
        elif mine := sorted(set(backend.flags()) - set(moved)):
            moved.append(chance.choice(mine))
            backend.move(moved[-1]) if act == 3 else backend.keywords(moved[-1], {"$NotJunk"})
            thread.wake()
    backend.wait(lambda: not backend.outbox)
    wait_equal(backend, client)
    wait_equal(backend, client, "Junk")
    inbox = truth(client)[0]
    spam = truth(client, "Junk")[0]
    everywhere = [*inbox.values(), *spam.values()]
    assert len(everywhere) == len(set(everywhere)), "something is there twice"
    assert len([state for state in backend.states if state.phase is Phase.CONNECTING]) == 1
