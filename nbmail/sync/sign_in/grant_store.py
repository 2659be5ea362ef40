"""Places that keep a grant: the system's keyring, or a file that only its owner can read."""

import os
from collections.abc import Callable
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.passwords import delete_secret, load_secret, store_secret
from nbmail.sync.sign_in.grants import Grant, GrantStore
from nbmail.sync.sign_in.issuers import secret_name


class KeyringGrants:
    """The grant of one user at one authorization server, in the keyring."""

    def __init__(self, issuer: str, user: str) -> None:
        self._entry = secret_name(issuer, user)

    def load(self) -> Grant | None:
        """Return the stored grant."""
        text = load_secret(self._entry)
        return None if text is None else Grant.read(text)

    def store(self, grant: Grant) -> None:
        """Replace the stored grant. Raise `KnownError` without a usable keyring."""
        if not store_secret(self._entry, grant.text()):
            raise KnownError(ErrorCode.NO_KEYRING)

    def delete(self) -> None:
        """Delete the stored grant."""
        delete_secret(self._entry)


class SessionGrants:
    """A grant in `lasting` or, without a keyring, in memory until the program ends. `report` is called once then."""

    def __init__(self, lasting: GrantStore, report: Callable[[KnownError], None]) -> None:
        self._lasting, self._report = lasting, report
        self._held: Grant | None = None

    def load(self) -> Grant | None:
        """Return the stored grant."""
        return self._held or self._lasting.load()

    def store(self, grant: Grant) -> None:
        """Replace the stored grant."""
        try:
            self._lasting.store(grant)
        except KnownError as error:
            if error.error_code not in (ErrorCode.NO_KEYRING, ErrorCode.KEYRING_FAILED):
                raise
            if self._held is None:
                self._report(error)
            self._held = grant
        else:
            self._held = None


class FileGrants:
    """A grant in a file, for machines without a keyring. Others must not be able to read the file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> Grant | None:
        """Return the stored grant; None without a file. Raise `KnownError` if others can read it."""
        try:
            with self._path.open(encoding="utf-8") as file:
                if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                    raise KnownError(
                        ErrorCode.BAD_INPUT, f"{self._path}: other users can read this file; use chmod 600"
                    )
                return Grant.read(file.read())
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise KnownError(ErrorCode.NOT_FOUND, f"{self._path}: {error}") from error

    def store(self, grant: Grant) -> None:
        """Replace the file atomically."""
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
