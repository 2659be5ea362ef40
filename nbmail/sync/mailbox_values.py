"""Values of the search for a mailbox, before its account exists."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from nbmail.errors import ErrorCode
from nbmail.settings import Security


class MailServer(NamedTuple):
    """Address of a mail server and the protection of the connection."""

    host: str
    port: int = 993
    security: Security = Security.TLS
    authority_file: str = ""


class ServerTried(NamedTuple):
    """Attempt to reach a server.

    `worked` is None while it is running. `error_code`: reason of a failure.
    """

    server: MailServer
    worked: bool | None = None
    error_code: ErrorCode | None = None


class SettingsSource(StrEnum):
    """Source of a mail server's settings, the most reliable first."""

    TABLE = "table"
    AUTOCONFIG = "autoconfig"
    EXCHANGER = "exchanger"
    SERVICE = "service"
    GUESS = "guess"
    DIRECTORY = "directory"


class SourceAsked(NamedTuple):
    """Query of a source. `names` is None while it is running.

    `place`: host or domain; of the table a provider.
    """

    source: SettingsSource
    place: str
    names: tuple[str, ...] | None = None
    error_code: ErrorCode | None = None


class Issuer(NamedTuple):
    """Authorization server (OAuth 2), with nbmail's registration there.

    - `name`: if it is empty, only the address `issuer` is known.
    - `authorization`, `token`, `device`, `registration`: endpoints, empty if not offered.
    - `client_id`: empty if the user needs an own one, which can be made at `register_page`.
    - `client_secret`: Google sends one to desktop programs too and wants it back; it protects
      nothing.
    - `extra`: further parameters of the authorization request.
    - `sends_issuer`: the server adds its `iss` to the answer (RFC 9207), which then has to be
      right.
    - `loopback`: this machine in registered redirect addresses.
    """

    name: str
    issuer: str
    authorization: str = ""
    token: str = ""
    device: str = ""
    registration: str = ""
    scope: str = ""
    client_id: str = ""
    client_secret: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    sends_issuer: bool = False
    register_page: str = ""
    loopback: str = "127.0.0.1"


class SignInRequest(NamedTuple):
    """Choices for a sign-in.

    `client_id`, `client_secret`: if the user has own ones. `by_code`: on another device.
    """

    issuer: str = ""
    client_id: str = ""
    client_secret: str = ""
    by_code: bool = False


class SignInPage(NamedTuple):
    """Page to open for a sign-in, and the code to enter there, if any."""

    address: str
    code: str = ""


class ServerFound(NamedTuple):
    """Settings of a mail server.

    `worked`: the server answered over a verified connection; otherwise `error_code` is the reason.
    `foreign`: the server is in another domain than the address and not in nbmail's table. Both are
    set after an attempt to connect. `provider` and `password_page` are set for large providers.
    `bridge`: the server is the provider's own program on this computer. `closed`: the provider
    accepts no passwords from programs.
    """

    server: MailServer
    user: str
    provider: str = ""
    password_page: str = ""
    bridge: bool = False
    closed: bool = False
    sign_in: Issuer | None = None
    foreign: bool = False
    worked: bool = True
    error_code: ErrorCode | None = None


class TryStep(StrEnum):
    """Completed step of connecting to a mailbox."""

    PROTECTED = "protected"
    LOGGED_IN = "logged-in"


class ConnectionReport(NamedTuple):
    """Result of a connection test.

    `tls`: version, empty without encryption. `mechanism`: way of signing in. `used`: capabilities
    of the server that nbmail uses. `missing`: those of MOVE, CONDSTORE, KEYWORDS and SPECIAL-USE
    that the server lacks.
    """

    tls: str
    mechanism: str
    used: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LocalMailbox:
    """Mailbox of another program on this computer.

    No tuple, because Qt turns tuples in items into lists.
    """

    name: str
    path: str
    folders: tuple[str, ...]


class FolderCount(NamedTuple):
    """Number of folders that a server has listed so far, also of those that are left out."""

    listed: int


class FolderLine(NamedTuple):
    """Folder of a mailbox: special use such as "\\Junk", or empty; number of messages, or None."""

    name: str
    special: str = ""
    messages: int | None = None
