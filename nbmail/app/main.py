"""Entry point of the window, with its options.

Qt is imported inside functions, after a check that it can be.
"""

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.app.demo_run import run_demo, run_self_test
from nbmail.app.qt_display import QT_NEEDS, import_plainly, missing_library, names_display
from nbmail.app.terminal import print_notice, refuse
from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.text.terminal_text import PlainParser
from nbmail.version import read_version

if TYPE_CHECKING:
    from nbmail.app.program import Program


def main(
    arguments: Sequence[str], began: "Callable[[Program], None]" = lambda program: None
) -> int:
    """Run the program and return its exit code: 0, 1 on failure, 2 on wrong use.

    `began`: called in the event loop.
    """
    options = _options(arguments)
    if problem := missing_library():
        advice = QT_NEEDS.get(sys.platform, QT_NEEDS["linux"])
        return refuse(f"Qt can't start on this system: {problem}.", advice)
    import_plainly()
    # Until `Program.start`. Imports leave no garbage, and looking for some takes a tenth of the
    # time to the first rows.
    gc.disable()
    try:
        return _run(options, began)
    except KnownError as error:
        from nbmail.ui.texts.error_texts import error_notice

        print_notice(error_notice(error.error_code, error.detail))
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


def _absolute(path: Path) -> Path:
    return Path(os.path.expanduser(path)).absolute()


def _run(options: argparse.Namespace, began: "Callable[[Program], None]") -> int:
    files = tuple(map(_absolute, options.files))
    if options.self_test:
        return run_self_test()
    if options.demo:
        return run_demo(files, options.pictures)
    return _run_window(options.home, files, began, minimized=options.minimized)


def _run_window(
    home: Path | None,
    files: tuple[Path, ...],
    began: "Callable[[Program], None]",
    *,
    minimized: bool = False,
) -> int:
    if not names_display(os.environ) and not os.environ.get("QT_QPA_PLATFORM"):
        return refuse(
            "No display found.",
            "Start nbmail from a desktop, or use it without a window: nbmail --help. nbmail "
            "--demo works here, too.",
        )
    from nbmail.app.autostart import login_entry, own_command
    from nbmail.app.run import run
    from nbmail.app.run_options import RunOptions
    from nbmail.module_command import module_command

    own = _absolute(home) if home else None
    command = own_command(sys.argv[0], module_command("nbmail"), own, sys.platform)
    login = login_entry(
        command, own, user=Path.home(), environment=os.environ, platform=sys.platform
    )
    options = RunOptions(
        Paths.chosen(home),
        report=print_notice,
        files=files,
        minimized=minimized,
        login=login,
    )
    return run(options, began)
