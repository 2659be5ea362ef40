"""Temporary data folder of the demo, removed at the end. A failing server is reported."""

import sys

import pytest

from nbmail.app.main import DisplayProbe
from nbmail.demo import home as module
from nbmail.demo.home import NoDemoServer, demo_home


def test_it_is_there_within_the_block_and_gone_behind_it(tmp_path, monkeypatch):
    monkeypatch.setattr(module.tempfile, "tempdir", str(tmp_path))
    with demo_home() as home:
        assert home.folder.parent == tmp_path
        assert home.account.port > 1024
        assert home.settings.accounts == (home.account,)
        (home.folder / "data").mkdir()
        (home.folder / "data" / "something").write_text("to throw away")
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_fails_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(module.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(module, "module_command", lambda _: [sys.executable, "-c", "raise SystemExit('no pymap here')"])
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
    probe = DisplayProbe()
    assert probe.can_open()
    probe.end()
