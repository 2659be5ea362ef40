"""Processor times of the mail table with 200,000 rows: scrolling, sorting, new scores."""

import os
import random
import statistics
import time
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QAbstractTableModel, QSortFilterProxyModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTreeView

from nbmail.ui.kit.theme import apply_theme
from nbmail.ui.list.list_choice import Arrangement, Choice, Column, Kind
from nbmail.ui.list.table.mail_model import MailModel
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.worker.protocol.events import Changed
from tests.bench._frame import options_of, show
from tests.ui.made import NOW, make_rows, make_scores

FRAMES = 120
BUDGETS = {"frame": 16, "sort": 100}
"""Milliseconds by the first word of a figure's name."""
JUMPS = 0.37


class PlainModel(QAbstractTableModel):
    """Model of the peer: Python returns every cell."""

    def __init__(self, rows):
        super().__init__()
        self.columns = [
            rows.scores.probabilities.tolist(),
            rows.senders,
            rows.subjects,
            rows.dates.tolist(),
        ]

    def rowCount(self, parent=None):
        return 0 if parent is not None and parent.isValid() else len(self.columns[0])

    def columnCount(self, parent=None):
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        return (
            self.columns[index.column()][index.row()]
            if role == Qt.ItemDataRole.DisplayRole
            else None
        )


def made_rows(count):
    """Return generated mail of which half has a subject of its own."""
    rows = make_rows(count, labelled=0.05)
    chance = random.Random(count)
    subjects = [
        f"{each} {chance.getrandbits(32):x}" if chance.random() < 0.5 else each
        for each in rows.subjects
    ]
    return replace(rows, subjects=tuple(subjects))


def milliseconds(view, act):
    """Return the processor time of an action and the repaint after it."""
    began = time.process_time()
    act()
    view.viewport().repaint()
    return 1000 * (time.process_time() - began)


def measure(view, load, acts):
    """Return the times of loading, of frames while scrolling and jumping, and of the actions."""
    view.resize(1600, 1000)
    view.show()
    QTest.qWaitForWindowExposed(view)
    figures = {"load": milliseconds(view, load)}
    bar = view.verticalScrollBar()
    frames = []
    for number in range(FRAMES):
        value = int(bar.maximum() * (number * JUMPS % 1)) if number % 4 == 3 else bar.value() + 90
        frames.append(milliseconds(view, lambda value=value: bar.setValue(value)))
    figures |= {
        "frame, median": statistics.median(frames),
        "frame, 99 %": sorted(frames)[int(0.99 * FRAMES)],
    }
    figures |= {name: milliseconds(view, act) for name, act in acts.items()}
    view.close()
    return figures


def ours(rows):
    model = MailModel(clock=lambda: NOW)
    table = MailTable(model)
    scores = make_scores(rows.messages, rows.scores.log_odds + 0.5)
    # The window does this in slices while it is idle.
    acts = {
        "prepare all texts": lambda: model.mail.text_columns.prepare(
            len(rows.messages) * len(Column)
        )
    }
    acts |= {
        f"sort by {column.name.lower()}{again}": lambda column=column: table.sort_by(column)
        for column in Column
        for again in ("", " again, reversed")
    }
    choices = {"unsure": Choice(Kind.UNSURE), "all": Choice(), "one word": Choice(words="garden")}
    choices["two words"] = Choice(words="anna minutes")
    acts |= {
        f"filter, {name}": lambda choice=choice: model.arrange(Arrangement(choice))
        for name, choice in choices.items()
    }
    acts["new scores of all"] = lambda: model.take(Changed(scores=scores))
    acts["select all"] = table.select_all
    return measure(table, lambda: model.begin(rows), acts)


def theirs(rows):
    plain = PlainModel(rows)
    proxy = QSortFilterProxyModel()
    view = QTreeView()
    proxy.setSourceModel(plain)
    view.setUniformRowHeights(True)
    view.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
    acts = {
        f"sort by {name}": lambda column=column: proxy.sort(column)
        for name, column in (("chance", 0), ("subject", 2))
    }
    ends = plain.index(0, 0), plain.index(plain.rowCount() - 1, 3)
    acts |= {
        "new scores of all": lambda: plain.dataChanged.emit(*ends),
        "select all": view.selectAll,
    }
    return measure(view, lambda: view.setModel(proxy), acts)


def run(arguments):
    options = options_of(arguments, __doc__, rows=200_000, peer_rows=20_000)
    apply_theme(QApplication.instance() or QApplication([]), "light")
    mine = ours(made_rows(options.rows))
    peer = theirs(made_rows(options.peer_rows))
    lines = [
        f"{'milliseconds':34}{f'nbmail {options.rows:,}':>16}"
        f"{f'proxy {options.peer_rows:,}':>16}{'goal':>8}"
    ]
    budgets = {name: BUDGETS.get(name.replace(",", " ").split()[0]) for name in mine}
    for name, value in mine.items():
        beside = f"{peer[name]:16.1f}" if name in peer else " " * 16
        lines.append(f"{name:34}{value:16.1f}{beside}{budgets[name] or '':>8}")
    show(
        options,
        {"rows": options.rows, "ours": mine, "peer_rows": options.peer_rows, "peer": peer},
        "\n".join(lines),
    )
    return int(any(budgets[name] and value > budgets[name] for name, value in mine.items()))
