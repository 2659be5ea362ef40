"""Background searches: results arrive on the GUI thread, and none after the search was ended."""

import threading

import pytest

from nbmail.app.search_threads import SearchThreads
from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.ui.accounts.account_probe import found_text
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.services import SearchFailed
from nbmail.values import FolderLine, MailServer, ServerFound, ServerTried

NOBODY = MailServer("127.0.0.1", 1)


@pytest.fixture
def bridge(qtbot):
    """A bridge that outlives its threads."""
    made = Bridge()
    yield made
    made.close()
    for thread in threading.enumerate():
        if thread.name == "folders":
            thread.join(10)


@pytest.fixture
def find(qtbot, tmp_path):
    """Creates searches whose candidate servers refuse connections."""
    bridge = Bridge()

    def make(guess=lambda domain: [NOBODY]):
        return SearchThreads(bridge.call, tmp_path, guess)

    yield make
    bridge.close()
    for thread in threading.enumerate():
        if thread.name in ("finding", "places") or thread.name.startswith("guess-"):
            thread.join(10)


def test_a_large_provider_is_found_without_a_search(find, qtbot):
    told, where = [], []
    find().find_settings("anna@gmail.com", lambda news: (told.append(news), where.append(threading.current_thread())))
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told[0] == ServerTried(MailServer("imap.gmail.com"), tested=False)
    assert (told[1].server, told[1].provider) == (MailServer("imap.gmail.com"), "Gmail")
    assert set(where) == {threading.main_thread()}


@pytest.mark.parametrize(
    ("address", "news"),
    [
        (
            "anna@small.example",
            [ServerTried(NOBODY), ServerTried(NOBODY, worked=False, error_code=ErrorCode.NO_NETWORK), SearchFailed()],
        ),
        ("anna", [SearchFailed(ErrorCode.BAD_INPUT)]),
    ],
)
def test_the_reason_of_a_failed_search(find, qtbot, address, news):
    told = []
    find().find_settings(address, told.append)
    qtbot.waitUntil(lambda: told == news)


def test_an_ended_search_has_no_results(find, qtbot):
    begin, told = threading.Event(), []

    def guess(domain):
        begin.wait(10)
        return [NOBODY]

    finder = find(guess)
    cancel = finder.find_settings("anna@small.example", told.append)
    cancel()
    begin.set()
    next(thread for thread in threading.enumerate() if thread.name == "finding").join(10)
    places = []
    finder.find_places(places.append)
    qtbot.waitUntil(lambda: places == [()])
    assert told == []


def test_mail_of_thunderbird_is_found(find, qtbot, tmp_path):
    mail = tmp_path / ".thunderbird" / "abc.default" / "Mail" / "Local Folders"
    mail.mkdir(parents=True)
    (mail / "Inbox").write_bytes(b"From - Mon Nov  2 10:00:00 2026\nSubject: hello\n\nhello\n")
    (tmp_path / ".thunderbird" / "profiles.ini").write_text("[Profile0]\nPath=abc.default\nIsRelative=1\n")
    places = []
    find().find_places(places.append)
    qtbot.waitUntil(lambda: bool(places))
    (found,) = places[0]
    assert (found.name, found.path, found.folders) == ("Thunderbird Local Folders", str(mail), ("Inbox",))


def test_the_folders_of_a_mailbox_are_listed(bridge, tmp_path, qtbot):
    (tmp_path / "mail").mkdir()
    for name in ("one.eml", "two.eml"):
        (tmp_path / "mail" / name).write_bytes(b"Subject: hi\r\n\r\nhello\r\n")
    told = []
    finder = SearchThreads(bridge.call, tmp_path)
    finder.list_folders(Account("a", path=str(tmp_path / "mail")), "", told.append)
    qtbot.waitUntil(lambda: told != [])
    assert told == [tuple((FolderLine("INBOX", "\\Inbox"),))]
    finder.list_folders(Account("a", path=str(tmp_path / "gone")), "", told.append)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told[1].error_code is ErrorCode.NOT_FOUND


def test_without_a_password_no_server_is_contacted(bridge, tmp_path, qtbot):
    asked, told = [], []
    finder = SearchThreads(bridge.call, tmp_path, password_of=lambda account: asked.append(account.name))
    finder.list_folders(Account("a", "imap.invalid", user="u"), "", told.append)
    qtbot.waitUntil(lambda: told != [])
    assert (asked, told) == (["a"], [SearchFailed(ErrorCode.NO_PASSWORD)])


def test_an_ended_listing_has_no_result(bridge, tmp_path, qtbot):
    told, done = [], []
    finder = SearchThreads(bridge.call, tmp_path, password_of=lambda account: done.append(account) or None)
    finder.list_folders(Account("a", "imap.invalid", user="u"), "", told.append)()
    qtbot.waitUntil(lambda: done != [])
    finder.list_folders(Account("b", "imap.invalid", user="u"), "", told.append)
    qtbot.waitUntil(lambda: told != [])
    assert len(told) == 1


def test_a_provider_that_accepts_no_password_is_reported(find, qtbot):
    told = []
    find().find_settings("anna@outlook.com", told.append)
    qtbot.waitUntil(lambda: isinstance(told[-1:][0] if told else None, ServerFound))
    assert (told[-1].provider, told[-1].closed, told[-1].password_page) == ("Outlook", True, "")
    assert "requires sign-in on its own web page" in found_text(told[-1])
