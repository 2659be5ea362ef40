"""Temporary data folder, server and account of one run of the demo."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from nbmail.module_command import module_command
from nbmail.settings import Account, Security, Settings

PREFIX = "nbmail-demo-"
PATIENCE = 10.0
"""Seconds until a server that doesn't end is killed."""


class NoDemoServer(Exception):
    """The demo's server did not start. The text is its error message."""


class DemoHome:
    """Data folder, account and password of one run of the demo."""

    def __init__(self, folder: Path, server: subprocess.Popen[str]) -> None:
        self.folder = folder
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
        port = stdout.readline().strip()
        if not port:
            said = stderr.read().strip().splitlines()
            raise NoDemoServer(said[-1] if said else "it ended without a word")
        return Account(
            name="Robin Hale",
            host="127.0.0.1",
            port=int(port),
            security=Security.PLAIN,
            user="robin",
            folders=("INBOX", "Sorted"),
            spam_folder="Junk",
        )

    @property
    def settings(self) -> Settings:
        return Settings(accounts=(self.account,))


@contextmanager
def demo_home() -> Iterator[DemoHome]:
    """Provide a temporary folder and server to the block.

    If the program is killed, the server removes the folder.
    """
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    command = [*module_command("nbmail.demo.server"), str(folder), str(time.time())]
    pipe = subprocess.PIPE
    server = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    try:
        yield DemoHome(folder, server)
    finally:
        try:
            # This closes the server's input, which ends the server.
            server.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()
            server.communicate()
        shutil.rmtree(folder, ignore_errors=True)
