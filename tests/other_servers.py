"""Cyrus, Courier and GNU Mailutils in temporary folders, with the user alice.

`packaging/servers.sh` unpacks Debian's packages under build/servers without installing them.
"""

import contextlib
import os
import shutil
import subprocess

import imapclient

from tests.dovecot import PASSWORDS, PATIENCE, Server, give_away
from tests.fake_imap import Listener
from tests.needs import need_program, need_server
from tests.waiting import wait_for

PASSWORD = PASSWORDS["alice"]


class OtherServer(Server):
    """Running server. `package`: folder of its programs."""

    package = ""

    def __init__(self):
        self.root = need_server(self.package)
        super().__init__(self.package)
        self.log = (self.folder / "log").open("wb")
        self.start()
        self.client().create_folder(self.spam)

    def start(self):
        raise NotImplementedError

    def put(self, messages, folder="INBOX"):
        client = self.client()
        for message in messages:
            client.append(folder, message)

    def empty(self):
        """Remove all mail, and all folders but the inbox and the spam folder."""
        client = self.client()
        for flags, _, name in sorted(client.list_folders(), key=lambda each: each[2], reverse=True):
            if not {*flags} & {b"\\Noselect", b"\\NonExistent"}:
                client.select_folder(name)
                if uids := client.search("ALL"):
                    client.delete_messages(uids)
                    client.expunge()
            if name not in ("INBOX", self.spam):
                # Names without a folder are listed too, and Courier keeps its trash.
                with contextlib.suppress(imapclient.exceptions.IMAPClientError):
                    client.close_folder()
                    client.delete_folder(name)

    def close(self):
        super().close()
        self.log.close()

    @property
    def libraries(self):
        """Environment of programs in the folder where they were unpacked."""
        found = [
            *self.root.glob("usr/lib/*-linux-*"),
            *self.root.glob("lib/*-linux-*"),
            self.root / "usr/lib",
        ]
        sasl = ":".join(str(each / "sasl2") for each in found)
        return {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, found)), "SASL_PATH": sasl}

    def run(self, *command, **more):
        super().run(*command, env=self.libraries, stdout=self.log, stderr=self.log, **more)

    def wait_for_client(self, user=""):
        """Return a client as soon as the server accepts connections."""

        def come():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            with contextlib.suppress(OSError, imapclient.exceptions.IMAPClientError):
                return self.client(user)

        return wait_for(come, self.package, PATIENCE, 0.05)


# Deleted folders would be renamed to their name and the second: one can't be deleted twice within a
# second.
CYRUS = """
delete_mode: immediate
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
CYRUS_SERVICES = """
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


class Cyrus(OtherServer):
    """Cyrus, with MOVE, CONDSTORE and QRESYNC."""

    package = "cyrus"

    def start(self):
        for each in ("conf/db", "conf/proc", "conf/lock", "conf/socket", "spool"):
            (self.folder / each).mkdir(parents=True)
        user = "daemon" if os.getuid() == 0 else os.environ["USER"]
        programs = self.root / "usr/lib/cyrus/bin"
        chosen = {"folder": self.folder, "programs": programs, "port": self.port, "user": user}
        settings = self.folder / "imapd.conf"
        services = self.folder / "cyrus.conf"
        settings.write_text(CYRUS.format(**chosen))
        services.write_text(CYRUS_SERVICES.format(**chosen))
        setter = [
            self.root / "usr/sbin/saslpasswd2",
            "-p",
            "-c",
            "-f",
            self.folder / "sasldb2",
            "-u",
            "localhost",
        ]
        for name in ("cyrus", "alice"):
            subprocess.run(
                [*setter, name],
                input=PASSWORD.encode(),
                env=self.libraries,
                check=True,
                timeout=PATIENCE,
            )
        give_away(self.folder)
        self.run(
            programs / "master",
            "-D",
            "-C",
            settings,
            "-M",
            services,
            "-p",
            self.folder / "master.pid",
        )
        self.wait_for_client("cyrus").create_folder("user/alice")


class Courier(OtherServer):
    """Courier, without MOVE and CONDSTORE, with all folders below the inbox.

    Its login program requires a daemon with the system's users. Instead, this class greets, reads
    the password and passes the connection to imapd.
    """

    package = "courier"
    spam = "INBOX.Junk"
    abilities = b"IMAP4rev1 UIDPLUS CHILDREN NAMESPACE SORT QUOTA IDLE"

    def start(self):
        self._make_maildir()
        # Without this helper, which it would start itself were it installed, its imapd waits a
        # second for it.
        self.run(next(self.root.glob("usr/**/gam_server")), "--notimeout", self.folder.name)
        self._serving = [self.process]
        self._logins = CourierLogin(self)

    def _make_maildir(self):
        for each in ("cur", "new", "tmp"):
            (self.folder / "alice/Maildir" / each).mkdir(parents=True)

    def empty(self):
        """Replace all files. Courier takes two seconds to delete a folder."""
        self.hang_up()
        self._end(self._serving[1:])
        del self._serving[1:]
        shutil.rmtree(self.folder / "alice/Maildir")
        self._make_maildir()
        self.client().create_folder(self.spam)

    def stop(self):
        self._logins.close()
        self._end(self._serving)

    def _end(self, processes):
        for each in processes:
            each.kill()
            each.wait(PATIENCE)

    def serve(self, line, tag):
        """Pass a connection to imapd, which answers LOGIN with this tag."""
        given = {
            "AUTHENTICATED": "alice",
            "IMAPLOGINTAG": tag.decode(),
            "IMAP_CAPABILITY": self.abilities.decode(),
        }
        given |= {
            "IMAP_KEYWORDS": "1",
            "IMAP_USELOCKS": "1",
            "IMAP_ENHANCEDIDLE": "1",
            "IMAP_TRASHFOLDERNAME": "Trash",
        }
        given |= {
            "TCPREMOTEIP": "127.0.0.1",
            "TCPREMOTEPORT": "1",
            "GAM_CLIENT_ID": self.folder.name,
        }
        command = [self.root / "usr/bin/imapd", "Maildir"]
        where = {
            "cwd": self.folder / "alice",
            "env": {**self.libraries, **given},
            "stderr": self.log,
        }
        self._serving.append(
            subprocess.Popen(command, stdin=line.fileno(), stdout=line.fileno(), **where)
        )


class CourierLogin(Listener):
    """Greets clients of a Courier. Any password is accepted."""

    def __init__(self, courier):
        self._courier = courier
        super().__init__(port=courier.port)

    def drop(self):
        """Do nothing: each connection belongs to an imapd."""

    def _serve(self, line):
        with line, contextlib.suppress(OSError):
            line.settimeout(PATIENCE)
            line.sendall(b"* OK [CAPABILITY " + Courier.abilities + b"] Courier-IMAP ready.\r\n")
            while said := _line(line):
                tag, _, rest = said.partition(b" ")
                if rest.upper().startswith(b"LOGIN"):
                    line.settimeout(None)
                    self._courier.serve(line, tag)
                    return
                line.sendall(b"* CAPABILITY " + Courier.abilities + b"\r\n" + tag + b" OK done\r\n")


MAILUTILS = """
pidfile {folder}/pid;
server 127.0.0.1:{port} {{ single-process no; }};
virtdomain {{ passwd-dir {folder}/passwd; }};
auth {{ authorization virtdomain; authentication generic; }};
gsasl {{ enable no; }};
namespace personal {{ prefix "" {{ directory "{folder}/mail"; delimiter "/"; mailbox-type \
mbox; }}; }};
mailbox {{ mailbox-pattern "mbox:{folder}/spool/${{user}}"; mailbox-type mbox; }};
logging {{ syslog no; }};
"""


class Mailutils(OtherServer):
    """GNU Mailutils, with mbox files, without keywords, UIDPLUS and MOVE."""

    package = "mailutils"
    user = "alice@localhost"

    def start(self):
        for each in ("mail", "spool", "passwd"):
            (self.folder / each).mkdir()
        openssl = [need_program("openssl"), "passwd", "-6", PASSWORD]
        secret = subprocess.run(openssl, capture_output=True, text=True, check=True).stdout.strip()
        who = {"user": "nobody", "group": "nogroup"} if os.getuid() == 0 else {}
        user = 65534 if who else os.getuid()
        known = (
            f"alice:{secret}:{user}:{user}:A:{self.folder}/mail:/bin/sh:{self.folder}/spool/alice\n"
        )
        (self.folder / "passwd/localhost").write_text(known)
        settings = self.folder / "imap4d.conf"
        settings.write_text(MAILUTILS.format(folder=self.folder, port=self.port))
        give_away(self.folder, "nobody")
        command = (
            self.root / "usr/sbin/imap4d",
            "--daemon",
            "--foreground",
            f"--config-file={settings}",
        )
        self.run(*command, **who)
        # Not before it is opened is there an inbox.
        self.wait_for_client().select_folder("INBOX")


def _line(connection):
    """Read one line and not a byte more; empty after the end of the connection."""
    said = b""
    while not said.endswith(b"\n"):
        if not (byte := connection.recv(1)):
            return b""
        said += byte
    return said.rstrip(b"\r\n")
