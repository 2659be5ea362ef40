"""Options of the actions of `nbmail account`."""

import argparse
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from nbmail.cli.options import add_trust, number
from nbmail.settings import Account, LearnMoves, Security, Sorting


def add_sign_in(parser: argparse.ArgumentParser) -> None:
    """Add the options for a sign-in at a provider."""
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


def add_choices(parser: argparse.ArgumentParser) -> None:
    """Add the options that change an account.

    Each has the name of a field of `Account`, and is None if it isn't given.
    """
    _add_server(parser)
    _add_folders(parser)
    add_trust(parser)
    _add_sorting(parser)
    parser.add_argument(
        "--password-file",
        type=Path,
        metavar="PATH",
        help="file with the password; others must not read it",
    )


def _add_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--server", dest="host", metavar="HOST", help="mail server; found by the address by default"
    )
    parser.add_argument("--port", type=int, metavar="N")
    parser.add_argument("--security", choices=[each.value for each in Security])
    parser.add_argument(
        "--user", metavar="U", help="user name at the server; the address by default"
    )
    parser.add_argument(
        "--authority-file", metavar="PATH", help="certificates to trust instead of the system's"
    )


def _add_folders(parser: argparse.ArgumentParser) -> None:
    for option, field, words in (
        ("--folder", "folders", "folder to watch; the inbox by default"),
        ("--learn-spam", "spam_folders", "learn this folder as spam"),
        ("--learn-ham", "ham_folders", "learn this folder as ham"),
        ("--suggest", "suggested_folders", 'folder to suggest for moves; "*" for all, "" for none'),
    ):
        parser.add_argument(option, action="append", dest=field, metavar="FOLDER", help=words)
    parser.add_argument(
        "--spam-folder", metavar="FOLDER", help="folder for spam; the server's by default"
    )


def _add_sorting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sorting",
        choices=[each.value for each in Sorting],
        help="what to do with spam that arrives",
    )
    parser.add_argument(
        "--begin-now",
        action="store_true",
        dest="begun_early",
        default=None,
        help="sort before the model is tested well enough",
    )
    parser.add_argument(
        "--sorting-loss",
        type=number(float, "invalid share value: {!r}", 0.0001, 1),
        metavar="SHARE",
        help=(
            "share of good mail that sorting may lose: it begins once the 95 %% interval ends "
            "below it (0.02)"
        ),
    )
    parser.add_argument(
        "--sorts-alone",
        action=argparse.BooleanOptionalAction,
        help="sort although the server keeps no keywords: no other computer may sort this account",
    )
    parser.add_argument(
        "--learn-moves",
        choices=[each.value for each in LearnMoves],
        help=(
            "learn from what other programs move into the spam folder and out of it; by default "
            "the window asks first"
        ),
    )


_KINDS: dict[str, Callable[[str], str]] = {
    "security": Security,
    "sorting": Sorting,
    "learn_moves": LearnMoves,
}
_NO_OPTIONS = {"name", "path", "sign_in"}


def with_choices(account: Account, arguments: argparse.Namespace) -> Account:
    """Return the account with all options. An empty folder or trusted server removes all of them.

    The inbox is watched then.
    """
    choices: dict[str, Any] = {}
    for name in {field.name for field in fields(Account)} - _NO_OPTIONS:
        value = _choice(name, arguments)
        if value is not None:
            choices[name] = value

    choices["folders"] = choices.get("folders", account.folders) or ("INBOX",)
    servers = choices.get("trusted_servers", account.trusted_servers)
    choices["trusted_servers"] = tuple(server.lower() for server in servers)
    return replace(account, **choices)


def _choice(name: str, arguments: argparse.Namespace) -> Any:
    """Return the value of an option, None if it isn't given."""
    value = getattr(arguments, name, None)
    if isinstance(value, list):
        return tuple(filter(None, value)) if value else None
    if value is not None and name in _KINDS:
        return _KINDS[name](value)
    return value
