"""Scenes of dialogs, the window about the model, running work and errors."""

import time
from dataclasses import replace
from types import SimpleNamespace

from PySide6.QtWidgets import QMenu

from nbmail import values
from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.folders.filing_record import FilingRecord
from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.readiness import readiness
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account, Sorting
from nbmail.sync import mailbox_values
from nbmail.sync.sign_in.known_issuers import KNOWN
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.dialogs import questions
from nbmail.ui.dialogs.link_question import ask_link
from nbmail.ui.dialogs.password_dialog import PasswordDialog
from nbmail.ui.model import history_page
from nbmail.ui.sorting.automatic_folders import AutomaticFoldersDialog
from nbmail.ui.sorting.preview_dialog import PreviewDialog
from nbmail.ui.sorting.sorting_window import SortingWindow
from nbmail.ui.window import services
from nbmail.ui.window.menus import make_message_menu
from nbmail.worker.protocol.events import BodyFetched, EngineFailed, MovedByOthers
from nbmail.worker.protocol.messages import Body
from nbmail.worker.protocol.sorting import (
    SortingChanged,
    SortingPhase,
    SortingPreview,
    SortingStatus,
)
from nbmail.worker.protocol.ticket import Failed
from tests.ui.helpers import (
    dialog,
    model_window,
    row_called,
    show_account,
    ticket_of,
    trigger,
    wait_for,
)
from tests.ui.scenes import (
    all_scenes,
    look_for_server,
    noted_call,
    open_doubtful,
    open_page,
    opened,
    settle,
)

FOLDERS = (
    mailbox_values.FolderLine("INBOX", "", 1234),
    mailbox_values.FolderLine(
        "Archive/2026/Allotment society and harbour library", "\\Archive", 20_345
    ),
    mailbox_values.FolderLine("Drafts", "\\Drafts", 3),
    mailbox_values.FolderLine("Junk", "\\Junk", 611),
    mailbox_values.FolderLine("Lists/choir", "", 87),
    mailbox_values.FolderLine("Sent", "\\Sent", 4_012),
    mailbox_values.FolderLine("Papierkorb", "\\Trash", None),
)


@opened(0)
def history_nothing(window):
    trigger(window, "history")


def _sort_some(window, most=41):
    """Have the engine list sorted mail, of today and of yesterday, and its previews."""
    mail = window.model.mail
    found = []
    for count, place in enumerate(mail.order[:most].tolist()):
        chance = 0.999 - count % 14 / 1000
        near = count % 14 == 0
        state = SortedState.MOVED
        reason = None
        if count % 9 == 4:
            state = SortedState.STAYED
            reason = (Stay.FLAGGED, Stay.OWN_THREAD, Stay.REFUSED)[count % 3]
        what = (
            time.time() - 2000.0 * count,
            mail.senders[place],
            mail.subjects[place],
            chance,
            state,
            near,
            reason,
        )
        target = "Invoices" if count % 8 == 2 else ""
        message = int(mail.messages[place])
        found.append(
            SortedMessage(
                message, "home", "INBOX", *what, received=time.time() - 10.0, target=target
            )
        )
    found.sort(key=lambda each: each.probability)
    window.script.list_sorted = lambda *_: tuple(found)
    ready = readiness(1, 423)
    status = SortingStatus(Account("home", sorting=Sorting.SORT), SortingPhase.SORTING, ready)
    window.script.sorting_status = lambda _: status
    moving = {each.message: each.probability for each in found}
    preview = SortingPreview(312, moving, frozenset([found[1].message]), 2)
    window.script.rehearse_sorting = window.script.preview_sort_now = lambda *_: preview
    window.bridge.emit_event(SortingChanged("home"))
    wait_for(lambda: window.parts.sorted.messages)


def sorted_mail(window):
    _sort_some(window)
    trigger(window, "list-sorted")


def sorted_away(window):
    """Notice about mail that was sorted while the window was closed."""
    window.parts.sorting_notices.restore_state(SimpleNamespace(value=lambda name: "0.0"))
    sorted_mail(window)


def sorting_window(window):
    _sort_some(window)
    settings = window.parts.settings
    settings.change_accounts(
        tuple(replace(each, sorting=Sorting.SORT) for each in settings.value.accounts)
    )
    trigger(window, "sorting")


def sorting_rehearsal(window):
    sorting_window(window)
    shown = window.findChild(SortingWindow)
    shown.accounts["home"].combo.setCurrentIndex(2)
    shown.accounts["home"].combo.activated.emit(2)
    wait_for(lambda: shown.findChild(PreviewDialog))


def automatic_folders(window):
    """Three folders that may fill automatically, and a chosen one that is not carried."""
    _sort_some(window)
    shares = {"Invoices": (98, 98), "Lists/linux": (71, 72), "Travel": (44, 44), "Choir": (31, 37)}
    folders = {name: Proportion(*each) for name, each in shares.items()}
    found = FilingRecord(Proportion(448, 449), folders)
    window.script.filing_status = lambda _: found
    home = window.parts.settings.account("home")
    window.parts.settings.change_account(
        replace(home, suggested_folders=("*",), automatic_folders=("Invoices", "Choir"))
    )
    trigger(window, "sorting")
    window.findChild(SortingWindow).accounts["home"].folders.click()
    wait_for(lambda: window.findChild(AutomaticFoldersDialog))


def history_waiting(window):
    window.engine.held.add("find_suspicious_labels")
    trigger(window, "history")
    past = model_window(window)
    past.go_to(past.doubtful)


def history_failed(window):
    history_waiting(window)
    ticket_of(window, "find_suspicious_labels").fail(
        KnownError(ErrorCode.DISK_FULL, "/home/anna/.local/share/nbmail")
    )


def history_older(window):
    """More changes than are listed, and a result in the status line."""
    page = open_page(window, "history")
    rows = [row.item for row in page.table.rows]
    window.script.list_journal = lambda limit: (rows * history_page.BATCH)[:limit]
    page.load()
    wait_for(page.older.isVisible)
    page.say("2 marks changed. 14 other messages changed their verdict.", undo=True)


def account_foreign(window):
    """A server that the provider of the domain's incoming mail publishes."""
    sources = mailbox_values.SettingsSource
    host = "imap.hoster.example"
    asked = [
        mailbox_values.SourceAsked(
            sources.AUTOCONFIG, "autoconfig.choir.example", (), ErrorCode.NO_NETWORK
        ),
        mailbox_values.SourceAsked(sources.AUTOCONFIG, "choir.example", ()),
        mailbox_values.SourceAsked(sources.EXCHANGER, "choir.example", ("mx1.hoster.example",)),
        mailbox_values.SourceAsked(sources.AUTOCONFIG, "autoconfig.hoster.example", (host,)),
        mailbox_values.SourceAsked(sources.SERVICE, "choir.example", ()),
    ]
    tried = mailbox_values.ServerTried(mailbox_values.MailServer(host), worked=True)
    found = mailbox_values.ServerFound(tried.server, "anna@choir.example", foreign=True)
    look_for_server(window, "anna@choir.example", *asked, tried, found)


OUTLOOK = mailbox_values.ServerFound(
    mailbox_values.MailServer("outlook.office365.com"),
    "anna@outlook.com",
    "Outlook",
    closed=True,
    sign_in=KNOWN["outlook.office365.com"],
)


def account_sign_in(window):
    """A provider that accepts no passwords and doesn't know nbmail."""
    table = mailbox_values.SourceAsked(
        mailbox_values.SettingsSource.TABLE, "Outlook", ("outlook.office365.com",)
    )
    tried = mailbox_values.ServerTried(OUTLOOK.server, worked=True)
    look_for_server(window, "anna@outlook.com", table, tried, OUTLOOK)


def begin_sign_in(window, event):
    account_sign_in(window)
    shown = dialog(AccountDialog)
    shown.form.sign_in.client_id.setText("8a1c2f3e-0000-4d5e-9b7a-112233445566")
    shown.accept()
    noted_call(window, "sign_in")[-1](event)


def fill_in(form):
    for field, text in (
        (form.server, "imap.mail.example"),
        (form.user, "anna@mail.example"),
        (form.password, "secret"),
    ):
        field.setText(text)


def account_report(window):
    window.accounts.ask_change("home")
    shown = dialog(AccountDialog)
    fill_in(shown.form)
    shown.form.test_connection.click()
    report = mailbox_values.ConnectionReport(
        "TLSv1.3", "PLAIN", ("IDLE", "MOVE", "UIDPLUS"), ("CONDSTORE", "KEYWORDS")
    )
    noted_call(window, "test_account")[2](report)


def sign_in_again(window):
    window.accounts.sign_in("home")
    noted_call(window, "sign_in")[-1](mailbox_values.SignInPage("https://login.example/authorize"))


def try_account(window, *events):
    """Test a new account. The test reports these events."""
    trigger(window, "account")
    shown = dialog(AccountDialog)
    shown.form.address.setText("anna@mail.example")
    fill_in(shown.form)
    shown.accept()
    for event in events:
        noted_call(window, "test_account")[2](event)


def folders_refused(window):
    said = "[AUTHENTICATIONFAILED] Authentication failed."
    refused = services.SearchFailed(ErrorCode.WRONG_PASSWORD, said)
    try_account(window, mailbox_values.TryStep.PROTECTED, refused)


def odd_link(window):
    address = "https://login.bank.example.xn--80ak6aa92e.com/a/very/long/way/" + "x" * 500
    ask_link(window, address, lambda _: None)


def training(window):
    learn_from(window, "Junk")


def learn_from(window, folder):
    account = Account("home", "imap.example", spam_folders=(folder,), ham_folders=("Archive",))
    window.parts.settings.change_accounts((account,))
    show_account(window, values.Phase.WORKING, done=1234, total=5678, folder=folder, teaches="spam")


def training_paused(window):
    learn_from(
        window,
        "Lists/allotment society and harbour library/2026/choir practice and weekend at the lake",
    )
    account = replace(window.settings.accounts[0], training_paused=True)
    window.parts.settings.change_accounts((account,))


def long_error(window):
    detail = (
        "imap.mail.example: [SERVERBUG] Internal error occurred. Refer to server log for "
        "more information. "
    ) * 3
    window.receive(EngineFailed(Failed(ErrorCode.DISK_FULL, detail)))


def everything_at_once(window):
    """A banner, an offer and a training at once."""
    training(window)
    window.receive(EngineFailed(Failed(ErrorCode.DISK_FULL, "/home/anna/.local/share/nbmail")))
    window.bridge.emit_event(MovedByOthers((1, 2, 3), "ham"))
    window.table.go_to(row_called(window, "spam"))


def two_accounts(window):
    both = (Account("home", "imap.example"), Account("anna.lindqvist@mail.example"))
    window.parts.settings.change_accounts(both)
    show_account(
        window,
        values.Phase.NEEDS_YOU,
        "anna.lindqvist@mail.example",
        error_code=ErrorCode.NO_PASSWORD,
    )


def stale_order(window):
    window.table.sort_by(0)
    window.table.go_to(6)
    for _ in range(3):
        settle(window)
        trigger(window, "spam")
    settle(window)
    window.head.sort.show()


def part_of_text(window):
    window.table.go_to(row_called(window, "spam"))
    settle(window)
    part = window.message.shown_message._replace(body=Body.PART)
    window.script.read_message = lambda message: part
    window.receive(BodyFetched(part.message, found=True))


def message_menu(window):
    menu = make_message_menu(window, window.actions_by_name)
    menu.popup(window.mapToGlobal(window.rect().center()))


def account_menu(window):
    heading = next(
        each for each in window.sidebar_model.entries if each.choice is None and each.account
    )
    window.parts.sidebar_menu.make(heading).popup(window.mapToGlobal(window.rect().center()))


def menus(window):
    menu = window.menuBar().findChildren(QMenu)[3]
    menu.popup(window.mapToGlobal(window.rect().center()))


BRIEF_SCENES = {
    "sorting_offer": lambda window: window.parts.sorting_notices.offer(),
    "history_ends": lambda window: open_doubtful(window).reverse_current(),
    "history_question": lambda window: open_page(window, "history").confirm_restore(),
    "account_not_found": lambda window: look_for_server(
        window, "anna@mail.example", services.SearchFailed()
    ),
    "account_browser": lambda window: begin_sign_in(
        window, mailbox_values.SignInPage("https://login.example/authorize?state=x")
    ),
    "account_code": lambda window: begin_sign_in(
        window, mailbox_values.SignInPage("https://login.example/activate", "QXKT-WBLD")
    ),
    "account_refused": lambda window: begin_sign_in(
        window,
        services.SearchFailed(
            ErrorCode.SIGN_IN_FAILED, "Microsoft: access_denied The user said no"
        ),
    ),
    "folders": lambda window: try_account(window, tuple(FOLDERS)),
    "folders_asked": lambda window: try_account(window, mailbox_values.TryStep.PROTECTED),
    "folders_unproved": lambda window: try_account(
        window, services.SearchFailed(ErrorCode.CERTIFICATE, "self-signed certificate")
    ),
    "password": lambda window: PasswordDialog(
        window, "anna.lindqvist@mail.example", lambda _: None, lambda: None
    ).open(),
    "removal": lambda window: questions.ask_removal(
        window, "anna.lindqvist@mail.example", lambda: None
    ),
    "about": lambda window: trigger(window, "about"),
    "broken_link": lambda window: ask_link(window, "http://[broken", lambda _: None),
}
SCENES = all_scenes(globals() | BRIEF_SCENES)
