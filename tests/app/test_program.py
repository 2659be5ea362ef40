"""Runs of the program: settings, accounts, second instances, passwords."""

from dataclasses import replace
from types import SimpleNamespace

import keyring
import pytest
from keyring.backends import fail
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox

from nbmail.app import program as program_module
from nbmail.app import run as run_module
from nbmail.app.autostart import login_entry
from nbmail.app.program import Program
from nbmail.app.refusal import refusal_box
from nbmail.app.run import run
from nbmail.app.run_options import RunOptions
from nbmail.errors import ErrorCode
from nbmail.paths import Paths
from nbmail.settings import Account, Settings
from nbmail.settings_file import load_settings, save_settings
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.dialogs.password_dialog import PasswordDialog
from nbmail.ui.texts.error_texts import Notice, error_notice
from nbmail.ui.texts.language import set_language
from nbmail.values import AccountState
from nbmail.worker.protocol.events import EngineFailed, HomeRefused, Learned
from nbmail.worker.protocol.ticket import Failed
from tests.ui.helpers import said

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def start(start_program, qtbot):
    """Starts the program, and waits until it has learned."""

    def start(**options):
        program = start_program(**options)
        qtbot.waitUntil(lambda: any(isinstance(event, Learned) for event in program.events))
        return program

    start.end = start_program.end
    start.paths = start_program.paths
    return start


def test_settings_are_stored_and_apply_at_the_next_start(start, qtbot):
    first = start()
    choices = {
        "theme": "light",
        "spam_seen_per_lost": 20.0,
        "move_mail": True,
        "method": "multinomial",
    }
    chosen = replace(first.window.settings, **choices)
    first.window.parts.settings.change(chosen)
    start.end()
    assert load_settings(start.paths.settings) == chosen
    second = start()
    assert second.window.settings == chosen
    assert second.engine.parts.scoring.costs.false_spam == 20.0
    latest = [event for event in second.events if isinstance(event, Learned)][-1]
    assert latest.method == "multinomial"


def test_an_account_is_added_changed_and_removed_permanently_but_what_it_taught_stays(
    start, qtbot, tmp_path
):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.eml").write_bytes(
        b"From: anna@example.org\nSubject: hello\n\nhello there\n"
    )
    program = start()
    account = Account("letters", path=str(tmp_path / "letters"))
    parts = program.window.parts
    parts.accounts.add(account, "")
    qtbot.waitUntil(lambda: parts.model.loaded and len(parts.model.mail.senders) == 1)
    parts.accounts.change(taught := replace(account, ham_folders=("INBOX",)), "")
    qtbot.waitUntil(lambda: known(program) == 1)
    start.end()
    assert load_settings(start.paths.settings).accounts == (taught,)
    parts = start().window.parts
    qtbot.waitUntil(lambda: parts.model.rowCount() == 1)
    parts.accounts.remove("letters")
    qtbot.waitUntil(lambda: parts.model.rowCount() == 0)
    start.end()
    again = start()
    assert (again.window.parts.model.rowCount(), known(again)) == (0, 1)
    assert again.window.settings.accounts == ()


def known(program):
    """The number of learned messages."""
    return sum(each.messages for each in learned(program)[-1].classes)


def learned(program):
    return [event for event in program.events if isinstance(event, Learned)]


@pytest.fixture
def held(tmp_path):
    """Paths of a data folder with an account, open in another instance."""
    paths = Paths.under(tmp_path / "home")
    paths.make()
    save_settings(
        paths.settings,
        Settings((Account("work", host="127.0.0.1", port=1, user="anna"),), language="de"),
    )
    lock = HomeLock(paths.data / LOCK)
    yield paths
    lock.close()
    set_language(QApplication.instance(), "en")


def test_a_second_instance_reports_the_first_and_shows_no_window(held, qtbot, monkeypatch):
    said = []
    monkeypatch.setattr(run_module, "Program", lambda options: pytest.fail("a window was made"))
    assert run(RunOptions(held, report=said.append)) == 1
    assert [each.sentence for each in said] == [error_notice(ErrorCode.HOME_IN_USE).sentence]
    assert said[0].sentence.startswith("nbmail läuft")
    assert not list(held.log.glob("*"))


def test_the_later_of_two_simultaneous_instances_needs_no_password_and_no_server(
    held, qtbot, monkeypatch
):
    program = Program(RunOptions(held))
    events = []
    asked = []
    ends = []
    # A real end would end the event loops of all tests to come.
    unseen = SimpleNamespace(platformName=lambda: "offscreen", exit=ends.append)
    monkeypatch.setattr(program_module, "QApplication", unseen)
    program.bridge.arrived.connect(events.append)
    monkeypatch.setattr(AccountActions, "ask_password", lambda self, account: asked.append(account))
    qtbot.addWidget(program.window)
    program.start()
    qtbot.waitUntil(lambda: any(isinstance(event, HomeRefused) for event in events))
    qtbot.wait(200)
    program.stop()
    program.window.close()
    assert [event.failed.error_code for event in events if isinstance(event, HomeRefused)] == [
        ErrorCode.HOME_IN_USE
    ]
    assert (ends, asked) == ([1], [])
    assert not any(isinstance(event, AccountState) for event in events)


def test_a_minimized_start_shows_no_window_until_asked_and_quits_from_the_menu(
    start, qtbot, tmp_path
):
    entry = login_entry(
        ["nbmail", "--minimized"], None, user=tmp_path, environment={}, platform="linux"
    )
    program = start(minimized=True, login=entry)
    window = program.window
    found = []
    assert not window.isVisible()
    assert window.settings.tray == "icon"
    for wanted in (None, True, None, False):
        with qtbot.waitCallback() as answered:
            program.desktop.start_at_login(wanted, answered)
        found.append(answered.args[0].on)
    assert found == [False, True, True, False]
    with qtbot.waitSignal(window.closed):
        window.tray.menu.actions()[-1].trigger()
    assert not window.isVisible()


def test_a_minimized_second_instance_ends_silently(held, qtbot, monkeypatch):
    monkeypatch.setattr(run_module, "Program", lambda options: pytest.fail("a window was made"))
    assert run(RunOptions(held, report=pytest.fail, minimized=True)) == 0


def test_a_missing_password_takes_no_keys_from_the_window(start, qtbot, request):
    save_settings(
        start.paths.settings, Settings((Account("work", host="127.0.0.1", port=1, user="anna"),))
    )
    before = keyring.get_keyring()
    request.addfinalizer(lambda: keyring.set_keyring(before))
    keyring.set_keyring(fail.Keyring())
    program = start()
    banner = program.window.parts.banner
    qtbot.waitUntil(banner.remedy.isVisible)
    assert (banner.remedy.text(), program.window.findChildren(PasswordDialog)) == (
        "Enter &password…",
        [],
    )
    assert QApplication.activeModalWidget() is None
    (error,) = {event.error_code for event in program.events if isinstance(event, AccountState)} - {
        ""
    }
    assert error == ErrorCode.NO_PASSWORD
    banner.remedy.click()
    assert program.window.findChildren(PasswordDialog)


def test_a_missing_keyring_is_reported_once_and_not_at_every_start(start, qtbot):
    program = start()
    for name in ("one", "two"):
        program.bridge.emit_event(EngineFailed(Failed(ErrorCode.NO_KEYRING, name)))
    qtbot.waitUntil(program.window.parts.banner.isVisible)
    program.window.parts.banner.dismiss()
    start.end()
    assert load_settings(start.paths.settings).keyring_noted
    again = start()
    again.bridge.emit_event(EngineFailed(Failed(ErrorCode.NO_KEYRING, "")))
    again.bridge.emit_event(EngineFailed(Failed(ErrorCode.KEYRING_FAILED, "CredWrite")))
    qtbot.waitUntil(again.window.parts.banner.isVisible)
    assert "The system keyring reported an error." in said(again.window)


def test_a_refusal_is_shown_as_plain_text(qtbot):
    box = refusal_box(Notice("<b>No.</b>", "Try again.", "<img src='/etc/hostname'>"), None)
    qtbot.addWidget(box)
    texts = {label.text(): label.textFormat() for label in box.findChildren(QLabel) if label.text()}
    assert set(texts.values()) == {Qt.TextFormat.PlainText}
    assert "<b>No.</b>" in texts
    assert not box.iconPixmap().isNull()
    assert box.icon() == QMessageBox.Icon.NoIcon


def test_the_title_of_the_demo_names_it(start):
    window = start(demo=True).window
    assert window.windowTitle() == "nbmail – Demo"
    assert window.parts.demo_bar.isVisibleTo(window)
