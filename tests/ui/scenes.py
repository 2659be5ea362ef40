"""Scenes of the window: functions that bring it into a certain state."""

from dataclasses import dataclass, replace
from inspect import isfunction, signature
from pathlib import Path

from PySide6.QtCore import QUrl

from nbmail import values
from nbmail.core.scoring.sorting import SortedState, Stay
from nbmail.settings import Account, Settings
from nbmail.sync import mailbox_values
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.dialogs.preferences import MovesDialog, PreferencesDialog
from nbmail.ui.window.services import LoginStart
from nbmail.worker.protocol.events import MovedByOthers
from nbmail.worker.protocol.results import PlannedMove
from nbmail.worker.protocol.sorting import SortedMessage
from tests.ui import helpers, scripted
from tests.ui.helpers import dialog, junk_row, model_window, show_account, trigger, wait_for


@dataclass
class Look:
    """Settings for all scenes of a run. None keeps the setting of each scene."""

    theme: str | None = None
    language: str | None = None
    size: tuple[int, int] | None = None


LOOK = Look()


def open_window(
    count=400, *, size=(1280, 800), theme="light", language="en", calibrated=True, accounts=True, rows=None, **engine
):
    """Open a window with the scripted engine. Settings in `LOOK` have precedence."""
    theme, language, size = LOOK.theme or theme, LOOK.language or language, LOOK.size or size
    rows = rows if rows is not None else scripted.make_rows(count, labelled=0.1, calibrated=calibrated)
    home = (Account("home", "imap.example"),) if accounts else ()
    settings = Settings(accounts=home, theme=theme, language=language)
    window = helpers.open_window(count, rows=rows, settings=settings, calibrated=calibrated, size=size, **engine)
    if accounts:
        show_account(window, at=scripted.NOW - 200)
    wait_for(lambda: window.model.loaded)
    settle(window)
    return window


def settle(window):
    """Wait until the window shows all results but those of held requests."""
    wait_for(lambda: helpers.is_idle(window))


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
        if isfunction(each) and each.__module__ == names["__name__"] and [*signature(each).parameters] == ["window"]
    }


def open_page(window, page):
    """Open a page of the window about the model, with a junk message as the current one."""
    trigger(window, "history")
    window.table.go_to(junk_row(window))
    shown = model_window(window)
    shown.go_to(getattr(shown, page))
    wait_for(lambda: shown.page.stack.currentIndex() == 1)
    return shown.page


def light(window):
    window.table.go_to(junk_row(window))


@opened(theme="dark")
def dark(window):
    window.table.go_to(3)


def good(window):
    place = next(row for row, each in enumerate(window.model.mail.order) if window.model.mail.attachments[each])
    window.table.go_to(place)


@opened(10_000, size=(2560, 1440))
def large(window):
    window.table.go_to(junk_row(window))


@opened(0, accounts=False, learned=(0, 0))
def empty(window):
    """The welcome page."""


def offline(window):
    show_account(window, values.Phase.OFFLINE, retry_at=scripted.NOW + 140, error_code="no-network")


def needs_you(window):
    detail = "imap.example: authentication failed"
    show_account(window, values.Phase.NEEDS_YOU, error_code="wrong-password", detail=detail)


def moved_elsewhere(window):
    """An offer to mark messages that another program moved."""
    window.bridge.emit_event(MovedByOthers((1, 2, 3), "junk"))


@opened(calibrated=False, learned=(5, 9), held_out=(4, 8))
def young(window):
    window.table.go_to(junk_row(window))


@opened(10_000)
def after_mark(window):
    window.table.go_to(junk_row(window))
    settle(window)
    trigger(window, "junk")


def triage(window):
    trigger(window, "triage")
    settle(window)
    trigger(window, "junk")


def triage_end(window):
    triage(window)
    while (current := window.parts.triage.current) >= 0:
        trigger(window, "junk")
        wait_for(lambda current=current: window.parts.triage.current != current)


def selection(window):
    window.table.go_to(3)
    window.table.go_to(9, extend=True)


def progress(window):
    window.status.show_work("Rebuilding model", 1200, 5000, lambda: None)


def _odd_rows():
    rows = scripted.make_rows(40, labelled=0.1)
    subjects = ("Endless " * 2000, "会議の日程について" * 6, "", "שלום, מה שלומך היום? פגישה ביום שלישי", "x" * 3000)
    senders = ("A" * 500, "佐藤 健太郎", "", "משה כהן", "Łukasz Żółć")
    return replace(rows, subjects=(*subjects, *rows.subjects[5:]), senders=(*senders, *rows.senders[5:]))


@opened(rows=_odd_rows())
def odd(window):
    """Very long, Chinese, Hebrew and empty subjects and senders."""
    window.table.go_to(0)


def no_match(window):
    window.search.setText("no such words")


@opened(0, rows=scripted.make_rows(0), learned=(0, 0))
def loading(window):
    """An account without mail."""


def account_dialog(window):
    trigger(window, "account")


def look_for_server(window, address, *events):
    """Open the dialog for a new account and search for the server of an address. The search reports these events."""
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
    server, page = mailbox_values.MailServer("imap.gmail.com"), "https://myaccount.google.com/apppasswords"
    look_for_server(window, "anna@gmail.com", mailbox_values.ServerFound(server, "anna@gmail.com", "Gmail", page))


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
    prize = ("home", "INBOX", scripted.NOW, "Prize Department", "Claim your reward & more", 0.991)
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
        PlannedMove(number, rows.senders[number], rows.subjects[number], inbox, "junk")
        for number in range(40)
        if rows.senders[number] in scripted.JUNKERS
    )
    trigger(window, "preferences")
    dialog(PreferencesDialog).moving.click()
    dialog(MovesDialog)


def model_import(window):
    """The preview of another filter's training."""
    window.model_files.import_from(Path("/home/anna/bogofilter.txt"))
    dialog(ImportDialog)


def keys(window):
    trigger(window, "keys")


def link(window):
    window.message.body.anchorClicked.emit(QUrl("http://rewards.example/claim?id=77812&from=newsletter"))


def history(window):
    open_page(window, "history")


def history_doubts(window):
    open_page(window, "doubtful")


def history_sender(window):
    open_page(window, "sender_history")


SCENES = all_scenes(globals())
