"""Connecting to an IMAP server, with TLS before anything else."""

import ssl

from imapclient import SocketTimeout

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Security
from nbmail.sync.imap.protocol.imap_connection import ImapClient
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.sync.mailbox_values import MailServer
from nbmail.sync.wake_signal import WakeSignal

CONNECT_TIMEOUT = 15.0
READ_TIMEOUT = 60.0


def connect(
    server: MailServer,
    wake_signal: WakeSignal,
    *,
    timeout: float = READ_TIMEOUT,
    connect_timeout: float = CONNECT_TIMEOUT,
) -> ImapClient:
    """Connect, start TLS if configured, and read the greeting.

    Raise `ConnectionRejected` without a greeting.
    """
    # Before any connection, so that an unreadable certificate file is reported.
    tls = None if server.security is Security.PLAIN else _tls_context(server.authority_file)
    upgrade = server.security is Security.STARTTLS
    timeouts = SocketTimeout(connect_timeout, timeout)
    client = ImapClient(server.host, server.port, wake_signal, timeouts, tls=tls, upgrade=upgrade)
    if tls is not None and upgrade:
        try:
            _start_tls(client, tls)
        except BaseException:
            client.shutdown()
            raise
    return client


def _tls_context(authority_file: str) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=authority_file or None)
    except (OSError, ssl.SSLError) as error:
        raise KnownError(ErrorCode.CERTIFICATE, f"{authority_file}: {error}") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _start_tls(client: ImapClient, context: ssl.SSLContext) -> None:
    """Send STARTTLS without checking the capabilities: unprotected answers can be forged."""
    if client.connection.state != "NONAUTH":
        # PREAUTH leaves no moment for STARTTLS: a misconfigured server, or an attacker who strips
        # it.
        raise KnownError(ErrorCode.NOT_ENCRYPTED, "the server logs us in before encryption")
    try:
        client.starttls(context)
    except KnownError as error:
        if isinstance(error, Refusal) or error.error_code is ErrorCode.SERVER_BROKEN:
            raise KnownError(ErrorCode.NOT_ENCRYPTED, "the server refuses STARTTLS") from error
        raise
