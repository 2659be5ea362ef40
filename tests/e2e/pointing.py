"""The program with its window, which also writes where its rows and folders are on the screen: for a mouse."""

import json
import sys
from pathlib import Path

from PySide6.QtCore import QTimer

from nbmail.app.run import RunOptions, run
from nbmail.paths import Paths

POINTS = "points.json"


def _points(parts):
    """Return the middles of the rows by subject, and of the folders by name."""
    table, sidebar, model = parts.table, parts.sidebar, parts.model
    subjects = [model.mail.heading_of(model.message_at(row))[1] for row in range(model.rowCount())]
    rows = {subject: _middle(table, model.index(row, 4)) for row, subject in enumerate(subjects)}
    entries = enumerate(sidebar.lines.entries)
    folders = {one.text: _middle(sidebar, sidebar.lines.index(row, 0)) for row, one in entries if one.choice}
    return {"rows": rows, "folders": folders}


def _middle(view, index):
    return view.viewport().mapToGlobal(view.visualRect(index).center()).toTuple()


def _tell(program, path):
    new = path.with_suffix(".new")
    new.write_text(json.dumps(_points(program.window.parts)))
    new.replace(path)


def main(home):
    def began(program):
        timer = QTimer(program)
        timer.timeout.connect(lambda: _tell(program, home / POINTS))
        timer.start(100)

    return run(RunOptions(Paths.under(home)), began)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[sys.argv.index("--home") + 1])))
