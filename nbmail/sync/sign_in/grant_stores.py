"""Storage of grants: in the keyring or in a file."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.accounts.keyring_secrets import delete_secret, load_secret, store_secret
from nbmail.sync.sign_in.grants import Grant


class GrantStore(Protocol):
    """Storage of a grant that outlasts a run."""

    def load(self) -> Grant | None:
        """Return the stored grant; None if there is none."""

    def store(self, grant: Grant) -> None:
        """Store the grant instead of an earlier one. Raise `KnownError` if that fails."""


class KeyringGrants:
    """The grant of one user at one authorization server, in the keyring.

    With `report`, a missing or broken keyring is reported once, and the grant is kept in memory.
    """

    def __init__(
        self, issuer: str, user: str, report: Callable[[KnownError], None] | None = None
    ) -> None:
        self._entry = f"oauth2 {quote(user, safe='@')} {issuer}"
        self._held: Grant | None = None
        self._report = report

    def load(self) -> Grant | None:
        if self._held is not None:
            return self._held
        text = load_secret(self._entry)
        return None if text is None else Grant.read(text)

    def store(self, grant: Grant) -> None:
        try:
            if not store_secret(self._entry, grant.text()):
                raise KnownError(ErrorCode.NO_KEYRING)
        except KnownError as error:
            if self._report is None:
                raise
            if self._held is None:
                self._report(error)
            self._held = grant
        else:
            self._held = None

    def delete(self) -> None:
        delete_secret(self._entry)


class FileGrants:
    """Grant in a file that only its owner can read, for machines without a keyring."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> Grant | None:
        """Return the stored grant; None without a file.

        Raise `KnownError` if others can read it.
        """
        try:
            with self._path.open(encoding="utf-8") as file:
                if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                    raise KnownError(
                        ErrorCode.BAD_INPUT,
                        f"{self._path}: other users can read this file; use chmod 600",
                    )
                return Grant.read(file.read())
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise KnownError(ErrorCode.NOT_FOUND, f"{self._path}: {error}") from error

    def store(self, grant: Grant) -> None:
        new = self._path.with_name(self._path.name + ".new")
        try:
            handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(grant.text() + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self._path)
        except OSError as error:
            raise KnownError(ErrorCode.READ_ONLY, f"{self._path}: {error.strerror}") from error
