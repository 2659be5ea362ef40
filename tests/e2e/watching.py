"""A data folder with an account, and `nbmail watch`."""

from nbmail.paths import Paths
from tests.dovecot import PASSWORDS
from tests.e2e.running import Running, ask_copy, run_nbmail

LABELS = """
SELECT subject, name FROM labels JOIN messages ON messages.number = message JOIN classes ON \
classes.number = class
"""


class Place:
    """A folder with a data folder, and with a file `secret` that contains alice's password.

    `password`: options with that file. `proof`: options of an added account.
    """

    def __init__(self, folder, dovecot=None, home=None):
        self.folder = folder
        self.dovecot = dovecot
        self.home = home or folder / "home"
        self.paths = Paths.under(self.home)
        self.secret = folder / "password"
        self.secret.write_text(PASSWORDS["alice"] + "\n")
        self.secret.chmod(0o600)
        self.password = self.proof = ("--password-file", self.secret)
        self.running = []

    def close(self):
        for each in self.running:
            each.kill()

    def watch(self, *more):
        """Start `nbmail watch`. `more`: options after the one for the file with the password."""
        self.running.append(
            Running(self.folder, "watch", "--home", self.home, *self.password, *more)
        )
        return self.running[-1]

    def ask(self, query):
        return ask_copy(self.paths.database, query)

    def labels(self):
        """Return labels by subject."""
        return dict(self.ask(LABELS))

    def account(self, *words):
        return run_nbmail(self.folder, "account", *words, "--home", self.home)

    def add(self, *more):
        account = self.dovecot.account()
        code, out, err = self.account(
            *(
                "add",
                "alice@example.org",
                "--name",
                "alice",
                "--user",
                "alice",
                "--server",
                "localhost",
            ),
            *(
                "--port",
                account.port,
                "--authority-file",
                account.authority_file,
                *self.proof,
                *more,
            ),
        )
        assert code == 0, err
        return out

    def sync(self, *more, **environment):
        """Run `nbmail watch --once`, which must succeed.

        `more`: options in place of the file with the password.
        """
        options = more or (() if environment else self.password)
        code, _, err = run_nbmail(
            self.folder, "watch", "--once", "--home", self.home, *options, **environment
        )
        assert code == 0, err

    def deliver(self, raw):
        """Deliver a message to the inbox, as another program does."""
        self.dovecot.client().append("INBOX", raw)


WORDS = {
    "spam": ("claim your free prize money lottery winner now", "prize{}@lottery.example"),
    "pills": ("cheap pharmacy pills discount order doctor overnight", "doctor{}@pharmacy.example"),
    "ham": ("minutes of the garden meeting, Anna", "anna{}@garden.example"),
}


def mail(kind, number):
    """A message that is clearly spam, of two kinds, or clearly not."""
    words, sender = WORDS[kind]
    return (
        f"From: {sender.format(number)}\r\nTo: alice@example.org\r\nSubject: {words[:20]} "
        f"{number}\r\n"
        f"Message-ID: <{kind}{number}@example.org>\r\nDate: Thu, 19 Nov 2026 10:00:00 "
        f"+0000\r\n\r\n{words} {number}\r\n"
    ).encode()
