"""A second real IMAP server for the long tests: Cyrus in a folder of its own, with the user alice.

Where it isn't installed, Debian's packages are fetched and unpacked beside its mail; nothing of the system is changed.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import imapclient
import pytest

from nbmail.settings import Account, Security
from tests.dovecot import PASSWORDS

PACKAGES = [
    "cyrus-imapd",
    "cyrus-common",
    "sasl2-bin",
    "libsasl2-modules",
    "libsasl2-modules-db",
    "libical3",
    "libpcre3",
    "libxapian30",
]
PATIENCE = 30.0
SETTINGS = """
configdirectory: {folder}/conf
partition-default: {folder}/spool
defaultpartition: default
admins: cyrus
cyrus_user: {user}
cyrus_group: {user}
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: {folder}/sasldb2
sasl_mech_list: PLAIN
allowplaintext: yes
unixhierarchysep: yes
altnamespace: yes
idlesocket: {folder}/idle
servername: localhost
"""
SERVICES = """
START {{
  recover cmd="{programs}/ctl_cyrusdb -C {folder}/imapd.conf -r"
}}
SERVICES {{
  imap cmd="{programs}/imapd -C {folder}/imapd.conf" listen="127.0.0.1:{port}" prefork=2 maxchild=50
}}
DAEMON {{
  idled cmd="{programs}/idled -C {folder}/imapd.conf"
}}
"""


class Cyrus:
    """A Cyrus in its own folder, running from the start."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="nbmail-cyrus-"))
        self.folder.chmod(0o755)
        self._clients = []
        root = unpacked(self.folder)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        for each in ("conf/db", "conf/proc", "conf/lock", "conf/socket", "spool"):
            (self.folder / each).mkdir(parents=True)
        chosen = {"folder": self.folder, "programs": root / "usr/lib/cyrus/bin", "port": self.port, "user": _user()}
        (self.folder / "imapd.conf").write_text(SETTINGS.format(**chosen))
        (self.folder / "cyrus.conf").write_text(SERVICES.format(**chosen))
        libraries = root / "usr/lib/x86_64-linux-gnu"
        where = f"{libraries}:{root / 'lib/x86_64-linux-gnu'}"
        environment = {**os.environ, "LD_LIBRARY_PATH": where, "SASL_PATH": str(libraries / "sasl2")}
        for user in ("cyrus", "alice"):
            command = [
                root / "usr/sbin/saslpasswd2",
                "-p",
                "-c",
                "-f",
                self.folder / "sasldb2",
                "-u",
                "localhost",
                user,
            ]
            subprocess.run(command, input=PASSWORDS["alice"].encode(), env=environment, check=True, timeout=PATIENCE)
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", "daemon:daemon", self.folder], check=True)
        command = [
            chosen["programs"] / "master",
            "-D",
            "-C",
            self.folder / "imapd.conf",
            "-M",
            self.folder / "cyrus.conf",
        ]
        command += ["-p", self.folder / "master.pid"]
        self._log = (self.folder / "log").open("wb")
        self._process = subprocess.Popen(command, env=environment, stdout=self._log, stderr=self._log)
        self._make_mailbox()

    def account(self, user="alice", **more):
        """Settings that reach this server."""
        chosen = {"name": user, "host": "localhost", "port": self.port, "security": Security.PLAIN, "user": user}
        return Account(**{**chosen, "poll_seconds": 1.0, **more})

    def client(self, user="alice"):
        """Another program on the same mailbox, logged in."""
        client = imapclient.IMAPClient("127.0.0.1", self.port, ssl=False, timeout=PATIENCE)
        self._clients.append(client)
        client.login(user, PASSWORDS["alice"])
        return client

    def put(self, messages, folder="INBOX"):
        """Lay messages into a folder."""
        client = self.client()
        for message in messages:
            client.append(folder, message)

    def empty(self):
        """Remove all mail."""
        client = self.client()
        for folder in ("INBOX", "Junk"):
            client.select_folder(folder)
            if uids := client.search("ALL"):
                client.delete_messages(uids)
                client.expunge()

    def hang_up(self):
        """Close what `client` opened."""
        while self._clients:
            with contextlib.suppress(OSError):
                self._clients.pop().shutdown()

    def close(self):
        """End the server and remove its folder."""
        self.hang_up()
        self._process.terminate()
        self._process.wait(PATIENCE)
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _make_mailbox(self):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                admin = self.client("cyrus")
                break
            except (OSError, imapclient.exceptions.IMAPClientError):
                assert time.monotonic() < deadline, (self.folder / "log").read_text()
                time.sleep(0.1)
        admin.create_folder("user/alice")
        self.client().create_folder("Junk")


def unpacked(folder):
    """Where Cyrus's programs are: the system's root, or a folder with what was fetched."""
    if Path("/usr/lib/cyrus/bin/master").exists():
        return Path("/")
    packages, root = folder / "packages", folder / "root"
    packages.mkdir()
    fetched = subprocess.run(["apt-get", "download", *PACKAGES], cwd=packages, capture_output=True, check=False)
    if fetched.returncode:
        pytest.skip("Cyrus is not installed and can't be fetched")
    for package in packages.glob("*.deb"):
        subprocess.run(["dpkg", "-x", package, root], check=True)
    return root


def _user():
    return "daemon" if os.getuid() == 0 else os.environ["USER"]
