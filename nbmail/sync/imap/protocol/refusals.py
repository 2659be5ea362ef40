"""Errors of IMAP servers."""

from __future__ import annotations

import imaplib
import re
from collections.abc import Iterator
from contextlib import contextmanager

from nbmail.errors import ErrorCode, KnownError

# With these codes the server itself has a problem (RFC 5530): the command can be repeated later.
_TEMPORARY = {"UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "CONTACTADMIN", "OVERQUOTA"}
_CODE = re.compile(rb"\[([A-Z0-9.-]+)")


class Refusal(KnownError):
    """NO from the server.

    `code`: response code such as "OVERQUOTA". `temporary`: the command can be repeated later.
    """

    def __init__(self, answer: bytes) -> None:
        found = _CODE.match(answer)
        self.code = found.group(1).decode() if found else ""
        self.temporary = self.code in _TEMPORARY
        error_code = ErrorCode.SERVER_REFUSED
        if self.code == "OVERQUOTA":
            error_code = ErrorCode.MAILBOX_FULL
        super().__init__(error_code, answer.decode("utf-8", "replace")[:300])


class ConnectionRejected(KnownError):
    """BYE or a closed connection instead of a greeting.

    Typical of servers that limit connections by address.
    """


@contextmanager
def translating_errors() -> Iterator[None]:
    """Turn parser errors of imapclient and imaplib into SERVER_BROKEN."""
    try:
        yield
    except (imaplib.IMAP4.error, ValueError, LookupError, TypeError) as error:
        raise KnownError(ErrorCode.SERVER_BROKEN, str(error)[:300]) from error
