"""Files as on Windows: derived files are replaced, and `labels.log` is repaired."""

import os
from pathlib import Path

import pytest

from nbmail.chunks import drain
from nbmail.store.labels.journal import By
from nbmail.store.model import array_file
from tests.store.helpers import close_store, fill, open_store


def in_use():
    """Return the files that this process has open or mapped."""
    handles = Path("/proc/self/fd")
    found = {
        os.path.realpath(handles / name)
        for name in os.listdir(handles)
        if os.path.lexists(handles / name)
    }
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return found | {line.split(maxsplit=5)[5] for line in lines if line.count(" /") or "/" in line}


@pytest.fixture
def windows_files(monkeypatch):
    """Refuse what Windows refuses."""
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("the system doesn't list open files")
    for name in ("replace", "rename", "unlink", "remove"):
        monkeypatch.setattr(os, name, _refusing(getattr(os, name)))
    monkeypatch.setattr(array_file, "CAN_REPLACE_MAPPED", False)


def _refusing(real):
    def call(*paths, **more):
        if used := {os.path.realpath(path) for path in paths} & in_use():
            raise PermissionError(13, "The file is used by another process", *used)
        return real(*paths, **more)

    return call


def test_files_in_use_are_read_so_that_they_can_be_replaced(tmp_path, windows_files, caplog):
    home = tmp_path / "home"
    for start in (1, 40):
        store = open_store(home)
        messages = fill(store, 30, start)
        store.marks.mark(
            {each: ("spam", "ham")[each % 2] for each in messages}, by=By.USER, moment=float(start)
        )
        for _ in range(2):
            drain(store.word_ids.write_file())
        close_store(store)
    assert caplog.text == ""


def test_a_torn_log_is_written_again_while_the_program_has_it_open(tmp_path, windows_files, caplog):
    store = open_store(tmp_path / "home")
    store.marks.mark(dict.fromkeys(fill(store, 9), "spam"), by=By.USER, moment=1.0)
    store.close()
    log = tmp_path / "home" / "data" / "labels.log"
    whole = log.read_bytes()
    log.write_bytes(whole[:-40])
    with open_store(tmp_path / "home"):
        assert log.read_bytes() == whole
    assert caplog.text == ""
