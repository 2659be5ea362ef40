"""The command `nbmail account`: add, list, change and remove accounts."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from nbmail.cli.accounts.connecting import connect, server_account
from nbmail.cli.accounts.options import add_choices, add_sign_in, with_choices
from nbmail.cli.accounts.sign_in import forget_sign_in, sign_in_account, stored_token
from nbmail.cli.command import CliCommand
from nbmail.cli.opened_store import paths_of
from nbmail.cli.output import report, say
from nbmail.core.folders.own_folders import ALL_OWN
from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.settings import Account, Sorting
from nbmail.settings_file import load_settings, save_settings
from nbmail.store.files.home_handover import watching_process
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.sync.accounts.passwords import Passwords


def _add_options(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="sign in once, then save the account")
    _add_new_account(add)
    sign_in = actions.add_parser("sign-in", help="sign in again at the provider")
    sign_in.add_argument("name", help="name of the account")
    add_sign_in(sign_in)
    change = actions.add_parser("set", help="change an account")
    change.add_argument("name", help="name of the account")
    add_choices(change)
    remove = actions.add_parser("remove", help="remove an account; its labels stay")
    remove.add_argument("name", help="name of the account")
    actions.add_parser("list", help="list all accounts")

    for action in actions.choices.values():
        # The common options may also follow the action. Without them the action leaves the values
        # of the command.
        action.add_argument(
            "--home", type=Path, metavar="DIR", default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )
        action.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )


def _add_new_account(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", help="mail address, or a folder or mail file on this computer")
    parser.add_argument("--name", help="name of the account in nbmail; the address by default")
    parser.add_argument(
        "--ask-directory",
        action="store_true",
        help="ask Thunderbird's directory, which learns the domain",
    )
    parser.add_argument(
        "--sign-in",
        action="store_true",
        dest="signs_in",
        help="sign in at the provider instead of with a password",
    )
    add_sign_in(parser)
    add_choices(parser)


def _run(arguments: argparse.Namespace) -> int:
    paths = paths_of(arguments.home)
    paths.make()
    settings = load_settings(paths.settings)
    if arguments.action == "list":
        _list(arguments, settings.accounts)
        return 0

    _refuse_open_window(paths)
    accounts = {account.name: account for account in settings.accounts}
    name = arguments.name or getattr(arguments, "address", "")
    _check_name(name, accounts, is_new=arguments.action == "add")
    match arguments.action:
        case "add":
            accounts[name], folders = _add(name, settings.accounts, arguments)
            text = f"Added {name}, with {folders} folders."
        case "set":
            account = with_choices(accounts[name], arguments)
            connect(account, arguments, stored_token(account))
            accounts[name] = account
            text = f"Changed {name}."
        case "sign-in":
            accounts[name], _ = sign_in_account(accounts[name], arguments, settings.accounts)
            text = f"Signed in {name}."
        case _:
            _forget(accounts.pop(name))
            text = f"Removed {name}. Its labels stay."

    save_settings(paths.settings, replace(settings, accounts=tuple(accounts.values())))
    _notify_watch(paths)
    report(arguments, {"accounts": [*accounts]}, text)
    return 0


def _list(arguments: argparse.Namespace, accounts: Sequence[Account]) -> None:
    lines = [_account_text(account) for account in accounts] or ["There are no accounts."]
    found = {"accounts": [asdict(account) for account in accounts]}
    report(arguments, found, "\n".join(lines))


def _account_text(account: Account) -> str:
    text = f"{account.name}: "
    if account.path:
        text += account.path
    else:
        text += f"{account.user} at {account.host}:{account.port} ({account.security})"
    if account.sorting is not Sorting.SHOW:
        text += f"; sorting: {account.sorting}"
    if account.trusted_servers:
        text += f"; trusts {', '.join(account.trusted_servers)}"

    learning = [f"spam: {name}" for name in account.spam_folders]
    learning += [f"ham: {name}" for name in account.ham_folders]
    if learning:
        text += f"; learns {', '.join(learning)}"
    return text


def _refuse_open_window(paths: Paths) -> None:
    """Raise `KnownError` if a window has the data folder open: it would overwrite the settings."""
    try:
        HomeLock(paths.data / LOCK).close()
    except KnownError:
        if watching_process(paths) is None:
            raise


def _check_name(name: str, accounts: dict[str, Account], *, is_new: bool) -> None:
    if is_new and name in accounts:
        raise KnownError(ErrorCode.BAD_INPUT, f"an account called {name} exists")
    if not is_new and name not in accounts:
        raise KnownError(ErrorCode.NOT_FOUND, f"no account is called {name}")


def _add(
    name: str, accounts: Sequence[Account], arguments: argparse.Namespace
) -> tuple[Account, int]:
    """Return the new account, and the number of its folders. `accounts`: all saved ones."""
    place = Path(arguments.address).expanduser()
    if "@" not in arguments.address or place.exists():
        account = Account(name, path=str(place.absolute()))
    else:
        account = replace(server_account(name, arguments), suggested_folders=(ALL_OWN,))
    account = with_choices(account, arguments)

    token = ""
    if arguments.signs_in and not account.path:
        account, token = sign_in_account(account, arguments, accounts)
    return account, connect(account, arguments, token)


def _forget(account: Account) -> None:
    """Delete the stored sign-in or password of a removed account."""
    if account.sign_in:
        forget_sign_in(account)
    elif not account.path:
        passwords = Passwords()
        if passwords.get(account) is not None:
            passwords.forget(account)


def _notify_watch(paths: Paths) -> None:
    """Let a running `nbmail watch` read the settings again. Windows has no signal for it."""
    process = watching_process(paths)
    if process is None:
        return
    if not hasattr(signal, "SIGHUP"):
        say("nbmail watch is running: restart it to use these settings.", sys.stderr)
        return
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process, signal.SIGHUP)


ACCOUNT = CliCommand(_add_options, _run)
