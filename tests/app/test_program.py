"""What the user chose in one run holds in the next, in the window and in the engine."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from nbmail.app.program import Plan, Program
from nbmail.paths import Paths
from nbmail.settings import Account, Settings
from nbmail.settings_file import load_settings
from nbmail.ui import deeds
from nbmail.ui.finding import NotFound
from nbmail.worker.protocol import Learned, PreviewMoves

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def start(qtbot, tmp_path):
    """Starts the program on one home; `heard` are its events."""
    running = []
    paths = Paths.under(tmp_path / "home")
    paths.make()

    def make():
        program = Program(Plan(paths, users_home=tmp_path / "user"))
        program.heard = []
        program.bridge.arrived.connect(program.heard.append)
        qtbot.addWidget(program.window)
        program.start()
        running.append(program)
        qtbot.waitUntil(lambda: any(isinstance(event, Learned) for event in program.heard), timeout=20_000)
        return program

    def stop(program):
        running.remove(program)
        program.stop()
        program.window.close()

    make.stop, make.paths = stop, paths
    yield make
    for program in list(running):
        stop(program)


def test_choices_are_kept_and_hold_from_the_next_start(start, qtbot):
    first = start()
    chosen = replace(first.settings, theme="light", junk_seen_per_lost=20.0, move_mail=True, method="multinomial")
    first.window.choose(chosen)
    start.stop(first)
    assert load_settings(start.paths.settings) == chosen
    second = start()
    assert second.window.settings == second.settings == chosen
    office = second.engine._office
    assert office.moving
    assert office.costs.false_junk == 20.0
    latest = [event for event in second.heard if isinstance(event, Learned)][-1]
    assert latest.method == "multinomial"


def test_a_mailbox_is_added_changed_and_kept(start, qtbot, tmp_path):
    letters = tmp_path / "letters"
    letters.mkdir()
    (letters / "one.eml").write_bytes(b"From: anna@example.org\nSubject: hello\n\nhello there\n")
    program = start()
    account = Account("letters", path=str(letters))
    program.window.add_account(account, "")
    qtbot.waitUntil(lambda: program.window.model.mail is not None and len(program.window.model.mail.senders) == 1)
    deeds.change_account(program.window, "letters")
    dialog = QApplication.activeModalWidget()
    dialog.form.good.setText("INBOX")
    dialog.accept()
    qtbot.waitUntil(
        lambda: any(each.classes and sum(one.messages for one in each.classes) == 1 for each in learned(program))
    )
    start.stop(program)
    assert load_settings(start.paths.settings).accounts == (replace(account, good_folders=("INBOX",)),)


def test_a_removed_mailbox_leaves_the_list_for_good(start, qtbot, tmp_path):
    letters = tmp_path / "letters"
    letters.mkdir()
    (letters / "one.eml").write_bytes(b"From: anna@example.org\nSubject: hello\n\nhello there\n")
    program = start()
    program.window.add_account(Account("letters", path=str(letters), good_folders=("INBOX",)), "")
    qtbot.waitUntil(lambda: len(program.window.model.mail or ()) == 1 and learned(program)[-1].undo == 1)
    program.window.remove_account("letters")
    qtbot.waitUntil(lambda: program.window.model.rowCount() == 0)
    start.stop(program)
    again = start()
    assert again.window.model.rowCount() == 0
    assert sum(each.messages for each in learned(again)[-1].classes) == 1
    assert again.settings.accounts == ()


def learned(program):
    return [event for event in program.heard if isinstance(event, Learned)]


def test_searches_and_the_dry_run_reach_the_window(start, qtbot):
    program = start()
    told, places, moves = [], [], []
    program.window.outside.find_settings("nobody", told.append)
    program.window.outside.find_places(places.append)
    program.window.talk.ask(PreviewMoves(), moves.append)
    qtbot.waitUntil(lambda: bool(told and places and moves))
    assert isinstance(told[0], NotFound)
    assert (places, moves) == ([()], [()])
    assert program.settings == Settings()
