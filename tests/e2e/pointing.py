"""The program as users start it. It also writes into a file what its window shows.

Run as `python -m tests.e2e.pointing`, with the file in NBMAIL_E2E_WINDOW.
"""

import json
import os
import sys
from itertools import count
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QDialog

from nbmail.__main__ import main
from nbmail.app.program import Program
from nbmail.ui.list.table import mail_table

EVERY = 50
"""Milliseconds."""


class Reporter(QObject):
    """Writes what the window shows, also in dialogs and while messages are dragged.

    Each report has a larger number.
    """

    def __init__(self, program, path):
        super().__init__(program)
        self._parts = program.window.parts
        self._path = path
        self._numbers = count(1)
        self._over = ""
        self._parts.sidebar.viewport().installEventFilter(self)
        timer = QTimer(self)
        timer.timeout.connect(self._write)
        timer.start(EVERY)

    def eventFilter(self, watched, event):
        if event.type() in (QEvent.Type.DragEnter, QEvent.Type.DragMove):
            index = self._parts.sidebar.indexAt(event.position().toPoint())
            self._over = index.data() if index.isValid() else ""
        return False

    def _write(self):
        new = self._path.with_suffix(".new")
        new.write_text(json.dumps(self._shown() | {"number": next(self._numbers)}))
        new.replace(self._path)

    def _shown(self):
        parts = self._parts
        table = parts.table
        model = parts.model
        entries = parts.sidebar.lines.entries
        places = [_middle(table, model.index(row, 4)) for row in range(model.rowCount())]
        subjects = [
            model.mail.heading_of(model.message_at(row))[1] for row in range(model.rowCount())
        ]
        folders = {
            one.text: _middle(parts.sidebar, parts.sidebar.lines.index(row, 0))
            for row, one in enumerate(entries)
            if one.choice
        }
        dialogs = [
            each
            for each in QApplication.topLevelWidgets()
            if isinstance(each, QDialog) and each.isVisible()
        ]
        return {
            "rows": dict(zip(subjects, places, strict=True)),
            "count": model.rowCount() if model.loaded else -1,
            "has_keys": table.hasFocus(),
            "folders": folders,
            "synced": [
                name
                for name, state in parts.sidebar.lines.states.items()
                if state.phase == "synced"
            ],
            "can_undo": parts.actions.by_name["undo"].isEnabled(),
            "remedy": parts.banner.remedy.text() if parts.banner.remedy.isVisible() else "",
            "dialogs": [each.windowTitle() for each in dialogs],
            "dragged_over": self._over if Drags.running else "",
            "drags": Drags.running,
        }


class Drags:
    """State of a drag: True while messages are dragged."""

    running = False


def _dragging(start_drag):
    def call(*arguments):
        Drags.running = True
        try:
            start_drag(*arguments)
        finally:
            Drags.running = False

    return call


def _middle(view, index):
    return view.viewport().mapToGlobal(view.visualRect(index).center()).toTuple()


def _starting(start):
    def call(program):
        start(program)
        Reporter(program, Path(os.environ["NBMAIL_E2E_WINDOW"]))

    return call


if __name__ == "__main__":
    with (
        patch.object(Program, "start", _starting(Program.start)),
        patch.object(mail_table, "start_drag", _dragging(mail_table.start_drag)),
    ):
        sys.exit(main())
