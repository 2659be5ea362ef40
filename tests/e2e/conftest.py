"""Fixtures of the end-to-end tests: a screen, real servers, a small disk."""

import os
import shutil
import subprocess

import pytest

from tests.dovecot import dovecot, make_dovecot, session_dovecot
from tests.e2e.screen import screen
from tests.programs import open_program, start_program

__all__ = ["dovecot", "make_dovecot", "open_program", "screen", "session_dovecot", "start_program"]


@pytest.fixture
def small_disk(tmp_path, request):
    """A disk of eight megabytes, or of the size of the parameter.

    Skipped if the machine does not allow one.
    """
    where = tmp_path / "disk"
    where.mkdir()
    command = [
        "mount",
        "-t",
        "tmpfs",
        "-o",
        f"size={getattr(request, 'param', '8m')}",
        "tmpfs",
        str(where),
    ]
    if (
        os.getuid() != 0
        or shutil.which("mount") is None
        or subprocess.run(command, check=False).returncode
    ):
        pytest.skip("extra: a small disk can only be mounted by root")
    yield where
    subprocess.run(["umount", "-l", str(where)], check=True)
