"""The account dialog finds settings, shows each step, says what is missing, and hands over what was typed."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from nbmail.errors import Trouble
from nbmail.settings import Account, Security
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.accounts.account_form import split_names
from nbmail.ui.accounts.settings_search import MailPlace, NoServerFound
from nbmail.ui.window.app_services import AppServices
from nbmail.values import MailServer, ServerFound, ServerTried


class World:
    """What a dialog asks of the program around it, answered by the test."""

    def __init__(self):
        self.searches, self.cancelled, self.opened, self.given = [], [], [], []
        self.places = ()

    def services(self):
        return AppServices(
            find_settings=self.find, find_places=lambda tell: tell(self.places), open_address=self.opened.append
        )

    def find(self, address, tell):
        self.searches.append((address, tell))
        return lambda: self.cancelled.append(address)

    def tell(self, *news):
        for each in news:
            self.searches[-1][1](each)

    def take(self, *given):
        self.given.append(given)


@pytest.fixture
def world():
    return World()


@pytest.fixture
def open_dialog(qtbot, world):
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()

    def make(**more):
        dialog = AccountDialog(parent, world.services(), world.take, **more)
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
    qtbot.mouseClick(dialog.form.look, Qt.MouseButton.LeftButton)


# ------------------------------------------------------------------------------------------ finding settings


def test_every_step_is_shown_and_what_is_found_filled_in(dialog, world, qtbot):
    type_address(qtbot, dialog)
    assert [address for address, _ in world.searches] == ["anna@mail.example"]
    assert "Looking for your mail server" in dialog.search.outcome.text()
    first, second = MailServer("imap.mail.example"), MailServer("mail.example", 143, Security.STARTTLS)
    world.tell(ServerTried(first), ServerTried(second))
    assert dialog.search.steps.text().splitlines() == [
        "imap.mail.example, port 993: asking…",
        "mail.example, port 143: asking…",
    ]
    world.tell(ServerTried(first, worked=False, trouble=Trouble.CERTIFICATE), ServerTried(second, worked=True))
    assert dialog.search.steps.text().splitlines() == [
        "imap.mail.example, port 993: answers, but can't prove who it is.",
        "mail.example, port 143: answers, and the line is protected.",
    ]
    world.tell(ServerFound(second, "anna@mail.example"))
    assert not dialog.search.busy
    assert dialog.form.server.text() == "mail.example"
    qtbot.keyClicks(dialog.form.password, "secret")
    press_ok(qtbot, dialog)
    wanted = Account("anna@mail.example", "mail.example", 143, Security.STARTTLS, "anna@mail.example")
    assert world.given == [(wanted, "secret")]


def test_a_known_provider_leads_to_its_page_for_app_passwords(dialog, world, qtbot):
    type_address(qtbot, dialog, "anna@large.example")
    assert not dialog.search.page_button.isVisible()
    page = "https://large.example/passwords"
    world.tell(ServerFound(MailServer("imap.large.example"), "anna", "Large", page))
    assert "Large wants an app password" in dialog.search.outcome.text()
    qtbot.mouseClick(dialog.search.page_button, Qt.MouseButton.LeftButton)
    assert world.opened == [page]
    assert dialog.form.user.text() == "anna"


def test_a_provider_with_a_program_of_its_own_says_to_start_it(dialog, world, qtbot):
    type_address(qtbot, dialog)
    world.tell(
        ServerFound(MailServer("127.0.0.1", 1143, Security.STARTTLS), "a", "Proton", "https://x.example", bridge=True)
    )
    assert "its own program on this computer" in dialog.search.outcome.text()
    assert dialog.form.port.text() == "1143"


def test_nothing_found_leads_to_the_fields(dialog, world, qtbot):
    type_address(qtbot, dialog)
    press_ok(qtbot, dialog)
    assert "Still looking" in dialog.problem.text()
    world.tell(NoServerFound())
    assert "No server answered" in dialog.search.outcome.text()
    press_ok(qtbot, dialog)
    assert "name of the mail server" in dialog.problem.text()
    type_address(qtbot, dialog)
    assert len(world.searches) == 2, "the same address may be tried again after a failure"


def test_half_an_address_is_said_to_be_one(dialog, world, qtbot):
    type_address(qtbot, dialog, "anna")
    world.tell(NoServerFound(Trouble.BAD_INPUT))
    assert "not a whole mail address" in dialog.search.outcome.text()


def test_a_search_can_be_stopped_and_begun_again(dialog, world, qtbot):
    type_address(qtbot, dialog)
    qtbot.mouseClick(dialog.search.stop_button, Qt.MouseButton.LeftButton)
    assert world.cancelled == ["anna@mail.example"]
    qtbot.mouseClick(dialog.form.look, Qt.MouseButton.LeftButton)
    assert len(world.searches) == 2
    assert dialog.search.busy


def test_closing_ends_the_search(dialog, world, qtbot):
    type_address(qtbot, dialog)
    dialog.reject()
    assert world.cancelled == ["anna@mail.example"]


def test_another_address_ends_the_search_for_the_first(dialog, world, qtbot):
    type_address(qtbot, dialog, "a@one.example")
    type_address(qtbot, dialog, "a@two.example")
    assert world.cancelled == ["a@one.example"]


def test_what_was_typed_by_hand_stays(dialog, world, qtbot):
    qtbot.keyClicks(dialog.form.server, "post.example")
    qtbot.keyClicks(dialog.form.user, "me")
    type_address(qtbot, dialog)
    world.tell(ServerFound(MailServer("imap.mail.example", 1993), "anna"))
    assert (dialog.form.server.text(), dialog.form.port.text(), dialog.form.user.text()) == (
        "post.example",
        "993",
        "me",
    )


def test_the_enter_key_after_an_address_looks_and_does_not_end_the_dialog(dialog, world, qtbot):
    dialog.form.address.setFocus()
    qtbot.keyClicks(dialog.form.address, "anna@mail.example")
    qtbot.keyClick(dialog.form.address, Qt.Key.Key_Return)
    assert len(world.searches) == 1
    assert dialog.isVisible()
    assert dialog.problem.text() == ""


# -------------------------------------------------------------------------------------------------- by hand


def test_what_is_missing_is_said_one_by_one(dialog, world, qtbot):
    form = dialog.form
    for field, words in (
        (form.server, "name of the mail server"),
        (form.user, "user name"),
        (form.password, "password"),
    ):
        press_ok(qtbot, dialog)
        assert words in dialog.problem.text()
        qtbot.keyClicks(field, "value")
    assert world.given == []
    press_ok(qtbot, dialog)
    assert world.given == [(Account("value", "value", user="value"), "value")]


def test_the_whole_account(dialog, world, qtbot):
    form = dialog.form
    qtbot.keyClicks(form.address, "anna@mail.example")
    qtbot.keyClicks(form.server, "imap.mail.example")
    qtbot.keyClicks(form.password, "secret")
    form.security.setCurrentIndex(1)
    qtbot.keyClicks(form.junk, "Junk, Spam ")
    qtbot.keyClicks(form.good, "Archive")
    press_ok(qtbot, dialog)
    wanted = Account(
        "anna@mail.example",
        "imap.mail.example",
        143,
        Security.STARTTLS,
        "anna@mail.example",
        good_folders=("Archive",),
        junk_folders=("Junk", "Spam"),
    )
    assert world.given == [(wanted, "secret")]


def test_a_port_is_a_number(dialog, world, qtbot):
    for field, text in ((dialog.form.server, "a.example"), (dialog.form.user, "a"), (dialog.form.password, "secret")):
        qtbot.keyClicks(field, text)
    dialog.form.port.clear()
    qtbot.keyClicks(dialog.form.port, "x")
    press_ok(qtbot, dialog)
    assert "port is a number" in dialog.problem.text()
    qtbot.keyClicks(dialog.form.port, "1993")
    press_ok(qtbot, dialog)
    assert world.given[0][0].port == 1993


def test_plain_text_is_the_last_choice_and_warns(dialog):
    security = dialog.form.security
    assert security.currentData() == Security.TLS
    assert security.itemData(security.count() - 1) == Security.PLAIN
    assert "everyone" in security.itemText(security.count() - 1)


def test_a_mailbox_is_added_once(open_dialog, world, qtbot):
    dialog = open_dialog(taken={"anna"})
    for field, text in ((dialog.form.server, "a.example"), (dialog.form.user, "anna"), (dialog.form.password, "x")):
        qtbot.keyClicks(field, text)
    press_ok(qtbot, dialog)
    assert "there already" in dialog.problem.text()
    assert world.given == []


# ------------------------------------------------------------------------------------------ on this computer


def test_a_mailbox_on_this_computer(dialog, world, qtbot):
    dialog.kind.setCurrentIndex(1)
    assert not dialog.form.server.isVisible()
    assert not dialog.form.places.isVisible()
    press_ok(qtbot, dialog)
    assert "folder or file" in dialog.problem.text()
    qtbot.keyClicks(dialog.form.path, "/home/anna/Mail/")
    press_ok(qtbot, dialog)
    assert world.given == [(Account("Mail", path="/home/anna/Mail/"), "")]


def test_mail_of_other_programs_is_offered(open_dialog, world, qtbot):
    world.places = (MailPlace("Thunderbird pop.example", "/home/anna/.thunderbird/x/Mail/pop", ("Inbox", "Sent")),)
    dialog = open_dialog(taken={"Thunderbird pop.example"})
    dialog.kind.setCurrentIndex(1)
    assert dialog.form.places.isVisible()
    assert dialog.form.places.itemText(1) == "Thunderbird pop.example (2 folders)"
    dialog.form.places.setCurrentIndex(1)
    dialog.form.places.activated.emit(1)
    press_ok(qtbot, dialog)
    assert world.given == [(Account("Thunderbird pop.example 2", path="/home/anna/.thunderbird/x/Mail/pop"), "")]


def test_another_path_has_another_name(dialog, qtbot):
    dialog.form.offer_places((MailPlace("Thunderbird", "/t", ("Inbox",)),))
    dialog.form.places.activated.emit(1)
    dialog.kind.setCurrentIndex(1)
    dialog.form.take_path("C:\\Users\\anna\\old.mbox")
    assert dialog.form.account().name == "old.mbox"


# ------------------------------------------------------------------------------------------------- changing

BEFORE = Account(
    "home",
    "imap.example",
    1993,
    Security.STARTTLS,
    "anna",
    folders=("INBOX", "Lists"),
    junk_folders=("Spam",),
    largest_message=5,
    authority_file="/ca.pem",
)


def test_saving_without_a_change_changes_nothing(open_dialog, world, qtbot):
    dialog = open_dialog(before=BEFORE)
    assert not dialog.kind.isVisible()
    assert not dialog.form.address.isVisible()
    press_ok(qtbot, dialog)
    assert world.given == [(BEFORE, "")]


def test_folders_and_server_can_be_changed(open_dialog, world, qtbot):
    dialog = open_dialog(before=BEFORE)
    dialog.form.server.setText("imap2.example")
    dialog.form.watched.setText("INBOX, Work")
    dialog.form.junk_target.setText("Bulk")
    dialog.form.good.setText("Archive")
    press_ok(qtbot, dialog)
    assert "never sent to another" in dialog.problem.text()
    qtbot.keyClicks(dialog.form.password, "new")
    press_ok(qtbot, dialog)
    wanted = replace(
        BEFORE, host="imap2.example", folders=("INBOX", "Work"), junk_folder="Bulk", good_folders=("Archive",)
    )
    assert world.given == [(wanted, "new")]


def test_a_mailbox_on_this_computer_can_be_changed(open_dialog, world, qtbot):
    before = Account("Mail", path="/a")
    dialog = open_dialog(before=before)
    assert dialog.form.path.isVisible()
    assert not dialog.form.server.isVisible()
    dialog.form.path.setText("/b")
    press_ok(qtbot, dialog)
    assert world.given == [(replace(before, path="/b"), "")]


@pytest.mark.parametrize(("text", "names"), [("", ()), (" , ", ()), ("A, B c ,", ("A", "B c"))])
def test_names_between_commas(text, names):
    assert split_names(text) == names
