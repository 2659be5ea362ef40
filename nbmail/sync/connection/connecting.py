"""From a server's address to a connection that is logged in: encrypted first, the password said once."""

import re
import ssl

from imapclient import SocketTimeout

from nbmail.errors import ErrorCode, KnownError
from nbmail.log import keep_out
from nbmail.settings import Security
from nbmail.sync.connection.access_token import AccessToken, log_in_with_token
from nbmail.sync.connection.imap_connection import ImapClient, Refusal, astring
from nbmail.sync.connection.wake_signal import WakeSignal
from nbmail.values import MailServer

PATIENCE_TO_CONNECT = 15.0
PATIENCE_TO_READ = 60.0

# Providers that say the same without a code: Gmail ("[ALERT] Too many simultaneous connections"), Yahoo, Exchange.
_PASSING_WORDS = re.compile(
    r"too many|simultaneous|try again|temporar|unavailable|exceeded|rate limit|server (?:error|busy)|internal error",
    re.IGNORECASE,
)
_LASTING_CODES = {"AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED"}


def connect(
    server: MailServer,
    wake_signal: WakeSignal,
    *,
    patience: float = PATIENCE_TO_READ,
    to_connect: float = PATIENCE_TO_CONNECT,
) -> ImapClient:
    """Connect, protect the connection as asked for, and take the greeting. Nothing is said before that.

    Raises `TurnedAway` where the server doesn't want to greet.
    """
    # The context first: a certificate file that can't be read is known before anyone is called.
    tls = None if server.security is Security.PLAIN else tls_context(server.authority_file)
    timeout = SocketTimeout(to_connect, patience)
    at_once = server.security is Security.TLS
    client = ImapClient(server.host, server.port, wake_signal, timeout, tls=tls, at_once=at_once)
    if tls is not None and not at_once:
        try:
            _start_tls(client, tls)
        except BaseException:
            client.shutdown()
            raise
    return client


def log_in(client: ImapClient, user: str, password: str) -> None:
    """Log in, if the server doesn't take us for somebody already. The connection is protected, or chosen not to be."""
    keep_out(password)
    if client.connection.state != "NONAUTH":
        return
    try:
        f"{user}{password}".encode()
    except UnicodeEncodeError:
        # What the system's error would show is the password.
        raise KnownError(ErrorCode.WRONG_PASSWORD, "it holds what no server understands") from None
    try:
        if isinstance(password, AccessToken):
            log_in_with_token(client, user, password)
        else:
            _say_password(client, user, password)
    except Refusal as refusal:
        if refusal.passing or (refusal.code not in _LASTING_CODES and _PASSING_WORDS.search(refusal.detail)):
            raise
        raise KnownError(ErrorCode.WRONG_PASSWORD, refusal.detail) from refusal


def tls_context(authority_file: str = "") -> ssl.SSLContext:
    """TLS 1.2 or later with certificate and host name checked, by the system's authorities or the given file alone."""
    try:
        context = ssl.create_default_context(cafile=authority_file or None)
    except (OSError, ssl.SSLError) as error:
        raise KnownError(ErrorCode.CERTIFICATE, f"{authority_file}: {error}") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _start_tls(client: ImapClient, context: ssl.SSLContext) -> None:
    """Ask for TLS without asking first whether it is offered: what is said unprotected proves nothing."""
    if client.connection.state != "NONAUTH":
        # Being logged in already leaves no moment for STARTTLS: either a foolish server, or someone who strips it.
        raise KnownError(ErrorCode.NOT_ENCRYPTED, "the server logs us in before encryption")
    try:
        client.starttls(context)
    except KnownError as error:
        if isinstance(error, Refusal) or error.error_code is ErrorCode.SERVER_BROKEN:
            raise KnownError(ErrorCode.NOT_ENCRYPTED, "the server refuses STARTTLS") from error
        raise


def _say_password(client: ImapClient, user: str, password: str) -> None:
    if "AUTH=PLAIN" in client.connection.capabilities:
        client.plain_login(user, password)
    elif "LOGINDISABLED" in client.connection.capabilities:
        raise KnownError(ErrorCode.SERVER_REFUSED, "the server takes no password on this line")
    else:
        # Not by imapclient's `login`: it neither quotes a user's name nor sends anything that is not ASCII.
        words = [astring(user.encode()), astring(password.encode())]
        client._raw_command(b"LOGIN", words, uid=False)
        client.connection.state = "AUTH"
