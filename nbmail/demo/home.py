"""A home for one run of the demo: a throw-away folder, a server with somebody's mailbox, and an account on it."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.settings import Account, Security, Settings

if TYPE_CHECKING:
    from nbmail.demo.mail import PlacedMail

PREFIX = "nbmail-demo-"
PATIENCE = 10.0
"""Seconds for the server to go by itself before it is made to."""


START = "import runpy, sys; sys.path.append(sys.argv.pop(1)); runpy.run_module(sys.argv.pop(1), run_name='__main__')"
"""Runs a module of ours: its folder is looked into last, so that nothing there stands in for a library."""


class NoDemoServer(Exception):
    """The demo's server did not start: what it said is the text."""


class DemoHome:
    """Where the demo keeps its things, whose mail it shows, and the password of this one run."""

    def __init__(self, folder: Path, server: subprocess.Popen[str], began: float) -> None:
        self.folder, self._began = folder, began
        self.password = secrets.token_urlsafe(18)
        self._server = server
        _tell(server, self.password)

    @cached_property
    def account(self) -> Account:
        """The account on the server. The first look at it waits until the server listens."""
        return _account(_port_of(self._server))

    def mailbox(self) -> list[PlacedMail]:
        from nbmail.demo.mail import demo_folder, demo_mailbox

        return demo_mailbox(demo_folder(), self._began)

    @property
    def settings(self) -> Settings:
        return Settings(accounts=(self.account,))


@contextmanager
def demo_home() -> Iterator[DemoHome]:
    """A home that is there within the `with` block and gone afterwards, even if the program is killed: the server
    outlives it by a moment and takes the folder away.
    """
    folder, began = Path(tempfile.mkdtemp(prefix=PREFIX)), time.time()
    command = [*_command(), str(folder), str(began)]
    pipe = subprocess.PIPE
    server = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    try:
        yield DemoHome(folder, server, began)
    finally:
        _end(server)
        shutil.rmtree(folder, ignore_errors=True)


def module_command(name: str) -> list[str]:
    """How to start a module of ours so that nothing is run that happens to lie in the current folder."""
    return [sys.executable, "-P", "-c", START, str(Path(__file__).parents[2]), name]


def _command() -> list[str]:
    """How to start the server: in a bundle there is no Python to hand a module to."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--demo-server"]
    return module_command("nbmail.demo.server")


def _tell(server: subprocess.Popen[str], password: str) -> None:
    """Tell the server the password. That it is gone already shows when its port is asked for."""
    assert server.stdin is not None
    with suppress(BrokenPipeError):
        server.stdin.write(password + "\n")
        server.stdin.flush()


def _port_of(server: subprocess.Popen[str]) -> int:
    """Where it listens, as it says itself."""
    assert server.stdout is not None
    assert server.stderr is not None
    port = server.stdout.readline().strip()
    if not port:
        raise NoDemoServer((server.stderr.read().strip().splitlines() or ["it ended without a word"])[-1])
    return int(port)


def _end(server: subprocess.Popen[str]) -> None:
    """Close what the server listens to for its end, and see it go."""
    try:
        server.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        server.kill()
        server.communicate()


def _account(port: int) -> Account:
    """The account as a user would set it up. Without TLS, since nothing of it ever leaves this machine."""
    return Account(
        name="Robin Hale",
        host="127.0.0.1",
        port=port,
        security=Security.PLAIN,
        user="robin",
        folders=("INBOX", "Sorted"),
        junk_folder="Junk",
    )
