"""A data folder with an account, and a running `nbmail watch`."""

import signal
import subprocess
import threading

from nbmail.paths import Paths
from tests.dovecot import PASSWORDS
from tests.e2e.running import COMMAND, ROOT, environment, run_nbmail
from tests.waiting import wait_for


class Place:
    """A folder with a data folder, and with a file `secret` that contains alice's password."""

    def __init__(self, folder, dovecot=None, home=None):
        self.folder, self.dovecot, self.home = folder, dovecot, home or folder / "home"
        self.paths, self.secret = Paths.under(self.home), folder / "password"
        self.secret.write_text(PASSWORDS["alice"] + "\n")
        self.secret.chmod(0o600)

    def account(self, *words):
        return run_nbmail(self.folder, "account", *words, "--home", self.home)

    def add(self, *more):
        account = self.dovecot.account()
        code, out, err = self.account(
            *("add", "alice@example.org", "--name", "alice", "--user", "alice", "--server", "localhost"),
            *("--port", account.port, "--authority-file", account.authority_file, "--password-file", self.secret),
            *more,
        )
        assert code == 0, err
        return out

    def sync(self, *more, **environment):
        """Run `nbmail watch --once`, which must succeed. `more`: options in place of the file with the password."""
        options = more or (() if environment else ("--password-file", self.secret))
        code, _, err = run_nbmail(self.folder, "watch", "--once", "--home", self.home, *options, **environment)
        assert code == 0, err

    def deliver(self, raw):
        """Deliver a message to the inbox, as another program does."""
        self.dovecot.client().append("INBOX", raw)


class Watching:
    """A running `nbmail watch`."""

    def __init__(self, place, *more):
        command = [*COMMAND, "watch", "--home", str(place.home), "--password-file", str(place.secret), *more]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, env=environment(place.folder)
        )
        self.lines, self.errors = [], []
        self._readers = [
            threading.Thread(target=lambda s=stream, k=kept: k.extend(iter(s.readline, "")), daemon=True)
            for stream, kept in ((self.process.stdout, self.lines), (self.process.stderr, self.errors))
        ]
        for reader in self._readers:
            reader.start()

    def wait_for(self, text, patience=120.0):
        return wait_for(lambda: next((line for line in list(self.lines) if text in line), None), text, patience)

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(120)
        for reader in self._readers:
            reader.join(120)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


WORDS = {
    "junk": ("claim your free prize money lottery winner now", "prize{}@lottery.example"),
    "pills": ("cheap pharmacy pills discount order doctor overnight", "doctor{}@pharmacy.example"),
    "good": ("minutes of the garden meeting, Anna", "anna{}@garden.example"),
}


def mail(kind, number):
    """A message that is clearly junk, of two kinds, or clearly not."""
    words, sender = WORDS[kind]
    return (
        f"From: {sender.format(number)}\r\nTo: alice@example.org\r\nSubject: {words[:20]} {number}\r\n"
        f"Message-ID: <{kind}{number}@example.org>\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\n\r\n{words} {number}\r\n"
    ).encode()
