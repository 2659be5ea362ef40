"""Passwords and sign-ins for programs without a window: from files, a browser, or a code for another device."""

import argparse
import os
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nbmail.cli.command import say
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.mailbox_values import SignInPage, SignInRequest
from nbmail.sync.sign_in.flows import Page, TokenSource, sign_in, web_of
from nbmail.sync.sign_in.grants import FileGrants, GrantStore, KeyringGrants
from nbmail.sync.sign_in.issuers import Issuer, find_issuer

LONGEST = 4096


def find_passwords(files: Sequence[str], accounts: Sequence[Account]) -> dict[str, str]:
    """Return passwords by account name.

    `files`: `ACCOUNT=PATH`, or `PATH` for every other account. Without a file, the folder that
    systemd names in `CREDENTIALS_DIRECTORY` may have one with the name of the account, or one called `password`.
    """
    found = {name: read_password(path, private=True) for name, path in named_paths(files, accounts).items()}
    names = [account.name for account in accounts if not account.path]
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    for name in names:
        for credential in (name, "password"):
            path_of = Path(folder or "", credential)
            if folder and name not in found and "/" not in credential and path_of.is_file():
                found[name] = read_password(path_of, private=False)
    return found


def named_paths(files: Sequence[str], accounts: Sequence[Account]) -> dict[str, Path]:
    """Return paths by account name, from `ACCOUNT=PATH`, or `PATH` for every other account."""
    names = [account.name for account in accounts if not account.path]
    found: dict[str, Path] = {}
    for given in files:
        account, separator, path = given.partition("=")
        if separator and account not in names:
            raise KnownError(ErrorCode.NOT_FOUND, f"no account is called {account}")
        for name in [account] if separator else [name for name in names if name not in found]:
            found[name] = Path(path if separator else given)
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


PAGE = Page("Signed in. You can close this page and return to nbmail.", "The sign-in failed. nbmail shows the reason.")


def sign_in_account(
    account: Account, arguments: argparse.Namespace, accounts: Sequence[Account]
) -> tuple[Account, str]:
    """Sign in, store the grant, and return the account with an access token. `accounts`: all saved ones."""
    request = SignInRequest(arguments.issuer or account.sign_in, arguments.client_id or "", arguments.client_secret)

    def registered(issuer: str) -> Issuer | None:
        stores = [_store(each, arguments.token_file) for each in accounts if each.sign_in == issuer]
        return next((grant.issuer for store in stores if (grant := store.load()) is not None), None)

    issuer = find_issuer(account.host, request, web_of(account), registered)
    changed = replace(account, sign_in=issuer.issuer)
    source = TokenSource(changed, _store(changed, arguments.token_file))
    source.take(sign_in(issuer, account, PAGE, _show_page, by_code=arguments.device))
    return changed, source()


def _store(account: Account, token_file: Path | None) -> GrantStore:
    return FileGrants(token_file) if token_file else KeyringGrants(account.sign_in, account.user)


def _show_page(page: SignInPage) -> None:
    if page.code:
        say(f"Open {page.address} on any device and type this code: {page.code}", sys.stderr)
    else:
        say(f"Sign in at this address, in a browser on this computer:\n{page.address}", sys.stderr)
    sys.stderr.flush()
    if not page.code:
        webbrowser.open(page.address)
