"""The command `nbmail account`: add, list, change and remove accounts; passwords and sign-ins
without a window.
"""

import argparse
import getpass
import os
import signal
import sys
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from nbmail.cli.main import CliCommand, add_trust, number, paths_of, report, say
from nbmail.core.folders.own_folders import ALL_OWN
from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.settings import Account, LearnMoves, Security, Sorting
from nbmail.settings_file import load_settings, save_settings
from nbmail.store.files.home_handover import watching_process
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.sync.accounts.passwords import Passwords
from nbmail.sync.discovery.mailbox_listing import list_mailbox
from nbmail.sync.discovery.server_search import SearchStep, find_server
from nbmail.sync.mailbox_values import Issuer, SignInPage, SignInRequest, SourceAsked
from nbmail.sync.sign_in.access_tokens import AccessTokens
from nbmail.sync.sign_in.account_sign_in import sign_in, web_of
from nbmail.sync.sign_in.grant_stores import FileGrants, GrantStore, KeyringGrants
from nbmail.sync.wake_signal import WakeSignal


def _add_options(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="sign in once, then save the account")
    add.add_argument("address", help="mail address, or a folder or mail file on this computer")
    add.add_argument("--name", help="name of the account in nbmail; the address by default")
    sign_in = actions.add_parser("sign-in", help="sign in again at the provider")
    sign_in.add_argument("name", help="name of the account")
    add.add_argument(
        "--ask-directory",
        action="store_true",
        help="ask Thunderbird's directory, which learns the domain",
    )
    add.add_argument(
        "--sign-in",
        action="store_true",
        dest="signs_in",
        help="sign in at the provider instead of with a password",
    )
    for each in (add, sign_in):
        _add_sign_in(each)
    _add_choices(add)
    change = actions.add_parser("set", help="change an account")
    change.add_argument("name", help="name of the account")
    _add_choices(change)
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


def _add_sign_in(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--issuer", metavar="URL", help="authorization server; known for some providers"
    )
    parser.add_argument("--client-id", metavar="ID", help="your own client ID at the provider")
    parser.add_argument(
        "--client-secret", default="", metavar="S", help="its secret, if the provider gives one"
    )
    parser.add_argument(
        "--device", action="store_true", help="show a code to type on another device"
    )
    parser.add_argument(
        "--token-file", type=Path, metavar="PATH", help="keep the sign-in in this file"
    )


def _add_choices(parser: argparse.ArgumentParser) -> None:
    """Add the options that change an account, each with the name of a field; None or empty if it
    isn't given.
    """
    add = parser.add_argument
    add(
        "--server", dest="host", metavar="HOST", help="mail server; found by the address by default"
    )
    add("--port", type=int, metavar="N")
    add("--security", choices=[each.value for each in Security])
    add("--user", metavar="U", help="user name at the server; the address by default")
    add("--authority-file", metavar="PATH", help="certificates to trust instead of the system's")
    for option, field, words in (
        ("--folder", "folders", "folder to watch; the inbox by default"),
        ("--learn-spam", "spam_folders", "learn this folder as spam"),
        ("--learn-ham", "ham_folders", "learn this folder as ham"),
        ("--suggest", "suggested_folders", 'folder to suggest for moves; "*" for all, "" for none'),
    ):
        add(option, action="append", dest=field, metavar="FOLDER", help=words)
    add("--spam-folder", metavar="FOLDER", help="folder for spam; the server's by default")
    add_trust(parser)
    add(
        "--sorting",
        choices=[each.value for each in Sorting],
        help="what to do with spam that arrives",
    )
    add(
        "--begin-now",
        action="store_true",
        dest="begun_early",
        default=None,
        help="sort before the model is tested well enough",
    )
    add(
        "--sorting-loss",
        type=number(float, "invalid share value: {!r}", 0.0001, 1),
        metavar="SHARE",
        help=(
            "share of good mail that sorting may lose: it begins once the 95 %% interval ends "
            "below it (0.02)"
        ),
    )
    add(
        "--sorts-alone",
        action=argparse.BooleanOptionalAction,
        help="sort although the server keeps no keywords: no other computer may sort this account",
    )
    add(
        "--learn-moves",
        choices=[each.value for each in LearnMoves],
        help=(
            "learn from what other programs move into the spam folder and out of it; by default "
            "the window asks first"
        ),
    )
    add(
        "--password-file",
        type=Path,
        metavar="PATH",
        help="file with the password; others must not read it",
    )


def _run(arguments: argparse.Namespace) -> int:
    paths = paths_of(arguments.home)
    paths.make()
    settings = load_settings(paths.settings)
    if arguments.action == "list":
        lines = "\n".join(map(_line, settings.accounts)) or "There are no accounts."
        report(arguments, {"accounts": list(map(asdict, settings.accounts))}, lines)
        return 0
    try:
        # The window would overwrite the settings.
        HomeLock(paths.data / LOCK).close()
    except KnownError:
        if watching_process(paths) is None:
            raise
    accounts = {account.name: account for account in settings.accounts}
    name = arguments.name or getattr(arguments, "address", "")
    if (name in accounts) == (arguments.action == "add"):
        if name in accounts:
            raise KnownError(ErrorCode.BAD_INPUT, f"an account called {name} exists")
        raise KnownError(ErrorCode.NOT_FOUND, f"no account is called {name}")
    if arguments.action == "add":
        accounts[name], folders = _add(name, settings.accounts, arguments)
        text = f"Added {name}, with {folders} folders."
    elif arguments.action == "set":
        accounts[name] = account = _with_choices(accounts[name], arguments)
        grants = KeyringGrants(account.sign_in, account.user) if account.sign_in else None
        _connect(account, arguments, AccessTokens(grants, web_of(account))() if grants else "")
        text = f"Changed {name}."
    elif arguments.action == "sign-in":
        accounts[name], _ = _sign_in(accounts[name], arguments, settings.accounts)
        text = f"Signed in {name}."
    else:
        account = accounts.pop(name)
        if account.sign_in:
            KeyringGrants(account.sign_in, account.user).delete()
        elif not account.path and (keys := Passwords()).get(account) is not None:
            keys.forget(account)
        text = f"Removed {name}. Its labels stay."
    save_settings(paths.settings, replace(settings, accounts=tuple(accounts.values())))
    _notify_watch(paths)
    report(arguments, {"accounts": [*accounts]}, text)
    return 0


def _line(account: Account) -> str:
    where = account.path or f"{account.user} at {account.host}:{account.port} ({account.security})"
    learning = [f"spam: {name}" for name in account.spam_folders] + [
        f"ham: {name}" for name in account.ham_folders
    ]
    sorting = "" if account.sorting is Sorting.SHOW else f"; sorting: {account.sorting}"
    sorting += f"; trusts {', '.join(account.trusted_servers)}" if account.trusted_servers else ""
    return (
        f"{account.name}: {where}{sorting}{'; learns ' + ', '.join(learning) if learning else ''}"
    )


def _notify_watch(paths: Paths) -> None:
    """Let a running `nbmail watch` read the settings again. Windows has no signal for it."""
    process = watching_process(paths)
    if process is not None and not hasattr(signal, "SIGHUP"):
        say("nbmail watch is running: restart it to use these settings.", sys.stderr)
    elif process is not None:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGHUP)


def _add(
    name: str, accounts: Sequence[Account], arguments: argparse.Namespace
) -> tuple[Account, int]:
    """Return the new account, and the number of its folders. `accounts`: all saved ones."""
    place = Path(arguments.address).expanduser()
    token = ""
    if "@" not in arguments.address or place.exists():
        account = Account(name, path=str(place.absolute()))
    else:
        account = replace(_server_account(name, arguments), suggested_folders=(ALL_OWN,))
    account = _with_choices(account, arguments)
    if arguments.signs_in and not account.path:
        account, token = _sign_in(account, arguments, accounts)
    return account, _connect(account, arguments, token)


def _connect(account: Account, arguments: argparse.Namespace, token: str) -> int:
    """Sign in, check the chosen folders, and store the password. Return the number of folders.

    `token`: used instead of a password, if not empty.
    """
    password = token or ("" if account.path else _password(arguments.password_file, account))
    with closing(WakeSignal()) as wake_signal:
        folders = list_mailbox(account, password, wake_signal)
    wanted = [*account.folders, *account.spam_folders, *account.ham_folders, account.spam_folder]
    wanted += [each for each in account.suggested_folders if each != ALL_OWN]
    names = {"", *(folder.name for folder in folders)}
    if missing := [each for each in wanted if each not in names]:
        raise KnownError(ErrorCode.FOLDER_MISSING, ", ".join(missing))
    if not (token or account.path or Passwords().keep(account, password)):
        say("nbmail: there is no keyring; nbmail watch needs --password-file", sys.stderr)
    return len(folders)


def _server_account(name: str, arguments: argparse.Namespace) -> Account:
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
    domain = arguments.address.rpartition("@")[2]
    if found.foreign:
        # The password is not sent to a server in another domain before the user has agreed.
        say(
            f"nbmail: the mail server of {domain} is {server.host}, which is not in {domain}.",
            sys.stderr,
        )
        question = f"Sign in at {server.host}? [y/N] "
        if not sys.stdin.isatty() or input(question).strip().lower() not in ("y", "yes"):
            raise KnownError(ErrorCode.BAD_INPUT, f"to use {server.host}, name it with --server")
    if arguments.signs_in and found.sign_in is not None and not arguments.issuer:
        arguments.issuer = found.sign_in.issuer
    user = arguments.user or found.user
    return Account(name, host=server.host, port=server.port, security=server.security, user=user)


def _say_step(step: SearchStep) -> None:
    if isinstance(step, SourceAsked):
        if step.names:
            say(f"nbmail: {step.source} of {step.place}: {', '.join(step.names)}", sys.stderr)
    elif step.worked is not None:
        result = (
            "answers, with a valid certificate" if step.worked else step.error_code or "no answer"
        )
        say(f"nbmail: {step.server.host}, port {step.server.port}: {result}", sys.stderr)


def _with_choices(account: Account, arguments: argparse.Namespace) -> Account:
    """Return the account with all options. An empty folder or trusted server removes all of them.

    The inbox is watched then.
    """
    kinds: dict[str, Callable[[str], str]] = {
        "security": Security,
        "sorting": Sorting,
        "learn_moves": LearnMoves,
    }
    choices: dict[str, Any] = {}
    for name in {field.name for field in fields(Account)} - {"name", "path", "sign_in"}:
        value: Any = getattr(arguments, name, None)
        if isinstance(value, list):
            value = tuple(filter(None, value)) if value else None
        if value is not None:
            choices[name] = kinds[name](value) if name in kinds else value
    choices["folders"] = choices.get("folders", account.folders) or ("INBOX",)
    choices["trusted_servers"] = tuple(
        map(str.lower, choices.get("trusted_servers", account.trusted_servers))
    )
    return replace(account, **choices)


def _password(file: Path | None, account: Account) -> str:
    if file is not None:
        return read_password(file, private=True)
    known = Passwords().get(account)
    if known is not None:
        return known
    if not sys.stdin.isatty():
        raise KnownError(ErrorCode.NO_PASSWORD, "use --password-file")
    return getpass.getpass(f"Password of {account.user} at {account.host}: ")


ACCOUNT = CliCommand(_add_options, _run)


LONGEST = 4096


def find_passwords(files: Sequence[str], accounts: Sequence[Account]) -> dict[str, str]:
    """Return passwords by account name.

    `files`: `ACCOUNT=PATH`, or `PATH` for every other account. Without a file, the folder that
    systemd names in `CREDENTIALS_DIRECTORY` may have one with the name of the account, or one
    called `password`.
    """
    found = {
        name: read_password(path, private=True)
        for name, path in named_paths(files, accounts).items()
    }
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
                raise KnownError(
                    ErrorCode.BAD_INPUT, f"{path}: other users can read this file; use chmod 600"
                )
            return file.readline(LONGEST).rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise KnownError(ErrorCode.NOT_FOUND, f"{path}: {error}") from error


PAGE = (
    "Signed in. You can close this page and return to nbmail.",
    "The sign-in failed. nbmail shows the reason.",
)


def _sign_in(
    account: Account, arguments: argparse.Namespace, accounts: Sequence[Account]
) -> tuple[Account, str]:
    """Sign in, store the grant, and return the account with an access token. `accounts`: all saved
    ones.
    """
    own = arguments.client_id or "", arguments.client_secret
    request = SignInRequest(arguments.issuer or account.sign_in, *own, arguments.device)

    def registered(issuer: str) -> Issuer | None:
        stores = [_store(each, arguments.token_file) for each in accounts if each.sign_in == issuer]
        return next((grant.issuer for store in stores if (grant := store.load()) is not None), None)

    signed, grant = sign_in(account, request, PAGE, _show_page, registered)
    source = AccessTokens(_store(signed, arguments.token_file), web_of(signed))
    source.take(grant)
    return signed, source()


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
