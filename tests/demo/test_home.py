"""Temporary data folder of the demo, removed at the end. A failing server is reported."""

import sys

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from nbmail.app.qt_display import probe_display
from nbmail.demo import home as module
from nbmail.demo.home import NoDemoServer, demo_home


def test_each_home_has_a_server_with_its_own_password_and_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(module.tempfile, "tempdir", str(tmp_path))
    with demo_home() as one, demo_home() as other:
        assert one.account.port != other.account.port
        assert {home.folder.parent for home in (one, other)} == {tmp_path}
        (one.folder / "data").mkdir()
        (one.folder / "data" / "something").write_text("to be removed")
        with IMAPClient(one.account.host, one.account.port, ssl=False) as client:
            with pytest.raises(LoginError):
                client.login(one.account.user, other.password)
            client.login(one.account.user, one.password)
            assert {name for _, _, name in client.list_folders()} == {"INBOX", "Junk", "Sorted"}
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_fails_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(module.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(
        module,
        "module_command",
        lambda _: [sys.executable, "-c", "raise SystemExit('no pymap here')"],
    )
    with pytest.raises(NoDemoServer, match="no pymap here"), demo_home() as home:
        assert home.account
    assert list(tmp_path.iterdir()) == []


def test_nothing_that_lies_in_the_current_folder_is_run(tmp_path, monkeypatch):
    monkeypatch.setattr(module.tempfile, "tempdir", str(tmp_path / "homes"))
    (tmp_path / "homes").mkdir()
    for name in ("asyncio", "nbmail", "pymap", "PySide6"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run from the current folder')\n")
    monkeypatch.chdir(tmp_path)
    with demo_home() as home:
        assert home.account.port > 1024
    with probe_display() as release:
        assert release is not None
