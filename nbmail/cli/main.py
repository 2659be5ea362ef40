"""Entry point of the command line, and parts of all commands: options, output, and data folder with
its store.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeVar

from nbmail.chunks import drain
from nbmail.cli import COMMANDS
from nbmail.errors import ErrorCode, KnownError
from nbmail.method_spec import ESTIMATES, METHODS, MethodSpec
from nbmail.paths import Paths
from nbmail.settings_file import load_settings, save_settings
from nbmail.text.terminal_text import PlainParser, encodable, printable
from nbmail.version import read_version

if TYPE_CHECKING:
    from nbmail.store.store import Store


# Text for each error, with advice; the braces are for the detail.
_TEXTS = {
    ErrorCode.DISK_FULL: "The disk is full{}. Free some space and try again.",
    ErrorCode.DISK_ERROR: "Can't read from or write to the disk{}. It may be failing, so back up your data now.",
    ErrorCode.READ_ONLY: "No permission to write{}. Change the folder's permissions, or choose another folder "
    "with "
    "--home.",
    ErrorCode.HOME_IN_USE: "nbmail is already using this data folder{}. Close its window, or choose another folder "
    "with --home.",
    ErrorCode.OTHER_VERSION: "This data folder was made by another version of nbmail{}; to take its "
    "labels along, put its file labels.log into an empty data folder and start nbmail there.",
    ErrorCode.SETTINGS_TOO_NEW: "These settings were saved by a newer version of nbmail{}. Install "
    "that version; nothing was changed.",
    ErrorCode.HOME_DELETED: "The file with your labels was deleted while nbmail was running{}. nbmail restored it, "
    "and "
    "no labels were lost.",
    ErrorCode.DATABASE_DAMAGED: "The file with your labels is damaged{}. Run `nbmail doctor` to see what you can do; "
    "the file is kept.",
    ErrorCode.BAD_INPUT: "Invalid input{}. Correct it and try again.",
    ErrorCode.WRONG_PASSWORD: "The mail server refuses the user name or password{}. Check both.",
    ErrorCode.SIGN_IN_AGAIN: "The sign-in has expired or was revoked{}. Run nbmail account sign-in NAME.",
    ErrorCode.SIGN_IN_LATER: "The sign-in can't be renewed now{}. Try again later.",
    ErrorCode.SIGN_IN_FAILED: "The sign-in failed{}. Try again.",
    ErrorCode.NO_CLIENT_ID: "nbmail has no client ID at this provider yet{}. An app password may work instead, or "
    "--client-id with one of your own.",
    ErrorCode.WRONG_SCOPE: "The sign-in allows too little{}. Sign in again and allow access to mail.",
    ErrorCode.NO_KEYRING: "There is no keyring to keep the sign-in{}. Use --token-file.",
    ErrorCode.KEYRING_FAILED: "The keyring reports an error{}. Use --password-file or --token-file.",
    ErrorCode.NO_PASSWORD: "There is no password{}.",
    ErrorCode.NO_NETWORK: "The mail server can't be found{}. Check its name and your connection.",
    ErrorCode.SERVER_GONE: "The mail server doesn't answer{}. Try again later.",
    ErrorCode.SERVER_REFUSED: "The mail server refused the request{}. Ask your mail provider.",
    ErrorCode.SERVER_BROKEN: "The mail server sent an invalid reply{}. Check the server name and port, or try again "
    "later.",
    ErrorCode.NOT_ENCRYPTED: "The mail server doesn't offer an encrypted connection{}. Your password was not sent. "
    "Try "
    "TLS on port 993, or ask your mail provider.",
    ErrorCode.MAILBOX_FULL: "Your account on the mail server is full{}. Delete or move some mail there and try again.",
    ErrorCode.NO_KEYWORDS: "The mail server can't store marks{}. They are saved on this computer only.",
    ErrorCode.CERTIFICATE: "The mail server's certificate is not valid{}. Your password was not sent.",
    ErrorCode.FOLDER_MISSING: "The account has no such folder{}. Check its name.",
    ErrorCode.NOT_FOUND: "Not found{}. Check the path.",
    ErrorCode.BAD_MODEL_FILE: "nbmail can't use this model file{}. Nothing was changed.",
    ErrorCode.ALREADY_KNOWN: "This file was already imported or was exported from here{}. Nothing was changed; use "
    "--again to import it anyway.",
    ErrorCode.NOT_ENOUGH_YET: "Too few labelled messages{}. First run nbmail learn --as spam PATH and nbmail learn "
    "--as ham PATH.",
}
ERROR = 2
# The exit code that shells give a command stopped by Ctrl+C.
STOPPED = 130


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code: 0 success, 1 negative result, 2 error, 130
    stopped.
    """
    parsed = _parser(arguments[0]).parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except KnownError as error:
        say(printable(f"nbmail: {explain(error)}"), sys.stderr)
        return ERROR
    except KeyboardInterrupt:
        print("nbmail: stopped. Everything saved so far is complete.", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        # The reader of the output is gone. Without `stdout` nothing is flushed at exit, which would
        # fail again.
        sys.stdout = None
        return 0


def explain(error: KnownError) -> str:
    """Return what happened, where, and advice, on one line."""
    return _TEXTS[error.error_code].format(f" ({error.detail})" if error.detail else "")


class CliCommand(NamedTuple):
    """A command: `add_options` adds its options to a parser, `run` runs it and returns the exit
    code.
    """

    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def _parser(command: str) -> argparse.ArgumentParser:
    parser = PlainParser(
        prog="nbmail",
        description=(
            "Sort mail with a model that you train by marking messages. Without a command, the "
            "window opens."
        ),
        epilog="nbmail --demo opens a demo account; nbmail --demo --help lists the window's "
        "options. --home DIR can "
        "precede or follow the command. Exit codes: 0 success, 1 negative result, 2 error.",
    )
    parser.add_argument("--version", action="version", version=f"nbmail {read_version().line}")
    commands: argparse._SubParsersAction[Any] = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True
    )
    for name, (module, words) in COMMANDS.items():
        one = commands.add_parser(name, help=words)
        if name == command:
            found: CliCommand = getattr(import_module(f"nbmail.cli.{module}"), name.upper())
            found.add_options(one)
            one.add_argument(
                "--home", type=Path, metavar="DIR", help="data folder for settings, mail and model"
            )
            one.add_argument("--json", action="store_true", help="print JSON")
            one.set_defaults(run=found.run, usage_error=one.error)
    return parser


def say(text: str, stream: TextIO | None = None) -> None:
    """Print lines as plain text in the encoding of the output. `stream`: standard output by
    default.
    """
    stream = stream or sys.stdout
    stream.write(encodable("\n".join(map(printable, text.split("\n"))) + "\n", stream))


def report(arguments: argparse.Namespace, found: Mapping[str, object], text: str) -> None:
    say(json.dumps(found, indent=2) if arguments.json else text)


Number = TypeVar("Number", int, float)


def number(
    kind: Callable[[str], Number], sentence: str, least: float, most: float = sys.float_info.max
) -> Callable[[str], Number]:
    """Return a parser of a number from `least` to `most`. `sentence`: the error, with braces for
    the text.
    """

    def parse(text: str) -> Number:
        try:
            if least <= (found := kind(text)) <= most:
                return found
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(sentence.format(text))

    return parse


Costs4 = tuple[float, float, float, float]
_PARAMETERS = ("smoothing", "beta", "estimate", "virtual")


def add_scoring(parser: argparse.ArgumentParser) -> None:
    """Add the options for the method with its parameters, trusted servers and costs."""
    add = parser.add_argument
    add(
        "--method",
        choices=METHODS,
        help=f"method of learning (default: the saved one, or {METHODS[0]})",
    )
    add(
        "--smoothing",
        type=float,
        metavar="A",
        help=(
            "multinomial, complement: pseudo-count of each word; 0 is maximum likelihood, 1 "
            "(default) is Laplace"
        ),
    )
    add(
        "--beta",
        type=float,
        nargs=2,
        metavar=("A", "B"),
        help="bernoulli: Beta prior of each word (default: 2 2)",
    )
    add("--estimate", choices=ESTIMATES, help="bernoulli: of the posterior (default: mode)")
    add(
        "--virtual",
        type=float,
        metavar="M",
        help="categorical: virtual examples (default: the number of values)",
    )
    add_trust(parser)
    add(
        "--cost",
        type=number(float, "must be 1 or more", 1),
        metavar="N",
        help="cost of a false alarm, in messages checked by hand; the spam threshold is "
        "(N-1)/(N+1), at least 50 %% "
        "(default: the saved setting, 100)",
    )
    add(
        "--costs",
        type=number(float, "must be 0 or more", 0),
        nargs=4,
        metavar=("LOST", "MISSED", "HAM", "SPAM"),
        help="the whole table of costs: ham called spam, spam called ham, unsure ham, "
        "unsure spam (default: the saved ones, 100 9 1 2; nbmail learn saves them)",
    )


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add the option for trusted servers: `trusted_servers`, a list of names."""
    parser.add_argument(
        "--trust-server",
        action="append",
        dest="trusted_servers",
        default=[],
        metavar="NAME",
        help=(
            "mail server whose checks of senders count, as its Authentication-Results name it; "
            "may be repeated"
        ),
    )


def chosen_costs(arguments: argparse.Namespace | None, saved: Costs4) -> Costs4:
    """Return the costs of the options in the order of `Costs`. `saved`: those of the data
    folder.
    """
    cost, table = (getattr(arguments, name, None) for name in ("cost", "costs"))
    if table is None:
        return (cost or saved[0], *saved[1:])
    lost, missed, ham, spam = table
    if lost < 1 or spam < ham:
        raise KnownError(
            ErrorCode.BAD_INPUT, "--costs: LOST must be 1 or more, and SPAM not below HAM"
        )
    return lost, missed, ham, spam - ham


def chosen_method(arguments: argparse.Namespace, saved: str = METHODS[0]) -> str:
    """Return the method of the options. Without --method, parameters change those of the `saved`
    method.
    """
    given = {name: value for name in _PARAMETERS if (value := getattr(arguments, name)) is not None}
    if "beta" in given:
        given["beta"] = tuple(given["beta"])
    try:
        return str(replace(MethodSpec.parse(arguments.method or saved), **given))
    except ValueError as error:
        arguments.usage_error(str(error))
        raise


def has_method(arguments: argparse.Namespace) -> bool:
    return any(getattr(arguments, name) is not None for name in ("method", *_PARAMETERS))


def paths_of(home: Path | None) -> Paths:
    """Return the paths of a data folder. Raises `KnownError` if it can't be one."""
    paths = Paths.chosen(home)
    paths.check()
    return paths


@contextmanager
def open_store(
    home: Path | None, *, read_only: bool = False, options: argparse.Namespace | None = None
) -> Iterator[Store]:
    """Open the home's store and its model. At the end the model is made exact and its snapshot is
    written.

    `read_only`: the home need not be writable, and another method and other costs are not saved.
    `options`: those of `add_scoring`.
    """
    import numpy as np

    from nbmail.core.scoring.model import Model
    from nbmail.core.scoring.verdict import Costs
    from nbmail.store.files.file_errors import unreadable_values
    from nbmail.store.opening import open_to_read
    from nbmail.store.store import Store
    from nbmail.worker.model.laboratory import method_named

    paths = paths_of(home)
    settings = load_settings(paths.settings)
    method = chosen_method(options, settings.method) if options else settings.method
    with open_to_read(paths, time.time()) if read_only else Store(paths, time.time()) as store:
        with unreadable_values(paths.database):
            model = Model(store.words.vocabulary, method_named(method))
            model.costs = Costs(*chosen_costs(options, settings.costs))
            drain(store.model.opening(model))
            ignored = store.words.vocabulary.numbers_of(store.ignored_words.now())
            store.model.model.ignored = np.array(ignored, np.int32)
        if not read_only:
            count_phrases(store)
        chosen = replace(settings.with_costs(model.costs.values), method=method)
        if chosen != settings and not read_only:
            save_settings(paths.settings, chosen)
        yield store
        if store.read_only:
            return
        count_phrases(store)
        store.model.make_exact()
        drain(store.model.write_snapshot())


def count_phrases(store: Store) -> int:
    """Count new phrases in all stored mail. Return the number of labelled messages whose text isn't
    stored.
    """
    if {*store.phrases.now()} == {*store.words.counted_phrases}:
        return 0
    from nbmail.worker.engine.opening import load_word_ids
    from nbmail.worker.rereading.phrase_counts import update_phrases

    drain(load_word_ids(store))
    return drain(update_phrases(store))
