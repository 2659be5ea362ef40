"""Account dialog: search for a server, connection test, choice of folders. Only working accounts are added."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account, Security
from nbmail.sync.mailbox_values import (
    ConnectionReport,
    FolderCount,
    FolderLine,
    LocalMailbox,
    MailServer,
    ServerFound,
    ServerTried,
    SettingsSource,
    SignInOffer,
    SignInPage,
    SignInRequest,
    SourceAsked,
    TryStep,
)
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.accounts.account_folders import LEARN, MESSAGES, NAME, WATCH
from nbmail.ui.accounts.sign_in import Way
from nbmail.ui.window.services import SearchFailed

FOLDERS = tuple(
    (
        FolderLine("INBOX", "\\Inbox", 1234),
        FolderLine("Briefe, alte", "", 40),
        FolderLine("Müll", "\\Junk", None),
        FolderLine("Ablage", "\\Archive", 300),
    )
)
STEPS = (TryStep.PROTECTED, TryStep.LOGGED_IN)


class World:
    """Searches of a dialog, answered by the test."""

    def __init__(self):
        self.searches, self.tries, self.sign_ins, self.cancelled, self.given = [], [], [], [], []
        self.places, self.directories, self.forgotten = (), [], []

    def find_settings(self, address, tell, directory=False):
        self.directories += [address] * directory
        return self.begin(self.searches, address, tell)

    def list_folders(self, account, password, tell):
        return self.begin(self.tries, (account, password), tell)

    def test_connection(self, account, password, tell):
        return self.begin(self.tries, (account, password), tell)

    def sign_in(self, account, request, page, tell):
        return self.begin(self.sign_ins, (account, request), tell)

    def forget_sign_in(self, account):
        self.forgotten.append(account)

    def find_places(self, tell):
        tell(self.places)

    def begin(self, kept, about, tell):
        kept.append((about, tell))
        return lambda: self.cancelled.append(about)

    def tell(self, *news):
        for each in news:
            self.searches[-1][1](each)

    def answer(self, *news):
        for each in news:
            self.tries[-1][1](each)


@pytest.fixture
def world():
    return World()


@pytest.fixture
def open_dialog(qtbot, world):
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()

    def make(**more):
        dialog = AccountDialog(parent, world, lambda *given: world.given.append(given), **more)
        dialog.show()
        return dialog

    return make


@pytest.fixture
def dialog(open_dialog):
    return open_dialog()


def press_ok(qtbot, dialog):
    qtbot.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)


def type_address(qtbot, dialog, address="anna@mail.example"):
    dialog.form.address.clear()
    qtbot.keyClicks(dialog.form.address, address)
    qtbot.mouseClick(dialog.form.find_settings, Qt.MouseButton.LeftButton)


def fill_in(dialog, server="a.example", user="anna", password="secret"):
    for field, text in ((dialog.form.server, server), (dialog.form.user, user), (dialog.form.password, password)):
        field.setText(text)


# ------------------------------------------------------------------------------------------ finding settings


def test_every_step_of_the_search_is_shown_and_what_is_found_filled_in(dialog, world, qtbot):
    QApplication.processEvents()
    place = dialog.form.user.mapTo(dialog, QPoint())
    type_address(qtbot, dialog)
    assert [address for address, _ in world.searches] == ["anna@mail.example"]
    assert "Looking for your mail server" in dialog.search.outcome.text()
    assert not dialog.ok.isEnabled()
    first, second = MailServer("imap.mail.example"), MailServer("mail.example", 143, Security.STARTTLS)
    published = SourceAsked(SettingsSource.AUTOCONFIG, "autoconfig.mail.example")
    incoming = SourceAsked(SettingsSource.EXCHANGER, "mail.example")
    world.tell(ServerTried(first), published, incoming, ServerTried(second))
    assert dialog.search.steps.text().splitlines()[:3] == [
        "autoconfig.mail.example: asking…",
        "DNS, incoming mail of mail.example: asking…",
        "imap.mail.example, port 993: connecting…",
    ]
    world.tell(published._replace(names=(), error_code=ErrorCode.CERTIFICATE), incoming._replace(names=("mx.example",)))
    world.tell(ServerTried(first, worked=False, error_code=ErrorCode.CERTIFICATE), ServerTried(second, worked=True))
    assert dialog.search.steps.text().splitlines() == [
        "autoconfig.mail.example: certificate not valid for this server.",
        "DNS, incoming mail of mail.example: mx.example",
        "imap.mail.example, port 993: certificate not valid for this server.",
        "mail.example, port 143: encrypted connection works.",
    ]
    world.tell(ServerFound(second, "anna@mail.example"))
    qtbot.waitUntil(lambda: dialog.form.user.mapTo(dialog, QPoint()) == place)
    qtbot.keyClicks(dialog.form.password, "secret")
    press_ok(qtbot, dialog)
    wanted = Account("anna@mail.example", "mail.example", 143, Security.STARTTLS, "anna@mail.example")
    assert world.tries[0][0] == (wanted, "secret")
    assert dialog.search.isHidden(), "its steps are history once those of the trial are shown"


def test_a_known_provider_leads_to_its_page_for_app_passwords(dialog, world, qtbot, opened_urls):
    type_address(qtbot, dialog, "anna@large.example")
    page = "https://large.example/passwords"
    server, known = (
        MailServer("imap.large.example"),
        SourceAsked(SettingsSource.TABLE, "Large", ("imap.large.example",)),
    )
    failed = ServerTried(server, worked=False, error_code=ErrorCode.NO_NETWORK)
    world.tell(known, failed, ServerFound(server, "anna", "Large", page, worked=False, error_code=failed.error_code))
    assert dialog.search.steps.text().splitlines() == [
        "Known provider Large: imap.large.example",
        "imap.large.example, port 993: no answer.",
    ]
    assert "knows the server of Large, imap.large.example, but has not reached it" in dialog.search.outcome.text()
    assert "Large requires an app password" in dialog.search.outcome.text()
    qtbot.mouseClick(dialog.search.page_button, Qt.MouseButton.LeftButton)
    assert opened_urls == [page]
    type_address(qtbot, dialog)
    server = MailServer("127.0.0.1", 1143, Security.STARTTLS)
    world.tell(ServerFound(server, "a", "Proton", "https://x.example", bridge=True))
    assert "its own bridge program on this computer" in dialog.search.outcome.text()
    assert dialog.form.port.text() == "1143"


def test_nothing_found_leads_to_the_fields_and_the_search_can_be_made_again(dialog, world, qtbot):
    type_address(qtbot, dialog)
    assert dialog.search.directory_button.isHidden()
    world.tell(SearchFailed())
    assert "No mail server found" in dialog.search.outcome.text()
    assert not dialog.ok.isEnabled()
    assert world.directories == []
    qtbot.mouseClick(dialog.search.directory_button, Qt.MouseButton.LeftButton)
    assert world.directories == ["anna@mail.example"]
    world.tell(SourceAsked(SettingsSource.DIRECTORY, "directory.example", ()), SearchFailed())
    assert dialog.search.directory_button.isHidden(), "it was asked"
    type_address(qtbot, dialog)
    qtbot.mouseClick(dialog.search.stop_button, Qt.MouseButton.LeftButton)
    type_address(qtbot, dialog, "anna")
    world.tell(SearchFailed(ErrorCode.BAD_INPUT))
    assert "Enter a full email address" in dialog.search.outcome.text()
    type_address(qtbot, dialog)
    dialog.reject()
    assert world.cancelled.count("anna@mail.example") >= 2
    assert len(world.searches) == 5


def test_what_was_typed_by_hand_stays(dialog, world, qtbot):
    qtbot.keyClicks(dialog.form.server, "post.example")
    qtbot.keyClicks(dialog.form.user, "me")
    dialog.form.address.setFocus()
    qtbot.keyClicks(dialog.form.address, "anna@mail.example")
    qtbot.keyClick(dialog.form.address, Qt.Key.Key_Return)
    assert dialog.problem.text() == "", "Enter after the address looks and does not end the dialog"
    qtbot.mouseClick(dialog.form.find_settings, Qt.MouseButton.LeftButton)
    world.tell(ServerFound(MailServer("imap.mail.example", 1993), "anna"))
    form = dialog.form
    assert (form.server.text(), form.port.text(), form.user.text()) == ("post.example", "993", "me")


OUTLOOK = ServerFound(
    MailServer("outlook.example"),
    "anna@large.example",
    "Large",
    closed=True,
    sign_in=SignInOffer("https://login.example", "Large", page="https://register.example"),
)


def test_another_domain_clears_what_was_found_and_the_password(dialog, world, qtbot):
    form = dialog.form
    type_address(qtbot, dialog, "anna@large.example")
    world.tell(OUTLOOK._replace(closed=False))
    qtbot.keyClicks(form.password, "secret")
    form.address.setCursorPosition(0)
    qtbot.keyClicks(form.address, "j")
    assert (form.server.text(), form.password.text(), dialog.ok.isEnabled()) == ("outlook.example", "secret", True)
    form.address.setCursorPosition(len("janna@large"))
    qtbot.keyClick(form.address, Qt.Key.Key_Backspace)
    assert (form.server.text(), form.user.text(), form.password.text()) == ("", "janna@larg.example", "")
    assert (dialog.ok.isEnabled(), dialog.search.isVisible()) == (False, False)
    dialog.accept()
    assert world.tries == [], "no password reaches the server of another address"


def test_a_server_outside_the_domain_must_be_confirmed_by_its_name(dialog, world, qtbot):
    type_address(qtbot, dialog)
    world.tell(ServerFound(MailServer("imap.hoster.example"), "anna", foreign=True))
    form = dialog.form
    qtbot.keyClicks(form.password, "secret")
    assert form.agree.text() == "Use imap.hoster.example, which is not in mail.example"
    assert (form.agree.isVisible(), form.agree.isChecked(), dialog.ok.isEnabled()) == (True, False, False)
    dialog.accept()
    assert world.tries == []
    assert "Confirm the server" in dialog.problem.text()
    form.agree.click()
    press_ok(qtbot, dialog)
    assert world.tries[0][0][0].host == "imap.hoster.example"


def test_a_server_that_was_typed_needs_no_confirmation(dialog, world, qtbot):
    type_address(qtbot, dialog)
    world.tell(ServerFound(MailServer("imap.hoster.example"), "anna", foreign=True))
    qtbot.keyClicks(dialog.form.server, ".org")
    assert (dialog.form.agree.isVisible(), dialog.ok.isEnabled()) == (False, True)


def test_a_provider_without_passwords_gets_one_only_under_its_name(dialog, world, qtbot):
    type_address(qtbot, dialog, "anna@large.example")
    world.tell(OUTLOOK)
    form = dialog.form
    assert "accepts no passwords" in dialog.search.outcome.text()
    assert (form.sign_in.chosen, form.password.isVisible()) == (Way.BROWSER, False)
    assert form.sign_in.way.itemText(0) == "Password anyway, sent to outlook.example"
    form.sign_in.way.setCurrentIndex(0)
    assert form.password.isVisible()
    assert form.sign_in.way.count() == len(Way)
    type_address(qtbot, dialog, "anna@other.example")
    world.tell(OUTLOOK._replace(sign_in=OUTLOOK.sign_in._replace(by_code=False)))
    assert form.sign_in.way.findData(Way.CODE) == -1


def test_a_provider_without_a_client_id_says_so_and_how_to_get_one(dialog, world, qtbot):
    type_address(qtbot, dialog, "anna@large.example")
    world.tell(OUTLOOK._replace(sign_in=OUTLOOK.sign_in._replace(registered=False)))
    fields = dialog.form.sign_in
    assert "no client ID at Large yet. To sign in there, use your own" in fields.note.text()
    assert "https://register.example" in fields.note.text()
    assert (fields.own.isChecked(), fields.client_id.isVisible(), fields.issuer.isVisible()) == (True, True, False)
    press_ok(qtbot, dialog)
    assert "Enter your client ID" in dialog.problem.text()
    assert world.sign_ins == []
    qtbot.keyClicks(fields.client_id, "mine")
    press_ok(qtbot, dialog)
    assert world.sign_ins[0][0][1] == SignInRequest("", "mine")
    dialog.sign_in.cancel()
    type_address(qtbot, dialog, "anna@other.example")
    world.tell(OUTLOOK._replace(closed=False, sign_in=OUTLOOK.sign_in._replace(registered=False)))
    fields.way.setCurrentIndex(1)
    assert "Use an app password if there is one" in fields.note.text()


@pytest.mark.parametrize("added", [True, False])
def test_a_sign_in_stays_only_with_its_account(dialog, world, qtbot, added):
    type_address(qtbot, dialog, "anna@large.example")
    world.tell(OUTLOOK)
    press_ok(qtbot, dialog)
    (account, request), tell = world.sign_ins[0]
    assert (request, account.user) == (SignInRequest(), "anna@large.example")
    tell(SignInPage("https://login.example/authorize"))
    assert dialog.sign_in.again.isVisible()
    tell(replace(account, sign_in="https://login.example"))
    assert world.tries[0][0] == (replace(account, sign_in="https://login.example"), "")
    world.answer(*STEPS)
    assert "Sign-in accepted." in dialog.test.steps.text()
    world.answer(FOLDERS)
    dialog.accept() if added else dialog.reject()
    signed = ["https://login.example"]
    assert [each.sign_in for each, _ in world.given] == (signed if added else [])
    assert [each.sign_in for each in world.forgotten] == ([] if added else signed)


# ------------------------------------------------------------------------------------------------ the trial


def test_what_is_missing_is_said_one_by_one(open_dialog, world, qtbot):
    dialog = open_dialog(taken={"anna"})
    form = dialog.form
    assert not dialog.ok.isEnabled()
    qtbot.keyClicks(form.server, "imap.example")
    for field, words, text in (
        (form.user, "user name", "anna"),
        (form.user, "already exists", "b"),
        (form.password, "password", "x"),
    ):
        press_ok(qtbot, dialog)
        assert words in dialog.problem.text()
        qtbot.keyClicks(field, text)
    form.port.clear()
    qtbot.keyClicks(form.port, "x")
    press_ok(qtbot, dialog)
    assert "Enter a port" in dialog.problem.text()
    assert world.tries == []
    qtbot.keyClicks(form.port, "1993")
    press_ok(qtbot, dialog)
    assert world.tries[0][0] == (Account("annab", "imap.example", 1993, user="annab"), "x")


def test_an_account_is_tried_and_its_junk_and_archive_are_chosen_already(dialog, world, qtbot):
    fill_in(dialog)
    press_ok(qtbot, dialog)
    assert dialog.test.steps.text() == "…  Connecting to a.example…"
    assert not dialog.ok.isEnabled()
    world.answer(*STEPS)
    assert [line[0] for line in dialog.test.steps.text().splitlines()] == ["✓", "✓", "✓", "…"]
    world.answer(FOLDERS)
    table = dialog.folders
    assert "as anna, connection encrypted. Folders: 4" in dialog.worked.text()
    assert [table.item(row, NAME).text() for row in range(4)] == [
        "Inbox",
        "Briefe, alte",
        "Müll  (junk)",
        "Ablage  (archive)",
    ]
    assert [table.item(row, MESSAGES).text() for row in range(4)] == ["1,234", "40", "", "300"]
    assert world.given == []
    press_ok(qtbot, dialog)
    wanted = Account("anna", "a.example", user="anna", junk_folders=("Müll",), good_folders=("Ablage",))
    wanted = replace(wanted, suggested_folders=("*",))
    assert world.given == [(wanted, "secret")]


def test_very_many_folders_are_counted_and_only_some_shown(dialog, world, qtbot):
    fill_in(dialog)
    press_ok(qtbot, dialog)
    world.answer(*STEPS, FolderCount(5000))
    assert dialog.test.steps.text().endswith("Listing folders… 5,000")
    world.answer(FolderCount(300_001), FOLDERS)
    assert "Folders: 300,001. Showing 4 of them." in dialog.worked.text()
    dialog.back.click()
    press_ok(qtbot, dialog)
    world.answer(*STEPS, FOLDERS)
    assert dialog.worked.text().endswith("Folders: 4")


@pytest.mark.parametrize(
    ("reached", "error_code", "failed", "what_to_do", "there"),
    [
        (0, ErrorCode.NO_NETWORK, 1, "server name", "server"),
        (0, ErrorCode.CERTIFICATE, 2, "certificate file", "server"),
        (1, ErrorCode.WRONG_PASSWORD, 3, "Enter the password again", "password"),
        (2, ErrorCode.SERVER_REFUSED, 4, "See the server's message", "server"),
    ],
)
def test_what_fails_keeps_the_dialog_open_and_says_what_to_do(
    dialog, world, qtbot, reached, error_code, failed, what_to_do, there
):
    fill_in(dialog)
    press_ok(qtbot, dialog)
    world.answer(*STEPS[:reached], SearchFailed(error_code, "its own words"))
    *done, last = dialog.test.steps.text().splitlines()
    assert (len(done) + 1, last[0], dialog.test.detail.text()) == (failed, "✗", "its own words")
    assert all(line.startswith("✓") for line in done)
    assert what_to_do in dialog.test.advice.text()
    assert (dialog.isVisible(), dialog.ok.isEnabled(), world.given) == (True, True, [])
    assert dialog.form.authority.isVisible() == (error_code == ErrorCode.CERTIFICATE)
    dialog.activateWindow()
    qtbot.waitUntil(getattr(dialog.form, there).hasFocus)
    press_ok(qtbot, dialog)
    world.answer(FOLDERS)
    assert dialog.folders.isVisible()


def test_a_trial_can_be_stopped(dialog, world, qtbot):
    fill_in(dialog)
    press_ok(qtbot, dialog)
    qtbot.mouseClick(dialog.test.stop_button, Qt.MouseButton.LeftButton)
    assert len(world.cancelled) == 1
    assert dialog.form.server.isEnabled() and not dialog.test.isVisible()
    press_ok(qtbot, dialog)
    dialog.reject()
    assert len(world.cancelled) == 2


def test_plain_text_is_the_last_choice_and_warns(dialog, world, qtbot):
    security = dialog.form.security
    assert security.currentData() == Security.TLS
    assert security.itemData(security.count() - 1) == Security.PLAIN
    assert "others can read" in security.itemText(security.count() - 1)
    fill_in(dialog)
    security.setCurrentIndex(security.count() - 1)
    press_ok(qtbot, dialog)
    world.answer(*STEPS)
    assert "Connection not encrypted" in dialog.test.steps.text()
    world.answer(FOLDERS)
    assert "not encrypted" in dialog.worked.text()
    assert "connection encrypted" not in dialog.worked.text()


# ------------------------------------------------------------------------------------------------ the folders


def test_all_can_be_picked_with_the_keyboard_and_one_can_go_back(dialog, world, qtbot):
    fill_in(dialog)
    press_ok(qtbot, dialog)
    world.answer(FOLDERS)
    dialog.activateWindow()
    table = dialog.folders
    qtbot.waitUntil(table.hasFocus)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Right):
        qtbot.keyClick(table, key)
    account = Account("anna")
    assert table.picked(account).suggested_folders == ()
    choice = table.cellWidget(1, LEARN)
    qtbot.waitUntil(choice.hasFocus)
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    picked = table.picked(account)
    assert (picked.folders, picked.junk_folders) == (("INBOX", "Briefe, alte"), ("Briefe, alte", "Müll"))
    for row in range(2):
        table.item(row, WATCH).setCheckState(Qt.CheckState.Unchecked)
    assert table.picked(account).folders == ("INBOX",)
    dialog.back.click()
    assert dialog.form.isVisible() and not table.isVisible()


def test_a_mailbox_on_this_computer(dialog, world, qtbot):
    dialog.kind.setCurrentIndex(1)
    assert not dialog.form.server.isVisible()
    assert not dialog.form.places.isVisible()
    press_ok(qtbot, dialog)
    assert "folder or file" in dialog.problem.text()
    qtbot.keyClicks(dialog.form.path, "/home/anna/Mail/")
    press_ok(qtbot, dialog)
    world.answer(tuple(()))
    assert "No mail found" in dialog.test.steps.text()
    press_ok(qtbot, dialog)
    here = tuple((FolderLine("Alt"), FolderLine("Neu"), FolderLine("Archive.sbd/2025")))
    world.answer(here)
    assert dialog.folders.isColumnHidden(MESSAGES)
    assert [dialog.folders.cellWidget(row, LEARN).currentData() for row in range(3)] == ["", "", "good"]
    dialog.back.click()
    press_ok(qtbot, dialog)
    world.answer(here)
    watched = {dialog.folders.item(row, WATCH).checkState() for row in range(3)}
    assert watched == {Qt.CheckState.Checked}, "of a place on the disk all is watched"
    dialog.folders.item(0, WATCH).setCheckState(Qt.CheckState.Unchecked)
    press_ok(qtbot, dialog)
    wanted = Account("Mail", path="/home/anna/Mail/", folders=("Neu", "Archive.sbd/2025"))
    assert world.given == [(replace(wanted, good_folders=("Archive.sbd/2025",)), "")]


def test_mail_of_other_programs_is_offered(open_dialog, world, qtbot):
    world.places = (LocalMailbox("Thunderbird", "/home/anna/.thunderbird/x/Mail/pop", ("Inbox", "Sent")),)
    dialog = open_dialog(taken={"Thunderbird"})
    dialog.kind.setCurrentIndex(1)
    assert dialog.form.places.itemText(1) == "Thunderbird (2 folders)"
    dialog.form.places.setCurrentIndex(1)
    dialog.form.places.activated.emit(1)
    assert dialog.form.account({"Thunderbird"}) == Account("Thunderbird 2", path="/home/anna/.thunderbird/x/Mail/pop")
    dialog.form.take_path("C:\\Users\\anna\\old.mbox")
    assert dialog.form.account().name == "old.mbox"


# ------------------------------------------------------------------------------------------------- changing

BEFORE = Account(
    "home",
    "imap.example",
    1993,
    Security.STARTTLS,
    "anna",
    folders=("Ablage", "INBOX", "Elsewhere"),
    junk_folders=("Müll", "Away"),
    largest_message=5,
    authority_file="/ca.pem",
)


def test_what_does_not_concern_the_way_to_the_mail_is_saved_without_a_trial(open_dialog, world, qtbot):
    dialog = open_dialog(before=BEFORE)
    assert not dialog.kind.isVisible() and not dialog.form.address.isVisible()
    dialog.form.junk_target.setText("Bulk")
    dialog.form.sorting_loss.setCurrentIndex(0)
    press_ok(qtbot, dialog)
    assert (world.tries, world.given) == ([], [(replace(BEFORE, junk_folder="Bulk", sorting_loss=0.005), "")])


def test_another_server_is_tried_and_wants_the_password_anew(open_dialog, world, qtbot):
    dialog = open_dialog(before=BEFORE)
    dialog.form.server.setText("imap2.example")
    press_ok(qtbot, dialog)
    assert "never sends a saved password" in dialog.problem.text()
    qtbot.keyClicks(dialog.form.password, "new")
    press_ok(qtbot, dialog)
    assert world.tries[0][0] == (replace(BEFORE, host="imap2.example"), "new")


def test_folders_are_chosen_with_the_password_that_is_known_and_what_is_not_listed_stays(open_dialog, world, qtbot):
    dialog = open_dialog(before=BEFORE)
    dialog.form.choose_folders.click()
    assert world.tries[0][0] == (BEFORE, "")
    world.answer(FOLDERS)
    dialog.folders.cellWidget(1, LEARN).setCurrentIndex(2)
    press_ok(qtbot, dialog)
    (after, password), junk = world.given[0], {"Müll", "Away"}
    assert (after.folders, set(after.junk_folders), after.good_folders) == (BEFORE.folders, junk, ("Briefe, alte",))
    assert password == ""


def test_a_mailbox_on_this_computer_can_be_changed(open_dialog, world, qtbot):
    dialog = open_dialog(before=Account("Mail", path="/a"))
    assert dialog.form.path.isVisible() and not dialog.form.server.isVisible()
    dialog.form.path.setText("/b")
    press_ok(qtbot, dialog)
    assert world.tries[0][0] == (Account("Mail", path="/b"), "")


def test_the_servers_that_check_senders_are_shown_and_can_be_named(open_dialog, world, qtbot):
    dialog = open_dialog(before=BEFORE)
    dialog.show_learned(("mx.home.example",))
    assert dialog.form.trusted.placeholderText() == "Learned: mx.home.example"
    qtbot.keyClicks(dialog.form.trusted, "MX.one.example, mx.two.example")
    press_ok(qtbot, dialog)
    assert world.given[0][0].trusted_servers == ("mx.one.example", "mx.two.example")
    again = open_dialog(before=world.given[0][0])
    assert again.form.trusted.text() == "mx.one.example, mx.two.example"


def test_a_connection_test_reports_what_the_server_lacks(open_dialog, world, qtbot):
    dialog = open_dialog(before=BEFORE)
    dialog.form.test_connection.click()
    assert world.tries[0][0] == (BEFORE, "")
    world.answer(*STEPS, ConnectionReport("TLSv1.3", "PLAIN", ("IDLE", "MOVE"), ("CONDSTORE", "KEYWORDS")))
    assert "Signed in to imap.example by PLAIN, encrypted with TLSv1.3." in dialog.test.steps.text()
    assert "Used: IDLE, MOVE" in dialog.test.steps.text()
    assert [line.split(".")[0] for line in dialog.test.detail.text().splitlines()] == [
        "Missing: CONDSTORE",
        "Missing: keywords",
    ]
    assert dialog.ok.isEnabled()


def test_an_account_that_signs_in_is_changed_and_signs_in_again_only_if_it_must(open_dialog, world, qtbot):
    before = replace(BEFORE, sign_in="https://login.example")
    dialog = open_dialog(before=before)
    assert (dialog.form.sign_in.chosen, dialog.form.password.isVisible()) == (Way.BROWSER, False)
    dialog.form.junk_target.setText("Bulk")
    press_ok(qtbot, dialog)
    assert (world.tries, world.sign_ins, world.given) == ([], [], [(replace(before, junk_folder="Bulk"), "")])
    dialog = open_dialog(before=before)
    dialog.form.choose_folders.click()
    assert (world.tries[-1][0], world.sign_ins) == ((before, ""), [])
    world.answer(FOLDERS)
    dialog.reject()
    dialog = open_dialog(before=before)
    dialog.form.user.setText("berta")
    press_ok(qtbot, dialog)
    assert world.sign_ins[-1][0] == (replace(before, user="berta"), SignInRequest("https://login.example"))
    dialog.reject()
    dialog = open_dialog(before=before)
    dialog.form.sign_in.way.setCurrentIndex(0)
    press_ok(qtbot, dialog)
    assert "Enter the password again" in dialog.problem.text()
