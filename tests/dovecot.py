"""Dovecot in a temporary folder, with TLS and the users alice and bob.

`Dovecot()` starts a server with the given capabilities, `close` ends it and removes its files.
Tests import fixtures: `dovecot`, one server for the session with all capabilities, and
`make_dovecot`, a factory of further servers. Without Dovecot they skip, or fail if CI is set.
"""

import contextlib
import getpass
import grp
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import imapclient
import pytest

from nbmail.settings import Account, Security
from tests.needs import need_program
from tests.ports import free_port
from tests.waiting import wait_for

PASSWORDS = {"alice": "secret-a", "bob": "secret-b"}
ABILITIES = (
    "IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE SORT THREAD=REFERENCES UNSELECT "
    "CHILDREN NAMESPACE UIDPLUS "
    "LIST-EXTENDED LITERAL+ SPECIAL-USE ESEARCH CONDSTORE QRESYNC MOVE"
)
AUTHORITY = ("-out", "authority.pem", "-days", "30")
SIGNING = ("-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial")
NUMBERS = "BODY.PEEK[HEADER.FIELDS (MESSAGE-ID X-NUMBER)]"
_NUMBER = re.compile(rb"X-Number: (\d+)|<[a-z]*(?:0\.)?(\d+)@")
PATIENCE = 60.0
DISCONNECTED_WITHIN = 5.0

CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/dovecot.log
instance_name = nbmail-test
protocols = imap
listen = 127.0.0.1
default_internal_user = {nobody}
default_internal_group = {group}
default_login_user = {nobody}
first_valid_uid = 0
mail_uid = {user}
mail_gid = {user_group}
mail_home = {folder}/mail/%u
mail_location = maildir:~/Maildir
mail_fsync = never
mail_max_userip_connections = 100
disable_plaintext_auth = no
auth_failure_delay = 0
# Addresses are the users before the @, whatever their domain.
auth_username_format = %Ln
auth_mechanisms = plain login{mechanisms}
ssl = yes
ssl_cert = <{folder}/tls/server.pem
ssl_key = <{folder}/tls/server.key
imap_capability = {abilities}
{tokens}passdb {{
  driver = passwd-file
  args = {folder}/users
}}
userdb {{
  driver = static
  args = uid={user} gid={user_group} home={folder}/mail/%u
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox {spam} {{
    auto = subscribe
{spam_use}
  }}
  mailbox Trash {{
    auto = subscribe
    special_use = \\Trash
  }}
  mailbox Sent {{
    auto = create
    special_use = \\Sent
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
# No penalty: after one test's wrong password the next would wait for seconds.
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
"""


TOKENS = """
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
"""

# An answer of another status than 200 would be a temporary failure.
INTROSPECTION = """
introspection_mode = post
introspection_url = {address}
username_attribute = username
active_attribute = active
active_value = true
"""


class MailClient(imapclient.IMAPClient):
    """Another mail program at the same mailbox."""

    def letters(self, folder, *, readonly=True):
        """Open a folder; return number and flags of each letter by UID."""
        self.select_folder(folder, readonly)
        uids = self.search()
        found = {}
        for uid, data in (self.fetch(uids, ["FLAGS", NUMBERS]) if uids else {}).items():
            # Servers repeat the name of the item in different ways.
            head = b"".join(
                value or b""
                for name, value in data.items()
                if name.upper().startswith(b"BODY[HEADER")
            )
            if number := _NUMBER.search(head):
                flags = {flag.decode() for flag in data.get(b"FLAGS", ())} - {"\\Recent"}
                found[uid] = int(number[1] or number[2]), flags
        return found

    def uids(self, folder, number):
        """Open a folder and return the UIDs of a letter."""
        return [
            uid
            for uid, (found, _) in self.letters(folder, readonly=False).items()
            if found == number
        ]

    def carry(self, uids, target):
        """Move messages of the open folder as a phone does: copy, then expunge."""
        self.copy(uids, target)
        self.delete_messages(uids)
        self.uid_expunge(uids)


class Server:
    """Running server in its own folder. `spam`: name of the spam folder; `user`: login of alice."""

    spam = "Junk"
    user = "alice"

    def __init__(self, package):
        # Not in pytest's own folder: each run of pytest closes that to the server's users again.
        self.folder = Path(tempfile.mkdtemp(prefix=f"nbmail-{package}-"))
        self.folder.chmod(0o755)
        self._clients = []
        self.port = free_port()

    def account(self, user="", **more):
        """Return settings for this server."""
        chosen = {
            "name": user or "alice",
            "host": "localhost",
            "port": self.port,
            "user": user or self.user,
        }
        return Account(**{**chosen, "security": Security.PLAIN, "poll_seconds": 1.0, **more})

    def run(self, *command, **more):
        """Start the server's program in a session of its own: Cyrus ends all of its process group
        when it stops.
        """
        self.process = subprocess.Popen(command, start_new_session=True, **more)

    def client(self, user=""):
        """Return a logged-in client of another program. `hang_up` closes it."""
        client = MailClient("127.0.0.1", self.port, ssl=False, timeout=PATIENCE)
        self._clients.append(client)
        client._imap.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.login(user or self.user, PASSWORDS.get(user, PASSWORDS["alice"]))
        return client

    def hang_up(self):
        while self._clients:
            with contextlib.suppress(OSError):
                self._clients.pop().shutdown()

    def close(self):
        self.hang_up()
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


class Dovecot(Server):
    """Running Dovecot. `more`: further lines of its configuration."""

    def __init__(
        self, *, without=(), spam="Junk", special_use=True, introspection="", tls=None, more=""
    ):
        self.program = need_program("dovecot")
        super().__init__("dovecot")
        self._numbers = itertools.count()
        self.spam = spam
        self.tls_port = free_port()
        for part in ("run", "mail", "tls"):
            (self.folder / part).mkdir()
        # Dovecot's own users must reach what is theirs.
        give_away(self.folder / "mail")
        if tls is not None:
            shutil.copytree(tls, self.folder / "tls", dirs_exist_ok=True)
        make_certificates(self.folder / "tls")
        abilities = [each for each in ABILITIES.split() if each not in without]
        users = "".join(
            f"{user}:{{PLAIN}}{password}::::::\n" for user, password in PASSWORDS.items()
        )
        (self.folder / "users").write_text(users)
        user, group = _owner()
        text = CONFIGURATION.format(
            folder=self.folder,
            nobody="nobody" if os.getuid() == 0 else user,
            group="nogroup" if os.getuid() == 0 else group,
            user=user,
            user_group=group,
            abilities=" ".join(abilities),
            mechanisms=" xoauth2 oauthbearer" if introspection else "",
            tokens=TOKENS.format(folder=self.folder) if introspection else "",
            spam=f'"{spam}"',
            spam_use="    special_use = \\Junk" if special_use else "",
            port=self.port,
            tls_port=self.tls_port,
        )
        (self.folder / "dovecot.conf").write_text(text + more)
        (self.folder / "oauth2.conf").write_text(INTROSPECTION.format(address=introspection))
        self.start()

    @property
    def authority(self):
        return self.folder / "tls" / "authority.pem"

    def account(self, user="", security=Security.TLS, **more):
        """Return settings for this server."""
        port = self.tls_port if security is Security.TLS else self.port
        chosen = {"port": port, "security": security, "authority_file": str(self.authority)}
        return super().account(user, **{**chosen, **more})

    def empty(self):
        """Remove all mail after the last client has disconnected."""
        begun = time.monotonic()
        while left := self._processes("imap"):
            if (lasted := time.monotonic() - begun) > PATIENCE:
                break
            if lasted > DISCONNECTED_WITHIN:
                # A process whose client left during the login waits for it for a minute.
                kill_all(left)
            time.sleep(0.01)
        for user in PASSWORDS:
            shutil.rmtree(self.folder / "mail" / user, ignore_errors=True)

    def close(self):
        self.kill()
        super().close()

    def put(self, messages, user="alice", folder="INBOX"):
        """Write messages into a folder without the server, thousands at once."""
        where = self._maildir(user, folder)
        names = []
        for message in messages:
            number = next(self._numbers)
            names.append(
                f"{1_700_000_000 + number}.M{number}P{os.getpid()}.test,S={len(message)}:2,"
            )
            (where / "tmp" / names[-1]).write_bytes(message)
        give_away(self.folder / "mail" / user)
        # A server that runs must not see a message that is not written yet, or not its own.
        for name in names:
            (where / "tmp" / name).rename(where / "cur" / name)

    def restrict(self, folder, rights, user="alice"):
        """Give the owner of a folder only these rights (RFC 4314). Needs the plugin `acl`."""
        (self._maildir(user, folder) / "dovecot-acl").write_text(f"owner {rights}\n")
        give_away(self.folder / "mail" / user)

    def start(self):
        self.run(self.program, "-F", "-c", self.folder / "dovecot.conf")
        wait_for(self._accepts, "Dovecot", PATIENCE)

    def _accepts(self):
        assert self.process.poll() is None, (self.folder / "dovecot.log").read_text()
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.tls_port), 1),
        ):
            return True

    def kill(self):
        """Kill the server, like a power cut."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(PATIENCE)
            wait_for(lambda: not self._processes(), "the end of Dovecot", PATIENCE)

    def serving(self):
        return len(self._processes("imap"))

    def drop_connections(self):
        """Kill the processes that serve clients, not the server."""
        kill_all(self._processes("imap", "imap-login"))

    def _processes(self, *names):
        """Return the running processes of the server with these names, or all of them."""
        command = ["ps", "-s", str(self.process.pid), "-o", "pid=,stat=,comm="]
        listed = subprocess.run(
            command, capture_output=True, text=True, check=False
        ).stdout.splitlines()
        found = [line.split(None, 2) for line in listed]
        return [
            int(pid)
            for pid, state, name in found
            if state[0] != "Z" and (not names or name in names)
        ]

    def _maildir(self, user, folder):
        base = self.folder / "mail" / user / "Maildir"
        where = base if folder == "INBOX" else base / f".{folder}"
        for part in ("cur", "new", "tmp"):
            (where / part).mkdir(parents=True, exist_ok=True)
        return where


@pytest.fixture(scope="session")
def session_dovecot():
    """Server with all capabilities for the session."""
    server = Dovecot()
    yield server
    server.close()


@pytest.fixture
def dovecot(session_dovecot):
    """Server of the session with empty mailboxes."""
    session_dovecot.empty()
    yield session_dovecot
    session_dovecot.hang_up()


@pytest.fixture
def make_dovecot():
    """Factory of servers: `make_dovecot(without=("MOVE",))`."""
    made = []

    def make(**wishes):
        made.append(Dovecot(**wishes))
        return made[-1]

    yield make
    for server in made:
        server.close()


def _owner():
    if os.getuid() == 0:
        return "daemon", "daemon"
    return getpass.getuser(), grp.getgrgid(os.getgid()).gr_name


def give_away(folder, user="daemon"):
    """Give files to the server's user: as root the server changes its user."""
    if os.getuid() == 0:
        # The server may move a message meanwhile, which chown then misses.
        subprocess.run(
            ["chown", "-R", f"{user}:", str(folder)], check=False, stderr=subprocess.DEVNULL
        )


def make_certificates(folder, names=()):
    """Create an authority and a certificate for localhost and further names."""
    if (folder / "server.pem").exists():
        return
    openssl = need_program("openssl")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    limits = [
        "-addext",
        "basicConstraints=critical,CA:TRUE",
        "-addext",
        "keyUsage=critical,keyCertSign,cRLSign",
    ]
    named = ",".join(["DNS:localhost", "IP:127.0.0.1", *(f"DNS:{name}" for name in names)])
    (folder / "extensions").write_text(
        f"subjectAltName={named}\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n"
    )
    for command in (
        [
            "req",
            "-x509",
            *key,
            *limits,
            "-subj",
            "/CN=nbmail test CA",
            "-keyout",
            "authority.key",
            *AUTHORITY,
        ],
        ["req", *key, "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"],
        [
            "x509",
            "-req",
            "-in",
            "server.csr",
            *SIGNING,
            "-days",
            "30",
            "-extfile",
            "extensions",
            "-out",
            "server.pem",
        ],
    ):
        subprocess.run(
            [openssl, *command], cwd=folder, check=True, capture_output=True, timeout=PATIENCE
        )


def kill_all(processes):
    for each in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
