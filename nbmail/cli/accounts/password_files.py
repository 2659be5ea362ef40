"""Passwords and sign-ins in files that options name."""

import os
from collections.abc import Sequence
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account

LONGEST = 4096
"""Characters of a password."""


def find_passwords(files: Sequence[str], accounts: Sequence[Account]) -> dict[str, str]:
    """Return passwords by account name.

    `files`: `ACCOUNT=PATH`, or `PATH` for every other account. Without a file, the folder that
    systemd names in `CREDENTIALS_DIRECTORY` may have one with the name of the account, or one
    called `password`.
    """
    found = {}
    for name, path in named_paths(files, accounts).items():
        found[name] = read_password(path, private=True)

    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    for account in accounts:
        if folder and not account.path and account.name not in found:
            credential = _credential(Path(folder), account.name)
            if credential is not None:
                found[account.name] = read_password(credential, private=False)
    return found


def _credential(folder: Path, name: str) -> Path | None:
    """Return the file with the password of an account."""
    for credential in (name, "password"):
        path = folder / credential
        if "/" not in credential and path.is_file():
            return path
    return None


def named_paths(files: Sequence[str], accounts: Sequence[Account]) -> dict[str, Path]:
    """Return paths by account name, from `ACCOUNT=PATH`, or `PATH` for every other account."""
    names = [account.name for account in accounts if not account.path]
    found: dict[str, Path] = {}
    for given in files:
        name, separator, path = given.partition("=")
        if not separator:
            for each in names:
                found.setdefault(each, Path(given))
        elif name in names:
            found[name] = Path(path)
        else:
            raise KnownError(ErrorCode.NOT_FOUND, f"no account is called {name}")
    return found


def read_password(path: Path, *, private: bool) -> str:
    """Return the first line. With `private`, raise `KnownError` if others can read the file."""
    try:
        with path.open(encoding="utf-8") as file:
            if private and os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                raise KnownError(
                    ErrorCode.BAD_INPUT, f"{path}: other users can read this file; use chmod 600"
                )
            return file.readline(LONGEST).rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise KnownError(ErrorCode.NOT_FOUND, f"{path}: {error}") from error
