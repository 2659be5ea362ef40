"""Start of the program, the demo and the self-test. Qt is imported inside functions, after a check that it can be."""

import argparse
import builtins
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from nbmail.errors import KnownError
from nbmail.foreign_text import PlainParser, encodable, printable
from nbmail.paths import Paths
from nbmail.version import read_version

if TYPE_CHECKING:
    from nbmail.app.run import Program
    from nbmail.demo.home import DemoHome
    from nbmail.ui.kit.error_texts import Notice

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


def main(arguments: Sequence[str], began: "Callable[[Program], None]" = lambda program: None) -> int:
    """Run the program and return its exit code: 0, 1 on failure, 2 on wrong use. `began`: called in the event loop."""
    options = _options(arguments)
    if problem := missing_library():
        return _refuse(f"Qt can't start on this system: {problem}.", QT_NEEDS.get(sys.platform, QT_NEEDS["linux"]))
    import_plainly()
    # Until `Program.start`. Imports leave no garbage, and looking for some takes a tenth of the time to the first rows.
    gc.disable()
    try:
        if options.self_test:
            return _self_test()
        files = tuple(Path(os.path.expanduser(path)).absolute() for path in options.files)
        if options.demo:
            return _demo(files, options.pictures)
        return _window(options.home, files, began, minimized=options.minimized)
    except KnownError as error:
        return _refuse_known(error)
    finally:
        gc.enable()


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = PlainParser(prog="nbmail", description="Sort your mail, and see why.")
    parser.add_argument("--version", action="version", version=f"nbmail {read_version().line}")
    parser.add_argument("--home", type=Path, metavar="DIR", help="data folder")
    parser.add_argument(
        "--minimized", action="store_true", help="start in the system tray, or minimized where there is none"
    )
    parser.add_argument("--demo", action="store_true", help="open a demo account with sample mail")
    parser.add_argument(
        "--pictures", type=Path, metavar="DIR", help="folder for the screenshots of a demo without a display"
    )
    parser.add_argument("--self-test", action="store_true", help="run a self-test of the main functions")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="mail files to show with their scores")
    return parser.parse_args(arguments)


def _window(
    home: Path | None, files: tuple[Path, ...], began: "Callable[[Program], None]", *, minimized: bool = False
) -> int:
    if not names_display(os.environ) and not os.environ.get("QT_QPA_PLATFORM"):
        return _refuse(
            "No display found.",
            "Start nbmail from a desktop, or use it without a window: nbmail --help. nbmail --demo works here, too.",
        )
    from nbmail.app.autostart import login_entry, own_command
    from nbmail.app.run import RunOptions, run
    from nbmail.demo.home import module_command

    paths = Paths.chosen(home)
    own = Path(os.path.expanduser(home)).absolute() if home else None
    command = own_command(sys.argv[0], module_command("nbmail"), own, sys.platform)
    login = login_entry(command, own, user=Path.home(), environment=os.environ, platform=sys.platform)
    return run(RunOptions(paths, report=_print_notice, files=files, minimized=minimized, login=login), began)


def _demo(files: tuple[Path, ...], pictures: Path | None) -> int:
    """Run on the demo's mailbox in a temporary data folder; without a display, run the smoke test as a tour."""
    from nbmail.demo.home import NoDemoServer, demo_home

    try:
        with demo_home() as home:
            # The server starts while the display is probed.
            probe = DisplayProbe()
            if names_display(os.environ) and probe.can_open():
                return _show(home, files, probe)
            go_offscreen()
            return _tour(home, pictures)
    except NoDemoServer as error:
        return _refuse(f"The mail server did not start: {error}.", NEEDS_PYMAP)


def _run_demo(
    home: "DemoHome", began: "Callable[[Program], None]", folder: str = "", files: tuple[Path, ...] = ()
) -> int:
    from nbmail.app.run import RunOptions, run

    passwords = {home.account.name: home.password}
    paths = Paths.under(home.folder / folder)
    return run(RunOptions(paths, home.settings, passwords, _print_notice, files=files, demo=True), began)


def _show(home: "DemoHome", files: tuple[Path, ...], probe: "DisplayProbe") -> int:
    _print("nbmail opens a demo account (Robin Hale). The mail is fictional and nothing is saved.")
    try:
        return _run_demo(home, lambda program: probe.release(), files=files)
    finally:
        probe.end()


def _tour(home: "DemoHome", pictures: Path | None) -> int:
    from nbmail.app.smoke_test import SmokeTest

    _print("No display found, so nbmail runs the demo in an off-screen window.")
    folder = Path(os.path.expanduser(pictures)).absolute() if pictures else Path(tempfile.mkdtemp(prefix=PICTURES))
    return _run_demo(home, SmokeTest(home, _print, folder).begin)


def _self_test() -> int:
    """Run the smoke test offscreen, on the demo's mailbox."""
    from nbmail.app.smoke_test import SmokeTest
    from nbmail.demo.home import NoDemoServer, demo_home

    go_offscreen()
    try:
        with demo_home() as home:
            return _run_demo(home, SmokeTest(home, _print).begin, "first")
    except NoDemoServer as error:
        return _refuse(f"The self-test's mail server did not start: {error}.", NEEDS_PYMAP)


def _print(line: str) -> None:
    _write(sys.stdout, line)


def _print_notice(notice: "Notice") -> None:
    """Print why the data folder cannot be opened, for users who started the program in a terminal."""
    _print_error(f"{notice.sentence} {notice.advice}")
    if notice.detail:
        _write(sys.stderr, f"({printable(notice.detail)})")


def _refuse_known(error: KnownError) -> int:
    from nbmail.ui.kit.error_texts import error_notice

    _print_notice(error_notice(error.error_code, error.detail))
    return 1


def _refuse(sentence: str, advice: str) -> int:
    _print_error(f"{sentence} {advice}")
    return 2


def _print_error(text: str) -> None:
    _write(sys.stderr, f"nbmail: {printable(text)}")


def _write(stream: TextIO | None, line: str) -> None:
    """Print a line. On Windows a program without a console has no streams."""
    if stream is not None:
        stream.write(encodable(line + "\n", stream))
        stream.flush()


# ------------------------------------------------------------------------------------------------ Qt and its display


def import_plainly() -> None:
    """Remove the import hook that PySide6 installs when it is loaded.

    The hook supports PySide6's alternative spellings (`from __feature__ import …`), which nbmail doesn't use. It reads
    the source of every module imported later, which takes an eighth of the time until the window is built.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def missing_library() -> str:
    """Return why Qt can't be imported, empty if it can. Often a library such as libEGL.so.1 is missing."""
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


def go_offscreen() -> None:
    """Let Qt draw into memory."""
    os.environ["QT_QPA_PLATFORM"] = OFFSCREEN


class DisplayProbe:
    """Tries in another process whether Qt can open the display: Qt aborts a process if it can't.

    The process stays connected until `release`: some servers restart when their last client leaves, and reject new
    clients meanwhile.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def can_open(self) -> bool:
        """True if the display answers."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", PROBE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        if self._process.stdout.readline().strip() == "here":
            return True
        self.end()
        return False

    def release(self) -> None:
        """Disconnect from the display."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def end(self) -> None:
        """Disconnect, and wait for the end of the process."""
        self.release()
        if self._process is not None and self._process.stdout is not None:
            self._process.wait()
            self._process.stdout.close()
