"""Sign-in of an account at its provider, without a window."""

import argparse
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from nbmail.cli.output import say
from nbmail.settings import Account
from nbmail.sync.mailbox_values import Issuer, SignInPage, SignInRequest
from nbmail.sync.sign_in.access_tokens import AccessTokens
from nbmail.sync.sign_in.account_sign_in import sign_in, web_of
from nbmail.sync.sign_in.grant_stores import FileGrants, GrantStore, KeyringGrants

PAGE = (
    "Signed in. You can close this page and return to nbmail.",
    "The sign-in failed. nbmail shows the reason.",
)


def sign_in_account(
    account: Account, arguments: argparse.Namespace, accounts: Sequence[Account]
) -> tuple[Account, str]:
    """Sign in, store the grant, and return the account with an access token.

    `accounts`: all saved ones.
    """
    request = SignInRequest(
        arguments.issuer or account.sign_in,
        arguments.client_id or "",
        arguments.client_secret,
        arguments.device,
    )

    def registered(issuer: str) -> Issuer | None:
        for each in accounts:
            if each.sign_in == issuer:
                grant = _store(each, arguments.token_file).load()
                if grant is not None:
                    return grant.issuer
        return None

    signed, grant = sign_in(account, request, PAGE, _show_page, registered)
    tokens = AccessTokens(_store(signed, arguments.token_file), web_of(signed))
    tokens.take(grant)
    return signed, tokens()


def stored_token(account: Account) -> str:
    """Return an access token of the stored grant; empty for an account with a password."""
    if not account.sign_in:
        return ""
    grants = KeyringGrants(account.sign_in, account.user)
    return AccessTokens(grants, web_of(account))()


def forget_sign_in(account: Account) -> None:
    """Delete the stored grant."""
    KeyringGrants(account.sign_in, account.user).delete()


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
