"""Unusable data folders: one sentence, an exit code, and no changed byte."""

import os
import signal
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pytest

from nbmail.app.single_instance import socket_path
from nbmail.cli.main import main
from nbmail.errors import ErrorCode
from nbmail.paths import Paths
from nbmail.ui.texts.error_texts import error_notice
from nbmail.values import Arrival, Delivery, FolderName
from nbmail.worker.engine.engine import Engine
from tests.e2e.running import Running, check_up, run_nbmail


@pytest.fixture
def used(tmp_path):
    """Paths of a data folder with a labelled message."""
    paths = Paths.under(tmp_path / "home")
    paths.make()
    engine = Engine(paths, time.time, lambda event: None)
    engine.start()
    letter = b"From: Anna <anna@lanternfish.example>\r\nSubject: tides\r\n\r\nThe tide is out.\r\n"
    arrival = Arrival(1, frozenset({"$NotJunk"}), 1_790_000_000.0, letter, len(letter))
    engine.backend.deliver(
        Delivery(FolderName("alice", "INBOX"), 1, arrivals=(arrival,), complete=True)
    )
    engine.stop()
    return paths


def refuse(tmp_path, home, error_code, exit_code=1):
    code, shown, complaints = run_nbmail(tmp_path, "--home", home, QT_QPA_PLATFORM="offscreen")
    advice = error_notice(error_code)
    assert code == exit_code
    assert shown == ""
    assert complaints.startswith(f"nbmail: {advice.sentence} {advice.advice}\n")
    assert len(complaints.splitlines()) <= 2
    return complaints


def test_a_data_folder_of_another_version_is_refused(tmp_path, used):
    with closing(sqlite3.connect(used.database)) as database:
        database.execute("PRAGMA user_version = 99")
    before = used.database.read_bytes()
    refuse(tmp_path, tmp_path / "home", ErrorCode.OTHER_VERSION)
    assert used.database.read_bytes() == before


def test_a_damaged_database_is_kept_and_replaced(tmp_path, used):
    """The new database has the labels of the log."""
    damaged = b"This was a database once. " * 1000
    used.database.write_bytes(damaged)
    with Running(tmp_path, "--home", tmp_path / "home", QT_QPA_PLATFORM="offscreen") as running:
        # The label waits for its message, which may come from the cache at once.
        kept = "SELECT (SELECT count(*) FROM waiting_labels) + (SELECT count(*) FROM labels)"
        running.wait_for("the labels of the log", lambda: running.ask(kept) == [(1,)])
        running.process.send_signal(signal.SIGTERM)
        assert running.end() == (0, "")
    assert damaged in [path.read_bytes() for path in used.data.rglob("*") if path.is_file()]
    assert check_up(tmp_path / "home") == []


def test_malformed_settings_are_kept(tmp_path, used):
    used.config.mkdir(exist_ok=True)
    used.settings.write_text('{"format": 1, "accounts": 7}')
    complaints = refuse(tmp_path, tmp_path / "home", ErrorCode.BAD_INPUT)
    assert str(used.settings) in complaints
    assert used.settings.read_text() == '{"format": 1, "accounts": 7}'


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a read-only folder")
def test_a_data_folder_without_write_permission_is_refused(tmp_path):
    refuse(tmp_path, "/proc/self/nbmail", ErrorCode.READ_ONLY)


def link(place):
    place.symlink_to("nowhere/deep")


def loop(place):
    place.symlink_to(place.name)


@pytest.mark.parametrize("make", [link, loop, Path.touch])
def test_a_data_folder_that_is_no_folder_is_refused(tmp_path, make, capsys):
    home = tmp_path / "home"
    make(home)
    assert str(home) in refuse(tmp_path, home, ErrorCode.BAD_INPUT, exit_code=2)
    check_command(home, home, capsys)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("name", ["database", "settings"])
def test_a_database_or_settings_that_are_no_file_are_refused(tmp_path, used, name, capsys):
    file = getattr(used, name)
    for make in (link, loop, Path.mkdir, os.mkfifo):
        file.unlink(missing_ok=True)
        make(file)
        check_command(tmp_path / "home", file, capsys)
        if make is not os.mkfifo:
            file.rmdir() if make is Path.mkdir else file.unlink()
    assert str(file) in refuse(tmp_path, tmp_path / "home", ErrorCode.BAD_INPUT, exit_code=2)


def check_command(home, file, capsys):
    """A command names the file in one sentence and exits with 2."""
    assert main(["doctor", "--home", str(home)]) == 2
    shown, complaints = capsys.readouterr()
    assert (shown, len(complaints.splitlines())) == ("", 1)
    assert str(file) in complaints


def test_a_second_instance_raises_the_window_of_the_first(tmp_path, used, screen, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    listening = Path(socket_path(used))
    with Running(tmp_path, "--home", tmp_path / "home", screen=screen) as first:
        screen.focus("nbmail")
        first.wait_for("an ear for others", listening.exists)
        (tmp_path / "one.eml").write_bytes(
            b"From: anna@lanternfish.example\r\nSubject: tides\r\n\r\nOut.\r\n"
        )
        second = run_nbmail(
            tmp_path, "--home", tmp_path / "home", tmp_path / "one.eml", QT_QPA_PLATFORM="offscreen"
        )
        assert second == (0, "", "")
        screen.focus("Mail from files")
        screen.press("Escape")
        screen.focus("nbmail")
        # An instance that does not answer is starting or ending: the second one reports that the
        # home is in use.
        listening.unlink()
        refuse(tmp_path, tmp_path / "home", ErrorCode.HOME_IN_USE)
        screen.press("ctrl+q")
        assert first.end() == (0, "")
    assert check_up(tmp_path / "home") == []
