"""From a server's address to a connection that may be trusted with a password."""

from __future__ import annotations

import ssl
from dataclasses import dataclass

from imapclient import SocketTimeout

from nbmail.errors import KnownError, Trouble
from nbmail.settings import Account, Security
from nbmail.sync.connection.imap_connection import ImapClient, Refusal, understood
from nbmail.sync.connection.waker import Waker

PATIENCE_TO_CONNECT = 15.0
PATIENCE_TO_READ = 60.0


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server is, and how the connection to it is protected."""

    host: str
    port: int
    security: Security = Security.TLS
    authority_file: str = ""

    @classmethod
    def of(cls, account: Account) -> ServerAddress:
        """The address of an account's server."""
        return cls(account.host, account.port, account.security, account.authority_file)


def connect(
    address: ServerAddress,
    waker: Waker,
    *,
    patience: float = PATIENCE_TO_READ,
    to_connect: float = PATIENCE_TO_CONNECT,
) -> ImapClient:
    """Connect, protect the connection as the address demands, and take the greeting. Nothing is said before that.

    Raises `TurnedAway` where the server doesn't want to greet.
    """
    # The context first: a certificate file that can't be read is known before anyone is called.
    tls = None if address.security is Security.PLAIN else tls_context(address.authority_file)
    timeout = SocketTimeout(to_connect, patience)
    at_once = address.security is Security.TLS
    client = ImapClient(address.host, address.port, waker, timeout, tls=tls, at_once=at_once)
    if tls is not None and not at_once:
        try:
            _start_tls(client, tls)
        except BaseException:
            client.shutdown()
            raise
    return client


def tls_context(authority_file: str = "") -> ssl.SSLContext:
    """TLS 1.2 or later with certificate and host name checked, by the system's authorities or the given file alone."""
    try:
        context = ssl.create_default_context(cafile=authority_file or None)
    except (OSError, ssl.SSLError) as error:
        raise KnownError(Trouble.CERTIFICATE, f"{authority_file}: {error}") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _start_tls(client: ImapClient, context: ssl.SSLContext) -> None:
    """Ask for TLS without asking first whether it is offered: what is said unprotected proves nothing."""
    if client.connection.state != "NONAUTH":
        # Being logged in already leaves no moment for STARTTLS: either a foolish server, or someone who strips it.
        raise KnownError(Trouble.NOT_ENCRYPTED, "the server logs us in before encryption")
    try:
        with understood():
            client.starttls(context)
    except KnownError as error:
        if isinstance(error, Refusal) or error.trouble is Trouble.SERVER_BROKEN:
            raise KnownError(Trouble.NOT_ENCRYPTED, "the server refuses STARTTLS") from error
        raise
