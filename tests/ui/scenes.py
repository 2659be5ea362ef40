"""Scenes of the window: functions that bring it into a certain state."""

import time
from dataclasses import dataclass
from inspect import isfunction, signature
from pathlib import Path

from PySide6.QtCore import QUrl

from nbmail import values
from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.settings import Account
from nbmail.sync import mailbox_values
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.dialogs.moves_dialog import MovesDialog
from nbmail.ui.dialogs.preferences import PreferencesDialog
from nbmail.ui.window.services import LoginStart
from nbmail.worker.protocol.events import MovedByOthers
from nbmail.worker.protocol.marks import PlannedMove, SuspiciousLabel
from nbmail.worker.protocol.model_files import Agreement, ImportReport
from tests.ui import real
from tests.ui.helpers import dialog, model_window, row_called, show_account, trigger, wait_for


@dataclass
class Look:
    """Settings for all scenes of a run. None keeps the setting of each scene."""

    theme: str | None = None
    language: str | None = None
    size: tuple[int, int] | None = None


LOOK = Look()


def open_window(each=35, *, size=(1280, 800), theme="light", language="en", **more):
    """Open a window on demo mail. Settings in `LOOK` have precedence."""
    look = {
        "theme": LOOK.theme or theme,
        "language": LOOK.language or language,
        "size": LOOK.size or size,
    }
    more = {"accounts": (Account("home", "imap.example"),)} | more
    return real.open_mailbox(each, **look, **more).window


def settle(shown):
    """Wait until a window shows all results but those of held requests."""
    real.settle(shown.mailbox)


def opened(*args, **options):
    """Set the arguments of `open_window` for a scene."""

    def note(scene):
        scene.opened = args, options
        return scene

    return note


def all_scenes(names):
    """Return the scenes of a module: all its functions whose only argument is a window."""

    def on_a_fresh_window(scene):
        args, options = getattr(scene, "opened", ((), {}))

        def show():
            window = open_window(*args, **options)
            scene(window)
            settle(window)
            return window

        return show

    return {
        name: on_a_fresh_window(each)
        for name, each in names.items()
        if isfunction(each)
        and each.__module__ == names["__name__"]
        and [*signature(each).parameters] == ["window"]
    }


def open_page(window, page):
    """Open a page of the window about the model, with a spam message as the current one."""
    trigger(window, "history")
    window.table.go_to(row_called(window, "spam"))
    shown = model_window(window)
    shown.go_to(getattr(shown, page))
    wait_for(lambda: shown.page.stack.currentIndex() == 1)
    return shown.page


def light(window):
    window.table.go_to(row_called(window, "spam"))


@opened(theme="dark")
def dark(window):
    window.table.go_to(3)


def ham(window):
    window.table.go_to(2)


@opened(size=(2560, 1440))
def large(window):
    window.table.go_to(row_called(window, "spam"))


@opened(0, accounts=())
def empty(window):
    """The welcome page."""


def offline(window):
    show_account(window, values.Phase.OFFLINE, retry_at=time.time() + 140, error_code="no-network")


def needs_you(window):
    detail = "imap.example: authentication failed"
    show_account(window, values.Phase.NEEDS_YOU, error_code="wrong-password", detail=detail)


def moved_elsewhere(window):
    """An offer to mark messages that another program moved."""
    window.bridge.emit_event(MovedByOthers((1, 2, 3), "spam"))


@opened(5)
def young(window):
    window.table.go_to(3)


def after_mark(window):
    window.table.go_to(row_called(window, "spam"))
    settle(window)
    trigger(window, "spam")


def triage(window):
    trigger(window, "triage")
    settle(window)
    trigger(window, "spam")


def triage_end(window):
    triage(window)
    while (current := window.parts.triage.current) >= 0:
        trigger(window, "spam")
        wait_for(lambda current=current: window.parts.triage.current != current)


def selection(window):
    window.table.go_to(3)
    window.table.go_to(9, extend=True)


def progress(window):
    window.status.show_work("Rebuilding model", 1200, 5000, lambda: None)


def odd(window):
    """Very long, Chinese, Hebrew and empty subjects and senders."""
    subjects = (
        "Endless " * 2000,
        "会議の日程について" * 6,
        "",
        "שלום, מה שלומך היום? פגישה ביום שלישי",
        "x" * 3000,
    )
    senders = ("A" * 500, "佐藤 健太郎", "", "משה כהן", "Łukasz Żółć")
    mails = zip(subjects, senders, strict=True)
    window.mailbox.deliver(
        "INBOX",
        [f"From: {sender}\nSubject: {subject}\n\n".encode() for subject, sender in mails],
        900,
    )
    settle(window)
    window.table.go_to(0)


def no_match(window):
    window.search.setText("no such words")


@opened(0)
def loading(window):
    """An account that fetches its first mail."""
    show_account(window, values.Phase.WORKING, folder="INBOX")


def account_dialog(window):
    trigger(window, "account")


def look_for_server(window, address, *events):
    """Search for the server of an address in a new dialog. The search reports these events."""
    trigger(window, "account")
    shown = dialog()
    shown.form.address.setText(address)
    shown.search.look(address)
    for event in events:
        noted_call(window, "find_settings")[1](event)


def noted_call(window, name):
    """Return the arguments of the latest call of an account service."""
    return next(call[1:] for call in reversed(window.calls) if call[0] == name)


def account_search(window):
    hosts = ("imap.mail.example", "mail.mail.example", "mail.example")
    guesses = [mailbox_values.MailServer(host, port) for port in (993, 143) for host in hosts]
    failed = mailbox_values.ServerTried(guesses[0], worked=False, error_code="certificate")
    look_for_server(window, "anna@mail.example", *map(mailbox_values.ServerTried, guesses), failed)


def account_found(window):
    """The settings of a large provider."""
    server = mailbox_values.MailServer("imap.gmail.com")
    page = "https://myaccount.google.com/apppasswords"
    look_for_server(
        window,
        "anna@gmail.com",
        mailbox_values.ServerFound(server, "anna@gmail.com", "Gmail", page),
    )


def account_local(window):
    trigger(window, "account")
    shown = dialog()
    shown.kind.setCurrentIndex(1)
    shown.form.offer_places(
        (mailbox_values.LocalMailbox("Thunderbird pop.example", "/home/anna/x", ("Inbox", "Sent")),)
    )


def account_change(window):
    window.accounts.ask_change("home")


def preferences(window):
    trigger(window, "preferences")
    dialog(PreferencesDialog).show_login(LoginStart(True))


def tray_menu(window):
    """The menu of the icon in the system tray."""
    prize = ("home", "INBOX", time.time(), "Prize Department", "Claim your reward & more", 0.991)
    window.script.list_sorted = lambda since: (
        SortedMessage(1, *prize, SortedState.MOVED),
        SortedMessage(2, *prize, SortedState.NEW, False, Stay.OWN_THREAD),
    )
    window.tray.menu.popup(window.mapToGlobal(window.rect().center()))
    wait_for(lambda: len(window.tray.menu.today.actions()) == 4)
    window.tray.menu.setActiveAction(window.tray.menu.today.menuAction())


def moves(window):
    """The dry run of moving."""
    inbox = values.FolderName("home", "INBOX")
    rows = window.model.mail
    window.script.preview_moves = lambda: tuple(
        PlannedMove(number, rows.senders[number], rows.subjects[number], inbox, "spam")
        for number in range(20)
    )
    trigger(window, "preferences")
    dialog(PreferencesDialog).moving.click()
    dialog(MovesDialog)


def model_import(window):
    """The preview of another filter's training."""
    agreement = Agreement(96, 100, 116, 120)
    words = (69_717, 27_908, 41_809, 3_644)
    classes = (("spam", 618), ("ham", 1_382))
    path = Path("/home/anna/bogofilter.txt")
    report = ImportReport(path, "bogofilter", classes, (), *words, False, agreement, False, True)
    window.script.preview_import = lambda _: report
    window.model_files.import_from(path)
    dialog(ImportDialog)


def keys(window):
    trigger(window, "keys")


def link(window):
    window.message.body.anchorClicked.emit(
        QUrl("http://rewards.example/claim?id=77812&from=newsletter")
    )


def history(window):
    open_page(window, "history")


def open_doubtful(shown):
    """Open the page about doubtful marks, of which there are three."""
    found = ((1, "spam", -9.1, 0.0001), (4, "ham", 5.2, 0.9945), (7, "spam", -2.4, 0.083))
    shown.script.find_suspicious_labels = lambda: tuple(SuspiciousLabel(*each) for each in found)
    return open_page(shown, "doubtful")


def history_doubts(window):
    open_doubtful(window)


SCENES = all_scenes(globals())
