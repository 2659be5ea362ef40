"""A small internet for tests: name server, web server, Dovecot and its sign-in.

`internet.zone` holds the records, `internet.page` sets an answer of the web server. While the
fixture is in use, all names of the process are resolved there, and the usual ports lead to the
test's servers.
"""

import shutil
import socket
import tempfile
import threading
from pathlib import Path

import dns.message
import dns.rdatatype
import dns.resolver
import dns.rrset
import pytest

from nbmail.sync.discovery import dns_records, server_search
from tests.authorization_server import AuthorizationServer
from tests.dovecot import Dovecot
from tests.web_server import WebServer

FIRM = "firm.test"
HOSTER = "hoster.test"
# The hosts of large providers stand for themselves.
CERTIFIED = (
    FIRM,
    f"*.{FIRM}",
    HOSTER,
    f"*.{HOSTER}",
    "imap.gmail.com",
    "autoconfig.thunderbird.net",
)
SYSTEM = socket.getaddrinfo
PATIENCE = 60.0


class NameServer:
    """Name server with the records of `zone`: texts by name and type. It notes the `queries`."""

    def __init__(self, zone):
        self.zone = zone
        self.queries = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, name="names")
        self._thread.start()

    def _serve(self):
        while True:
            data, sender = self._socket.recvfrom(4096)
            if not data:
                return
            query = dns.message.from_wire(data)
            question = query.question[0]
            name = str(question.name).rstrip(".").lower()
            kind = dns.rdatatype.to_text(question.rdtype)
            self.queries.append((name, kind))
            answer = dns.message.make_response(query)
            if found := self.zone.get((name, kind)):
                answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *found))
            elif not any(known == name for known, _ in list(self.zone)):
                answer.set_rcode(dns.rcode.NXDOMAIN)
            self._socket.sendto(answer.to_wire(), sender)

    def close(self):
        self._socket.sendto(b"", ("127.0.0.1", self.port))
        self._thread.join(60)
        self._socket.close()


class Internet:
    """The servers. `found_at(host)` adds the address of a host."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="nbmail-internet-"))
        self._web = WebServer(self.folder, CERTIFIED)
        self.authority = self._web.authority
        self.sign_in = AuthorizationServer(self.folder / "server.pem", self.folder / "server.key")
        introspection = f"http://127.0.0.1:{self.sign_in.plain_port}/introspect"
        self.dovecot = Dovecot(tls=self.folder, introspection=introspection)
        self.zone = {}
        self.names = NameServer(self.zone)
        self.usual_ports = {
            **{443: self._web.port, 993: self.dovecot.tls_port},
            **{143: self.dovecot.port, 1143: self.dovecot.port},
        }
        self.ports = dict(self.usual_ports)
        self.resolver = dns.resolver.Resolver(configure=False)
        self.resolver.nameservers = ["127.0.0.1"]
        self.resolver.port = self.names.port

    def found_at(self, *hosts):
        for host in hosts:
            self.zone[host, "A"] = ["127.0.0.1"]

    @property
    def requests(self):
        """Hosts and paths that were requested."""
        return [(each.headers["Host"].partition(":")[0], each.path) for each in self._web.requests]

    def page(self, host, path, status, kind, body):
        headers = {"Content-Type": kind} | (
            {"Location": f"https://{FIRM}/"} if 300 <= status < 400 else {}
        )
        self._web.answers[host, path] = status, headers, body

    def publish(
        self, place, server, *, user="%EMAILADDRESS%", issuer="", path="/mail/config-v1.1.xml"
    ):
        """Let a host publish settings, with a sign-in at `issuer`."""
        self.found_at(place)
        self.page(place, path, 200, "text/xml", settings_of(*server, user, issuer))

    def find(self, host, port, *more, **named):
        """Resolve a name as `socket.getaddrinfo` does."""
        port = self.ports.get(port, port)
        if isinstance(host, str) and host.rpartition(".")[2].isalpha() and host != "localhost":
            try:
                found = self.resolver.resolve(host, "A", lifetime=PATIENCE, search=False)
            except dns.exception.DNSException:
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known") from None
            host = str(found[0])
        return SYSTEM(host, port, *more, **named)

    def empty(self):
        """Remove all mail and sign-ins. Alice agrees to the next one."""
        self.dovecot.empty()
        self.sign_in.user = "alice"
        self.sign_in.devices.clear()

    def reset(self):
        self.dovecot.hang_up()
        for each in (self.zone, self._web.answers, self._web.requests, self.names.queries):
            each.clear()
        self.ports = dict(self.usual_ports)

    def close(self):
        self._web.close()
        self.names.close()
        self.sign_in.close()
        self.dovecot.close()
        shutil.rmtree(self.folder)


def settings_of(host, port, security, user="%EMAILADDRESS%", issuer=""):
    """Return settings as a provider publishes them, with two unusable servers first."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<clientConfig version="1.1"><emailProvider id="{FIRM}"><domain>{FIRM}</domain>
<incomingServer type="pop3"><hostname>pop.{FIRM}</hostname><port>995</port>
<socketType>SSL</socketType>
<username>%EMAILADDRESS%</username></incomingServer>
<incomingServer type="imap"><hostname>plain.{FIRM}</hostname><port>143</port>
<socketType>plain</socketType>
<username>%EMAILADDRESS%</username></incomingServer>
<incomingServer type="imap"><hostname>{host}</hostname><port>{port}</port>
<socketType>{security}</socketType>
<username>{user}</username><authentication>password-cleartext</authentication>
{"<authentication>OAuth2</authentication>" if issuer else ""}</incomingServer></emailProvider>
{f"<oAuth2><issuer>{issuer}</issuer></oAuth2>" if issuer else ""}</clientConfig>""".encode()


@pytest.fixture(scope="session")
def session_internet():
    """The servers of the session."""
    made = Internet()
    yield made
    made.close()


@pytest.fixture
def internet(session_internet, monkeypatch):
    """The servers, without records and pages, in the place of the real internet."""
    monkeypatch.setenv("SSL_CERT_FILE", str(session_internet.authority))
    monkeypatch.setattr(socket, "getaddrinfo", session_internet.find)
    monkeypatch.setattr(dns.resolver, "default_resolver", session_internet.resolver)
    # A machine that is busy must not look like a network without answers.
    monkeypatch.setattr(server_search, "SOURCE_PATIENCE", PATIENCE)
    monkeypatch.setattr(dns_records, "_DNS_PATIENCE", PATIENCE)
    monkeypatch.setitem(server_search.find_server.__kwdefaults__, "patience", PATIENCE)
    session_internet.empty()
    yield session_internet
    for thread in threading.enumerate():
        if thread.name.startswith(("finding", "guess-")):
            thread.join(60)
    session_internet.reset()
