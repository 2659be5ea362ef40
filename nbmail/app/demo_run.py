"""Runs on the mailbox of the demo, in a temporary data folder: window, tour and self-test."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.app.qt_display import OFFSCREEN, names_display, probe_display
from nbmail.app.terminal import print_line, print_notice, refuse
from nbmail.paths import Paths

if TYPE_CHECKING:
    from nbmail.app.program import Program
    from nbmail.demo.home import DemoHome

PICTURES = "nbmail-pictures-"
NEEDS_PYMAP = "It needs pymap: pip install 'nbmail[demo]'"


def run_demo(files: tuple[Path, ...], pictures: Path | None) -> int:
    """Open the demo's window; without a display, run the tour. `pictures`: folder for the tour."""
    from nbmail.demo.home import NoDemoServer, demo_home

    try:
        with demo_home() as home:
            if names_display(os.environ):
                # The server starts meanwhile.
                with probe_display() as release:
                    if release is not None:
                        return _open_window(home, release, files)
            return _run_tour(home, pictures)
    except NoDemoServer as error:
        return refuse(f"The mail server did not start: {error}.", NEEDS_PYMAP)


def run_self_test() -> int:
    """Check the main functions in an off-screen window."""
    from nbmail.demo.home import NoDemoServer, demo_home

    os.environ["QT_QPA_PLATFORM"] = OFFSCREEN
    try:
        with demo_home() as home:
            from nbmail.app.scripted.self_test import SelfTest

            return _run(home, SelfTest(print_line).begin)
    except NoDemoServer as error:
        return refuse(f"The self-test's mail server did not start: {error}.", NEEDS_PYMAP)


def _open_window(home: "DemoHome", release: Callable[[], None], files: tuple[Path, ...]) -> int:
    print_line(
        "nbmail opens a demo account (Robin Hale). The mail is fictional and nothing is saved."
    )
    return _run(home, lambda program: release(), files)


def _run_tour(home: "DemoHome", pictures: Path | None) -> int:
    # Qt draws into memory.
    os.environ["QT_QPA_PLATFORM"] = OFFSCREEN
    from nbmail.app.scripted.tour import Tour

    print_line("No display found, so nbmail runs the demo in an off-screen window.")
    if pictures is None:
        folder = Path(tempfile.mkdtemp(prefix=PICTURES))
    else:
        folder = Path(os.path.expanduser(pictures)).absolute()
    return _run(home, Tour(print_line, folder).begin)


def _run(home: "DemoHome", began: "Callable[[Program], None]", files: tuple[Path, ...] = ()) -> int:
    from nbmail.app.run import run
    from nbmail.app.run_options import RunOptions

    options = RunOptions(
        Paths.under(home.folder),
        settings=home.settings,
        passwords={home.account.name: home.password},
        report=print_notice,
        files=files,
        demo=True,
    )
    return run(options, began)
