"""Servers of accounts: found by the address, and checked with the password and the folders."""

import argparse
import getpass
import sys
from contextlib import closing
from pathlib import Path

from nbmail.cli.accounts.password_files import read_password
from nbmail.cli.output import say
from nbmail.core.folders.own_folders import ALL_OWN
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account, Security
from nbmail.sync.accounts.passwords import Passwords
from nbmail.sync.discovery.mailbox_listing import list_mailbox
from nbmail.sync.discovery.server_search import SearchStep, find_server
from nbmail.sync.mailbox_values import SourceAsked
from nbmail.sync.wake_signal import WakeSignal


def connect(account: Account, arguments: argparse.Namespace, token: str) -> int:
    """Sign in, check the chosen folders, and store the password. Return the number of folders.

    `token`: used instead of a password, if not empty.
    """
    password = token
    if not token and not account.path:
        password = _password(arguments.password_file, account)
    with closing(WakeSignal()) as wake_signal:
        folders = list_mailbox(account, password, wake_signal)

    _refuse_missing(account, {folder.name for folder in folders})
    if not token and not account.path and not Passwords().keep(account, password):
        say("nbmail: there is no keyring; nbmail watch needs --password-file", sys.stderr)
    return len(folders)


def _refuse_missing(account: Account, names: set[str]) -> None:
    """Raise `KnownError` if the account names a folder that it doesn't have."""
    wanted = [*account.folders, *account.spam_folders, *account.ham_folders, account.spam_folder]
    wanted += [each for each in account.suggested_folders if each != ALL_OWN]
    missing = [each for each in wanted if each and each not in names]
    if missing:
        raise KnownError(ErrorCode.FOLDER_MISSING, ", ".join(missing))


def _password(file: Path | None, account: Account) -> str:
    if file is not None:
        return read_password(file, private=True)
    known = Passwords().get(account)
    if known is not None:
        return known
    if not sys.stdin.isatty():
        raise KnownError(ErrorCode.NO_PASSWORD, "use --password-file")
    return getpass.getpass(f"Password of {account.user} at {account.host}: ")


def server_account(name: str, arguments: argparse.Namespace) -> Account:
    """Return the account at the given server, or at the one that the address leads to."""
    if arguments.host:
        security = Security(arguments.security or Security.TLS)
        port = arguments.port or (993 if security is Security.TLS else 143)
        user = arguments.user or arguments.address
        return Account(name, host=arguments.host, port=port, security=security, user=user)

    found = find_server(arguments.address, _say_step, directory=arguments.ask_directory)
    if found is None:
        raise KnownError(
            ErrorCode.NOT_FOUND, f"no mail server of {arguments.address}; name it with --server"
        )
    server = found.server
    if found.foreign:
        _ask_for_foreign(arguments.address, server.host)
    if arguments.signs_in and found.sign_in is not None and not arguments.issuer:
        arguments.issuer = found.sign_in.issuer
    user = arguments.user or found.user
    return Account(name, host=server.host, port=server.port, security=server.security, user=user)


def _ask_for_foreign(address: str, host: str) -> None:
    """Ask whether to use a server in another domain, before the password is sent there."""
    domain = address.rpartition("@")[2]
    say(f"nbmail: the mail server of {domain} is {host}, which is not in {domain}.", sys.stderr)
    answer = ""
    if sys.stdin.isatty():
        answer = input(f"Sign in at {host}? [y/N] ").strip().lower()
    if answer not in ("y", "yes"):
        raise KnownError(ErrorCode.BAD_INPUT, f"to use {host}, name it with --server")


def _say_step(step: SearchStep) -> None:
    if isinstance(step, SourceAsked):
        if step.names:
            say(f"nbmail: {step.source} of {step.place}: {', '.join(step.names)}", sys.stderr)
        return
    if step.worked is None:
        return
    result = "answers, with a valid certificate"
    if not step.worked:
        result = step.error_code or "no answer"
    say(f"nbmail: {step.server.host}, port {step.server.port}: {result}", sys.stderr)
