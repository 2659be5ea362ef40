"""Connecting to an IMAP server and logging in: TLS first, the password once."""

import re
import ssl

from imapclient import SocketTimeout

from nbmail.errors import ErrorCode, KnownError
from nbmail.log import keep_out
from nbmail.settings import Security
from nbmail.sync.imap.access_token import AccessToken, log_in_with_token
from nbmail.sync.imap.imap_connection import ImapClient, Refusal, astring
from nbmail.sync.mailbox_values import MailServer
from nbmail.sync.wake_signal import WakeSignal

CONNECT_TIMEOUT = 15.0
READ_TIMEOUT = 60.0

# Providers without such codes: Gmail ("[ALERT] Too many simultaneous connections"), Yahoo, Exchange.
_TEMPORARY_TEXT = re.compile(
    r"too many|simultaneous|try again|temporar|unavailable|exceeded|rate limit|server (?:error|busy)|internal error",
    re.IGNORECASE,
)
_PERMANENT_CODES = {"AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED"}


def connect(
    server: MailServer,
    wake_signal: WakeSignal,
    *,
    timeout: float = READ_TIMEOUT,
    connect_timeout: float = CONNECT_TIMEOUT,
) -> ImapClient:
    """Connect, start TLS if configured, and read the greeting.

    Raises `ConnectionRejected` if the server sends no greeting.
    """
    # The context first: an unreadable certificate file is reported before any connection.
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


def log_in(client: ImapClient, user: str, password: str) -> str:
    """Log in, unless the server already did (PREAUTH). Return the mechanism."""
    keep_out(password)
    if client.connection.state != "NONAUTH":
        return "PREAUTH"
    try:
        f"{user}{password}".encode()
    except UnicodeEncodeError:
        # The original error would show the password.
        raise KnownError(ErrorCode.WRONG_PASSWORD, "it contains characters that no server accepts") from None
    try:
        if isinstance(password, AccessToken):
            return log_in_with_token(client, user, password)
        return _authenticate(client, user, password)
    except Refusal as refusal:
        if refusal.temporary or (refusal.code not in _PERMANENT_CODES and _TEMPORARY_TEXT.search(refusal.detail)):
            raise
        raise KnownError(ErrorCode.WRONG_PASSWORD, refusal.detail) from refusal


def _tls_context(authority_file: str) -> ssl.SSLContext:
    """Return TLS 1.2 or later that checks certificate and host, by `authority_file` or the system's authorities."""
    try:
        context = ssl.create_default_context(cafile=authority_file or None)
    except (OSError, ssl.SSLError) as error:
        raise KnownError(ErrorCode.CERTIFICATE, f"{authority_file}: {error}") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _start_tls(client: ImapClient, context: ssl.SSLContext) -> None:
    """Send STARTTLS without checking the capabilities: unprotected answers can be forged."""
    if client.connection.state != "NONAUTH":
        # PREAUTH leaves no moment for STARTTLS: a misconfigured server, or an attacker who strips it.
        raise KnownError(ErrorCode.NOT_ENCRYPTED, "the server logs us in before encryption")
    try:
        client.starttls(context)
    except KnownError as error:
        if isinstance(error, Refusal) or error.error_code is ErrorCode.SERVER_BROKEN:
            raise KnownError(ErrorCode.NOT_ENCRYPTED, "the server refuses STARTTLS") from error
        raise


def _authenticate(client: ImapClient, user: str, password: str) -> str:
    if "AUTH=PLAIN" in client.connection.capabilities:
        client.plain_login(user, password)
        return "PLAIN"
    if "LOGINDISABLED" in client.connection.capabilities:
        raise KnownError(ErrorCode.SERVER_REFUSED, "the server takes no password on this line")
    # imapclient's `login` doesn't quote the user name and sends only ASCII.
    words = [astring(user.encode()), astring(password.encode())]
    client._raw_command(b"LOGIN", words, uid=False)
    client.connection.state = "AUTH"
    return "LOGIN"
