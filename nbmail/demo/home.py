"""Temporary data folder, server and account of one run of the demo."""

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
"""Seconds until a server that doesn't end is killed."""


START = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); runpy.run_module(sys.argv.pop(1), "
    "run_name='__main__')"
)
"""Runs a module of this program. Its folder comes last in the search path, so that it can't replace
a library.
"""


class NoDemoServer(Exception):
    """The demo's server did not start. The text is its error message."""


class DemoHome:
    """Data folder, account and password of one run of the demo."""

    def __init__(self, folder: Path, server: subprocess.Popen[str], began: float) -> None:
        self.folder = folder
        self._began = began
        self.password = secrets.token_urlsafe(18)
        self._server = server
        assert server.stdin is not None
        # If the server has ended, reading its port fails.
        with suppress(BrokenPipeError):
            server.stdin.write(self.password + "\n")
            server.stdin.flush()

    @cached_property
    def account(self) -> Account:
        """Account on the server, without TLS. The first access waits until the server listens."""
        stdout = self._server.stdout
        stderr = self._server.stderr
        assert stdout is not None
        assert stderr is not None
        if not (port := stdout.readline().strip()):
            raise NoDemoServer(
                (stderr.read().strip().splitlines() or ["it ended without a word"])[-1]
            )
        return Account(
            name="Robin Hale",
            host="127.0.0.1",
            port=int(port),
            security=Security.PLAIN,
            user="robin",
            folders=("INBOX", "Sorted"),
            spam_folder="Junk",
        )

    def mailbox(self) -> list[PlacedMail]:
        from nbmail.demo.mail import demo_folder, demo_mailbox

        return demo_mailbox(demo_folder(), self._began)

    @property
    def settings(self) -> Settings:
        return Settings(accounts=(self.account,))


@contextmanager
def demo_home() -> Iterator[DemoHome]:
    """Provide a temporary folder and server to the block. If the program is killed, the server
    removes the folder.
    """
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    began = time.time()
    command = [*module_command("nbmail.demo.server"), str(folder), str(began)]
    pipe = subprocess.PIPE
    server = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    try:
        yield DemoHome(folder, server, began)
    finally:
        try:
            # This closes the server's input, which ends the server.
            server.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()
            server.communicate()
        shutil.rmtree(folder, ignore_errors=True)


def module_command(name: str) -> list[str]:
    """Return the command for a module of this program, without the current folder in the search
    path.
    """
    return [sys.executable, "-P", "-c", START, str(Path(__file__).parents[2]), name]
