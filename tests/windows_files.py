"""Files as on Windows: none is replaced, renamed or deleted while this process has it open or mapped."""

import os
from pathlib import Path

import pytest

from nbmail.store.model import arrays


def in_use():
    """Files that this process has open or mapped."""
    handles = Path("/proc/self/fd")
    found = {os.path.realpath(handles / name) for name in os.listdir(handles) if os.path.lexists(handles / name)}
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return found | {line.split(maxsplit=5)[5] for line in lines if line.count(" /") or "/" in line}


@pytest.fixture
def windows_files(monkeypatch):
    """Refuse what Windows refuses."""
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("the system doesn't list open files")
    for name in ("replace", "rename", "unlink", "remove"):
        monkeypatch.setattr(os, name, _refusing(getattr(os, name)))
    monkeypatch.setattr(arrays, "CAN_REPLACE_MAPPED", False)


def _refusing(real):
    def call(*paths, **more):
        if used := {os.path.realpath(path) for path in paths} & in_use():
            raise PermissionError(13, "The file is used by another process", *used)
        return real(*paths, **more)

    return call
