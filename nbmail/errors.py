"""Expected errors. Every other exception is a bug and propagates."""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """Kinds of expected errors. `ui` and `cli` have a sentence for each."""

    NO_NETWORK = "no-network"
    SERVER_GONE = "server-gone"
    SERVER_REFUSED = "server-refused"
    SERVER_BROKEN = "server-broken"
    WRONG_PASSWORD = "wrong-password"
    NO_PASSWORD = "no-password"
    SIGN_IN_AGAIN = "sign-in-again"
    SIGN_IN_LATER = "sign-in-later"
    SIGN_IN_FAILED = "sign-in-failed"
    NO_CLIENT_ID = "no-client-id"
    WRONG_SCOPE = "wrong-scope"
    CERTIFICATE = "certificate"
    NOT_ENCRYPTED = "not-encrypted"
    MAILBOX_FULL = "mailbox-full"
    FOLDER_MISSING = "folder-missing"
    NO_KEYWORDS = "no-keywords"
    DISK_FULL = "disk-full"
    DISK_ERROR = "disk-error"
    READ_ONLY = "read-only"
    HOME_IN_USE = "home-in-use"
    OTHER_VERSION = "other-version"
    SETTINGS_TOO_NEW = "settings-too-new"
    HOME_DELETED = "home-deleted"
    DATABASE_DAMAGED = "database-damaged"
    BAD_INPUT = "bad-input"
    NOT_FOUND = "not-found"
    NO_KEYRING = "no-keyring"
    KEYRING_FAILED = "keyring-failed"
    BAD_MODEL_FILE = "bad-model-file"
    ALREADY_KNOWN = "already-known"
    NOT_ENOUGH_YET = "not-enough-yet"


class KnownError(Exception):
    """Expected error with a cause outside the program.

    `detail`: path, host or message of the server, no secret.
    """

    def __init__(self, error_code: ErrorCode, detail: str = "") -> None:
        super().__init__(f"{error_code}: {detail}" if detail else str(error_code))
        self.error_code = error_code
        self.detail = detail

    def __reduce__(self) -> tuple[type[KnownError], tuple[ErrorCode, str]]:
        return type(self), (self.error_code, self.detail)
