"""Discovery of settings: each attempt is reported, and nothing is sent before TLS."""

import contextlib
import socket
import threading

import pytest

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Security
from nbmail.sync.discovery import PROVIDERS, discover, password_page, provider_of, try_all, usual_guesses
from nbmail.values import MailServer


class Listener:
    """Port that greets like an IMAP server and stores what it receives."""

    def __init__(self, greeting):
        self.received = b""
        self._greeting = greeting
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, name="listener")
        self._thread.start()

    def _serve(self):
        try:
            connection, _ = self._socket.accept()
        except OSError:
            return
        with connection:
            connection.settimeout(10)
            try:
                connection.sendall(self._greeting)
                while chunk := connection.recv(4096):
                    self.received += chunk
                    if self.received.endswith(b" STARTTLS\r\n"):
                        connection.sendall(self.received.split()[0] + b" OK go on\r\n")
            except OSError:
                return

    def close(self):
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)


@pytest.fixture
def listen():
    listeners = []

    def start(greeting=b"* OK hello\r\n"):
        listeners.append(Listener(greeting))
        return listeners[-1]

    yield start
    for each in listeners:
        each.close()


def test_large_providers_need_no_network():
    attempts = []
    found = discover("Someone@gmail.com", attempts.append)
    assert (found.server.host, found.server.port, found.user) == ("imap.gmail.com", 993, "Someone@gmail.com")
    assert found.password_page.startswith("https://")
    assert [(step.worked, step.tested) for step in attempts] == [(None, False)]


def test_the_table_is_sound():
    domains = [domain for each in PROVIDERS for domain in each.domains.split()]
    assert len(domains) == len(set(domains))
    assert all(domain == domain.lower() and "." in domain for domain in domains)
    assert all(each.security is not Security.PLAIN for each in PROVIDERS)
    assert provider_of("GMail.com.").name == "Gmail"
    assert provider_of("example.org") is None


def test_guessed_servers_use_tls():
    guesses = usual_guesses("example.org")
    assert guesses[0] == MailServer("imap.example.org", 993)
    assert all(each.security is not Security.PLAIN for each in guesses)


@pytest.mark.parametrize("text", ["", "nobody", "@example.org", "someone@"])
def test_invalid_addresses(text):
    with pytest.raises(KnownError) as caught:
        discover(text, lambda step: None)
    assert caught.value.error_code is ErrorCode.BAD_INPUT


def test_the_first_working_server_is_found_and_attempts_are_reported(dovecot, listen):
    ca = str(dovecot.authority)
    refused = MailServer("localhost", 1, authority_file=ca)
    works = MailServer("localhost", dovecot.tls_port, authority_file=ca)
    also = MailServer("localhost", dovecot.port, Security.STARTTLS, authority_file=ca)
    attempts = []
    found = discover("a@b.example", attempts.append, lambda domain: [refused, works, also])
    assert (found.server, found.user, found.provider) == (works, "a@b.example", "")
    assert [step.server for step in attempts[:3]] == [refused, works, also]
    assert {step.server for step in attempts if step.worked} >= {works}
    assert [step.error_code for step in attempts if step.server == refused] == [None, ErrorCode.NO_NETWORK]


def test_starttls_where_there_is_nothing_better(dovecot):
    address = MailServer("localhost", dovecot.port, Security.STARTTLS, str(dovecot.authority))
    assert try_all([address], lambda step: None) == address


def test_none_where_nothing_works(listen):
    silent = listen(b"")
    addresses = [MailServer("localhost", 1), MailServer("localhost", silent.port)]
    attempts = []
    assert try_all(addresses, attempts.append, timeout=0.3) is None
    assert sum(step.worked is False for step in attempts) == 2


def test_nothing_is_sent_before_tls(listen):
    plain, other = listen(), listen()
    addresses = [MailServer("localhost", plain.port), MailServer("localhost", other.port, Security.STARTTLS)]
    assert try_all(addresses, lambda step: None, timeout=0.5) is None
    hello = b"\x16\x03"
    plain.close()
    other.close()
    assert plain.received.startswith(hello)
    command, _, rest = other.received.partition(b"\r\n")
    assert command.endswith(b" STARTTLS") and rest.startswith(hello)


def test_a_server_with_an_untrusted_certificate_is_not_found(dovecot):
    attempts = []
    assert try_all([MailServer("localhost", dovecot.tls_port)], attempts.append) is None
    assert attempts[-1].error_code is ErrorCode.CERTIFICATE


def test_where_a_password_for_programs_is_had():
    assert password_page("IMAP.gmail.com") == "https://myaccount.google.com/apppasswords"
    assert password_page("imap.example.org") == password_page("127.0.0.1") == ""
