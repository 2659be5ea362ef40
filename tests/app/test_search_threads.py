"""Background searches: results arrive on the GUI thread, and none after the search was ended."""

import threading

import pytest

from nbmail.app.threads.desktop_threads import DesktopThreads
from nbmail.app.threads.search_threads import SearchThreads
from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.sync.mailbox_values import FolderLine, MailServer, ServerFound, ServerTried
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.services import SearchFailed
from tests.internet import internet, session_internet
from tests.web_server import WebServer

__all__ = ["internet", "session_internet"]

NOBODY = MailServer("127.0.0.1", 1)


class Passwords:
    """Accounts without passwords, with the names of those that were asked for one."""

    def __init__(self):
        self.asked = []

    def password_of(self, account):
        self.asked.append(account.name)


@pytest.fixture
def find(qtbot, tmp_path):
    """Creates searches whose candidate servers refuse connections.

    `asked`: accounts whose password was needed.
    """
    bridge = Bridge()
    known = Passwords()

    def make(guess=lambda domain: [NOBODY]):
        return SearchThreads(bridge.call, tmp_path, known, guess)

    make.asked = known.asked
    yield make
    bridge.close()
    for thread in threading.enumerate():
        if thread.name in ("places", "folders") or thread.name.startswith(("finding", "guess-")):
            thread.join(60)


def test_results_arrive_on_the_thread_of_the_window(find, internet, qtbot):
    told = []
    where = []
    internet.found_at("imap.gmail.com")
    find().find_settings(
        "anna@gmail.com", lambda news: (told.append(news), where.append(threading.current_thread()))
    )
    qtbot.waitUntil(lambda: isinstance(told[-1] if told else None, ServerFound))
    assert told[1:3] == [
        ServerTried(MailServer("imap.gmail.com")),
        ServerTried(MailServer("imap.gmail.com"), True),
    ]
    assert (told[-1].server, told[-1].provider) == (MailServer("imap.gmail.com"), "Gmail")
    assert set(where) == {threading.main_thread()}


def test_the_reason_of_a_failed_search(find, internet, qtbot):
    told = []
    find().find_settings("anna@small.example", told.append)
    qtbot.waitUntil(lambda: told[-1:] == [SearchFailed()])
    assert ServerTried(NOBODY, worked=False, error_code=ErrorCode.NO_NETWORK) in told
    find().find_settings("anna", told.append)
    qtbot.waitUntil(lambda: told[-1:] == [SearchFailed(ErrorCode.BAD_INPUT)])


def test_an_ended_search_has_no_results(find, internet, qtbot):
    begin = threading.Event()
    told = []

    def guess(domain):
        begin.wait(60)
        return [NOBODY]

    finder = find(guess)
    cancel = finder.find_settings("anna@small.example", told.append)
    cancel()
    finding = next(thread for thread in threading.enumerate() if thread.name == "finding")
    begin.set()
    finding.join()
    places = []
    finder.find_places(places.append)
    qtbot.waitUntil(lambda: places == [()])
    assert told == []


def test_mail_of_thunderbird_is_found(find, qtbot, tmp_path):
    mail = tmp_path / ".thunderbird" / "abc.default" / "Mail" / "Local Folders"
    mail.mkdir(parents=True)
    (mail / "Inbox").write_bytes(b"From - Mon Nov  2 10:00:00 2026\nSubject: hello\n\nhello\n")
    (tmp_path / ".thunderbird" / "profiles.ini").write_text(
        "[Profile0]\nPath=abc.default\nIsRelative=1\n"
    )
    places = []
    find().find_places(places.append)
    qtbot.waitUntil(lambda: bool(places))
    (found,) = places[0]
    assert (found.name, found.path, found.folders) == (
        "Thunderbird Local Folders",
        str(mail),
        ("Inbox",),
    )


def test_the_folders_of_a_mailbox_are_listed(find, tmp_path, qtbot):
    (tmp_path / "mail").mkdir()
    for name in ("one.eml", "two.eml"):
        (tmp_path / "mail" / name).write_bytes(b"Subject: hi\r\n\r\nhello\r\n")
    told = []
    finder = find()
    finder.test_account(Account("a", path=str(tmp_path / "mail")), "", told.append)
    qtbot.waitUntil(lambda: told != [])
    assert told == [tuple((FolderLine("INBOX", "\\Inbox"),))]
    finder.test_account(Account("a", path=str(tmp_path / "gone")), "", told.append)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told[1].error_code is ErrorCode.NOT_FOUND


def test_without_a_password_no_server_is_contacted(find, tmp_path, qtbot):
    told = []
    find().test_account(Account("a", "imap.invalid", user="u"), "", told.append)
    qtbot.waitUntil(lambda: told != [])
    assert (find.asked, told) == (["a"], [SearchFailed(ErrorCode.NO_PASSWORD)])


def test_one_click_on_a_real_server(tmp_path, qtbot):
    """One POST with the body of RFC 8058, no cookies, and no redirect followed."""
    server = WebServer(tmp_path)
    told = []
    bridge = Bridge()
    server.answer("/out", b"done", Set_Cookie="a=b")
    server.answer("/moved", status=302, Location="/out")
    desktop = DesktopThreads(bridge.call, web=server.web())
    for path in ("/out", "/moved", "/missing"):
        desktop.unsubscribe(server.address(path), told.append)
        qtbot.waitUntil(
            lambda path=path: len(server.requests) > 0 and server.requests[-1].path == path
        )
        qtbot.waitUntil(
            lambda path=path: len(told) == ("/out", "/moved", "/missing").index(path) + 1
        )
    DesktopThreads(bridge.call).unsubscribe(server.address("/out"), told.append)
    qtbot.waitUntil(lambda: len(told) == 4)
    server.close()
    bridge.close()
    assert told == [200, 302, 404, ErrorCode.BAD_INPUT]
    assert [(each.method, each.path, each.body) for each in server.requests] == [
        ("POST", path, b"List-Unsubscribe=One-Click") for path in ("/out", "/moved", "/missing")
    ]
    assert not any("cookie" in name.lower() for each in server.requests for name in each.headers)
