"""What a search for a mail server's settings, or for mail on this computer, tells the window, and its words for it."""

from collections.abc import Callable
from dataclasses import dataclass

from nbmail.errors import ErrorCode
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.language import tr
from nbmail.values import FolderLine, ServerFound, ServerTried, TryStep


@dataclass(frozen=True, slots=True)
class Refused:
    """The end of a search without what was looked for, and why; `detail` is the server's own word."""

    error_code: ErrorCode | None = None
    detail: str = ""


SearchNews = ServerTried | ServerFound | Refused
TellSearch = Callable[[SearchNews], None]
GiveUp = Callable[[], None]


FolderNews = TryStep | tuple[FolderLine, ...] | Refused
"""A step on the way to the folders of a mailbox on a server; in the end the folders, the inbox first, or none."""
TellFolders = Callable[[FolderNews], None]


def tried_words(tried: ServerTried) -> str:
    """One line for one server."""
    server = tried.server
    where = tr("{host}, port {port}").format(host=server.host, port=server.port)
    if tried.worked is None:
        return tr("{where}: asking…").format(where=where)
    if tried.worked:
        return tr("{where}: answers, and the line is protected.").format(where=where)
    return f"{where}: {_why(tried.error_code)}"


def _why(error_code: ErrorCode | None) -> str:
    if error_code in (None, ErrorCode.NO_NETWORK):
        return tr("no answer.")
    if error_code == ErrorCode.CERTIFICATE:
        return tr("answers, but can't prove who it is.")
    if error_code == ErrorCode.NOT_ENCRYPTED:
        return tr("answers, but offers no protected line.")
    return error_notice(error_code).sentence


def found_words(found: ServerFound) -> str:
    """What was found, and what to do next."""
    if found.closed:
        text = tr(
            "{provider} lets programs in only through its own sign-in page, which nbmail can't use yet. Accounts of "
            "companies and schools may still allow a password: try it, or have your mail forwarded."
        )
        return text.format(provider=found.provider)
    if found.bridge:
        text = tr("{provider} is reached through its own program on this computer. Start it, and use its password.")
        return text.format(provider=found.provider)
    if found.password_page:
        text = tr("{provider} wants an app password here, one made for this program, rather than your usual one.")
        return text.format(provider=found.provider)
    if found.provider:
        return tr("{provider} is known to nbmail. Now type your password.").format(provider=found.provider)
    return tr("Found your mail server: {host}. Now type your password.").format(host=found.server.host)


def not_found_words(end: Refused) -> str:
    """What to do where nothing was found."""
    if end.error_code == ErrorCode.BAD_INPUT:
        return tr("That is not a whole mail address yet, such as you@example.org.")
    return tr("No server answered. Type its name above: your mail provider's help pages have it, under “IMAP”.")
