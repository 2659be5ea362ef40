"""What a test needs from the machine: missing on a desk it is skipped loudly, on CI it is a failure."""

import os
import shutil
from pathlib import Path

import pytest

from nbmail.core.compiled import compiled


def need_program(name):
    """The path of a program; without it the test can't run."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/libexec/dovecot:/usr/lib/dovecot")
    if found is None:
        _miss(f"the program {name} is not installed")
    return found


def need_compiled(name, version):
    """A compiled module of `nbmail.core`; without a compiler there is none, and plain Python does its work."""
    found = compiled(name, version)
    if found is None:
        _miss(f"nbmail.core.{name} is not compiled: run packaging/compile.py")
    return found


def need_corpus(name):
    """The folder of an unpacked corpus under NBMAIL_CORPORA; these tests are extra everywhere."""
    folder = Path(os.environ.get("NBMAIL_CORPORA", "/nowhere")) / name
    if not folder.is_dir():
        pytest.skip(f"extra: set NBMAIL_CORPORA to the folder that holds {name}")
    return folder


def need_server(name):
    """The folder in which `packaging/servers.sh` has unpacked a server."""
    folder = Path(__file__).parents[1] / "build/servers" / name
    if not (folder / "ready").exists():
        _miss(f"the server {name} is not there: run packaging/servers.sh")
    return folder


def _miss(reason):
    if os.environ.get("CI"):
        pytest.fail(f"on CI nothing may be missing: {reason}")
    pytest.skip(reason)
