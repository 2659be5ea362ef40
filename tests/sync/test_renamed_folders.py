"""Folders that another client renamed, on servers where UIDVALIDITY misleads."""

import pytest

from nbmail.worker.protocol.events import FolderRenamed
from tests.other_servers import Cyrus
from tests.sync.letters import letters
from tests.waiting import wait_for


@pytest.fixture
def home(install, monkeypatch):
    """Factory of a computer with all folders of a server."""
    monkeypatch.setattr("nbmail.sync.imap.imap_sync.LIST_EVERY", 0.0)
    return lambda server: install(server.account(name="home", suggested_folders=("*",)))


@pytest.fixture
def cyrus():
    server = Cyrus()
    yield server
    server.close()


def renamed(home):
    return {(each.old, each.new) for each in home.events if isinstance(each, FolderRenamed)}


def folders(home):
    return {folder for _, folder, _ in home.places()}


def test_cyrus_gives_several_folders_one_uidvalidity(cyrus, home):
    client = cyrus.client()
    names = ("Bills", "Travel", "Müll & Co")
    for number, name in enumerate(names):
        client.create_folder(name)
        client.append(name, letters(1, first=number)[0])
    one = home(cyrus)
    wait_for(lambda: one.count() == len(names))
    one.sleep()
    identities = one.read("SELECT number FROM messages ORDER BY subject")
    client.delete_folder("Travel")
    client.rename_folder("Bills", "Old (bills)")
    client.rename_folder("Müll & Co", "Ärger")
    client.create_folder("New")
    one.wake()
    wait_for(lambda: renamed(one) and one.count() == 2)
    assert renamed(one) == {("Bills", "Old (bills)"), ("Müll & Co", "Ärger")}
    assert folders(one) == {"Old (bills)", "Ärger"}
    assert set(one.read("SELECT message FROM locations")) < set(identities)


def test_a_rename_with_another_uidvalidity_keeps_labels(fake, home):
    server = fake({}, abilities="IMAP4rev1 IDLE UIDPLUS MOVE OBJECTID LIST-STATUS")
    server.folders |= {b"Bills": dict(enumerate(letters(3), 1)), b"Travel": {}}
    server.ids[b"Bills"] = b"M1"
    one = home(server)
    wait_for(lambda: one.count() == 3)
    one.mark((1, 2), "spam")
    one.look()
    # Another folder with the same UIDVALIDITY.
    with server.changing():
        server.folders[b"New"] = server.folders.pop(b"Travel")
    wait_for(lambda: "New" in {each.name.folder for each in one.do.list_folders()})
    assert not renamed(one)
    with server.changing():
        server.validity = 8
        server.ids[b"Invoices"] = server.ids.pop(b"Bills")
        server.folders[b"Invoices"] = server.folders.pop(b"Bills")
    wait_for(
        lambda: (
            one.read("SELECT validity FROM folders WHERE folder = 'Invoices'") == [(8,)]
            and one.count() == 3
        )
    )
    assert renamed(one) == {("Bills", "Invoices")} and folders(one) == {"Invoices"}
    assert one.labels() == {1: "spam", 2: "spam"}
