"""Requirements of tests. If one is missing, the test is skipped with a message; with CI set, it
fails.
"""

import os
import shutil
from pathlib import Path

import pytest

from nbmail.core.compiled import compiled


def need_program(name):
    """Return the path of a program."""
    found = shutil.which(name) or shutil.which(
        name, path="/usr/sbin:/usr/libexec/dovecot:/usr/lib/dovecot"
    )
    if found is None:
        _miss(f"the program {name} is not installed")
    return found


def need_compiled(name, version):
    """Return a compiled module of `nbmail.core`. Without a compiler Python code replaces it."""
    found = compiled(name, version)
    if found is None:
        _miss(f"nbmail.core.{name} is not compiled: run packaging/compile.py")
    return found


def need_corpus(name):
    """Return the folder of an unpacked corpus under NBMAIL_CORPORA. Without it the test is
    skipped.
    """
    folder = Path(os.environ.get("NBMAIL_CORPORA", "/nowhere")) / name
    if not folder.is_dir():
        pytest.skip(f"extra: set NBMAIL_CORPORA to the folder that holds {name}")
    return folder


def need_server(name):
    """Return the folder in which `packaging/servers.sh` unpacked a server."""
    folder = Path(__file__).parents[1] / "build/servers" / name
    if not (folder / "ready").exists():
        _miss(f"the server {name} is not there: run packaging/servers.sh")
    return folder


def _miss(reason):
    if os.environ.get("CI"):
        pytest.fail(f"on CI nothing may be missing: {reason}")
    pytest.skip(reason)
