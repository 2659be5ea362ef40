"""Peculiarities of real servers."""

import pytest

from nbmail.errors import ErrorCode
from nbmail.settings import Security
from nbmail.sync.imap.folders.imap_folder import ImapFolder
from nbmail.sync.imap.session import Session
from nbmail.sync.wake_signal import WakeSignal
from nbmail.values import Outcome, Phase, StoredFolder
from tests.other_servers import PASSWORD, Courier, Mailutils
from tests.sync.letters import letters


@pytest.fixture(scope="module")
def courier():
    server = Courier()
    yield server
    server.close()


@pytest.fixture(scope="module")
def mailutils():
    server = Mailutils()
    yield server
    server.close()


def test_the_placeholder_of_an_expunged_message_is_ignored(courier):
    courier.put(letters(3))
    wake_signal = WakeSignal()
    session = Session.open(courier.account(security=Security.PLAIN), PASSWORD, wake_signal)
    folder = ImapFolder(session, "INBOX")
    uids = sorted(folder.server_state(StoredFolder()).flags)
    other = courier.client()
    other.select_folder("INBOX")
    other.delete_messages(uids[:2])
    other.expunge()
    assert [arrival.uid for arrival in folder.arrivals(uids)] == uids[2:]
    assert folder.empty == []
    session.close()
    wake_signal.close()


def test_a_server_without_keywords_is_synced_and_reported(mailutils, backend, watch):
    mailutils.put(letters(3))
    thread = watch(mailutils.account(name="alice"), password=PASSWORD)
    backend.wait_synced()
    assert len(backend.messages()) == 3
    backend.keywords(1, {"$Junk", "Junk"})
    backend.move(2)
    thread.wake()
    backend.wait(lambda: backend.outcomes() == [Outcome.REFUSED] * 2)
    expected = Phase.SYNCED, ErrorCode.NO_KEYWORDS, "INBOX"
    backend.wait(
        lambda: any(
            (each.phase, each.error_code, each.detail) == expected for each in backend.states
        )
    )
    mailutils.put(letters(1, first=4))
    backend.wait(lambda: len(backend.messages()) == 4)
