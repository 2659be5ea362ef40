"""The states of the window that pictures are made of, each as a function that brings one about."""

from dataclasses import dataclass
from inspect import isfunction, signature
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication, QDialog

from nbmail import values
from nbmail.settings import Account, Settings
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.dialogs.moves_dialog import MovesDialog
from nbmail.ui.dialogs.preferences import PreferencesDialog
from nbmail.ui.model.model_window import ModelWindow
from nbmail.worker import protocol as say
from tests.ui import helpers, scripted
from tests.ui.helpers import tell_account, wait, wait_for


@dataclass
class Look:
    """What all pictures of one run have in common; what is None is as each scene has it."""

    theme: str | None = None
    language: str | None = None
    size: tuple[int, int] | None = None


LOOK = Look()


def dialog(kind=QDialog):
    """The dialog on top, once it is there."""

    def on_top():
        top = QApplication.activeModalWidget()
        return top if isinstance(top, kind) else None

    return wait_for(on_top)


def open_window(
    count=400,
    *,
    size=(1280, 800),
    theme="light",
    language="en",
    calibrated=True,
    accounts=True,
    rows=None,
    **engine,
):
    """A window over the scripted engine, as `LOOK` has it where that says something."""
    theme, language, size = LOOK.theme or theme, LOOK.language or language, LOOK.size or size
    rows = rows if rows is not None else scripted.make_rows(count, labelled=0.1, calibrated=calibrated)
    home = (Account("home", "imap.example"),) if accounts else ()
    settings = Settings(accounts=home, theme=theme, language=language)
    window = helpers.open_window(count, rows=rows, settings=settings, calibrated=calibrated, size=size, **engine)
    if accounts:
        tell_account(window, at=scripted.NOW - 200)
    wait_for(lambda: window.model.mail is not None)
    wait(60)
    return window


def place_of(window):
    """What is on top of a window: a menu, a question, a window beside it; else the window itself."""
    beside = next((each for each in window.findChildren(QDialog) if each.isVisible()), window)
    return QApplication.activePopupWidget() or QApplication.activeModalWidget() or beside


def all_scenes(names):
    """The states that a module brings about: each function of it that needs nothing for that."""
    return tuple(
        each
        for name, each in names.items()
        if isfunction(each)
        and each.__module__ == names["__name__"]
        and name[0] != "_"
        and not signature(each).parameters
    )


def put_away(window):
    """Close it with all that is on top of it."""
    for on_top in (QApplication.activePopupWidget, QApplication.activeModalWidget):
        while on_top():
            on_top().close()
            wait(0)
    window.close()
    window.deleteLater()


def open_history(page):
    window = open_dialog("history")
    window.table.go_to(junk_row(window))
    shown = wait_for(lambda: window.findChild(ModelWindow))
    shown.go_to(getattr(shown, page))
    wait_for(lambda: shown.page.stack.currentIndex() == 1)
    return window


def open_dialog(action):
    window = open_window()
    window.actions_by_name[action].trigger()
    return window


def junk_row(window):
    """The first row that is junk."""
    senders = window.model.mail.senders
    return next(row for row, place in enumerate(window.model.mail.order) if senders[place] in scripted.JUNKERS)


def light():
    window = open_window()
    window.table.go_to(junk_row(window))
    return window


def dark():
    window = open_window(theme="dark")
    window.table.go_to(3)
    return window


def good():
    window = open_window()
    place = next(row for row, each in enumerate(window.model.mail.order) if window.model.mail.attachments[each])
    window.table.go_to(place)
    return window


def large():
    window = open_window(10_000, size=(2560, 1440))
    window.table.go_to(junk_row(window))
    return window


def empty():
    return open_window(0, accounts=False, learned=(0, 0))


def offline():
    window = open_window()
    tell_account(window, values.Phase.OFFLINE, retry_at=scripted.NOW + 140, trouble="no-network")
    return window


def needs_you():
    window = open_window()
    detail = "imap.example: authentication failed"
    tell_account(window, values.Phase.NEEDS_YOU, trouble="wrong-password", detail=detail)
    return window


def moved_elsewhere():
    """A move in another program is offered as a label."""
    window = open_window()
    window.bridge.emit_event(say.MovedByOthers((1, 2, 3), "junk"))
    return window


def young():
    window = open_window(calibrated=False, learned=(5, 9), held_out=(4, 8))
    window.table.go_to(junk_row(window))
    return window


def after_mark():
    window = open_window(10_000)
    window.table.go_to(junk_row(window))
    wait(100)
    window.actions_by_name["junk"].trigger()
    return window


def triage():
    window = open_window()
    window.actions_by_name["triage"].trigger()
    wait(200)
    window.actions_by_name["junk"].trigger()
    return window


def triage_end():
    window = triage()
    while window.parts.triage.current >= 0:
        window.actions_by_name["junk"].trigger()
        wait(20)
    return window


def selection():
    window = open_window()
    window.table.go_to(3)
    window.table.go_to(9, extend=True)
    return window


def progress():
    window = open_window()
    window.status.show_work("Learning anew", 1200, 5000, lambda: None)
    return window


def odd():
    """A subject without end, Chinese, Hebrew, nothing at all."""
    rows = scripted.make_rows(40, labelled=0.1)
    subjects, senders = list(rows.subjects), list(rows.senders)
    subjects[:5] = [
        "Endless " * 2000,
        "会議の日程について" * 6,
        "",
        "שלום, מה שלומך היום? פגישה ביום שלישי",
        "x" * 3000,
    ]
    senders[:5] = ["A" * 500, "佐藤 健太郎", "", "משה כהן", "Łukasz Żółć"]
    window = open_window(
        rows=scripted.say.Rows(
            **{
                **{name: getattr(rows, name) for name in rows.__slots__},
                "subjects": tuple(subjects),
                "senders": tuple(senders),
            }
        )
    )
    window.table.go_to(0)
    return window


def no_match():
    window = open_window()
    window.search.setText("no such words")
    return window


def loading():
    window = open_window(0, rows=scripted.make_rows(0), learned=(0, 0))
    return window


def account_dialog():
    return open_dialog("account")


def account_search():
    """A search for a mail server that goes on."""
    window = open_dialog("account")
    shown = dialog()
    shown.search._find = lambda address, tell: lambda: None
    shown.form.address.setText("anna@mail.example")
    shown.search.look("anna@mail.example")
    hosts = ("imap.mail.example", "mail.mail.example", "mail.example")
    guesses = [values.MailServer(host, port) for port in (993, 143) for host in hosts]
    for guess in guesses:
        shown.search._hear(values.ServerTried(guess))
    failed = values.ServerTried(guesses[0], worked=False, trouble="certificate")
    shown.search._hear(failed)
    return window


def account_found():
    """The settings of a large provider."""
    window = open_dialog("account")
    shown = dialog()
    shown.form.address.setText("anna@gmail.com")
    shown.search.look("anna@gmail.com")
    server = values.MailServer("imap.gmail.com")
    page = "https://myaccount.google.com/apppasswords"
    shown.search._hear(values.ServerFound(server, "anna@gmail.com", "Gmail", page))
    return window


def account_local():
    window = open_dialog("account")
    shown = dialog()
    shown.kind.setCurrentIndex(1)
    shown.form.offer_places((values.MailPlace("Thunderbird pop.example", "/home/anna/x", ("Inbox", "Sent")),))
    return window


def account_change():
    window = open_window()
    window.accounts.ask_change("home")
    return window


def preferences():
    return open_dialog("preferences")


def moves():
    """The dry run of moving."""
    window = open_window()
    inbox = values.FolderName("home", "INBOX")
    rows = window.model.mail
    window.engine.do_PreviewMoves = lambda _: tuple(
        say.PlannedMove(number, rows.senders[number], rows.subjects[number], inbox, "junk")
        for number in range(40)
        if rows.senders[number] in scripted.JUNKERS
    )
    window.actions_by_name["preferences"].trigger()
    dialog(PreferencesDialog).moving.click()
    dialog(MovesDialog)
    return window


def model_import():
    """What another filter's training would bring."""
    window = open_window()
    window.model_files.import_from(Path("/home/anna/bogofilter.txt"))
    dialog(ImportDialog)
    return window


def keys():
    return open_dialog("keys")


def link():
    window = open_window()
    window.message.body.anchorClicked.emit(QUrl("http://rewards.example/claim?id=77812&from=newsletter"))
    return window


def history():
    return open_history("marks")


def history_doubts():
    return open_history("doubts")


def history_sender():
    return open_history("one_sender")


SCENES = all_scenes(globals())
