"""The command `nbmail watch`: synchronize, learn and show decisions without a window."""

import argparse
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nbmail.cli.command import CliCommand
from nbmail.cli.opened_store import paths_of
from nbmail.cli.watching.notices import warn
from nbmail.cli.watching.session import INTERVAL, Signals, WatchSession
from nbmail.log import start_log, stop_log
from nbmail.paths import Paths
from nbmail.store.files.file_errors import file_error_codes
from nbmail.store.files.home_handover import mark_watching, unmark_watching, wait_until_free


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Keeps all accounts synchronized, learns from marks made elsewhere, and prints a line for "
        "each decision. SIGTERM ends it, SIGHUP reads the settings again (on Windows: Ctrl+C, and "
        "a restart). A window that opens on the same data folder takes over, and watching goes on "
        "when it closes."
    )
    parser.add_argument(
        "--rehearse", action="store_true", help="show what sorting would move, and move nothing"
    )
    parser.add_argument("--once", action="store_true", help="synchronize once, then end")
    parser.add_argument(
        "--token-file",
        action="append",
        default=[],
        metavar="[ACCOUNT=]PATH",
        help="read and store a sign-in in this file instead of the keyring",
    )
    parser.add_argument(
        "--password-file",
        action="append",
        default=[],
        metavar="[ACCOUNT=]PATH",
        help="read a password from a file that only you can read; otherwise from the keyring",
    )


def _run(arguments: argparse.Namespace) -> int:
    """Watch until a signal, or until everything is synchronized once."""
    paths = paths_of(arguments.home)
    with file_error_codes(paths.data):
        paths.make()
        handler = start_log(paths.log)
    try:
        with _caught_signals() as signals:
            return _watch(paths, arguments, signals)
    finally:
        stop_log(handler)


@contextmanager
def _caught_signals() -> Iterator[Signals]:
    """Turn the signals that end or reload into flags."""
    signals = Signals(threading.Event(), threading.Event())
    before = dict[int, Any]()
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, lambda *_: signals.stop.set())
        if hasattr(signal, "SIGHUP"):
            before[signal.SIGHUP] = signal.signal(signal.SIGHUP, lambda *_: signals.reload.set())
        yield signals
    finally:
        for caught, former in before.items():
            signal.signal(caught, former)


def _watch(paths: Paths, arguments: argparse.Namespace, signals: Signals) -> int:
    """Run one session after the other: a window that opens the data folder interrupts them."""
    while not signals.stop.is_set():
        session = WatchSession(paths, arguments, signals)
        with file_error_codes(paths.data):
            mark_watching(paths)
        try:
            code = session.run()
        finally:
            unmark_watching(paths)
        if code is not None:
            return code

        warn("The window has opened this data folder. Watching goes on when it closes.")
        while not signals.stop.is_set() and not wait_until_free(paths, INTERVAL):
            pass
    return 0


WATCH = CliCommand(_add_options, _run)
