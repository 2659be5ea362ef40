"""A mailbox of each kind, added in the window and by `nbmail account add`, at real servers."""

import subprocess
import threading
from contextlib import contextmanager

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from nbmail.cli.main import main
from nbmail.paths import Paths
from nbmail.settings_file import load_settings
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.accounts.sign_in.sign_in_dialog import SignInDialog
from nbmail.ui.accounts.sign_in.sign_in_fields import Way
from nbmail.ui.window import services
from tests.dovecot import PASSWORDS, Dovecot
from tests.e2e.test_errors import said
from tests.e2e.test_mailboxes import count_of, dialog_of
from tests.internet import FIRM, HOSTER, internet, session_internet
from tests.needs import need_program
from tests.sync.conftest import keys
from tests.sync.letters import letter

__all__ = ["internet", "keys", "session_internet"]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

ALICE = f"alice@{FIRM}"
WELL_KNOWN = "/.well-known/autoconfig/mail/config-v1.1.xml"


def known_provider(internet):
    """The table, and an app password."""
    internet.found_at("imap.gmail.com")
    return "alice@gmail.com"


def first_address(internet):
    internet.publish(f"autoconfig.{FIRM}", (f"imap.{FIRM}", 993, "SSL"), user="%EMAILLOCALPART%")
    internet.found_at(f"imap.{FIRM}")
    return ALICE


def second_address(internet):
    internet.publish(FIRM, (f"imap.{FIRM}", 143, "STARTTLS"), path=WELL_KNOWN)
    internet.found_at(f"imap.{FIRM}")
    return ALICE


def exchanger(internet):
    internet.zone[FIRM, "MX"] = [f"10 mx.{HOSTER}."]
    internet.publish(f"autoconfig.{HOSTER}", (f"imap.{HOSTER}", 993, "SSL"))
    internet.found_at(f"imap.{HOSTER}")
    return ALICE


def dns_entry(internet):
    internet.zone[f"_imaps._tcp.{FIRM}", "SRV"] = [f"0 0 993 post.{FIRM}."]
    internet.found_at(f"post.{FIRM}")
    return ALICE


def usual_name(internet):
    internet.found_at(f"imap.{FIRM}")
    return ALICE


def directory(internet):
    internet.publish(
        "autoconfig.thunderbird.net", (f"imap.{HOSTER}", 993, "SSL"), path=f"/v1.1/{FIRM}"
    )
    internet.found_at(f"imap.{HOSTER}")
    return ALICE


FOUND = [known_provider, first_address, second_address, exchanger, dns_entry, usual_name, directory]
FOREIGN = (exchanger, directory)


@pytest.fixture(params=FOUND, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@pytest.fixture
def mailbox(internet, keys):
    """The servers, with one letter for alice."""
    internet.dovecot.client().append("INBOX", letter(1))
    return internet


class Adding:
    """The dialog that adds an account, and what a person does with it."""

    def __init__(self, program, qtbot):
        self.window = program.window
        self._qtbot = qtbot
        self.window.parts.actions.by_name["account"].trigger()
        self.dialog = dialog_of(AccountDialog, qtbot)
        self.form = self.dialog.form
        self.search = self.dialog.search

    def find(self, address):
        self._qtbot.keyClicks(self.form.address, address)
        self.click(self.form.find_settings)
        self._qtbot.waitUntil(lambda: not self.search.busy)

    def click(self, button):
        self._qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def press_ok(self):
        button = self.dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
        assert button.isEnabled()
        self.click(button)

    def sign_in(self, password):
        self._qtbot.keyClicks(self.form.password, password)
        self.press_ok()

    def finish(self):
        """Take the folders as they are suggested, and wait for the letter."""
        self._qtbot.waitUntil(self.dialog.folders.isVisible)
        self.press_ok()
        self._qtbot.waitUntil(lambda: count_of(self.window) == 1)
        return self.window.settings.accounts[-1]


# -------------------------------------------------------------------------------------------------
# in the window


def test_settings_are_found_in_the_window(kind, open_program, mailbox, qtbot):
    address = kind(mailbox)
    adding = Adding(open_program(), qtbot)
    adding.find(address)
    if kind is directory:
        assert adding.form.server.text() == ""
        adding.click(adding.search.directory_button)
        qtbot.waitUntil(lambda: adding.form.server.text() != "")
    if kind in FOREIGN:
        assert not adding.dialog.ok.isEnabled()
        adding.form.agree.click()
    found = adding.form.server.text()
    adding.sign_in(PASSWORDS["alice"])
    account = adding.finish()
    assert (account.name, account.host) == (address, found)


def test_a_typed_server_is_added_in_the_window(open_program, mailbox, qtbot):
    adding = Adding(open_program(), qtbot)
    adding.find("alice@nowhere.test")
    mailbox.found_at(f"own.{FIRM}")
    qtbot.keyClicks(adding.form.server, f"own.{FIRM}")
    adding.sign_in(PASSWORDS["alice"])
    assert adding.finish().host == f"own.{FIRM}"
    status = adding.window.parts.status
    adding.window.parts.actions.by_name["check"].trigger()
    assert status.text() == "Checking for new mail…"
    qtbot.waitUntil(lambda: status.text() == "Checked for new mail.")


def test_a_local_mailbox_is_added_in_the_window(open_program, tmp_path, qtbot):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "one.eml").write_bytes(letter(1))
    adding = Adding(open_program(), qtbot)
    adding.dialog.kind.setCurrentIndex(1)
    qtbot.keyClicks(adding.form.path, str(tmp_path / "mail"))
    adding.press_ok()
    assert adding.finish().path == str(tmp_path / "mail")


@pytest.fixture
def bridge(mailbox):
    """A bridge program on this computer, with its own certificate in a file."""
    folder = mailbox.folder / "bridge"
    folder.mkdir(exist_ok=True)
    key = [
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "server.key",
        "-out",
        "server.pem",
        "-days",
        "30",
    ]
    names = ["-subj", "/O=Proton AG/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    uses = [
        "-addext",
        "extendedKeyUsage=serverAuth",
        "-addext",
        "basicConstraints=critical,CA:TRUE",
    ]
    command = [need_program("openssl"), "req", "-x509", *key, *names, *uses]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    server = Dovecot(tls=folder)
    mailbox.ports[1143] = server.port
    server.client().append("INBOX", letter(1))
    yield folder / "server.pem"
    server.close()


def test_a_bridge_with_its_own_certificate_is_added_in_the_window(open_program, bridge, qtbot):
    adding = Adding(open_program(), qtbot)
    adding.find("alice@proton.me")
    assert "needs its own bridge program" in adding.search.outcome.text()
    assert "certificate not valid" in adding.search.steps.text()
    adding.sign_in(PASSWORDS["alice"])
    qtbot.waitUntil(adding.form.authority.isVisible)
    assert "Your password was not sent" in adding.dialog.test.advice.text()
    adding.form.authority.setText(str(bridge))
    adding.press_ok()
    account = adding.finish()
    assert (account.host, account.port, account.authority_file) == ("127.0.0.1", 1143, str(bridge))


# --------------------------------------------------------------------------------------------------
# sign-in


@pytest.fixture
def browser(mailbox, monkeypatch):
    """A browser whose user agrees. `opened`: its addresses; `agrees` may be cleared."""
    found = Browser(mailbox)
    monkeypatch.setattr(services, "open_address", found.open)
    monkeypatch.setattr("nbmail.ui.accounts.sign_in.sign_in_panel.open_address", found.open)
    monkeypatch.setattr("webbrowser.open", found.open)
    yield found
    for thread in found.threads:
        thread.join(60)


class Browser:
    """Actions of a person with a browser."""

    def __init__(self, internet):
        self._internet = internet
        self.opened = []
        self.agrees = True
        self.threads = []

    def open(self, address):
        self.opened.append(address)
        if self.agrees:
            self.threads.append(threading.Thread(target=self.browse, args=(address,)))
            self.threads[-1].start()

    def browse(self, address):
        assert "Signed in." in self._internet.sign_in.browse(address, self._internet.authority)


def publish_sign_in(internet):
    internet.publish(
        f"autoconfig.{FIRM}",
        (f"imap.{FIRM}", 993, "SSL"),
        user="%EMAILLOCALPART%",
        issuer=internet.sign_in.issuer,
    )
    internet.found_at(f"imap.{FIRM}")


def choose(adding, way):
    row = adding.form.sign_in.way.findData(way)
    adding.form.sign_in.way.setCurrentIndex(row)


def test_an_account_signs_in_with_the_browser_in_the_window(open_program, mailbox, browser, qtbot):
    publish_sign_in(mailbox)
    browser.agrees = False
    adding = Adding(open_program(), qtbot)
    adding.find(ALICE)
    choose(adding, Way.BROWSER)
    assert not adding.form.password.isVisible()
    adding.press_ok()
    panel = adding.dialog.sign_in
    qtbot.waitUntil(lambda: len(browser.opened) == 1)
    assert not adding.dialog.ok.isEnabled()
    adding.click(panel.stop_button)
    assert adding.dialog.ok.isEnabled() and not panel.isVisible()
    adding.press_ok()
    qtbot.waitUntil(lambda: len(browser.opened) == 2)
    adding.click(panel.copy)
    assert QApplication.clipboard().text() == browser.opened[1] != browser.opened[0]
    browser.agrees = True
    adding.click(panel.again)
    account = adding.finish()
    assert browser.opened[2] == browser.opened[1]
    assert (account.user, account.sign_in) == ("alice", mailbox.sign_in.issuer)


def test_an_account_signs_in_with_a_code_in_the_window(open_program, mailbox, browser, qtbot):
    publish_sign_in(mailbox)
    adding = Adding(open_program(), qtbot)
    adding.find(ALICE)
    choose(adding, Way.CODE)
    adding.press_ok()
    panel = adding.dialog.sign_in
    qtbot.waitUntil(panel.code.isVisible)
    assert f"{mailbox.sign_in.issuer}/activate" in panel.text.text()
    mailbox.sign_in.agree_on_device(panel.code.text())
    assert adding.finish().sign_in == mailbox.sign_in.issuer
    assert browser.opened == []


def test_a_refused_sign_in_says_why_and_adds_nothing(open_program, mailbox, browser, qtbot):
    publish_sign_in(mailbox)
    mailbox.sign_in.refusal = "access_denied"
    adding = Adding(open_program(), qtbot)
    adding.find(ALICE)
    choose(adding, Way.BROWSER)
    adding.press_ok()
    try:
        qtbot.waitUntil(lambda: "access_denied" in adding.dialog.sign_in.detail.text())
    finally:
        mailbox.sign_in.refusal = ""
    assert (adding.dialog.ok.isEnabled(), adding.window.settings.accounts) == (True, ())


def test_a_revoked_sign_in_recovers_by_one_click_and_loses_no_mark(
    open_program, mailbox, browser, keys, qtbot
):
    publish_sign_in(mailbox)
    driver = open_program(mailbox.dovecot.account("bob", authority_file=""))
    adding = Adding(driver, qtbot)
    adding.find(ALICE)
    choose(adding, Way.BROWSER)
    adding.press_ok()
    adding.finish()
    window = driver.window
    banner = driver.window.parts.banner
    driver.program.engine.mark((int(driver.mail.messages[driver.mail.present][0]),), "spam")
    qtbot.waitUntil(lambda: driver.known("spam") == 1)
    mailbox.sign_in.revoke("alice")
    mailbox.dovecot.drop_connections()
    qtbot.waitUntil(lambda: banner.isVisible() and "needs a new sign-in" in said(window))
    assert banner.remedy.text() == "Sign in again"
    mailbox.dovecot.client("bob").append("INBOX", letter(3))
    qtbot.waitUntil(lambda: count_of(window) == 2)
    mailbox.dovecot.client().append("INBOX", letter(2))
    banner.remedy.click()
    qtbot.waitUntil(lambda: count_of(window) == 3)
    qtbot.waitUntil(lambda: not banner.isVisible() and not window.findChildren(SignInDialog))
    assert driver.known("spam") == 1
    assert len(browser.opened) == 2


# -------------------------------------------------------------------------------------- nbmail
# account add


class Command:
    """`nbmail account add` in this process, and the account that it saves."""

    def __init__(self, folder):
        self.home = folder / "home"
        self.password = folder / "password"
        self.password.write_text(PASSWORDS["alice"] + "\n")
        self.password.chmod(0o600)

    def add(self, *words):
        assert main(["account", "add", *map(str, words), "--home", str(self.home)]) == 0
        return self.accounts()[-1]

    def accounts(self):
        return load_settings(Paths.under(self.home).settings).accounts


@pytest.fixture
def command(tmp_path):
    return Command(tmp_path)


@contextmanager
def at_a_terminal(monkeypatch, answer):
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdin.isatty", lambda: True)
        patch.setattr("builtins.input", lambda question: answer)
        yield


@pytest.mark.parametrize("kind", [first_address, *FOREIGN])
def test_settings_are_found_by_the_command(kind, command, mailbox, monkeypatch, capsys):
    address = kind(mailbox)
    words = [
        address,
        "--password-file",
        command.password,
        *(["--ask-directory"] if kind is directory else []),
    ]
    if kind in FOREIGN:
        for answer in (None, "n"):
            with at_a_terminal(monkeypatch, answer) if answer else monkeypatch.context():
                assert main(["account", "add", *map(str, words), "--home", str(command.home)]) == 2
        assert command.accounts() == ()
        assert f"which is not in {FIRM}" in capsys.readouterr().err
    with at_a_terminal(monkeypatch, "y"):
        account = command.add(*words)
    assert (account.name, account.host in mailbox.zone or (account.host, "A") in mailbox.zone) == (
        address,
        True,
    )


def test_a_bridge_and_a_local_mailbox_are_added_by_the_command(command, bridge, mailbox, tmp_path):
    account = command.add(
        "alice@proton.me", "--password-file", command.password, "--authority-file", bridge
    )
    assert (account.host, account.port) == ("127.0.0.1", 1143)
    (tmp_path / "one.eml").write_bytes(letter(1))
    assert command.add(tmp_path / "one.eml").path == str(tmp_path / "one.eml")


def test_a_sign_in_that_the_settings_name_is_used_by_the_command(command, mailbox, browser):
    publish_sign_in(mailbox)
    assert command.add(ALICE, "--sign-in").sign_in == mailbox.sign_in.issuer
    assert len(browser.opened) == 1
