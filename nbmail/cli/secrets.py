"""Passwords from files, for programs that run without a desktop and its keyring."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account

LONGEST = 4096


def find_passwords(files: Sequence[str], accounts: Iterable[Account]) -> dict[str, str]:
    """Return passwords by account name.

    `files`: `ACCOUNT=PATH`, or `PATH` for every account without a file of its own. Without a file, the folder that
    systemd names in `CREDENTIALS_DIRECTORY` may have one with the name of the account, or one called `password`.
    """
    names = [account.name for account in accounts if not account.path]
    found: dict[str, str] = {}
    for given in files:
        account, separator, path = given.partition("=")
        if separator and account not in names:
            raise KnownError(ErrorCode.NOT_FOUND, f"no account is called {account}")
        password = read_password(Path(path if separator else given), private=True)
        for name in [account] if separator else [name for name in names if name not in found]:
            found[name] = password
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    for name in names:
        for credential in (name, "password"):
            path_of = Path(folder or "", credential)
            if folder and name not in found and "/" not in credential and path_of.is_file():
                found[name] = read_password(path_of, private=False)
    return found


def read_password(path: Path, *, private: bool) -> str:
    """Return the first line. With `private`, raise `KnownError` if others can read the file."""
    try:
        with path.open(encoding="utf-8") as file:
            if private and os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                raise KnownError(ErrorCode.BAD_INPUT, f"{path}: other users can read this file; use chmod 600")
            return file.readline(LONGEST).rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise KnownError(ErrorCode.NOT_FOUND, f"{path}: {error}") from error
