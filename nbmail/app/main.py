"""Where all rooms are joined: the program with its window, the demo, and the self-test."""

from __future__ import annotations

import argparse
import builtins
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.app.display import DisplayProbe, go_offscreen, missing_library, names_display
from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.printable import PlainParser, printable
from nbmail.version import read_version

if TYPE_CHECKING:
    from nbmail.app.program import Program
    from nbmail.demo.home import DemoHome
    from nbmail.ui.kit.error_texts import Notice

PICTURES = "nbmail-pictures-"
NEEDS_PYMAP = "It needs pymap: pip install 'nbmail[demo]'"


def main(arguments: Sequence[str], began: Callable[[Program], None] = lambda program: None) -> int:
    """Run what is asked for. 0: all is well; 1: it could not be done; 2: it was asked for wrongly.

    `began` is called once the window's event loop turns.
    """
    options = _options(arguments)
    if options.demo_server is not None:
        from nbmail.demo import server as demo_server

        return demo_server.main(options.demo_server)
    if lacking := missing_library():
        return _refuse(
            f"Qt can't start on this system: {lacking}.",
            "On Debian and Ubuntu this brings what it needs: "
            "apt install libglib2.0-0 libgl1 libegl1 libdbus-1-3 libfontconfig1 libxkbcommon0",
        )
    import_plainly()
    try:
        if options.self_test:
            return _self_test()
        files = tuple(path.expanduser().absolute() for path in options.files)
        return _demo(files, options.pictures) if options.demo else _window(options.home, files, began)
    except KnownError as error:
        return _refuse_known(error)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = PlainParser(prog="nbmail", description="Sort your mail, and see why.")
    parser.add_argument("--version", action="version", version=f"nbmail {read_version().line}")
    parser.add_argument("--home", type=Path, metavar="DIR", help="keep everything in this folder")
    parser.add_argument("--demo", action="store_true", help="show nbmail on a built-in mailbox")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="where a demo without a display puts its pictures")
    parser.add_argument("--self-test", action="store_true", help="walk the main path and say whether all is well")
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="show the mail in these files, and its score"
    )
    parser.add_argument("--demo-server", nargs="*", metavar="DIR", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _window(home: Path | None, files: tuple[Path, ...], began: Callable[[Program], None]) -> int:
    """The program itself."""
    if not names_display(os.environ) and not os.environ.get("QT_QPA_PLATFORM"):
        return _refuse(
            "There is no display to open a window on.",
            "Start nbmail from a desktop, or use it without a window: nbmail --help. nbmail --demo works here, too.",
        )
    from nbmail.app.program import RunOptions, run

    paths = Paths.under(home.expanduser().resolve()) if home else Paths.standard()
    return run(RunOptions(paths, told=_tell, files=files), began)


def _demo(files: tuple[Path, ...], pictures: Path | None) -> int:
    """The program on the demo's mailbox, in a throw-away home; without a display it walks the main path by itself."""
    from nbmail.demo.home import NoDemoServer, demo_home

    try:
        with demo_home() as home:
            # The server starts while the display is tried.
            probe = DisplayProbe()
            if names_display(os.environ) and probe.reaches():
                return _show(home, files, probe)
            go_offscreen()
            return _tour(home, pictures)
    except NoDemoServer as error:
        return _refuse(f"The mail server did not start: {error}.", NEEDS_PYMAP)


def _run_demo(home: DemoHome, began: Callable[[Program], None], folder: str = "", files: tuple[Path, ...] = ()) -> int:
    from nbmail.app.program import RunOptions, run

    passwords = {home.account.name: home.password}
    return run(RunOptions(Paths.under(home.folder / folder), home.settings, passwords, _tell, files=files), began)


def _show(home: DemoHome, files: tuple[Path, ...], probe: DisplayProbe) -> int:
    _say("nbmail shows Robin Hale's mailbox. Nothing of it is real, and nothing is kept.")
    try:
        return _run_demo(home, lambda program: probe.release(), files=files)
    finally:
        probe.end()


def _tour(home: DemoHome, pictures: Path | None) -> int:
    import tempfile

    from nbmail.app.main_path import MainPath

    _say("There is no display here, so nbmail draws its window into memory and walks its main path by itself.")
    folder = pictures.expanduser().resolve() if pictures else Path(tempfile.mkdtemp(prefix=PICTURES))
    return _run_demo(home, MainPath(home, _say, folder).begin)


def _self_test() -> int:
    """Walk the main path offscreen, on the demo's mailbox, and check each station."""
    from nbmail.app.main_path import MainPath
    from nbmail.demo.home import NoDemoServer, demo_home

    go_offscreen()
    try:
        with demo_home() as home:
            return _run_demo(home, MainPath(home, _say).begin, "first")
    except NoDemoServer as error:
        return _refuse(f"The self-test's mail server did not start: {error}.", NEEDS_PYMAP)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _tell(advice: Notice) -> None:
    """The home can't be opened: also for those who started nbmail from a terminal."""
    _complain(f"{advice.sentence} {advice.advice}")
    if advice.detail:
        sys.stderr.write(f"({printable(advice.detail)})\n")


def _refuse_known(error: KnownError) -> int:
    from nbmail.ui.kit.error_texts import error_notice

    _tell(error_notice(error.error_code, error.detail))
    return 1


def _refuse(sentence: str, advice: str) -> int:
    _complain(f"{sentence} {advice}")
    return 2


def _complain(words: str) -> None:
    sys.stderr.write(f"nbmail: {printable(words)}\n")


def import_plainly() -> None:
    """Take away, once PySide6 is loaded, what it does at every import from then on.

    It looks for its alternative spellings (`from __feature__ import …`), which nobody uses here, and for that reads
    the source of every module imported after it: an eighth of the time until the window has all its parts.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
