"""Search for settings with a real name server, web server and Dovecot."""

import contextlib
import socket

import pytest

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Security
from nbmail.sync.discovery.providers import PROVIDERS, password_page, provider_of
from nbmail.sync.discovery.server_search import find_server
from nbmail.sync.discovery.settings_sources import usual_guesses
from nbmail.sync.mailbox_values import (
    MailServer,
    ServerFound,
    ServerTried,
    SettingsSource,
    SourceAsked,
)
from nbmail.sync.web import Web
from tests.fake_imap import Listener
from tests.internet import FIRM, HOSTER, settings_of

ADDRESS = f"anna.lind@{FIRM}"
IMAP = f"imap.{FIRM}"
HERE = f"mx.{HOSTER}"
PATIENCE = 60.0
# Beginning of the first TLS message of a client.
HELLO = b"\x16\x03"
WELL_KNOWN = "/.well-known/autoconfig/mail/config-v1.1.xml"


class Recorder(Listener):
    """Port that greets like an IMAP server and stores what arrives before TLS."""

    received = b""

    def drop(self):
        """Do nothing: each connection ends by itself."""

    def _serve(self, connection):
        with contextlib.suppress(OSError), connection:
            connection.settimeout(PATIENCE)
            connection.sendall(b"* OK hello\r\n")
            while HELLO not in self.received and (chunk := connection.recv(4096)):
                self.received += chunk
                if self.received.endswith(b" STARTTLS\r\n"):
                    connection.sendall(self.received.split()[0] + b" OK go on\r\n")


@pytest.fixture
def search(internet, monkeypatch):
    """Searches for the server of an address. `steps` are those of the latest search."""
    monkeypatch.setattr("nbmail.sync.discovery.dns_records._DNS_PATIENCE", PATIENCE)

    def find(address=ADDRESS, *, patience=PATIENCE, **more):
        find.steps = []
        return find_server(
            address, find.steps.append, patience=patience, web=Web(timeout=PATIENCE), **more
        )

    return find


def sources(search):
    """Return the names that each source reported last, by source and place."""
    asked = [
        step for step in search.steps if isinstance(step, SourceAsked) and step.names is not None
    ]
    return {(step.source, step.place): step.names for step in asked}


def attempts(search):
    return [step for step in search.steps if isinstance(step, ServerTried)]


# --------------------------------------------------------------------------------------------------
# the sources


def test_settings_that_the_domain_publishes_are_found(internet, search):
    internet.publish(f"autoconfig.{FIRM}", (IMAP, 993, "SSL"), user="%EMAILLOCALPART%")
    internet.found_at(IMAP)
    assert search() == ServerFound(MailServer(IMAP), "anna.lind")
    assert sources(search)[SettingsSource.AUTOCONFIG, f"autoconfig.{FIRM}"] == (IMAP,)
    assert (f"autoconfig.{FIRM}", "/mail/config-v1.1.xml") in internet.requests
    assert not any("anna" in host + path for host, path in internet.requests), "the domain alone"
    assert not any("anna" in name for name, _ in internet.names.queries)


def test_settings_at_the_second_address_are_found(internet, search):
    internet.publish(FIRM, ("%EMAILDOMAIN%", 143, "STARTTLS"), path=WELL_KNOWN)
    assert search() == ServerFound(MailServer(FIRM, 143, Security.STARTTLS), ADDRESS)


def test_settings_of_the_provider_that_receives_the_mail_are_found(internet, search):
    internet.zone[FIRM, "MX"] = [f"20 other.{HOSTER}.", f"10 mx.eu.{HOSTER}."]
    internet.publish(f"autoconfig.{HOSTER}", (f"imap.{HOSTER}", 993, "SSL"))
    internet.found_at(f"imap.{HOSTER}")
    found = search()
    assert (found.server, found.foreign) == (MailServer(f"imap.{HOSTER}"), True)
    assert sources(search)[SettingsSource.EXCHANGER, FIRM] == (f"mx.eu.{HOSTER}", f"other.{HOSTER}")


def test_a_large_provider_that_receives_the_mail_is_found(internet, search):
    internet.zone[FIRM, "MX"] = ["10 aspmx.l.google.com."]
    internet.found_at("imap.gmail.com")
    found = search()
    assert (found.server.host, found.user, found.provider, found.foreign) == (
        "imap.gmail.com",
        ADDRESS,
        "Gmail",
        True,
    )


def test_servers_in_the_dns_of_the_domain_are_found(internet, search):
    internet.zone[f"_imaps._tcp.{FIRM}", "SRV"] = ["0 0 0 ."]
    internet.zone[f"_imap._tcp.{FIRM}", "SRV"] = [f"20 0 143 old.{FIRM}.", f"10 0 143 post.{FIRM}."]
    internet.found_at(f"post.{FIRM}", f"old.{FIRM}")
    assert search() == ServerFound(MailServer(f"post.{FIRM}", 143, Security.STARTTLS), ADDRESS)
    assert sources(search)[SettingsSource.SERVICE, FIRM] == (f"post.{FIRM}", f"old.{FIRM}")


def test_servers_with_usual_names_are_found(internet, search):
    internet.found_at(f"mail.{FIRM}")
    assert search() == ServerFound(MailServer(f"mail.{FIRM}"), ADDRESS)


def test_the_directory_is_asked_only_on_request(internet, search):
    internet.publish(
        "autoconfig.thunderbird.net", (f"imap.{HOSTER}", 993, "SSL"), path=f"/v1.1/{FIRM}"
    )
    internet.found_at(f"imap.{HOSTER}")
    assert search() is None
    assert not any("thunderbird" in name for name, _ in internet.names.queries)
    found = search(directory=True)
    assert (found.server.host, found.foreign) == (f"imap.{HOSTER}", True)
    assert set(sources(search)) == {(SettingsSource.DIRECTORY, "autoconfig.thunderbird.net")}


def test_the_rank_of_the_source_decides(internet, search):
    internet.publish(f"autoconfig.{FIRM}", (f"first.{FIRM}", 993, "SSL"))
    internet.zone[f"_imaps._tcp.{FIRM}", "SRV"] = [f"0 0 993 second.{FIRM}."]
    internet.found_at(f"second.{FIRM}", IMAP)
    assert search().server.host == f"second.{FIRM}", "the first names a server that isn't there"
    internet.found_at(f"first.{FIRM}")
    assert search().server.host == f"first.{FIRM}"


def test_a_silent_source_ends_with_the_time_and_the_others_decide(internet, search):
    internet.found_at(IMAP, f"autoconfig.{FIRM}")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        internet.ports[443] = silent.getsockname()[1]
        assert search(patience=5.0).server.host == IMAP
        assert (SettingsSource.AUTOCONFIG, f"autoconfig.{FIRM}") not in sources(search)


def test_an_authorization_server_in_the_settings_is_offered(internet, search):
    internet.publish(f"autoconfig.{FIRM}", (IMAP, 993, "SSL"), issuer="login.firm.test")
    internet.found_at(IMAP)
    found = search()
    assert (found.sign_in.issuer, found.closed) == ("https://login.firm.test", False)


BOMB = b"""<?xml version="1.0"?><!DOCTYPE c [<!ENTITY a "aaaa"><!ENTITY b \
"&a;&a;&a;">]><clientConfig>&b;</clientConfig>"""
VALID = settings_of(f"trap.{FIRM}", 993, "SSL")


NO_SETTINGS = {
    "html": (200, "text/html", VALID),
    "portal": (200, "text/xml", b"<html><body>Log in to the hotel</body></html>"),
    "entities": (200, "text/xml", BOMB),
    "utf-16": (200, "text/xml", BOMB.decode().encode("utf-16")),
    "long": (200, "text/xml", VALID + b" " * 70_000),
    "cut": (200, "text/xml", VALID[:-20]),
    "redirect": (302, "text/xml", VALID),
    "missing": (404, "text/xml", VALID),
    "plain": (200, "text/xml", settings_of(f"trap.{FIRM}", 993, "plain")),
    "port": (200, "text/xml", settings_of(f"trap.{FIRM}", "0", "SSL")),
    "path": (200, "text/xml", settings_of("trap/../x", 993, "SSL")),
    "number": (200, "text/xml", settings_of("10.0.0.12", 993, "SSL")),
}


@pytest.mark.parametrize("page", NO_SETTINGS.values(), ids=NO_SETTINGS)
def test_malformed_settings_name_no_server(internet, search, page):
    internet.found_at(f"autoconfig.{FIRM}", f"trap.{FIRM}")
    internet.page(f"autoconfig.{FIRM}", "/mail/config-v1.1.xml", *page)
    assert search() is None
    assert sources(search)[SettingsSource.AUTOCONFIG, f"autoconfig.{FIRM}"] == ()


def test_settings_over_an_unverified_connection_are_refused(internet, search, monkeypatch):
    internet.publish(f"autoconfig.{FIRM}", (IMAP, 993, "SSL"))
    internet.found_at(IMAP)
    monkeypatch.delenv("SSL_CERT_FILE")
    assert search() is None
    errors = {
        step.place: step.error_code
        for step in search.steps
        if isinstance(step, SourceAsked) and step.error_code
    }
    assert errors[f"autoconfig.{FIRM}"] is ErrorCode.CERTIFICATE
    assert {step.error_code for step in attempts(search) if step.server.host == IMAP} == {
        None,
        ErrorCode.CERTIFICATE,
    }


def test_names_that_no_host_can_have_are_skipped(internet, search):
    internet.zone[f"_imaps._tcp.{FIRM}", "SRV"] = ["0 0 993 imap\\032x.firm.test."]
    internet.zone[FIRM, "MX"] = ["0 ."]
    assert search() is None


def test_a_domain_with_other_letters_is_asked_for_by_its_ascii_name(internet, search):
    internet.found_at("imap.xn--bcher-kva.test")
    assert search("anna@Bücher.test", guess=lambda domain: [MailServer(f"imap.{domain}")]) is None
    names = {name for name, _ in internet.names.queries}
    assert {
        "imap.xn--bcher-kva.test",
        "autoconfig.xn--bcher-kva.test",
        "_imaps._tcp.xn--bcher-kva.test",
    } <= names
    assert {step.error_code for step in attempts(search)} == {None, ErrorCode.CERTIFICATE}


# -------------------------------------------------------------------------------------------- known
# providers


def test_a_large_provider_is_tried_like_any_other_server(internet, search):
    found = search("Someone@gmail.com")
    assert (found.server.host, found.user, found.worked) == (
        "imap.gmail.com",
        "Someone@gmail.com",
        False,
    )
    assert found.error_code is ErrorCode.NO_NETWORK
    assert [step.worked for step in attempts(search)] == [None, False]
    internet.found_at("imap.gmail.com")
    found = search("Someone@gmail.com")
    assert (found.worked, found.foreign, found.sign_in.name) == (True, False, "Google")
    assert found.password_page.startswith("https://")
    assert internet.requests == [], "nobody else is asked"


def test_the_table_of_providers_is_valid():
    domains = [domain for each in PROVIDERS for domain in each.domains.split()]
    assert len(domains) == len(set(domains))
    assert all(domain == domain.lower() and "." in domain for domain in domains)
    assert all(
        each.security is not Security.PLAIN for each in (*PROVIDERS, *usual_guesses("example.org"))
    )
    assert provider_of("GMail.com.").name == "Gmail"
    assert provider_of("outlook.com").closed and not provider_of("outlook.com").password_page
    assert provider_of("example.org") is provider_of("") is None
    assert password_page("IMAP.gmail.com") == "https://myaccount.google.com/apppasswords"
    assert password_page("imap.example.org") == password_page("127.0.0.1") == ""


# --------------------------------------------------------------------------------------------------
# attempts


@pytest.mark.parametrize(
    "text",
    ["", "nobody", "@example.org", "someone@", "a@b/c.example", "a@b..example", "a@10.0.0.1"],
)
def test_an_invalid_address_is_refused(text):
    with pytest.raises(KnownError) as caught:
        find_server(text, lambda step: None)
    assert caught.value.error_code is ErrorCode.BAD_INPUT


def test_the_first_working_server_is_found_and_attempts_are_reported(internet, search):
    refused = MailServer("localhost", 1)
    works = MailServer("localhost", internet.dovecot.tls_port)
    also = MailServer("localhost", internet.dovecot.port, Security.STARTTLS)
    found = search(guess=lambda domain: [refused, works, also])
    assert (found.server, found.user, found.provider) == (works, ADDRESS, "")
    assert {step.server for step in attempts(search)} == {refused, works, also}
    assert {step.server for step in attempts(search) if step.worked} >= {works}
    assert [step.error_code for step in attempts(search) if step.server == refused] == [
        None,
        ErrorCode.NO_NETWORK,
    ]


def test_nothing_is_sent_before_tls(internet, search):
    with contextlib.closing(Recorder()) as plain, contextlib.closing(Recorder()) as other:
        addresses = [
            MailServer("localhost", plain.port),
            MailServer("localhost", other.port, Security.STARTTLS),
        ]
        assert search(guess=lambda domain: addresses) is None
    assert plain.received.startswith(HELLO)
    command, _, rest = other.received.partition(b"\r\n")
    assert command.endswith(b" STARTTLS") and rest.startswith(HELLO)
