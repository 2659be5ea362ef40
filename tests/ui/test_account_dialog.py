"""Account dialog: search for a server, test, folders. Only working accounts are added."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account, Security
from nbmail.sync.mailbox_values import (
    ConnectionReport,
    FolderCount,
    FolderLine,
    Issuer,
    LocalMailbox,
    MailServer,
    ServerFound,
    ServerTried,
    SettingsSource,
    SignInRequest,
    SourceAsked,
    TryStep,
)
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.accounts.folder_table import LEARN, MESSAGES, NAME, WATCH
from nbmail.ui.accounts.sign_in.sign_in_fields import Way
from nbmail.ui.window.services import SearchFailed

FOLDERS = (
    FolderLine("INBOX", "\\Inbox", 1234),
    FolderLine("Briefe, alte", "", 40),
    FolderLine("Müll", "\\Junk", None),
    FolderLine("Ablage", "\\Archive", 300),
)
STEPS = tuple(TryStep)


class World:
    """Searches of a dialog with their arguments and callbacks, and the accounts it passed on."""

    def __init__(self):
        self.searches = []
        self.tries = []
        self.sign_ins = []
        self.cancelled = []
        self.given = []
        self.places = ()
        self.directories = []
        self.forgotten = []
        self.forget_sign_in = self.forgotten.append
        self.find_places = lambda tell: tell(self.places)

    def find_settings(self, address, tell, directory=False):
        self.directories += [address] * directory
        return self.begin(self.searches, address, tell)

    def test_account(self, account, password, tell, examine):
        self.examined = examine
        return self.begin(self.tries, (account, password), tell)

    def sign_in(self, account, request, page, tell):
        return self.begin(self.sign_ins, (account, request), tell)

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


@pytest.fixture
def find(qtbot, dialog, world):
    """Types an address, searches for its server, and reports these events."""

    def run(address="anna@mail.example", *news):
        dialog.form.address.clear()
        qtbot.keyClicks(dialog.form.address, address)
        dialog.form.find_settings.click()
        world.tell(*news)

    return run


@pytest.fixture
def try_account(dialog, world):
    """Enters a server, and reports these events of its test."""

    def run(*news):
        form = dialog.form
        for field, text in (
            (form.server, "a.example"),
            (form.user, "anna"),
            (form.password, "secret"),
        ):
            field.setText(text)
        dialog.ok.click()
        world.answer(*news)

    return run


# ------------------------------------------------------------------------------------------ finding
# settings


def test_every_step_of_the_search_is_shown_and_what_is_found_filled_in(dialog, world, find, qtbot):
    place = dialog.form.user.mapTo(dialog, QPoint())
    find()
    assert "Looking for your mail server" in dialog.search.outcome.text()
    assert not dialog.ok.isEnabled()
    first = MailServer("imap.mail.example")
    second = MailServer("mail.example", 143, Security.STARTTLS)
    published = SourceAsked(SettingsSource.AUTOCONFIG, "autoconfig.mail.example")
    incoming = SourceAsked(SettingsSource.EXCHANGER, "mail.example")
    world.tell(ServerTried(first), published, incoming, ServerTried(second))
    assert dialog.search.steps.text().splitlines()[:3] == [
        "autoconfig.mail.example: asking…",
        "DNS, incoming mail of mail.example: asking…",
        "imap.mail.example, port 993: connecting…",
    ]
    world.tell(
        published._replace(names=(), error_code=ErrorCode.CERTIFICATE),
        incoming._replace(names=("mx.example",)),
    )
    world.tell(
        ServerTried(first, worked=False, error_code=ErrorCode.CERTIFICATE),
        ServerTried(second, worked=True),
    )
    assert dialog.search.steps.text().splitlines() == [
        "autoconfig.mail.example: certificate not valid for this server.",
        "DNS, incoming mail of mail.example: mx.example",
        "imap.mail.example, port 993: certificate not valid for this server.",
        "mail.example, port 143: encrypted connection works.",
    ]
    world.tell(ServerFound(second, "anna@mail.example"))
    qtbot.waitUntil(lambda: dialog.form.user.mapTo(dialog, QPoint()) == place)
    qtbot.keyClicks(dialog.form.password, "secret")
    dialog.ok.click()
    wanted = Account(
        "anna@mail.example", "mail.example", 143, Security.STARTTLS, "anna@mail.example"
    )
    assert world.tries[0][0] == (wanted, "secret")
    assert dialog.search.isHidden(), "its steps are history once those of the trial are shown"


def test_a_known_provider_leads_to_its_page_for_app_passwords(dialog, find, opened_urls):
    page = "https://large.example/passwords"
    server = MailServer("imap.large.example")
    failed = ServerTried(server, worked=False, error_code=ErrorCode.NO_NETWORK)
    found = ServerFound(server, "anna", "Large", page, worked=False, error_code=failed.error_code)
    find(
        "anna@large.example",
        SourceAsked(SettingsSource.TABLE, "Large", (server.host,)),
        failed,
        found,
    )
    assert dialog.search.steps.text().splitlines() == [
        "Known provider Large: imap.large.example",
        "imap.large.example, port 993: no answer.",
    ]
    assert (
        "knows the server of Large, imap.large.example, but has not reached it"
        in dialog.search.outcome.text()
    )
    assert "Large requires an app password" in dialog.search.outcome.text()
    dialog.search.page_button.click()
    assert opened_urls == [page]


def test_nothing_found_leads_to_the_fields_and_the_search_can_be_made_again(dialog, world, find):
    find()
    assert dialog.search.directory_button.isHidden()
    world.tell(SearchFailed())
    assert "No mail server found" in dialog.search.outcome.text()
    assert (dialog.ok.isEnabled(), world.directories) == (False, [])
    dialog.search.directory_button.click()
    assert world.directories == ["anna@mail.example"]
    world.tell(SourceAsked(SettingsSource.DIRECTORY, "directory.example", ()), SearchFailed())
    assert dialog.search.directory_button.isHidden(), "it was asked"
    find()
    dialog.search.stop_button.click()
    find("anna", SearchFailed(ErrorCode.BAD_INPUT))
    assert "Enter a full email address" in dialog.search.outcome.text()
    find()
    dialog.reject()
    assert world.cancelled.count("anna@mail.example") >= 2
    assert len(world.searches) == 5


def test_what_was_typed_by_hand_stays(dialog, world, qtbot):
    form = dialog.form
    qtbot.keyClicks(form.server, "post.example")
    qtbot.keyClicks(form.user, "me")
    form.address.setFocus()
    qtbot.keyClicks(form.address, "anna@mail.example")
    qtbot.keyClick(form.address, Qt.Key.Key_Return)
    assert dialog.problem.text() == "", "Enter after the address looks and does not end the dialog"
    form.find_settings.click()
    world.tell(ServerFound(MailServer("imap.mail.example", 1993), "anna"))
    assert (form.server.text(), form.port.text(), form.user.text()) == ("post.example", "993", "me")


LOGIN = "https://login.example"
OFFER = Issuer(
    "Large",
    LOGIN,
    device=f"{LOGIN}/device",
    client_id="nbmail",
    register_page="https://register.example",
)
OUTLOOK = ServerFound(
    MailServer("outlook.example"), "anna@large.example", "Large", closed=True, sign_in=OFFER
)


def test_another_domain_clears_what_was_found_and_the_password(dialog, world, find, qtbot):
    form = dialog.form
    find("anna@large.example", OUTLOOK._replace(closed=False))
    qtbot.keyClicks(form.password, "secret")
    form.address.setCursorPosition(0)
    qtbot.keyClicks(form.address, "j")
    assert (form.server.text(), form.password.text(), dialog.ok.isEnabled()) == (
        "outlook.example",
        "secret",
        True,
    )
    form.address.setCursorPosition(len("janna@large"))
    qtbot.keyClick(form.address, Qt.Key.Key_Backspace)
    assert (form.server.text(), form.user.text(), form.password.text()) == (
        "",
        "janna@larg.example",
        "",
    )
    assert (dialog.ok.isEnabled(), dialog.search.isVisible()) == (False, False)
    dialog.accept()
    assert world.tries == [], "no password reaches the server of another address"


@pytest.mark.parametrize("typed", [False, True])
def test_a_server_outside_the_domain_must_be_confirmed_by_its_name_or_typed(
    dialog, world, find, qtbot, typed
):
    find("anna@mail.example", ServerFound(MailServer("imap.hoster.example"), "anna", foreign=True))
    form = dialog.form
    qtbot.keyClicks(form.password, "secret")
    assert form.agree.text() == "Use imap.hoster.example, which is not in mail.example"
    assert (form.agree.isVisible(), form.agree.isChecked(), dialog.ok.isEnabled()) == (
        True,
        False,
        False,
    )
    dialog.accept()
    assert world.tries == []
    assert "Confirm the server" in dialog.problem.text()
    if typed:
        qtbot.keyClicks(form.server, ".org")
    else:
        form.agree.click()
    dialog.ok.click()
    assert world.tries[0][0][0].host == (
        "imap.hoster.example.org" if typed else "imap.hoster.example"
    )


def test_a_provider_without_passwords_gets_one_only_under_its_name(dialog, find):
    find("anna@large.example", OUTLOOK)
    form = dialog.form
    way = dialog.form.sign_in.way
    assert "accepts no passwords" in dialog.search.outcome.text()
    assert (form.sign_in.chosen, form.password.isVisible(), way.count()) == (
        Way.BROWSER,
        False,
        len(Way),
    )
    assert way.itemText(0) == "Password anyway, sent to outlook.example"
    way.setCurrentIndex(0)
    assert form.password.isVisible()
    find("anna@other.example", OUTLOOK._replace(sign_in=OFFER._replace(device="")))
    assert way.findData(Way.CODE) == -1


def test_for_a_provider_without_a_client_id_the_dialog_explains_how_to_get_one(
    dialog, world, find, qtbot
):
    unknown = OUTLOOK._replace(sign_in=OFFER._replace(client_id=""))
    find("anna@large.example", unknown)
    fields = dialog.form.sign_in
    assert "no client ID at Large yet. To sign in there, use your own" in fields.note.text()
    assert "https://register.example" in fields.note.text()
    assert (fields.own.isChecked(), fields.client_id.isVisible(), fields.issuer.isVisible()) == (
        True,
        True,
        False,
    )
    dialog.ok.click()
    assert "Enter your client ID" in dialog.problem.text()
    assert world.sign_ins == []
    qtbot.keyClicks(fields.client_id, "mine")
    dialog.ok.click()
    assert world.sign_ins[0][0][1] == SignInRequest("", "mine")
    dialog.sign_in.cancel()
    find("anna@other.example", unknown._replace(closed=False))
    fields.way.setCurrentIndex(1)
    assert "Use an app password if there is one" in fields.note.text()


@pytest.mark.parametrize("end", ["added", "with a password", "rejected"])
def test_a_sign_in_is_forgotten_without_its_account(dialog, world, find, end):
    find("anna@large.example", OUTLOOK)
    dialog.ok.click()
    (account, request), tell = world.sign_ins[0]
    assert (request, account.user) == (SignInRequest(), "anna@large.example")
    signed = replace(account, sign_in="https://login.example")
    tell(signed)
    assert world.tries[0][0] == (signed, "")
    world.answer(*STEPS)
    assert "Sign-in accepted." in dialog.test.steps.text()
    world.answer(FOLDERS)
    if end == "with a password":
        dialog.back.click()
        dialog.form.sign_in.way.setCurrentIndex(0)
        dialog.form.password.setText("secret")
        dialog.ok.click()
        world.answer(FOLDERS)
    dialog.reject() if end == "rejected" else dialog.accept()
    lists = ([each.sign_in for each, _ in world.given], [each.sign_in for each in world.forgotten])
    one = [signed.sign_in]
    assert lists == {"added": (one, []), "with a password": ([""], one), "rejected": ([], one)}[end]


# ------------------------------------------------------------------------------------------------
# the trial


def test_missing_entries_are_reported_one_at_a_time(open_dialog, world, qtbot):
    dialog = open_dialog(taken={"anna"})
    form = dialog.form
    assert not dialog.ok.isEnabled()
    qtbot.keyClicks(form.server, "imap.example")
    for field, words, text in (
        (form.user, "user name", "anna"),
        (form.user, "already exists", "b"),
        (form.password, "password", "x"),
    ):
        dialog.ok.click()
        assert words in dialog.problem.text()
        qtbot.keyClicks(field, text)
    form.port.clear()
    dialog.ok.click()
    assert "Enter a port" in dialog.problem.text()
    assert world.tries == []
    qtbot.keyClicks(form.port, "x1993")
    dialog.ok.click()
    assert world.tries[0][0] == (Account("annab", "imap.example", 1993, user="annab"), "x")


def test_an_account_is_tried_and_its_spam_and_archive_are_chosen_already(
    dialog, world, try_account
):
    try_account()
    assert dialog.test.steps.text() == "…  Connecting to a.example…"
    assert not dialog.ok.isEnabled()
    world.answer(*STEPS)
    assert [line[0] for line in dialog.test.steps.text().splitlines()] == ["✓", "✓", "✓", "…"]
    world.answer(FOLDERS)
    assert "as anna, connection encrypted. Folders: 4" in dialog.worked.text()
    cells = [
        [dialog.folders.item(row, column).text() for row in range(4)] for column in (NAME, MESSAGES)
    ]
    assert cells == [
        ["Inbox", "Briefe, alte", "Müll  (spam)", "Ablage  (archive)"],
        ["1,234", "40", "", "300"],
    ]
    assert world.given == []
    dialog.ok.click()
    wanted = Account(
        "anna", "a.example", user="anna", spam_folders=("Müll",), ham_folders=("Ablage",)
    )
    assert world.given == [(replace(wanted, suggested_folders=("*",)), "secret")]


def test_very_many_folders_are_counted_and_only_some_shown(dialog, world, try_account):
    try_account(*STEPS, FolderCount(5000))
    assert dialog.test.steps.text().endswith("Listing folders… 5,000")
    world.answer(FolderCount(300_001), FOLDERS)
    assert "Folders: 300,001. Showing 4 of them." in dialog.worked.text()
    dialog.back.click()
    dialog.ok.click()
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
def test_a_failed_test_keeps_the_dialog_open_and_advises(
    dialog, world, try_account, qtbot, reached, error_code, failed, what_to_do, there
):
    try_account(*STEPS[:reached], SearchFailed(error_code, "its own words"))
    *done, last = dialog.test.steps.text().splitlines()
    assert (len(done) + 1, last[0], dialog.test.detail.text()) == (failed, "✗", "its own words")
    assert all(line.startswith("✓") for line in done)
    assert what_to_do in dialog.test.advice.text()
    assert (dialog.isVisible(), dialog.ok.isEnabled(), world.given) == (True, True, [])
    assert dialog.form.authority.isVisible() == (error_code == ErrorCode.CERTIFICATE)
    dialog.activateWindow()
    qtbot.waitUntil(getattr(dialog.form, there).hasFocus)
    dialog.ok.click()
    world.answer(FOLDERS)
    assert dialog.folders.isVisible()


def test_a_trial_can_be_stopped(dialog, world, try_account):
    try_account()
    dialog.test.stop_button.click()
    assert len(world.cancelled) == 1
    assert dialog.form.server.isEnabled() and not dialog.test.isVisible()
    dialog.ok.click()
    dialog.reject()
    assert len(world.cancelled) == 2


def test_plain_text_is_the_last_choice_and_warns(dialog, world, try_account):
    security = dialog.form.security
    last = security.count() - 1
    assert (security.currentData(), security.itemData(last)) == (Security.TLS, Security.PLAIN)
    assert "others can read" in security.itemText(last)
    security.setCurrentIndex(last)
    try_account(*STEPS)
    assert "Connection not encrypted" in dialog.test.steps.text()
    world.answer(FOLDERS)
    assert "not encrypted" in dialog.worked.text()
    assert "connection encrypted" not in dialog.worked.text()


# ------------------------------------------------------------------------------------------------
# the folders


def test_folders_can_be_chosen_with_the_keyboard_and_back_returns_to_the_settings(
    dialog, try_account, qtbot
):
    try_account(FOLDERS)
    dialog.activateWindow()
    table = dialog.folders
    account = Account("anna")
    qtbot.waitUntil(table.hasFocus)
    for key in (
        Qt.Key.Key_Down,
        Qt.Key.Key_Space,
        Qt.Key.Key_Right,
        Qt.Key.Key_Space,
        Qt.Key.Key_Right,
    ):
        qtbot.keyClick(table, key)
    choice = table.cellWidget(1, LEARN)
    qtbot.waitUntil(choice.hasFocus)
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    picked = table.picked(account)
    assert (picked.folders, picked.spam_folders) == (
        ("INBOX", "Briefe, alte"),
        ("Briefe, alte", "Müll"),
    )
    assert picked.suggested_folders == ()
    for row in range(2):
        table.item(row, WATCH).setCheckState(Qt.CheckState.Unchecked)
    assert table.picked(account).folders == ("INBOX",)
    dialog.back.click()
    assert dialog.form.isVisible() and not table.isVisible()


def test_a_mailbox_on_this_computer(dialog, world, qtbot):
    dialog.kind.setCurrentIndex(1)
    assert not dialog.form.server.isVisible() and not dialog.form.places.isVisible()
    dialog.ok.click()
    assert "folder or file" in dialog.problem.text()
    qtbot.keyClicks(dialog.form.path, "/home/anna/Mail/")
    dialog.ok.click()
    world.answer(())
    assert "No mail found" in dialog.test.steps.text()
    dialog.ok.click()
    world.answer((FolderLine("Alt"), FolderLine("Neu"), FolderLine("Archive.sbd/2025")))
    table = dialog.folders
    assert table.isColumnHidden(MESSAGES)
    watched = {table.item(row, WATCH).checkState() for row in range(3)}
    assert watched == {Qt.CheckState.Checked}, "of a place on the disk all is watched"
    table.item(0, WATCH).setCheckState(Qt.CheckState.Unchecked)
    dialog.ok.click()
    wanted = Account("Mail", path="/home/anna/Mail/", folders=("Neu", "Archive.sbd/2025"))
    assert world.given == [(replace(wanted, ham_folders=("Archive.sbd/2025",)), "")]


def test_mail_of_other_programs_is_offered(open_dialog, world):
    world.places = (
        LocalMailbox("Thunderbird", "/home/anna/.thunderbird/x/Mail/pop", ("Inbox", "Sent")),
    )
    dialog = open_dialog(taken={"Thunderbird"}, local=True)
    assert dialog.form.places.itemText(1) == "Thunderbird (2 folders)"
    dialog.form.places.setCurrentIndex(1)
    dialog.form.places.activated.emit(1)
    assert dialog.form.account({"Thunderbird"}) == Account(
        "Thunderbird 2", path="/home/anna/.thunderbird/x/Mail/pop"
    )
    dialog.form.take_path("C:\\Users\\anna\\old.mbox")
    assert dialog.form.account().name == "old.mbox"


# -------------------------------------------------------------------------------------------------
# changing

BEFORE = Account(
    *("home", "imap.example", 1993, Security.STARTTLS, "anna"),
    folders=("Ablage", "INBOX", "Elsewhere"),
    spam_folders=("Müll", "Away"),
    largest_message=5,
    authority_file="/ca.pem",
)


def test_what_does_not_concern_the_way_to_the_mail_is_saved_without_a_trial(
    open_dialog, world, qtbot
):
    dialog = open_dialog(before=BEFORE)
    form = dialog.form
    assert not dialog.kind.isVisible() and not form.address.isVisible()
    dialog.show_learned(("mx.home.example",))
    assert form.behavior.trusted.placeholderText() == "Learned: mx.home.example"
    form.behavior.spam_target.setText("Bulk")
    form.behavior.sorting_loss.setCurrentIndex(0)
    qtbot.keyClicks(form.behavior.trusted, "MX.one.example, mx.two.example")
    dialog.ok.click()
    servers = ("mx.one.example", "mx.two.example")
    wanted = replace(BEFORE, spam_folder="Bulk", sorting_loss=0.005, trusted_servers=servers)
    assert (world.tries, world.given) == ([], [(wanted, "")])
    assert open_dialog(before=wanted).form.account() == wanted


def test_a_new_path_is_tested_and_a_new_server_requires_the_password_again(
    open_dialog, world, qtbot
):
    dialog = open_dialog(before=Account("Mail", path="/a"))
    assert dialog.form.path.isVisible() and not dialog.form.server.isVisible()
    dialog.form.path.setText("/b")
    dialog.ok.click()
    assert world.tries.pop()[0] == (Account("Mail", path="/b"), "")
    dialog = open_dialog(before=BEFORE)
    dialog.form.server.setText("imap2.example")
    dialog.ok.click()
    assert "never sends a saved password" in dialog.problem.text()
    qtbot.keyClicks(dialog.form.password, "new")
    dialog.ok.click()
    assert world.tries[0][0] == (replace(BEFORE, host="imap2.example"), "new")


def test_folders_are_chosen_with_the_password_that_is_known_and_what_is_not_listed_stays(
    open_dialog, world
):
    dialog = open_dialog(before=BEFORE)
    dialog.form.choose_folders.click()
    assert world.tries[0][0] == (BEFORE, "")
    world.answer(FOLDERS)
    dialog.folders.cellWidget(1, LEARN).setCurrentIndex(2)
    dialog.ok.click()
    [(after, password)] = world.given
    assert (after.folders, set(after.spam_folders)) == (BEFORE.folders, {"Müll", "Away"})
    assert (after.ham_folders, password) == (("Briefe, alte",), "")


def test_a_connection_test_reports_what_the_server_lacks(open_dialog, world):
    dialog = open_dialog(before=BEFORE)
    dialog.form.test_connection.click()
    assert (world.tries[0][0], world.examined) == ((BEFORE, ""), True)
    world.answer(
        *STEPS, ConnectionReport("TLSv1.3", "PLAIN", ("IDLE", "MOVE"), ("CONDSTORE", "KEYWORDS"))
    )
    assert "Signed in to imap.example by PLAIN, encrypted with TLSv1.3." in dialog.test.steps.text()
    assert "Used: IDLE, MOVE" in dialog.test.steps.text()
    lines = [line.split(".")[0] for line in dialog.test.detail.text().splitlines()]
    assert lines == ["Missing: CONDSTORE", "Missing: keywords"]
    assert dialog.ok.isEnabled()


def test_an_account_that_signs_in_is_changed_and_signs_in_again_only_if_it_must(open_dialog, world):
    before = replace(BEFORE, sign_in="https://login.example")
    dialog = open_dialog(before=before)
    assert (dialog.form.sign_in.chosen, dialog.form.password.isVisible()) == (Way.BROWSER, False)
    dialog.form.behavior.spam_target.setText("Bulk")
    dialog.ok.click()
    assert (world.tries, world.sign_ins, world.given) == (
        [],
        [],
        [(replace(before, spam_folder="Bulk"), "")],
    )
    dialog = open_dialog(before=before)
    dialog.form.choose_folders.click()
    assert (world.tries[-1][0], world.sign_ins) == ((before, ""), [])
    dialog.reject()
    dialog = open_dialog(before=before)
    dialog.form.user.setText("berta")
    dialog.ok.click()
    assert world.sign_ins[-1][0] == (
        replace(before, user="berta"),
        SignInRequest("https://login.example"),
    )
    dialog.reject()
    dialog = open_dialog(before=before)
    dialog.form.sign_in.way.setCurrentIndex(0)
    dialog.ok.click()
    assert "Enter the password again" in dialog.problem.text()
