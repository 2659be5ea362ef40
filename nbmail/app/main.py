"""Start of the program, the demo and the self-test. Qt is imported inside functions, after a check
that it can be.
"""

import argparse
import builtins
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.text.terminal_text import PlainParser, encodable, printable
from nbmail.version import read_version

if TYPE_CHECKING:
    from nbmail.app.run import Program
    from nbmail.demo.home import DemoHome
    from nbmail.ui.texts.error_texts import Notice

OFFSCREEN = "offscreen"
PICTURES = "nbmail-pictures-"
NEEDS_PYMAP = "It needs pymap: pip install 'nbmail[demo]'"
QT_NEEDS = {
    "linux": "On Debian and Ubuntu this brings what it needs: "
    "apt install libglib2.0-0 libgl1 libegl1 libdbus-1-3 libfontconfig1 libxkbcommon0",
    "win32": "It needs Windows 10, version 1809, or later.",
    "darwin": "It needs macOS 13 or later.",
}
PROBE = """
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication([])
print("here", flush=True)
sys.stdin.read()
"""


def main(
    arguments: Sequence[str], began: "Callable[[Program], None]" = lambda program: None
) -> int:
    """Run the program and return its exit code: 0, 1 on failure, 2 on wrong use. `began`: called in
    the event loop.
    """
    options = _options(arguments)
    if problem := missing_library():
        return _refuse(
            f"Qt can't start on this system: {problem}.",
            QT_NEEDS.get(sys.platform, QT_NEEDS["linux"]),
        )
    import_plainly()
    # Until `Program.start`. Imports leave no garbage, and looking for some takes a tenth of the
    # time to the first rows.
    gc.disable()
    try:
        files = tuple(Path(os.path.expanduser(path)).absolute() for path in options.files)
        if options.demo or options.self_test:
            return _demo(files, options.pictures, self_test=options.self_test)
        return _window(options.home, files, began, minimized=options.minimized)
    except KnownError as error:
        from nbmail.ui.texts.error_texts import error_notice

        _print_notice(error_notice(error.error_code, error.detail))
        return 1
    finally:
        gc.enable()


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = PlainParser(prog="nbmail", description="Sort your mail, and see why.")
    parser.add_argument("--version", action="version", version=f"nbmail {read_version().line}")
    parser.add_argument("--home", type=Path, metavar="DIR", help="data folder")
    parser.add_argument(
        "--minimized",
        action="store_true",
        help="start in the system tray, or minimized where there is none",
    )
    parser.add_argument("--demo", action="store_true", help="open a demo account with sample mail")
    parser.add_argument(
        "--pictures",
        type=Path,
        metavar="DIR",
        help="folder for the screenshots of a demo without a display",
    )
    parser.add_argument(
        "--self-test", action="store_true", help="run a self-test of the main functions"
    )
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="mail files to show with their scores"
    )
    return parser.parse_args(arguments)


def _window(
    home: Path | None,
    files: tuple[Path, ...],
    began: "Callable[[Program], None]",
    *,
    minimized: bool = False,
) -> int:
    if not names_display(os.environ) and not os.environ.get("QT_QPA_PLATFORM"):
        return _refuse(
            "No display found.",
            (
                "Start nbmail from a desktop, or use it without a window: nbmail --help. nbmail "
                "--demo works here, too."
            ),
        )
    from nbmail.app.autostart import login_entry, own_command
    from nbmail.app.run import RunOptions, run
    from nbmail.demo.home import module_command

    own = Path(os.path.expanduser(home)).absolute() if home else None
    command = own_command(sys.argv[0], module_command("nbmail"), own, sys.platform)
    login = login_entry(
        command, own, user=Path.home(), environment=os.environ, platform=sys.platform
    )
    paths = Paths.chosen(home)
    return run(
        RunOptions(paths, report=_print_notice, files=files, minimized=minimized, login=login),
        began,
    )


def _demo(files: tuple[Path, ...], pictures: Path | None, *, self_test: bool = False) -> int:
    """Run on the demo's mailbox in a temporary data folder; without a display, run the smoke test
    as a tour.
    """
    from nbmail.demo.home import NoDemoServer, demo_home

    try:
        with demo_home() as home:
            if not self_test and names_display(os.environ):
                # The server starts meanwhile.
                with probe_display() as release:
                    if release is not None:
                        _print(
                            "nbmail opens a demo account (Robin Hale). The mail is fictional "
                            "and nothing is saved."
                        )
                        return _run_demo(home, lambda program: release(), files=files)
            # Qt draws into memory.
            os.environ["QT_QPA_PLATFORM"] = OFFSCREEN
            from nbmail.app.smoke_test import SmokeTest

            if self_test:
                return _run_demo(home, SmokeTest(home, _print).begin, "first")
            _print("No display found, so nbmail runs the demo in an off-screen window.")
            folder = Path(os.path.expanduser(pictures)).absolute() if pictures else None
            return _run_demo(
                home,
                SmokeTest(home, _print, folder or Path(tempfile.mkdtemp(prefix=PICTURES))).begin,
            )
    except NoDemoServer as error:
        server = "The self-test's mail server" if self_test else "The mail server"
        return _refuse(f"{server} did not start: {error}.", NEEDS_PYMAP)


def _run_demo(
    home: "DemoHome",
    began: "Callable[[Program], None]",
    folder: str = "",
    files: tuple[Path, ...] = (),
) -> int:
    from nbmail.app.run import RunOptions, run

    passwords = {home.account.name: home.password}
    paths = Paths.under(home.folder / folder)
    return run(
        RunOptions(paths, home.settings, passwords, _print_notice, files=files, demo=True), began
    )


def _print(line: str, stream: TextIO | None = None) -> None:
    """Print a line. `stream`: standard output by default. On Windows a program without a console
    has no streams.
    """
    stream = stream or sys.stdout
    if stream is not None:
        stream.write(encodable(line + "\n", stream))
        stream.flush()


def _refuse(sentence: str, advice: str) -> int:
    if sys.stderr is not None:
        _print(f"nbmail: {printable(f'{sentence} {advice}')}", sys.stderr)
    return 2


def _print_notice(notice: "Notice") -> None:
    """Print why the data folder cannot be opened, for users who started the program in a
    terminal.
    """
    _refuse(notice.sentence, notice.advice)
    if notice.detail and sys.stderr is not None:
        _print(f"({printable(notice.detail)})", sys.stderr)


# ------------------------------------------------------------------------------------------------
# Qt and its display


def import_plainly() -> None:
    """Remove the import hook that PySide6 installs when it is loaded.

    The hook supports PySide6's alternative spellings (`from __feature__ import …`), which nbmail
    doesn't use. It reads the source of every module imported later, which takes an eighth of the
    time until the window is built.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def missing_library() -> str:
    """Return why Qt can't be imported, empty if it can. Often a library such as libEGL.so.1 is
    missing.
    """
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        return str(error)
    return ""


def names_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """True if the environment names a display. Windows and macOS always have one."""
    if platform in ("win32", "darwin"):
        return True
    if chosen := environment.get("QT_QPA_PLATFORM", ""):
        return chosen.partition(":")[0] not in (OFFSCREEN, "minimal")
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


@contextmanager
def probe_display() -> Iterator[Callable[[], None] | None]:
    """Try in another process whether Qt can open the display: Qt aborts a process if it can't.
    Yield None then.

    Otherwise yield the function that disconnects the process: some servers restart when their last
    client leaves, and reject new clients meanwhile.
    """
    command = [sys.executable, "-P", "-c", PROBE]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdin.close if process.stdout.readline().strip() == "here" else None
