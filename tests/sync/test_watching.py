"""Changes of all watched folders, and flags on servers that don't report changed ones."""

import pytest

from nbmail.sync.imap.idle import idle_connections
from nbmail.sync.imap.idle.server_load import ServerLoad
from nbmail.values import Phase
from tests.fake_imap import hangs_up, says
from tests.sync.letters import letter, letters
from tests.sync.memory_backend import leave
from tests.waiting import wait_for

# Longer than any test waits: mail that arrives was reported, not found by polling.
NEVER = 600.0


@pytest.fixture(autouse=True)
def _patient_connections(monkeypatch):
    """After a connection that took too long, the account opens no other one for a minute."""
    monkeypatch.setattr("nbmail.sync.imap.imap_sync.IDLE_CONNECT_TIMEOUT", 60.0)


@pytest.mark.parametrize("without", [(), ("QRESYNC", "CONDSTORE")])
def test_mail_in_any_watched_folder_arrives_at_once(make_dovecot, backend, without, synced):
    server = make_dovecot(without=without)
    client = server.client()
    client.create_folder("Lists")
    client.create_folder("Päckchen")
    synced(server, folders=("INBOX", "Lists", "Päckchen"), poll_seconds=NEVER)
    for number, name in enumerate(("Lists", "Junk", "Päckchen", "INBOX"), 1):
        before = len(backend.flags(folder=name))
        client.append(name, letter(number))
        backend.wait(lambda name=name, before=before: len(backend.flags(folder=name)) == before + 1)
    client.select_folder("Lists")
    client.add_flags([1], ["$Junk"])
    backend.wait(lambda: "$Junk" in backend.flags(folder="Lists")[1])
    client.delete_messages([1])
    client.uid_expunge([1])
    backend.wait(lambda: not backend.flags(folder="Lists"))


def test_the_number_of_connections_is_limited_and_all_are_closed(make_dovecot, backend, synced):
    server = make_dovecot()
    client = server.client()
    names = [f"Box {number}" for number in range(6)]
    for name in names:
        client.create_folder(name)
    thread = synced(server, folders=("INBOX", *names), poll_seconds=0.3)
    wait_for(lambda: server.serving() == idle_connections.MAX_CONNECTIONS + 2)
    client.append(names[-1], letter(1))
    backend.wait(lambda: len(backend.flags(folder=names[-1])) == 1)
    assert server.serving() == idle_connections.MAX_CONNECTIONS + 2
    leave(thread)
    wait_for(lambda: server.serving() == 1)


def test_a_server_with_one_allowed_connection_is_polled(fake, backend, synced):
    server = fake({1: letter(1)})

    refuse = says(b"NO [LIMIT] too many connections")
    server.hooks["LOGIN"] = lambda line, *call: line is not server.lines[0] and refuse(line, *call)
    synced(server, watch_spam=True)
    for number in range(1, 6):
        server.put(number, letter(10 + number), b"Junk", silent=True)
        backend.wait(lambda number=number: len(backend.flags(folder="Junk")) == number)
    assert server.connections == 2
    assert {state.phase for state in backend.states} <= {
        Phase.CONNECTING,
        Phase.WORKING,
        Phase.SYNCED,
    }


@pytest.mark.parametrize("how", ["bye", "closed"])
def test_idle_connections_of_one_account_never_lock_out_another(fake, backend, watch, how, synced):
    """Courier allows four connections from an address and closes the fifth before the greeting."""
    server = fake({1: letter(1)})
    server.most = 2
    server.crowded = b"* BYE too many connections from your address\r\n" if how == "bye" else b""
    load = ServerLoad()
    watch(server.account(watch_spam=True), load=load)
    backend.wait_synced()
    wait_for(lambda: any(line.selected == b"Junk" for line in server.lines))
    watch(server.account(name="bob", watch_spam=True), load=load)
    backend.wait_synced("bob")
    server.put(7, letter(7), b"Junk", silent=True)
    backend.wait(
        lambda: (
            len(backend.flags(folder="Junk")) == 1
            and len(backend.flags(account="bob", folder="Junk")) == 1
        )
    )
    wait_for(lambda: len(server.lines) == 2)


@pytest.mark.parametrize("how", ["login disabled", "user is down", "ends at login"])
def test_a_failed_login_closes_no_idle_connections_of_others(fake, backend, watch, how, synced):
    """Account on the same server, with the same port."""
    server = fake({1: letter(1)})
    load = ServerLoad()
    watch(server.account(watch_spam=True), load=load)
    backend.wait_synced()
    wait_for(lambda: any(line.selected == b"Junk" for line in server.lines))

    server.hooks["LOGIN"] = (
        hangs_up if how == "ends at login" else says(b"NO [UNAVAILABLE] user database is down")
    )
    server.abilities += b" LOGINDISABLED" if how == "login disabled" else b""
    watch(server.account(name="bob", watch_spam=True), load=load)
    backend.wait(lambda: backend.of("bob", Phase.OFFLINE))
    # Two rounds of the other account: at the end of each it looks whether it may listen.
    for number in (2, 3):
        server.put(number, letter(number), silent=True)
        backend.wait(lambda number=number: number in backend.flags())
    assert any(line.selected == b"Junk" for line in server.lines)


def test_a_broken_idle_connection_is_reopened(fake, backend, monkeypatch, synced):
    monkeypatch.setattr(idle_connections, "FIRST_PAUSE", 0.01)
    server = fake({1: letter(1)})
    synced(server, watch_spam=True)
    wait_for(lambda: any(line.selected == b"Junk" for line in server.lines[1:]))
    server.lines[1].close()
    wait_for(lambda: server.connections >= 3)
    server.put(5, letter(5), b"Junk", silent=True)
    backend.wait(lambda: len(backend.flags(folder="Junk")) == 1)
    assert not backend.of("alice", Phase.OFFLINE)


def test_folders_with_a_silent_idle_are_polled(fake, backend, synced):
    """With one folder, a silent IDLE is not trusted for five minutes."""
    server = fake({1: letter(1)})
    synced(server)
    server.put(9, letter(9), silent=True)
    backend.wait(lambda: len(backend.flags()) == 2)


def test_a_check_for_mail_looks_at_all_folders(fake, backend, synced):
    server = fake()
    server.folders[b"Lists"] = {}
    server.most = 1
    thread = synced(server, folders=("INBOX", "Lists"), poll_seconds=NEVER)
    wait_for(lambda: server.asked("IDLE"))
    server.put(1, letter(1), folder=b"Lists", silent=True)
    thread.retry()
    backend.wait(lambda: backend.flags(folder="Lists"))


@pytest.mark.parametrize("idle", [True, False])
def test_flags_of_a_large_folder_are_polled(make_dovecot, backend, monkeypatch, idle, synced):
    monkeypatch.setattr("nbmail.sync.imap.folders.flag_polling.ALL_EVERY", 0.5)
    monkeypatch.setattr("nbmail.sync.imap.folders.flag_polling.SMALL_FOLDER", 100)
    monkeypatch.setattr("nbmail.sync.imap.folders.imap_folder.NEWEST", 50)
    poor = ("QRESYNC", "CONDSTORE") if idle else ("QRESYNC", "CONDSTORE", "IDLE")
    server = make_dovecot(without=poor)
    server.put(letters(110))
    server.put(letters(110, 5000), folder="Junk")
    synced(server, poll_seconds=0.2)
    client = server.client()
    for folder in ("INBOX", "Junk"):
        client.select_folder(folder)
        client.add_flags([1, 50, 109], ["$NotJunk"])
        client.delete_messages([2, 105])
        client.uid_expunge([2, 105])
        backend.wait(
            lambda folder=folder: (
                all("$NotJunk" in backend.flags(folder=folder)[uid] for uid in (1, 50, 109))
                and not {2, 105} & backend.flags(folder=folder).keys()
            )
        )
