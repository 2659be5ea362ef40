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
from nbmail.sync.sign_in.account_tokens import token_source, web_of
from nbmail.sync.sign_in.browser import BrowserSignIn, Page, SignedIn
from nbmail.sync.sign_in.device import DeviceSignIn
from nbmail.sync.sign_in.grant_store import FileGrants, KeyringGrants
from nbmail.sync.sign_in.issuers import Issuer, discover, issuer_of, register
from nbmail.sync.sign_in.web import Web

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


def sign_in(account: Account, arguments: argparse.Namespace) -> tuple[Account, str]:
    """Sign in, store the grant, and return the account with an access token."""
    web = web_of(account)
    issuer = _issuer(account, arguments, web)
    signed = _with_code(issuer, web) if arguments.device else _with_browser(issuer, web, account.user)
    changed = replace(account, sign_in=issuer.issuer)
    store = FileGrants(arguments.token_file) if arguments.token_file else KeyringGrants(issuer.issuer, account.user)
    store.store(signed.grant)
    return changed, token_source(changed, store)()


def _issuer(account: Account, arguments: argparse.Namespace, web: Web) -> Issuer:
    """Return the authorization server with a client ID: the user's own, or one that the server registers."""
    known = issuer_of(account.host)
    address = arguments.issuer or account.sign_in
    if known is not None and address in ("", known.issuer):
        issuer = known
    elif address:
        issuer = discover(address, web)
    else:
        raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{account.host} has no known authorization server; use --issuer")
    if arguments.client_id:
        return issuer._replace(client_id=arguments.client_id, client_secret=arguments.client_secret)
    if issuer.client_id:
        return issuer
    if issuer.registration:
        return register(issuer, web)
    page = f" made at {issuer.register_page}" if issuer.register_page else ""
    raise KnownError(ErrorCode.NO_CLIENT_ID, f"{issuer.name}; use --client-id with one of your own{page}")


def _with_browser(issuer: Issuer, web: Web, user: str) -> SignedIn:
    flow = BrowserSignIn(issuer, web, user)
    say(f"Sign in at this address, in a browser on this computer:\n{flow.address}", sys.stderr)
    sys.stderr.flush()
    webbrowser.open(flow.address)
    return flow.wait(PAGE)


def _with_code(issuer: Issuer, web: Web) -> SignedIn:
    flow = DeviceSignIn(issuer, web)
    say(f"Open {flow.address} on any device and type this code: {flow.code}", sys.stderr)
    sys.stderr.flush()
    return flow.wait()
